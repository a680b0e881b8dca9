// Restores the objects of a connection taken over from another server.

extension ServerConnection {
    /// How many ids of each range were ever used; a client's next id is at most one beyond.
    public final var usedIDs: (client: Int, server: Int) { table.usedIDs }

    /// Every object of the client, ordered by id.
    public final var resources: [Resource] {
        table.all.filter { resource($0.id) === $0 }
    }

    /// The ids of the server's range that may be used again: those of objects that the client has destroyed.
    public final var freeServerIDs: [UInt32] { table.freeServerIDs }

    /// Reserves the ids that another server's connection used; call it before creating objects.
    public final func beginRestoring(usedIDs: (client: Int, server: Int), freeServerIDs: [UInt32]) {
        table.restore(usedIDs: usedIDs, freeServerIDs: freeServerIDs)
    }

    /// Creates one object under the id it had in the other server.
    public final func restore<E: Error>(at id: ObjectID, _ body: () throws(E) -> Void) throws(E) {
        restoredID = id
        defer { restoredID = nil }
        try body()
    }

    /// An unused client id for an object that is destroyed immediately: one the client has used, or could use next.
    public final var passingID: ObjectID { table.freeClientID }
}
