// An event as it is asked for: by people, programs and scenarios.

import WindowModel

/// What to inject. Screens and points may be left out where something before says which is meant.
enum InputEvent: Equatable {
    case touch(id: Int32, phase: Event.Phase, Place)
    /// A touch that begins and ends.
    case tap(id: Int32, Place)
    /// The pointer moves, to a place or by so many points. With both it goes to the place, and programs that look at
    /// relative motion are told the other.
    case hover(Place, delta: Point? = nil)
    /// The pointer moves, and a button goes down and up.
    case click(button: UInt32, Place)
    /// A button where the pointer is.
    case button(UInt32, pressed: Bool)
    case drag(Drag)
    case scroll(Event.Scroll, Event.Phase?, Place)
    /// "ctrl+a".
    case key(String, KeyAction)
    case text(String)

    /// A screen, nil: where the sequence began, else the main screen; a point of it.
    struct Place: Equatable {
        var screen: ScreenReference?
        var point: Point?
    }

    struct Drag: Equatable {
        enum Means: String, Decodable { case touch, pointer }
        var means: Means
        var id: Int32
        var button: UInt32
        var screen: ScreenReference?
        var from: Point
        var to: Point
        /// How many movements it is made of.
        var steps: Int
    }

    enum KeyAction: String, Decodable { case tap, down, up }

    /// As the API calls it.
    var type: String {
        switch self {
        case .touch: "touch"
        case .tap: "tap"
        case .hover: "hover"
        case .click: "click"
        case .button: "button"
        case .drag: "drag"
        case .scroll: "scroll"
        case .key: "key"
        case .text: "type"
        }
    }
}
