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
