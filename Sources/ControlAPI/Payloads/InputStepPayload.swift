// A performed step of input, in a form that can be injected again.

import DisplayServer
import WindowModel

/// An event for `POST /v1/input` without defaults: all numbers in full, screen and seat by name.
struct InputStepPayload: Encodable {
    /// Absent for one of several touches.
    var type: String?
    var screen: String?
    var seat: String?
    var id: Int32?
    var phase: String?
    var x: Double?
    var y: Double?
    var dx: Double?
    var dy: Double?
    var touches: [InputStepPayload]?
    var force: Double?
    var majorRadius: Double?
    var minorRadius: Double?
    var orientation: Double?
    var tool: String?
    var altitude: Double?
    var azimuth: Double?
    var roll: Double?
    var distance: Double?
    var buttons: [String]?
    var button: UInt32?
    var pressed: Bool?
    var deltaX: Double?
    var deltaY: Double?
    var stepsX: Int32?
    var stepsY: Int32?
    var source: String?
    var scale: Double?
    var rotation: Double?
    var fingers: UInt8?
    var command: String?
    var code: UInt32?
    var action: String?
    var keymap: [String: String]?

    init(_ step: InputStep, in model: WindowModel) {
        func name(_ seat: Seat.ID) -> String? { model.seat(seat)?.name }
        // E2: a touch may end on a screen that was unplugged and has no name.
        func name(_ screen: Screen.ID) -> String { model.screen(screen)?.name ?? "\(screen)" }
        switch step {
        case .touch(let update, let place):
            describe(update)
            (type, screen) = ("touch", name(place))
        case .touches(let updates, let place):
            (type, screen) = ("touches", name(place))
            touches = updates.map { update in
                var payload = InputStepPayload()
                payload.describe(update)
                return payload
            }
        case .pencil(let update, let place):
            (type, screen, id, phase) = ("hover", name(place), update.id, "\(update.phase)")
            (x, y) = (update.point.x, update.point.y)
            describe(update.attributes.tool)
            distance = update.attributes.tool.pencil?.distance
        case .move(let point, let place, let delta):
            (type, screen) = ("hover", name(place))
            (x, y, dx, dy) = (point.x, point.y, delta?.x, delta?.y)
        case .moveBy(let delta, let owner): (type, dx, dy, seat) = ("hover", delta.x, delta.y, name(owner))
        case .button(let code, let isDown, let owner):
            (type, button, pressed, seat) = ("button", code, isDown, name(owner))
        case .scroll(let scroll, let phase, let owner):
            (type, self.phase, seat) = ("scroll", phase.map { "\($0)" }, name(owner))
            (deltaX, deltaY, stepsX, stepsY) = (scroll.deltaX, scroll.deltaY, scroll.stepsX, scroll.stepsY)
            source = scroll.source.rawValue
        case .gesture(let gesture, let phase, let owner):
            (type, self.phase, seat) = (gesture.kind.rawValue, "\(phase)", name(owner))
            (deltaX, deltaY, fingers) = (gesture.deltaX, gesture.deltaY, gesture.fingers)
            if gesture.kind != .swipe { (scale, rotation) = (gesture.scale, gesture.rotation) }
        case .shake(let phase, let owner): (type, self.phase, seat) = ("shake", "\(phase)", name(owner))
        case .remote(let command, let owner):
            (type, self.command, seat) = ("remote", "\(command)", name(owner))
        case .key(let code, let isDown, let device, let owner):
            (type, self.code, action, seat) = ("key", code, isDown ? "down" : "up", name(owner))
            if let device {
                keymap = Dictionary(device.symbols.map { ("\($0.key)", $0.value) }) { first, _ in first }
            }
        }
    }

    private init() {}

    private mutating func describe(_ update: TouchUpdate) {
        (id, phase, x, y) = (update.id, "\(update.phase)", update.point.x, update.point.y)
        let attributes = update.attributes
        // Absent measurements mean no change, so all are included unless nothing was ever measured.
        (force, orientation) = (attributes.force, attributes.orientation)
        (majorRadius, minorRadius) = (attributes.majorRadius, attributes.minorRadius)
        describe(attributes.tool)
        if attributes == .finger, update.phase == .began {
            (force, orientation, majorRadius, minorRadius, tool) = (nil, nil, nil, nil, nil)
        }
    }

    private mutating func describe(_ tool: Event.TouchAttributes.Tool) {
        self.tool = tool.name
        guard let pencil = tool.pencil else { return }
        (altitude, azimuth, roll, buttons) = (pencil.altitude, pencil.azimuth, pencil.roll, pencil.buttons.list)
    }
}

/// The event `input` of `GET /v1/events`.
struct InputLine: Encodable {
    let event = "input"
    /// Microseconds of the server's clock.
    var time: UInt64
    /// `real` or `manual`: the clock of that time.
    var clock: String
    var input: InputStepPayload
}
