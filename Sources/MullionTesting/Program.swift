// A program that a test has started.

import Glibc
import MullionSystem
import Synchronization

extension Mullion {
    /// A program of a test.
    public final class Program: Sendable, CustomStringConvertible {
        let mullion: Mullion
        let number: Int
        /// Its name or path, and its arguments.
        public let command: [String]
        private let isAwaited = Mutex(false)
        /// The signals that the test has sent.
        private let sent = Mutex<Set<Int32>>([])
        /// What it had written when the test ended; nil until then.
        private let kept = Mutex<String?>(nil)

        /// Signals of programs that have made a mistake.
        private static let crashes = [SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS]

        init(mullion: Mullion, number: Int, command: [String]) {
            (self.mullion, self.number, self.command) = (mullion, number, command)
        }

        /// The window of this title, once it is visible, of the program or one that it has started.
        /// - Parameter title: the exact title, or an expression as `/Save.*/`.
        /// - Throws: `MullionError` when there is none within `timeout`, when there are several, or as soon as the program
        ///   fails.
        public func window(title: String) async throws -> Window {
            try await Window.find(title, of: self, in: mullion)
        }

        /// What it and the programs that it started have written to standard output and standard error, so far, or before
        /// the test ended.
        public var output: String {
            if let kept = kept.withLock({ $0 }) { return kept }
            // The second one was made when the server ended before the test.
            let files = [mullion.run.outputFile(number), "\(mullion.artifacts)/program-\(number).txt"]
            let bytes = files.lazy.compactMap { try? DescriptorIO.contents(ofFile: $0) }.first
            return String(decoding: bytes ?? [], as: UTF8.self)
        }

        /// Call it before the server ends, which deletes the file.
        func keepOutput() {
            let output = output
            kept.withLock { $0 = output }
        }

        /// Its process; nil if it could not be started.
        public var pid: Int32? { mullion.run.state.now.pids[number] }

        /// Its exit status, or 128 + the number of the signal that ended it; nil while it runs.
        public var exitStatus: Int32? { mullion.run.state.now.ends[number] }

        /// Waits for its end, which may be a crash then.
        /// - Returns: the exit status, or 128 + the number of the signal that ended it.
        /// - Throws: `MullionError` when it has not ended within `timeout`.
        @discardableResult
        public func wait() async throws -> Int32 {
            isAwaited.withLock { $0 = true }
            let number = number
            guard let status = await mullion.run.state.wait(mullion.timeout, { $0.ends[number] }) else {
                throw MullionError("\(self) did not end within \(mullion.timeout)\n\(condition)")
            }
            return status
        }

        /// Asks it, and what it has started, to end (SIGTERM); `wait` waits for that.
        public func terminate() { send(SIGTERM) }

        /// Sends a signal to it and to what it has started, unless that is in another process group. If that signal ends it,
        /// that is no crash.
        public func send(_ signal: Int32) {
            sent.withLock { _ = $0.insert(signal) }
            if let pid, exitStatus == nil { kill(-pid, signal) }
        }

        /// Whether the test has waited for its end, or has sent the signal itself, so that a crash is not reported again.
        var isExpectedToCrash: Bool {
            isAwaited.withLock { $0 } || sent.withLock { $0.contains((exitStatus ?? 0) - 128) }
        }

        var hasFailed: Bool { exitStatus.map { $0 != 0 } ?? false }

        var hasCrashed: Bool { exitStatus.map { Self.crashes.contains($0 - 128) } ?? false }

        /// Whether that process is it, or was started by it and by programs that run.
        func owns(_ pid: Int32) -> Bool {
            guard let own = self.pid else { return false }
            var parent = pid
            while parent > 1, parent != own {
                let bytes = try? DescriptorIO.contents(ofFile: "/proc/\(parent)/stat")
                // The name, in parentheses, may have any characters.
                let text = String(decoding: bytes ?? [], as: UTF8.self)
                let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
                parent = fields.count > 1 ? Int32(fields[1]) ?? 0 : 0
            }
            return parent == own || getsid(pid) == own
        }

        public var description: String { command.joined(separator: " ") }

        /// Its state for error messages: whether it runs, or how it ended, and the end of its output.
        var condition: String {
            let state =
                switch exitStatus {
                case nil: "runs"
                // The shell does not say which.
                case let status? where hasCrashed: "crashed (signal \(status - 128), or exit status \(status))"
                case let status? where status > 128: "was ended by signal \(status - 128)"
                case let status?: "exited with \(status)"
                }
            let lines = output.split(separator: "\n").suffix(12).map { "  | \($0.prefix(200))" }
            let text = "\(self) (pid \(pid ?? 0)) \(state)\(lines.isEmpty ? "" : "; its output ends with")"
            return ([text] + lines).joined(separator: "\n")
        }
    }
}
