// zwlr_output_manager_v1

import MullionWayland

/// Lists all plugged-in screens, and accepts configurations of them.
final class OutputManagerResource: Resource {
    /// Heads that were announced and not finished, even if the client has released them.
    var heads: [OutputHeadResource] = []
    /// The serial of the last done; nil before the first.
    var sentSerial: UInt32?

    override init(_ connection: ServerConnection, id: ObjectID, version: UInt32) throws(ProtocolError) {
        try super.init(connection, id: id, version: version)
        try server.outputManagement.add(self)
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ZwlrOutputManagerV1.Request.self, opcode, &reader) {
        case .createConfiguration(let id, let serial):
            _ = try OutputConfigurationResource(client, id: id, version: version, serial: serial)
        case .stop:
            send(ZwlrOutputManagerV1.Event.finished)
            destroy()
        }
    }

    override func willDestroy() {
        server.outputManagement.remove(self)
    }

    /// Sends the changes since the last update, if any.
    func update(_ states: [OutputHeadState], serial: UInt32) {
        guard sentSerial != serial else { return }
        for head in heads where !states.contains(where: { $0.display == head.sent.display }) { head.finish() }
        heads.removeAll { $0.isFinished }
        for state in states {
            if let head = heads.first(where: { $0.sent.display == state.display }) {
                head.update(state)
            } else {
                heads.append(announce(state))
            }
        }
        sentSerial = serial
        send(ZwlrOutputManagerV1.Event.done(serial: serial))
    }

    private func announce(_ state: OutputHeadState) -> OutputHeadResource {
        let head = OutputHeadResource(client, version: version, state: state)
        send(ZwlrOutputManagerV1.Event.head(head: head.id))
        head.describe()
        return head
    }
}
