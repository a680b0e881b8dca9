// The event loop: commits changes and delivers events, turn by turn.

import Dispatch
import Glibc
import MullionSystem
import MullionWayland

/// A request whose order relative to other windows' requests matters (K2, W3).
struct OrderedRequest {
    let window: Window
    let request: MullionWindowV1.Request
    let property: Window.Property?
    /// Keeps the screen named in the request alive until it is sent (S9).
    let screen: Screen?
}

/// A function to call later.
struct Timer {
    let number: Int
    /// In seconds of the monotonic clock.
    let deadline: Double
    let body: () -> Void
}

extension Application {
    /// Handles events until `stop()`, and serves the main actor and the main queue meanwhile: tasks of the main actor
    /// and `DispatchQueue.main.async` run between events, and what they changed is committed. For synchronous programs,
    /// from the main thread.
    /// - Throws: `ApplicationError` when the connection ends or the server refuses a request.
    @available(*, noasync, message: "in asynchronous code, use try await run()")
    public func run() throws(ApplicationError) {
        defer { isStopped = false }
        while !isStopped { try turn(timeout: -1, servesMainQueue: true) }
    }

    /// Handles events until `stop()` or until the task is cancelled, driven by the main queue: for asynchronous programs,
    /// such as those with an asynchronous `main()`.
    /// - Throws: `ApplicationError` when the connection ends or the server refuses a request.
    public func run() async throws(ApplicationError) {
        guard !isStopped else {
            isStopped = false
            return
        }
        if let failure { throw failure }
        let readable = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        // A descriptor of its own, because a source may use it until it calls its cancel handler.
        let watched = dup(descriptor)
        let source = DispatchSource.makeReadSource(fileDescriptor: watched, queue: .main)
        source.setEventHandler { readable.continuation.yield() }
        source.setCancelHandler { close(watched) }
        source.activate()
        wake = { readable.continuation.yield() }
        defer {
            wake = nil
            isStopped = false
            source.cancel()
        }
        var events = readable.stream.makeAsyncIterator()
        /// When the main queue wakes the loop for a timer.
        var wakeTime = Double.infinity
        while !isStopped {
            try turn(timeout: 0, servesMainQueue: false)
            guard !isStopped, !hasQueued else { continue }
            if wakeTime <= MonotonicClock.seconds { wakeTime = .infinity }
            if let next = timers.lazy.map(\.deadline).min(), next < wakeTime {
                wakeTime = next
                let microseconds = min(max(0, next - MonotonicClock.seconds) * 1e6, 1e15)
                let delay = DispatchTimeInterval.microseconds(Int(microseconds) + 1)
                DispatchQueue.main.asyncAfter(deadline: .now() + delay) { readable.continuation.yield() }
            }
            // It ends when the task is cancelled.
            guard await events.next(isolation: MainActor.shared) != nil else { return }
        }
    }

    /// Makes `run()` return after the current turn, or immediately when it is called next.
    public func stop() {
        isStopped = true
        wake?()
    }

    /// Calls `body` once from the loop, after this many seconds, unless the observation is cancelled before.
    @discardableResult
    public func after(_ seconds: Double, _ body: @escaping () -> Void) -> Observation {
        let number = nextSequence()
        timers.append(Timer(number: number, deadline: MonotonicClock.seconds + max(0, seconds), body: body))
        wake?()
        return Observation { [weak self] in self?.timers.removeAll { $0.number == number } }
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
        try turn(timeout: timeout, servesMainQueue: false)
    }

    @discardableResult
    private func turn(timeout: Int32, servesMainQueue: Bool) throws(ApplicationError) -> Bool {
        do throws(ApplicationError) {
            try flush()
        } catch {
            deliver()
            throw error
        }
        let (input, work) = hasQueued ? (false, servesMainQueue) : wait(atMost: timeout, servesMainQueue)
        if input { read() }
        if work { MainQueue.drain() }
        let delivered = deliver()
        let fired = fireTimers()
        // A callback may have disconnected, which is no failure.
        if isDisconnected { return true }
        if let failure { throw failure }
        try flush()
        return delivered || fired || work
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
        // Drawing may ask for a commit, which would show half of this one (C4).
        guard !isCommitting else { return }
        isCommitting = true
        defer { isCommitting = false }
        commitRound()
        // What drawing has asked of other windows.
        commitRound()
    }

    private func commitRound() {
        let requests = ordered
        ordered = []
        for (index, item) in requests.enumerated() where !item.window.isClosed {
            item.window.sendProperties()
            item.window.send(item)
            let isLastOfRun = index + 1 == requests.count || requests[index + 1].window !== item.window
            if isLastOfRun { item.window.commitTree() }
        }
        let dirty = dirtyWindows
        dirtyWindows = []
        for window in dirty where window.needsCommit { window.commitTree() }
    }

    func commit(_ window: Window) {
        guard !isCommitting else { return }
        isCommitting = true
        defer { isCommitting = false }
        window.sendProperties()
        for item in ordered where item.window === window { window.send(item) }
        ordered.removeAll { $0.window === window }
        dirtyWindows.removeAll { $0 === window }
        window.commitTree()
    }

    func noteDirty(_ window: Window) {
        guard !window.isClosed, !dirtyWindows.contains(where: { $0 === window }) else { return }
        dirtyWindows.append(window)
        wake?()
    }

    func forget(_ window: Window) {
        ordered.removeAll { $0.window === window }
        dirtyWindows.removeAll { $0 === window }
        allWindows.removeAll { $0 === window }
    }

    // MARK: Input

    /// Queues an event. Callbacks do not run while bytes are being read, so they may do anything.
    func enqueue(_ body: @escaping () -> Void) { queue.append(body) }

    /// Brings what windows report up to date with the requests so far: reading `isVisible`, `isKeyWindow` or the order
    /// after a request waits for the server's answer.
    func confirm() {
        guard isUnconfirmed, !isCommitting else { return }
        guard failure == nil else {
            isUnconfirmed = false
            return
        }
        commitPending()
        // A failure is thrown by the loop.
        try? collect()
        readsReports = true
    }

    /// A round trip that only reads; events received are queued.
    func collect() throws(ApplicationError) {
        if ordered.isEmpty { isUnconfirmed = false }
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

    /// Sends what is queued, without committing.
    func send() throws(ApplicationError) {
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
            // What was requested before this event reads as of the event, even if the answer has been read.
            let wasUnconfirmed = isUnconfirmed
            (readsReports, isUnconfirmed) = (false, false)
            body()
            isUnconfirmed = isUnconfirmed || wasUnconfirmed
        }
        readsReports = true
        queue.removeAll(keepingCapacity: true)
        queueHead = 0
        return true
    }

    // MARK: Timers

    /// Waits for input, the next timer, or work for the main queue.
    private func wait(atMost timeout: Int32, _ servesMainQueue: Bool) -> (input: Bool, work: Bool) {
        var timeout = timeout
        if let next = timers.lazy.map(\.deadline).min() {
            let milliseconds = Int32(min(max((next - MonotonicClock.seconds) * 1000, 0).rounded(.up), 1_000_000_000))
            timeout = timeout < 0 ? milliseconds : min(timeout, milliseconds)
        }
        guard servesMainQueue else { return (waitReadable(connection.descriptor, milliseconds: timeout), false) }
        var requests = [
            pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: MainQueue.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        guard unsafe poll(&requests, 2, timeout) > 0 else { return (false, false) }
        return (requests[0].revents != 0, requests[1].revents != 0)
    }

    private func fireTimers() -> Bool {
        let now = MonotonicClock.seconds
        let due = timers.filter { $0.deadline <= now }.sorted { $0.deadline < $1.deadline }
        guard !due.isEmpty else { return false }
        for timer in due {
            // One that another one cancelled is not called.
            guard let index = timers.firstIndex(where: { $0.number == timer.number }) else { continue }
            timers.remove(at: index)
            timer.body()
        }
        return true
    }
}
