// The area of a touch, in wl_touch's terms.

import Glibc
import MullionGeometry
import MullionWayland
import WindowModel

/// An ellipse as a client knows it; all zero before anything was measured.
struct TouchShape: Equatable {
    /// The full length of the axis, in the surface's points.
    private(set) var major = Fixed(rawValue: 0)
    private(set) var minor = Fixed(rawValue: 0)
    /// The direction of the longer axis, relative to the surface's vertical one; degrees −180…180, clockwise.
    private(set) var orientation = Fixed(rawValue: 0)

    init() {}

    /// - Parameter old: the values for what was not measured.
    init(_ event: Event, in model: WindowModel, after old: TouchShape) {
        self = old
        guard let attributes = event.touchAttributes, attributes.majorRadius > 0 else { return }
        let up = Point(x: sin(attributes.orientation), y: -cos(attributes.orientation))
        let axis = event.onSurface(up * attributes.majorRadius, in: model)
        let length = (axis.x * axis.x + axis.y * axis.y).squareRoot()
        // Without a minor radius the area is a circle.
        let ratio = attributes.minorRadius > 0 ? attributes.minorRadius / attributes.majorRadius : 1
        major = Fixed(rounding: length * 2)
        minor = Fixed(rounding: length * 2 * ratio)
        orientation = Fixed(rounding: atan2(axis.x, -axis.y) * 180 / Double.pi)
    }
}

extension Event {
    /// R4: converts a direction on the screen to the surface, which may be rotated and scaled.
    func onSurface(_ vector: Point, in model: WindowModel) -> Point {
        let surface = surface ?? window.flatMap { model.root(of: $0) }
        guard let surface, let screen,
            let start = model.convert(screenLocation, on: screen, to: surface),
            let end = model.convert(screenLocation + vector, on: screen, to: surface)
        else { return vector }
        return end - start
    }
}
