// Sources and offers of data for a server that takes over.

import MullionWayland
import WindowModel

extension Resource {
    /// How a saved state names the object.
    var reference: ObjectReference { ObjectReference(application: client.application, object: id) }
}

extension Selection {
    struct SavedState: Codable {
        var source: ObjectReference?
        var serial: UInt32
        var isUnsent: Bool
    }

    var savedState: SavedState { SavedState(source: source?.reference, serial: serial, isUnsent: isUnsent) }
}

extension DataDeviceManagerResource: RestorableGlobal {
    typealias Interface = WlDataDeviceManager
}

extension PrimaryDeviceManagerResource: RestorableGlobal {
    typealias Interface = ZwpPrimarySelectionDeviceManagerV1
}

extension DataDeviceResource: RestorableSeatObject {
    typealias Interface = WlDataDevice
}

extension PrimaryDeviceResource: RestorableSeatObject {
    typealias Interface = ZwpPrimarySelectionDeviceV1
}

extension DataSourceResource: Restorable {
    struct SavedState: ObjectState {
        var types: [String]
        var use: Use?
        var actions: UInt32?

        var variableSize: Int { types.reduce(0) { $0 + $1.utf8.count } }
    }

    static var interfaces: [any WaylandInterface.Type] { [WlDataSource.self] }
    static var restorationPhase: RestorationPhase { .independent }

    func savedState(_ writer: HandOverWriter) -> SavedState {
        SavedState(types: types.all, use: use, actions: actions?.rawValue)
    }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        let object = try DataSourceResource(reader.client, id: id, version: version)
        for type in state.types { try object.types.append(type, of: id) }
        object.use = state.use
        object.actions = state.actions.map { DragActions(rawValue: $0) }
    }
}

extension DataOfferResource: Restorable {
    struct SavedState: FixedSizeState {
        var source: ObjectReference?
        var isDrag: Bool
        var isFinished: Bool
    }

    static var interfaces: [any WaylandInterface.Type] { [WlDataOffer.self] }
    static var restorationPhase: RestorationPhase { .dependents }

    func savedState(_ writer: HandOverWriter) -> SavedState {
        SavedState(
            source: source.flatMap { $0.isAlive ? $0.reference : nil }, isDrag: negotiation != nil,
            isFinished: isFinished)
    }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) {
        let source = state.source.flatMap { reader.object($0) as? any SelectionSource }
        let object = DataOfferResource(
            reader.client, version: version, source: source, negotiation: state.isDrag ? DragNegotiation() : nil)
        object.isFinished = state.isFinished
    }
}

extension PrimarySourceResource: Restorable {
    struct SavedState: ObjectState {
        var types: [String]

        var variableSize: Int { types.reduce(0) { $0 + $1.utf8.count } }
    }

    static var interfaces: [any WaylandInterface.Type] { [ZwpPrimarySelectionSourceV1.self] }
    static var restorationPhase: RestorationPhase { .independent }

    func savedState(_ writer: HandOverWriter) -> SavedState { SavedState(types: types.all) }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        let object = try PrimarySourceResource(reader.client, id: id, version: version)
        try object.restore(state.types)
    }
}

extension PrimaryOfferResource: Restorable {
    struct SavedState: FixedSizeState {
        var source: ObjectReference?
    }

    static var interfaces: [any WaylandInterface.Type] { [ZwpPrimarySelectionOfferV1.self] }
    static var restorationPhase: RestorationPhase { .dependents }

    func savedState(_ writer: HandOverWriter) -> SavedState {
        SavedState(source: source.flatMap { $0.isAlive ? $0.reference : nil })
    }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) {
        let source = state.source.flatMap { reader.object($0) as? any SelectionSource }
        _ = PrimaryOfferResource(reader.client, version: version, source: source)
    }
}
