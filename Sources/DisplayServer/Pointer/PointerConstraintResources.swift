// zwp_pointer_constraints_v1, zwp_locked_pointer_v1 and zwp_confined_pointer_v1

import Compositor
import MullionGeometry
import MullionWayland
import WindowModel

/// zwp_pointer_constraints_v1: keeps the pointer on a surface.
final class PointerConstraintsResource: Resource {
    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ZwpPointerConstraintsV1.Request.self, opcode, &reader) {
        case .destroy: destroy()
        case .lockPointer(let id, let surface, let pointer, let region, let lifetime):
            let seat = try connection.resource(pointer, as: PointerResource.self).seat
            let surface = try free(surface, for: seat)
            let lock = try LockedPointerResource(
                client, id: id, version: version, seat: seat, surface: surface, region: copy(region),
                isOneshot: isOneshot(lifetime))
            lock.pointer.updateConstraint()
        case .confinePointer(let id, let surface, let pointer, let region, let lifetime):
            let seat = try connection.resource(pointer, as: PointerResource.self).seat
            let surface = try free(surface, for: seat)
            let confinement = try ConfinedPointerResource(
                client, id: id, version: version, seat: seat, surface: surface, region: copy(region),
                isOneshot: isOneshot(lifetime))
            confinement.pointer.updateConstraint()
        }
    }

    private func free(_ id: ObjectID, for seat: ServerSeat) throws(ProtocolError) -> SurfaceResource {
        let surface = try connection.resource(id, as: SurfaceResource.self)
        guard surface.constraint(of: seat) == nil else {
            throw ProtocolError(
                object: self.id, code: ZwpPointerConstraintsV1.Error.alreadyConstrained.rawValue,
                message: "surface \(id) already has a lock or confinement for this seat")
        }
        return surface
    }

    private func copy(_ region: ObjectID?) throws(ProtocolError) -> KeptRegion? {
        try connection.resource(region, as: RegionResource.self)?.keep()
    }

    private func isOneshot(_ lifetime: ZwpPointerConstraintsV1.Lifetime) throws(ProtocolError) -> Bool {
        guard lifetime == .oneshot || lifetime == .persistent else {
            throw ProtocolError(
                .invalidMethod, object: id,
                message: "\(lifetime.rawValue) is not a lifetime; use 1 (oneshot) or 2 (persistent)")
        }
        return lifetime == .oneshot
    }
}

/// zwp_locked_pointer_v1: the pointer does not move; only relative motion is sent.
final class LockedPointerResource: PointerConstraint {
    override var holdsStill: Bool { true }

    override func sendState(isActive: Bool) {
        if isActive { send(ZwpLockedPointerV1.Event.locked) } else { send(ZwpLockedPointerV1.Event.unlocked) }
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ZwpLockedPointerV1.Request.self, opcode, &reader) {
        case .destroy:
            let (surface, hint, wasActive) = (surface, hint, isActive)
            destroy()
            // The client drew its own cursor there, so the pointer continues from where the user saw it.
            if wasActive, let surface, let hint { seat.pointer.warp(to: hint, on: surface) }
        case .setCursorPositionHint(let x, let y): changeSurface { $0.hint = Point(x: x.double, y: y.double) }
        case .setRegion(let region):
            let region = try regionChange(region)
            changeSurface { $0.region = region }
        }
    }
}

/// zwp_confined_pointer_v1: the pointer stays within the region.
final class ConfinedPointerResource: PointerConstraint {
    override func sendState(isActive: Bool) {
        if isActive { send(ZwpConfinedPointerV1.Event.confined) } else { send(ZwpConfinedPointerV1.Event.unconfined) }
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ZwpConfinedPointerV1.Request.self, opcode, &reader) {
        case .destroy: destroy()
        case .setRegion(let region):
            let region = try regionChange(region)
            changeSurface { $0.region = region }
        }
    }
}

extension PointerConstraint {
    /// Records a change for the surface's next commit; does nothing when the constraint has ended.
    fileprivate func changeSurface(_ body: (inout Change) -> Void) {
        guard let state = surface?.change else { return }
        var change = Change(seat: seat.id)
        body(&change)
        state.ownExtensions.pointerConstraints.merge(change)
    }

    fileprivate func regionChange(_ id: ObjectID?) throws(ProtocolError) -> SurfaceState.RegionChange {
        guard let region = try connection.resource(id, as: RegionResource.self) else { return .unset }
        return .region(try region.keep())
    }
}
