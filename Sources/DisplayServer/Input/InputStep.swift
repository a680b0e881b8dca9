// Single steps of input.

import Geometry
import Keymaps
import WindowModel

/// The one value that is injected: by the control API and scenarios by way of a plan, by virtual devices at once. These
/// steps are what a recording has.
package enum InputStep: Equatable {
    case touch(TouchUpdate, Screen.ID)
    /// As one.
    case touches([TouchUpdate], Screen.ID)
    /// With the relative motion in points; nil: from where the pointer is.
    case move(Point, Screen.ID, delta: Point? = nil)
    /// By so many points of the global layout.
    case moveBy(Point, seat: Seat.ID = .first)
    case button(UInt32, pressed: Bool, seat: Seat.ID = .first)
    case scroll(Event.Scroll, Event.Phase?, seat: Seat.ID = .first)
    case gesture(Event.TransformGesture, Event.Phase, seat: Seat.ID = .first)
    case shake(Event.Phase, seat: Seat.ID = .first)
    case remote(Event.RemoteCommand, seat: Seat.ID = .first)
    /// By its evdev code; of a device with a keymap of its own, or of the seat's keyboard.
    case key(UInt32, pressed: Bool, from: KeyboardDevice? = nil, seat: Seat.ID = .first)

    /// The same of another seat; what names a screen is of that screen's.
    func by(_ seat: Seat.ID) -> InputStep {
        switch self {
        case .touch, .touches, .move: self
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
    /// Makes a step without delivering anything: a list of steps is tested so before its first one.
    /// - Throws: what makes the step impossible; nothing has changed then.
    mutating func follow(_ step: InputStep, in model: WindowModel) throws(ModelError) {
        switch step {
        case .touch(let update, let screen): try touch(update, on: screen, of: model.seat(of: screen))
        case .touches(let updates, let screen): try touches(updates, on: screen, of: model.seat(of: screen))
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
