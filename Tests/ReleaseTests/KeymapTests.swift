// Only a client with a keymap waits for the compiler of keymaps.

import FoundationEssentials
import Glibc
import MullionSystem
import MullionWayland
import TestSupport
import Testing

@Suite struct KeymapTests {
    private static let keymap = """
        xkb_keymap {
        xkb_keycodes { include "evdev" }; xkb_types { include "complete" };
        xkb_compatibility { include "complete" }; xkb_symbols { include "pc+us" };
        };
        """

    private static let standIn =
        "\(#filePath.dropLast("ReleaseTests/KeymapTests.swift".count))Programs/stand_in.sh"

    private let folder: TemporaryFolder
    private let server: ServerProcess
    private let neighbour: WireClient

    /// A server whose compiler, the program "mulliond" beside its own, stops before it begins.
    init() throws {
        folder = try TemporaryFolder()
        let program = folder.path + "/server"
        let copy = try Program("cp", [Programs.server, program])
        try #require(copy.outputAtEnd() == "" && copy.exitStatus == 0)
        let script = "kill -STOP $$; exec '\(Programs.server)' \"$@\"\n"
        try Data(script.utf8).write(to: URL(filePath: folder.path + "/script"))
        try #require(symlink(Self.standIn, folder.path + "/mulliond") == 0)
        server = try ServerProcess(options: ["--screen", "320x200"], program: program)
        neighbour = try WireClient(server)
        neighbour.patience = 10
    }

    /// Sends a keymap on a new connection.
    private func sendKeymap() throws -> WireClient {
        let typist = try WireClient(server)
        let seat = try typist.bind(WlSeat.self, version: 1)
        let manager = try typist.bind(ZwpVirtualKeyboardManagerV1.self)
        let keyboard = Proxy<ZwpVirtualKeyboardV1>(typist.connection, version: 1)
        manager.send(.createVirtualKeyboard(seat: seat.id, id: keyboard.id))
        let file = OwnedDescriptor(mullionMemory())
        let bytes = Array(Self.keymap.utf8)
        guard write(file.rawValue, bytes, bytes.count) == bytes.count else { throw FixtureError("memfd") }
        keyboard.send(.keymap(format: 1, fd: file, size: UInt32(bytes.count)))
        try typist.flush()
        return typist
    }

    /// A line of /proc; empty without the process.
    private func state(of process: pid_t) -> String {
        (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
    }

    /// The processes that the server's threads have started.
    private func children() throws -> [pid_t] {
        let threads = "/proc/\(server.server.pid)/task"
        return try FileManager.default.contentsOfDirectory(atPath: threads).flatMap { thread in
            let text = (try? String(contentsOfFile: "\(threads)/\(thread)/children", encoding: .utf8)) ?? ""
            return text.split(separator: " ").compactMap { pid_t($0) }
        }
    }

    /// A client whose keymap is to be compiled by a process that is stopped.
    private func stopCompiler() throws -> (typist: WireClient, compiler: pid_t) {
        let typist = try sendKeymap()
        var compiler: pid_t?
        try server.fixture.wait(for: "the compiler") {
            compiler = try children().first { state(of: $0).contains(") T ") }
            return compiler != nil
        }
        return (typist, try #require(compiler))
    }

    @Test("a compiler that does not go on keeps only its client waiting; when it goes on, that client is served")
    func stopped() throws {
        let (typist, compiler) = try stopCompiler()
        var isServed = false
        let callback = Proxy<WlCallback>(typist.connection, version: 1)
        callback.onEvent = { _ in isServed = true }
        typist.connection.display.send(.sync(callback: callback.id))
        try typist.flush()
        for _ in 0..<20 { try neighbour.roundTrip() }
        #expect(try server.request("GET", "/v1/status").status == 200)
        try typist.connection.dispatchAvailable()
        #expect(!isServed)
        #expect(kill(compiler, SIGCONT) == 0)
        try typist.wait(for: "its answer") { isServed }
    }

    @Test("a server ends with its compiler, stopped or not")
    func ended() throws {
        let (_, compiler) = try stopCompiler()
        try server.stop()
        try server.fixture.wait(for: "the compiler's end") {
            let state = state(of: compiler)
            return state.isEmpty || state.contains(") Z ")
        }
    }
}
