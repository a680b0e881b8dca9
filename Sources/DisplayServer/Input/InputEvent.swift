// Events as requested by people, programs and scenarios.

import MullionGeometry
import WindowModel

/// An event to inject. Screens and points may be omitted where an earlier event determines them.
package enum InputEvent: Equatable {
    case touch(id: Int32, phase: Event.Phase, Place, TouchMeasures = TouchMeasures())
    /// Simultaneous steps of several touches of one screen.
    case touches([Finger], screen: ScreenReference?)
    /// A touch that begins and ends.
    case tap(id: Int32, Place, TouchMeasures = TouchMeasures())
    /// Pointer motion, to a position or by a distance. With both, it moves to the position, and reports the distance as
    /// relative motion.
    case hover(Place, delta: Point? = nil)
    /// A pencil above a screen. Without a phase it moves, and begins to hover unless it does already.
    case pencil(id: Int32, phase: Event.Phase?, Place, TouchMeasures)
    /// A motion followed by presses and releases of a button: two for a double click.
    case click(button: UInt32, Place, count: Int = 1)
    /// A button at the current position.
    case button(UInt32, pressed: Bool)
    case drag(Drag)
    case scroll(Event.Scroll, Event.Phase?, Place)
    case gesture(Gesture)
    /// Nil for a complete shake.
    case shake(Event.Phase?)
    case remote(Event.RemoteCommand)
    /// "ctrl+a".
    case key(String, KeyAction)
    /// A key by its evdev code; with a keymap, its symbols by key.
    case code(UInt32, KeyAction, keymap: [UInt32: String]? = nil)
    case text(String)

    /// A screen and a point on it. Screen nil: where the sequence began, else the seat's first screen.
    package struct Place: Equatable {
        var screen: ScreenReference?
        package var point: Point?

        package init(screen: ScreenReference? = nil, point: Point? = nil) {
            self.screen = screen
            self.point = point
        }
    }

    /// One touch of several.
    package struct Finger: Equatable {
        var id: Int32
        var phase: Event.Phase
        var point: Point?
        var measures = TouchMeasures()

        package init(id: Int32, phase: Event.Phase, point: Point? = nil, measures: TouchMeasures = TouchMeasures()) {
            self.id = id
            self.phase = phase
            self.point = point
            self.measures = measures
        }
    }

    package struct Drag: Equatable {
        package enum Means: String, Decodable, CaseIterable { case touch, pointer }
        var means: Means
        var id: Int32
        var button: UInt32
        var screen: ScreenReference?
        var from: Point
        var to: Point
        /// The number of movements.
        var steps: Int
        var measures = TouchMeasures()
        /// Whether it is drag and drop, which some program has to begin; nil: if a program begins it.
        var drop: Bool?

        package init(
            means: Means, id: Int32, button: UInt32, screen: ScreenReference? = nil, from: Point, to: Point, steps: Int,
            measures: TouchMeasures = TouchMeasures(), drop: Bool? = nil
        ) {
            self.means = means
            self.id = id
            self.button = button
            self.screen = screen
            self.from = from
            self.to = to
            self.steps = steps
            self.measures = measures
            self.drop = drop
        }
    }

    /// Clicks of one event: three select a line or a paragraph.
    package static let mostClicks = 3

    package enum KeyAction: String, Decodable, CaseIterable { case tap, down, up }

    /// The API's name of the type.
    package var type: String {
        switch self {
        case .touch: "touch"
        case .touches: "touches"
        case .tap: "tap"
        case .hover, .pencil: "hover"
        case .click: "click"
        case .button: "button"
        case .drag: "drag"
        case .scroll: "scroll"
        case .gesture(let gesture): gesture.form.rawValue
        case .shake: "shake"
        case .remote: "remote"
        case .key, .code: "key"
        case .text: "type"
        }
    }
}

/// Measurements of a finger or pencil; missing ones are unchanged, or not measured.
package struct TouchMeasures: Equatable {
    var force: Double?
    /// Points.
    var majorRadius: Double?
    var minorRadius: Double?
    /// Radians.
    var orientation: Double?
    package var tool: Tool?
    /// What only a pencil has.
    package var pencil = PencilMeasures()

    /// What touches the screen, as requested: a finger, or one end of a pencil.
    package enum Tool: String, CaseIterable { case finger, pencil, eraser }

    package init(
        force: Double? = nil, majorRadius: Double? = nil, minorRadius: Double? = nil, orientation: Double? = nil,
        tool: Tool? = nil
    ) {
        self.force = force
        self.majorRadius = majorRadius
        self.minorRadius = minorRadius
        self.orientation = orientation
        self.tool = tool
    }

    func applied(to old: Event.TouchAttributes) -> Event.TouchAttributes {
        Event.TouchAttributes(
            force: force ?? old.force, majorRadius: majorRadius ?? old.majorRadius,
            minorRadius: minorRadius ?? old.minorRadius, orientation: orientation ?? old.orientation,
            tool: applied(to: old.tool))
    }

    private func applied(to old: Event.TouchAttributes.Tool) -> Event.TouchAttributes.Tool {
        guard tool != .finger else { return .direct }
        guard tool != nil || pencil != PencilMeasures() else { return old }
        var new = pencil.applied(to: old.pencil ?? Pencil())
        if let tool { new.end = tool == .eraser ? .eraser : .tip }
        return .pencil(new)
    }
}

/// Measurements of a pencil; missing ones are unchanged or, at first, those of an upright pencil.
package struct PencilMeasures: Equatable {
    /// Radians.
    package var altitude: Double?
    package var azimuth: Double?
    package var roll: Double?
    /// 0…1.
    package var distance: Double?
    package var buttons: Pencil.Buttons?

    package init() {}

    func applied(to old: Pencil) -> Pencil {
        Pencil(
            altitude: altitude ?? old.altitude, azimuth: azimuth ?? old.azimuth, roll: roll ?? old.roll,
            distance: distance ?? old.distance, end: old.end, buttons: buttons ?? old.buttons)
    }
}

/// A complete gesture, or one step of it.
package struct Gesture: Equatable {
    /// The API's names. To hold means to touch the pad with one finger without moving.
    package enum Form: String, CaseIterable { case pinch, rotate, swipe, hold }
    /// How it is made: on a touch pad at the pointer, or with touches on the screen.
    package enum Means: String, Decodable, CaseIterable { case gesture, touch }

    package var form: Form
    package var means = Means.gesture
    /// Nil for a complete gesture.
    package var phase: Event.Phase?
    /// Where it begins; without a point, at the pointer.
    package var place: InputEvent.Place
    /// 1 for no scaling. Nil in a step: unchanged.
    package var scale: Double?
    /// Radians, clockwise.
    package var rotation: Double?
    /// The movement of the whole gesture, or of the step, in points.
    package var delta = Point.zero
    package var fingers: UInt8?
    /// The number of movements of a complete gesture.
    package var steps = 10
    /// The id of the first touch; the others count up from it.
    package var id: Int32 = 0
    /// For touches on the screen: the distance of each from the centre, or between neighbours of a swipe. In points.
    package var radius = 50.0

    package init(
        form: Form, means: Means = Means.gesture, phase: Event.Phase? = nil, place: InputEvent.Place,
        scale: Double? = nil, rotation: Double? = nil, delta: Point = Point.zero, fingers: UInt8? = nil,
        steps: Int = 10, id: Int32 = 0, radius: Double = 50.0
    ) {
        self.form = form
        self.means = means
        self.phase = phase
        self.place = place
        self.scale = scale
        self.rotation = rotation
        self.delta = delta
        self.fingers = fingers
        self.steps = steps
        self.id = id
        self.radius = radius
    }

    /// The model's kind of gesture.
    var kind: Event.TransformGesture.Kind {
        switch form {
        case .pinch: .pinch
        case .rotate: .rotate
        case .swipe, .hold: .swipe
        }
    }

    /// The default number of fingers.
    var usualFingers: UInt8 {
        switch form {
        case .pinch, .rotate: 2
        case .swipe: 3
        case .hold: 1
        }
    }
}
