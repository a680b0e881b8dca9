// The windows of all programs, as task bars see them.

import MullionWayland
import WindowModel

/// What task bars know about a window.
struct ForeignToplevel: Equatable, Codable {
    let window: Window.ID
    /// How often it was unlisted before: a window that is shown again is another one for task bars.
    let round: UInt32
    var title: String
    /// The application's id, or the name of the program.
    var applicationID: String
    /// Also while it is minimized, so that the task bar of that screen can show it again.
    var screen: Screen.ID?
    var parent: Window.ID?
    var isMaximized = false
    /// Hidden, but not by its program.
    var isMinimized = false
    /// K1: the key window of any seat.
    var isActivated: Bool
    var isFullscreen = false
}

/// The clients that watch windows (wlr-foreign-toplevel-management, ext-foreign-toplevel-list).
///
/// The list contains the windows of plain programs that have content, and windows of the extension while their program
/// shows them, but no windows of system applications (W4). Without watchers this costs nothing; otherwise it costs what
/// has changed, once a turn.
final class ForeignToplevels {
    private unowned let server: DisplayServer
    private(set) var watchers: [ToplevelWatcher] = [] {
        didSet { server.hasToplevelWatchers = !watchers.isEmpty }
    }
    /// How often each window was unlisted, if ever.
    private var rounds: [Window.ID: UInt32] = [:]
    /// Tells this run of the server from all others.
    private var generation = UInt64.random(in: .min ... .max)

    init(_ server: DisplayServer) { self.server = server }

    func add(_ watcher: ToplevelWatcher) throws(ProtocolError) {
        try watcher.client.checkBindings(watchers.count { $0.client === watcher.client })
        watchers.append(watcher)
        server.watchersNeedUpdate = true
    }

    /// Adds the watcher of handles that another server has announced.
    func adopt(_ watcher: ToplevelWatcher) {
        watchers.append(watcher)
        server.watchersNeedUpdate = true
    }

    func remove(_ watcher: ToplevelWatcher) { watchers.removeAll { $0 === watcher } }

    /// A name for a window as long as it is listed: up to 29 characters.
    func identifier(of toplevel: ForeignToplevel) -> String {
        let parts = [generation, UInt64(toplevel.window.rawValue), UInt64(toplevel.round)]
        return parts.map { String($0, radix: 36) }.joined(separator: "-")
    }

    // MARK: Changes

    /// Called with every effect of the model while there are watchers.
    func note(_ effect: Effect) {
        switch effect {
        case .windowDidChange(let window, _, .hidden), .windowDidChange(let window, _, .title),
            .screenDidChange(let window, _, _),
            .didBecomeKey(let window, _, _), .didResignKey(let window, _, _),
            .didBecomeVisible(let window, _), .didBecomeHidden(let window, _):
            didChange(window)
        default: break
        }
    }

    /// Called when a window of the extension was hidden or shown by its program: it is another one when shown again.
    func programDidHideOrShow(_ window: Window.ID) {
        if server.model.window(window)?.isHidden == true { didUnlist(window) }
    }

    func didChange(_ window: Window.ID) {
        guard !watchers.isEmpty else { return }
        server.watchersNeedUpdate = true
        for watcher in watchers { watcher.didChange(window) }
    }

    /// Called when a window no longer has content, or is hidden by its program.
    func didUnlist(_ window: Window.ID) {
        rounds[window, default: 0] &+= 1
        server.captures.subjectsDidChange()
        didChange(window)
    }

    /// Called when a window is destroyed.
    func didEnd(_ window: Window.ID) {
        rounds[window] = nil
        didChange(window)
    }

    /// Called when the program of windows has another name.
    func didRename(_ application: Application.ID) {
        guard !watchers.isEmpty else { return }
        for window in server.model.windows(of: application) { didChange(window) }
    }

    /// Sends what has changed.
    func update() {
        for watcher in watchers { watcher.update() }
    }

    // MARK: Outputs

    /// Called before a screen's outputs become inert.
    func screenWillDisconnect(_ screen: Screen.ID) {
        for watcher in watchers { watcher.screenWillDisconnect(screen) }
        if !watchers.isEmpty { server.watchersNeedUpdate = true }
    }

    func didBind(_ output: OutputResource) {
        for watcher in watchers where watcher.client === output.connection { watcher.didBind(output) }
    }

    // MARK: State

    /// The listed windows, in order of creation.
    var listed: [Window.ID] { server.model.windows.filter { toplevel($0) != nil } }

    /// Nil for a window that is not listed.
    func toplevel(_ id: Window.ID) -> ForeignToplevel? {
        let model = server.model
        guard let window = model.window(id), let application = model.application(window.application),
            !application.isSystem
        else { return nil }
        var result = ForeignToplevel(
            window: id, round: rounds[id] ?? 0, title: window.title, applicationID: application.name,
            screen: window.screen, parent: window.parent, isActivated: window.isKey)
        switch server.windows[id] {
        case .toplevel(let toplevel) where toplevel.isListed:
            if !toplevel.applicationID.isEmpty { result.applicationID = toplevel.applicationID }
            result.isMaximized = toplevel.isMaximized
            result.isFullscreen = toplevel.isFullscreen
            result.isMinimized = window.isHidden
            return result
        case .window where !window.isHidden: return result
        default: return nil
        }
    }

    // MARK: Hand-over

    struct SavedState: Codable {
        struct Round: Codable {
            var window: Window.ID
            var round: UInt32
        }

        var generation: UInt64
        var rounds: [Round]
    }

    var savedState: SavedState {
        SavedState(
            generation: generation,
            rounds: rounds.sorted { $0.key < $1.key }.map { SavedState.Round(window: $0.key, round: $0.value) })
    }

    func restore(_ saved: SavedState) {
        generation = saved.generation
        rounds = Dictionary(saved.rounds.map { ($0.window, $0.round) }, uniquingKeysWith: { first, _ in first })
    }
}
