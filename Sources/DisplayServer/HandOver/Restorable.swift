// Protocol objects that a restart of the server leaves as they are.

import Wayland
import WindowModel

/// A protocol object that the server which takes over makes again. A new kind of object conforms, next to its class, and
/// is listed in `RestorableObjects.all`: nothing else has to know it. Objects that do not conform end their client.
protocol Restorable: Resource, SendableMetatype {
    /// What it takes to make the object again.
    associatedtype SavedState: ObjectState

    /// The interfaces of the objects. The first one names the kind in a saved state.
    static var interfaces: [any WaylandInterface.Type] { get }

    static var restorationPhase: RestorationPhase { get }

    /// - Throws: why the object, and with it the client, cannot be handed over.
    func savedState(_ writer: HandOverWriter) throws(HandOver.Refusal) -> SavedState

    /// Makes an object with the same initialisers as requests do. What it sends is dropped in the end.
    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws

    /// Sorts the client's objects of one phase; those with the same order are made in the order of their ids.
    static func restorationOrder(of state: SavedState) -> Int

    /// Restores what refers to objects made later. Called when all of the client's objects exist.
    func finishRestoring(_ state: SavedState, _ reader: HandOverReader) throws
}

extension Restorable {
    static func restorationOrder(of state: SavedState) -> Int { 0 }
    func finishRestoring(_ state: SavedState, _ reader: HandOverReader) throws {}
}

/// The state of a protocol object.
protocol ObjectState: Codable {
    /// About how many bytes the state takes beyond what any object's does, in the model's state too. Counts whatever a
    /// client can have much of.
    var variableSize: Int { get }
}

/// A state that is about as long for every object of its kind.
protocol FixedSizeState: ObjectState {}

extension FixedSizeState {
    var variableSize: Int { 0 }
}

/// The state of an object that has none.
struct NoState: FixedSizeState {}

extension Restorable where SavedState == NoState {
    func savedState(_ writer: HandOverWriter) -> NoState { NoState() }
}

// MARK: Globals

/// What a client binds to make other objects. It has no state, and is made as a binding makes it.
protocol RestorableGlobal: Restorable where SavedState == NoState {
    associatedtype Interface: WaylandInterface
}

extension RestorableGlobal {
    static var interfaces: [any WaylandInterface.Type] { [Interface.self] }
    static var restorationPhase: RestorationPhase { .independent }

    static func restore(_ state: NoState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        try reader.server.globals.make(Interface.name, id, version, for: reader.client)
    }
}

// MARK: Seats

/// The seat of an object.
struct SeatState: FixedSizeState {
    var seat: Seat.ID
}

/// An object of a seat that has no other state.
protocol RestorableSeatObject: SeatObject, Restorable where SavedState == SeatState {
    associatedtype Interface: WaylandInterface
    init(_ client: Client, id: ObjectID, version: UInt32, seat: ServerSeat) throws(ProtocolError)
}

extension RestorableSeatObject {
    static var interfaces: [any WaylandInterface.Type] { [Interface.self] }
    static var restorationPhase: RestorationPhase { .devices }
    func savedState(_ writer: HandOverWriter) -> SeatState { SeatState(seat: seat.id) }

    static func restore(_ state: SeatState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        _ = try Self(reader.client, id: id, version: version, seat: reader.seat(state.seat))
    }
}
