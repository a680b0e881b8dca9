// xdg_toplevel.set_parent: dialogs, toolboxes and the like.

import MullionWayland
import WindowModel

extension ToplevelResource {
    /// W3: the window is in front of its parent from now on. A parent that is not mapped is as good as none.
    func setParent(_ parent: ToplevelResource?) throws(ProtocolError) {
        guard parent !== self else { throw invalidParent("itself") }
        guard let window else { return }
        if let parent, let other = parent.window, server.model.isDescendant(other, of: window) {
            throw invalidParent("its descendant, toplevel \(parent.id)")
        }
        take(parent?.isMapped == true ? parent?.window : nil)
    }

    /// Called when the parent, another program's, can no longer be one.
    func unsetParent() { take(nil) }

    private func take(_ parent: Window.ID?) {
        extensions?.importedParent = nil
        becomeChild(of: parent)
    }

    private func invalidParent(_ which: String) -> ProtocolError {
        ProtocolError(
            object: id, code: XdgToplevel.Error.invalidParent.rawValue,
            message: "\(Rule.w3): the parent of toplevel \(id) cannot be \(which)")
    }
}
