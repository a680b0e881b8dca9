// A client of a real mulliond that animates.

import TestSupport
import Wayland

/// Draws whenever it is asked to, and counts.
final class FaultAnimation {
    let connection: ClientConnection
    let surface: Proxy<WlSurface>
    private(set) var frames = 0

    init(_ desk: FaultDaemonDesk) throws {
        let connection = try ClientConnection(connectingTo: desk.folder + "/socket")
        self.connection = connection
        let registry = Proxy<WlRegistry>(connection, version: 1)
        let (compositor, application, window) = (
            Proxy<WlCompositor>(connection, version: 1), Proxy<MullionApplicationV1>(connection, version: 1),
            Proxy<MullionWindowV1>(connection, version: 1)
        )
        registry.onEvent = { [unowned registry] event in
            guard case .global(let name, let interface, _) = event else { return }
            let wanted = [WlCompositor.name: compositor.id, MullionApplicationV1.name: application.id]
            guard let id = wanted[interface] else { return }
            registry.send(.bind(name: name, id: AnyNewID(interface: interface, version: 1, id: id)))
        }
        connection.display.send(.getRegistry(registry: registry.id))
        surface = Proxy<WlSurface>(connection, version: 1)
        try desk.roundTrip(connection)
        compositor.send(.createSurface(id: surface.id))
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
