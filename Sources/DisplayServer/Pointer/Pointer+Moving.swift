// Moves the pointer across the layout, within constraints.

import MullionGeometry
import WindowModel

extension Pointer {
    /// The position after a relative motion in points of the global layout: on the current screen as long as the motion
    /// stays on it, and at the layout's edge where there is no screen beyond.
    /// - Throws: S2 when there is no screen.
    func place(movedBy delta: Point) throws(ModelError) -> (screen: Screen.ID, point: Point) {
        let model = server.model
        let start =
            location.flatMap { model.convertToLayout($0.point, from: $0.screen) }
            ?? model.layoutBounds(of: seat.id).origin
        guard let place = model.place(nearest: start + delta, preferring: location?.screen, of: seat.id) else {
            throw ModelError(kind: .unknownScreen, rule: .s2, message: "no screen is connected")
        }
        return place
    }

    /// The distance to a point of a screen in the global layout; nil before the pointer first moves, or when it is
    /// there already.
    func delta(to point: Point, on screen: Screen.ID) -> Point? {
        guard let now = location, let from = server.model.convertToLayout(now.point, from: now.screen),
            let to = server.model.convertToLayout(point, from: screen), from != to
        else { return nil }
        return to - from
    }

    /// Called when the pointer may have come to where the constraint of the surface under it becomes active.
    func updateConstraint() {
        guard constraint == nil, let surface, !surface.constraints.isEmpty,
            let candidate = surface.constraint(of: seat), let location = location(on: surface),
            candidate.contains(location)
        else { return }
        candidate.activate()
    }

    /// The position that constraints allow when the pointer is moved to a point of a screen.
    func held(_ point: Point, on screen: Screen.ID) -> (screen: Screen.ID, point: Point) {
        guard let constraint, let surface = constraint.surface, let now = location else { return (screen, point) }
        if constraint.holdsStill { return now }
        guard let wanted = server.model.convert(point, on: screen, to: surface.node),
            let nearest = constraint.nearest(to: wanted)
        else { return now }
        if nearest == wanted, now.screen == screen { return (screen, point) }
        guard let place = server.model.convert(nearest, from: surface.node) else { return now }
        // W6: a window can extend beyond its screen, the pointer cannot.
        return (place.screen, server.model.clamp(place.point, to: place.screen) ?? place.point)
    }

    /// Called when the confining area has changed: moves the pointer into it, or releases the pointer if the area is
    /// empty.
    func holdWithinConstraint() {
        guard let constraint, !constraint.holdsStill, let surface = constraint.surface,
            let location = location(on: surface)
        else { return }
        guard let nearest = constraint.nearest(to: location) else { return constraint.deactivate() }
        if nearest != location { warp(to: nearest, on: surface) }
    }

    /// Moves the pointer to a point of a surface, if that is on a screen. The user has not moved it, so there is no
    /// relative motion.
    func warp(to point: Point, on surface: SurfaceResource) {
        guard let place = server.model.convert(point, from: surface.node),
            server.model.screen(place.screen)?.bounds.contains(place.point) == true
        else { return }
        server.logErrors { () throws(ModelError) in
            try server.model.pointerMoved(to: place.point, on: place.screen, time: server.clock.now)
        }
    }
}
