// Closes descriptors received from clients.

import CMullionLinux
import Glibc
import Synchronization

/// Closes descriptors on a separate thread, where close(2) may block on their creator: a file on FUSE is flushed by its
/// daemon, a TCP socket can linger until its peer has read everything, and a pipe can be locked (see `Relay`). The pages of
/// large memory are freed there, too. The thread exists only while there are descriptors to close. Give each client its own
/// closer, so that none waits for another's files.
///
/// A process does not end while one of its threads closes something. One that must end when it is asked to closes pipes and
/// sockets apart: in other processes.
public final class DescriptorCloser: Sendable {
    private struct State {
        var descriptors: [Int32] = []
        var isRunning = false
    }
    private let state = Mutex(State())
    private let count = Atomic(0)
    private let isApart: Bool

    public init(isApart: Bool = false) { self.isApart = isApart }

    /// Descriptors that are not closed yet.
    public var waiting: Int { count.load(ordering: .relaxed) }

    /// Closes a descriptor immediately if that is certain to take no time, otherwise soon.
    public func close(_ descriptor: Int32) {
        // Only memory has seals, and most of what clients send is memory: closing it cannot block, but can take long.
        if linux_fcntl(descriptor, F_GET_SEALS, 0) >= 0, !MappedMemory.isLarge(descriptor) {
            _ = Glibc.close(descriptor)
            return
        }
        if isApart, linux_is_pipe_or_socket(descriptor) != 0, Relay.discard(descriptor) { return }
        count.add(1, ordering: .relaxed)
        let mustStart = state.withLock { state in
            state.descriptors.append(descriptor)
            defer { state.isRunning = true }
            return !state.isRunning
        }
        // Without a thread, it waits for the next one.
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
