// Encodes the model's events for mullion_events_v1.

import MullionGeometry
import MullionWayland
import WindowModel

/// The position of an event, by the ids of the client's objects.
struct EventPlace {
    let window: ObjectID
    /// Nil for the window itself.
    let surface: ObjectID?
    let screen: ObjectID?
    /// In the surface's points, or the window's without one.
    let location: Point
    /// In the screen's points.
    let screenLocation: Point

    fileprivate var x: Fixed { Fixed(rounding: location.x) }
    fileprivate var y: Fixed { Fixed(rounding: location.y) }
    fileprivate var screenX: Fixed { Fixed(rounding: screenLocation.x) }
    fileprivate var screenY: Fixed { Fixed(rounding: screenLocation.y) }
}

extension EventsResource {
    /// Sends the parts of the event.
    func sendEvent(_ event: Event, _ phase: MullionEventsV1.Phase, buttons: UInt32, at place: EventPlace) {
        switch event.detail {
        case .touch(let id) where event.kind == .hover:
            sendHover(phase, at: place)
            if let pencil = event.touchAttributes?.tool.pencil { sendPencil(pencil, id) }
        case .touch(let id):
            let shape = event.touchAttributes ?? .finger
            sendTouch(id, phase, shape.tool == .direct ? .direct : .pencil, buttons: 0, at: place)
            if shape != .finger { sendShape(shape) }
            // Altitude and azimuth are in the shape.
            if let pencil = shape.tool.pencil,
                pencil != Pencil(altitude: pencil.altitude, azimuth: pencil.azimuth), knowsPencils
            {
                sendPencil(pencil, id)
            }
        case .pointer where event.kind == .hover: sendHover(phase, at: place)
        case .pointer, .button: sendTouch(0, phase, .indirectPointer, buttons: buttons, at: place)
        case .key(let code): send(MullionEventsV1.Event.press(window: place.window, key: code, phase: phase))
        case .shake: send(MullionEventsV1.Event.motion(window: place.window, phase: phase))
        case .scroll(let scroll): sendScroll(scroll, phase, at: place)
        case .transform(let gesture): sendGesture(gesture, phase, at: place)
        case .remoteControl: break  // Its subtype says it all.
        }
    }

    private func sendTouch(
        _ id: Int32, _ phase: MullionEventsV1.Phase, _ tool: MullionEventsV1.Tool, buttons: UInt32,
        at place: EventPlace
    ) {
        send(
            MullionEventsV1.Event.touch(
                window: place.window, surface: place.surface, id: id, phase: phase, tool: tool, buttons: buttons,
                x: place.x, y: place.y, screen: place.screen, screenX: place.screenX, screenY: place.screenY))
    }

    private func sendShape(_ shape: Event.TouchAttributes) {
        send(
            MullionEventsV1.Event.shape(
                force: UInt32((shape.force * Double(UInt32.max)).rounded()),
                majorRadius: Fixed(rounding: shape.majorRadius), minorRadius: Fixed(rounding: shape.minorRadius),
                orientation: Self.whole(shape.orientation), altitude: Self.whole(shape.tool.pencil?.altitude ?? 0),
                azimuth: Self.whole(shape.tool.pencil?.azimuth ?? 0)))
    }

    private func sendHover(_ phase: MullionEventsV1.Phase, at place: EventPlace) {
        send(
            MullionEventsV1.Event.hover(
                window: place.window, surface: place.surface, phase: phase, x: place.x, y: place.y,
                screen: place.screen, screenX: place.screenX, screenY: place.screenY))
    }

    /// Since version 2.
    private func sendPencil(_ pencil: Pencil, _ id: Int32) {
        send(
            MullionEventsV1.Event.pencil(
                id: id, end: pencil.end == .eraser ? .eraser : .tip, buttons: UInt32(pencil.buttons.rawValue),
                altitude: Self.whole(pencil.altitude), azimuth: Self.whole(pencil.azimuth),
                roll: Self.whole(pencil.roll),
                distance: UInt32((pencil.distance * Double(UInt32.max)).rounded())))
    }

    private func sendScroll(_ scroll: Event.Scroll, _ phase: MullionEventsV1.Phase, at place: EventPlace) {
        send(
            MullionEventsV1.Event.scroll(
                window: place.window, surface: place.surface, phase: phase, source: scroll.source.wire,
                deltaX: Fixed(rounding: scroll.deltaX), deltaY: Fixed(rounding: scroll.deltaY),
                stepsX: scroll.stepsX, stepsY: scroll.stepsY, x: place.x, y: place.y, screen: place.screen,
                screenX: place.screenX, screenY: place.screenY))
    }

    private func sendGesture(_ gesture: Event.TransformGesture, _ phase: MullionEventsV1.Phase, at place: EventPlace) {
        send(
            MullionEventsV1.Event.transform(
                window: place.window, surface: place.surface, phase: phase, gesture: gesture.kind.wire,
                fingers: UInt32(gesture.fingers), scale: Self.whole(gesture.scale),
                rotation: Self.whole(gesture.rotation), deltaX: Fixed(rounding: gesture.deltaX),
                deltaY: Fixed(rounding: gesture.deltaY), x: place.x, y: place.y, screen: place.screen,
                screenX: place.screenX, screenY: place.screenY))
    }

    /// The nearest 16.16 value.
    private static func whole(_ value: Double) -> Int32 {
        Int32(min(max((value * 65_536).rounded(), Double(Int32.min)), Double(Int32.max)))
    }
}

extension Event.Kind {
    /// The bit of the type; none for remote control.
    var bit: MullionEventsV1.EventTypes {
        self == .remoteControl ? [] : MullionEventsV1.EventTypes(rawValue: 1 << UInt32(rawValue))
    }
}

extension Event.Phase {
    /// Both use UIKit's numbers.
    var wire: MullionEventsV1.Phase { MullionEventsV1.Phase(rawValue: UInt32(rawValue)) }
}

extension Event.Scroll.Source {
    fileprivate var wire: MullionEventsV1.Source {
        switch self {
        case .wheel: .wheel
        case .finger: .finger
        case .continuous: .continuous
        }
    }
}

extension Event.TransformGesture.Kind {
    fileprivate var wire: MullionEventsV1.Gesture {
        switch self {
        case .pinch: .pinch
        case .rotate: .rotate
        case .swipe: .swipe
        }
    }
}
