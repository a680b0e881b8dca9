// The loop does not wait while clients' keymaps are compiled.

import EventLoop
import FoundationEssentials
import Glibc
import MullionSystem
import MullionWayland
import TestSupport
import Testing

@testable import DisplayServer
@testable import MullionKeymaps

@Suite struct KeymapCompilerTests {
    /// A keymap of one key, 2.
    private static let keymap = """
        xkb_keymap {
        xkb_keycodes "x" { minimum = 8; maximum = 255; <K> = 10; };
        xkb_types "x" { include "complete" };
        xkb_compatibility "x" { include "complete" };
        xkb_symbols "x" { key <K> { [ U6F22 ] }; };
        };
        """

    private let folder: TemporaryFolder
    private let fixture: ServerFixture
    private let reader: KeyboardReader
    private let typist: TestClient
    private let keyboard: Proxy<ZwpVirtualKeyboardV1>

    init() throws {
        folder = try TemporaryFolder()
        fixture = try ServerFixture.handingOver()
        let client = try fixture.connect()
        reader = try KeyboardReader(client)
        client.window("w").color(0xffff0000).makeKeyAndVisible()
        typist = try fixture.connect("typist")
        keyboard = try Self.keyboard(typist)
        try fixture.pump()
        _ = reader.takeEvents()
    }

    private static func keyboard(_ client: TestClient) throws -> Proxy<ZwpVirtualKeyboardV1> {
        let manager = try client.bind(ZwpVirtualKeyboardManagerV1.self)
        let seat = try client.bind(WlSeat.self)
        let keyboard = Proxy<ZwpVirtualKeyboardV1>(client.connection, version: 1)
        manager.send(.createVirtualKeyboard(seat: seat.id, id: keyboard.id))
        return keyboard
    }

    private static let standIn =
        "\(#filePath.dropLast("KeyboardTests/KeymapCompilerTests.swift".count))Programs/stand_in.sh"

    /// A program in the place of the compiler: a shell's script, which may become the compiler. The file that is executed
    /// is not written here: while it is open for writing in a child of another test, it cannot be executed.
    private func compiler(_ script: String) throws -> String {
        let path = "\(folder.path)/compiler"
        try Data("\(script)\n".utf8).write(to: URL(fileURLWithPath: "\(folder.path)/script"))
        guard symlink(Self.standIn, path) == 0 || errno == EEXIST else { throw FixtureError("symlink: \(errno)") }
        return path
    }

    private func send(_ keyboard: Proxy<ZwpVirtualKeyboardV1>) throws {
        let file = OwnedDescriptor(mullionMemory())
        let bytes = Array(Self.keymap.utf8)
        #expect(write(file.rawValue, bytes, bytes.count) == bytes.count)
        keyboard.send(.keymap(format: 1, fd: file, size: UInt32(bytes.count)))
    }

    /// Whether a client's requests so far are answered within a few turns.
    private func isServed(_ client: TestClient) throws -> Bool {
        var isDone = false
        let callback = Proxy<WlCallback>(client.connection, version: 1)
        callback.onEvent = { _ in isDone = true }
        client.connection.display.send(.sync(callback: callback.id))
        try fixture.pump()
        return isDone
    }

    /// Sends a keymap, and a key press and release after it, to a compiler that has not answered yet.
    private func sendToSlowCompiler() throws {
        try send(keyboard)
        keyboard.send(.key(time: 0, key: 2, state: 1))
        keyboard.send(.key(time: 0, key: 2, state: 0))
        try fixture.pump()
        #expect(fixture.server.keymapCompiler.isBusy)
    }

    @Test("a client's requests after a keymap wait for the compiler, in their order; nobody else's do")
    func order() throws {
        let gate = "\(folder.path)/gate"
        try #require(mkfifo(gate, 0o600) == 0)
        fixture.server.keymapCompiler.program = try compiler(
            #"read -r line < \#(gate); exec \#(Programs.built)/mulliond "$@""#)
        try sendToSlowCompiler()
        let bystander = try fixture.connect("bystander")
        let isServed = try isServed(bystander)
        #expect(isServed)
        _ = try fixture.server.injector.inject([.key("a", .tap)])
        try fixture.pump()
        #expect(reader.takeEvents() == ["key 30 1", "key 30 0"])
        let isTypistServed = try self.isServed(typist)
        #expect(!isTypistServed && typist.isOpen)
        // The loop sleeps meanwhile, although the client has sent more.
        #expect(try fixture.settle(seconds: 0.05).contains("a program's keymap is being compiled"))
        let turns = fixture.loop.turns.turn
        var isOver = false
        let timer = Timer(fixture.loop) { _, _ in isOver = true }
        timer.arm(at: fixture.loop.now + 50_000)
        while !isOver { try fixture.loop.runOnce() }
        #expect(fixture.loop.turns.turn - turns < 40)
        let writer = OwnedDescriptor(open(gate, O_WRONLY | O_CLOEXEC))
        #expect(write(writer.rawValue, "\n", 1) == 1)
        try fixture.compileKeymaps()
        try fixture.pump()
        #expect(reader.takeEvents() == ["keymap", "modifiers 0 0 0 0", "key 2 1", "key 2 0"])
        #expect(reader.takeText().hasSuffix("漢"))
        #expect(try fixture.settle() == [])
    }

    @Test("a keymap that the seat has is used at once, without being compiled")
    func own() throws {
        fixture.server.keymapCompiler.program = try compiler("exec sleep 1000")
        let text = try #require(fixture.server.seat.keyboard.state?.keymap.text)
        keyboard.send(.keymap(format: 1, fd: OwnedDescriptor(dup(text.descriptor.rawValue)), size: text.size))
        for state: UInt32 in [1, 0] { keyboard.send(.key(time: 0, key: 30, state: state)) }
        try fixture.pump()
        #expect(reader.takeText() == "a" && !reader.takeEvents().contains("keymap"))
    }

    @Test("a client that is disconnected, or hangs up, while its keymap is compiled ends; its process too")
    func disconnected() throws {
        fixture.server.keymapCompiler.program = try compiler("exec sleep 1000")
        try sendToSlowCompiler()
        try #require(fixture.server.clientsInOrder.last).close(because: nil)
        try fixture.compileKeymaps()
        #expect(fixture.server.clientCount == 1 && reader.takeEvents() == [])
        // The next one of that user.
        fixture.server.keymapCompiler.program = KeymapCompiler(fixture.loop).program
        let next = try fixture.connect("next")
        let other = try Self.keyboard(next)
        try send(other)
        other.send(.key(time: 0, key: 2, state: 1))
        try next.flush()
        shutdown(next.connection.descriptor, Int32(SHUT_WR))
        try fixture.compileKeymaps()
        try fixture.wait(for: "its end") { fixture.server.clientCount == 1 }
        #expect(reader.takeText() == "漢")
    }

    @Test("a keymap that is being compiled is compiled by the server that takes over, before the next requests")
    func handedOver() throws {
        fixture.server.keymapCompiler.program = try compiler("exec sleep 1000")
        try sendToSlowCompiler()
        try fixture.handOver()
        try fixture.compileKeymaps()
        try fixture.pump()
        #expect(typist.isOpen, "\(typist.protocolError?.message ?? "")")
        #expect(reader.takeText() == "漢")
        #expect(Array(reader.takeEvents().suffix(2)) == ["key 2 1", "key 2 0"])
    }

    @Test("layouts are compiled once: those in use are not compiled again, even where all seats have their own")
    func layouts() throws {
        var configuration = KeyboardConfiguration()
        configuration.layout.layout = "de"
        configuration.applications["x", default: KeyboardLayout()].layout = "fr"
        func compile() throws -> CompiledLayouts {
            var compiled: CompiledLayouts?
            fixture.server.compileLayouts(of: [configuration]) { compiled = $0 }
            try fixture.wait(for: "the layouts") { compiled != nil }
            return try #require(compiled)
        }
        let first = try compile()
        try fixture.server.setKeyboard(configuration, first)
        let again = try compile()
        try fixture.server.setKeyboard(configuration, of: .first, again)
        let own = try compile()
        for layout in configuration.layouts {
            let keymap = try first.keymap(of: layout)
            for compiled in [again, own] { #expect(try compiled.keymap(of: layout) === keymap) }
            #expect(fixture.server.seat.keyboard.states[layout]?.keymap === keymap)
        }
    }

    @Test("of two names of which the kernel keeps the same part, a program that it knows only so has the first")
    func ambiguousNames() {
        var configuration = KeyboardConfiguration()
        for name in ["gnome-calculatrix", "gnome-calculator", "gnome-calculators", "gnome-calc"] {
            configuration.applications[name, default: KeyboardLayout()].layout = name
        }
        #expect(configuration.layout(of: "gnome-calculato")?.layout == "gnome-calculator")
        #expect(configuration.layout(of: "gnome-calculators")?.layout == "gnome-calculators")
        #expect(configuration.layout(of: "gnome-calculat") == nil)
    }

    @Test("a compiler that crashes, cannot start or writes nonsense refuses the keymap")
    func failures() throws {
        let cases = [
            ("kill -SEGV $$", "it crashed"), ("exit 0", "it crashed"), ("exit 3", "it crashed"),
            ("echo nonsense; exit 0", "it crashed"), ("head -c 3000000 /dev/zero", "to at most 1048576 bytes"),
            ("echo no >&2; exit 1", "compile the keymap: no"),
        ]
        for (script, reason) in cases {
            let client = try fixture.connect("other")
            fixture.server.keymapCompiler.program = try compiler(script)
            try send(try Self.keyboard(client))
            try fixture.compileKeymaps()
            let message = client.protocolError?.message ?? ""
            #expect(message.contains(reason), "\(script): \(message)")
        }
        let client = try fixture.connect("other")
        fixture.server.keymapCompiler.program = "\(folder.path)/nothing"
        try send(try Self.keyboard(client))
        try fixture.compileKeymaps()
        #expect(client.protocolError?.message.contains("no process to compile the keymap") == true)
    }

    @Test("users do not wait for each other's keymaps, trusted clients never; only some are compiled at once")
    func users() throws {
        let compiler = KeymapCompiler(fixture.loop)
        let real = compiler.program
        compiler.program = try self.compiler("exec sleep 1000")
        var done: [String] = []
        func compile(_ user: UInt32, _ name: String, isTrusted: Bool = false) -> KeymapCompiler.Job {
            compiler.compile(Self.keymap, of: user, isTrusted: isTrusted) { _ in done.append(name) }
        }
        let users = (1...UInt32(KeymapCompiler.maximum)).map { 50_000 + $0 }
        let hanging = users.map { compile($0, "hanging") }
        compiler.program = real
        let second = compile(users[0], "second")
        let late = compile(60_000, "late")
        // A sandboxed program of the owner, for example.
        let untrusted = compile(0, "untrusted")
        // The user's sandboxed programs have one that hangs, or one that waits.
        _ = compile(users[1], "trusted", isTrusted: true)
        _ = compile(0, "own", isTrusted: true)
        try fixture.wait(for: "the trusted clients'") { done.count == 2 }
        #expect(Set(done) == ["trusted", "own"])
        // The place of one that is cancelled goes to the next of its user, or to another user.
        compiler.cancel(hanging[0])
        try fixture.wait(for: "those that waited") { done.count == 5 }
        #expect(Set(done.suffix(3)) == ["second", "late", "untrusted"])
        for job in hanging + [second, late, untrusted] { compiler.cancel(job) }
        try fixture.wait(for: "the end") { !compiler.isBusy }
        #expect(!done.contains("hanging"))
    }
}
