// Callbacks that do not replace each other, and the same events as asynchronous sequences.

/// A callback that was added with one of the `on…` methods. It is called as long as its object exists, or until
/// `cancel()`; the token does not have to be kept.
@MainActor public final class Observation {
    private var remove: (() -> Void)?

    init(_ remove: @escaping () -> Void) { self.remove = remove }

    /// Removes the callback; it is not called again. Further calls do nothing.
    public func cancel() {
        remove?()
        remove = nil
    }
}

/// The callbacks for one kind of event, in the order in which they were added.
@MainActor final class Observers<Value: Sendable> {
    private var entries: [(number: Int, body: (Value) -> Void)] = []
    private var streams: [Int: AsyncStream<Value>.Continuation] = [:]
    private var count = 0
    /// Whether nothing is reported any more.
    private var isFinished = false

    var isEmpty: Bool { entries.isEmpty && streams.isEmpty }

    func add(_ body: @escaping (Value) -> Void) -> Observation {
        count += 1
        let number = count
        entries.append((number, body))
        return Observation { [weak self] in self?.entries.removeAll { $0.number == number } }
    }

    /// Calls the callbacks that exist now; one that another one cancels is not called any more.
    func notify(_ value: Value) {
        for entry in entries where entries.contains(where: { $0.number == entry.number }) { entry.body(value) }
        for stream in streams.values { stream.yield(value) }
    }

    /// The values from now on; it ends when the object does.
    func stream() -> AsyncStream<Value> {
        count += 1
        let number = count
        let (stream, continuation) = AsyncStream<Value>.makeStream()
        guard !isFinished else {
            continuation.finish()
            return stream
        }
        streams[number] = continuation
        continuation.onTermination = { [weak self] _ in
            Task { @MainActor in self?.streams[number] = nil }
        }
        return stream
    }

    /// Removes all callbacks and ends the sequences, later ones too.
    func finish() {
        isFinished = true
        entries = []
        for stream in streams.values { stream.finish() }
        streams = [:]
    }

    isolated deinit { finish() }
}
