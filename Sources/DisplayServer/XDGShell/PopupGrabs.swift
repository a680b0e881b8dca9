// Pop-ups that hold the keyboard until somebody clicks elsewhere.

import Wayland
import WindowModel

/// The open grabs of a seat, the topmost last. They end with their window, or with a press outside.
final class PopupGrabs {
    private unowned let seat: ServerSeat
    private(set) var stack: [PopupResource] = []

    init(_ seat: ServerSeat) { self.seat = seat }

    func push(_ popup: PopupResource) {
        // E3: only within the key window can a menu have the keys; nobody closes another program's menu with its own.
        guard let window = popup.window, window == seat.server.model.keyWindow(of: seat.id), !popup.isParentDismissed
        else {
            return popup.dismiss()
        }
        // A menu closes when one is opened elsewhere.
        if let top = stack.last, top.window != popup.window { dismissAll() }
        stack.append(popup)
        updateKeyboard()
    }

    /// Goes on with the grabs that another server had.
    func restore(_ popups: [PopupResource]) {
        stack = popups
        updateKeyboard()
    }

    func remove(_ popup: PopupResource) {
        guard stack.contains(where: { $0 === popup }) else { return }
        stack.removeAll { $0 === popup }
        updateKeyboard()
    }

    /// A press begins on this surface, or on none: grabs of other windows, and this one's outside its pop-ups, end.
    func pressBegins(on surface: SurfaceResource?) {
        guard let top = stack.last else { return }
        if let surface, surface.connection === top.connection, surface.window == top.window, isInPopup(surface) {
            return
        }
        // Choosing what an input method suggests is part of typing into the pop-up.
        if surface?.role is InputPopupResource, surface?.window == top.window { return }
        dismissAll()
    }

    /// The window goes, or key does: no grab outlives that (E3).
    func windowDidEnd(_ window: Window.ID) {
        guard stack.contains(where: { $0.window == window }) else { return }
        // K2: the keyboard leaves the window at once, not by way of what is below its pop-ups.
        if seat.keyboardFocus == window { seat.keyboardFocus = nil }
        dismissAll()
    }

    /// The keyboard goes back once, not to each pop-up in turn.
    private func dismissAll() {
        let all = stack
        stack = []
        for popup in all.reversed() { popup.dismiss() }
        updateKeyboard()
    }

    private func isInPopup(_ surface: SurfaceResource) -> Bool {
        var current: SurfaceResource? = surface
        while let surface = current {
            if let xdg = surface.role as? XdgSurfaceResource, case .popup = xdg.part { return true }
            current = surface.subsurface?.parent
        }
        return false
    }

    private func updateKeyboard() {
        seat.keyboardGrab = stack.last?.xdg?.surface
    }
}
