// Exported and imported toplevels for a server that takes over.

import MullionWayland

extension ExportedResource: Restorable {
    struct SavedState: ObjectState {
        var handle: String
        /// Nil once it is destroyed.
        var toplevel: ObjectID?

        var variableSize: Int { handle.utf8.count }
    }

    static var interfaces: [any WaylandInterface.Type] { [ZxdgExportedV2.self, ZxdgExportedV1.self] }
    // Before those of other clients that have imported it.
    static var restorationPhase: RestorationPhase { .devices }

    func savedState(_ writer: HandOverWriter) -> SavedState { SavedState(handle: handle, toplevel: toplevel?.id) }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        let object = try ExportedResource(reader.client, id: id, version: version, state.handle)
        guard let toplevel: ToplevelResource = try reader.resource(state.toplevel) else { return }
        guard reader.server.exportedToplevels[state.handle] == nil else {
            throw HandOverError("two toplevels are exported with the same handle")
        }
        object.start(toplevel)
    }
}

extension ImportedResource: Restorable {
    struct SavedState: ObjectState {
        /// Nil once it is no longer exported.
        var handle: String?
        var children: [ObjectID]

        var variableSize: Int { (handle?.utf8.count ?? 0) + children.count * 8 }
    }

    static var interfaces: [any WaylandInterface.Type] { [ZxdgImportedV2.self, ZxdgImportedV1.self] }
    static var restorationPhase: RestorationPhase { .dependents }

    func savedState(_ writer: HandOverWriter) -> SavedState {
        SavedState(handle: exported?.handle, children: children.filter(\.isAlive).map(\.id))
    }

    /// If the other client could not be taken over, its window has ended, and with it the relation.
    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        let object = try ImportedResource(reader.client, id: id, version: version)
        guard let exported = state.handle.flatMap({ reader.server.exportedToplevels[$0] }) else { return }
        try object.start(exported)
        for child in state.children { object.adopt(try reader.resource(child)) }
    }
}
