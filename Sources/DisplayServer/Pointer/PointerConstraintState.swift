// Changes of a surface's locks and confinements, pending until its commit.

import MullionGeometry
import MullionWayland
import WindowModel

/// zwp_pointer_constraints_v1's part of a surface's double-buffered state.
struct PointerConstraintState: SurfaceExtensionState {
    /// At most one per seat.
    private var changes: [PointerConstraint.Change] = []

    /// Merges a later change.
    mutating func merge(_ change: PointerConstraint.Change) {
        guard let index = changes.firstIndex(where: { $0.seat == change.seat }) else {
            return changes.append(change)
        }
        changes[index].merge(change)
    }

    mutating func merge(_ later: PointerConstraintState) {
        for change in later.changes { merge(change) }
    }

    /// Called for every commit, because it may have changed the surface's size or input region.
    func didApplyContents(to surface: SurfaceResource) {
        for constraint in surface.constraints {
            constraint.surfaceDidCommit(changes.first { $0.seat == constraint.seat.id })
        }
    }
}

extension PointerConstraintState {
    struct SavedState: ObjectState {
        struct Change: Codable {
            var seat: Seat.ID
            var region: SurfaceState.SavedState.Region
            var hint: Point?
        }

        var changes: [Change]

        var variableSize: Int { changes.reduce(0) { $0 + $1.region.size } }
    }

    var savedState: SavedState {
        SavedState(
            changes: changes.map {
                SavedState.Change(seat: $0.seat, region: SurfaceState.SavedState.Region($0.region), hint: $0.hint)
            })
    }

    init(_ saved: SavedState, for client: Client) {
        changes = saved.changes.map {
            PointerConstraint.Change(seat: $0.seat, region: $0.region.change(for: client), hint: $0.hint)
        }
    }
}

extension SurfaceResource {
    /// At most one per seat's pointer.
    var constraints: [PointerConstraint] { extensions?.pointerConstraints ?? [] }

    /// The lock or confinement of a seat's pointer.
    func constraint(of seat: ServerSeat) -> PointerConstraint? { constraints.first { $0.seat === seat } }
}
