// Requests about windows.

/// What a connection wants to be notified of.
public struct XEventMask: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let structure = XEventMask(rawValue: 1 << 17)
    public static let substructure = XEventMask(rawValue: 1 << 19)
    /// To decide which windows are mapped and where they are.
    public static let substructureRedirect = XEventMask(rawValue: 1 << 20)
    public static let focus = XEventMask(rawValue: 1 << 21)
    public static let properties = XEventMask(rawValue: 1 << 22)
}

extension XConnection {
    /// Creates a window that is never shown, for properties and selections.
    public func createHelperWindow() -> XWindowID {
        let window = newResource()
        let root = setup?.root ?? .none
        send(1) {
            $0.put(window)
            $0.put(root)
            // At −1, −1, of size 1, without a border, input only.
            for value: UInt16 in [0xffff, 0xffff, 1, 1, 0, 2] { $0.put(value) }
            // The visual and depth of its parent; override-redirect and the event mask.
            for value: UInt32 in [0, 0x200 | 0x800, 1, XEventMask.properties.rawValue] { $0.put(value) }
        }
        return window
    }

    /// Chooses the events of a window; replaces the earlier choice of this connection.
    public func select(_ mask: XEventMask, on window: XWindowID) {
        send(2) {
            $0.put(window)
            $0.put(UInt32(0x800))
            $0.put(mask.rawValue)
        }
    }

    public func destroy(_ window: XWindowID) { send(4) { $0.put(window) } }

    public func map(_ window: XWindowID) { send(8) { $0.put(window) } }

    /// - Returns: the number of the request, by which its event is recognized.
    @discardableResult
    public func unmap(_ window: XWindowID) -> UInt16 {
        send(10) { $0.put(window) }
        return sequence
    }

    /// Moves and resizes a window.
    public func configure(_ window: XWindowID, _ configuration: XConfiguration) {
        let wanted = configuration.applied(to: XFrame(x: 0, y: 0, width: 1, height: 1)).clamped
        var (mask, values): (UInt16, [UInt32]) = (0, [])
        func add(_ bit: UInt16, _ value: Int?, _ clamped: Int) {
            guard value != nil else { return }
            mask |= bit
            values.append(UInt32(bitPattern: Int32(clamped)))
        }
        add(1, configuration.x, wanted.x)
        add(2, configuration.y, wanted.y)
        add(4, configuration.width, wanted.width)
        add(8, configuration.height, wanted.height)
        guard mask != 0 else { return }
        send(12) { writer in
            writer.put(window)
            writer.put(mask)
            writer.put(UInt16(0))
            for value in values { writer.put(value) }
        }
    }

    /// Puts a window directly above another; nil: below all.
    public func stack(_ window: XWindowID, above sibling: XWindowID?) {
        send(12) {
            $0.put(window)
            $0.put(UInt16(sibling == nil ? 0x40 : 0x60))
            $0.put(UInt16(0))
            if let sibling { $0.put(sibling) }
            $0.put(UInt32(sibling == nil ? 1 : 0))
        }
    }

    /// Where a window is, with its border; nil when it is gone.
    public func geometry(of window: XWindowID, _ handler: @escaping (XFrame?) -> Void) {
        ask(14, 0, { $0.put(window) }) { reply in handler(reply?.frame(12)) }
    }

    /// Where the monitors are, by their numbers; none without the extension. `query(.xinerama)` must have found it.
    public func monitors(_ handler: @escaping ([XFrame]) -> Void) {
        guard let opcode = opcodes[.xinerama] else { return handler([]) }
        ask(opcode, 5, { _ in }) { reply in
            guard let reply else { return handler([]) }
            let count = min(Int(reply.long(8)), (reply.count - 32) / 8)
            handler(
                (0..<max(0, count)).map { index in
                    let place = 32 + 8 * index
                    return XFrame(
                        x: reply.signed(place), y: reply.signed(place + 2), width: Int(reply.word(place + 4)),
                        height: Int(reply.word(place + 6)))
                })
        }
    }

    /// Removes a window's border: managed windows have none.
    public func removeBorder(of window: XWindowID) {
        send(12) {
            $0.put(window)
            $0.put(UInt16(16))
            $0.put(UInt16(0))
            $0.put(UInt32(0))
        }
    }

    /// Gives a window the keyboard, or nobody.
    public func setFocus(_ window: XWindowID, time: XTime) {
        // Reverts to nobody.
        send(42, 0) {
            $0.put(window)
            $0.put(time)
        }
    }

    /// Ends the connection of the program whose window it is.
    public func kill(_ window: XWindowID) { send(113) { $0.put(window) } }

    /// Sends a message to a window.
    public func send(_ message: XClientMessage, to destination: XWindowID, mask: XEventMask = []) {
        sendEvent(to: destination, mask: mask) {
            $0.put(33 as UInt8)
            $0.put(32 as UInt8)
            $0.put(UInt16(0))
            $0.put(message.window)
            $0.put(message.type)
            for value in message.data { $0.put(value) }
        }
    }

    /// Notifies a program of where its window is although nothing has changed (ICCCM 4.1.5).
    public func sendConfigureNotify(_ window: XWindowID, _ frame: XFrame) {
        let frame = frame.clamped
        sendEvent(to: window, mask: .structure) {
            $0.put(22 as UInt8)
            $0.put(0 as UInt8)
            $0.put(UInt16(0))
            $0.put(window)
            $0.put(window)
            $0.put(XWindowID.none)
            $0.put(UInt16(bitPattern: Int16(frame.x)))
            $0.put(UInt16(bitPattern: Int16(frame.y)))
            $0.put(UInt16(frame.width))
            $0.put(UInt16(frame.height))
            $0.put(UInt16(0))
            $0.put(UInt16(0))
            $0.put(UInt32(0))
        }
    }

    func sendEvent(to destination: XWindowID, mask: XEventMask, _ fill: (inout XWriter) -> Void) {
        send(25) {
            $0.put(destination)
            $0.put(mask.rawValue)
            let start = $0.bytes.count
            fill(&$0)
            while $0.bytes.count < start + 32 { $0.put(0 as UInt8) }
        }
    }
}
