// What the policy allows clients, over sockets: who may connect, limits of users, sandboxes.

import DisplayServer
import Glibc
import MullionGeometry
import MullionSystem
import MullionWayland
import TestSupport
import Testing
import WindowModel

@Suite struct ConnectionPolicyTests {
    private let fixture: ServerFixture
    private let log = Log()

    private final class Log {
        var lines: [String] = []
        func take() -> [String] {
            defer { lines = [] }
            return lines
        }
    }

    init() throws {
        fixture = try ServerFixture(screens: ["800x600,name=A", "640x480,name=B", "640x480,name=C"])
        fixture.server.onLog = { [log] level, line in if level != .debug { log.lines.append("\(level): \(line)") } }
    }

    private func allow(_ change: (inout PeerRule) -> Void) {
        var rule = PeerRule()
        change(&rule)
        fixture.server.peerPolicy.rules.insert(rule, at: 0)
    }

    /// The error that a connection receives without having sent anything.
    private func refusal(on socket: OwnedDescriptor? = nil) throws -> ClientError? {
        let connection = ClientConnection(socket: try socket ?? fixture.connectSocket())
        defer { connection.disconnect() }
        try fixture.pump()
        do {
            while try connection.dispatchAvailable() {}
            return nil
        } catch {
            return error
        }
    }

    @Test("a refused client reads the reason before any of its bytes are parsed, and the log has one line")
    func connect() throws {
        let witness = try fixture.connect()
        allow { $0.mayConnect = false }
        guard case .protocolError(let object, let code, let message)? = try refusal() else {
            Issue.record("no error was sent")
            return
        }
        #expect(object == .display && code == WlDisplay.Error.noMemory.rawValue)
        #expect(message == "policy: user \(getuid()) may not connect")
        #expect(log.take() == ["warning: refused: user \(getuid()) (pid \(getpid())): \(message)"])
        #expect(fixture.server.refusals == 1 && fixture.server.clientCount == 1 && witness.isOpen)
        // A real program reports the reason too.
        let program = try fixture.spawn("weston-simple-shm")
        try fixture.wait(for: "the program's end") { program.exitStatus != nil }
        #expect(program.exitStatus != 0)
    }

    @Test("the policy limits the connections of a user, and one that ends makes room")
    func connections() throws {
        allow { $0.connections = 2 }
        let clients = try [fixture.connect(), fixture.connect()]
        let message = "policy: user \(getuid()) has the 2 connections that it may have"
        guard case .protocolError(_, _, message)? = try refusal() else {
            Issue.record("no error was sent")
            return
        }
        try clients[0].kill()
        #expect(try refusal() == nil)
    }

    @Test("the windows of a user are counted across its connections, hidden and plain ones too")
    func windows() throws {
        allow { $0.windows = 2 }
        let (first, second) = try (fixture.connect(), fixture.connect())
        _ = first.window("hidden")
        let plain = second.toplevel("plain")
        try fixture.pump()
        _ = first.window("one more")
        try fixture.pump()
        #expect(first.protocolError?.message == "policy: user \(getuid()) has the 2 windows that it may have")
        #expect(second.isOpen)
        _ = (second.window("instead of the first's"), plain)
        try fixture.pump()
        #expect(second.isOpen && fixture.model.windows.count == 2)
    }

    @Test("W2: a level above the highest allowed is refused, nothing changes, and the client stays connected")
    func level() throws {
        allow { $0.highestLevel = 1000 }
        let client = try fixture.connect()
        let window = client.window("w").level(1000)
        window.show()
        try fixture.pump()
        window.level(1000.5).frame(1, 2, 3, 4).commit()
        try fixture.pump()
        #expect(
            client.events.filter { $0.hasPrefix("w.refused") || $0.hasPrefix("w.level") } == [
                "w.refused: W2 (levels): policy: the highest level of user \(getuid()) is 1000.0, not 1000.5",
                "w.level 1000.0",
            ])
        let id = try #require(fixture.model.windows.first)
        #expect(fixture.model.window(id)?.level == 1000)
        #expect(fixture.model.frame(of: id) == Rect(x: 1, y: 2, width: 3, height: 4))
        #expect(log.take().filter { $0.contains("refused") }.count == 1)
    }

    @Test("the policy limits the screens that a user's windows are on at once")
    func screens() throws {
        allow { $0.screens = 2 }
        let client = try fixture.connect()
        try fixture.pump()
        let windows = (0..<3).map { client.window("w\($0)", on: client.screens[min($0, 1)]) }
        for window in windows { window.color(0xff00_0000).show() }
        try fixture.pump()
        windows[0].window.send(.setScreen(screen: client.screens[2].proxy.id))
        windows[0].commit()
        try fixture.pump()
        #expect(
            client.events.suffix(2) == [
                "w0.refused: S1 (screen properties): policy: the windows of user \(getuid()) may be on 2 screens at once",
                "w0.screenDidChange(\(client.screens[0].name))",
            ])
        #expect(fixture.model.windows(on: fixture.model.screens[2]).isEmpty)
        windows[0].window.send(.setScreen(screen: client.screens[1].proxy.id))
        windows[0].commit()
        try fixture.pump()
        #expect(fixture.model.windows(on: fixture.model.screens[1]).count == 3)
        // A window that would be created on a third screen is refused.
        windows[0].window.send(.setScreen(screen: client.screens[0].proxy.id))
        windows[0].commit()
        _ = client.window("fourth", on: client.screens[2])
        try fixture.pump()
        #expect(client.protocolError?.message.contains("may be on 2 screens at once") == true)
    }

    @Test("pixels in buffers are counted per user, and are returned with the buffers")
    func pixels() throws {
        allow { $0.pixels = 200 }
        let (client, other) = try (fixture.connect(), fixture.connect())
        let buffer = try client.buffer(0xff00_ff00, width: 10, height: 10)
        _ = try other.buffer(0xff00_ff00, width: 10, height: 10)
        try fixture.pump()
        buffer.send(.destroy)
        try fixture.pump()
        _ = try client.buffer(0xff00_ff00, width: 10, height: 10)
        try fixture.pump()
        #expect(client.isOpen)
        _ = try client.buffer(0xff00_ff00, width: 1, height: 1)
        try fixture.pump()
        #expect(
            client.protocolError?.message
                == "policy: user \(getuid()) may have 200 pixels in buffers; it has 200, and 1 more were requested")
        try client.kill()
        _ = try other.buffer(0xff00_ff00, width: 10, height: 10)
        try fixture.pump()
        #expect(other.isOpen)
    }

    @Test("a buffer that cannot be made gives no pixels back")
    func failedBuffer() throws {
        allow { $0.pixels = 200 }
        let (client, other) = try (fixture.connect(), fixture.connect())
        let buffer = try other.buffer(0xff00_ff00, width: 10, height: 10)
        let pool = Proxy<WlShmPool>(other.connection, version: 1)
        other.shm.send(.createPool(id: pool.id, fd: try memoryFile(bytes: 400), size: 400))
        // The id is taken.
        pool.send(.createBuffer(id: buffer.id, offset: 0, width: 10, height: 10, stride: 40, format: .xrgb8888))
        try fixture.pump()
        #expect(!other.isOpen)
        _ = try client.buffer(0xff00_ff00, width: 10, height: 20)
        try fixture.pump()
        #expect(client.isOpen)
        _ = try client.buffer(0xff00_ff00, width: 1, height: 1)
        try fixture.pump()
        #expect(client.protocolError?.message.contains("it has 200, and 1 more were requested") == true)
    }

    @Test("W4: the policy decides which clients are system applications")
    func system() throws {
        allow { $0.isSystemApplication = true }
        _ = try fixture.connect()
        let id = try #require(fixture.model.applications.last)
        #expect(fixture.model.application(id)?.isSystem == true)
    }

    @Test("the policy restricts plain programs: no key, no full screen, no grabs, no windows at all")
    func xdg() throws {
        allow { $0.xdg = .windows }
        let client = try fixture.connect()
        let toplevel = client.toplevel("plain")
        toplevel.toplevel.send(.setMaximized)
        toplevel.toplevel.send(.setFullscreen(output: nil))
        toplevel.surface.send(.commit)
        try fixture.pump()
        try client.attach(0xff00_ff00, width: 10, height: 10, to: toplevel.surface)
        toplevel.surface.send(.commit)
        try fixture.pump()
        let id = try #require(fixture.model.windows.first)
        #expect(fixture.model.isVisible(id) && fixture.model.keyWindow == nil)
        #expect(fixture.model.window(id)?.canBecomeKey == false)
        #expect(toplevel.configures > 0 && toplevel.states.isEmpty)
        allow { $0.xdg = [] }
        let socket = ClientConnection(socket: try fixture.connectSocket())
        defer { socket.disconnect() }
        let registry = Proxy<WlRegistry>(socket, version: 1)
        var interfaces: [String] = []
        registry.onEvent = { if case .global(_, let interface, _) = $0 { interfaces.append(interface) } }
        socket.display.send(.getRegistry(registry: registry.id))
        try socket.flush()
        try fixture.pump()
        try socket.dispatchAvailable()
        #expect(interfaces.contains("wl_compositor"))
        #expect(!interfaces.contains("xdg_wm_base") && !interfaces.contains("zwlr_layer_shell_v1"))
    }

    // MARK: Limits

    @Test("a client that exceeds the requests per second is disconnected, and no other")
    func rate() throws {
        var limits = Limits()
        limits.messagesPerSecond = 1000
        let fixture = try ServerFixture(limits: limits)
        let (client, witness) = try (fixture.connect(), fixture.connect())
        for _ in 0..<2000 {
            let region = Proxy<WlRegion>(client.connection, version: 1)
            client.compositor.send(.createRegion(id: region.id))
            region.send(.destroy)
        }
        try fixture.pump()
        #expect(client.protocolError?.message == "limit reached: 1000 requests a second")
        #expect(witness.isOpen)
    }

    @Test("regions and frame callbacks have limits of their own")
    func counts() throws {
        var limits = Limits()
        limits.regions = 8
        limits.frameCallbacks = 8
        let fixture = try ServerFixture(limits: limits)
        let client = try fixture.connect()
        let regions = (0..<8).map { _ in Proxy<WlRegion>(client.connection, version: 1) }
        for region in regions { client.compositor.send(.createRegion(id: region.id)) }
        regions[0].send(.destroy)
        client.compositor.send(.createRegion(id: Proxy<WlRegion>(client.connection, version: 1).id))
        try fixture.pump()
        #expect(client.isOpen)
        client.compositor.send(.createRegion(id: Proxy<WlRegion>(client.connection, version: 1).id))
        try fixture.pump()
        #expect(client.protocolError?.message == "limit reached: 8 regions")
        let other = try fixture.connect()
        let surface = other.surface()
        for number in 0..<9 {
            surface.send(.frame(callback: Proxy<WlCallback>(other.connection, version: 1).id))
            // Callbacks that wait for a tick count like those that wait for a commit.
            if number == 4 { surface.send(.commit) }
        }
        try fixture.pump()
        #expect(other.protocolError?.message == "limit reached: 8 frame callbacks of a surface")
    }
}
