// Reacts to changes of screens, windows and cursors: schedules captures and ends those of removed ones.

import Compositor
import WindowModel

extension Captures {
    /// Called when something on the screen changed; requests that wait for that are served after the next tick.
    func screenChanged(_ id: Screen.ID) {
        for hasCursor in [false, true] {
            if let capture = captures[.screen(id, cursor: hasCursor)] { didChange(capture) }
        }
    }

    /// Called when watched windows have changed, other than in the pixels of their surfaces.
    func windowsDidChange(_ ids: [Window.ID]) {
        for id in ids { windowDidChange(id) }
    }

    private func windowDidChange(_ id: Window.ID) {
        for view in CaptureView.all(of: id) {
            if let capture = captures[view] { didChange(capture) }
        }
    }

    /// Called when pixels of a window's surface have changed.
    /// - Returns: whether a screen may show the change: not if other windows are known to hide it there.
    func contentsDidChange(of surface: Surface.ID, _ damage: DamageHistory, in window: Window.ID) -> Bool {
        let screen = server.model.visibleScreen(of: window)
        guard !captures.isEmpty else { return screen != nil }
        if server.model.isWatched(window) {
            for view in CaptureView.all(of: window) {
                if let capture = captures[view], !capture.hides(surface, damage) {
                    didChange(capture, contentsOf: surface)
                }
            }
        }
        guard let screen else { return false }
        var isVisible = contentsDidChange(of: surface, damage, on: screen)
        for mirror in server.model.mirrors(of: screen) {
            isVisible = contentsDidChange(of: surface, damage, on: mirror) || isVisible
        }
        return isVisible
    }

    private func contentsDidChange(of surface: Surface.ID, _ damage: DamageHistory, on screen: Screen.ID) -> Bool {
        var isHidden = false
        for hasCursor in [false, true] {
            guard let capture = captures[.screen(screen, cursor: hasCursor)] else { continue }
            if capture.hides(surface, damage) { isHidden = true } else { didChange(capture, contentsOf: surface) }
        }
        return !isHidden
    }

    /// Called when a seat's cursor moved or, unless `isMotion`, changed: affects captures that show it at its old or new
    /// position.
    func cursorDidChange(of seat: Seat.ID, isMotion: Bool) {
        subjectsDidChange()
        guard hasSessions else { return }
        for capture in captures.values where !capture.sessions.isEmpty {
            switch capture.view.subject {
            case .cursor(seat, _): if !isMotion { didChange(capture) }
            case .cursor: break
            default:
                guard capture.view.hasCursor else { continue }
                if capture.hasDrawnCursor || !server.cursorLayers(in: capture.view).isEmpty { didChange(capture) }
            }
        }
    }

    /// Redraws the pictures of windows that have another scale now, or moved, came or went below the cursor.
    func updateWindowViews() {
        guard hasSessions else { return }
        for capture in captures.values
        where capture.view.window != nil && !capture.sessions.isEmpty && capture.changedSurfaces != nil
            && !capture.hasSamePlaces(server)
        {
            didChange(capture)
        }
    }

    /// Called when a screen was connected: captures without a screen to follow have one now.
    func screenDidConnect() {
        for capture in captures.values where capture.sessions.contains(where: \.hasReportableChange) {
            schedule(capture)
        }
    }

    func screenDidDisconnect(_ id: Screen.ID) {
        subjectsDidChange()
        for hasCursor in [false, true] { end(.screen(id, cursor: hasCursor)) }
        // Its clock stops.
        for capture in captures.values where capture.scheduledScreen == id {
            capture.scheduledScreen = nil
            schedule(capture)
        }
    }

    /// Called when a window is destroyed.
    func windowDidEnd(_ id: Window.ID) {
        subjectsDidChange()
        guard !captures.isEmpty else { return }
        for view in CaptureView.all(of: id) { end(view) }
    }

    /// Ends the captures of a view that no longer exists.
    private func end(_ view: CaptureView) {
        guard let capture = captures.removeValue(forKey: view) else { return }
        // The request that has begun, or begins here, still receives the view's last contents.
        _ = goOnBeginning(capture) { false }
        for session in capture.sessions { session.fail() }
        hasSessions = captures.values.contains { !$0.sessions.isEmpty }
    }

    /// - Parameter surface: the one whose contents are all that has changed; nil if more has.
    private func didChange(_ capture: Capture, contentsOf surface: Surface.ID? = nil) {
        capture.viewDidChange(contentsOf: surface)
        // A view that showed nothing so far may have a picture now.
        if capture.sessions.contains(where: { $0.hasReportableChange || $0.hasImmediateRequest }) { schedule(capture) }
    }
}
