// Object ids on one connection: the client's from 1, the server's from 0xff000000.

/// Finds objects by id. Ids of either range are dense, so each range is an array.
struct ObjectTable<Object: AnyObject> {
    /// The highest id a client may use. The protocol asks clients to use the lowest free id; this bounds the table for
    /// those that never do.
    static var maximumClientID: UInt32 { 1 << 20 }

    /// The most ids of the server's: some are never free again.
    static var maximumServerIDs: Int { 1 << 20 }

    private var client: [Object?] = [nil]
    private var server: [Object?] = []
    /// The ids that the server may reuse; the one that is used next is last.
    private(set) var freeServerIDs: [UInt32] = []
    private var freeClientIDs: [UInt32] = []
    private(set) var count = 0

    @inline(__always)
    subscript(id: ObjectID) -> Object? {
        let raw = id.rawValue
        if raw < ObjectID.firstServerID {
            return Int(raw) < client.count ? client[Int(raw)] : nil
        }
        let index = Int(raw - ObjectID.firstServerID)
        return index < server.count ? server[index] : nil
    }

    /// Inserts an object under an id that the client chose: free, and at most one beyond the highest it ever used.
    mutating func insertClients(_ object: Object, at id: ObjectID) -> Bool {
        let index = Int(id.rawValue)
        guard id.rawValue <= Self.maximumClientID, index > 0, index <= client.count else { return false }
        if index == client.count {
            client.append(object)
        } else {
            guard client[index] == nil else { return false }
            client[index] = object
        }
        count += 1
        return true
    }

    /// Whether the client may use this id for a new object.
    func isFreeForClient(_ id: ObjectID) -> Bool {
        let index = Int(id.rawValue)
        guard index > 0, index <= client.count, id.rawValue <= Self.maximumClientID else { return false }
        return index == client.count || client[index] == nil
    }

    /// Records the use of a free id for an object that is already destroyed.
    mutating func skipClientID(_ id: ObjectID) {
        if Int(id.rawValue) == client.count { client.append(nil) }
    }

    /// Inserts an object under an id that the server chose; used by clients.
    mutating func insertServers(_ object: Object, at id: ObjectID) -> Bool {
        guard id.isServers else { return false }
        let index = Int(id.rawValue - ObjectID.firstServerID)
        guard index <= server.count else { return false }
        if index == server.count {
            server.append(object)
        } else {
            guard server[index] == nil else { return false }
            server[index] = object
        }
        count += 1
        return true
    }

    /// Inserts an object under a free id of the server's range.
    mutating func allocateServerID(for object: Object) -> ObjectID {
        count += 1
        if let raw = freeServerIDs.popLast() {
            server[Int(raw - ObjectID.firstServerID)] = object
            return ObjectID(raw)
        }
        server.append(object)
        return ObjectID(ObjectID.firstServerID + UInt32(server.count - 1))
    }

    /// Inserts an object under a free id of the client's range.
    mutating func allocateClientID(for object: Object) -> ObjectID {
        count += 1
        if let raw = freeClientIDs.popLast() {
            client[Int(raw)] = object
            return ObjectID(raw)
        }
        client.append(object)
        return ObjectID(UInt32(client.count - 1))
    }

    /// Empties the slot.
    /// - Parameter reuse: whether this side may allocate the id again.
    mutating func remove(_ id: ObjectID, reuse: Bool = false) {
        guard self[id] != nil else { return }
        count -= 1
        if id.isServers {
            server[Int(id.rawValue - ObjectID.firstServerID)] = nil
            if reuse { freeServerIDs.append(id.rawValue) }
        } else {
            client[Int(id.rawValue)] = nil
            if reuse { freeClientIDs.append(id.rawValue) }
        }
    }

    /// How many ids of each range were ever used.
    var usedIDs: (client: Int, server: Int) { (client.count, server.count) }

    /// Makes an empty table look as if this many ids were used, and these of the server's could be used again.
    mutating func restore(usedIDs: (client: Int, server: Int), freeServerIDs: [UInt32]) {
        let most = Int(Self.maximumClientID) + 1
        client += Array(repeating: nil, count: max(0, min(usedIDs.client, most) - client.count))
        server += Array(repeating: nil, count: max(0, min(usedIDs.server, Self.maximumServerIDs) - server.count))
        let used = ObjectID.firstServerID..<ObjectID.firstServerID + UInt32(server.count)
        self.freeServerIDs = freeServerIDs.filter(used.contains)
    }

    /// An id that the client could choose next.
    var freeClientID: ObjectID { ObjectID(UInt32(client.dropFirst().firstIndex { $0 == nil } ?? client.count)) }

    /// Every object, ordered by id.
    var all: [Object] { client.compactMap { $0 } + server.compactMap { $0 } }

    /// Removes and returns the object with the highest id, the server's range first. Forgets the free ids: once called,
    /// call it until it returns nil.
    mutating func popLast() -> Object? {
        freeServerIDs = []
        freeClientIDs = []
        while let object = server.popLast() {
            if let object { return take(object) }
        }
        while client.count > 1 {
            if let object = client.removeLast() { return take(object) }
        }
        return nil
    }

    private mutating func take(_ object: Object) -> Object {
        count -= 1
        return object
    }
}
