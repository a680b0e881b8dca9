// A client's connection on the server: objects, errors, callbacks.

/// Joins a `Connection` with a table of `Resource`s. Subclass it to add server state per client.
open class ServerConnection {
    public final let transport: Connection
    // Read for every message, and never during a modification.
    @safe @exclusivity(unchecked) var table = ObjectTable<Resource>()
    /// A sentinel for all pending callbacks, which have an id but no state.
    private var callback: Resource?
    /// The error sent to the client, if any; close the connection once it is flushed.
    @safe @exclusivity(unchecked) public final private(set) var failure: ProtocolError?
    @safe @exclusivity(unchecked) private var isOpen = true
    /// The server-range id of the next object, while objects of another server are restored.
    var restoredID: ObjectID?
    /// Keeps the latest messages, if that is wanted.
    @safe @exclusivity(unchecked) public final var journal: MessageJournal?
    /// Requests received so far.
    @safe @exclusivity(unchecked) public final private(set) var requestCount: UInt64 = 0

    /// Records the current work under this connection's number.
    private let work: CurrentWork
    public let workNumber: UInt64

    public init(transport: Connection, work: CurrentWork = CurrentWork(), workNumber: UInt64 = 0) {
        self.transport = transport
        self.work = work
        self.workNumber = workNumber
        callback = Resource(sentinelOn: self)
    }

    /// Creates wl_display. Call it once, before anything is received.
    public final func start(display: (ServerConnection) throws(ProtocolError) -> Resource) throws(ProtocolError) {
        _ = try display(self)
    }

    public final var objectCount: Int { table.count }

    @inlinable public final func queue() -> OutputBuffer { transport.queue() }

    // MARK: Objects

    /// The object with that id, or nil.
    public final func resource(_ id: ObjectID) -> Resource? {
        let found = table[id]
        return found === callback ? nil : found
    }

    /// Looks up the object that an argument names.
    /// - Throws: `invalid_object` when there is none, or it is of another kind.
    public final func resource<R: Resource>(_ id: ObjectID, as type: R.Type) throws(ProtocolError) -> R {
        guard let found = table[id] as? R else {
            throw ProtocolError(.invalidObject, message: "object \(id) does not exist or is not a \(type)")
        }
        return found
    }

    public final func resource<R: Resource>(_ id: ObjectID?, as type: R.Type) throws(ProtocolError) -> R? {
        guard let id else { return nil }
        return try resource(id, as: type) as R
    }

    /// Every object of a kind, ordered by id.
    public final func resources<R: Resource>(of type: R.Type) -> [R] { table.all.compactMap { $0 as? R } }

    final func insert(_ resource: Resource, at id: ObjectID) throws(ProtocolError) {
        guard table.count < transport.limits.objects else {
            throw ProtocolError(.noMemory, message: "limit reached: \(transport.limits.objects) objects")
        }
        guard table.insertClients(resource, at: id) else {
            throw ProtocolError(.invalidObject, message: "id \(id) is taken or not the next free one")
        }
    }

    final func allocate(_ resource: Resource) -> ObjectID {
        // Server-created objects that a client never releases count against its limit too.
        if table.count >= transport.limits.objects {
            post(ProtocolError(.noMemory, message: "limit reached: \(transport.limits.objects) objects"))
        }
        let most = ObjectTable<Resource>.maximumServerIDs
        if table.usedIDs.server >= most {
            post(ProtocolError(.noMemory, message: "limit reached: \(most) objects that the server has created"))
        }
        if let restoredID, table.insertServers(resource, at: restoredID) { return restoredID }
        return table.allocateServerID(for: resource)
    }

    final func remove(_ resource: Resource, reuse: Bool = true) {
        // The client reuses its own ids; only the server's are kept for reuse here.
        table.remove(resource.id, reuse: reuse && resource.id.isServers)
        if !resource.id.isServers { sendDelete(resource.id) }
    }

    private final func sendDelete(_ id: ObjectID) {
        guard isOpen else { return }
        let out = queue()
        out.begin(.display, opcode: 1)
        out.put(id)
        out.end()
    }

    // MARK: Callbacks

    /// Keeps a wl_callback's id taken until `finishCallback`, without creating an object.
    public final func reserveCallback(_ id: ObjectID) throws(ProtocolError) {
        guard let callback else { return }
        try insert(callback, at: id)
    }

    /// Sends wl_callback.done, then delete_id.
    public final func finishCallback(_ id: ObjectID, data: UInt32) {
        table.remove(id)
        sendDone(id, data: data)
    }

    private final func sendDone(_ id: ObjectID, data: UInt32) {
        guard isOpen else { return }
        let out = queue()
        out.begin(id, opcode: 0)
        out.put(data)
        out.end()
        out.begin(.display, opcode: 1)
        out.put(id)
        out.end()
    }

    /// Drops a callback that will never be done, because its surface was destroyed.
    public final func dropCallback(_ id: ObjectID) {
        table.remove(id)
        sendDelete(id)
    }

    /// Handles wl_display.sync: answered immediately, so that its id never appears taken.
    public final func answerSync(_ id: ObjectID, data: UInt32) throws(ProtocolError) {
        guard table.isFreeForClient(id) else {
            throw ProtocolError(.invalidObject, message: "id \(id) is taken or not the next free one")
        }
        table.skipClientID(id)
        sendDone(id, data: data)
    }

    // MARK: Input

    /// Reads once and handles the requests received, as far as the time slice allows.
    /// - Throws: why the connection is over; a protocol error was already queued for the client.
    public final func receive(into input: InputBuffer, within time: Stopwatch) throws(ConnectionError) {
        guard failure == nil else { return }
        do {
            try transport.receive(into: input) { (id, opcode, reader) throws(ProtocolError) in
                try self.dispatch(id, opcode, &reader)
                return !time.isOver
            }
        } catch {
            try fail(error)
        }
    }

    /// Handles requests that were held back.
    public final func resume(with input: InputBuffer, within time: Stopwatch) throws(ConnectionError) {
        guard failure == nil else { return }
        do {
            try transport.resume(with: input) { (id, opcode, reader) throws(ProtocolError) in
                try self.dispatch(id, opcode, &reader)
                return !time.isOver
            }
        } catch {
            try fail(error)
        }
    }

    @inline(__always)
    private final func dispatch(_ id: ObjectID, _ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        requestCount &+= 1
        guard let resource = table[id], resource !== callback else {
            throw ProtocolError(.invalidObject, message: "request \(opcode) on object \(id), which does not exist")
        }
        work.begin(opcode, of: type(of: resource), by: workNumber)
        try resource.handle(opcode, &reader)
    }

    private final func fail(_ error: ReceiveError<ProtocolError>) throws(ConnectionError) {
        switch error {
        case .handler(let error): post(error)
        case .connection(.malformed):
            post(ProtocolError(.invalidMethod, message: "a message's size is below 8 or not a multiple of 4"))
        case .connection(.limit(let name)):
            post(ProtocolError(.noMemory, message: "limit reached: \(name)"))
        case .connection(let error): throw error
        }
    }

    /// Sends the error; nothing more is read from this client.
    public final func post(_ error: ProtocolError) {
        guard failure == nil, isOpen else { return }
        failure = error
        let event = WlDisplay.Event.error(
            objectId: error.object, code: error.code, message: error.message.cut(toBytes: 1024))
        event.encode(to: queue(), object: .display)
        journal?.note(event, on: .display)
    }

    /// Destroys every object without notifying the client. Call it when the socket is closed: until then the connection
    /// and its objects retain each other.
    public final func close() { _ = close(until: { false }) }

    /// Destroys all objects except those that may go later, and as many of these as the time allows. Call it until it
    /// returns true.
    /// - Returns: whether all objects are destroyed.
    public final func close(within time: Stopwatch) -> Bool {
        // Releasing a buffer can take a millisecond.
        close(until: {
            time.expectMore()
            return time.isOver
        })
    }

    private final func close(until isOver: () -> Bool) -> Bool {
        if isOpen {
            isOpen = false
            transport.descriptors.removeAll()
            disconnectAtOnce()
        }
        // Drop events sent to the remaining objects in the meantime.
        defer { transport.discardOutput() }
        while disconnectLast(), !isOver() {}
        guard table.count == 0 else { return false }
        callback = nil
        return true
    }

    /// - Returns: false if there was none.
    private final func disconnectLast() -> Bool {
        guard let resource = table.popLast() else { return false }
        if resource !== callback { resource.disconnect() }
        return true
    }

    /// Disconnects the objects that others can observe, newest first.
    private final func disconnectAtOnce() {
        let used = table.usedIDs
        func disconnect(_ id: UInt32) {
            guard let resource = table[ObjectID(id)], resource !== callback, !resource.mayGoLater else { return }
            resource.disconnect()
        }
        for index in (0..<UInt32(used.server)).reversed() { disconnect(ObjectID.firstServerID + index) }
        for id in (0..<UInt32(used.client)).reversed() { disconnect(id) }
    }
}
