// Tablets for a server that takes over. No pencil is near.

import MullionWayland
import WindowModel

extension TabletManagerResource: RestorableGlobal {
    typealias Interface = ZwpTabletManagerV2
}

extension TabletSeatResource: RestorableSeatObject {
    typealias Interface = ZwpTabletSeatV2
}

extension TabletResource: Restorable {
    static var interfaces: [any WaylandInterface.Type] { [ZwpTabletV2.self] }
    static var restorationPhase: RestorationPhase { .devices }

    static func restore(_ state: NoState, id: ObjectID, version: UInt32, _ reader: HandOverReader) {
        _ = TabletResource(reader.client, version: version)
    }
}

extension TabletToolResource: Restorable {
    struct SavedState: FixedSizeState {
        var seat: Seat.ID
        var kind: TabletTool.Kind
        /// Nil once it is destroyed.
        var tablet: ObjectID?
    }

    static var interfaces: [any WaylandInterface.Type] { [ZwpTabletToolV2.self] }
    static var restorationPhase: RestorationPhase { .dependents }

    func savedState(_ writer: HandOverWriter) -> SavedState {
        SavedState(seat: seat.id, kind: kind, tablet: tablet.flatMap { $0.isAlive ? $0.id : nil })
    }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        _ = TabletToolResource(
            reader.client, version: version, seat: try reader.seat(state.seat), state.kind,
            of: try reader.resource(state.tablet))
    }
}
