// A protocol object on the server's side.

/// Base of every object that a client made or was given. Subclasses decode and answer its requests.
open class Resource {
    /// The object's number; meaningless once `isAlive` is false.
    @safe @exclusivity(unchecked) public final private(set) var id: ObjectID
    /// Version that was bound, inherited from the object that made this one.
    public final let version: UInt32
    /// False once the object is destroyed: nothing is sent for it any more.
    @safe @exclusivity(unchecked) public final private(set) var isAlive = true
    /// The connection. It stays as long as one of its objects: who still has one when the connection has ended, as a
    /// drawing under way may, finds it closed. `ServerConnection.close` lets go of the objects.
    public final let connection: ServerConnection

    /// Joins the table of the connection under an id that the client chose.
    /// - Throws: `invalid_object` when the id is taken or skips ids, `no_memory` at the limit of objects.
    public init(_ connection: ServerConnection, id: ObjectID, version: UInt32) throws(ProtocolError) {
        self.connection = connection
        self.id = id
        self.version = version
        try connection.insert(self, at: id)
    }

    /// Joins the table under an id that the server chooses.
    public init(serverSideOn connection: ServerConnection, version: UInt32) {
        self.connection = connection
        self.version = version
        id = .display
        id = connection.allocate(self)
    }

    /// The sentinel that keeps the id of a callback; it belongs to no connection.
    init(sentinelOn connection: ServerConnection) {
        self.connection = connection
        version = 1
        id = .display
    }

    /// Decodes and carries out one request.
    open func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        throw ProtocolError(.invalidMethod, object: id, message: "object \(id) takes no requests")
    }

    /// Undoes what the object did. Called once, by `destroy` or when the connection ends; the connection is still
    /// there, but in the latter case nothing can be sent any more.
    open func willDestroy() {}

    /// Whether the object may be destroyed some time after its connection has ended, because only the connection's other
    /// objects refer to it. True for objects of which a client can have very many.
    open var mayGoLater: Bool { false }

    /// Ends the object: its id is free again and the client is told so.
    public final func destroy() {
        guard isAlive else { return }
        isAlive = false
        willDestroy()
        connection.remove(self)
    }

    /// Ends the object with its connection: nothing is told.
    final func disconnect() {
        guard isAlive else { return }
        isAlive = false
        willDestroy()
    }

    /// Decodes a request; bad bytes become the error that names object and reason.
    @inlinable
    public final func decode<M: WaylandMessage>(
        _ type: M.Type, _ opcode: UInt16, _ reader: inout MessageReader
    ) throws(ProtocolError) -> M {
        do {
            return try M(opcode: opcode, version: version, from: &reader)
        } catch {
            throw malformed(error, opcode)
        }
    }

    @usableFromInline
    final func malformed(_ error: WireError, _ opcode: UInt16) -> ProtocolError {
        ProtocolError(
            .invalidMethod, object: id,
            message: "object \(id) (\(Swift.type(of: self)), version \(version)), request \(opcode): \(error)")
    }

    /// Queues an event; without effect once the object is destroyed.
    @inlinable
    public final func send<M: WaylandMessage>(_ event: M) {
        guard isAlive else { return }
        event.encode(to: connection.queue(), object: id)
    }
}
