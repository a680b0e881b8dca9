// The surface of an X11 program's window.

import MullionGeometry
import MullionWayland
import WindowModel

extension X11WindowResource {
    /// Shows the surface of that name, now or once it is created; nil: none.
    func show(_ name: X11ServerResource.SurfaceName?) {
        if let old = surfaceName { x11?.forget(old) }
        surfaceName = nil
        if let name { x11?.find(name, for: self) } else { drop() }
    }

    /// Shows nothing until the X server has mapped the window again, with another surface. The old one may remain until
    /// then, since Xwayland sends its end late.
    func becomeIconic() {
        isIconic = true
        show(nil)
    }

    /// Shows a surface, which another window loses.
    func take(_ new: SurfaceResource) {
        // The X server unmaps a minimized window.
        guard window != nil, new !== surface, sent?.isMinimized != true || !isManaged else { return }
        if let other = new.role as? X11WindowResource { other.drop() }
        drop()
        do throws(ProtocolError) {
            try new.setRole(self, errorOn: id, code: 0)
        } catch {
            // The X server can have reused the id in the meantime, for a cursor perhaps.
            return server.log(.debug, "client \(owner.description): \(error.message)", about: owner.subject())
        }
        surface = new
        showSurface()
    }

    /// Shows its surface. The X server draws an unmanaged window before the manager knows where that is: it is not shown
    /// before.
    func showSurface() {
        guard let surface, let window, isPlaced || isManaged else { return }
        server.logErrors { () throws(ModelError) in try server.model.setRoot(surface.node, of: window) }
        didCommit(on: surface)
        server.scheduleFrame(for: surface)
    }

    /// Shows nothing from now on.
    private func drop() {
        guard let old = surface else { return }
        old.clearRole()
        removeSurface()
    }

    private func removeSurface() {
        surface = nil
        if let window {
            server.logErrors { () throws(ModelError) in try server.model.removeRoot(of: window) }
        }
        contentDidEnd()
    }

    private func contentDidEnd() {
        guard isMapped else { return }
        cancelFrameDrags()
        isMapped = false
        removeTitleBar()
        if let window, !isIconic { server.foreignToplevels.didUnlist(window) }
    }

    // MARK: Role

    var containingWindow: Window.ID? { window }

    /// A description of the size that the program has not drawn yet; nil when there is none.
    var openConfigure: String? {
        guard isMapped, isManaged, let window, server.model.isVisible(window), let sent,
            let size = surface?.size, size != Size(width: Double(sent.width), height: Double(sent.height))
        else { return nil }
        return "has not drawn window \(window) with \(sent.width)x\(sent.height) yet"
    }

    func didCommit(on surface: SurfaceResource) {
        guard let size = surface.size else { return contentDidEnd() }
        guard isPlaced || isManaged else { return }
        if !isMapped { findParent() }
        show(Rect(origin: .zero, size: size))
        isIconic = false
    }

    func surfaceWillBeDestroyed(_ surface: SurfaceResource) { removeSurface() }
}
