// What can take a seat's input.

import WindowModel

/// Something that has taken a part of a seat's input, until it ends.
enum Grab {
    /// The presses that are held: what follows from one goes to the client that has it. Always there.
    case implicit(ImplicitGrabs)
    /// Pop-ups that are open until a press begins elsewhere, and have the keyboard meanwhile.
    case popups(PopupGrabs)
    /// A drag has the finger, or the pointer, that it is done with.
    case drag(DragAndDrop)
    /// An input method has the keys.
    case inputMethod(InputMethodGrabResource)

    /// Whether it takes an event from the client that the model chose.
    /// - Parameter device: whose key is being pressed; nil: the seat's own.
    func takes(_ event: Event, from device: KeyboardDevice?) -> Bool {
        switch self {
        // The model has decided by them already.
        case .implicit, .popups: return false
        case .drag(let drag): return drag.takes(event)
        case .inputMethod:
            guard case .key = event.detail, event.phase == .began else { return false }
            return Self.inputMethodTakesKeys(from: device)
        }
    }

    /// What programs inject goes past an input method: it may be the one that injects.
    static func inputMethodTakesKeys(from device: KeyboardDevice?) -> Bool { device == nil }

    var object: AnyObject {
        switch self {
        case .implicit(let object): object
        case .popups(let object): object
        case .drag(let object): object
        case .inputMethod(let object): object
        }
    }
}
