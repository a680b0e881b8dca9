// Pop-ups that are open until somebody clicks elsewhere, and have the keyboard meanwhile.

import Wayland
import WindowModel

/// The open grabs of a seat, the topmost last. They end with their window, or with a press that is not their client's.
final class PopupGrabs {
    private unowned let seat: ServerSeat
    private(set) var stack: [PopupResource] = []

    init(_ seat: ServerSeat) { self.seat = seat }

    func push(_ popup: PopupResource) {
        guard let window = popup.window, !popup.isParentDismissed, mayOpen(popup, in: window) else {
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

    /// E3: only within the key window can a menu have the keys. Where touches do not make key (K7) others are open without
    /// them, but nobody closes another program's menu so.
    private func mayOpen(_ popup: PopupResource, in window: Window.ID) -> Bool {
        let model = seat.server.model
        if window == model.keyWindow(of: seat.id) { return true }
        guard !model.policy.keyOnTouch, model.seat(of: window) == seat.id else { return false }
        return stack.last.map { $0.connection === popup.connection } ?? true
    }

    func remove(_ popup: PopupResource) {
        guard stack.contains(where: { $0 === popup }) else { return }
        stack.removeAll { $0 === popup }
        updateKeyboard()
    }

    /// A press begins on this surface, or on none. The client with the grab has all presses in its own surfaces, and
    /// decides itself; any other press ends the grabs.
    func pressWillBegin(on surface: SurfaceResource?) {
        guard let top = stack.last else { return }
        if let surface, surface.connection === top.connection { return }
        // Choosing what an input method suggests is part of typing into the pop-up.
        if surface?.role is InputPopupResource, surface?.window == top.window { return }
        dismissAll()
    }

    /// The window goes, or key does, or the window is another seat's now: no grab outlives that (E3).
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

    private func updateKeyboard() {
        if stack.isEmpty { seat.grabs.remove(.popups(self)) } else { seat.grabs.push(.popups(self)) }
        seat.grabs.keyboardSurface = stack.last?.xdg?.surface
    }
}
