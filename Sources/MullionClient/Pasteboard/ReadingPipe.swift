// Reads what another program has copied.

import Glibc
import MullionSystem
import Synchronization

/// A pipe that another program writes to, read through a relay.
final class ReadingPipe: Sendable {
    private let readingEnd: Int32
    private let writingEnd: Mutex<Int32>
    private let relay: Relay.Process
    /// Written to when the reader gives up.
    private let cancellation: (read: Int32, write: Int32)

    /// Nil when the system has no room.
    init?() {
        guard let cancellation = try? ChildProcess.pipe(), let (relay, end) = Relay.reading() else { return nil }
        readingEnd = relay.socket.release()
        writingEnd = Mutex(end.release())
        self.relay = relay.process
        self.cancellation = (cancellation.read.release(), cancellation.write.release())
    }

    deinit {
        relay.end()
        for descriptor in [readingEnd, cancellation.read, cancellation.write] { close(descriptor) }
        _ = takeWritingEnd()
    }

    /// The other program's end, once; it must not stay open here.
    func takeWritingEnd() -> OwnedDescriptor? {
        let descriptor = writingEnd.withLock { end in
            defer { end = -1 }
            return end
        }
        return descriptor < 0 ? nil : OwnedDescriptor(descriptor)
    }

    /// Reads on another thread.
    /// - Returns: nil when the task is cancelled, and in the cases of the other method.
    func read(patience: Double) async -> [UInt8]? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let hasStarted = DetachedThread.start {
                    continuation.resume(returning: self.read(patience: patience, atMost: .infinity))
                }
                if !hasStarted { continuation.resume(returning: nil) }
            }
        } onCancel: {
            var byte: UInt8 = 0
            _ = unsafe Glibc.write(cancellation.write, &byte, 1)
        }
    }

    /// Reads until the program closes its end.
    /// - Returns: nil when it writes nothing, or nothing for `patience`, takes longer than `duration`, both in seconds,
    ///   or writes more than `Pasteboard.maximumSize`.
    func read(patience: Double, atMost duration: Double) -> [UInt8]? {
        let start = MonotonicClock.seconds
        var (bytes, chunk) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 16))
        while true {
            let left = min(patience, duration - (MonotonicClock.seconds - start))
            guard left > 0, wait(milliseconds: Int32((left * 1000).rounded(.up))) else { return nil }
            let count = unsafe chunk.withUnsafeMutableBytes { chunk in
                retryingWhenInterrupted { unsafe Glibc.read(readingEnd, chunk.baseAddress, chunk.count) }
            }
            // Nothing at all is what a program leaves that ended or failed.
            if count == 0 { return bytes.isEmpty ? nil : bytes }
            guard count > 0 else {
                if errno == EAGAIN { continue }
                return nil
            }
            guard bytes.count + count <= Pasteboard.maximumSize else { return nil }
            bytes += chunk[..<count]
        }
    }

    /// Waits for data.
    /// - Returns: false on timeout, and when the reader has given up.
    private func wait(milliseconds: Int32) -> Bool {
        var requests = [
            pollfd(fd: readingEnd, events: Int16(POLLIN), revents: 0),
            pollfd(fd: cancellation.read, events: Int16(POLLIN), revents: 0),
        ]
        let count = retryingWhenInterrupted { unsafe poll(&requests, 2, milliseconds) }
        return count > 0 && requests[1].revents == 0
    }
}
