// wlr-output-management: the state that all managers share.

import MullionWayland
import WindowModel

/// The heads as last sent, and the managers. Nothing is computed unless a screen has changed.
final class OutputManagement {
    private unowned let server: DisplayServer
    private(set) var heads: [OutputHeadState] = []
    /// The number of the current state; a configuration based on another one is outdated.
    var serial: UInt32 = 0
    private var managers: [OutputManagerResource] = []

    init(_ server: DisplayServer) { self.server = server }

    /// Marks the state of the screens as possibly changed.
    func setNeedsUpdate() { server.outputsNeedUpdate = true }

    /// Sends the changes since the last time to the managers, as one state.
    func update() {
        guard server.outputsNeedUpdate else { return }
        server.outputsNeedUpdate = false
        let now = server.model.pluggedScreens.map { OutputHeadState($0) }
        if now != heads {
            heads = now
            serial &+= 1
        }
        server.onScreensChange?()
        for manager in managers { manager.update(heads, serial: serial) }
    }

    /// Adds a manager, which receives the complete state with the next update.
    func add(_ manager: OutputManagerResource) throws(ProtocolError) {
        try manager.client.checkBindings(managers.count { $0.connection === manager.connection })
        managers.append(manager)
        setNeedsUpdate()
    }

    func remove(_ manager: OutputManagerResource) {
        managers.removeAll { $0 === manager }
    }
}
