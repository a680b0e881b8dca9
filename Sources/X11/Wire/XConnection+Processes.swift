// Requests about the programs that are connected.

extension XConnection {
    /// X-Resource's kind of id that is the number of a process.
    private static let localProcess: UInt32 = 2

    /// The process of the program whose window it is, when it connected; nil when the X server does not know it, because
    /// the program is gone for example. `query(.resources)` must have found the extension.
    public func process(of window: XWindowID, _ handler: @escaping (Int32?) -> Void) {
        guard let opcode = opcodes[.resources] else { return handler(nil) }
        ask(
            opcode, 4,
            {
                $0.put(UInt32(1))
                $0.put(window)
                $0.put(Self.localProcess)
            }
        ) { handler($0.flatMap(Self.process)) }
    }

    /// The first resource ids of all connections.
    public func clients(_ handler: @escaping ([UInt32]) -> Void) {
        guard let opcode = opcodes[.resources] else { return handler([]) }
        ask(opcode, 1, { _ in }) { reply in handler(reply.map { Self.pairs($0).map(\.0) } ?? []) }
    }

    /// How many pixmaps a connection has.
    public func pixmapCount(of client: UInt32, _ handler: @escaping (Int) -> Void) {
        guard let opcode = opcodes[.resources] else { return handler(0) }
        ask(opcode, 2, { $0.put(client) }) { reply in
            let types = reply.map(Self.pairs) ?? []
            handler(Int(types.first { XAtom(rawValue: $0.0) == .pixmap }?.1 ?? 0))
        }
    }

    /// The bytes of a connection's pixmaps.
    public func pixmapBytes(of client: UInt32, _ handler: @escaping (Int) -> Void) {
        guard let opcode = opcodes[.resources] else { return handler(0) }
        ask(opcode, 3, { $0.put(client) }) { reply in
            handler(reply.map { Int($0.long(8)) + Int($0.long(12)) << 32 } ?? 0)
        }
    }

    /// The X server's own numbers of kinds of resources, in requests of X-Resource.
    private static let windowsAndPixmaps: [UInt32] = [0x4000_0001, 0x4000_0002]

    /// Ends a connection that has a window or a pixmap.
    public func kill(client: UInt32) { kill(client: client, withResourceOf: Self.windowsAndPixmaps) }

    private func kill(client: UInt32, withResourceOf types: [UInt32]) {
        guard let opcode = opcodes[.resources], let type = types.first else { return }
        // Sizes of all resources of a kind; the first part of the answer is the id of the first one.
        ask(
            opcode, 5,
            {
                $0.put(client)
                $0.put(UInt32(1))
                $0.put(UInt32(0))
                $0.put(type)
            }
        ) { [weak self] reply in
            guard let self else { return }
            guard let reply, reply.long(8) > 0 else {
                return kill(client: client, withResourceOf: Array(types.dropFirst()))
            }
            kill(reply.window(32))
        }
    }

    /// The pairs of numbers in a list whose length comes first.
    private static func pairs(_ reply: XReader) -> [(UInt32, UInt32)] {
        let count = min(Int(reply.long(8)), (reply.count - 32) / 8)
        return (0..<max(0, count)).map { (reply.long(32 + 8 * $0), reply.long(36 + 8 * $0)) }
    }

    /// The process in a reply with ids: the window or client, the kind, the number of bytes that follow, and those. The
    /// client is not compared: X servers have swapped its bytes for programs of the other byte order.
    private static func process(_ reply: XReader) -> Int32? {
        var place = 32
        for _ in 0..<reply.long(8) {
            guard place + 12 <= reply.count else { return nil }
            let (kind, length) = (reply.long(place + 4), Int(reply.long(place + 8)))
            place += 12
            if kind == localProcess, length >= 4, place + 4 <= reply.count {
                let process = Int32(bitPattern: reply.long(place))
                return process > 0 ? process : nil
            }
            place += (length + 3) / 4 * 4
        }
        return nil
    }
}
