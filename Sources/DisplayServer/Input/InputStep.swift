// Single steps of input: the result of planning, and the unit of recording.

import MullionGeometry
import MullionKeymaps
import WindowModel

/// What is injected: the control API and scenarios plan events as steps, virtual devices produce them directly.
/// Recordings consist of steps.
package enum InputStep: Equatable {
    case touch(TouchUpdate, Screen.ID)
    /// Simultaneous touches.
    case touches([TouchUpdate], Screen.ID)
    /// A pencil above the screen.
    case pencil(TouchUpdate, Screen.ID)
    /// With the relative motion in points; nil: computed from the current position.
    case move(Point, Screen.ID, delta: Point? = nil)
    /// By a distance in points of the global layout.
    case moveBy(Point, seat: Seat.ID = .first)
    case button(UInt32, pressed: Bool, seat: Seat.ID = .first)
    case scroll(Event.Scroll, Event.Phase?, seat: Seat.ID = .first)
    case gesture(Event.TransformGesture, Event.Phase, seat: Seat.ID = .first)
    case shake(Event.Phase, seat: Seat.ID = .first)
    case remote(Event.RemoteCommand, seat: Seat.ID = .first)
    /// By its evdev code, on a device with its own keymap, or on the seat's keyboard.
    case key(UInt32, pressed: Bool, from: KeyboardDevice? = nil, seat: Seat.ID = .first)

    /// The screen that it names.
    var screen: Screen.ID? {
        switch self {
        case .touch(_, let screen), .touches(_, let screen), .pencil(_, let screen), .move(_, let screen, _): screen
        case .moveBy, .button, .scroll, .gesture, .shake, .remote, .key: nil
        }
    }

    /// The seat whose pointer presses or scrolls.
    var pointerSeat: Seat.ID? {
        switch self {
        case .button(_, _, let seat), .scroll(_, _, let seat): seat
        default: nil
        }
    }

    /// What its events are, and the touch, by its index, that they are about; nil: not only one kind, and none.
    func event(_ index: Int) -> (kind: Event.Kind?, touch: Int32?) {
        switch self {
        case .touch(let update, _): (.touches, update.id)
        case .touches(let updates, _): (.touches, updates[index].id)
        case .pencil(let update, _): (.hover, update.id)
        // A touch while a button is down.
        case .move, .moveBy: (nil, nil)
        case .button: (.touches, nil)
        case .scroll: (.scroll, nil)
        case .gesture: (.transform, nil)
        case .shake: (.motion, nil)
        case .remote: (.remoteControl, nil)
        case .key: (.presses, nil)
        }
    }

    /// The same step for another seat; steps that name a screen use the screen's.
    func by(_ seat: Seat.ID) -> InputStep {
        switch self {
        case .touch, .touches, .pencil, .move: self
        case .moveBy(let delta, _): .moveBy(delta, seat: seat)
        case .button(let code, let isDown, _): .button(code, pressed: isDown, seat: seat)
        case .scroll(let scroll, let phase, _): .scroll(scroll, phase, seat: seat)
        case .gesture(let gesture, let phase, _): .gesture(gesture, phase, seat: seat)
        case .shake(let phase, _): .shake(phase, seat: seat)
        case .remote(let command, _): .remote(command, seat: seat)
        case .key(let code, let isDown, let device, _): .key(code, pressed: isDown, from: device, seat: seat)
        }
    }
}

extension InputState {
    /// Performs a step without delivering anything, so that a list can be checked before it begins.
    /// - Throws: why the step is impossible; nothing has changed then.
    mutating func follow(_ step: InputStep, in model: WindowModel) throws(ModelError) {
        switch step {
        case .touch(let update, let screen): try touch(update, on: screen, of: model.seat(of: screen))
        case .touches(let updates, let screen): try touches(updates, on: screen, of: model.seat(of: screen))
        case .pencil(let update, let screen): try pencil(update, on: screen, of: model.seat(of: screen))
        case .move(let point, let screen, let delta):
            guard let seat = model.seat(of: screen) else { throw .unknown(screen) }
            try delta?.validate()
            try self[seat].movePointer(to: point, on: screen)
        case .moveBy(let delta, _): try delta.validate()
        case .button(let code, let pressed, let seat): try self[seat].setButton(code, pressed: pressed)
        case .scroll(let scroll, let phase, let seat): try self[seat].scroll(scroll, phase)
        case .gesture(let gesture, let phase, let seat): try self[seat].transform(gesture, phase)
        case .shake(let phase, let seat): try self[seat].shake(phase)
        case .remote: break
        case .key(let code, let pressed, _, let seat): try self[seat].setKey(code, pressed: pressed)
        }
    }
}
