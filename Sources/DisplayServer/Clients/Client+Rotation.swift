// R3: what applications that do not rotate see of screens and events.

import MullionGeometry
import WindowModel

extension Client {
    var rotationPolicy: Application.RotationPolicy {
        server.model.application(application)?.rotationPolicy ?? .rotating
    }

    /// The event as the application sees it: on a screen in portrait.
    func seen(_ event: Event) -> Event {
        guard let screen = turnedScreen(event.screen) else { return event }
        var event = event
        switch event.detail {
        // These have no position.
        case .key, .shake, .remoteControl: return event
        case .transform(var gesture):
            let delta = screen.orientation.toPortrait(Point(x: gesture.deltaX, y: gesture.deltaY))
            (gesture.deltaX, gesture.deltaY) = (delta.x, delta.y)
            event.detail = .transform(gesture)
        case .scroll(var scroll):
            let delta = screen.orientation.toPortrait(Point(x: scroll.deltaX, y: scroll.deltaY))
            let steps = screen.orientation.toPortrait(Point(x: Double(scroll.stepsX), y: Double(scroll.stepsY)))
            (scroll.deltaX, scroll.deltaY) = (delta.x, delta.y)
            // The least number has no opposite.
            (scroll.stepsX, scroll.stepsY) = (Int32(clamping: Int(steps.x)), Int32(clamping: Int(steps.y)))
            event.detail = .scroll(scroll)
        case .touch, .pointer, .button: break
        }
        event.screenLocation = screen.convertToFixed(event.screenLocation)
        event.touchAttributes = event.touchAttributes?.turned(by: -screen.orientation.angle)
        return event
    }

    /// A distance on a screen as the application sees it.
    func seen(_ delta: Point, on screen: Screen.ID?) -> Point {
        turnedScreen(screen)?.orientation.toPortrait(delta) ?? delta
    }

    /// The screen if the application sees it in another orientation than it has.
    private func turnedScreen(_ id: Screen.ID?) -> Screen? {
        guard rotationPolicy == .fixed, let screen = id.flatMap({ server.model.screen($0) }),
            screen.orientation != .portrait
        else { return nil }
        return screen
    }
}

extension Screen.Orientation {
    /// A vector in the fixed coordinate space (S4) instead of the screen's points.
    fileprivate func toPortrait(_ vector: Point) -> Point {
        switch self {
        case .portrait: vector
        case .portraitUpsideDown: Point(x: -vector.x, y: -vector.y)
        case .landscapeLeft: Point(x: vector.y, y: -vector.x)
        case .landscapeRight: Point(x: -vector.y, y: vector.x)
        }
    }

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
        if var pencil = tool.pencil {
            pencil.azimuth = turn(pencil.azimuth)
            result.tool = .pencil(pencil)
        }
        return result
    }
}
