// Clients' pointer objects, for a server that takes over.

import Compositor
import MullionGeometry
import MullionWayland
import WindowModel

extension RelativePointerManagerResource: RestorableGlobal {
    typealias Interface = ZwpRelativePointerManagerV1
}

extension PointerConstraintsResource: RestorableGlobal {
    typealias Interface = ZwpPointerConstraintsV1
}

extension PointerGesturesResource: RestorableGlobal {
    typealias Interface = ZwpPointerGesturesV1
}

extension VirtualPointerManagerResource: RestorableGlobal {
    typealias Interface = ZwlrVirtualPointerManagerV1
}

extension RelativePointerResource: RestorableSeatObject {
    typealias Interface = ZwpRelativePointerV1
}

extension PointerResource: Restorable {
    struct SavedState: FixedSizeState {
        var seat: Seat.ID
        var enterSerial: UInt32?
    }

    static var interfaces: [any WaylandInterface.Type] { [WlPointer.self] }
    static var restorationPhase: RestorationPhase { .devices }

    func savedState(_ writer: HandOverWriter) -> SavedState {
        SavedState(seat: seat.id, enterSerial: enterSerial)
    }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        let seat = try reader.seat(state.seat)
        let object = try PointerResource(reader.client, id: id, version: version, seat: seat)
        object.enterSerial = state.enterSerial
    }
}

extension PointerGestureResource: Restorable {
    struct SavedState: FixedSizeState {
        var seat: Seat.ID
        var kind: PointerGestureKind
    }

    static var interfaces: [any WaylandInterface.Type] {
        [ZwpPointerGestureSwipeV1.self, ZwpPointerGesturePinchV1.self, ZwpPointerGestureHoldV1.self]
    }
    static var restorationPhase: RestorationPhase { .devices }

    func savedState(_ writer: HandOverWriter) -> SavedState { SavedState(seat: seat.id, kind: kind) }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        let seat = try reader.seat(state.seat)
        _ = try PointerGestureResource(reader.client, id: id, version: version, seat: seat, kind: state.kind)
    }
}

extension VirtualPointerResource: Restorable {
    struct SavedState: FixedSizeState {
        var seat: Seat.ID
        var area: Area
        var scrolling: VirtualScrolling
    }

    static var interfaces: [any WaylandInterface.Type] { [ZwlrVirtualPointerV1.self] }
    static var restorationPhase: RestorationPhase { .devices }

    func savedState(_ writer: HandOverWriter) -> SavedState {
        SavedState(seat: seat.id, area: area, scrolling: scrolling)
    }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        let seat = try reader.seat(state.seat)
        let object = try VirtualPointerResource(reader.client, id: id, version: version, seat: seat, area: state.area)
        object.scrolling = state.scrolling
    }
}

extension PointerConstraint: Restorable {
    struct SavedState: ObjectState {
        var seat: Seat.ID
        var isLock: Bool
        var surface: ObjectID?
        var region: [IntRect]?
        var hint: Point?
        var isOneshot: Bool
        var isActive: Bool

        var variableSize: Int { region?.encodedSize ?? 0 }
    }

    static var interfaces: [any WaylandInterface.Type] { [ZwpLockedPointerV1.self, ZwpConfinedPointerV1.self] }
    /// After the pointer has its focus and its surface.
    static var restorationPhase: RestorationPhase { .dependents }

    func savedState(_ writer: HandOverWriter) -> SavedState {
        SavedState(
            seat: seat.id, isLock: self is LockedPointerResource, surface: surface?.id,
            region: region?.region.rectangles, hint: hint, isOneshot: isOneshot, isActive: isActive)
    }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        let seat = try reader.seat(state.seat)
        let surface: SurfaceResource? = try reader.resource(state.surface)
        guard surface?.constraint(of: seat) == nil else {
            throw HandOverError("surface \(id) has two locks or confinements")
        }
        let region = state.region.map { KeptRegion(Region(of: $0), for: reader.client) }
        let object: PointerConstraint =
            state.isLock
            ? try LockedPointerResource(
                reader.client, id: id, version: version, seat: seat, surface: surface, region: region,
                isOneshot: state.isOneshot)
            : try ConfinedPointerResource(
                reader.client, id: id, version: version, seat: seat, surface: surface, region: region,
                isOneshot: state.isOneshot)
        object.hint = state.hint
        if state.isActive, surface != nil, seat.pointer.surface === surface { seat.pointer.constraint = object }
    }
}
