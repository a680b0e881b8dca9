// K2: which connections are of the same program.

import MullionSystem
import MullionWayland
import TestSupport
import Testing
import WindowModel

@Suite struct SameProgramTests {
    /// A client that has connected to a listening socket, as programs do; all of them are this process.
    private func connect(_ fixture: ServerFixture, _ name: String) throws -> TestClient {
        let path = try fixture.runtimeDirectory() + "/wayland-test"
        let socket = try UnixSocket.connect(to: path)
        socket.makeNonBlocking()
        return try fixture.connect(name, over: socket)
    }

    private func key(_ fixture: ServerFixture) -> String? {
        fixture.model.keyWindow.flatMap { fixture.model.window($0)?.title }
    }

    @Test("K2: a window of a second connection of the process that has key takes it, another program's does not")
    func secondConnection() throws {
        let fixture = try ServerFixture.handingOver()
        let main = try TestToplevel.map(connect(fixture, "main"), fixture, "main")
        let chooser = try TestToplevel.map(connect(fixture, "chooser"), fixture, "chooser")
        #expect(key(fixture) == "chooser")
        // Its process is not known: the sockets are a pair.
        let other = try TestToplevel.map(fixture.connect("other"), fixture, "other")
        #expect(key(fixture) == "chooser")
        try fixture.handOver()
        let late = try TestToplevel.map(connect(fixture, "late"), fixture, "late")
        #expect(key(fixture) == "late")
        _ = (main, chooser, other, late)
    }

    @Test("K2: a process that starts has another identity than one that had its number before")
    func starts() throws {
        let fixture = try ServerFixture()
        let first = try fixture.spawn("sleep", ["1000"])
        let second = try fixture.spawn("sleep", ["1000"])
        let early = try #require(ProcessStart.time(of: first.pid))
        let late = try #require(ProcessStart.time(of: second.pid))
        #expect(early > 0 && early <= late)
        #expect(ProcessStart.time(of: first.pid) == early)
        #expect(ProcessStart.time(of: 0) == nil && ProcessStart.time(of: -1) == nil)
        for program in [first, second] { program.kill(9) }
        try fixture.wait(for: "their ends") { !first.isRunning && !second.isRunning }
        #expect(ProcessStart.time(of: first.pid) == nil)
    }
}
