// Keeps the sessions of ext_image_copy_capture up to date.

/// The objects that announce sizes and positions.
struct CaptureWatchers {
    var sessions: [ImageCopySessionResource] = []
    var cursors: [ImageCopyCursorResource] = []

    var isEmpty: Bool { sessions.isEmpty && cursors.isEmpty }
}

extension Captures {
    func add(_ session: ImageCopySessionResource) {
        watchers.sessions.append(session)
        server.captureWatchersNeedUpdate = true
    }

    func remove(_ session: ImageCopySessionResource) { watchers.sessions.removeAll { $0 === session } }

    func add(_ cursor: ImageCopyCursorResource) {
        watchers.cursors.append(cursor)
        server.captureWatchersNeedUpdate = true
    }

    func remove(_ cursor: ImageCopyCursorResource) { watchers.cursors.removeAll { $0 === cursor } }

    /// Called when a screen, window or cursor comes, goes, moves or changes its size or scale.
    func subjectsDidChange() {
        if hasSessions || !watchers.isEmpty { server.captureWatchersNeedUpdate = true }
    }

    /// Sends what has changed to the clients that read; the others receive it when they have caught up.
    func updateWatchers() {
        server.captureWatchersNeedUpdate = false
        for session in watchers.sessions { if isReady(session.client) { session.update() } }
        for cursor in watchers.cursors { if isReady(cursor.client) { cursor.update() } }
        updateWindowViews()
    }

    private func isReady(_ client: Client) -> Bool {
        guard !client.isClosed else { return false }
        if client.transport.isCongested { server.captureWatchersNeedUpdate = true }
        return !client.transport.isCongested
    }
}
