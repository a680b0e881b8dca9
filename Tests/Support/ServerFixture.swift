// A server in the test's own process and thread, with real sockets to real clients.

import Compositor
import DisplayServer
import Displays
import EventLoop
import Glibc
import MullionGeometry
import MullionSystem
import MullionWayland
import WindowModel

/// Why a test cannot continue.
public struct FixtureError: Error, CustomStringConvertible {
    public let description: String
    public init(_ description: String) { self.description = description }
}

/// Runs the loop only on request, so that everything that one line of a test causes is done before the next.
public final class ServerFixture {
    public let loop: EventLoop
    public internal(set) var server: DisplayServer
    public private(set) var clients: [TestClient] = []
    /// Receives the pointer actions, for a recording.
    var onHand: ((WireSession.Hand) -> Void)?
    /// Called when neither server nor clients have anything left to send.
    public var afterPump: (() throws -> Void)?
    var folder: TemporaryFolder?
    private var hasTimedOut = false

    /// - Parameters:
    ///   - screens: as in `--screen`.
    ///   - clock: as in `--clock`.
    public init(
        screens: [String] = ["800x600"], policy: Policy = Policy(),
        limits: MullionWayland.Limits = MullionWayland.Limits(),
        clock: ClockMode = .real
    ) throws {
        loop = try EventLoop()
        server = DisplayServer(loop: loop, policy: policy, limits: limits, clock: clock)
        // Requests are processed in the order in which the clients sent them, on a busy machine too.
        server.turnTime = 1_000_000
        for screen in screens { try server.plug(ScreenSpecification(parsing: screen)) }
    }

    deinit {
        server.stop()
        // Connections and their proxies retain each other until then.
        for client in clients { client.connection.disconnect() }
    }

    public var model: WindowModel { server.model }
    public var mainScreen: Screen.ID { model.screens[0] }

    // MARK: Clients

    /// A connected pair of sockets; the server has the other end.
    public func connectSocket() throws -> OwnedDescriptor {
        var pair: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC | O_NONBLOCK, 0, &pair) == 0 else {
            throw FixtureError("socketpair: \(errorText())")
        }
        server.attach(OwnedDescriptor(pair[0]))
        return OwnedDescriptor(pair[1])
    }

    /// A client that knows the globals and has completed a round trip.
    public func connect(
        _ name: String = "client", onFlush: (([UInt32], Int) -> Void)? = nil
    ) throws -> TestClient {
        try connect(name, over: connectSocket(), onFlush: onFlush)
    }

    /// A client whose connection was made in another way.
    public func connect(
        _ name: String, over socket: OwnedDescriptor, onFlush: (([UInt32], Int) -> Void)? = nil
    ) throws -> TestClient {
        let client = try TestClient(ClientConnection(socket: socket), name: name, fixture: self)
        client.onFlush = onFlush
        clients.append(client)
        try pump()
        return client
    }

    /// Leaves a client alone from now on: it neither sends nor reads, and its socket stays open.
    public func detach(_ client: TestClient) { clients.removeAll { $0 === client } }

    /// A folder for sockets of this fixture, the XDG_RUNTIME_DIR of programs.
    public func runtimeDirectory() throws -> String {
        if let folder { return folder.path }
        let folder = try TemporaryFolder()
        try server.listen(on: ListeningSocket.unix(path: folder.path + "/wayland-test", mode: 0o700))
        self.folder = folder
        return folder.path
    }

    /// Starts a program that connects to this server by itself, with the test profile of `mullionctl run`.
    /// - Parameters:
    ///   - environment: is added to the profile, or replaces its variables.
    ///   - descriptors: its descriptors from 3 on.
    public func spawn(
        _ program: String, _ arguments: [String] = [], environment: [String: String] = [:], descriptors: [Int32] = []
    ) throws -> Program {
        // mullionctl gives it to programs itself.
        let profile = program.hasSuffix("/mullionctl") ? [:] : try TestProfile.variables.get()
        var variables = profile.merging(environment) { $1 }
        variables["XDG_RUNTIME_DIR"] = try runtimeDirectory()
        variables["WAYLAND_DISPLAY"] = environment["WAYLAND_DISPLAY"] ?? "wayland-test"
        return try Program(program, arguments, environment: variables, descriptors: descriptors)
    }

    // MARK: Time

    /// Runs server and clients until neither has anything left to send. Does not wait for timers.
    public func pump() throws {
        var quiet = 0
        // More than once: a signal to another test of the process can end a wait early.
        while quiet < 3 {
            var busy = false
            for client in clients where client.isOpen {
                try client.flush()
            }
            while try loop.runOnce(nonblocking: true) { busy = true }
            server.deliverAndFlush()
            for client in clients where client.isOpen {
                if client.dispatch() { busy = true }
            }
            quiet = busy ? 0 : quiet + 1
        }
        if let body = afterPump {
            // What it does may need to pump.
            afterPump = nil
            defer { afterPump = body }
            try body()
        }
    }

    /// Runs until the condition holds; throws if it does not within `seconds`, which bounds a hang: a busy machine can
    /// take long for anything. After a long wait has failed, the test has failed: its further waits, while it cleans up,
    /// end after a second.
    public func wait(for what: String, seconds: Double = 60, until condition: () throws -> Bool) throws {
        let seconds = hasTimedOut ? min(seconds, 1) : seconds
        let deadline = loop.now + UInt64(seconds * 1e6)
        try pump()
        // The timer bounds each wait, so that conditions outside the loop (a program's output) are seen too.
        let tick = Timer(loop) { _, _ in }
        while try !condition() {
            guard loop.now < deadline else {
                if seconds >= 60 { hasTimedOut = true }
                throw FixtureError("timed out after \(seconds) s waiting for \(what)")
            }
            tick.arm(at: loop.now + 5000)
            try loop.runOnce()
            try pump()
        }
    }

    /// Waits until clients' keymaps are compiled, which happens in other processes.
    public func compileKeymaps() throws {
        try wait(for: "keymaps to be compiled") { !server.keymapCompiler.isBusy }
    }

    /// What a screen shows now.
    public func screenshot(_ screen: Screen.ID? = nil) throws -> Bitmap {
        try pump()
        var result: Bitmap?
        server.capture([screen ?? mainScreen]) { pictures in result = pictures.first?.1 ?? Bitmap(width: 0, height: 0) }
        try wait(for: "a screenshot") { result != nil }
        return result ?? Bitmap(width: 0, height: 0)
    }

    /// The colour at a point of a screenshot, as 0xRRGGBB.
    public func color(x: Int, y: Int, on screen: Screen.ID? = nil) throws -> UInt32 {
        (try screenshot(screen)[x, y] ?? 0) & 0xffffff
    }

    // MARK: Input

    /// Begins and ends a touch; returns the routing of its beginning.
    @discardableResult
    public func tap(x: Double, y: Double, on screen: Screen.ID? = nil) throws -> Routing {
        let point = Point(x: x, y: y)
        let screen = screen ?? mainScreen
        let now = server.clock.now
        let routing = try model.touch(id: 99, phase: .began, at: point, on: screen, time: now, explain: true)
        _ = try model.touch(id: 99, phase: .ended, at: point, on: screen, time: now)
        try pump()
        return routing
    }

    /// Presses and releases a key.
    @discardableResult
    public func press(_ key: UInt32) throws -> Routing {
        let routing = try model.press(key: key, pressed: true, time: server.clock.now)
        _ = try model.press(key: key, pressed: false, time: server.clock.now)
        try pump()
        return routing
    }
}
