// wl_display and wl_registry.

import MullionWayland

/// wl_display: object 1 of every client.
final class DisplayResource: Resource {
    init(_ client: Client) throws(ProtocolError) {
        try super.init(client, id: .display, version: 1)
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(WlDisplay.Request.self, opcode, &reader) {
        case .sync(let callback):
            // The answer follows the effects of all earlier requests.
            server.deliverEffects()
            if server.outputsNeedUpdate { server.outputManagement.update() }
            if server.captureWatchersNeedUpdate { server.captures.updateWatchers() }
            if server.watchersNeedUpdate { server.updateWatchers() }
            try connection.answerSync(callback, data: client.server.serial)
        case .getRegistry(let registry):
            let resource = try RegistryResource(client, id: registry, version: 1)
            client.server.globals.add(resource)
        }
    }
}

/// wl_registry: announces the globals and binds them.
final class RegistryResource: Resource {
    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(WlRegistry.Request.self, opcode, &reader) {
        case .bind(let name, let new):
            try client.server.globals.bind(name, new, for: client)
        }
    }

    override func willDestroy() {
        client.server.globals.remove(self)
    }
}

extension Resource {
    /// The client that owns the object.
    final var client: Client { unsafe unsafeDowncast(connection, to: Client.self) }
    final var server: DisplayServer { client.server }
}
