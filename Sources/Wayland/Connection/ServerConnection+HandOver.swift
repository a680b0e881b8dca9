// Objects that another server had made.

extension ServerConnection {
    /// Which ids of either range were ever used, as the counts of both: a client's next one is at most one beyond.
    public final var usedIDs: (client: Int, server: Int) { table.usedIDs }

    /// Every object of the client, in order of id.
    public final var resources: [Resource] {
        table.all.filter { resource($0.id) === $0 }
    }

    /// Lets a new connection have the ids of another server's; to be called before objects are made.
    public final func beginRestoring(usedIDs: (client: Int, server: Int)) { table.restore(usedIDs: usedIDs) }

    /// Makes one object that the other server had made under an id of its own.
    public final func restore<E: Error>(at id: ObjectID, _ body: () throws(E) -> Void) throws(E) {
        restoredID = id
        defer { restoredID = nil }
        try body()
    }

    /// All objects are there.
    public final func endRestoring() { table.freeUnusedServerIDs() }

    /// An id for an object that is going to be destroyed at once: the client used it, or could next.
    public final var passingID: ObjectID { table.freeClientID }
}
