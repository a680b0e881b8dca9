// The real mulliond under a service manager that keeps descriptors: restarts, crashes, refusals.

import FoundationEssentials
import Glibc
import StateCoding
import TestSupport
import Testing

@testable import DisplayServer

@Suite struct HandOverProgramTests {
    /// The programs as users install them.
    private static let folder = Programs.shipped

    /// A service manager, and a fixture that is used only for its loop and its folder.
    private struct Fixture {
        let fixture: ServerFixture
        let manager: TestServiceManager

        init() throws {
            fixture = try ServerFixture(screens: [])
            let folder = try fixture.runtimeDirectory() + "/service"
            mkdir(folder, 0o700)
            manager = try TestServiceManager(folder: folder)
        }

        func start(_ arguments: [String] = []) throws -> Program {
            let before = manager.notifications.count
            let program = try manager.start(
                "\(HandOverProgramTests.folder)/mulliond", ["--state", "none"] + arguments,
                environment: ["XDG_RUNTIME_DIR": manager.folder])
            try fixture.wait(for: "READY=1; it printed: \(program.readOutput())") {
                manager.hear()
                return manager.notifications[before...].contains("READY=1")
            }
            return program
        }

        /// Sends a program a signal and waits for it to exit.
        func end(_ program: Program, by signal: Int32) throws {
            program.kill(signal)
            try fixture.wait(for: "the exit; it printed: \(program.readOutput())") {
                manager.hear()
                return !program.isRunning
            }
            manager.hear()
        }

        /// Starts a program as a client of the server.
        func client(_ name: String, _ arguments: [String] = []) throws -> Program {
            try fixture.spawn(name, arguments, environment: ["WAYLAND_DISPLAY": manager.folder + "/client"])
        }

        /// Runs mullionctl and returns its output.
        func ask(_ words: String...) throws -> String {
            let program = try fixture.spawn(
                "\(HandOverProgramTests.folder)/mullionctl", ["--control", manager.folder + "/control"] + words)
            try fixture.wait(for: "mullionctl") { !program.isRunning }
            return program.outputAtEnd()
        }
    }

    @Test("SIGTERM: the next server keeps the clients, their windows and the screens")
    func restart() throws {
        let setup = try Fixture()
        defer { rmdir(setup.manager.folder) }
        var server = try setup.start()
        let names = ["weston-simple-shm", "foot", "weston-terminal", "gtk4-demo"].filter(Program.isInstalled)
        let clients = try names.map { try setup.client($0) }
        try setup.fixture.wait(for: "windows") {
            let tree = try setup.ask("windows")
            return tree.split(separator: "\n").count > names.count
        }
        _ = try setup.ask("plug", "640x480", "name=extra")
        for _ in 0..<3 {
            _ = try setup.ask("settle")
            let (tree, screens) = (try setup.ask("tree"), try setup.ask("screens"))
            try setup.end(server, by: SIGTERM)
            #expect(server.exitStatus == 0)
            server = try setup.start()
            #expect(Set(setup.manager.stored.map(\.name)) == ["screens", "start"])
            #expect(try setup.ask("tree") == tree)
            #expect(try setup.ask("screens") == screens)
            for (name, client) in zip(names, clients) { #expect(client.isRunning, "\(name): \(client.readOutput())") }
        }
        try setup.end(server, by: SIGINT)
        try setup.fixture.wait(for: "the clients to be disconnected") { clients.allSatisfy { !$0.isRunning } }
    }

    @Test("SIGKILL: listening sockets and screens survive, and new clients can connect at once")
    func crash() throws {
        let setup = try Fixture()
        defer { rmdir(setup.manager.folder) }
        let first = try setup.start()
        _ = try setup.ask("plug", "640x480", "name=extra", "scale=2")
        let lost = try setup.client("weston-simple-shm")
        try setup.fixture.wait(for: "a window") { try setup.ask("windows").contains("simple-shm") }
        let screens = try setup.ask("screens")
        #expect(screens.contains("extra"))
        try setup.end(first, by: SIGKILL)
        try setup.fixture.wait(for: "the client to be disconnected") { !lost.isRunning }
        // Its connection waits in the listening socket that the service manager holds.
        let early = try setup.client("weston-simple-shm")
        let second = try setup.start()
        try setup.fixture.wait(for: "a window") { try setup.ask("windows").contains("simple-shm") }
        let again = try setup.ask("screens")
        #expect(again == screens)
        #expect(early.isRunning)
        try setup.end(second, by: SIGINT)
    }

    @Test("an unusable state: clients are disconnected, the log says why, and the server starts")
    func refused() throws {
        let setup = try Fixture()
        defer { rmdir(setup.manager.folder) }
        let first = try setup.start(["--clock", "manual"])
        let client = try setup.client("weston-simple-shm")
        try setup.fixture.wait(for: "a window") { try setup.ask("windows").contains("simple-shm") }
        try setup.end(first, by: SIGTERM)
        #expect(setup.manager.stored.contains { $0.name == "hand-over-state" })
        let second = try setup.start(["--clock", "real"])
        try setup.fixture.wait(for: "the client to be disconnected") { !client.isRunning }
        try setup.fixture.wait(for: "a line of the log") {
            second.readOutput().contains("disconnected: its clock was manual; this server's is real")
        }
        #expect(try setup.ask("windows").contains("simple-shm") == false)
        try setup.end(second, by: SIGINT)
    }

    @Test("a state is removed from the store before it is read, so that one that crashes a server does so only once")
    func usedOnce() throws {
        let setup = try Fixture()
        defer { rmdir(setup.manager.folder) }
        // It takes long to read, and is invalid in the end.
        let payload = [StateTag.record.rawValue, 0, 0, 64, 0] + [UInt8](repeating: 0, count: 1 << 22)
        setup.manager.put(try #require(HandOver(payload: payload, descriptors: []).memoryFile()), as: "hand-over-state")
        let server = try setup.manager.start(
            "\(Self.folder)/mulliond", ["--state", "none"], environment: ["XDG_RUNTIME_DIR": setup.manager.folder])
        var output = ""
        try setup.fixture.wait(for: "the store to be emptied") {
            output = server.readOutput()
            setup.manager.hear()
            return !setup.manager.stored.contains { $0.name == "hand-over-state" }
        }
        #expect(!output.contains("disconnected"))
        try setup.fixture.wait(for: "the server") {
            setup.manager.hear()
            return server.readOutput().contains("disconnected") && setup.manager.notifications.contains("READY=1")
        }
        try setup.end(server, by: SIGINT)
    }

    @Test("SIGTERM at any moment of startup loses no client")
    func endedWhileStarting() throws {
        let setup = try Fixture()
        defer { rmdir(setup.manager.folder) }
        var server = try setup.start()
        let client = try setup.client("weston-simple-shm")
        try setup.fixture.wait(for: "a window") { try setup.ask("windows").contains("simple-shm") }
        try setup.end(server, by: SIGTERM)
        for round in 0..<20 {
            server = try setup.manager.start(
                "\(Self.folder)/mulliond", ["--state", "none"], environment: ["XDG_RUNTIME_DIR": setup.manager.folder])
            // Every other time as soon as it has taken the state over, or is about to.
            let (until, clock) = (ContinuousClock.now + .milliseconds(round * 5), ContinuousClock())
            func hasState() -> Bool { setup.manager.stored.contains { $0.name == "hand-over-state" } }
            while round % 2 == 0 ? hasState() && server.isRunning : clock.now < until { setup.manager.hear() }
            try setup.end(server, by: SIGTERM)
            #expect(client.isRunning, "round \(round): \(server.readOutput())")
            guard client.isRunning else { return }
        }
        server = try setup.start()
        #expect(try setup.ask("windows").contains("simple-shm"))
        try setup.end(server, by: SIGINT)
    }

    @Test("stored descriptors remain when their other end closes, and a client that has exited is removed")
    func hungUp() throws {
        let setup = try Fixture()
        defer { rmdir(setup.manager.folder) }
        let first = try setup.start()
        let (stays, goes) = (try setup.client("weston-simple-shm"), try setup.client("weston-simple-shm"))
        // Each has a line, with the name of its program and its title.
        func windows() throws -> Int {
            try setup.ask("windows").split(separator: "\n").count { $0.contains("simple-shm") }
        }
        try setup.fixture.wait(for: "windows") { try windows() == 2 }
        try setup.end(first, by: SIGTERM)
        let count = setup.manager.stored.count
        goes.kill(SIGKILL)
        try setup.fixture.wait(for: "its end") { !goes.isRunning }
        setup.manager.hear()
        #expect(setup.manager.stored.count == count)
        let second = try setup.start()
        _ = try setup.ask("settle")
        #expect(try windows() == 1)
        #expect(stays.isRunning)
        try setup.end(second, by: SIGINT)
    }
}
