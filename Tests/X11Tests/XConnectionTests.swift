// The wire protocol of X11, against an X server of a few lines.

import Glibc
import MullionSystem
import Testing

@testable import X11

@Suite struct XConnectionTests {
    /// The other end of a connection.
    private final class Server {
        let connection: XConnection
        private let socket: OwnedDescriptor

        init() throws {
            var ends: [Int32] = [-1, -1]
            try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
            socket = OwnedDescriptor(ends[1])
            connection = XConnection(socket: OwnedDescriptor(ends[0]))
            _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        }

        /// What the connection has sent.
        func read() throws -> [UInt8] {
            try connection.flush()
            var bytes = [UInt8](repeating: 0, count: 1 << 20)
            let count = Glibc.read(socket.rawValue, &bytes, bytes.count)
            return Array(bytes.prefix(max(0, count)))
        }

        func send(_ bytes: [UInt8]) throws {
            try DescriptorIO.write(bytes, to: socket.rawValue)
            try connection.receive()
        }

        func close() { socket.close() }

        func begin() throws {
            #expect(try read() == [0x6c, 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0])
            try send(Self.setup)
        }

        /// An answer with the vendor "X.Y", one pixmap format and one screen.
        static let setup: [UInt8] = {
            var writer = XWriter()
            writer.put(UInt32(1))
            writer.put(UInt16(11))
            writer.put(UInt16((32 + 4 + 8 + 40) / 4))
            for value: UInt32 in [0, 0x0040_0000, 0x001f_ffff, 0] { writer.put(value) }
            for value: UInt16 in [3, 0xffff] { writer.put(value) }
            writer.put([1, 1, 0, 0, 32, 32, 8, 255, 0, 0, 0, 0] + Array("X.Y\0".utf8))
            writer.put([UInt8](repeating: 0, count: 8))
            for value: UInt32 in [0x111, 0, 0, 0, 0] { writer.put(value) }
            for value: UInt16 in [1920, 1080] { writer.put(value) }
            writer.put([UInt8](repeating: 0, count: 16))
            return writer.bytes
        }()

        /// A reply, an error or an event of 32 bytes.
        static func message(_ kind: UInt8, sequence: UInt16, _ bytes: [UInt8] = [], extra: Int = 0) -> [UInt8] {
            var writer = XWriter()
            writer.put([kind, 0] as [UInt8])
            writer.put(sequence)
            writer.put(UInt32(extra))
            writer.put(bytes)
            writer.put([UInt8](repeating: 0, count: max(0, 24 - bytes.count)))
            return writer.bytes
        }
    }

    @Test("the connection begins, whatever the pieces in which the answer comes")
    func setup() throws {
        let server = try Server()
        _ = try server.read()
        var begun = 0
        server.connection.onSetup = { _ in begun += 1 }
        for byte in Server.setup { try server.send([byte]) }
        let setup = try #require(server.connection.setup)
        #expect(setup.root.rawValue == 0x111 && setup.width == 1920 && setup.height == 1080 && begun == 1)
        #expect(setup.isSameClient(XWindowID(rawValue: 0x60_0001), XWindowID(rawValue: 0x60_ffff)))
        #expect(!setup.isSameClient(XWindowID(rawValue: 0x60_0001), XWindowID(rawValue: 0x80_0001)))
    }

    @Test("a refused connection says why")
    func refused() throws {
        let server = try Server()
        #expect(throws: XError.refused("no")) {
            try server.send([0, 2, 11, 0, 0, 0, 1, 0] + Array("no\0\0".utf8))
        }
    }

    @Test("replies come to those who asked, in order; an error is no reply, and those of other requests are nobody's")
    func replies() throws {
        let server = try Server()
        try server.begin()
        var answers: [Int?] = []
        server.connection.map(XWindowID(rawValue: 5))
        server.connection.geometry(of: XWindowID(rawValue: 6)) { answers.append($0?.width) }
        server.connection.map(XWindowID(rawValue: 7))
        server.connection.geometry(of: XWindowID(rawValue: 8)) { answers.append($0?.width) }
        server.connection.geometry(of: XWindowID(rawValue: 9)) { answers.append($0?.width) }
        #expect(try server.read().count == 5 * 8)
        try server.send(Server.message(0, sequence: 1))
        #expect(answers == [])
        try server.send(Server.message(1, sequence: 2, [0, 0, 0, 0, 1, 0, 2, 0, 44, 1, 5, 0]))
        try server.send(Server.message(0, sequence: 3))
        try server.send(Server.message(0, sequence: 4))
        try server.send(Server.message(1, sequence: 5, [0, 0, 0, 0, 1, 0, 2, 0, 7, 0, 5, 0]))
        #expect(answers == [300, nil, 7])
        #expect(server.connection.waitingReplies == 0)
    }

    @Test("numbers of requests wrap around")
    func wrapping() throws {
        let server = try Server()
        try server.begin()
        var answers = 0
        for round in 1...140_000 {
            if round % 1000 != 0 {
                server.connection.map(XWindowID(rawValue: 1))
            } else {
                server.connection.geometry(of: .none) { _ in answers += 1 }
                while server.connection.hasOutput { _ = try server.read() }
                try server.send(Server.message(1, sequence: UInt16(truncatingIfNeeded: round)))
            }
        }
        #expect(answers == 140)
    }

    @Test("a long reply comes in pieces, and an event after it is read")
    func long() throws {
        let server = try Server()
        try server.begin()
        var found: XProperty?
        var events: [XEvent] = []
        server.connection.onEvent = { events.append($0) }
        server.connection.property(.none, .wmName, limit: 1000) { found = $0 }
        var reply = Server.message(1, sequence: 1, [31, 0, 0, 0, 9, 0, 0, 0, 6, 0, 0, 0], extra: 2)
        reply[1] = 8
        for byte in reply + Array("title!\0\0".utf8) { try server.send([byte]) }
        #expect(found == XProperty(type: .string, format: 8, bytes: Array("title!".utf8), bytesAfter: 9))
        var map = [UInt8](repeating: 0, count: 32)
        (map[0], map[8]) = (20, 77)
        try server.send(map)
        #expect(events == [.mapRequest(XWindowID(rawValue: 77))])
    }

    @Test("messages of random bytes trap nowhere")
    func random() throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            let bytes = (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) }
            _ = XEvent(bytes[...], xfixes: 87)
            _ = XEvent(bytes.prefix(Int.random(in: 0..<32, using: &random)), xfixes: 87)
            _ = try? XSetup(Array(bytes.prefix(Int.random(in: 0..<32, using: &random))))
        }
        for _ in 0..<200 {
            let server = try Server()
            try server.begin()
            server.connection.geometry(of: .none) { _ in }
            server.connection.property(.none, .wmName, limit: 1) { _ in }
            server.connection.name(of: .wmName) { _ in }
            let bytes = (0..<512).map { _ in UInt8.random(in: 0...3, using: &random) }
            do { try server.send(bytes) } catch { #expect(error is XError) }
        }
    }

    @Test("an X server that reads nothing is given up, and one that goes is noticed")
    func dead() throws {
        let server = try Server()
        try server.begin()
        var failure: XError?
        let piece = [UInt8](repeating: 0, count: 1 << 16)
        for _ in 0..<1000 where failure == nil {
            server.connection.setProperty(.none, .wmName, type: .string, format: 8, piece)
            do { try server.connection.flush() } catch { failure = error }
        }
        #expect(failure == .congested)
        let other = try Server()
        try other.begin()
        other.close()
        #expect(throws: XError.closed) { try other.connection.receive() }
    }

    @Test("the process of a program is asked for by one of its windows, of X-Resource 1.2 and later")
    func processes() throws {
        let (server, window) = (try Server(), XWindowID(rawValue: 0x60_0001))
        try server.begin()
        var (isFound, found): ([Bool], [Int32?]) = ([], [])
        server.connection.process(of: window) { found.append($0) }
        #expect(found == [nil])
        for (round, version) in [1, 2].enumerated() {
            server.connection.query(.resources) { isFound.append($0) }
            #expect(try server.read() == [98, 0, 5, 0, 10, 0, 0, 0] + Array("X-Resource\0\0".utf8))
            try server.send(Server.message(1, sequence: UInt16(2 * round + 1), [1, 147, 0, 0]))
            #expect(try server.read() == [147, 0, 2, 0, 1, 2, 0, 0])
            try server.send(Server.message(1, sequence: UInt16(2 * round + 2), [1, 0, UInt8(version), 0]))
        }
        #expect(isFound == [false, true])
        let process: [UInt8] = [0, 0, 0x60, 0, 2, 0, 0, 0, 4, 0, 0, 0, 0x40, 0x42, 0x0f, 0]
        let client: [UInt8] = [0, 0, 0x60, 0, 1, 0, 0, 0, 0, 0, 0, 0]
        let other: [UInt8] = [0, 0, 0x60, 0, 4, 0, 0, 0, 5, 0, 0, 0, 1, 2, 3, 4, 5, 0, 0, 0]
        let endless: [UInt8] = [0, 0, 0x60, 0, 8, 0, 0, 0, 0xff, 0xff, 0xff, 0xff]
        let nobody: [UInt8] = [0, 0, 0x60, 0, 2, 0, 0, 0, 4, 0, 0, 0, 0xff, 0xff, 0xff, 0xff]
        let replies: [(UInt32, [UInt8], Int32?)] = [
            (1, process, 1_000_000), (3, client + other + process, 1_000_000), (0, process, nil), (0, [], nil),
            (1, client, nil), (.max, client, nil), (2, Array(process.prefix(12)), nil), (2, endless + process, nil),
            (1, nobody, nil),
        ]
        for (round, (count, ids, expected)) in replies.enumerated() {
            found = []
            server.connection.process(of: window) { found.append($0) }
            #expect(try server.read() == [147, 4, 4, 0, 1, 0, 0, 0, 1, 0, 0x60, 0, 2, 0, 0, 0])
            let head = Server.message(
                1, sequence: UInt16(round + 5), XWriter.words([count]), extra: ids.count / 4)
            try server.send(head + ids)
            #expect(found == [expected], "\(ids)")
        }
        server.connection.process(of: window) { found = [$0] }
        _ = try server.read()
        try server.send(Server.message(0, sequence: UInt16(replies.count + 5)))
        #expect(found == [nil])
    }

    @Test("programs cannot pretend that windows were made or mapped")
    func pretended() {
        for (kind, place) in [(16, 8), (19, 8), (20, 8)] as [(UInt8, Int)] {
            var bytes = [UInt8](repeating: 0, count: 32)
            (bytes[0], bytes[place]) = (kind, 77)
            #expect(XEvent(bytes[...], xfixes: nil) != nil)
            bytes[0] |= 0x80
            #expect(XEvent(bytes[...], xfixes: nil) == nil)
        }
    }

    @Test("absurd geometry is clamped before it is sent")
    func geometry() throws {
        let server = try Server()
        try server.begin()
        server.connection.configure(
            XWindowID(rawValue: 1), XConfiguration(x: .min, y: 100_000, width: 0, height: .max))
        var writer = XWriter()
        writer.put([12, 0, 7, 0, 1, 0, 0, 0, 15, 0, 0, 0] as [UInt8])
        for value: UInt32 in [0xffff_8000, 32767, 1, 32767] { writer.put(value) }
        #expect(try server.read() == writer.bytes)
        server.connection.sendConfigureNotify(.none, XFrame(x: .min, y: .max, width: .max, height: .min))
        #expect(try server.read().count == 44)
    }
}
