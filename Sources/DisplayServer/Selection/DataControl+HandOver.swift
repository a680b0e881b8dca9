// The objects of clients that control selections, for a server that takes over.

import MullionWayland
import WindowModel

extension DataControlDeviceResource: Restorable {
    struct SavedState: FixedSizeState {
        var seat: Seat.ID
        var hasPrimary: Bool
        var unsent: [Selection.Kind]
    }

    static var interfaces: [any WaylandInterface.Type] {
        [ExtDataControlDeviceV1.self, ZwlrDataControlDeviceV1.self]
    }
    static var restorationPhase: RestorationPhase { .devices }

    func savedState(_ writer: HandOverWriter) -> SavedState {
        SavedState(seat: seat.id, hasPrimary: hasPrimary, unsent: unsent)
    }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        let object = try DataControlDeviceResource(
            reader.client, id: id, version: version, seat: reader.seat(state.seat), hasPrimary: state.hasPrimary)
        object.unsent = state.unsent
    }
}

extension DataControlSourceResource: Restorable {
    struct SavedState: ObjectState {
        var types: [String]
        var isUsed: Bool

        var variableSize: Int { types.reduce(0) { $0 + $1.utf8.count } }
    }

    static var interfaces: [any WaylandInterface.Type] {
        [ExtDataControlSourceV1.self, ZwlrDataControlSourceV1.self]
    }
    static var restorationPhase: RestorationPhase { .independent }

    func savedState(_ writer: HandOverWriter) -> SavedState { SavedState(types: types.all, isUsed: isUsed) }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        let object = try DataControlSourceResource(reader.client, id: id, version: version)
        for type in state.types { try object.types.append(type, of: id) }
        object.isUsed = state.isUsed
    }
}

extension DataControlOfferResource: Restorable {
    struct SavedState: FixedSizeState {
        var source: ObjectReference?
    }

    static var interfaces: [any WaylandInterface.Type] { [ExtDataControlOfferV1.self, ZwlrDataControlOfferV1.self] }
    static var restorationPhase: RestorationPhase { .dependents }

    func savedState(_ writer: HandOverWriter) -> SavedState {
        SavedState(source: source.flatMap { $0.isAlive ? $0.reference : nil })
    }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) {
        let source = state.source.flatMap { reader.object($0) as? any SelectionSource }
        _ = DataControlOfferResource(reader.client, version: version, source: source)
    }
}
