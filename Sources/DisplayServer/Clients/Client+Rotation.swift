// R3: what applications that do not rotate see of screens and events.

import Geometry
import WindowModel

extension Client {
    var rotationPolicy: Application.RotationPolicy {
        server.model.application(application)?.rotationPolicy ?? .rotating
    }

    /// The event as the application sees it: on a screen in portrait.
    func seen(_ event: Event) -> Event {
        guard rotationPolicy == .fixed, let screen = event.screen.flatMap({ server.model.screen($0) }),
            screen.orientation != .portrait
        else { return event }
        var event = event
        switch event.detail {
        // These have no position.
        case .key, .shake, .remoteControl: return event
        case .transform(var gesture):
            let origin = screen.convertToFixed(.zero)
            let delta = screen.convertToFixed(Point(x: gesture.deltaX, y: gesture.deltaY)) - origin
            (gesture.deltaX, gesture.deltaY) = (delta.x, delta.y)
            event.detail = .transform(gesture)
        case .touch, .pointer, .button, .scroll: break
        }
        event.screenLocation = screen.convertToFixed(event.screenLocation)
        event.touchAttributes = event.touchAttributes?.turned(by: -screen.orientation.angle)
        return event
    }
}

extension Screen.Orientation {
    /// From the panel's up to that of the content, clockwise.
    fileprivate var angle: Double {
        switch self {
        case .portrait: 0
        case .landscapeRight: -.pi / 2
        case .portraitUpsideDown: .pi
        case .landscapeLeft: .pi / 2
        }
    }
}

extension Event.TouchAttributes {
    /// The contact in rotated coordinates; an angle that was not measured stays 0.
    fileprivate func turned(by angle: Double) -> Event.TouchAttributes {
        func turn(_ old: Double) -> Double { (old + angle).remainder(dividingBy: 2 * .pi) }
        var result = self
        if majorRadius > 0 { result.orientation = turn(orientation) }
        if case .pencil(let altitude, let azimuth) = tool {
            result.tool = .pencil(altitude: altitude, azimuth: turn(azimuth))
        }
        return result
    }
}
