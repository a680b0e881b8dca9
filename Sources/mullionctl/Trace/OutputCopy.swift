// Keeps what a command writes.

import Glibc
import MullionControl
import MullionSystem
import Synchronization

/// Passes the output of a command on, and keeps its beginning and its end.
///
/// The command writes to a pipe instead, even where it was a file. A terminal is left to it: programs write something else
/// to a terminal.
final class OutputCopy: Sendable {
    /// How many bytes are kept of the beginning and the end.
    private static let (mostFirst, mostLast) = (64 << 10, 192 << 10)
    /// How long processes that cannot be ended may keep the pipe open.
    private static let patience = Duration.seconds(2)

    private struct Kept {
        var first: [UInt8] = []
        var last: [UInt8] = []
        var omitted = 0
        /// The first failure to pass on, and the descriptor.
        var failure: (descriptor: Int32, error: SystemError)?
    }

    private final class Copied: Sendable {
        let pipe: Pipe
        /// Where it goes.
        let descriptor: Int32
        let done: Pipe
        /// Whether its reader has to read first.
        let isWriting = Atomic(false)

        init(pipe: Pipe, descriptor: Int32, done: Pipe) {
            (self.pipe, self.descriptor, self.done) = (pipe, descriptor, done)
        }
    }

    private let kept = Mutex(Kept())
    private let copies: [Copied]
    /// The command's standard output and standard error, unless it has those of this process.
    let descriptors: [Int32: Int32]

    /// Whether some of it goes to a terminal, of which nothing is kept.
    let hasTerminal = isatty(1) == 1 || isatty(2) == 1

    init() throws(CommandError) {
        var copies: [Copied] = []
        func copy(_ descriptor: Int32) throws(CommandError) -> Int32? {
            guard isatty(descriptor) == 0, fcntl(descriptor, F_GETFD) >= 0 else { return nil }
            copies.append(Copied(pipe: try Pipe(), descriptor: descriptor, done: try Pipe()))
            return copies.last?.pipe.writeEnd
        }
        var descriptors: [Int32: Int32] = [:]
        descriptors[1] = try copy(1)
        // In one pipe they stay in order.
        descriptors[2] = descriptors[1] != nil && Self.areSame(1, 2) ? descriptors[1] : try copy(2)
        self.descriptors = descriptors
        self.copies = copies
    }

    /// Begins; call it when the command was started.
    func begin() {
        for copy in copies {
            copy.pipe.closeWriteEnd()
            let isRunning = DetachedThread.start { [self] in
                pass(copy)
                copy.done.closeWriteEnd()
            }
            if !isRunning { close(copy.pipe.readEnd) }
        }
    }

    /// Waits until everything was passed on, however long its reader takes. The command and what it started must have
    /// ended.
    /// - Parameter isOver: whether to wait no longer.
    func finish(unless isOver: () -> Bool) {
        for copy in copies {
            var deadline = ContinuousClock.now + Self.patience
            while !copy.done.waitForEnd(milliseconds: 100), !isOver() {
                if copy.isWriting.load(ordering: .relaxed) {
                    deadline = .now + Self.patience
                } else if ContinuousClock.now >= deadline {
                    break
                }
            }
        }
    }

    /// Everything the command has written so far.
    var text: String {
        kept.withLock { kept in
            let note = kept.omitted > 0 ? "\n[… \(kept.omitted) bytes …]\n" : ""
            let parts = [kept.first, Array(note.utf8), kept.last]
            return String(decoding: parts.joined(), as: UTF8.self)
        }
    }

    /// Why some of it was lost; nil: nothing was.
    var loss: String? {
        kept.withLock(\.failure).map { Terminal.loss($0.descriptor == 1 ? "output" : "error", $0.error) }
    }

    private func pass(_ copy: Copied) {
        // A command whose reader is gone is ended by SIGPIPE, as without the pipe between.
        defer { close(copy.pipe.readEnd) }
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        var hasFailed = false
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes { chunk in
                retryingWhenInterrupted { unsafe read(copy.pipe.readEnd, chunk.baseAddress, chunk.count) }
            }
            guard count > 0 else { return }
            keep(chunk[..<count])
            guard !hasFailed else { continue }
            copy.isWriting.store(true, ordering: .relaxed)
            do throws(SystemError) {
                try Terminal.write(copy.descriptor, chunk[..<count])
            } catch {
                kept.withLock { kept in kept.failure = kept.failure ?? (copy.descriptor, error) }
                guard error.code != EPIPE else { return }
                // The rest is kept.
                hasFailed = true
            }
            copy.isWriting.store(false, ordering: .relaxed)
        }
    }

    private func keep(_ bytes: ArraySlice<UInt8>) {
        kept.withLock { kept in
            let room = min(bytes.count, Self.mostFirst - kept.first.count)
            kept.first += bytes.prefix(room)
            kept.last += bytes.dropFirst(room)
            let excess = kept.last.count - Self.mostLast
            guard excess > Self.mostLast else { return }
            // Rarely, because it moves the rest.
            kept.last.removeFirst(excess)
            kept.omitted += excess
        }
    }

    private static func areSame(_ one: Int32, _ other: Int32) -> Bool {
        var (first, second) = (stat(), stat())
        guard unsafe fstat(one, &first) == 0, unsafe fstat(other, &second) == 0 else { return false }
        return first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }
}
