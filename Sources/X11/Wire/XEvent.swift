// Events of an X server.

/// A rectangle of the root window, in pixels.
public struct XFrame: Hashable, Sendable {
    public var x: Int
    public var y: Int
    public var width: Int
    public var height: Int

    public init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// The nearest one that an X server can have.
    public var clamped: XFrame {
        XFrame(
            x: min(max(x, Int(Int16.min)), Int(Int16.max)), y: min(max(y, Int(Int16.min)), Int(Int16.max)),
            width: min(max(width, 1), Int(Int16.max)), height: min(max(height, 1), Int(Int16.max)))
    }
}

/// A change of geometry that a program requests; nil where it requests none.
public struct XConfiguration: Hashable, Sendable {
    public var x: Int?
    public var y: Int?
    public var width: Int?
    public var height: Int?
    /// In front of a sibling, or of all.
    public var raises = false

    public init(x: Int? = nil, y: Int? = nil, width: Int? = nil, height: Int? = nil, raises: Bool = false) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
        self.raises = raises
    }

    public init(_ frame: XFrame) {
        self.init(x: frame.x, y: frame.y, width: frame.width, height: frame.height)
    }

    public var isEmpty: Bool { x == nil && y == nil && width == nil && height == nil }

    /// The frame that results.
    public func applied(to frame: XFrame) -> XFrame {
        XFrame(
            x: x ?? frame.x, y: y ?? frame.y, width: width ?? frame.width, height: height ?? frame.height)
    }
}

/// A message between programs, or from a program to the window manager.
public struct XClientMessage: Hashable, Sendable {
    public var window: XWindowID
    public var type: XAtom
    /// Five words.
    public var data: [UInt32]

    public init(window: XWindowID, type: XAtom, data: [UInt32]) {
        self.window = window
        self.type = type
        self.data = Array((data + [0, 0, 0, 0, 0]).prefix(5))
    }
}

/// A program requests the content of a selection.
public struct XSelectionRequest: Hashable, Sendable {
    public var time: XTime
    public var owner: XWindowID
    public var requestor: XWindowID
    public var selection: XAtom
    public var target: XAtom
    /// Where the answer goes; none in requests of old programs.
    public var property: XAtom

    public init(
        time: XTime, owner: XWindowID, requestor: XWindowID, selection: XAtom, target: XAtom, property: XAtom
    ) {
        self.time = time
        self.owner = owner
        self.requestor = requestor
        self.selection = selection
        self.target = target
        self.property = property
    }
}

/// What happened in an X server; others are not decoded.
public enum XEvent: Hashable, Sendable {
    case focusIn(XWindowID, mode: UInt8, detail: UInt8)
    case created(XWindowID)
    case destroyed(XWindowID)
    /// - Parameter sequence: the number of this connection's last request before it; that request itself, if it did this.
    case unmapped(XWindowID, sequence: UInt16, isSynthetic: Bool)
    case mapped(XWindowID, isOverrideRedirect: Bool)
    case mapRequest(XWindowID)
    case reparented(XWindowID, parent: XWindowID)
    case configured(XWindowID, XFrame)
    case configureRequest(XWindowID, XConfiguration)
    case propertyChanged(XWindowID, XAtom, time: XTime, isDeleted: Bool)
    case selectionRequest(XSelectionRequest)
    /// The answer to a request; no property when it was refused.
    case selectionNotify(requestor: XWindowID, selection: XAtom, target: XAtom, property: XAtom, time: XTime)
    /// A selection has another owner, or none; `isGone`: the last one has ended.
    case selectionOwner(selection: XAtom, owner: XWindowID, time: XTime, isGone: Bool)
    case clientMessage(XClientMessage, isSynthetic: Bool)

    /// - Parameters:
    ///   - bytes: 32 bytes.
    ///   - xfixes: the number of the first event of XFIXES; nil when it is not known yet.
    /// - Returns: nil for an event that is not needed.
    init?(_ bytes: ArraySlice<UInt8>, xfixes: UInt8?) {
        let reader = XReader(bytes)
        let isSynthetic = reader.byte(0) & 0x80 != 0
        switch reader.byte(0) & 0x7f {
        case 9: self = .focusIn(reader.window(4), mode: reader.byte(8), detail: reader.byte(1))
        // Only the X server itself says which windows there are.
        case 16 where isSynthetic, 17 where isSynthetic, 19 where isSynthetic, 20 where isSynthetic,
            21 where isSynthetic:
            return nil
        case 16: self = .created(reader.window(8))
        case 17: self = .destroyed(reader.window(8))
        case 18: self = .unmapped(reader.window(8), sequence: reader.word(2), isSynthetic: isSynthetic)
        case 19: self = .mapped(reader.window(8), isOverrideRedirect: reader.byte(12) != 0)
        case 20: self = .mapRequest(reader.window(8))
        case 21: self = .reparented(reader.window(8), parent: reader.window(12))
        case 22:
            // Programs cannot report geometry that a window does not have.
            guard !isSynthetic else { return nil }
            self = .configured(reader.window(8), reader.frame(16))
        case 23: self = .configureRequest(reader.window(8), Self.configuration(reader))
        case 28:
            self = .propertyChanged(
                reader.window(4), reader.atom(8), time: reader.long(12), isDeleted: reader.byte(16) == 1)
        case 30:
            self = .selectionRequest(
                XSelectionRequest(
                    time: reader.long(4), owner: reader.window(8), requestor: reader.window(12),
                    selection: reader.atom(16), target: reader.atom(20), property: reader.atom(24)))
        case 31:
            self = .selectionNotify(
                requestor: reader.window(8), selection: reader.atom(12), target: reader.atom(16),
                property: reader.atom(20), time: reader.long(4))
        case 33 where reader.byte(1) == 32:
            let data = (0..<5).map { reader.long(12 + 4 * $0) }
            self = .clientMessage(
                XClientMessage(window: reader.window(4), type: reader.atom(8), data: data), isSynthetic: isSynthetic)
        case let number where number == xfixes && !isSynthetic:
            self = .selectionOwner(
                selection: reader.atom(12), owner: reader.window(8), time: reader.long(20),
                isGone: reader.byte(1) != 0)
        default: return nil
        }
    }

    private static func configuration(_ reader: XReader) -> XConfiguration {
        let mask = reader.word(26)
        return XConfiguration(
            x: mask & 1 != 0 ? reader.signed(16) : nil, y: mask & 2 != 0 ? reader.signed(18) : nil,
            width: mask & 4 != 0 ? Int(reader.word(20)) : nil, height: mask & 8 != 0 ? Int(reader.word(22)) : nil,
            raises: mask & 0x40 != 0 && reader.byte(1) == 0)
    }
}
