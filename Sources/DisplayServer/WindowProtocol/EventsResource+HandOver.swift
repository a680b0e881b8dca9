// mullion_events_v1 and mullion_interaction_v1 for a server that takes over.

import MullionWayland
import WindowModel

extension EventsResource: Restorable {
    struct SavedState: ObjectState {
        struct Types: Codable {
            var window: Window.ID
            var types: UInt32
        }

        var types: [Types]
        var receivesRemoteControl: Bool
        var sequences: EventSequences
        var knownSeats: [UInt32]

        var variableSize: Int { types.count * SavedObject.fixedSize / 2 }
    }

    static var interfaces: [any WaylandInterface.Type] { [MullionEventsV1.self] }
    static var restorationPhase: RestorationPhase { .independent }

    func savedState(_ writer: HandOverWriter) -> SavedState {
        SavedState(
            types: types.sorted { $0.key < $1.key }.map {
                SavedState.Types(window: $0.key, types: $0.value.rawValue)
            }, receivesRemoteControl: receivesRemoteControl, sequences: sequences, knownSeats: knownSeats)
    }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        let object = try EventsResource(reader.client, id: id, version: version)
        for entry in state.types {
            object.types[entry.window] = MullionEventsV1.EventTypes(rawValue: entry.types)
        }
        // The model already knows this.
        object.receivesRemoteControl = state.receivesRemoteControl
        object.sequences = state.sequences
        object.knownSeats = state.knownSeats
    }
}

extension InteractionResource: Restorable {
    struct SavedState: FixedSizeState {
        var token: Window.InteractionToken?
    }

    static var interfaces: [any WaylandInterface.Type] { [MullionInteractionV1.self] }
    static var restorationPhase: RestorationPhase { .independent }

    func savedState(_ writer: HandOverWriter) -> SavedState { SavedState(token: token) }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        let object = try InteractionResource(reader.client, id: id, version: version)
        object.token = state.token
    }
}
