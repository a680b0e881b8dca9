// An animating client of a real mulliond.

import MullionWayland
import TestSupport

/// Draws on every frame callback, and counts them.
final class FaultAnimation {
    let connection: ClientConnection
    let surface: Proxy<WlSurface>
    private(set) var frames = 0

    init(_ setup: ServerProcess) throws {
        let connection = try ClientConnection(connectingTo: setup.folder + "/socket")
        self.connection = connection
        let registry = Proxy<WlRegistry>(connection, version: 1)
        var names: [String: UInt32] = [:]
        registry.onEvent = { if case .global(let name, let interface, _) = $0 { names[interface] = name } }
        connection.display.send(.getRegistry(registry: registry.id))
        try setup.roundTrip(connection)
        func bind<I: WaylandInterface>(_ interface: I.Type) -> Proxy<I> {
            let proxy = Proxy<I>(connection, version: 1)
            let id = AnyNewID(interface: I.name, version: 1, id: proxy.id)
            registry.send(.bind(name: names[I.name] ?? 0, id: id))
            return proxy
        }
        let (compositor, application) = (bind(WlCompositor.self), bind(MullionApplicationV1.self))
        surface = Proxy<WlSurface>(connection, version: 1)
        compositor.send(.createSurface(id: surface.id))
        let window = Proxy<MullionWindowV1>(connection, version: 1)
        application.send(.createWindow(id: window.id, surface: surface.id, screen: nil))
        window.send(.setBackgroundColor(argb: 0xff00_ff00))
        window.send(.setHidden(hidden: 0))
        draw()
    }

    private func draw() {
        let callback = Proxy<WlCallback>(connection, version: 1)
        callback.onEvent = { [unowned self] _ in
            frames += 1
            draw()
        }
        surface.send(.frame(callback: callback.id))
        surface.send(.commit)
    }

    func run() throws {
        try connection.flush()
        try connection.dispatchAvailable()
        try connection.flush()
    }
}
