// Writes what was copied, on threads that may wait for the reader.

import Glibc
import MullionSystem
import Synchronization

/// Writes data for programs that may read slowly, never, or go away.
enum PipeWriter {
    /// The most programs that are written to at the same time; more get nothing.
    static let most = 16
    /// How many seconds one of them may take.
    private static let longest = 60.0
    private static let running = Mutex(0)

    /// Writes on another thread and through a relay, until everything is written, the reader goes away, reads nothing for
    /// `Pasteboard.patience` or takes longer than `longest`; then closes the descriptor.
    static func write(_ data: [UInt8], to descriptor: OwnedDescriptor) {
        let isAllowed = running.withLock { running in
            guard running < most else { return false }
            running += 1
            return true
        }
        guard isAllowed else { return }
        guard let relay = Relay.writing(to: descriptor, patience: UInt32(Pasteboard.patience)) else {
            return running.withLock { $0 -= 1 }
        }
        let (raw, process) = (relay.socket.release(), relay.process)
        let hasStarted = DetachedThread.start {
            // What the relay has by then it delivers.
            if !write(data[...], to: OwnedDescriptor(raw)) { process.end() }
            running.withLock { $0 -= 1 }
        }
        guard !hasStarted else { return }
        process.end()
        close(raw)
        running.withLock { $0 -= 1 }
    }

    /// The thread blocks SIGPIPE, so that a reader that has gone is an error.
    /// - Returns: whether everything was written.
    private static func write(_ data: ArraySlice<UInt8>, to socket: OwnedDescriptor) -> Bool {
        let start = MonotonicClock.seconds
        var rest = data
        while !rest.isEmpty {
            let milliseconds = Int32(Pasteboard.patience * 1000)
            guard MonotonicClock.seconds - start < longest,
                DescriptorIO.wait(for: POLLOUT, on: socket.rawValue, milliseconds: milliseconds)
            else { return false }
            let count = unsafe rest.withUnsafeBytes { rest in
                retryingWhenInterrupted { unsafe Glibc.write(socket.rawValue, rest.baseAddress, rest.count) }
            }
            guard count > 0 || (count < 0 && errno == EAGAIN) else { return false }
            rest = rest.dropFirst(max(0, count))
        }
        return true
    }
}
