// The area that a finger touches, as wl_touch has it.

import Geometry
import Glibc
import Wayland
import WindowModel

/// An ellipse, as a client knows it; all is 0 before anything was measured.
struct TouchShape: Equatable {
    /// The whole axes, in the surface's points.
    private(set) var major = Fixed(rawValue: 0)
    private(set) var minor = Fixed(rawValue: 0)
    /// Of the longer axis, from the surface's vertical one; degrees −180…180, clockwise.
    private(set) var orientation = Fixed(rawValue: 0)

    init() {}

    /// - Parameter old: what stays where nothing is measured.
    init(_ event: Event, in model: WindowModel, after old: TouchShape) {
        self = old
        guard let attributes = event.touchAttributes, attributes.majorRadius > 0 else { return }
        let up = Point(x: sin(attributes.orientation), y: -cos(attributes.orientation))
        let axis = Self.onSurface(up * attributes.majorRadius, event, model)
        let length = (axis.x * axis.x + axis.y * axis.y).squareRoot()
        // What is not measured across is a circle.
        let ratio = attributes.minorRadius > 0 ? attributes.minorRadius / attributes.majorRadius : 1
        major = Fixed(rounding: length * 2)
        minor = Fixed(rounding: length * 2 * ratio)
        orientation = Fixed(rounding: atan2(axis.x, -axis.y) * 180 / Double.pi)
    }

    /// R4: a direction of the screen as the surface has it, which may be turned and scaled.
    private static func onSurface(_ vector: Point, _ event: Event, _ model: WindowModel) -> Point {
        let surface = event.surface ?? event.window.flatMap { model.root(of: $0) }
        guard let surface, let screen = event.screen,
            let start = model.convert(event.screenLocation, on: screen, to: surface),
            let end = model.convert(event.screenLocation + vector, on: screen, to: surface)
        else { return vector }
        return end - start
    }
}
