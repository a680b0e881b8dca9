// Files and sockets whose owners delay their responses: only the client that sends them waits.

import FoundationEssentials
import Glibc
import MullionSystem
import MullionWayland
import TestSupport
import Testing

@Suite struct StrangersFilesTests {
    static let program = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Programs/silent_files.py").path

    /// Whether an unresponsive file system can be made here.
    static let canMount: Bool = {
        guard geteuid() == 0, let trial = try? Program("/usr/bin/python3", [program]) else { return false }
        _ = trial.outputAtEnd()
        return trial.exitStatus == 0
    }()

    private let server: ServerProcess
    private let victim: WireClient

    init() throws {
        server = try ServerProcess(options: ["--screen", "320x200"])
        victim = try WireClient(server)
    }

    /// Descriptors of a file whose file system answers every process but one.
    static func silentFiles(
        to process: pid_t, _ fixture: ServerFixture
    ) throws -> (program: Program, files: [OwnedDescriptor]) {
        let (channel, other) = try descriptorPair()
        let program = try Program("/usr/bin/python3", [program, "\(process)"], descriptors: [other.rawValue])
        let connection = Connection(socket: channel)
        let input = InputBuffer()
        try fixture.wait(for: "the files; the program says: \(program.readOutput())") {
            do throws(ReceiveError<WireError>) {
                try connection.receive(into: input) { (_, _, _) throws(WireError) in true }
            } catch {
                throw FixtureError("\(error)")
            }
            return connection.descriptors.count == 3
        }
        return (program, connection.descriptors.all)
    }

    private func checkOthers() throws {
        victim.patience = 10
        try victim.roundTrip()
        #expect(try server.request("GET", "/v1/status").status == 200)
    }

    @Test(
        "a pool, a keymap and a sandbox's pipe on a file system that never answers are refused", .enabled(if: canMount))
    func silent() throws {
        let (program, files) = try Self.silentFiles(to: server.server.pid, server.fixture)
        let drawer = try WireClient(server)
        _ = try drawer.pool(files[0], bytes: 4096)
        let why = try drawer.waitForEnd()
        #expect(
            why.contains("the descriptor is a file on a file system"), "\(why)")
        try checkOthers()
        let typist = try WireClient(server)
        let keyboard = Proxy<ZwpVirtualKeyboardV1>(typist.connection, version: 1)
        let seat = try typist.bind(WlSeat.self, version: 1)
        try typist.bind(ZwpVirtualKeyboardManagerV1.self)
            .send(.createVirtualKeyboard(seat: seat.id, id: keyboard.id))
        keyboard.send(.keymap(format: 1, fd: try #require(files[1].duplicate()), size: 4096))
        #expect(try typist.waitForEnd().contains("use a memfd, or a file on tmpfs or a local disk"))
        try checkOthers()
        // No request claims it; it is closed with its client.
        let idle = try WireClient(server)
        try idle.shm.get().send(.createPool(id: ObjectID(99), fd: try #require(files[2].duplicate()), size: 0))
        _ = try idle.waitForEnd()
        try checkOthers()
        // FLUSH, before close() returns; there was no other request.
        try server.fixture.wait(for: "the file to be closed") { program.readOutput().contains("asked 25\n") }
        #expect(Set(program.readOutput().split(separator: "\n")) == ["asked 25"])
    }

    @Test("a socket that lingers on close does not delay others, claimed or not", arguments: [true, false])
    func lingering(isClaimed: Bool) throws {
        let sender = try WireClient(server)
        var end: OwnedDescriptor?
        try withStopped(server) {
            let (socket, peer) = try fullConnection()
            end = peer
            if !isClaimed {
                // Ends the client; what it sent afterwards is never read.
                try sender.shm.get().send(.createPool(id: ObjectID(2), fd: try memoryFile(bytes: 1), size: 0))
                try sender.flush()
            }
            _ = try sender.pool(socket, bytes: 4096)
            try sender.flush()
        }
        _ = try sender.waitForEnd()
        try checkOthers()
        withExtendedLifetime(end) {}
        try server.stop()
    }

    @Test(
        "a user with too many unclosable files can connect again when they are closed",
        .enabled(if: GrowthTests.isRoot))
    func limit() throws {
        let server = try Strangers.server("limits: { userDescriptors: 3 }")
        func connect() throws -> WireClient { try WireClient(path: server.folder + "/socket", as: Strangers.user) }
        var peers: [OwnedDescriptor] = []
        let sender = try connect()
        try withStopped(server) {
            for _ in 0..<3 {
                let (socket, peer) = try fullConnection()
                peers.append(peer)
                // No request claims it.
                sender.connection.transport.queue().put(socket)
            }
            sender.connection.display.send(.sync(callback: Proxy<WlCallback>(sender.connection, version: 1).id))
            try sender.flush()
        }
        #expect(try sender.waitForEnd().contains("limit reached: a user has at most 3 descriptors"))
        try server.fixture.wait(for: "a refusal") {
            do {
                _ = try connect()
                return false
            } catch {
                return "\(error)".contains("limit reached: a user has at most 3 descriptors")
            }
        }
        peers.removeAll()
        try server.fixture.wait(for: "room") { (try? connect()) != nil }
        try server.stop()
    }

    @Test("memory with many pages is closed beside the loop, even if nobody uses them; small memory immediately")
    func largeMemory() throws {
        let (socket, peer) = try fullConnection()
        let closer = DescriptorCloser()
        // From here on its thread waits.
        closer.close(socket.release())
        for (pages, waiting) in [(1, 1), (256, 2)] {
            // As large as that, but for the pages all holes.
            let file = try memoryFile(bytes: 1 << 32)
            try DescriptorIO.write([UInt8](repeating: 1, count: pages * 4096), to: file.rawValue)
            closer.close(file.release())
            #expect(closer.waiting == waiting)
        }
        peer.close()
        try server.fixture.wait(for: "the thread to close everything") { closer.waiting == 0 }
        try server.stop()
    }

    /// Stops the server meanwhile, so that its last descriptors are those being sent.
    private func withStopped(_ server: ServerProcess, _ body: () throws -> Void) rethrows {
        server.server.kill(SIGSTOP)
        defer { server.server.kill(SIGCONT) }
        try body()
    }

    /// A TCP connection that accepts no more data, and waits half a minute for its peer when it is closed. A server that
    /// a parallel test starts waits as long if it inherits the last reference, which is shorter than tests wait for it.
    private func fullConnection() throws -> (socket: OwnedDescriptor, peer: OwnedDescriptor) {
        let stream = Int32(SOCK_STREAM.rawValue) | O_CLOEXEC
        let listener = OwnedDescriptor(Glibc.socket(AF_INET, stream, 0))
        let socket = OwnedDescriptor(Glibc.socket(AF_INET, stream | O_NONBLOCK, 0))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        try withUnsafeMutablePointer(to: &address) { address in
            try address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                try #require(bind(listener.rawValue, address, length) == 0)
                try #require(listen(listener.rawValue, 1) == 0)
                try #require(getsockname(listener.rawValue, address, &length) == 0)
                #expect(connect(socket.rawValue, address, length) == 0 || errno == EINPROGRESS)
            }
        }
        let peer = OwnedDescriptor(accept(listener.rawValue, nil, nil))
        try #require(peer.rawValue >= 0)
        var wait = linger(l_onoff: 1, l_linger: 30)
        setsockopt(socket.rawValue, SOL_SOCKET, SO_LINGER, &wait, socklen_t(MemoryLayout<linger>.size))
        let bytes = [UInt8](repeating: 0, count: 1 << 16)
        while write(socket.rawValue, bytes, bytes.count) > 0 {}
        return (socket, peer)
    }
}
