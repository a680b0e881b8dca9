// ext_transient_seat_manager_v1 and ext_transient_seat_v1

import MullionWayland

/// ext_transient_seat_manager_v1: refuses seats, so that a remote desktop uses one that is there.
///
/// A seat is the person in front of screens of their own, on which alone it has a pointer and a key window (K1). One
/// that is added for a while would have none, and take screens from others if it did. So people are configured, each
/// with screens, and nobody adds them in passing.
final class TransientSeatManagerResource: Resource, RestorableGlobal {
    typealias Interface = ExtTransientSeatManagerV1

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ExtTransientSeatManagerV1.Request.self, opcode, &reader) {
        case .create(let id): _ = try TransientSeatResource(client, id: id, version: version)
        case .destroy: destroy()
        }
    }
}

/// ext_transient_seat_v1: a seat that was refused.
final class TransientSeatResource: Resource, Restorable {
    static var interfaces: [any WaylandInterface.Type] { [ExtTransientSeatV1.self] }
    static var restorationPhase: RestorationPhase { .independent }

    override init(_ connection: ServerConnection, id: ObjectID, version: UInt32) throws(ProtocolError) {
        try super.init(connection, id: id, version: version)
        send(ExtTransientSeatV1.Event.denied)
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ExtTransientSeatV1.Request.self, opcode, &reader) {
        case .destroy: destroy()
        }
    }

    static func restore(_ state: NoState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        _ = try TransientSeatResource(reader.client, id: id, version: version)
    }
}
