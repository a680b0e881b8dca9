// wp_security_context_v1: clients that connect through a sandbox's socket are known to be in that sandbox.

import DisplayServer
import EventLoop
import Glibc
import MullionSystem
import MullionWayland
import TestSupport
import Testing

@Suite struct SandboxTests {
    private let fixture: ServerFixture
    private let engine: TestClient
    private let manager: Proxy<WpSecurityContextManagerV1>
    private let path: String
    private let socket: ListeningSocket

    init() throws {
        fixture = try ServerFixture()
        engine = try fixture.connect("engine")
        manager = try engine.bind(WpSecurityContextManagerV1.self)
        path = try fixture.runtimeDirectory() + "/sandbox"
        socket = try ListeningSocket.unix(path: path, mode: 0o700)
    }

    /// A context for the socket, and the other end of its close descriptor.
    private func context() throws -> (Proxy<WpSecurityContextV1>, OwnedDescriptor) {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let context = Proxy<WpSecurityContextV1>(engine.connection, version: 1)
        let listening = OwnedDescriptor(fcntl(socket.descriptor, F_DUPFD_CLOEXEC, 0))
        manager.send(.createListener(id: context.id, listenFd: listening, closeFd: OwnedDescriptor(ends[0])))
        return (context, OwnedDescriptor(ends[1]))
    }

    /// Waits until the server has closed the sandbox's socket, which refuses connections when nobody has it any more.
    private func waitForEnd() throws {
        let null = open("/dev/null", O_RDONLY | O_CLOEXEC)
        try #require(null >= 0 && dup2(null, socket.descriptor) >= 0)
        close(null)
        try fixture.wait(for: "the end of the socket") { (try? ClientConnection(connectingTo: path)) == nil }
    }

    /// Connects through the sandbox's socket; returns the globals that it sees, or nil if the connection is refused or
    /// closed, or not served within `seconds`.
    private func globals(within seconds: Double = 60) throws -> [String]? {
        guard let connection = try? ClientConnection(connectingTo: path) else { return nil }
        defer { connection.disconnect() }
        let registry = Proxy<WlRegistry>(connection, version: 1)
        var interfaces: [String] = []
        registry.onEvent = { if case .global(_, let interface, _) = $0 { interfaces.append(interface) } }
        connection.display.send(.getRegistry(registry: registry.id))
        var isComplete = false
        let callback = Proxy<WlCallback>(connection, version: 1)
        callback.onEvent = { _ in isComplete = true }
        connection.display.send(.sync(callback: callback.id))
        try connection.flush()
        try? fixture.wait(for: "the globals", seconds: seconds) {
            try connection.dispatchAvailable()
            return isComplete
        }
        return isComplete ? interfaces : nil
    }

    @Test("a sandboxed program can open windows, has none of its user's rights, and cannot create sandboxes")
    func sandboxed() throws {
        let (context, end) = try context()
        context.send(.setSandboxEngine(name: "org.example"))
        context.send(.setAppId(appId: "app"))
        context.send(.commit)
        context.send(.destroy)
        manager.send(.destroy)
        try fixture.pump()
        let own = Set(engine.globals.map(\.interface))
        let inside = Set(try #require(try globals()))
        #expect(inside.isSuperset(of: ["wl_compositor", "xdg_wm_base", "wl_seat", "mullion_application_v1"]))
        #expect(
            own.subtracting(inside).isSuperset(of: [
                "wp_security_context_manager_v1", "zwlr_output_manager_v1", "zwp_virtual_keyboard_manager_v1",
                "zwp_input_method_manager_v2", "zwlr_virtual_pointer_manager_v1",
            ]))
        // It continues without the client that created it …
        try engine.kill()
        #expect(try globals() != nil)
        // … and ends when the engine hangs up.
        _ = consume end
        try waitForEnd()
    }

    @Test("the display of a sandboxed program is offered to nobody, although its user's are")
    func x11Display() throws {
        let (context, end) = try context()
        context.send(.setSandboxEngine(name: "org.example"))
        context.send(.commit)
        try fixture.pump()
        try engine.bind(MullionX11ManagerV1.self).send(.setDisplay(name: ":99"))
        let inside = try ClientConnection(connectingTo: path)
        defer { inside.disconnect() }
        let registry = Proxy<WlRegistry>(inside, version: 1)
        let manager = Proxy<MullionX11ManagerV1>(inside, version: 1)
        var isNamed = false
        registry.onEvent = { [unowned registry] event in
            guard case .global(let name, let interface, _) = event, interface == MullionX11ManagerV1.name else {
                return
            }
            registry.send(.bind(name: name, id: AnyNewID(interface: interface, version: 1, id: manager.id)))
            manager.send(.setDisplay(name: ":98"))
            let callback = Proxy<WlCallback>(inside, version: 1)
            callback.onEvent = { _ in isNamed = true }
            inside.display.send(.sync(callback: callback.id))
        }
        inside.display.send(.getRegistry(registry: registry.id))
        try fixture.wait(for: "a display's name") {
            try inside.flush()
            try inside.dispatchAvailable()
            return isNamed
        }
        #expect(fixture.server.x11Displays(for: geteuid()).map(\.display) == [":99"])
        #expect(fixture.server.x11Displays(for: nil).map(\.display) == [":99"])
        _ = end
    }

    @Test("a sandbox's socket is taken over by the next server, and closes when the engine hangs up")
    func handedOver() throws {
        let (context, end) = try context()
        context.send(.setSandboxEngine(name: "org.example"))
        context.send(.commit)
        try fixture.pump()
        let inside = try #require(try globals())
        try fixture.handOver()
        #expect(try globals() == inside)
        try engine.kill()
        try fixture.handOver()
        #expect(try globals() == inside)
        _ = consume end
        try waitForEnd()
    }

    @Test("no client is accepted before the commit")
    func uncommitted() throws {
        let (context, end) = try context()
        context.send(.setSandboxEngine(name: "org.example"))
        try fixture.pump()
        #expect(try globals(within: 0.3) == nil)
        context.send(.commit)
        try fixture.pump()
        #expect(try globals() != nil)
        _ = end
    }

    @Test(
        "mistakes cause the protocol's errors, with the reason",
        arguments: [
            ("engine twice", WpSecurityContextV1.Error.alreadySet.rawValue, "the sandbox engine was named before"),
            ("no engine", WpSecurityContextV1.Error.invalidMetadata.rawValue, "a context names its sandbox engine"),
            ("empty", WpSecurityContextV1.Error.invalidMetadata.rawValue, "has 1 to 256 bytes, not 0"),
            ("commit twice", WpSecurityContextV1.Error.alreadyUsed.rawValue, "the context was committed"),
        ])
    func mistakes(what: String, code: UInt32, message: String) throws {
        let (context, end) = try context()
        switch what {
        case "engine twice": for _ in 0..<2 { context.send(.setSandboxEngine(name: "org.example")) }
        case "no engine": context.send(.commit)
        case "empty": context.send(.setAppId(appId: ""))
        default:
            context.send(.setSandboxEngine(name: "org.example"))
            for _ in 0..<2 { context.send(.commit) }
        }
        try fixture.pump()
        #expect(engine.protocolError?.code == code)
        #expect(engine.protocolError?.message.contains(message) == true, "\(engine.protocolError?.message ?? "")")
        _ = end
    }

    @Test("a socket that does not listen is refused")
    func noSocket() throws {
        let context = Proxy<WpSecurityContextV1>(engine.connection, version: 1)
        let files = (0..<2).map { _ in OwnedDescriptor(open("/dev/null", O_RDONLY | O_CLOEXEC)) }
        manager.send(.createListener(id: context.id, listenFd: files[0], closeFd: files[1]))
        try fixture.pump()
        #expect(engine.protocolError?.code == WpSecurityContextManagerV1.Error.invalidListenFd.rawValue)
    }
}
