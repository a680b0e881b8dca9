// Decorations and activation tokens for a server that takes over.

import MullionWayland
import WindowModel

extension DecorationManagerResource: RestorableGlobal {
    typealias Interface = ZxdgDecorationManagerV1
}

extension ActivationResource: RestorableGlobal {
    typealias Interface = XdgActivationV1
}

extension DecorationResource: Restorable {
    struct SavedState: FixedSizeState {
        var toplevel: ObjectID?
        var requested: Mode?
        var owesAnswer: Bool
    }

    static var interfaces: [any WaylandInterface.Type] { [ZxdgToplevelDecorationV1.self] }
    static var restorationPhase: RestorationPhase { .dependents }

    func savedState(_ writer: HandOverWriter) -> SavedState {
        SavedState(
            toplevel: toplevel.flatMap { $0.isAlive ? $0.id : nil }, requested: requested, owesAnswer: owesAnswer)
    }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        let object = try DecorationResource(reader.client, id: id, version: version)
        object.requested = state.requested
        if state.owesAnswer { object.scheduleAnswer() }
        object.toplevel = try reader.resource(state.toplevel)
        object.toplevel?.ownExtensions.decoration = object
    }
}

extension ActivationTokenResource: Restorable {
    struct SavedState: FixedSizeState {
        var seat: Seat.ID?
        var isUsed: Bool
    }

    static var interfaces: [any WaylandInterface.Type] { [XdgActivationTokenV1.self] }
    static var restorationPhase: RestorationPhase { .independent }

    func savedState(_ writer: HandOverWriter) -> SavedState { SavedState(seat: seat, isUsed: isUsed) }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        // A token from before the restart makes no window key: its list is this object's only.
        let object = try ActivationTokenResource(
            reader.client, id: id, version: version, tokens: ActivationTokens())
        object.seat = state.seat
        object.isUsed = state.isUsed
    }
}

extension ZxdgToplevelDecorationV1.Mode: Codable {}
