// Keeps what a command writes.

import Glibc
import Synchronization
import System

/// Passes the output of a command on, and keeps its beginning and its end.
///
/// The command writes to a pipe instead, which it cannot tell from another pipe or a file. A terminal is left to it:
/// programs write something else to a terminal.
final class OutputCopy: Sendable {
    /// How many bytes are kept of the beginning and the end.
    private static let (mostFirst, mostLast) = (64 << 10, 192 << 10)

    private struct Kept {
        var first: [UInt8] = []
        var last: [UInt8] = []
        var omitted = 0
    }

    private struct Copied: Sendable {
        let pipe: Pipe
        /// Where it goes.
        let descriptor: Int32
        let done: Pipe
    }

    private let kept = Mutex(Kept())
    private let copies: [Copied]
    /// For the command's standard output and standard error; nil: as they are.
    let streams: (output: Int32?, error: Int32?)

    init() throws(CommandError) {
        var copies: [Copied] = []
        func copy(_ descriptor: Int32) throws(CommandError) -> Int32? {
            guard isatty(descriptor) == 0, fcntl(descriptor, F_GETFD) >= 0 else { return nil }
            copies.append(Copied(pipe: try Pipe(), descriptor: descriptor, done: try Pipe()))
            return copies.last?.pipe.writeEnd
        }
        let output = try copy(1)
        // In one pipe they stay in order.
        streams = (output, output != nil && Self.areSame(1, 2) ? output : try copy(2))
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

    /// Everything the command has written, once it and what it started have ended.
    func text() -> (text: String, omitted: Int) {
        for copy in copies { _ = copy.done.waitForEnd(milliseconds: 2000) }
        return kept.withLock { kept in
            let note = kept.omitted > 0 ? "\n[… \(kept.omitted) bytes …]\n" : ""
            let parts = [kept.first, Array(note.utf8), kept.last]
            return (String(decoding: parts.joined(), as: UTF8.self), kept.omitted)
        }
    }

    private func pass(_ copy: Copied) {
        // A command whose reader is gone is ended by SIGPIPE, as without the pipe between.
        defer { close(copy.pipe.readEnd) }
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes { chunk in
                retryingWhenInterrupted { unsafe read(copy.pipe.readEnd, chunk.baseAddress, chunk.count) }
            }
            guard count > 0 else { return }
            keep(chunk[..<count])
            guard (try? DescriptorIO.write(chunk[..<count], to: copy.descriptor)) != nil else { return }
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
