// Converts mullion_events_v1 to events.

import MullionGeometry
import MullionWayland

/// Assembles the parts of an event. Objects are looked up while bytes are read, when their ids are still valid; the
/// event is delivered in order later.
@MainActor final class EventReceiver {
    private unowned let application: Application
    let proxy: Proxy<MullionEventsV1>
    private var seats: [UInt32: String] = [:]
    private var head: (command: RemoteCommand?, serial: UInt64, timestamp: Double, seat: String)?
    private var touches: [Touch] = []
    /// Whether the last touch of the event is one of a window that was closed.
    private var isSkipping = false
    /// Where the touches began that are down, by an id without that.
    private var beginnings: [Touch.ID: UInt64] = [:]
    /// The touches that are down, as they were sent last.
    private var down: [Touch.ID: Touch] = [:]
    private var content: Event.Content?

    init(_ application: Application) {
        self.application = application
        proxy = Proxy(application.connection, version: application.globals.application.version)
        application.globals.application.send(.getEvents(id: proxy.id))
        proxy.onEvent = { [weak self] event in self?.receive(event) }
    }

    private func receive(_ event: MullionEventsV1.Event) {
        switch event {
        case .seat(let number, let name): seats[number] = name
        case .event(_, let subtype, let seat, let serialHi, let serialLo, let timeHi, let timeLo):
            let microseconds = UInt64(timeHi) << 32 | UInt64(timeLo)
            head = (
                RemoteCommand(rawValue: subtype.rawValue), UInt64(serialHi) << 32 | UInt64(serialLo),
                Double(microseconds) / 1e6, seats[seat] ?? ""
            )
            (touches, content) = ([], nil)
        case .touch(
            let window, _, let id, let phase, let tool, let buttons, let x, let y, let screen, let sx, let sy):
            guard let head, let tool = Touch.Tool(rawValue: tool.rawValue) else { return }
            let id = self.id(Touch.ID(number: id, tool: tool, seat: head.seat), Event.Phase(phase), head.serial)
            let place = place(window, x, y, screen, sx, sy)
            isSkipping = place == nil
            guard let place else { return }
            touches.append(
                Touch(
                    id: id, phase: Event.Phase(phase), place: place, buttons: buttons, timestamp: head.timestamp))
        case .shape(let force, let majorRadius, let minorRadius, let orientation, let altitude, let azimuth):
            guard !isSkipping, let last = touches.indices.last else { return }
            touches[last].force = Double(force) / Double(UInt32.max)
            touches[last].majorRadius = majorRadius.double
            touches[last].minorRadius = minorRadius.double
            touches[last].orientation = Double(orientation) / 65_536
            touches[last].altitudeAngle = Double(altitude) / 65_536
            touches[last].azimuthAngle = Double(azimuth) / 65_536
        case .press(let window, let key, let phase):
            guard let window = self.window(window), let head else { return }
            let meaning = application.seats.values.first { $0.name == head.seat } ?? application.seats.values.first
            content = .press(Press(window: window, key: meaning?.key(key) ?? .unknown(key), phase: Event.Phase(phase)))
        case .motion(let window, let phase):
            content = self.window(window).map { .motion(Motion(window: $0, phase: Event.Phase(phase))) }
        case .scroll(
            let window, _, let phase, let source, let deltaX, let deltaY, let stepsX, let stepsY, let x,
            let y, let screen, let sx, let sy):
            guard let place = place(window, x, y, screen, sx, sy) else { return }
            content = .scroll(
                Scroll(
                    place: place, phase: Event.Phase(phase),
                    source: Scroll.Source(rawValue: source.rawValue) ?? .continuous,
                    delta: Point(x: deltaX.double, y: deltaY.double), stepsX: Int(stepsX), stepsY: Int(stepsY)))
        case .hover(let window, _, let phase, let x, let y, let screen, let sx, let sy):
            guard let place = place(window, x, y, screen, sx, sy) else { return }
            content = .hover(Hover(place: place, phase: Event.Phase(phase)))
        case .pencil(let id, let end, let buttons, let altitude, let azimuth, let roll, let distance):
            let pencil = Pencil(
                number: id, end: Pencil.End(rawValue: end.rawValue) ?? .tip, buttons: buttons,
                altitudeAngle: Double(altitude) / 65_536, azimuthAngle: Double(azimuth) / 65_536,
                rollAngle: Double(roll) / 65_536, distance: Double(distance) / Double(UInt32.max))
            if case .hover(var hover) = content {
                hover.pencil = pencil
                content = .hover(hover)
            } else if !isSkipping, let last = touches.indices.last {
                touches[last].pencil = pencil
            }
        case .transform(
            let window, _, let phase, let gesture, let fingers, let scale, let rotation, let deltaX,
            let deltaY, let x, let y, let screen, let sx, let sy):
            guard let place = place(window, x, y, screen, sx, sy) else { return }
            content = .transform(
                Transform(
                    place: place, phase: Event.Phase(phase),
                    gesture: Transform.Gesture(rawValue: gesture.rawValue) ?? .pinch, fingers: Int(fingers),
                    scale: Double(scale) / 65_536, rotation: Double(rotation) / 65_536,
                    delta: Point(x: deltaX.double, y: deltaY.double)))
        case .done: finish()
        }
    }

    /// The id that tells a touch from earlier ones with the same number.
    private func id(_ id: Touch.ID, _ phase: Event.Phase, _ serial: UInt64) -> Touch.ID {
        if phase == .began { beginnings[id] = serial }
        var unique = id
        unique.beginning = beginnings[id] ?? 0
        if phase == .ended || phase == .cancelled { beginnings[id] = nil }
        return unique
    }

    private func finish() {
        guard let head else { return }
        self.head = nil
        let whole = touches.isEmpty ? content ?? head.command.map { .remoteControl($0) } : .touches(allTouches())
        (touches, content) = ([], nil)
        guard let whole else { return }
        let event = Event(content: whole, serial: head.serial, timestamp: head.timestamp, seat: head.seat)
        application.enqueue { [unowned application] in application.deliver(event) }
    }

    /// E1: the touches of the event, and those of its seat that are down without being part of it, which are stationary:
    /// the server sends them with simultaneous touches only.
    private func allTouches() -> [Touch] {
        for touch in touches {
            let isOver = touch.phase == .ended || touch.phase == .cancelled
            down[touch.id] = isOver ? nil : touch
        }
        var others = down.values.filter { other in
            other.id.seat == touches.first?.id.seat && !touches.contains { $0.id == other.id }
        }
        others.sort { ($0.id.beginning, $0.id.number) < ($1.id.beginning, $1.id.number) }
        for index in others.indices { (others[index].phase, others[index].isConcerned) = (.stationary, false) }
        return touches + others
    }

    /// Called when the window is closed.
    func forget(_ window: Window) { down = down.filter { $0.value.window !== window } }

    // MARK: Objects

    /// Nil for a window that was closed in the meantime.
    private func window(_ id: ObjectID) -> Window? { application.allWindows.first { $0.role.id == id } }

    private func place(
        _ window: ObjectID, _ x: Fixed, _ y: Fixed, _ screen: ObjectID?, _ screenX: Fixed,
        _ screenY: Fixed
    ) -> EventPlace? {
        guard let window = self.window(window) else { return nil }
        return EventPlace(
            window: window, view: window, screen: screen.flatMap { application.screensByID[$0]?.screen },
            locationOnScreen: Point(x: screenX.double, y: screenY.double),
            locationInWindow: Point(x: x.double, y: y.double))
    }
}

extension Event.Phase {
    /// Unknown phases are ignored.
    fileprivate init(_ phase: MullionEventsV1.Phase) { self = Event.Phase(rawValue: phase.rawValue) ?? .cancelled }
}
