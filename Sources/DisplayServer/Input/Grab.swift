// Grabs of a seat's input.

import WindowModel

/// Something that takes part of a seat's input until it ends.
enum Grab {
    /// The held presses: the events that follow a press go to the client that received it. Always present.
    case implicit(ImplicitGrabs)
    /// The title bars of windows, whose clients do not receive what happens there. Always present.
    case titleBars(TitleBarInput)
    /// Pop-ups, which stay open until a press begins elsewhere, and have the keyboard meanwhile.
    case popups(PopupGrabs)
    /// A drag has the touch or the pointer that drags.
    case drag(DragAndDrop)
    /// An interactive move or resize has the touch or the pointer that drags the frame.
    case frame(FrameDrag)
    /// An input method receives the keys.
    case inputMethod(InputMethodGrabResource)

    /// Whether it takes an event from the client that the model chose.
    /// - Parameter device: the device whose key is being pressed; nil: the seat's own keyboard.
    func takes(_ event: Event, from device: KeyboardDevice?) -> Bool {
        switch self {
        // The model has already taken these into account.
        case .implicit, .popups: return false
        case .titleBars(let bars): return bars.takes(event)
        case .drag(let drag): return drag.takes(event)
        case .frame(let drag): return drag.takes(event)
        case .inputMethod(let grab):
            guard case .key = event.detail, event.phase == .began, grab.mayReceive else { return false }
            return Self.inputMethodTakesKeys(from: device)
        }
    }

    /// Injected keys bypass an input method, because it may be the program that injects them.
    static func inputMethodTakesKeys(from device: KeyboardDevice?) -> Bool { device == nil }

    var object: AnyObject {
        switch self {
        case .implicit(let object): object
        case .titleBars(let object): object
        case .popups(let object): object
        case .drag(let object): object
        case .frame(let object): object
        case .inputMethod(let object): object
        }
    }
}
