// Pop-ups that hold the keyboard until somebody clicks elsewhere.

import Wayland
import WindowModel

/// The open grabs, the topmost last. They end with their window, or with a press outside.
final class PopupGrabs {
    private var stack: [PopupResource] = []

    func push(_ popup: PopupResource, on server: DisplayServer) {
        // E3: only within the key window can a menu have the keys; nobody closes another program's menu with its own.
        guard let window = popup.window, window == server.model.keyWindow, !popup.isParentDismissed else {
            return popup.dismiss()
        }
        // A menu closes when one is opened elsewhere.
        if let top = stack.last, top.window != popup.window { dismissAll(on: server) }
        stack.append(popup)
        updateKeyboard(server)
    }

    func remove(_ popup: PopupResource, on server: DisplayServer) {
        guard stack.contains(where: { $0 === popup }) else { return }
        stack.removeAll { $0 === popup }
        updateKeyboard(server)
    }

    /// A press begins on this surface, or on none: grabs of other windows, and this one's outside its pop-ups, end.
    func pressBegins(on surface: SurfaceResource?) {
        guard let top = stack.last else { return }
        if let surface, surface.connection === top.connection, surface.window == top.window, isInPopup(surface) {
            return
        }
        // Choosing what an input method suggests is part of typing into the pop-up.
        if surface?.role is InputPopupResource, surface?.window == top.window { return }
        dismissAll(on: top.server)
    }

    /// The window goes, or key does: no grab outlives that (E3).
    func windowDidEnd(_ window: Window.ID) {
        guard let top = stack.last, stack.contains(where: { $0.window == window }) else { return }
        // K2: the keyboard leaves the window, not by way of what is below its pop-ups.
        top.server.seat.didResignKey(window)
        dismissAll(on: top.server)
    }

    /// The keyboard goes back once, not to each pop-up in turn.
    private func dismissAll(on server: DisplayServer) {
        let all = stack
        stack = []
        for popup in all.reversed() { popup.dismiss() }
        updateKeyboard(server)
    }

    private func isInPopup(_ surface: SurfaceResource) -> Bool {
        var current: SurfaceResource? = surface
        while let surface = current {
            if let xdg = surface.role as? XdgSurfaceResource, case .popup = xdg.part { return true }
            current = surface.subsurface?.parent
        }
        return false
    }

    private func updateKeyboard(_ server: DisplayServer) {
        server.seat.keyboardGrab = stack.last?.xdg?.surface
    }
}
