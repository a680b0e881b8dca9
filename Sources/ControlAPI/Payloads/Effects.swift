// Effects in JSON.

import ControlProtocol
import DisplayServer
import WindowModel

extension API.Effect {
    init(_ effect: Effect, time: UInt64, _ subject: EventNames.Subject) {
        self.init(event: "", time: time)
        describe(subject)
        switch effect {
        case .screenDidConnect(let id): (event, screen) = ("screenDidConnect", id.rawValue)
        case .screenDidDisconnect(let id): (event, screen) = ("screenDidDisconnect", id.rawValue)
        case .mainScreenDidChange(let id): (event, screen) = ("mainScreenDidChange", id?.rawValue)
        case .modeDidChange(let id): (event, screen) = ("modeDidChange", id.rawValue)
        case .screenPropertiesDidChange(let id): (event, screen) = ("screenPropertiesDidChange", id.rawValue)
        case .orientationWillChange(let id, let from, let to, let duration):
            (event, screen) = ("orientationWillChange", id.rawValue)
            (self.from, self.to) = (API.Orientation(from), API.Orientation(to))
            self.duration = duration
        case .orientationDidChange(let id, let from, let to):
            (event, screen) = ("orientationDidChange", id.rawValue)
            (self.from, self.to) = (API.Orientation(from), API.Orientation(to))
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
            location = focus.map { API.Point($0.location) }
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
        cause = API.EndingCause(rawValue: ending.cause.rawValue)
        (reason, windows) = (ending.reason, ending.windows)
        guard let exit = ending.exit else { return }
        if exit.signal != 0 { signal = Int(exit.signal) } else { status = Int(exit.status) }
    }

    private mutating func describe(_ event: Event) {
        screen = event.screen?.rawValue
        surface = event.surface?.text
        type = event.kind.rawValue
        phase = API.Phase(rawValue: "\(event.phase)")
        timestamp = event.timestamp
        serial = event.serial
        seat = event.seat.rawValue
        if ![.presses, .motion, .remoteControl].contains(event.kind) {
            location = API.Point(event.location)
            screenLocation = API.Point(event.screenLocation)
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
            (self.gesture, fingers) = (API.GestureKind(rawValue: gesture.kind.rawValue), gesture.fingers)
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

extension API.Orientation {
    init(_ orientation: Screen.Orientation) { self.init(rawValue: orientation.rawValue) }
}
