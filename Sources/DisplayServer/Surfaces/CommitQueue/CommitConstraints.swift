// What makes a commit wait.

/// The parts of wp_fifo_v1 and wp_commit_timer_v1 in a surface's double-buffered state.
struct CommitConstraints: SurfaceExtensionState {
    /// Whether the commit sets a barrier, which the next frame lifts.
    var setsBarrier = false
    /// Whether the commit waits while the surface has a barrier.
    var waitsForBarrier = false
    /// The earliest time at which the commit may be applied, in microseconds of the server's clock.
    var time: UInt64?

    mutating func merge(_ later: CommitConstraints) {
        setsBarrier = setsBarrier || later.setsBarrier
        waitsForBarrier = waitsForBarrier || later.waitsForBarrier
        if let other = later.time { time = max(time ?? 0, other) }
    }

    /// Whether the commit need not wait.
    /// - Parameter isPart: whether the surface is a synchronised sub-surface, which shows its frames with its parent's.
    func allow(_ surface: SurfaceResource, isPart: Bool, at now: @autoclosure () -> UInt64) -> Bool {
        if waitsForBarrier, !isPart, surface.hasBarrier { return false }
        return time.map { $0 <= now() } ?? true
    }

    func didApplyContents(to surface: SurfaceResource) {
        if setsBarrier { surface.setBarrier() }
    }
}

extension SurfaceState {
    var constraints: CommitConstraints { extensions?.constraints ?? CommitConstraints() }
}

extension SurfaceResource {
    /// The commits that wait to be applied, in order.
    var queue: [QueuedCommit] { extensions?.queue ?? [] }

    var hasBarrier: Bool { extensions?.hasBarrier == true }

    /// Keeps commits that wait for it from being applied until the next frame.
    fileprivate func setBarrier() {
        // Nothing would be shown by a frame (C2: a window's colour is content too).
        guard hasContents || role is WindowResource else { return }
        ownExtensions.hasBarrier = true
        server.scheduleFrame(for: self)
    }

    /// Called after a frame that has shown the surface, or would have if a screen had shown it (V3).
    func liftBarrier() {
        extensions?.hasBarrier = false
        advanceQueue(at: server.clock.now)
    }
}
