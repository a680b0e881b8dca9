// A configuration with a mistake: existing clients stay, and peers of a server that cannot start are refused.

import FoundationEssentials
import Glibc
import MullionSystem
import MullionWayland
import TestSupport
import Testing

@Suite struct MistakeTests {
    /// A service manager and a folder with a configuration.
    private struct Fixture {
        let fixture: ServerFixture
        let manager: TestServiceManager
        var configuration: String { manager.folder + "/mullion.json5" }

        init(_ text: String) throws {
            fixture = try ServerFixture(screens: [])
            let folder = try fixture.runtimeDirectory() + "/service"
            mkdir(folder, 0o700)
            manager = try TestServiceManager(folder: folder)
            try write(text)
        }

        func write(_ text: String) throws { try Data(text.utf8).write(to: URL(fileURLWithPath: configuration)) }

        /// Starts a server, and waits for it to serve.
        func start(_ options: [String] = []) throws -> Program {
            let before = manager.notifications.count
            let program = try launch(options)
            try fixture.wait(for: "READY=1; it printed: \(program.readOutput())") {
                manager.hear()
                return manager.notifications[before...].contains("READY=1")
            }
            return program
        }

        func launch(_ options: [String]) throws -> Program {
            try manager.start(
                Programs.server, ["--state", "none", "--config", configuration] + options,
                environment: ["XDG_RUNTIME_DIR": manager.folder])
        }

        func end(_ program: Program, by signal: Int32 = SIGTERM) throws {
            program.kill(signal)
            try waitForEnd(of: program)
        }

        func waitForEnd(of program: Program) throws {
            try fixture.wait(for: "the exit; it printed: \(program.readOutput())") {
                manager.hear()
                return !program.isRunning
            }
            manager.hear()
        }

        func wait(for words: String, from program: Program) throws {
            try fixture.wait(for: "\(words); it said: \(program.readOutput())") {
                manager.hear()
                return program.readOutput().contains(words)
            }
        }

        /// The status shown by the service manager.
        var status: String { manager.notifications.last { $0.hasPrefix("STATUS=") } ?? "" }

        func client() throws -> WireClient { try WireClient(path: manager.folder + "/client") }

        func remove() { try? FileManager.default.removeItem(atPath: manager.folder) }
    }

    /// Whether the client's next requests are answered.
    private func answers(_ client: WireClient) -> Bool { (try? client.roundTrip()) != nil }

    @Test(
        "a restart with a mistake in the file keeps the previous configuration, logs that, and accepts a corrected one",
        arguments: [
            ("{ bogus: 1 }", "unknown key \"bogus\""), ("{ screens: [", "mullion.json5"),
            ("{ keyboard: { layout: \"nowhere\" } }", "keyboard"), ("{ screens: [\"no-such\"] }", "no-such"),
            ("{ policy: { peers: [{ group: \"nobody-has-it\" }] } }", "nobody-has-it"),
        ])
    func restart(text: String, words: String) throws {
        let setup = try Fixture("{ log: { level: \"debug\" }, screens: [\"640x480,name=first\"] }")
        defer { setup.remove() }
        var server = try setup.start()
        let client = try setup.client()
        #expect(setup.manager.stored.contains { $0.name == "start" })
        try setup.write(text)
        // Repeatedly: the previous configuration is stored for the next time.
        for _ in 0..<2 {
            try setup.end(server)
            #expect(server.exitStatus == 0)
            server = try setup.start()
            #expect(answers(client), "\(server.readOutput())")
            try setup.wait(for: "the server continues with the previous configuration", from: server)
            #expect(server.readOutput().contains(words), "\(server.readOutput())")
            #expect(setup.status.contains("Serving on") && setup.status.contains(words), "\(setup.status)")
        }
        server.kill(SIGHUP)
        try setup.wait(for: "configuration not reloaded", from: server)
        try setup.write("{ screens: [\"640x480,name=first\"] }")
        server.kill(SIGHUP)
        try setup.wait(for: "configuration reloaded", from: server)
        try setup.fixture.wait(for: "the status: \(setup.status)") {
            setup.manager.hear()
            return setup.status == "STATUS=Serving on \(setup.manager.folder)/client"
        }
        #expect(answers(client))
        try setup.end(server, by: SIGINT)
    }

    @Test("a mistake on the command line is treated in the same way, and a crash as a restart")
    func commandLine() throws {
        let setup = try Fixture("{}")
        defer { setup.remove() }
        var server = try setup.start(["--screen", "640x480,name=first"])
        let client = try setup.client()
        try setup.end(server)
        server = try setup.start(["--bogus"])
        #expect(answers(client))
        try setup.wait(for: "unknown option --bogus", from: server)
        #expect(setup.status.contains("--bogus"))
        try setup.write("{ bogus: 1 }")
        try setup.end(server, by: SIGKILL)
        server = try setup.start(["--bogus"])
        #expect(answers(try setup.client()))
        #expect(server.readOutput().contains("the previous server's screens are plugged in again"))
        try setup.end(server, by: SIGINT)
    }

    @Test("a TCP address that is unavailable after a restart is a warning, and a reload uses it once it is available")
    func address() throws {
        let setup = try Fixture("{}")
        defer { setup.remove() }
        var server = try setup.start()
        let client = try setup.client()
        let taken = try TestListener()
        try setup.write("{ http: { listen: \"127.0.0.1:\(taken.port)\" } }")
        try setup.end(server)
        server = try setup.start()
        #expect(answers(client))
        let warning = "the control API is not served over TCP"
        try setup.wait(for: "warning: \(warning): http: bind 127.0.0.1:\(taken.port)", from: server)
        #expect(setup.status.contains(warning))
        taken.close()
        server.kill(SIGHUP)
        try setup.wait(for: "control API at http://127.0.0.1:\(taken.port)/v1", from: server)
        #expect(answers(client))
        try setup.end(server, by: SIGINT)
        // Without a previous server, nobody would notice a warning.
        let again = try TestListener()
        try setup.write("{ http: { listen: \"127.0.0.1:\(again.port)\" } }")
        setup.manager.clear()
        let refused = try setup.launch([])
        try setup.waitForEnd(of: refused)
        #expect(refused.exitStatus == 1 && refused.readOutput().contains("127.0.0.1:\(again.port)"))
        again.close()
    }

    @Test("a restart does not apply changed screens and seats: it is logged, and no client is lost")
    func screens() throws {
        let setup = try Fixture("{ screens: [\"640x480,name=first\"] }")
        defer { setup.remove() }
        var server = try setup.start()
        let client = try setup.client()
        let words = "the configured screens have changed"
        #expect(!server.readOutput().contains(words))
        try setup.write(
            "{ screens: [\"800x600,name=second\"], seats: [{ name: \"seat1\", screens: [\"first\"] }] }")
        for _ in 0..<2 {
            try setup.end(server)
            server = try setup.start()
            #expect(answers(client), "\(server.readOutput())")
            try setup.wait(for: words, from: server)
        }
        try setup.write("{ screens: [\"640x480,name=first\"] }")
        try setup.end(server)
        server = try setup.start()
        #expect(answers(client) && !server.readOutput().contains(words))
        try setup.end(server, by: SIGINT)
    }

    @Test("a server that cannot start refuses the clients in its sockets, so that it is not started for them again")
    func firstStart() throws {
        let setup = try Fixture("{ bogus: 1 }")
        defer { setup.remove() }
        let client = try connected(to: setup.manager.folder + "/client")
        let control = try connected(to: setup.manager.folder + "/control")
        let request = "GET /v1/status HTTP/1.1\r\nHost: x\r\n\r\n"
        #expect(write(control.rawValue, request, request.utf8.count) == request.utf8.count)
        let server = try setup.launch([])
        try setup.waitForEnd(of: server)
        #expect(server.exitStatus == 1 && server.readOutput().contains("unknown key \"bogus\""))
        #expect(setup.status.contains("unknown key \"bogus\""))
        let reason = "the server cannot start; its log says why"
        #expect(try everything(from: client).contains(reason))
        let answer = try everything(from: control)
        #expect(answer.hasPrefix("HTTP/1.1 503 ") && answer.contains(reason), "\(answer)")
        try setup.write("{}")
        let second = try setup.start()
        #expect(answers(try setup.client()))
        try setup.end(second, by: SIGINT)
    }

    /// Everything received until the other end closes.
    private func everything(from descriptor: OwnedDescriptor) throws -> String {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            var ready = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
            guard poll(&ready, 1, 60_000) == 1 else { throw FixtureError("no answer") }
            let count = read(descriptor.rawValue, &chunk, chunk.count)
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += chunk[..<count]
        }
    }

    private func connected(to path: String) throws -> OwnedDescriptor {
        let descriptor = OwnedDescriptor(socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0))
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor.rawValue, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw FixtureError("\(path): \(String(cString: strerror(errno)))") }
        return descriptor
    }
}

/// A port of this machine that is in use.
private final class TestListener {
    let port: UInt16
    private let descriptor: Int32

    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && listen(descriptor, 1) == 0 && getsockname(descriptor, $0, &size) == 0
            }
        }
        guard result else { throw FixtureError("a port: \(String(cString: strerror(errno)))") }
        port = UInt16(bigEndian: address.sin_port)
    }

    func close() { Glibc.close(descriptor) }
}
