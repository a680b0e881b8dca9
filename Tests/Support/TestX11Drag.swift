// The drag of an X11 program, played by the test.

import MullionWayland

/// mullion_x11_drag_v1
public final class TestX11Drag {
    public let proxy: Proxy<MullionX11DragV1>
    /// The received events, in order: "target own", "released", "ended".
    public private(set) var events: [String] = []

    public init(_ x11: TestX11) {
        proxy = Proxy(x11.manager.connection, version: 1)
        x11.server.send(.startDrag(id: proxy.id))
        // A script may have released it while events are in flight.
        proxy.onEvent = { [weak self] event in
            switch event {
            case .target(let target): self?.events.append("target \(["none", "own", "other"][Int(target.rawValue)])")
            case .released: self?.events.append("released")
            case .ended: self?.events.append("ended")
            }
        }
    }

    /// Takes the events since the last call.
    public func takeEvents() -> [String] {
        defer { events = [] }
        return events
    }
}
