// A state that tasks wait for changes of.

import Synchronization

/// A state that changes on other threads.
final class Watched<State: Sendable>: Sendable {
    /// Called with each new state, until it returns true; nil: the time is up.
    private typealias Waiter = @Sendable (State?) -> Bool

    private let state: Mutex<State>
    private let waiters = Mutex<(last: Int, all: [Int: Waiter])>((0, [:]))

    init(_ state: State) { self.state = Mutex(state) }

    /// The state at this moment.
    var now: State { state.withLock { $0 } }

    func change(_ body: (inout State) -> Void) {
        let now = state.withLock { state in
            body(&state)
            return state
        }
        let waiting = waiters.withLock { $0.all }
        for (id, waiter) in waiting where waiter(now) { remove(id) }
    }

    /// Waits until `read` returns a value.
    /// - Returns: nil when the time is up.
    func wait<Value: Sendable>(
        _ timeout: Duration? = nil, _ read: @escaping @Sendable (State) -> Value?
    ) async -> Value? {
        let answer = Once<Value?>()
        let id = add { state in
            guard let state else { return answer.set(nil) }
            guard let value = read(state) else { return false }
            return answer.set(value)
        }
        let timer = timeout.map { timeout in
            Task {
                try? await Task.sleep(for: timeout)
                _ = remove(id)?(nil)
            }
        }
        defer { timer?.cancel() }
        return await answer.value
    }

    /// Calls `body` once if `condition` becomes true while `operation` runs.
    func during<Value>(
        _ operation: () async -> Value, when condition: @escaping @Sendable (State) -> Bool,
        _ body: @escaping @Sendable () -> Void
    ) async -> Value {
        let id = add { state in
            guard let state, condition(state) else { return false }
            body()
            return true
        }
        defer { remove(id) }
        return await operation()
    }

    /// Calls the waiter now, too.
    private func add(_ waiter: @escaping Waiter) -> Int {
        let id = waiters.withLock { waiters in
            waiters.last += 1
            waiters.all[waiters.last] = waiter
            return waiters.last
        }
        if waiter(now) { remove(id) }
        return id
    }

    @discardableResult
    private func remove(_ id: Int) -> Waiter? { waiters.withLock { $0.all.removeValue(forKey: id) } }
}

/// A value that comes once, to one who waits for it.
private final class Once<Value: Sendable>: Sendable {
    private enum State {
        case empty
        case awaited(CheckedContinuation<Value, Never>)
        case set(Value)
        case over
    }

    private let state = Mutex(State.empty)

    /// Sets it unless it was set before; returns true.
    func set(_ value: Value) -> Bool {
        let continuation = state.withLock { state -> CheckedContinuation<Value, Never>? in
            switch state {
            case .empty: state = .set(value)
            case .awaited(let continuation):
                state = .over
                return continuation
            case .set, .over: break
            }
            return nil
        }
        continuation?.resume(returning: value)
        return true
    }

    var value: Value {
        get async {
            await withCheckedContinuation { continuation in
                let value = state.withLock { state -> Value? in
                    guard case .set(let value) = state else {
                        state = .awaited(continuation)
                        return nil
                    }
                    state = .over
                    return value
                }
                if let value { continuation.resume(returning: value) }
            }
        }
    }
}
