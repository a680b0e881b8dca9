// Requests about atoms, properties and extensions.

/// A part of a property's value.
public struct XProperty: Hashable, Sendable {
    public var type: XAtom
    /// 8, 16 or 32 bits.
    public var format: Int
    public var bytes: [UInt8]
    /// How many bytes of the value follow this part.
    public var bytesAfter: Int

    public init(type: XAtom, format: Int, bytes: [UInt8], bytesAfter: Int = 0) {
        self.type = type
        self.format = format
        self.bytes = bytes
        self.bytesAfter = bytesAfter
    }

    /// The words of a property of format 32; none otherwise.
    public var words: [UInt32] {
        guard format == 32 else { return [] }
        let reader = XReader(bytes)
        return (0..<bytes.count / 4).map { reader.long(4 * $0) }
    }

    public var atoms: [XAtom] { type == .atom ? words.map(XAtom.init(rawValue:)) : [] }
}

extension XConnection {
    /// The atom of a name, which is made if needed; nil when the X server has no memory left.
    public func intern(_ name: String, _ handler: @escaping (XAtom?) -> Void) {
        let name = Array(name.utf8.prefix(Int(UInt16.max)))
        ask(
            16, 0,
            {
                $0.put(UInt16(name.count))
                $0.put(UInt16(0))
                $0.put(name)
            }
        ) { handler($0?.atom(8)) }
    }

    /// The name of an atom; nil when there is no such atom, or it is not UTF-8 of at most 256 bytes.
    public func name(of atom: XAtom, _ handler: @escaping (String?) -> Void) {
        ask(17, 0, { $0.put(atom) }) { reply in
            guard let reply, reply.word(8) <= 256 else { return handler(nil) }
            handler(String(validating: reply.slice(32, count: Int(reply.word(8))), as: UTF8.self))
        }
    }

    /// Replaces a property.
    /// - Parameter format: 8, or 32 for little-endian words.
    public func setProperty(_ window: XWindowID, _ property: XAtom, type: XAtom, format: Int, _ bytes: [UInt8]) {
        send(18, 0) {
            $0.put(window)
            $0.put(property)
            $0.put(type)
            $0.put(UInt32(format))
            $0.put(UInt32(bytes.count / (format / 8)))
            $0.put(bytes)
        }
    }

    public func setProperty(_ window: XWindowID, _ property: XAtom, type: XAtom, _ words: [UInt32]) {
        setProperty(window, property, type: type, format: 32, XWriter.words(words))
    }

    public func deleteProperty(_ window: XWindowID, _ property: XAtom) {
        send(19) {
            $0.put(window)
            $0.put(property)
        }
    }

    /// Reads a part of a property of any type; nil when the window is gone or does not have it.
    /// - Parameters:
    ///   - offset: in words.
    ///   - limit: the most words.
    ///   - deletes: whether it is deleted when no more follows.
    public func property(
        _ window: XWindowID, _ property: XAtom, offset: Int = 0, limit: Int, deletes: Bool = false,
        _ handler: @escaping (XProperty?) -> Void
    ) {
        ask(
            20, deletes ? 1 : 0,
            {
                $0.put(window)
                $0.put(property)
                $0.put(XAtom.none)
                $0.put(UInt32(clamping: offset))
                $0.put(UInt32(clamping: limit))
            }
        ) { reply in
            guard let reply, reply.atom(8) != .none else { return handler(nil) }
            let format = Int(reply.byte(1))
            let bytes = Array(reply.slice(32, count: Int(reply.long(16)) * (format / 8)))
            handler(
                XProperty(type: reply.atom(8), format: format, bytes: bytes, bytesAfter: Int(reply.long(12))))
        }
    }

    /// Calls the handler when the X server has handled all requests so far.
    public func afterRequests(_ handler: @escaping () -> Void) { ask(43) { _ in handler() } }

    /// Looks up an extension.
    /// - Parameter handler: called with whether the X server has it.
    public func query(_ name: XExtension, _ handler: @escaping (Bool) -> Void) {
        let text = Array(name.rawValue.utf8)
        ask(
            98, 0,
            {
                $0.put(UInt16(text.count))
                $0.put(UInt16(0))
                $0.put(text)
            }
        ) { [unowned self] reply in
            guard let reply, reply.byte(8) != 0 else { return handler(false) }
            opcodes[name] = reply.byte(9)
            if name == .xfixes { xfixesEvent = reply.byte(10) }
            ask(reply.byte(9), 0, { Self.putVersion(of: name, into: &$0) }) { reply in
                guard let reply else { return handler(false) }
                // Earlier ones do not know processes.
                handler(name != .resources || (reply.word(8), reply.word(10)) >= (1, 2))
            }
        }
    }

    /// Extensions serve connections that have stated a version; these have all that is needed.
    private static func putVersion(of name: XExtension, into writer: inout XWriter) {
        switch name {
        case .composite: for part: UInt32 in [0, 4] { writer.put(part) }
        case .xfixes: for part: UInt32 in [6, 0] { writer.put(part) }
        case .resources: writer.put([1, 2, 0, 0] as [UInt8])
        case .xinerama: writer.put([1, 1, 0, 0] as [UInt8])
        }
    }

    /// Keeps the contents of the root's children out of the root window: each becomes a surface of its own.
    public func redirectChildrenOfRoot() {
        guard let opcode = opcodes[.composite], let setup else { return }
        send(opcode, 2) {
            $0.put(setup.root)
            $0.put(UInt32(1))
        }
    }

    /// Lets the X server end although this connection remains.
    public func doNotKeepServer() {
        guard let opcode = opcodes[.xfixes] else { return }
        send(opcode, 33) { $0.put(UInt32(1)) }
    }
}
