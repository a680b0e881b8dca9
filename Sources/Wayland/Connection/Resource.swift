// A protocol object on the server's side.

/// The base class of protocol objects on the server. Subclasses decode and handle its requests.
open class Resource {
    // Ordered by size, and small properties of a subclass follow without a gap: clients have thousands of these.
    /// The connection, which lives as long as one of its objects: an object used after the connection has ended, for
    /// example by a drawing in progress, finds it closed. `ServerConnection.close` releases the objects.
    public final let connection: ServerConnection
    /// The object's id; meaningless once `isAlive` is false.
    @safe @exclusivity(unchecked) public final private(set) var id: ObjectID
    /// False once the object is destroyed; no more events are sent for it.
    @safe @exclusivity(unchecked) public final private(set) var isAlive = true
    private final let boundVersion: UInt8
    /// The version that was bound, inherited from the object that created this one.
    public final var version: UInt32 { UInt32(boundVersion) }

    /// Registers the object under an id that the client chose.
    /// - Throws: `invalid_object` when the id is taken or skips ids, `no_memory` at the limit of objects.
    public init(_ connection: ServerConnection, id: ObjectID, version: UInt32) throws(ProtocolError) {
        self.connection = connection
        self.id = id
        boundVersion = UInt8(clamping: version)
        try connection.insert(self, at: id)
    }

    /// Registers the object under an id that the server chooses.
    public init(serverSideOn connection: ServerConnection, version: UInt32) {
        self.connection = connection
        boundVersion = UInt8(clamping: version)
        id = .display
        id = connection.allocate(self)
    }

    /// Creates the sentinel that occupies the ids of callbacks; it is not registered.
    init(sentinelOn connection: ServerConnection) {
        self.connection = connection
        boundVersion = 1
        id = .display
    }

    /// Decodes and handles one request.
    open func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        throw ProtocolError(.invalidMethod, object: id, message: "object \(id) takes no requests")
    }

    /// Undoes the object's effects. Called once, by `destroy` or when the connection ends; in the latter case no more
    /// events can be sent.
    open func willDestroy() {}

    /// Whether the object may be destroyed some time after its connection has ended, because only the connection's
    /// other objects refer to it. True for kinds of objects that a client may have in large numbers.
    open var mayGoLater: Bool { false }

    /// Destroys the object, frees its id and notifies the client.
    public final func destroy() {
        guard isAlive else { return }
        isAlive = false
        willDestroy()
        connection.remove(self)
    }

    /// Destroys an object of the server's whose client has no request for that, and learns of it by an event. Its id is
    /// never used again: libwayland ends a client that has not handled that event yet when a new object has the id, or
    /// that has forgotten to free the object.
    public final func retire() {
        guard isAlive else { return }
        isAlive = false
        willDestroy()
        connection.remove(self, reuse: false)
    }

    /// Destroys the object with its connection, without notifying the client.
    final func disconnect() {
        guard isAlive else { return }
        isAlive = false
        willDestroy()
    }

    /// Decodes a request; malformed bytes throw an error that names the object and the reason.
    @inlinable
    public final func decode<M: WaylandMessage>(
        _ type: M.Type, _ opcode: UInt16, _ reader: inout MessageReader
    ) throws(ProtocolError) -> M {
        if let journal = connection.journal { journal.note(type, opcode, on: id, reader) }
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

    /// Queues an event; does nothing once the object is destroyed.
    @inlinable
    public final func send<M: WaylandMessage>(_ event: M) {
        guard isAlive else { return }
        event.encode(to: connection.queue(), object: id)
        if let journal = connection.journal { journal.note(event, on: id) }
    }
}
