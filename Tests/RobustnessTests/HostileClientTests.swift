// Clients that break the protocol affect only themselves.

import DisplayServer
import Glibc
import MullionSystem
import MullionWayland
import TestSupport
import Testing

@Suite struct HostileClientTests {
    /// Sends raw bytes on a new connection and lets the server handle them.
    private func send(_ bytes: [UInt8], to fixture: ServerFixture, descriptors: Int = 0) throws {
        let socket = try fixture.connectSocket()
        let transport = Connection(socket: socket)
        let out = transport.queue()
        out.put(raw: bytes)
        for _ in 0..<descriptors { out.put(OwnedDescriptor(open("/dev/null", O_RDONLY | O_CLOEXEC))) }
        _ = try? transport.flush()
        try fixture.pump()
    }

    @Test("1,000 hostile connections leave the server up, with no client, object or descriptor left behind")
    func thousand() throws {
        let fixture = try ServerFixture()
        let witness = try fixture.connect("witness")
        let window = witness.window("w").color(0xff00ff00)
        window.makeKeyAndVisible()
        try fixture.pump()
        let surfaces = fixture.model.surfaceCount
        var random = SeededRandom()
        let seed = random.seed
        let descriptors = openDescriptors()
        for number in 0..<1000 {
            var hostile = HostileBytes(random: random)
            try send(hostile.next(), to: fixture, descriptors: number % 40 == 0 ? 70 : number % 3)
            random = hostile.random
        }
        try fixture.pump()
        #expect(fixture.server.clientCount == 1, "seed \(seed)")
        #expect(fixture.model.windows.count == 1, "seed \(seed)")
        #expect(fixture.model.surfaceCount == surfaces, "seed \(seed)")
        #expect(fixture.model.checkInvariants() == [], "seed \(seed)")
        #expect(witness.isOpen)
        #expect(try fixture.color(x: 400, y: 300) == 0x00ff00)
        // Other tests in this process open descriptors as well, so only a leak of hundreds counts.
        #expect(openDescriptors() < descriptors + 500)
    }

    private func openDescriptors() -> Int {
        guard let folder = opendir("/proc/self/fd") else { return 0 }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        return count
    }

    @Test(
        "errors name the object and the problem",
        arguments: [
            ([1, 8 << 16 | 9], "request 9"),
            ([99, 8 << 16], "object 99"),
            ([1, 12 << 16, 500], "id 500"),
            ([1, 4 << 16], "size"),
            ([1, 10 << 16, 0], "size"),
        ] as [([UInt32], String)])
    func errors(words: [UInt32], part: String) throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        client.connection.transport.queue().put(
            raw: words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } })
        try fixture.pump()
        #expect(
            client.protocolError?.message.contains(part) == true,
            "\(String(describing: client.error)), open: \(client.isOpen)")
        #expect(fixture.server.clientCount == 0)
    }

    @Test("a client that never reads is held back, and the server's memory stays bounded")
    func neverReads() throws {
        let fixture = try ServerFixture()
        let transport = Connection(socket: try fixture.connectSocket())
        var id: UInt32 = 2
        // A get_registry of a dozen bytes is answered with hundreds.
        for _ in 0..<20_000 {
            let out = transport.queue()
            out.begin(.display, opcode: 1)
            out.put(id)
            out.end()
            id += 1
            if id % 100 == 0 {
                _ = try? transport.flush()
                while try fixture.loop.runOnce(nonblocking: true) {}
            }
        }
        #expect(transport.queuedBytes > 0, "the server stopped reading")
        #expect(fixture.server.queuedBytes <= 64 * 1024 + 4096)
    }

    @Test("a client that truncates its displayed memory is drawn black; others are unaffected")
    func shrinks() throws {
        let fixture = try ServerFixture()
        let liar = try fixture.connect("liar")
        let honest = try fixture.connect("honest")
        honest.window("honest").color(0xff00ff00).frame(400, 0, 100, 100).show()
        let memory = try liar.memoryFile(words: 200 * 200, filledWith: 0xffff0000)
        guard let copy = memory.duplicate() else { throw FixtureError("dup") }
        let pool = Proxy<WlShmPool>(liar.connection, version: 1)
        liar.shm.send(.createPool(id: pool.id, fd: memory, size: 200 * 200 * 4))
        let buffer = Proxy<WlBuffer>(liar.connection, version: 1)
        pool.send(.createBuffer(id: buffer.id, offset: 0, width: 200, height: 200, stride: 800, format: .xrgb8888))
        let window = liar.window("liar").frame(0, 0, 200, 200)
        window.surface.send(.attach(buffer: buffer.id, x: 0, y: 0))
        window.surface.send(.damageBuffer(x: 0, y: 0, width: 200, height: 200))
        window.show()
        #expect(try fixture.color(x: 100, y: 150) == 0xff0000)
        #expect(ftruncate(copy.rawValue, 4096) == 0)
        window.surface.send(.attach(buffer: buffer.id, x: 0, y: 0))
        window.surface.send(.damageBuffer(x: 0, y: 0, width: 200, height: 200))
        window.commit()
        #expect(try fixture.color(x: 100, y: 150) == 0)
        #expect(try fixture.color(x: 450, y: 50) == 0x00ff00)
        #expect(honest.isOpen)
    }

    @Test("directories, devices and impossible buffers are refused as shared memory")
    func badMemory() throws {
        for path in ["/tmp", "/dev/null"] {
            let fixture = try ServerFixture()
            let client = try fixture.connect()
            let pool = Proxy<WlShmPool>(client.connection, version: 1)
            client.shm.send(.createPool(id: pool.id, fd: OwnedDescriptor(open(path, O_RDONLY | O_CLOEXEC)), size: 4096))
            try fixture.pump()
            #expect(client.protocolError?.code == WlShm.Error.invalidFd.rawValue, "\(path)")
        }
        let cases: [(offset: Int32, width: Int32, height: Int32, stride: Int32)] = [
            (0, 10, 11, 40), (4, 10, 10, 40), (0, 10, 10, 9), (-4, 1, 1, 4), (0, 0, 1, 4), (0, 1, -1, 4),
            (0, .max, .max, .max), (.max, 1, 1, 4),
        ]
        for bad in cases {
            let fixture = try ServerFixture()
            let client = try fixture.connect()
            let pool = Proxy<WlShmPool>(client.connection, version: 1)
            client.shm.send(.createPool(id: pool.id, fd: try client.memoryFile(words: 100, filledWith: 0), size: 400))
            let buffer = Proxy<WlBuffer>(client.connection, version: 1)
            pool.send(
                .createBuffer(
                    id: buffer.id, offset: bad.offset, width: bad.width, height: bad.height, stride: bad.stride,
                    format: .xrgb8888))
            try fixture.pump()
            #expect(client.protocolError?.code == WlShm.Error.invalidStride.rawValue, "\(bad)")
        }
    }
}

/// Bytes that begin like those of a client and then go wrong.
struct HostileBytes {
    var random: SeededRandom

    mutating func next() -> [UInt8] {
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            return (0..<Int.random(in: 1...400, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
        case 1: return words(prologue()) + [UInt8](repeating: 0xff, count: Int.random(in: 0...40, using: &random))
        case 2:
            var bytes = words(prologue())
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            return bytes
        default: return Array(words(prologue()).prefix(Int.random(in: 1...100, using: &random)))
        }
    }

    private mutating func words(_ words: [UInt32]) -> [UInt8] {
        words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
    }

    /// get_registry, bind wl_compositor, create_surface, requests on it with random numbers.
    private mutating func prologue() -> [UInt32] {
        var out: [UInt32] = [1, 12 << 16 | 1, 2]
        out += [2, 40 << 16, 1, 14, 0x635f_6c77, 0x6f70_6d6f, 0x6f74_6973, 0x72, 5, 3]
        out += [3, 12 << 16, 4]
        for _ in 0..<Int.random(in: 0...10, using: &random) {
            let count = Int.random(in: 0...5, using: &random)
            out += [
                UInt32.random(in: 1...5, using: &random),
                UInt32(8 + count * 4) << 16 | UInt32.random(in: 0...10, using: &random),
            ]
            out += (0..<count).map { _ in UInt32.random(in: 0...8, using: &random) }
        }
        return out
    }
}
