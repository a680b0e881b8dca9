// All timers of a loop on one timerfd.

import CLibevent
import Glibc
import MullionSystem

/// A binary heap of armed timers. The timerfd is set only when the earliest deadline changed, just before the loop
/// waits; it is edge-triggered, so that it need not be read.
final class TimerQueue {
    enum Place {
        case nowhere
        /// An index in `heap`.
        case heap(Int)
        /// An index in `due`: the timer fires later in this turn.
        case due(Int)
    }

    /// A timer leaves the queue in its deinit, so every timer in the queue exists.
    @safe private struct Unretained {
        private let reference: Unmanaged<Timer>

        init(_ timer: Timer) { unsafe reference = .passUnretained(timer) }

        var timer: Timer { unsafe reference.takeUnretainedValue() }
    }

    private struct Entry {
        var deadline: UInt64
        /// Breaks ties between equal deadlines: the order of arming.
        var sequence: UInt64
        var timer: Unretained

        static func < (a: Entry, b: Entry) -> Bool {
            (a.deadline, a.sequence) < (b.deadline, b.sequence)
        }
    }

    /// Set once, by the loop that owns the queue.
    unowned var loop: EventLoop?
    private let descriptor: Int32
    private var event: Event?
    private var heap: [Entry] = []
    private var due: [Unretained?] = []
    private var sequence: UInt64 = 0
    /// The deadline the timerfd is set to; 0 when disarmed or expired.
    private var programmed: UInt64 = 0
    /// Whether a timer is due that the timerfd was not set for. The turn must not wait then.
    private(set) var isDue = false

    init(_ base: EventBase) throws(EventLoopError) {
        descriptor = loop_timer_new()
        guard descriptor >= 0 else { throw EventLoopError("timerfd_create", code: errno) }
        let event = try unsafe Event(base, descriptor, EV_READ | EV_ET, self, timerExpired)
        guard event.add() else { throw EventLoopError("epoll_ctl", "timerfd", code: errno) }
        self.event = event
    }

    deinit {
        event = nil
        close(descriptor)
    }

    /// Prepares for waiting: sets the timerfd to the earliest deadline, unless that has passed. A timerfd that is set to
    /// the past costs an interrupt.
    func program() {
        let earliest = heap.first.map { max($0.deadline, 1) } ?? 0
        guard earliest != programmed else { return }
        isDue = earliest > 0 && earliest <= loop_now()
        guard !isDue else { return }
        loop_timer_set(descriptor, earliest)
        programmed = earliest
    }

    /// Fires the timers that were due before this turn, unless the timerfd's event has.
    func expireDue() {
        if isDue { expire() }
    }

    func insert(_ timer: Timer, at deadline: UInt64) {
        sequence += 1
        timer.deadline = deadline
        heap.append(Entry(deadline: deadline, sequence: sequence, timer: Unretained(timer)))
        rise(heap.count - 1)
    }

    func remove(_ timer: Timer) {
        switch timer.place {
        case .nowhere: return
        case .due(let index): due[index] = nil
        case .heap(let index): extract(index)
        }
        timer.place = .nowhere
        timer.deadline = nil
    }

    fileprivate func expire() {
        isDue = false
        guard let loop else { return }
        let now = loop_now()
        if programmed <= now { programmed = 0 }
        if let first = heap.first, first.deadline <= now { loop.lateness.record(now - first.deadline, at: now) }
        // Collect everything due first: timers armed by a handler wait for the next turn, even if due.
        while let first = heap.first, first.deadline <= now {
            extract(0)
            first.timer.timer.place = .due(due.count)
            due.append(first.timer)
        }
        var index = 0
        while index < due.count {
            fire(index, now, on: loop)
            index += 1
        }
        due.clear()
    }

    private func fire(_ index: Int, _ now: UInt64, on loop: EventLoop) {
        guard let timer = due[index]?.timer, let deadline = timer.deadline else { return }
        due[index] = nil
        timer.place = .nowhere
        timer.deadline = nil
        loop.handlerRan = true
        timer.handler?(deadline, max(now, loop_now()))
    }

    // MARK: The heap

    private func extract(_ index: Int) {
        let last = heap.removeLast()
        guard index < heap.count else { return }
        heap[index] = last
        sink(index)
        rise(index)
    }

    private func rise(_ start: Int) {
        var index = start
        let entry = heap[index]
        while index > 0, entry < heap[(index - 1) / 2] {
            put(heap[(index - 1) / 2], index)
            index = (index - 1) / 2
        }
        put(entry, index)
    }

    private func sink(_ start: Int) {
        var index = start
        let entry = heap[index]
        while 2 * index + 1 < heap.count {
            var child = 2 * index + 1
            if child + 1 < heap.count, heap[child + 1] < heap[child] {
                child += 1
            }
            guard heap[child] < entry else { break }
            put(heap[child], index)
            index = child
        }
        put(entry, index)
    }

    private func put(_ entry: Entry, _ index: Int) {
        heap[index] = entry
        entry.timer.timer.place = .heap(index)
    }
}

private func timerExpired(_: Int32, _: Int16, context: UnsafeMutableRawPointer?) {
    unsafe object(context, as: TimerQueue.self)?.expire()
}
