// The event loop: commits changes and delivers events, turn by turn.

import System
import Wayland

/// A request whose order relative to other windows' requests matters (K2, W3).
struct OrderedRequest {
    let window: Window
    let request: MullionWindowV1.Request
    /// Keeps the screen named in the request alive until it is sent (S9).
    let screen: Screen?
}

extension Application {
    /// Handles events until `stop()`.
    /// - Throws: `ApplicationError` when the connection ends or the server refuses a request.
    public func run() throws(ApplicationError) {
        defer { isStopped = false }
        while !isStopped { try dispatch() }
    }

    /// Makes `run()` return after the current turn, or immediately when it is called next.
    public func stop() { isStopped = true }

    /// Calls `body` once from the loop, after this many seconds.
    public func after(_ seconds: Double, _ body: @escaping () -> Void) {
        timers.append((MonotonicClock.seconds + max(0, seconds), body))
    }

    /// The descriptor to poll for reading when another loop drives this one; call `dispatch(timeout: 0)` when it is
    /// readable.
    public var descriptor: Int32 { connection.descriptor }

    /// Runs one turn: commits, waits at most `timeout` milliseconds (-1: indefinitely) for events, delivers them,
    /// commits again.
    /// - Returns: false when nothing happened in time, or a signal arrived.
    /// - Throws: `ApplicationError` when the connection ends or the server refuses a request; earlier events are
    ///   delivered first.
    @discardableResult
    public func dispatch(timeout: Int32 = -1) throws(ApplicationError) -> Bool {
        try flush()
        if !hasQueued, waitReadable(connection.descriptor, milliseconds: wait(atMost: timeout)) {
            read()
        }
        let delivered = deliver()
        let fired = fireTimers()
        if let failure { throw failure }
        try flush()
        return delivered || fired
    }

    /// Waits until the server has handled all requests so far, and delivers the events received meanwhile.
    /// - Throws: `ApplicationError` when the connection ends or the server refuses a request.
    public func roundTrip() throws(ApplicationError) {
        commitPending()
        var problem: ApplicationError?
        do throws(ApplicationError) { try collect() } catch { problem = error }
        deliver()
        if let problem { throw problem }
        try flush()
    }

    /// Commits and sends all changes (C4).
    /// - Throws: `ApplicationError` when the connection has ended or the server has refused a request.
    public func flush() throws(ApplicationError) {
        commitPending()
        try send()
    }

    // MARK: Commits

    /// Sends the ordered requests in order, each run of them with its window's commit, then the other commits.
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

    /// Queues an event. Callbacks do not run while bytes are being read, so they may do anything.
    func enqueue(_ body: @escaping () -> Void) { queue.append(body) }

    /// A round trip that only reads; events received are queued.
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

    /// Whether events are queued.
    private var hasQueued: Bool { queueHead < queue.count }

    /// Delivers queued events one by one. A callback that dispatches continues with the rest, so that the order is kept
    /// (E9).
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
