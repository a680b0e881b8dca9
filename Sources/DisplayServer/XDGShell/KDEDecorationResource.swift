// org_kde_kwin_server_decoration_manager and org_kde_kwin_server_decoration

import MullionWayland

/// org_kde_kwin_server_decoration_manager: what zxdg_decoration_manager_v1 is for GTK.
final class KDEDecorationManagerResource: Resource {
    static func bind(_ client: Client, _ id: ObjectID, _ version: UInt32) throws(ProtocolError) {
        try KDEDecorationManagerResource(client, id: id, version: version).sendDefault()
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(OrgKdeKwinServerDecorationManager.Request.self, opcode, &reader) {
        case .create(let id, let surfaceID):
            let surface = try connection.resource(surfaceID, as: SurfaceResource.self)
            // The protocol knows no error: the last one counts.
            surface.kdeDecoration?.end()
            try KDEDecorationResource(client, id: id, version: version, of: surface).sendMode()
        }
    }

    func sendDefault() {
        send(OrgKdeKwinServerDecorationManager.Event.defaultMode(mode: server.decorations.kdeMode.rawValue))
    }
}

/// org_kde_kwin_server_decoration: the mode of one surface. The client gets what it asks for. Until it asks, it is told
/// what the server draws: GTK draws no title bars where the server would.
final class KDEDecorationResource: SurfaceObject {
    enum Mode: UInt32, Codable { case none, client, server }

    /// What the client asked for; nil if it leaves that to the server.
    var requested: Mode?
    var mode: Mode { requested ?? server.decorations.kdeMode }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(OrgKdeKwinServerDecoration.Request.self, opcode, &reader) {
        case .release:
            let toplevel = surface?.toplevel
            destroy()
            toplevel?.stateDidChange()
        case .requestMode(let mode):
            requested = Mode(rawValue: mode)
            sendMode()
            surface?.toplevel?.stateDidChange()
        }
    }

    func sendMode() { send(OrgKdeKwinServerDecoration.Event.mode(mode: mode.rawValue)) }

    /// Called when the surface gets another one.
    func end() {
        surface?.extensions?.objects.removeAll { $0 === self }
        surface = nil
    }
}

extension SurfaceResource {
    var kdeDecoration: KDEDecorationResource? { object() }
}

extension Decorations {
    /// The mode of programs that do not ask.
    fileprivate var kdeMode: KDEDecorationResource.Mode {
        switch self {
        case .none: .client
        case .bar: .server
        }
    }
}

extension DisplayServer {
    /// Called when another kind of decorations is configured.
    func decorationsDidChange() {
        titleBars.decorationsDidChange()
        for client in clientsInOrder {
            for manager in client.resources(of: KDEDecorationManagerResource.self) { manager.sendDefault() }
            for decoration in client.resources(of: KDEDecorationResource.self) where decoration.requested == nil {
                decoration.sendMode()
                decoration.surface?.toplevel?.stateDidChange()
            }
        }
    }
}
