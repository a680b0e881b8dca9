// The loop: what was set is committed, what came is told, one turn after the other.

import System
import Wayland

/// A request whose place among those of other windows matters (K2, W3).
struct OrderedRequest {
    let window: Window
    let request: MullionWindowV1.Request
    /// Keeps the screen that the request names until it was sent (S9).
    let screen: Screen?
}

extension Application {
    /// Handles events until `stop()`.
    /// - Throws: `ApplicationError` when the server goes away or refuses a request.
    public func run() throws(ApplicationError) {
        defer { isStopped = false }
        while !isStopped { try dispatch() }
    }

    /// Makes `run()` return after the present turn, or at once when it is called next.
    public func stop() { isStopped = true }

    /// Calls `body` once, so many seconds from now, from the loop.
    public func after(_ seconds: Double, _ body: @escaping () -> Void) {
        timers.append((MonotonicClock.seconds + max(0, seconds), body))
    }

    /// The descriptor to poll for reading when another loop drives this one: then call `dispatch(timeout: 0)`.
    public var descriptor: Int32 { connection.descriptor }

    /// One turn: commits, waits for events at most so many milliseconds (-1: for ever), tells them, commits again.
    /// - Returns: false when nothing happened in time, or a signal arrived.
    /// - Throws: `ApplicationError` when the server goes away or refuses a request; what came before is told first.
    @discardableResult
    public func dispatch(timeout: Int32 = -1) throws(ApplicationError) -> Bool {
        try flush()
        if !hasQueued, waitReadable(connection.descriptor, milliseconds: wait(atMost: timeout)) {
            read()
        }
        let told = deliver()
        let fired = fireTimers()
        if let failure { throw failure }
        try flush()
        return told || fired
    }

    /// Waits until the server has carried out everything asked for so far, and tells what came meanwhile.
    /// - Throws: `ApplicationError` when the server goes away or refuses a request.
    public func roundTrip() throws(ApplicationError) {
        commitPending()
        var problem: ApplicationError?
        do throws(ApplicationError) { try collect() } catch { problem = error }
        deliver()
        if let problem { throw problem }
        try flush()
    }

    /// Commits what was set and sends it (C4).
    /// - Throws: `ApplicationError` when the server has gone away or refused a request.
    public func flush() throws(ApplicationError) {
        commitPending()
        try send()
    }

    // MARK: Commits

    /// Sends the ordered requests in their order, each run of them with its window's commit, then the other commits.
    func commitPending() {
        let requests = ordered
        ordered = []
        for (index, item) in requests.enumerated() where !item.window.isClosed {
            item.window.willCommit()
            item.window.role.send(item.request)
            let isLastOfRun = index + 1 == requests.count || requests[index + 1].window !== item.window
            if isLastOfRun { item.window.commitTree() }
        }
        let dirty = dirtyWindows
        dirtyWindows = []
        for window in dirty where window.needsCommit { window.commitTree() }
    }

    func commit(_ window: Window) {
        window.willCommit()
        for item in ordered where item.window === window { window.role.send(item.request) }
        ordered.removeAll { $0.window === window }
        dirtyWindows.removeAll { $0 === window }
        window.commitTree()
    }

    func noteDirty(_ window: Window) {
        guard !window.isClosed, !dirtyWindows.contains(where: { $0 === window }) else { return }
        dirtyWindows.append(window)
    }

    func forget(_ window: Window) {
        ordered.removeAll { $0.window === window }
        dirtyWindows.removeAll { $0 === window }
        allWindows.removeAll { $0 === window }
    }

    // MARK: Input

    /// Keeps an event for its turn: nothing is told while bytes are being read, so callbacks may do anything.
    func enqueue(_ body: @escaping () -> Void) { queue.append(body) }

    /// A round trip that only reads: what came waits in the queue.
    func collect() throws(ApplicationError) {
        var isDone = false
        let callback = Proxy<WlCallback>(connection, version: 1)
        callback.onEvent = { _ in isDone = true }
        connection.display.send(.sync(callback: callback.id))
        try send()
        while !isDone {
            if waitReadable(connection.descriptor, milliseconds: -1) { read() }
            if let failure { throw failure }
        }
    }

    private func send() throws(ApplicationError) {
        if let failure { throw failure }
        do throws(ClientError) {
            try connection.flush()
        } catch {
            let problem = ApplicationError(error)
            failure = problem
            throw problem
        }
    }

    private func read() {
        do throws(ClientError) { try connection.dispatchAvailable() } catch { failure = ApplicationError(error) }
    }

    /// Whether events wait to be told.
    private var hasQueued: Bool { queueHead < queue.count }

    /// Tells what is queued, one by one: a callback that dispatches goes on with the rest, so the order stays (E9).
    @discardableResult
    private func deliver() -> Bool {
        guard hasQueued else { return false }
        while hasQueued {
            let body = queue[queueHead]
            queueHead += 1
            body()
        }
        queue.removeAll(keepingCapacity: true)
        queueHead = 0
        return true
    }

    // MARK: Timers

    private func wait(atMost timeout: Int32) -> Int32 {
        guard let next = timers.lazy.map(\.deadline).min() else { return timeout }
        let milliseconds = Int32(min(max((next - MonotonicClock.seconds) * 1000, 0).rounded(.up), 1_000_000_000))
        return timeout < 0 ? milliseconds : min(timeout, milliseconds)
    }

    private func fireTimers() -> Bool {
        let now = MonotonicClock.seconds
        let due = timers.filter { $0.deadline <= now }.sorted { $0.deadline < $1.deadline }
        guard !due.isEmpty else { return false }
        timers.removeAll { $0.deadline <= now }
        for timer in due { timer.body() }
        return true
    }
}
