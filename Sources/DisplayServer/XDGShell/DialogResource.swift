// xdg_wm_dialog_v1 and xdg_dialog_v1

import MullionWayland

/// xdg_wm_dialog_v1: lets clients declare toplevels to be dialogs.
final class DialogManagerResource: Resource, RestorableGlobal {
    typealias Interface = XdgWmDialogV1

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(XdgWmDialogV1.Request.self, opcode, &reader) {
        case .destroy: destroy()
        case .getXdgDialog(let id, let toplevelID):
            let toplevel = try connection.resource(toplevelID, as: ToplevelResource.self)
            guard toplevel.extensions?.dialog == nil else {
                throw ProtocolError(
                    object: self.id, code: XdgWmDialogV1.Error.alreadyUsed.rawValue,
                    message: "toplevel \(toplevelID) is already a dialog")
            }
            try DialogResource(client, id: id, version: version).start(toplevel)
        }
    }
}

/// xdg_dialog_v1: says whether the parent of a toplevel waits for it. The client itself ignores the parent's input, and
/// the dialog is in front of the parent anyway (W3); the control API reports it.
final class DialogResource: Resource {
    /// Set to nil when it is destroyed.
    var toplevel: ToplevelResource?
    var isModal = false

    func start(_ toplevel: ToplevelResource) {
        self.toplevel = toplevel
        toplevel.ownExtensions.dialog = self
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(XdgDialogV1.Request.self, opcode, &reader) {
        case .destroy: destroy()
        case .setModal: isModal = true
        case .unsetModal: isModal = false
        }
    }

    override func willDestroy() {
        toplevel?.extensions?.dialog = nil
        toplevel = nil
    }
}

extension ToplevelResource {
    /// Whether its parent waits for it.
    package var isModal: Bool {
        guard let window, extensions?.dialog?.isModal == true else { return false }
        return server.model.parent(of: window) != nil
    }
}
