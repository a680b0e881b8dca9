// The icon of a drag.

import MullionGeometry
import MullionWayland
import WindowModel

/// A drag-and-drop icon: in front of all windows of the screen with the pointer or finger, never part of a window, and
/// never hit. Captures of the screen include it.
final class DragIconRole: SurfaceRole {
    static let roleName = RoleName.dragIcon
    /// Nil once the surface is destroyed.
    private weak var surface: SurfaceResource?
    /// From the pointer or the finger to the surface's origin, in points; the client changes it with wl_surface.offset.
    private var offset = Point.zero
    private var place: (screen: Screen.ID, point: Point)?

    init(_ surface: SurfaceResource) { self.surface = surface }

    var containingWindow: Window.ID? { nil }

    func willApply(_ state: SurfaceState, to surface: SurfaceResource) { offset = offset + state.offset }

    func didCommit(on surface: SurfaceResource) { show() }

    func surfaceWillBeDestroyed(_ surface: SurfaceResource) { self.surface = nil }

    /// Moves it to a point of a screen, in its points.
    func move(to point: Point, on screen: Screen.ID) {
        place = (screen, point)
        show()
    }

    /// Called when the drag is over; the surface is hidden until it is dragged again.
    func end() {
        place = nil
        guard let surface, surface.role === self else { return }
        surface.server.model.removeOverlay(surface.node)
        surface.updateEnteredScreen()
        surface.clearRole()
    }

    private func show() {
        guard let surface, let place else { return }
        let server = surface.server
        let before = server.model.overlayScreen(of: surface.node)
        server.logErrors { () throws(ModelError) in
            try server.model.setOverlay(surface.node, at: place.point + offset, on: place.screen)
        }
        guard before != place.screen else { return }
        surface.updateEnteredScreen()
        server.scheduleFrame(for: surface)
    }
}
