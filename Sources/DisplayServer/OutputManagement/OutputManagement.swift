// wlr-output-management: what all of its managers have in common.

import Wayland
import WindowModel

/// The heads as they were told last, and who is told. Nothing is computed unless a screen has changed.
final class OutputManagement {
    private unowned let server: DisplayServer
    private(set) var heads: [OutputHeadState] = []
    /// Counts the states; a configuration made from another one is outdated.
    var serial: UInt32 = 0
    private var managers: [OutputManagerResource] = []
    private var needsUpdate = true

    init(_ server: DisplayServer) { self.server = server }

    /// Something of a screen may have changed.
    func setNeedsUpdate() { needsUpdate = true }

    /// Tells the managers what has changed since the last time, as one state.
    func update() {
        guard needsUpdate else { return }
        needsUpdate = false
        let now = server.pluggedScreens.map { OutputHeadState($0.screen, isEnabled: $0.isEnabled) }
        if now != heads {
            heads = now
            serial &+= 1
        }
        server.onScreensChange?()
        for manager in managers { manager.update(heads, serial: serial) }
    }

    /// A new manager is told everything with the next update.
    func add(_ manager: OutputManagerResource) throws(ProtocolError) {
        try manager.client.checkBindings(managers.count { $0.connection === manager.connection })
        managers.append(manager)
        needsUpdate = true
    }

    func remove(_ manager: OutputManagerResource) {
        managers.removeAll { $0 === manager }
    }
}
