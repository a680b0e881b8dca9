// mullion_interaction_v1

import MullionWayland
import WindowModel

/// E8: disables interaction with a window while it exists.
final class InteractionResource: Resource {
    var token: Window.InteractionToken?

    /// - Parameter window: nil when it is gone, and there is nothing to disable.
    func start(_ window: Window.ID?) {
        guard let window else { return }
        server.logErrors { () throws(ModelError) in token = try server.model.disableInteraction(window) }
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(MullionInteractionV1.Request.self, opcode, &reader) {
        case .destroy: destroy()
        }
    }

    override func willDestroy() {
        guard let token else { return }
        server.logErrors { () throws(ModelError) in try server.model.enableInteraction(token) }
    }
}
