// Closing descriptors that strangers made.

import CLinux
import Glibc
import Synchronization

/// Closes descriptors on a thread of its own where closing may wait for who made them: a file on FUSE is asked before
/// close(2) returns, and a TCP socket can be told to linger until its peer has read everything. The thread is there only
/// while something is to be closed; give each stranger a closer, so that nobody waits for another one's files.
public final class DescriptorCloser: Sendable {
    private struct State {
        var descriptors: [Int32] = []
        var isRunning = false
    }
    private let state = Mutex(State())
    private let count = Atomic(0)

    public init() {}

    /// Descriptors that are not closed yet.
    public var waiting: Int { count.load(ordering: .relaxed) }

    /// Closes a descriptor soon.
    public func close(_ descriptor: Int32) {
        // Only memory has seals, and most of what clients send is memory: nobody is asked when it is closed.
        if linux_fcntl(descriptor, F_GET_SEALS, 0) >= 0 {
            _ = Glibc.close(descriptor)
            return
        }
        count.add(1, ordering: .relaxed)
        let mustStart = state.withLock { state in
            state.descriptors.append(descriptor)
            defer { state.isRunning = true }
            return !state.isRunning
        }
        // Without a thread it waits for the next one's.
        if mustStart, !DetachedThread.start({ self.run() }) { state.withLock { $0.isRunning = false } }
    }

    private func run() {
        while let descriptor = next() {
            _ = Glibc.close(descriptor)
            count.subtract(1, ordering: .relaxed)
        }
    }

    private func next() -> Int32? {
        state.withLock { state in
            guard !state.descriptors.isEmpty else {
                state.isRunning = false
                return nil
            }
            return state.descriptors.removeFirst()
        }
    }
}
