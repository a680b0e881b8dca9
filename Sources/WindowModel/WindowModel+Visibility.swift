// Changes of visibility (V1, V2), and the order of their consequences (K3, K5, E2).

extension WindowModel {
    /// Updates the shown state after a change to what makes a window visible.
    /// - Parameter wanted: `wantsVisible` before the change.
    func visibilityDidChange(_ window: WindowNode, wanted: Bool) {
        guard window.wantsVisible != wanted else { return }
        if wanted {
            if window.value.isVisible { hide(window) }
            return
        }
        // W3: a window enters when it is shown; waiting for a screen no longer changes its order (S8).
        enterFront(window)
        guard window.screen != nil else { return }
        enterScreen(window)
        didBecomeVisible(window)
    }

    func hide(_ window: WindowNode) {
        leaveScreen(window)
        didBecomeHidden(window)
    }

    /// Inserts a window that becomes visible into its screen's order, without notifying.
    func enterScreen(_ window: WindowNode) {
        window.value.isVisible = true
        window.screen?.insert(window)
        markBox(window)
        changed(window.screen)
        if window.screen?.order.count == 1 { updateMirroring() }
    }

    /// Removes a window that becomes invisible from its screen's order, without notifying.
    func leaveScreen(_ window: WindowNode) {
        window.value.isVisible = false
        // An unplugged screen no longer has an order; mirroring was updated then.
        let wasLast = window.screen?.order.count == 1
        window.screen?.remove(window)
        changed(window.screen)
        structureChanged = true
        if wasLast { updateMirroring() }
    }

    /// V2, then K2; both wait while windows return to a screen (S8).
    func didBecomeVisible(_ window: WindowNode) {
        guard returning == nil else {
            returning?.append(window)
            return
        }
        record(.didBecomeVisible(window.id, window.value.application))
        takeKeyWhenVisible(window)
    }

    /// E2, then K5: `didBecomeHidden`, `didResignKey`, the heir's `didBecomeKey`.
    func didBecomeHidden(_ window: WindowNode) {
        cancelSequences(in: window)
        record(.didBecomeHidden(window.id, window.value.application))
        if let seat = keySeat(of: window) { passKey(of: seat) }
    }
}
