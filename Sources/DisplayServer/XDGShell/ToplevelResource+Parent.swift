// xdg_toplevel.set_parent: dialogs, toolboxes and the like.

import Geometry
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
        setParent(parent?.isMapped == true ? parent?.window : nil, of: window)
    }

    /// Called when the parent, another program's, can no longer be one.
    func unsetParent() {
        if let window { setParent(nil, of: window) }
    }

    private func setParent(_ mapped: Window.ID?, of window: Window.ID) {
        importedParent = nil
        do throws(ModelError) {
            try server.model.setParent(mapped, of: window)
        } catch {
            // At the limit it stays a window without a parent.
            return server.log(
                .warning, "client \(client.description): \(error)", about: client.subject(rule: error.rule))
        }
        server.foreignToplevels.didChange(window)
        server.logErrors { () throws(ModelError) in
            // A dialog opens where its parent is.
            if !isMapped, !isMaximized, !isFullscreen, let screen = mapped.flatMap({ server.model.screen(of: $0) }) {
                try server.model.move(window, to: screen)
            }
        }
    }

    private func invalidParent(_ which: String) -> ProtocolError {
        ProtocolError(
            object: id, code: XdgToplevel.Error.invalidParent.rawValue,
            message: "\(Rule.w3): the parent of toplevel \(id) cannot be \(which)")
    }

    /// The origin with which a window of that size is centred over its parent, moved onto the screen if it fits there;
    /// nil if it has no parent on its screen.
    func originOverParent(_ size: Size) -> Point? {
        let model = server.model
        guard let window, let parent = model.parent(of: window), let over = model.frame(of: parent),
            let screen = model.screen(of: window), model.screen(of: parent) == screen,
            let bounds = contentBounds
        else { return nil }
        func place(_ center: Double, _ length: Double, _ least: Double, _ most: Double) -> Double {
            max(least, min((center - length / 2).rounded(.down), most - length))
        }
        return Point(
            x: place(over.center.x, size.width, bounds.minX, bounds.maxX),
            y: place(over.center.y, size.height, bounds.minY, bounds.maxY))
    }
}
