// A client that receives input as UIKit's events, and records them.

import MullionWayland

/// mullion_events_v1 of a test client.
public final class TestEvents {
    /// The events up to a done.
    public struct Group {
        public let type: MullionEventsV1.EventType
        public let subtype: MullionEventsV1.Subtype
        /// The name of the seat; nil if none was sent.
        public let seat: String?
        public let serial: UInt64
        /// Microseconds.
        public let time: UInt64
        /// The items of the group, a line each: "w touch 1 began direct 5.0,5.0 A 15.0,15.0".
        public var items: [String] = []
    }

    public let proxy: Proxy<MullionEventsV1>
    /// The seats that were announced, in order.
    public private(set) var seats: [(number: UInt32, name: String)] = []
    private var groups: [Group] = []
    private var open: Group?
    private var names: [ObjectID: String] = [:]
    private unowned let client: TestClient

    /// - Parameter windows: the windows whose events are requested.
    public init(
        _ client: TestClient, _ windows: TestWindow..., types: MullionEventsV1.EventTypes = TestEvents.all
    ) {
        self.client = client
        proxy = Proxy(client.connection, version: client.application.version)
        client.application.send(.getEvents(id: proxy.id))
        proxy.onEvent = { [weak self] in self?.heard($0) }
        for window in windows { ask(window, types) }
    }

    public static let all: MullionEventsV1.EventTypes = [.touches, .motion, .presses, .scroll, .hover, .transform]

    public func ask(_ window: TestWindow, _ types: MullionEventsV1.EventTypes = TestEvents.all) {
        names[window.window.id] = window.name
        names[window.surface.id] = window.name
        proxy.send(.setTypes(window: window.window.id, types: types))
    }

    /// Names a surface in the lines; a window's own surface has its window's name.
    public func name(_ surface: Proxy<WlSurface>, _ name: String) { names[surface.id] = name }

    /// Takes the groups received since the last call.
    public func take() -> [Group] {
        defer { groups = [] }
        return groups
    }

    /// Takes the lines of the groups.
    public func takeItems() -> [[String]] { take().map(\.items) }

    private func heard(_ event: MullionEventsV1.Event) {
        switch event {
        case .seat(let number, let name): seats.append((number, name))
        case .event(let type, let subtype, let seat, let serialHi, let serialLo, let timeHi, let timeLo):
            precondition(open == nil, "a group begins in another")
            open = Group(
                type: type, subtype: subtype, seat: seats.first { $0.number == seat }?.name,
                serial: UInt64(serialHi) << 32 | UInt64(serialLo), time: UInt64(timeHi) << 32 | UInt64(timeLo))
        case .touch(
            let window, let surface, let id, let phase, let tool, let buttons, let x, let y, let screen, let sx, let sy):
            let what = "touch \(id) \(Self.name(phase)) \(Self.name(tool))" + (buttons == 0 ? "" : " \(buttons)")
            say(window, surface, what, x, y, screen, sx, sy)
        case .shape(let force, let major, let minor, let orientation, let altitude, let azimuth):
            let angles = [orientation, altitude, azimuth].map { "\(Double($0) / 65_536)" }.joined(separator: " ")
            say("shape \(force) \(major.double) \(minor.double) \(angles)")
        case .press(let window, let key, let phase): say("\(name(window)) press \(key) \(Self.name(phase))")
        case .motion(let window, let phase): say("\(name(window)) motion \(Self.name(phase))")
        case .scroll(
            let window, let surface, let phase, let source, let dx, let dy, let stepsX, let stepsY, let x, let y,
            let screen, let sx, let sy):
            let what = "scroll \(Self.name(phase)) \(source.rawValue) \(dx.double),\(dy.double) \(stepsX),\(stepsY)"
            say(window, surface, what, x, y, screen, sx, sy)
        case .hover(let window, let surface, let phase, let x, let y, let screen, let sx, let sy):
            say(window, surface, "hover \(Self.name(phase))", x, y, screen, sx, sy)
        case .pencil(let id, let end, let buttons, let altitude, let azimuth, let roll, let distance):
            let angles = [altitude, azimuth, roll].map { "\(Double($0) / 65_536)" }.joined(separator: " ")
            say("\(end == .eraser ? "eraser" : "tip") \(id) \(buttons) \(angles) \(distance)")
        case .transform(
            let window, let surface, let phase, let gesture, let fingers, let scale, let rotation, let dx, let dy,
            let x, let y, let screen, let sx, let sy):
            let state = "\(Double(scale) / 65_536) \(Double(rotation) / 65_536) \(dx.double),\(dy.double)"
            let what = "transform \(Self.name(phase)) \(gesture.rawValue) \(fingers) \(state)"
            say(window, surface, what, x, y, screen, sx, sy)
        case .done:
            if let open { groups.append(open) }
            open = nil
        }
    }

    private func say(
        _ window: ObjectID, _ surface: ObjectID?, _ what: String, _ x: Fixed, _ y: Fixed, _ screen: ObjectID?,
        _ screenX: Fixed, _ screenY: Fixed
    ) {
        let place = surface.map { name($0) } ?? name(window)
        let screenName = client.screens.first { $0.proxy.id == screen }?.name ?? "none"
        say("\(place) \(what) \(x.double),\(y.double) \(screenName) \(screenX.double),\(screenY.double)")
    }

    private func say(_ line: String) { open?.items.append(line) }

    private func name(_ id: ObjectID) -> String { names[id] ?? "object \(id)" }

    private static func name(_ phase: MullionEventsV1.Phase) -> String {
        ["began", "moved", "stationary", "ended", "cancelled"][Int(phase.rawValue)]
    }

    private static func name(_ tool: MullionEventsV1.Tool) -> String {
        switch tool {
        case .direct: "direct"
        case .pencil: "pencil"
        default: "pointer"
        }
    }
}
