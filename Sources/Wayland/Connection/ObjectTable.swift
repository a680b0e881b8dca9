// The numbers of objects on one connection: the client's from 1, the server's from 0xff000000.

/// Finds objects by id. Ids of either range are dense, so each range is an array.
struct ObjectTable<Object: AnyObject> {
    /// Clients use the lowest free id, as the protocol asks; one that never does makes the table grow no further.
    static var maximumClientID: UInt32 { 1 << 20 }

    private var client: [Object?] = [nil]
    private var server: [Object?] = []
    private var freeServerIDs: [UInt32] = []
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

    /// Takes an id that the client chose: free, and at most one beyond the highest it ever used.
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

    /// Notes the use of a free id for an object that is gone again at once.
    mutating func skipClientID(_ id: ObjectID) {
        if Int(id.rawValue) == client.count { client.append(nil) }
    }

    /// Takes an id that the server chose; for the client's side.
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

    /// Finds a free id of the server's range.
    mutating func allocateServerID(for object: Object) -> ObjectID {
        count += 1
        if let raw = freeServerIDs.popLast() {
            server[Int(raw - ObjectID.firstServerID)] = object
            return ObjectID(raw)
        }
        server.append(object)
        return ObjectID(ObjectID.firstServerID + UInt32(server.count - 1))
    }

    /// Finds a free id of the client's range.
    mutating func allocateClientID(for object: Object) -> ObjectID {
        count += 1
        if let raw = freeClientIDs.popLast() {
            client[Int(raw)] = object
            return ObjectID(raw)
        }
        client.append(object)
        return ObjectID(UInt32(client.count - 1))
    }

    /// Empties the slot. `reuse`: the id may be given out again by this side.
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

    /// Which ids of either range were ever used: all below these counts.
    var usedIDs: (client: Int, server: Int) { (client.count, server.count) }

    /// Makes an empty table one in which so many ids were used.
    mutating func restore(usedIDs: (client: Int, server: Int)) {
        let most = Int(Self.maximumClientID) + 1
        client += Array(repeating: nil, count: max(0, min(usedIDs.client, most) - client.count))
        server += Array(repeating: nil, count: max(0, min(usedIDs.server, most) - server.count))
    }

    /// The server's ids that no object has can be given out again, the lowest first.
    mutating func freeUnusedServerIDs() {
        freeServerIDs = server.indices.reversed().filter { server[$0] == nil }
            .map { ObjectID.firstServerID + UInt32($0) }
    }

    /// A number that the client could choose next.
    var freeClientID: ObjectID { ObjectID(UInt32(client.dropFirst().firstIndex { $0 == nil } ?? client.count)) }

    /// Every object, in order of id.
    var all: [Object] { client.compactMap { $0 } + server.compactMap { $0 } }

    /// Removes and returns the object with the highest id, the server's range first. Once called, call it until it returns
    /// nil: the free ids are forgotten.
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
