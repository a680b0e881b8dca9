// Programs that the process of the tests starts: mullionctl.

import Glibc
import MullionSystem
import Synchronization

/// A started program, and its standard streams. They are sockets: writing to one need not raise SIGPIPE.
final class Subprocess: Sendable {
    /// What it has written, and how it has ended.
    struct Outcome: Sendable {
        var output = ""
        var errors = ""
        /// 128 + the number of the signal that ended it.
        var status: Int32 = 0
    }

    private let pid: pid_t
    /// -1 when it is closed.
    private let input: Mutex<Int32>
    private let output: Int32
    private let errors: Int32
    /// Whether its number may be somebody else's by now.
    private let isReaped = Mutex(false)

    /// Starts a program, found in PATH unless its name has a slash, out of reach of the terminal's Ctrl-C.
    /// - Parameter environment: nil: that of this process.
    /// - Throws: `MullionError` when it cannot be started.
    init(_ words: [String], environment: [String: String]? = nil) throws {
        var ends: [[Int32]] = []
        for _ in 0..<3 {
            var pair: [Int32] = [-1, -1]
            let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
            guard unsafe socketpair(AF_UNIX, type, 0, &pair) == 0 else {
                let reason = SystemError.last
                for end in ends.joined() { close(end) }
                throw MullionError("\(words[0]) cannot be started: \(reason)")
            }
            ends.append(pair)
        }
        let program = ChildProcess(
            words, environment: environment, descriptors: [0: ends[0][0], 1: ends[1][1], 2: ends[2][1]], group: 0)
        let start = Result { () throws(SystemError) in try program.start() }
        for end in [ends[0][0], ends[1][1], ends[2][1]] { close(end) }
        switch start {
        case .success(let process): pid = process
        case .failure(let error):
            for end in [ends[0][1], ends[1][0], ends[2][0]] { close(end) }
            throw MullionError("\(words[0]) cannot be started: \(error)")
        }
        (output, errors) = (ends[1][0], ends[2][0])
        input = Mutex(ends[0][1])
    }

    deinit { closeInput() }

    /// Closes its standard input, and waits for its end on a thread of its own: those that run tasks remain free.
    func outcome() async -> Outcome {
        closeInput()
        return await withCheckedContinuation { continuation in
            let isRead = DetachedThread.start { continuation.resume(returning: self.read { _ in }) }
            // The system has no more threads, so this one waits.
            if !isRead { continuation.resume(returning: read { _ in }) }
        }
    }

    /// Writes to its standard input; what it does not read any more is dropped.
    func write(_ text: String) {
        input.withLock { input in
            var bytes = Array(text.utf8)[...]
            while !bytes.isEmpty, input >= 0 {
                let count = unsafe bytes.withUnsafeBytes { bytes in
                    retryingWhenInterrupted {
                        unsafe Glibc.send(input, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
                    }
                }
                guard count > 0 else { return }
                bytes = bytes.dropFirst(count)
            }
        }
    }

    func closeInput() {
        input.withLock { input in
            if input >= 0 { close(input) }
            input = -1
        }
    }

    func send(_ signal: Int32) {
        isReaped.withLock { isReaped in
            if !isReaped { kill(pid, signal) }
        }
    }

    /// Reads what it writes until it has ended. Call it once, on a thread that may block.
    /// - Parameter line: called with each line of its standard output.
    func read(_ line: (String) -> Void) -> Outcome {
        var (texts, parsed): ([Int32: [UInt8]], Int) = ([output: [], errors: []], 0)
        var open = [output, errors]
        var chunk = [UInt8](repeating: 0, count: 65536)
        while !open.isEmpty {
            var waiting = open.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            _ = retryingWhenInterrupted { unsafe poll(&waiting, nfds_t(waiting.count), -1) }
            for end in waiting where end.revents != 0 {
                let count = retryingWhenInterrupted { unsafe Glibc.read(end.fd, &chunk, chunk.count) }
                if count > 0 {
                    texts[end.fd, default: []] += chunk[..<count]
                } else {
                    open.removeAll { $0 == end.fd }
                }
            }
            let written = texts[output, default: []]
            while let newline = written[parsed...].firstIndex(of: UInt8(ascii: "\n")) {
                line(String(decoding: written[parsed..<newline], as: UTF8.self))
                parsed = newline + 1
            }
        }
        // It may take a moment after it has closed its streams, in which it can be sent signals.
        var info = unsafe siginfo_t()
        _ = retryingWhenInterrupted { unsafe waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) }
        var status: Int32 = 0
        isReaped.withLock { isReaped in
            _ = retryingWhenInterrupted { unsafe waitpid(pid, &status, 0) }
            isReaped = true
        }
        close(output)
        close(errors)
        return Outcome(
            output: String(decoding: texts[output, default: []], as: UTF8.self),
            errors: String(decoding: texts[errors, default: []], as: UTF8.self),
            status: status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f))
    }
}
