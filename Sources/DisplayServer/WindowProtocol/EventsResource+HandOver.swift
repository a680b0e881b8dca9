// mullion_events_v1 and mullion_interaction_v1 for a server that takes over.

import Wayland
import WindowModel

extension EventsResource: HandedOver {
    struct Record: Codable {
        struct Types: Codable {
            var window: Window.ID
            var types: UInt32
        }

        var types: [Types]
        var receivesRemoteControl: Bool
        var sequences: EventSequences
        var knownSeats: [UInt32]

        func make(_ id: ObjectID, _ version: UInt32, _ reader: HandOverReader) throws {
            let object = try EventsResource(reader.client, id: id, version: version)
            for entry in types {
                object.types[entry.window] = MullionEventsV1.EventTypes(rawValue: entry.types)
            }
            // The model knows of it already.
            object.receivesRemoteControl = receivesRemoteControl
            object.sequences = sequences
            object.knownSeats = knownSeats
        }
    }

    func record(in writer: HandOverWriter) -> ObjectRecord.State {
        .events(
            Record(
                types: types.sorted { $0.key < $1.key }.map {
                    Record.Types(window: $0.key, types: $0.value.rawValue)
                }, receivesRemoteControl: receivesRemoteControl, sequences: sequences, knownSeats: knownSeats))
    }
}

extension InteractionResource: HandedOver {
    func record(in writer: HandOverWriter) -> ObjectRecord.State { .interaction(token) }
}
