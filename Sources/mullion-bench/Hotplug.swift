// Measures plugging in screens: CPU time, latency of the announcement, and the memory left behind.

import Glibc
import MullionWayland

enum Hotplug {
    private static let rounds = 50
    private static let clients = 100
    private static let screens = 64
    private static let storm = 2000

    static func measure() throws -> [Row] { [try cost()] + [try announcement()] + [try remains()] }

    private static func plug(_ name: String) -> (String, String, String) {
        ("POST", "/v1/screens", "{\"model\":\"1920x1080@60\",\"name\":\"\(name)\",\"kind\":\"external\"}")
    }

    /// CPU time of the server for plugging in the last possible screen, compared with the second one.
    private static func cost() throws -> Row {
        let parties = try [screens - 1, 1].map { count in
            let server = try PrivateServer((0..<count).flatMap { _ in ["--screen", "1920x1080@60"] })
            let control = try ControlConnection(server)
            return {
                let (method, target, body) = plug("BENCH")
                let before = try server.process.cpuTime()
                try control.send(method, target, body)
                let used = try server.process.cpuTime() - before
                try control.send("DELETE", "/v1/screens/BENCH")
                return used
            }
        }
        let samples = try interleaved(rounds, parties)
        return Row(
            "server CPU for plugging in screen \(screens)", samples[0], "µs", scale: 1e6, per: "screen 2", samples[1])
    }

    /// The time from the request until the last client has read about the screen, compared with a round trip to each
    /// client.
    private static func announcement() throws -> Row {
        let server = try PrivateServer()
        let control = try ControlConnection(server)
        let watchers = try (0..<clients).map { _ in try ScreenWatcher(server) }
        let samples = try interleaved(
            rounds,
            [
                {
                    let (method, target, body) = plug("BENCH")
                    let start = Clock.now
                    try control.begin(method, target, body)
                    for watcher in watchers { try watcher.waitForScreen() }
                    let time = Clock.now - start
                    try control.finish()
                    for watcher in watchers { try watcher.connection.roundTrip() }
                    try control.send("DELETE", "/v1/screens/BENCH")
                    for watcher in watchers { try watcher.forgetScreen() }
                    return time
                },
                {
                    try timed(1) { for watcher in watchers { try watcher.connection.roundTrip() } }
                },
            ])
        return Row(
            "a screen announced to \(clients) clients, until the last has read it", samples[0], "ms", scale: 1e3,
            per: "wl_display.sync of each, one by one", samples[1])
    }

    /// The anonymous memory that remains in the server after a screen was plugged in and unplugged.
    private static func remains() throws -> Row {
        let server = try PrivateServer()
        let control = try ControlConnection(server)
        let watcher = try ScreenWatcher(server)
        func flap(_ count: Int) throws {
            for _ in 0..<count {
                let (method, target, body) = plug("BENCH")
                try control.send(method, target, body)
                try watcher.waitForScreen()
                try control.send("DELETE", "/v1/screens/BENCH")
                try watcher.forgetScreen()
            }
        }
        try flap(storm / 4)
        let before = try server.process.memory().anonymous
        try flap(storm)
        let after = try server.process.memory().anonymous
        return Row("memory that a screen leaves when it goes", (after - before) / Double(storm), "bytes")
    }
}

/// A client that binds everything that announces screens: the registry, mullion_application_v1 and a wl_output for
/// each.
private final class ScreenWatcher {
    let connection: ClientConnection
    private let registry: Proxy<WlRegistry>
    private var application: Proxy<MullionApplicationV1>?
    private var outputs: [UInt32: Proxy<WlOutput>] = [:]
    /// Whether a new screen was completely described, and whether one was removed, since the last check.
    private var isAnnounced = false
    private var isGone = false

    init(_ server: PrivateServer) throws {
        let connection = try ClientConnection(connectingTo: server.socket)
        self.connection = connection
        registry = Proxy(connection, version: 1)
        registry.onEvent = { [unowned self] event in
            switch event {
            case .global(let name, WlOutput.name, _): outputs[name] = bind(WlOutput.self, name)
            case .global(let name, MullionApplicationV1.name, _):
                application = bind(MullionApplicationV1.self, name)
                application?.onEvent = { [unowned self] in if case .screen(let id, let new) = $0 { add(id, new == 1) } }
            case .global: break
            case .globalRemove(let name): outputs.removeValue(forKey: name)?.send(.release)
            }
        }
        connection.display.send(.getRegistry(registry: registry.id))
        try connection.roundTrip()
        try connection.roundTrip()
    }

    deinit { connection.disconnect() }

    func waitForScreen() throws {
        while !isAnnounced {
            guard try connection.dispatch(timeout: 10_000) else { throw MeasurementError("a screen was not announced") }
        }
        isAnnounced = false
    }

    func forgetScreen() throws {
        while !isGone {
            guard try connection.dispatch(timeout: 10_000) else { throw MeasurementError("a screen was not removed") }
        }
        isGone = false
        try connection.roundTrip()
    }

    private func add(_ id: ObjectID, _ isNew: Bool) {
        let screen = Proxy<MullionScreenV1>(connection, id: id, version: 1)
        screen.onEvent = { [unowned self, unowned screen] event in
            switch event {
            case .done: isAnnounced = isAnnounced || isNew
            case .didDisconnect:
                isGone = true
                screen.send(.destroy)
            default: break
            }
        }
    }

    private func bind<I: WaylandInterface>(_ interface: I.Type, _ name: UInt32) -> Proxy<I> {
        let proxy = Proxy<I>(connection, version: I.version)
        registry.send(.bind(name: name, id: AnyNewID(interface: I.name, version: I.version, id: proxy.id)))
        return proxy
    }
}
