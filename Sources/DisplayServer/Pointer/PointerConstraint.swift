// Locks and confinements of the pointer: when they are active, and what they allow.

import Compositor
import MullionGeometry
import MullionWayland
import WindowModel

/// A lock or a confinement that a client requested for one of its surfaces. It becomes active when the pointer is on
/// the surface and within the region, and remains so as long as the surface has the pointer.
class PointerConstraint: SeatObject {
    /// A change that the surface's next commit applies.
    struct Change {
        let seat: Seat.ID
        var region = SurfaceState.RegionChange.unchanged
        /// The position at which the client has drawn its own cursor, in the surface's points.
        var hint: Point?

        mutating func merge(_ later: Change) {
            if case .unchanged = later.region {} else { region = later.region }
            hint = later.hint ?? hint
        }
    }

    /// The most rectangles in the intersection of two regions; with more, the input region's bounds are used.
    private static let mostRectangles = 1 << 16

    // The surface reports its destruction. Nil: the constraint will never be active again.
    private(set) weak var surface: SurfaceResource?
    let isOneshot: Bool
    /// Nil: the whole surface.
    private(set) var region: KeptRegion?
    /// `region` within the input region, computed once per commit.
    private var allowed: Region?
    var hint: Point?

    init(
        _ client: Client, id: ObjectID, version: UInt32, seat: ServerSeat, surface: SurfaceResource?,
        region: KeptRegion?,
        isOneshot: Bool
    ) throws(ProtocolError) {
        self.surface = surface
        self.region = region
        self.isOneshot = isOneshot
        try super.init(client, id: id, version: version, seat: seat)
        surface?.ownExtensions.pointerConstraints.append(self)
    }

    /// Whether the pointer cannot move at all.
    var holdsStill: Bool { false }
    /// Notifies the client that the constraint becomes active or inactive.
    func sendState(isActive: Bool) {}

    final var pointer: Pointer { seat.pointer }
    final var isActive: Bool { pointer.constraint === self }

    // MARK: Holding

    final func activate() {
        pointer.constraint = self
        sendState(isActive: true)
    }

    /// Deactivates the constraint, which ends a one-shot constraint.
    final func deactivate() {
        guard isActive else { return }
        pointer.constraint = nil
        sendState(isActive: false)
        if isOneshot { end() }
    }

    private func end() {
        surface?.extensions?.pointerConstraints.removeAll { $0 === self }
        surface = nil
    }

    override func willDestroy() {
        if isActive { pointer.constraint = nil }
        end()
    }

    /// Called when the surface is being destroyed, which ends the constraint.
    final func surfaceWillBeDestroyed() {
        deactivate()
        end()
    }

    /// Called when the surface's state has changed, possibly with a change of this constraint.
    final func surfaceDidCommit(_ change: Change?) {
        allowed = nil
        if let change {
            switch change.region {
            case .unchanged: break
            case .unset: region = nil
            case .region(let new): region = new
            }
            hint = change.hint ?? hint
        }
        if isActive { pointer.holdWithinConstraint() } else { pointer.updateConstraint() }
    }

    // MARK: Places

    /// Whether the pointer can be at a point of the surface: in the region, the input region and the surface.
    final func contains(_ point: Point) -> Bool { nearest(to: point) == point }

    /// The nearest allowed point; nil when there is none.
    final func nearest(to point: Point) -> Point? {
        guard let surface else { return nil }
        let bounds = surface.shownArea
        let allowed = self.allowed ?? allowedRegion(of: surface)
        self.allowed = allowed
        var nearest: (point: Point, distance: Double)?
        allowed.forEachRectangle { part in
            let rect = Rect(part).intersection(bounds)
            guard !rect.isEmpty else { return }
            let inside = rect.contains(point) ? point : point.clamped(to: rect)
            let (x, y) = (inside.x - point.x, inside.y - point.y)
            let distance = x * x + y * y
            if nearest == nil || distance < nearest?.distance ?? 0 { nearest = (inside, distance) }
        }
        return nearest?.point
    }

    private func allowedRegion(of surface: SurfaceResource) -> Region {
        let allowed = region?.region.copy() ?? Region(.everything)
        guard let input = surface.inputRegion?.region else { return allowed }
        // The intersection of two regions of stripes can have as many rectangles as the product of their numbers.
        let isModest = allowed.rectangleCount * input.rectangleCount <= Self.mostRectangles
        if isModest { allowed.intersect(input) } else { allowed.intersect(input.extents) }
        return allowed
    }
}

extension SurfaceResource {
    /// Its area: its content, and for a window of the extension the frame (C2).
    var shownArea: Rect {
        var area = Rect(origin: .zero, size: size ?? .zero)
        if role is WindowResource, let size = window.flatMap({ server.model.frame(of: $0)?.size }) {
            area = area.union(Rect(origin: .zero, size: size))
        }
        return area
    }
}

extension Rect {
    fileprivate init(_ rect: IntRect) {
        self.init(
            x: Double(rect.minX), y: Double(rect.minY), width: Double(rect.width), height: Double(rect.height))
    }
}
