// mullion_application_v1

import MullionWayland
import WindowModel

/// Lists the screens and creates windows.
final class ApplicationResource: Resource {
    override init(_ connection: ServerConnection, id: ObjectID, version: UInt32) throws(ProtocolError) {
        try super.init(connection, id: id, version: version)
        guard client.applicationResources.count < 16 else {
            throw ProtocolError(.noMemory, message: "limit reached: 16 application objects")
        }
        client.applicationResources.append(self)
        // After a hand-over the screens have already been sent.
        guard !server.isTakingOver else { return }
        for screen in server.model.screens { announce(screen, isNew: false) }
        sendMainScreen(server.model.mainScreen)
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(MullionApplicationV1.Request.self, opcode, &reader) {
        case .destroy: destroy()
        case .setName(let name):
            let name = name.cut(toBytes: connection.transport.limits.titleBytes)
            server.logErrors { () throws(ModelError) in try server.model.setName(name, of: client.application) }
            for seat in server.seats { seat.keyboard.applicationDidChangeName(client) }
            server.foreignToplevels.didRename(client.application)
            if server.hasFixedRotation(name) { server.setRotationPolicy(.fixed, of: client) }
        case .createWindow(let id, let surfaceID, let screenID):
            let surface = try connection.resource(surfaceID, as: SurfaceResource.self)
            let screen = try connection.resource(screenID, as: ScreenResource.self)
            try client.checkWindow(on: screen?.screen, errorOn: self.id)
            let window = try WindowResource(client, id: id, version: version)
            try window.start(surface: surface, screen: screen, errorOn: self.id)
        case .beginIgnoringInteractionEvents:
            server.logErrors { () throws(ModelError) in
                try server.model.beginIgnoringInteractionEvents(client.application)
            }
        case .setRotationPolicy(let policy):
            guard policy == .rotating || policy == .fixed else {
                throw ProtocolError(
                    object: id, code: MullionApplicationV1.Error.invalidValue.rawValue,
                    message: "\(policy.rawValue) is not a rotation policy; use rotating (0) or fixed (1)")
            }
            server.setRotationPolicy(policy == .fixed ? .fixed : .rotating, of: client)
        case .endIgnoringInteractionEvents:
            do {
                try server.model.endIgnoringInteractionEvents(client.application)
            } catch {
                throw ProtocolError(
                    object: id, code: MullionApplicationV1.Error.unbalanced.rawValue, message: "\(error)")
            }
        case .pong(let serial): server.settler.didAnswer(client, serial)
        case .getEvents(let id): _ = try EventsResource(client, id: id, version: version)
        }
    }

    override func willDestroy() {
        client.applicationResources.removeAll { $0 === self }
    }

    /// S6: announces a screen that has connected; earlier ones are only listed.
    func announce(_ id: Screen.ID, isNew: Bool) {
        guard let screen = server.model.screen(id) else { return }
        let resource = ScreenResource(client, version: version, screen: screen)
        send(MullionApplicationV1.Event.screen(id: resource.id, announced: isNew ? 1 : 0))
        resource.describe(screen)
    }

    /// S2: says which of the announced screens is the main one, unless the client has released its object.
    func sendMainScreen(_ id: Screen.ID?) {
        let object = client.screens.first { $0.screen == id }
        guard version >= 2, id == nil || object != nil else { return }
        send(MullionApplicationV1.Event.mainScreen(screen: object?.id))
    }
}
