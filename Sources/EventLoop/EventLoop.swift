// The event loop of one thread: waits for descriptors, timers, signals and other threads, and calls their handlers.

import CLibevent
import Glibc

/// libevent's loop. Everything made on a loop must be used on the loop's thread; only `remote` is thread-safe.
///
/// A turn is one wait and all the handlers it triggers. An idle loop makes no system call and never wakes.
public final class EventLoop {
    /// Called once at the end of each turn in which a handler ran.
    public var afterTurn: (() -> Void)?
    /// How often the loop has returned from waiting since it was created.
    public private(set) var wakeUps: UInt64 = 0
    /// How late timers fired, which is how long other handlers delayed them. Measured only when a timer fires.
    public internal(set) var lateness = Lateness()
    /// Lets other threads run work on this loop.
    public let remote: Remote
    /// The turn counter, for a watchdog thread.
    public let turns: TurnCounter

    let base: EventBase
    let timers: TimerQueue
    /// Set by every callback before it calls its handler.
    var handlerRan = false {
        didSet { if handlerRan, !oldValue { turns.begin() } }
    }
    /// Results expected from other threads, by number.
    var completions: [UInt64: Any] = [:]
    var nextCompletion: UInt64 = 0
    private var wake: Event?
    /// Work for the next turn.
    private var deferred: [() -> Void] = []
    private var stopping = false
    private var turning = false
    private var retired: [AnyObject] = []

    /// - Throws: when the kernel has no descriptors or memory left.
    public init() throws(EventLoopError) {
        base = try EventBase()
        remote = try Remote()
        turns = try TurnCounter()
        timers = try TimerQueue(base)
        timers.loop = self
        let wake = try unsafe Event(base, remote.descriptor, EV_READ, self, loopWoken)
        guard wake.add() else { throw EventLoopError("epoll_ctl", "eventfd", code: errno) }
        self.wake = wake
    }

    /// The current time in microseconds of the monotonic clock.
    public var now: UInt64 {
        loop_now()
    }

    /// Runs turns until `stop()` is called, then returns once that turn has ended.
    public func run() throws(EventLoopError) {
        while !stopping {
            try turn(nonblocking: false)
        }
        stopping = false
    }

    /// Runs one turn. Returns whether a handler ran.
    /// - Parameter nonblocking: handles only what is ready now.
    @discardableResult
    public func runOnce(nonblocking: Bool = false) throws(EventLoopError) -> Bool {
        try turn(nonblocking: nonblocking)
        return handlerRan
    }

    /// Makes `run()` return at the end of this turn, or immediately if it has not started.
    public func stop() {
        stopping = true
    }

    /// Runs `body` in the next turn, after the handlers that are ready by then. The loop does not wait before that
    /// turn.
    public func runInNextTurn(_ body: @escaping () -> Void) {
        deferred.append(body)
    }

    /// Keeps an object alive while libevent's code may still be on the call stack.
    func keepUntilTurnEnds(_ object: AnyObject) {
        retired.append(object)
    }

    private func turn(nonblocking: Bool) throws(EventLoopError) {
        precondition(!turning, "EventLoop: a handler must not run its own loop")
        turning = true
        defer { turning = false }
        timers.program()
        // Not in one assignment: a turn with deferred work may follow another, and each has its own beginning and end.
        handlerRan = false
        let work = deferred.isEmpty ? nil : deferred
        if work != nil {
            deferred.removeAll(keepingCapacity: true)
            handlerRan = true
        }
        guard base.pass(nonblocking: nonblocking || work != nil || timers.isDue) >= 0 else {
            throw EventLoopError("event_base_loop", code: errno)
        }
        timers.expireDue()
        if let work { for body in work { body() } }
        wakeUps += 1
        if handlerRan {
            afterTurn?()
        }
        if !retired.isEmpty {
            retired.removeAll(keepingCapacity: true)
        }
        if handlerRan { turns.end() }
    }

    fileprivate func drainRemote() {
        handlerRan = true
        for job in remote.take() {
            job(self)
        }
    }
}

private func loopWoken(_: Int32, _: Int16, context: UnsafeMutableRawPointer?) {
    unsafe object(context, as: EventLoop.self)?.drainRemote()
}
