// A performed step of input, in a form that can be injected again.

import ControlProtocol
import DisplayServer
import WindowModel

/// Events for `POST /v1/input` without defaults: all numbers in full, screen and seat by name.
extension API.InputEvent {
    init(_ step: InputStep, in model: WindowModel) {
        func name(_ seat: Seat.ID) -> String? { model.seat(seat)?.name }
        // E2: a touch may end on a screen that was unplugged and has no name.
        func name(_ screen: Screen.ID) -> API.Reference { API.Reference(model.screen(screen)?.name ?? "\(screen)") }
        switch step {
        case .touch(let update, let place):
            self.init(type: .touch, screen: name(place))
            let finger = API.Finger(update)
            (id, phase, x, y) = (finger.id, finger.phase, finger.x, finger.y)
            (force, majorRadius, minorRadius) = (finger.force, finger.majorRadius, finger.minorRadius)
            (orientation, tool, altitude) = (finger.orientation, finger.tool, finger.altitude)
            (azimuth, roll, buttons) = (finger.azimuth, finger.roll, finger.buttons)
        case .touches(let updates, let place):
            self.init(type: .touches, screen: name(place), touches: updates.map { API.Finger($0) })
        case .pencil(let update, let place):
            let tool = update.attributes.tool
            self.init(
                type: .hover, screen: name(place), x: update.point.x, y: update.point.y, id: update.id,
                phase: API.Phase(rawValue: "\(update.phase)"), tool: tool.name, altitude: tool.pencil?.altitude,
                azimuth: tool.pencil?.azimuth, roll: tool.pencil?.roll, buttons: tool.pencil?.buttons.list,
                distance: tool.pencil?.distance)
        case .move(let point, let place, let delta):
            self.init(type: .hover, screen: name(place), x: point.x, y: point.y, dx: delta?.x, dy: delta?.y)
        case .moveBy(let delta, let owner): self.init(type: .hover, seat: name(owner), dx: delta.x, dy: delta.y)
        case .button(let code, let isDown, let owner):
            self.init(type: .button, seat: name(owner), button: .code(code), pressed: isDown)
        case .scroll(let scroll, let phase, let owner):
            self.init(
                type: .scroll, seat: name(owner), phase: phase.map { API.Phase(rawValue: "\($0)") },
                deltaX: scroll.deltaX, deltaY: scroll.deltaY, stepsX: scroll.stepsX, stepsY: scroll.stepsY,
                source: scroll.source.rawValue)
        case .gesture(let gesture, let phase, let owner):
            let isSwipe = gesture.kind == .swipe
            self.init(
                type: API.InputType(rawValue: gesture.kind.rawValue), seat: name(owner),
                phase: API.Phase(rawValue: "\(phase)"), deltaX: gesture.deltaX, deltaY: gesture.deltaY,
                scale: isSwipe ? nil : gesture.scale, rotation: isSwipe ? nil : gesture.rotation,
                fingers: gesture.fingers)
        case .shake(let phase, let owner):
            self.init(type: .shake, seat: name(owner), phase: API.Phase(rawValue: "\(phase)"))
        case .remote(let command, let owner):
            self.init(type: .remote, seat: name(owner), command: API.RemoteCommand(rawValue: "\(command)"))
        case .key(let code, let isDown, let device, let owner):
            self.init(
                type: .key, seat: name(owner), code: code,
                keymap: device.map { device in
                    Dictionary(device.symbols.map { ("\($0.key)", $0.value) }) { first, _ in first }
                }, action: isDown ? .down : .up)
        }
    }
}

extension API.Finger {
    fileprivate init(_ update: TouchUpdate) {
        self.init(
            id: update.id, phase: API.Phase(rawValue: "\(update.phase)"), x: update.point.x, y: update.point.y)
        let attributes = update.attributes
        // Absent measurements mean no change, so all are included unless nothing was ever measured.
        if attributes != .finger || update.phase != .began {
            (force, orientation, tool) = (attributes.force, attributes.orientation, attributes.tool.name)
            (majorRadius, minorRadius) = (attributes.majorRadius, attributes.minorRadius)
        }
        guard let pencil = attributes.tool.pencil else { return }
        (altitude, azimuth, roll, buttons) = (pencil.altitude, pencil.azimuth, pencil.roll, pencil.buttons.list)
    }
}
