// Applications and the destruction of their windows (W4, W7, E7).

extension WindowModel {
    /// In order of creation.
    public var applications: [Application.ID] { applicationNodes.keys.sorted() }

    /// An application; nil once it was removed.
    public func application(_ id: Application.ID) -> Application? { applicationNodes[id]?.value }

    /// Adds an application for a newly connected client.
    public func addApplication(
        isSystem: Bool = false, name: String = "", process: Application.Process? = nil
    ) -> Application.ID {
        let id = nextApplicationID()
        applicationNodes[id] = ApplicationNode(Application(id: id, name: name, process: process, isSystem: isSystem))
        record(.applicationDidConnect(id))
        return id
    }

    /// W7: removes an application whose connection has ended; all its windows are destroyed, back to front.
    public func removeApplication(_ id: Application.ID) throws(ModelError) {
        let node = try node(id)
        node.isEnding = true
        remoteReceivers.removeAll { $0 === node }
        for window in node.windows.sortedBackToFront() { destroy(window) }
        for seat in seatNodes { cancelCarried(of: seat) { $1.window.application === node } }
        // Break the reference cycle: the windows refer to their application.
        node.windows = []
        applicationNodes[id] = nil
        abandonLock(by: id)
        releaseInput(of: id)
        record(.applicationDidDisconnect(id))
    }

    /// W4: this application's windows, hidden ones too, back to front.
    public func windows(of id: Application.ID) -> [Window.ID] {
        guard let node = applicationNodes[id] else { return [] }
        return node.windows.sortedBackToFront().map(\.id)
    }

    /// E7: from now on, no interaction may begin in the application's windows: no touch, click, hover, scroll or gesture.
    /// Running sequences continue. Keys, shaking and remote control are not affected. Nests.
    public func beginIgnoringInteractionEvents(_ id: Application.ID) throws(ModelError) {
        try node(id).value.ignoringDepth += 1
    }

    /// E7: ends one `beginIgnoringInteractionEvents`.
    public func endIgnoringInteractionEvents(_ id: Application.ID) throws(ModelError) {
        let node = try node(id)
        guard node.value.ignoringDepth > 0 else {
            throw .notAllowed(.e7, "application \(id) is not ignoring events; call begin first")
        }
        node.value.ignoringDepth -= 1
        // E5: the pointer may enter a window now.
        if node.value.ignoringDepth == 0 { structureChanged = true }
    }
}
