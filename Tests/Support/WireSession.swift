// Recorded sessions of clients: what they sent, in the portions in which they sent it.

import CMullionLinux
import DisplayServer
import Glibc
import MullionGeometry
import MullionSystem
import MullionWayland
import WindowModel

/// The requests of one client. A portion is what the client sent before it read again.
public struct WireSession: Equatable {
    public struct Portion: Equatable {
        public var words: [UInt32]
        /// The number of descriptors that are sent with the words: of memory or, with `sockets` added, connected sockets.
        public var descriptors: Int
        static let sockets = 1 << 15
        /// A pointer action before the portion.
        public var hand: Hand?

        public init(words: [UInt32], descriptors: Int, hand: Hand? = nil) {
            self.words = words
            self.descriptors = descriptors
            self.hand = hand
        }
    }

    /// A move of the pointer on the first screen, or a press or release of its button, in 16 bits.
    public enum Hand: Equatable {
        case move(x: UInt8, y: UInt8)
        case press
        case release

        init?(code: UInt32) {
            switch code >> 14 {
            case 1: self = .move(x: UInt8(code & 0x7f), y: UInt8(code >> 7 & 0x7f))
            case 2: self = .press
            case 3: self = .release
            default: return nil
            }
        }

        var code: UInt32 {
            switch self {
            case .move(let x, let y): 1 << 14 | UInt32(y & 0x7f) << 7 | UInt32(x & 0x7f)
            case .press: 2 << 14
            case .release: 3 << 14
            }
        }
    }

    public var portions: [Portion]

    public init(portions: [Portion]) { self.portions = portions }

    /// A file: of each portion the number of words, the number of descriptors with the hand in the upper half, and the
    /// words, all little-endian.
    public init?(bytes: [UInt8]) {
        guard bytes.count % 4 == 0 else { return nil }
        let words = stride(from: 0, to: bytes.count, by: 4).map { start in
            bytes[start..<start + 4].reversed().reduce(0) { word, byte in word << 8 | UInt32(byte) }
        }
        portions = []
        var position = 0
        while position < words.count {
            guard position + 2 <= words.count else { return nil }
            let count = Int(words[position])
            guard count <= words.count - position - 2 else { return nil }
            let start = position + 2
            let head = words[position + 1]
            portions.append(
                Portion(
                    words: Array(words[start..<start + count]), descriptors: Int(head & 0xffff),
                    hand: Hand(code: head >> 16)))
            position = start + count
        }
    }

    public var bytes: [UInt8] {
        let words = portions.flatMap { portion -> [UInt32] in
            let head = UInt32(portion.descriptors) | (portion.hand?.code ?? 0) << 16
            return [UInt32(portion.words.count), head] + portion.words
        }
        return words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
    }

    /// Records what a client sends while `body` runs, from its first request on. The fixture is new, with one other
    /// client, as in a replay: serials and ids are then the same.
    public static func record(
        _ fixture: ServerFixture, _ body: (TestClient, ServerFixture) throws -> Void
    ) throws -> (session: WireSession, error: ClientError?) {
        // wl_display.get_registry was sent before the recording.
        var session = WireSession(portions: [Portion(words: [1, 12 << 16 | 1, 2], descriptors: 0)])
        let client = try fixture.connect("recorded") { words, descriptors in
            session.portions.append(Portion(words: words, descriptors: descriptors))
        }
        fixture.onHand = { session.portions.append(Portion(words: [], descriptors: 0, hand: $0)) }
        try body(client, fixture)
        try fixture.pump()
        client.onFlush = nil
        fixture.onHand = nil
        return (session, client.error)
    }
}

extension ServerFixture {
    /// A fixture with another client beside the recorded or fuzzed one, which must not be affected.
    public static func withWitness(clock: ClockMode = .real) throws -> (ServerFixture, TestClient) {
        let fixture = try ServerFixture(screens: ["96x64,name=A", "64x48,external,name=B"], clock: clock)
        let witness = try fixture.connect("witness")
        let window = witness.window("witness").color(0xff00ff00).frame(80, 0, 16, 16).level(3000)
        // K4: it never inherits key, so that it receives no events.
        window.window.send(.setCanBecomeKey(can: 0))
        window.show()
        try fixture.pump()
        return (fixture, witness)
    }

    /// Performs a pointer action; skips what is not possible, as in a mutated session.
    public func use(_ hand: WireSession.Hand) throws {
        // The earlier requests of the client are processed first.
        try pump()
        onHand?(hand)
        let now = loop.now
        switch hand {
        case .move(let x, let y):
            _ = try? model.pointerMoved(to: Point(x: Double(x), y: Double(y)), on: mainScreen, time: now)
        case .press: _ = try? model.pointerButton(code: 0x110, pressed: true, time: now)
        case .release: _ = try? model.pointerButton(code: 0x110, pressed: false, time: now)
        }
        try pump()
    }

    /// Sends a session on a new connection, portion by portion, and hangs up.
    /// - Returns: whether the server still served it then.
    @discardableResult
    public func replay(_ session: WireSession, drawing: Bool = true) throws -> Bool {
        let others = server.clientCount
        let transport = Connection(socket: try connectSocket())
        // Of the sockets that it sends.
        var ends: [OwnedDescriptor] = []
        defer { ends = [] }
        for portion in session.portions {
            if let hand = portion.hand { try use(hand) }
            let out = transport.queue()
            for word in portion.words { out.put(word) }
            for _ in 0..<max(0, min(portion.descriptors & (WireSession.Portion.sockets - 1), 100)) {
                if portion.descriptors & WireSession.Portion.sockets == 0 {
                    out.put(try Self.anyMemory())
                } else {
                    let pair = try TestX11.sockets()
                    out.put(pair.0)
                    ends.append(pair.1)
                }
            }
            _ = try? transport.flush()
            try pump()
            // The portions after a keymap arrive when it is compiled, however long that takes: a replay is repeatable.
            if server.keymapCompiler.isBusy { try compileKeymaps() }
        }
        if drawing {
            for screen in model.screens { _ = try screenshot(screen) }
        }
        let survived = server.clientCount > others
        shutdown(transport.socket.rawValue, Int32(SHUT_RDWR))
        try pump()
        return survived
    }

    /// A substitute for every descriptor of a session: 256 KiB of zeros.
    private static func anyMemory() throws -> OwnedDescriptor {
        let file = OwnedDescriptor(mullionMemory())
        guard file.rawValue >= 0, ftruncate(file.rawValue, 1 << 18) == 0 else { throw FixtureError("memfd") }
        return file
    }
}
