// zxdg_importer and zxdg_imported: parents of another program

import MullionWayland
import WindowModel

/// Lets clients use toplevels of others as parents.
final class ImporterResource<Interface: WaylandInterface>: Resource, RestorableGlobal {
    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ZxdgImporterV2.Request.self, opcode, &reader) {
        case .destroy: destroy()
        case .importToplevel(let id, let handle):
            let imported = try ImportedResource(client, id: id, version: version)
            guard let exported = server.exportedToplevels[handle] else { return imported.exportDidEnd() }
            try imported.start(exported)
        }
    }
}

/// An imported toplevel, for one client.
final class ImportedResource: Resource {
    /// Nil once it is no longer exported.
    private(set) var exported: ExportedResource?
    /// Whether it was made the parent of one of the client's toplevels.
    private var isParent = false

    func start(_ exported: ExportedResource) throws(ProtocolError) {
        try exported.add(self)
        self.exported = exported
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ZxdgImportedV2.Request.self, opcode, &reader) {
        case .destroy: destroy()
        case .setParentOf(let surfaceID):
            let surface = try connection.resource(surfaceID, as: SurfaceResource.self)
            guard let child = surface.toplevel else {
                throw ProtocolError(
                    object: id, code: ZxdgImportedV2.Error.invalidSurface.rawValue,
                    message: "surface \(surfaceID) is not a toplevel's")
            }
            guard let parent = exported?.toplevel else { return }
            try child.setParent(parent)
            adopt(child)
        }
    }

    /// Remembers that the child has this parent.
    func adopt(_ child: ToplevelResource) {
        child.ownExtensions.importedParent = self
        isParent = true
    }

    override func willDestroy() {
        exported?.remove(self)
        exported = nil
        endRelations()
    }

    /// Called when the toplevel or its exported object is destroyed; also for a handle that nobody has.
    func exportDidEnd() {
        exported = nil
        endRelations()
        send(ZxdgImportedV2.Event.destroyed)
    }

    /// The toplevels of the client that have this parent, unless it has set another one since.
    var children: [ToplevelResource] {
        guard isParent else { return [] }
        return server.model.windows(of: client.application).compactMap { window in
            guard case .toplevel(let child as ToplevelResource) = server.windows[window] else { return nil }
            return child.extensions?.importedParent === self ? child : nil
        }
    }

    private func endRelations() {
        for child in children { child.unsetParent() }
        isParent = false
    }
}
