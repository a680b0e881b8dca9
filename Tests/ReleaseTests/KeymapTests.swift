// Only a client with a keymap waits for the compiler of keymaps.

import FoundationEssentials
import Glibc
import MullionWayland
import System
import TestSupport
import Testing

@Suite struct KeymapTests {
    /// A keymap that takes some time to compile.
    private static let keymap: String = {
        let layouts = ["us", "de", "ru", "fr", "jp", "gr", "il", "ara", "cn", "in", "kr", "us(dvorak)"]
        let parts = layouts.enumerated().map { "\($1):\(1 + $0 % 4)" }
        return """
            xkb_keymap {
            xkb_keycodes { include "evdev+aliases(qwerty)" }; xkb_types { include "complete" };
            xkb_compatibility { include "complete" };
            xkb_symbols { include "\((["pc"] + parts).joined(separator: "+"))" };
            };
            """
    }()

    private let server: ServerProcess
    private let neighbour: WireClient

    init() throws {
        server = try ServerProcess(options: ["--screen", "320x200"])
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

    /// The process that compiles a keymap; nil: none does.
    private func compiler() -> pid_t? {
        let tasks = "/proc/\(server.server.pid)/task"
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
        let children = threads.flatMap { thread in
            let text = (try? String(contentsOfFile: "\(tasks)/\(thread)/children", encoding: .utf8)) ?? ""
            return text.split(separator: " ").compactMap { pid_t($0) }
        }
        return children.first { child in
            let words = (try? String(contentsOfFile: "/proc/\(child)/cmdline", encoding: .utf8)) ?? ""
            return words.contains("--compile-keymap")
        }
    }

    /// A client whose keymap is being compiled by a process that is stopped.
    private func stopCompiler() throws -> (typist: WireClient, compiler: pid_t) {
        for _ in 0..<10 {
            let typist = try sendKeymap()
            for _ in 0..<20_000 {
                guard let compiler = compiler() else { continue }
                guard kill(compiler, SIGSTOP) == 0 else { break }
                // It may have been about to end.
                let state = (try? String(contentsOfFile: "/proc/\(compiler)/stat", encoding: .utf8)) ?? ""
                if state.contains(") T ") || state.contains(") R ") || state.contains(") S ") {
                    return (typist, compiler)
                }
                break
            }
        }
        throw FixtureError("no compiler was found while it ran")
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
            let state = (try? String(contentsOfFile: "/proc/\(compiler)/stat", encoding: .utf8)) ?? ""
            return state.isEmpty || state.contains(") Z ")
        }
    }
}
