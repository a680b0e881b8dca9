// zwlr_input_inhibit_manager_v1 and zwlr_input_inhibitor_v1

import MullionWayland
import WindowModel

/// Reserves input, for clients with the right to lock.
final class InputInhibitManagerResource: Resource {
    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ZwlrInputInhibitManagerV1.Request.self, opcode, &reader) {
        case .getInhibitor(let id):
            if let holder = server.model.inputHolder {
                throw ProtocolError(
                    object: self.id, code: ZwlrInputInhibitManagerV1.Error.alreadyInhibited.rawValue,
                    message: "\(Rule.l4): input is reserved for application \(holder)")
            }
            let inhibitor = try InputInhibitorResource(client, id: id, version: version)
            server.logErrors { () throws(ModelError) in
                try server.model.reserveInput(for: inhibitor.client.application)
            }
            server.sessionLock.receiversDidChange()
        }
    }
}

/// L4: while it exists, input is for its client only.
final class InputInhibitorResource: Resource {
    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ZwlrInputInhibitorV1.Request.self, opcode, &reader) {
        case .destroy: destroy()
        }
    }

    override func willDestroy() { server.model.releaseInput(of: client.application) }
}
