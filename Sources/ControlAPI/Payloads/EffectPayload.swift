// Effects in JSON.

import DisplayServer
import WindowModel

/// A program has rung the bell.
struct BellPayload: Encodable {
    let event = "bell"
    var time: UInt64
    var application: UInt32
    var applicationName: String?
    /// Absent if it was for no window in particular.
    var window: UInt32?
    var title: String?
}

/// One consequence of a change; the fields depend on `event`.
struct EffectPayload: Encodable {
    /// The effect's name; `event` for an event delivered to an application.
    var event = ""
    /// In microseconds of the server's clock, when it was delivered.
    var time: UInt64
    var screen: UInt32?
    var window: UInt32?
    var application: UInt32?
    /// The names of these at the time of the event.
    var screenName: String?
    var title: String?
    var applicationName: String?
    /// The application id that a plain program has given its window.
    var applicationID: String?
    /// Of an application that connects or disconnects.
    var pid: Int32?
    /// How an application's connection ended, what was wrong, and how many windows it still had.
    var cause: String?
    var reason: String?
    var windows: Int?
    /// How its process ended, if it has and that is known: one of them.
    var signal: Int32?
    var status: Int32?
    var surface: String?
    /// In the surface's points, or the window's without a surface.
    var location: PointPayload?
    /// In the screen's points.
    var screenLocation: PointPayload?
    /// UIKit's type number (E).
    var type: UInt8?
    var phase: String?
    /// The kind of event: touch, pointer, button, key, shake, remoteControl, scroll, transform.
    var detail: String?
    /// The touch's id, the evdev code of the button or key, or UIKit's number of the remote command.
    var code: Int?
    /// R1.
    var from: String?
    var to: String?
    /// R1: microseconds.
    var duration: UInt64?
    var deltaX: Double?
    var deltaY: Double?
    /// For a gesture: its kind, and its current state.
    var gesture: String?
    var scale: Double?
    var rotation: Double?
    var fingers: UInt8?
    /// For a touch, if measured.
    var force: Double?
    var majorRadius: Double?
    var minorRadius: Double?
    var orientation: Double?
    var altitude: Double?
    var azimuth: Double?
    /// For a pencil: pencil or eraser.
    var tool: String?
    var roll: Double?
    var distance: Double?
    var buttons: [String]?
    /// K1: the seat.
    var seat: UInt32?
    /// The serial of the first of the simultaneous touches.
    var group: UInt64?
    /// E9.
    var timestamp: UInt64?
    var serial: UInt64?

    init(_ effect: Effect, time: UInt64, _ subject: EventNames.Subject) {
        self.time = time
        describe(subject)
        switch effect {
        case .screenDidConnect(let id): (event, screen) = ("screenDidConnect", id.rawValue)
        case .screenDidDisconnect(let id): (event, screen) = ("screenDidDisconnect", id.rawValue)
        case .mainScreenDidChange(let id): (event, screen) = ("mainScreenDidChange", id?.rawValue)
        case .modeDidChange(let id): (event, screen) = ("modeDidChange", id.rawValue)
        case .screenPropertiesDidChange(let id): (event, screen) = ("screenPropertiesDidChange", id.rawValue)
        case .orientationWillChange(let id, let from, let to, let duration):
            (event, screen) = ("orientationWillChange", id.rawValue)
            (self.from, self.to, self.duration) = (from.rawValue, to.rawValue, duration)
        case .orientationDidChange(let id, let from, let to):
            (event, screen) = ("orientationDidChange", id.rawValue)
            (self.from, self.to) = (from.rawValue, to.rawValue)
        case .lockDidChange(let isLocked): event = isLocked ? "didLock" : "didUnlock"
        case .needsDisplay(let id): (event, screen) = ("needsDisplay", id.rawValue)
        case .applicationDidConnect(let id): name("applicationDidConnect", nil, id)
        case .applicationDidDisconnect(let id): name("applicationDidDisconnect", nil, id)
        case .applicationNameDidChange(let id): name("applicationNameDidChange", nil, id)
        case .windowDidOpen(let id, let owner): name("windowDidOpen", id, owner)
        case .windowDidClose(let id, let owner): name("windowDidClose", id, owner)
        case .didBecomeVisible(let id, let owner): name("didBecomeVisible", id, owner)
        case .didBecomeHidden(let id, let owner): name("didBecomeHidden", id, owner)
        case .didBecomeKey(let id, let owner, let seat):
            name("didBecomeKey", id, owner)
            self.seat = seat.rawValue
        case .didResignKey(let id, let owner, let seat):
            name("didResignKey", id, owner)
            self.seat = seat.rawValue
        case .frameDidChange(let id, let owner): name("frameDidChange", id, owner)
        case .windowDidChange(let id, let owner, let property): name("\(property.rawValue)DidChange", id, owner)
        case .cameToFront(let id, let owner): name("cameToFront", id, owner)
        case .orderDidChange(let id, let owner): name("orderDidChange", id, owner)
        case .screenDidChange(let id, let owner, let screen):
            name("screenDidChange", id, owner)
            self.screen = screen?.rawValue
        case .pointerFocus(let focus, let seat):
            event = "pointerFocus"
            self.seat = seat.rawValue
            window = focus?.window.rawValue
            application = focus?.application.rawValue
            surface = focus?.surface?.text
            location = focus.map { PointPayload($0.location) }
            screen = focus?.screen.rawValue
        case .deliver(let delivered):
            name("event", delivered.window, delivered.application)
            describe(delivered)
        }
    }

    private mutating func name(_ event: String, _ window: Window.ID?, _ application: Application.ID) {
        self.event = event
        self.window = window?.rawValue
        self.application = application.rawValue
    }

    private mutating func describe(_ subject: EventNames.Subject) {
        (screenName, title) = (subject.screen, subject.title)
        (applicationName, applicationID, pid) = (subject.application, subject.applicationID, subject.pid)
        guard let ending = subject.ending else { return }
        (cause, reason, windows) = (ending.cause.rawValue, ending.reason, ending.windows)
        guard let exit = ending.exit else { return }
        if exit.signal != 0 { signal = exit.signal } else { status = exit.status }
    }

    private mutating func describe(_ event: Event) {
        screen = event.screen?.rawValue
        surface = event.surface?.text
        type = event.kind.rawValue
        phase = "\(event.phase)"
        timestamp = event.timestamp
        serial = event.serial
        seat = event.seat.rawValue
        if ![.presses, .motion, .remoteControl].contains(event.kind) {
            location = PointPayload(event.location)
            screenLocation = PointPayload(event.screenLocation)
        }
        switch event.detail {
        case .touch(let id):
            (detail, code, group) = ("touch", Int(id), event.group)
            if let attributes = event.touchAttributes, attributes != .finger { describe(attributes) }
        case .pointer: detail = "pointer"
        case .button(let button): (detail, code) = ("button", Int(button))
        case .key(let key): (detail, code) = ("key", Int(key))
        case .shake: detail = "shake"
        case .remoteControl(let command): (detail, code) = ("remoteControl", Int(command.rawValue))
        case .scroll(let scroll): (detail, deltaX, deltaY) = ("scroll", scroll.deltaX, scroll.deltaY)
        case .transform(let gesture):
            (detail, deltaX, deltaY) = ("transform", gesture.deltaX, gesture.deltaY)
            (self.gesture, fingers) = (gesture.kind.rawValue, gesture.fingers)
            (scale, rotation) = (gesture.scale, gesture.rotation)
        }
    }

    private mutating func describe(_ attributes: Event.TouchAttributes) {
        (force, orientation) = (attributes.force, attributes.orientation)
        (majorRadius, minorRadius) = (attributes.majorRadius, attributes.minorRadius)
        guard let pencil = attributes.tool.pencil else { return }
        (tool, altitude, azimuth) = (attributes.tool.name, pencil.altitude, pencil.azimuth)
        (roll, distance, buttons) = (pencil.roll, pencil.distance, pencil.buttons.list)
    }
}
