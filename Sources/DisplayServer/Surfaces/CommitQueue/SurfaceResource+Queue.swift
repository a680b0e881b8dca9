// The queue of a surface's commits, for clients that make commits wait.

import MullionWayland
import WindowModel

extension SurfaceResource {
    /// Applies a commit as soon as it and the earlier ones of the surface need not wait.
    func applyInOrder(_ state: SurfaceState) throws(ProtocolError) {
        guard client.queuesCommits else { return try apply(state) }
        if client.queuedCommits == 0, isFree(state) { return try apply(state) }
        try enqueue(state)
        guard state.attaches == false, role is XdgSurfaceResource else { return try applyReady(at: server.clock.now) }
        // A window that is unmapped begins anew with the next requests, and nobody would see what waits.
        while let commit = queue.first { try apply(commit, at: server.clock.now) }
    }

    /// Whether a commit, with those of sub-surfaces that wait for it, need not wait for a frame or a time.
    private func isFree(_ state: SurfaceState, isPart: Bool = false) -> Bool {
        guard state.constraints.allow(self, isPart: isPart, at: server.clock.now) else { return false }
        guard let waiting = family?.waiting, !waiting.isEmpty else { return true }
        return waiting.all.allSatisfy { child in
            guard let surface = child.surface, let cached = surface.cached else { return true }
            return surface.isFree(cached, isPart: true)
        }
    }

    /// Whether the surface will have content when its queue is empty.
    var willHaveContents: Bool {
        guard let last = queue.last(where: { $0.state.attaches != nil }) else { return hasContents }
        return last.state.attaches == true
    }

    /// Adds a commit to the queue, together with those of the sub-surfaces that wait for it.
    @discardableResult
    private func enqueue(_ state: SurfaceState) throws(ProtocolError) -> QueuedCommit {
        let limit = connection.transport.limits.queuedCommits
        guard client.queuedCommits < limit else {
            throw ProtocolError(
                .noMemory, object: id,
                message: "limit reached: \(limit) commits that wait, and changes in them")
        }
        let commit = QueuedCommit(state, of: self)
        ownExtensions.queue.append(commit)
        for case let child? in family?.waiting.takeAll() ?? [] where child.isAlive {
            guard let surface = child.surface, let state = surface.takeCached() else { continue }
            commit.add(try surface.enqueue(state))
        }
        return commit
    }

    // MARK: Advancing

    /// Applies the commits that need not wait at that time; an error is sent to the client.
    func advanceQueue(at now: UInt64) {
        guard !queue.isEmpty, !client.isClosed, client.failure == nil else { return }
        // A picture of what was there before is being collected.
        guard client.freezes == 0 else { return hold() }
        post { () throws(ProtocolError) in try applyReady(at: now) }
    }

    private func applyReady(at now: UInt64) throws(ProtocolError) {
        while let root = queue.first?.root, let owner = root.surface, try owner.applyIfReady(root, at: now) {}
    }

    /// Applies a commit unless it has to wait.
    /// - Returns: whether it was applied.
    private func applyIfReady(_ root: QueuedCommit, at now: UInt64) throws(ProtocolError) -> Bool {
        guard root.isReady(at: now) else {
            awaitDueTime(after: now)
            return false
        }
        guard server.turns.mayApplyDueCommit(ofWork: root.work) else {
            hold()
            return false
        }
        try apply(root, at: now)
        return true
    }

    /// Goes on in the client's next slice.
    private func hold() {
        guard !ownExtensions.isQueueHeld else { return }
        ownExtensions.isQueueHeld = true
        client.heldQueues.append(self)
        server.turns.add(client)
    }

    /// Applies a commit, and what waited for its parts.
    private func apply(_ root: QueuedCommit, at now: UInt64) throws(ProtocolError) {
        let others = root.partSurfaces
        try apply(through: root)
        for other in others {
            // A commit that is part of another one is applied by the loop of that one's surface.
            while let next = other.queue.first, next.parent == nil, try other.applyIfReady(next, at: now) {}
        }
    }

    /// Applies a commit after those in front of it.
    func apply(through commit: QueuedCommit) throws(ProtocolError) {
        while commit.surface != nil, let first = queue.first { try applyQueued(first) }
    }

    private func applyQueued(_ commit: QueuedCommit) throws(ProtocolError) {
        server.commitTimes.forget(self)
        let role = commit.isOfRole ? role : nil
        commit.leave()
        // What the role has changed since belongs to a later commit.
        let later = role?.exchangeChanges(for: commit.changes)
        try apply(commit.state, with: commit.parts, of: role)
        if let later { _ = role?.exchangeChanges(for: later) }
    }

    /// Waits for the time at which the first commit is due, if it has one.
    private func awaitDueTime(after now: UInt64) {
        guard let first = queue.first, first.parent == nil, first.time > now else {
            return server.commitTimes.forget(self)
        }
        server.commitTimes.wait(for: self, until: first.time)
    }

    // MARK: Ending

    /// Applies what waits, whatever for.
    func emptyQueue() {
        post { () throws(ProtocolError) in
            while let root = queue.first?.root, let owner = root.surface { try owner.apply(through: root) }
        }
    }

    /// Called when the surface is not, or no longer, the sub-surface that it was: drops the commits that wait for its
    /// parent's, and applies the others.
    /// - Parameter cached: the latest of those that wait.
    func leaveParentsQueue(cached: SurfaceState? = nil) {
        if let cached {
            keepChildren(of: cached, in: nil)
            drop(cached)
        }
        guard !queue.isEmpty else { return }
        dropQueue { $0.parent != nil || client.isClosed }
        emptyQueue()
    }

    /// Lets a later commit change the sub-surfaces as one that is dropped would have.
    /// - Parameter later: that commit's state; nil for the next commit that the client makes.
    private func keepChildren(of state: SurfaceState, in later: SurfaceState?) {
        guard isAlive, !state.children.isEmpty else { return }
        (later ?? change).takeChildren(from: state)
    }

    private func keepChildren(of commit: QueuedCommit) {
        for part in commit.parts { part.surface?.keepChildren(of: part) }
        let later = queue.drop { $0 !== commit }.dropFirst().first
        keepChildren(of: commit.state, in: later?.state)
    }

    /// Drops commits that wait, with their parts; what has waited for them goes on.
    func dropQueue(where predicate: (QueuedCommit) -> Bool = { _ in true }) {
        guard !queue.isEmpty else { return }
        server.commitTimes.forget(self)
        var others: [SurfaceResource] = []
        let dropped = queue.filter(predicate)
        for commit in dropped { keepChildren(of: commit) }
        for commit in dropped {
            if let root = commit.root.surface { others.append(root) }
            others += commit.partSurfaces
            drop(commit)
        }
        for other in others where other !== self { other.advanceQueue(at: server.clock.now) }
    }

    private func drop(_ commit: QueuedCommit) {
        commit.leave()
        drop(commit.state)
        for part in commit.parts { part.surface?.drop(part) }
    }

    private func post(_ body: () throws(ProtocolError) -> Void) {
        do {
            try body()
        } catch {
            client.post(error)
            client.queueFlush()
        }
    }
}

extension DisplayServer {
    /// Applies all commits that wait.
    /// - Returns: whether there were any.
    func emptyCommitQueues() -> Bool {
        let waiting = surfaces.all.filter { !$0.queue.isEmpty }
        guard !waiting.isEmpty else { return false }
        // What is being collected for a picture must not change.
        captures.endRequests()
        for surface in waiting { surface.emptyQueue() }
        return true
    }
}

extension Client {
    /// Whether a commit of it is applied at a later time without stepping.
    var owesTimedCommit: Bool { timedSurfaces > 0 && server.clock.mode == .real }

    /// Applies what may be due since the client was frozen, or was too much for the last slice.
    func advanceHeldQueues() {
        let held = heldQueues
        heldQueues = []
        for surface in held where surface.isAlive {
            surface.extensions?.isQueueHeld = false
            surface.advanceQueue(at: server.clock.now)
        }
    }
}
