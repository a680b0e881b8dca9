// Thread-safe access to a loop.

import CLibevent
import Glibc
import MullionSystem
import Synchronization

/// A loop's job queue: any thread may add jobs, which run on the loop's thread.
public final class Remote: Sendable {
    /// Runs on the loop's thread.
    public typealias Job = @Sendable (EventLoop) -> Void

    let descriptor: Int32
    private let jobs = Mutex<[Job]>([])

    init() throws(EventLoopError) {
        descriptor = loop_wake_new()
        guard descriptor >= 0 else { throw EventLoopError("eventfd", code: errno) }
    }

    deinit {
        close(descriptor)
    }

    /// Runs `job` in one of the loop's next turns, in the order of the calls. Callable from any thread, including the
    /// loop's.
    public func perform(_ job: @escaping Job) {
        let first = jobs.withLock { jobs in
            jobs.append(job)
            return jobs.count == 1
        }
        // One write wakes the loop for everything added until it looks.
        if first {
            var one: UInt64 = 1
            _ = retryingWhenInterrupted { unsafe write(descriptor, &one, 8) }
        }
    }

    func take() -> [Job] {
        var count: UInt64 = 0
        _ = retryingWhenInterrupted { unsafe read(descriptor, &count, 8) }
        return jobs.withLock { jobs in
            let taken = jobs
            jobs = []
            return taken
        }
    }
}

/// Delivers one value, from any thread, to a closure that stays on the loop's thread.
public final class Completion<Value: Sendable>: Sendable {
    private let remote: Remote
    private let number: UInt64
    private let called = Atomic(false)

    init(_ remote: Remote, _ number: UInt64) {
        self.remote = remote
        self.number = number
    }

    deinit {
        if !called.load(ordering: .relaxed) {
            let number = self.number
            remote.perform { $0.completions[number] = nil }
        }
    }

    /// Delivers the value; later calls do nothing.
    public func callAsFunction(_ value: Value) {
        guard !called.exchange(true, ordering: .relaxed) else { return }
        let number = self.number
        remote.perform { loop in
            let body = loop.completions.removeValue(forKey: number) as? (Value) -> Void
            body?(value)
        }
    }
}

extension EventLoop {
    /// Keeps `body` on this thread and returns an object that another thread calls with the result. Dropping the
    /// completion uncalled releases `body`.
    public func completion<Value: Sendable>(
        of type: Value.Type = Value.self, _ body: @escaping (Value) -> Void
    ) -> Completion<Value> {
        nextCompletion += 1
        completions[nextCompletion] = body
        return Completion(remote, nextCompletion)
    }
}
