// Test clients in a storm of screens, each with its own habit.

import MullionWayland
import TestSupport

@testable import DisplayServer

/// Three clients: one that behaves well, one that keeps every object it ever had, and one that is always late.
final class StormWitnesses {
    private let clients: [TestClient]
    private let keeper: TestClient

    /// Connects them, and shows a window of the first on every screen.
    init(_ fixture: ServerFixture) throws {
        let tidy = try fixture.connect("tidy")
        let keeper = try fixture.connect("keeper")
        let late = try fixture.connect("late")
        clients = [tidy, keeper, late]
        self.keeper = keeper
        for (index, screen) in tidy.screens.enumerated() {
            let window = tidy.window("w\(index)", on: screen).color(0xff00_0000 | UInt32(index) << 16)
            window.level(Double(index % 3) - 1).frame(10, 20, 100 + Double(index), 50).show()
            Self.destroyWhenGone(screen)
        }
        Self.observe(tidy.application) { [unowned tidy] event in
            if case .screen = event, let screen = tidy.screens.last { Self.destroyWhenGone(screen) }
        }
        // Before version 3 a wl_output cannot be released.
        Self.observeOutputs(keeper, version: 2) { _, _ in }
        Self.observeOutputs(late, version: 4) { output, name in
            output?.send(.release)
            Self.touch(late, name)
        }
        try fixture.pump()
    }

    /// The errors of the clients that were disconnected.
    var failures: [String] {
        clients.filter { !$0.isOpen }.map { "\($0.name): \(String(describing: $0.error))" }
    }

    /// How many screens the keeper has; it destroys none of its wl_output and mullion_screen_v1 objects.
    var keptObjects: Int { keeper.screens.count }

    private static func observe<I: WaylandInterface>(_ proxy: Proxy<I>, _ body: @escaping (I.Event) -> Void) {
        let before = proxy.onEvent
        proxy.onEvent = { event in
            before?(event)
            body(event)
        }
    }

    private static func destroyWhenGone(_ screen: TestScreen) {
        observe(screen.proxy) { [unowned screen] event in
            if case .didDisconnect = event { screen.proxy.send(.destroy) }
        }
    }

    /// Binds every wl_output that is announced; `gone` receives it when it is withdrawn.
    private static func observeOutputs(
        _ client: TestClient, version: UInt32, gone: @escaping (Proxy<WlOutput>?, UInt32) -> Void
    ) {
        var bound: [UInt32: Proxy<WlOutput>] = [:]
        observe(client.registry) { [unowned client] event in
            switch event {
            case .global(let name, WlOutput.name, _):
                bound[name] = try? client.bind(WlOutput.self, version: version, name: name)
            case .globalRemove(let name): gone(bound.removeValue(forKey: name), name)
            default: break
            }
        }
    }

    /// Makes all requests on a removed screen that are possible on a connected one.
    private static func touch(_ client: TestClient, _ name: UInt32) {
        guard let output = try? client.bind(WlOutput.self, name: name),
            let manager = try? client.bind(ZxdgOutputManagerV1.self)
        else { return }
        let logical = Proxy<ZxdgOutputV1>(client.connection, version: manager.version)
        manager.send(.getXdgOutput(id: logical.id, output: output.id))
        manager.send(.destroy)
        let toplevel = client.toplevel("late")
        toplevel.toplevel.send(.setFullscreen(output: output.id))
        toplevel.surface.send(.commit)
        logical.send(.destroy)
        output.send(.release)
        toplevel.toplevel.send(.destroy)
        toplevel.xdg.send(.destroy)
        toplevel.surface.send(.destroy)
    }
}
