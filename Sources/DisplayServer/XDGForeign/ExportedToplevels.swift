// zxdg_exporter and zxdg_exported: windows that become parents of other programs' windows
//
// Both versions have the same messages: the objects of both are the same, and use the codec of the second.

import MullionWayland

/// The exported toplevels of all clients, by their handles.
final class ExportedToplevels {
    private var byHandle: [String: ExportedResource] = [:]

    subscript(handle: String) -> ExportedResource? { byHandle[handle] }

    fileprivate func add(_ exported: ExportedResource) { byHandle[exported.handle] = exported }
    fileprivate func remove(_ exported: ExportedResource) { byHandle[exported.handle] = nil }

    /// A handle that cannot be guessed.
    static func newHandle() -> String {
        (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }.joined()
    }
}

/// Lets clients export their toplevels.
final class ExporterResource<Interface: WaylandInterface>: Resource, RestorableGlobal {
    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ZxdgExporterV2.Request.self, opcode, &reader) {
        case .destroy: destroy()
        case .exportToplevel(let id, let surfaceID):
            let surface = try connection.resource(surfaceID, as: SurfaceResource.self)
            guard let toplevel = surface.toplevel else {
                throw ProtocolError(
                    object: self.id, code: ZxdgExporterV2.Error.invalidSurface.rawValue,
                    message: "surface \(surfaceID) is not a toplevel's")
            }
            try client.checkBindings(toplevel.extensions?.exports.count ?? 0)
            let exported = try ExportedResource(client, id: id, version: version, ExportedToplevels.newHandle())
            exported.start(toplevel)
            exported.send(ZxdgExportedV2.Event.handle(handle: exported.handle))
        }
    }
}

/// An exported toplevel: other clients can import it as long as this object and the toplevel exist.
final class ExportedResource: Resource {
    let handle: String
    /// Set to nil when it is destroyed.
    private(set) var toplevel: ToplevelResource?
    /// Those of all clients.
    private(set) var imports: [ImportedResource] = []

    init(_ client: Client, id: ObjectID, version: UInt32, _ handle: String) throws(ProtocolError) {
        self.handle = handle
        try super.init(client, id: id, version: version)
    }

    func start(_ toplevel: ToplevelResource) {
        self.toplevel = toplevel
        toplevel.ownExtensions.exports.append(self)
        server.exportedToplevels.add(self)
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ZxdgExportedV2.Request.self, opcode, &reader) {
        case .destroy: destroy()
        }
    }

    override func willDestroy() { end() }

    func add(_ imported: ImportedResource) throws(ProtocolError) {
        try imported.client.checkBindings(imports.count { $0.connection === imported.connection })
        imports.append(imported)
    }

    func remove(_ imported: ImportedResource) { imports.removeAll { $0 === imported } }

    /// Called when this object or the toplevel is destroyed: those who imported it lose the parent.
    func end() {
        guard let toplevel else { return }
        self.toplevel = nil
        toplevel.extensions?.exports.removeAll { $0 === self }
        server.exportedToplevels.remove(self)
        let former = imports
        imports = []
        for imported in former { imported.exportDidEnd() }
    }
}

extension SurfaceResource {
    /// The toplevel whose surface this is.
    var toplevel: ToplevelResource? {
        guard case .toplevel(let toplevel)? = (role as? XdgSurfaceResource)?.part else { return nil }
        return toplevel
    }
}
