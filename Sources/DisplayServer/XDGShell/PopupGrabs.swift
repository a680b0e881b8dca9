// Grabbing pop-ups: they have the keyboard until the user clicks elsewhere.

import MullionWayland
import WindowModel

/// The open grabs of a seat, the topmost last. They end with their window, or with a press outside of their client.
final class PopupGrabs {
    private unowned let seat: ServerSeat
    private(set) var stack: [PopupResource] = []

    init(_ seat: ServerSeat) { self.seat = seat }

    func push(_ popup: PopupResource) {
        guard let window = popup.window, !popup.isParentDismissed, mayOpen(popup, in: window) else {
            return popup.dismiss()
        }
        // Opening a menu in another window closes this one.
        if let top = stack.last, top.window != popup.window { dismissAll() }
        stack.append(popup)
        updateKeyboard()
    }

    /// Restores the grabs of another server.
    func restore(_ popups: [PopupResource]) {
        stack = popups
        updateKeyboard()
    }

    /// E3: only a menu in the key window can have the keys. Where touches do not make key (K7), and in panels, which
    /// decline it (K4), other menus open without the keys, but they do not close another program's menu.
    private func mayOpen(_ popup: PopupResource, in window: Window.ID) -> Bool {
        let model = seat.server.model
        if window == model.keyWindow(of: seat.id) { return true }
        let cannotBecomeKey = !model.policy.keyOnTouch || model.window(window)?.canBecomeKey == false
        guard cannotBecomeKey, model.seat(of: window) == seat.id else { return false }
        return stack.last.map { $0.connection === popup.connection } ?? true
    }

    func remove(_ popup: PopupResource) {
        guard stack.contains(where: { $0 === popup }) else { return }
        stack.removeAll { $0 === popup }
        updateKeyboard()
    }

    /// Called when a press begins on this surface, or on none. The client with the grab receives all presses in its own
    /// surfaces and handles them itself; any other press ends the grabs.
    func pressWillBegin(on surface: SurfaceResource?) {
        guard let top = stack.last else { return }
        if let surface, surface.connection === top.connection { return }
        // Choosing an input method's suggestion is part of typing into the pop-up.
        if surface?.role is InputPopupResource, surface?.window == top.window { return }
        dismissAll()
    }

    /// Called when the window is destroyed, resigns key, or moves to another seat, which ends its grabs (E3).
    func windowDidEnd(_ window: Window.ID) {
        guard stack.contains(where: { $0.window == window }) else { return }
        // K2: remove the keyboard from the window directly, without moving the focus through its pop-ups.
        if seat.keyboardFocus == window { seat.keyboardFocus = nil }
        dismissAll()
    }

    /// L2, L4: called when the windows that may receive input have changed.
    func receiversDidChange() {
        guard let top = stack.last else { return }
        let model = seat.server.model
        if model.isLocked || !model.admitsInput(of: top.client.application) { dismissAll() }
    }

    /// Dismisses all pop-ups and moves the keyboard back once, not through each of them.
    private func dismissAll() {
        let all = stack
        stack = []
        for popup in all.reversed() { popup.dismiss() }
        updateKeyboard()
    }

    private func updateKeyboard() {
        if stack.isEmpty { seat.grabs.remove(.popups(self)) } else { seat.grabs.push(.popups(self)) }
        seat.grabs.keyboardSurface = stack.last?.xdg?.surface
    }
}
