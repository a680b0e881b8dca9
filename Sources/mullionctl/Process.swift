// Starting programs and waiting for them.

import FoundationEssentials
import Glibc
import System

/// Two ends that programs do not inherit; they are closed by who uses them.
struct Pipe {
    let readEnd: Int32
    let writeEnd: Int32

    init() throws(Failure) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .refused("pipe: \(Terminal.reason)") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (readEnd, writeEnd) = (ends[0], ends[1])
    }
}

/// A program that was started.
struct Process {
    /// This program's own file, empty when the system does not say.
    static var ownPath: String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    }

    let id: pid_t

    /// Where its standard streams and one more descriptor go.
    struct Streams {
        /// Becomes standard output and standard error.
        var log: Int32?
        /// Becomes descriptor 3.
        var third: Int32?
    }

    /// Starts a program, found in PATH unless its name has a slash, with all signals as they were.
    /// - Parameter ownGroup: out of reach of the terminal's Ctrl-C.
    /// - Returns: nil with errno set when there is no such program, or it cannot be started.
    init?(_ words: [String], environment: [String: String], streams: Streams = Streams(), ownGroup: Bool = false) {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        if let log = streams.log {
            posix_spawn_file_actions_adddup2(&actions, log, 1)
            posix_spawn_file_actions_adddup2(&actions, log, 2)
        }
        if let third = streams.third { posix_spawn_file_actions_adddup2(&actions, third, 3) }
        var flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
        if ownGroup { flags |= POSIX_SPAWN_SETPGROUP }
        posix_spawnattr_setflags(&attributes, Int16(flags))
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var defaults = sigset_t()
        sigemptyset(&defaults)
        sigaddset(&defaults, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        let arguments = words.map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for pointer in arguments + variables { free(pointer) } }
        var process = pid_t()
        let failure = posix_spawnp(&process, words[0], &actions, &attributes, arguments, variables)
        guard failure == 0 else {
            errno = failure
            return nil
        }
        id = process
    }

    /// Its exit status if it has ended, 128 + the signal's number when one ended it.
    func ended(waiting: Bool = false) -> Int32? {
        var status: Int32 = 0
        let result = retryingWhenInterrupted { waitpid(id, &status, waiting ? 0 : WNOHANG) }
        guard result != 0 else { return nil }
        let signal = status & 0x7f
        return signal == 0 ? (status >> 8) & 0xff : 128 + signal
    }

    /// Whether this is process 1, in a container: it inherits processes whose parent has ended, and has to wait for them.
    static let isFirst = getpid() == 1

    /// Waits for what has ended of those whose parent had ended before; the end of the others is for who started them.
    static func reapOrphans(but own: [Process]) {
        var info = siginfo_t()
        // Looks first: whose end it is counts.
        while waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 {
            let id = info._sifields._sigchld.si_pid
            guard id > 0, !own.contains(where: { $0.id == id }) else { return }
            waitpid(id, nil, WNOHANG)
            info = siginfo_t()
        }
    }

    func send(_ signal: Int32) { kill(id, signal) }

    /// The variables of this process.
    static var environment: [String: String] {
        var result: [String: String] = [:]
        var entry = environ
        while let text = entry.pointee.map({ String(cString: $0) }) {
            let (key, value) = Values.pair(text)
            result[key] = value ?? ""
            entry += 1
        }
        return result
    }
}
