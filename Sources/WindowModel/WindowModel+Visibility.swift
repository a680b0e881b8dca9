// Becoming visible and hidden (V1, V2), and the order of what follows (K3, K5, E2).

extension WindowModel {
    /// Brings what is shown in line after a change to what makes a window visible. `wanted`: `wantsVisible` before it.
    func visibilityDidChange(_ window: WindowNode, wanted: Bool) {
        guard window.wantsVisible != wanted else { return }
        if wanted {
            if window.value.isVisible { hide(window) }
            return
        }
        // W3: it enters when it is shown; waiting for a screen does not change its place any more (S8).
        window.entry = nextEntry()
        guard window.screen != nil else { return }
        enterScreen(window)
        didBecomeVisible(window)
    }

    func hide(_ window: WindowNode) {
        leaveScreen(window)
        didBecomeHidden(window)
    }

    /// Puts a window that is visible from now on into its screen's order; tells nobody yet.
    func enterScreen(_ window: WindowNode) {
        window.value.isVisible = true
        window.screen?.insert(window)
        markBox(window)
        changed(window.screen)
        if window.screen?.order.count == 1 { updateMirroring() }
    }

    /// Takes a window that is invisible from now on out of its screen's order; tells nobody yet.
    func leaveScreen(_ window: WindowNode) {
        window.value.isVisible = false
        // A screen that is unplugged has none any more: who mirrors whom was decided then.
        let wasLast = window.screen?.order.count == 1
        window.screen?.remove(window)
        changed(window.screen)
        structureChanged = true
        if wasLast { updateMirroring() }
    }

    /// V2, then K2: what was asked for while invisible.
    func didBecomeVisible(_ window: WindowNode) {
        record(.didBecomeVisible(window.id, window.value.application))
        honourKeyRequest(of: window)
    }

    /// E2, then K5: `didBecomeHidden`, `didResignKey`, the heir's `didBecomeKey`.
    func didBecomeHidden(_ window: WindowNode) {
        cancelSequences(in: window)
        record(.didBecomeHidden(window.id, window.value.application))
        if let seat = keySeat(of: window) { passKey(of: seat) }
    }
}
