// ext_foreign_toplevel_list_v1 and its handles

import MullionWayland
import WindowModel

/// Lists windows for clients with the right `view`.
final class ForeignToplevelListResource: Resource {
    private(set) var watcher: ToplevelWatcher?

    override init(_ connection: ServerConnection, id: ObjectID, version: UInt32) throws(ProtocolError) {
        try super.init(connection, id: id, version: version)
        let watcher = ToplevelWatcher(client)
        watcher.announce = { [unowned self] toplevel in
            let handle = ForeignToplevelListHandle(client, version: self.version, toplevel)
            send(ExtForeignToplevelListV1.Event.toplevel(toplevel: handle.id))
            handle.watcher = self.watcher
            handle.describe()
            return handle
        }
        self.watcher = watcher
        try watcher.start()
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ExtForeignToplevelListV1.Request.self, opcode, &reader) {
        case .stop:
            guard watcher != nil else { return }
            stop()
            send(ExtForeignToplevelListV1.Event.finished)
        case .destroy: destroy()
        }
    }

    override func willDestroy() { stop() }

    func stop() {
        watcher?.stop()
        watcher = nil
    }
}

final class ForeignToplevelListHandle: ToplevelHandleResource {
    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ExtForeignToplevelHandleV1.Request.self, opcode, &reader) {
        case .destroy: destroy()
        }
    }

    /// Sends everything.
    func describe() {
        send(ExtForeignToplevelHandleV1.Event.identifier(identifier: server.foreignToplevels.identifier(of: sent)))
        send(ExtForeignToplevelHandleV1.Event.title(title: sent.title))
        send(ExtForeignToplevelHandleV1.Event.appId(appId: sent.applicationID))
        needsDone = true
    }

    override func update(_ now: ForeignToplevel) {
        if now.title != sent.title {
            send(ExtForeignToplevelHandleV1.Event.title(title: now.title))
            needsDone = true
        }
        if now.applicationID != sent.applicationID {
            send(ExtForeignToplevelHandleV1.Event.appId(appId: now.applicationID))
            needsDone = true
        }
        sent = now
    }

    override func finishUpdate() {
        if needsDone { send(ExtForeignToplevelHandleV1.Event.done) }
        needsDone = false
    }

    override func close() {
        isClosed = true
        send(ExtForeignToplevelHandleV1.Event.closed)
    }
}
