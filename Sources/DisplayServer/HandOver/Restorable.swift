// Protocol objects that survive a restart of the server.

import MullionWayland
import WindowModel

/// A protocol object that the server which takes over creates again. A new kind of object conforms, next to its class,
/// and is listed in `RestorableObjects.all`; nothing else needs to know it. A client that has objects that do not
/// conform is disconnected.
protocol Restorable: Resource, SendableMetatype {
    /// The state needed to create the object again.
    associatedtype SavedState: ObjectState

    /// The interfaces of the objects. The first one names the kind in a saved state.
    static var interfaces: [any WaylandInterface.Type] { get }

    static var restorationPhase: RestorationPhase { get }

    /// - Throws: why the object, and with it the client, cannot be handed over.
    func savedState(_ writer: HandOverWriter) throws(HandOverError) -> SavedState

    /// Creates an object with the same initialisers as requests do. Its output is dropped at the end.
    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws

    /// Sorts the client's objects of one phase; those with the same order are created in the order of their ids.
    static func restorationOrder(of state: SavedState) -> Int

    /// Restores references to objects created later. Called when all of the client's objects exist.
    func finishRestoring(_ state: SavedState, _ reader: HandOverReader) throws
}

extension Restorable {
    static func restorationOrder(of state: SavedState) -> Int { 0 }
    func finishRestoring(_ state: SavedState, _ reader: HandOverReader) throws {}
}

/// The state of a protocol object.
protocol ObjectState: Codable {
    /// The approximate size of the state in bytes beyond that of any object, including the model's state. Counts
    /// everything of which a client can have much.
    var variableSize: Int { get }
}

/// A state that has about the same size for every object of its kind.
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

/// An object that a client binds to create others. It has no state, and is created as by a binding.
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

/// An object of a seat without any other state.
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

// MARK: Surfaces

/// The surface of an object.
struct SurfaceObjectState: FixedSizeState {
    /// Nil once the surface is destroyed.
    var surface: ObjectID?
}

/// An object of a surface, which has at most one of its kind, without any other state.
protocol RestorableSurfaceObject: SurfaceObject, Restorable where SavedState == SurfaceObjectState {
    associatedtype Interface: WaylandInterface
    init(_ client: Client, id: ObjectID, version: UInt32, of surface: SurfaceResource?) throws(ProtocolError)
}

extension RestorableSurfaceObject {
    static var interfaces: [any WaylandInterface.Type] { [Interface.self] }
    static var restorationPhase: RestorationPhase { .roles }
    func savedState(_ writer: HandOverWriter) -> SurfaceObjectState { SurfaceObjectState(surface: surface?.id) }

    static func restore(_ state: SurfaceObjectState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        let surface: SurfaceResource? = try reader.resource(state.surface)
        let other: Self? = surface?.object()
        guard other == nil else { throw HandOverError("a surface has two \(Interface.name) objects") }
        _ = try Self(reader.client, id: id, version: version, of: surface)
    }
}
