// Starts programs and waits for them.

import CLinux
import Glibc
import System

/// A pipe whose ends programs do not inherit; the users of the ends close them.
struct Pipe {
    let readEnd: Int32
    let writeEnd: Int32

    init() throws(CommandError) {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw .refused("pipe: \(Terminal.reason)") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (readEnd, writeEnd) = (ends[0], ends[1])
    }

    func closeWriteEnd() { close(writeEnd) }

    /// Waits until all write ends are closed, for a limited time; nothing may be written.
    /// - Returns: false when time ran out.
    func waitForEnd(milliseconds: Int32) -> Bool {
        var waiting = pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0)
        return retryingWhenInterrupted { unsafe poll(&waiting, 1, milliseconds) } == 1
    }
}

/// A started program.
struct Process {
    /// This program's executable, empty when the system does not provide it.
    static var ownPath: String { ExecutableFile.path }

    /// The program of this name in PATH; nil: it is not installed.
    static func path(of name: String) -> String? {
        (Terminal.variable("PATH") ?? "/usr/bin:/bin").split(separator: ":").map { "\($0)/\(name)" }
            .first { unsafe access($0, X_OK) == 0 }
    }

    let id: pid_t

    /// A child that was started otherwise.
    init(id: pid_t) { self.id = id }

    /// Redirections of the standard streams and one more descriptor.
    struct Streams {
        /// Becomes standard input.
        var input: Int32?
        /// Becomes standard output and standard error.
        var log: Int32?
        /// Become one of them.
        var output: Int32?
        var error: Int32?
        /// Becomes descriptor 3.
        var third: Int32?
    }

    /// Starts a program, found in PATH unless its name has a slash, with default signal handling.
    /// - Parameters:
    ///   - group: its process group; 0: one of its own, out of reach of the terminal's Ctrl-C; nil: the same.
    ///   - directory: its working directory; nil: the same.
    /// - Returns: nil with errno set when the program does not exist or cannot be started.
    init?(
        _ words: [String], environment: [String: String], streams: Streams = Streams(), group: pid_t? = nil,
        directory: String? = nil
    ) {
        var actions = unsafe posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawnattr_init(&attributes)
        defer {
            unsafe posix_spawn_file_actions_destroy(&actions)
            unsafe posix_spawnattr_destroy(&attributes)
        }
        if let input = streams.input { unsafe posix_spawn_file_actions_adddup2(&actions, input, 0) }
        if let log = streams.log {
            unsafe posix_spawn_file_actions_adddup2(&actions, log, 1)
            unsafe posix_spawn_file_actions_adddup2(&actions, log, 2)
        }
        if let output = streams.output { unsafe posix_spawn_file_actions_adddup2(&actions, output, 1) }
        if let error = streams.error { unsafe posix_spawn_file_actions_adddup2(&actions, error, 2) }
        if let third = streams.third { unsafe posix_spawn_file_actions_adddup2(&actions, third, 3) }
        if let directory { unsafe linux_spawn_in_directory(&actions, directory) }
        var flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
        if let group {
            flags |= POSIX_SPAWN_SETPGROUP
            unsafe posix_spawnattr_setpgroup(&attributes, group)
        }
        unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
        var none = sigset_t()
        unsafe sigemptyset(&none)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        var defaults = sigset_t()
        unsafe sigemptyset(&defaults)
        for number in Terminal.signals { unsafe sigaddset(&defaults, number) }
        unsafe posix_spawnattr_setsigdefault(&attributes, &defaults)
        let arguments = unsafe words.map { unsafe strdup($0) } + [nil]
        let variables = unsafe environment.map { unsafe strdup("\($0.key)=\($0.value)") } + [nil]
        defer { unsafe (arguments + variables).forEach { unsafe free($0) } }
        var process = pid_t()
        let failure = unsafe posix_spawnp(&process, words[0], &actions, &attributes, arguments, variables)
        guard failure == 0 else {
            errno = failure
            return nil
        }
        id = process
    }

    /// How a program has ended.
    enum Ending: Equatable {
        /// With this exit status.
        case exited(Int32)
        /// By this signal.
        case killed(Int32)
    }

    /// How the program has ended; nil: it has not.
    func ending(waiting: Bool = false) -> Ending? {
        var status: Int32 = 0
        let result = retryingWhenInterrupted { unsafe waitpid(id, &status, waiting ? 0 : WNOHANG) }
        guard result != 0 else { return nil }
        let signal = status & 0x7f
        return signal == 0 ? .exited((status >> 8) & 0xff) : .killed(signal)
    }

    /// The exit status if the program has ended; 128 + the signal's number when it was killed.
    func ended(waiting: Bool = false) -> Int32? {
        switch ending(waiting: waiting) {
        case .exited(let status): status
        case .killed(let signal): 128 + signal
        case nil: nil
        }
    }

    /// Whether this is process 1 of a container, which inherits orphans and must reap them.
    static let isFirst = getpid() == 1

    /// Reaps orphans that have ended, except for our own children, whose starters wait for them.
    /// - Parameter didEnd: called with each orphan and its exit status, or 128 + the number of a signal.
    static func reapOrphans(but own: [Process], didEnd: (pid_t, Int32) -> Void = { _, _ in }) {
        var info = unsafe siginfo_t()
        // Look before reaping, to tell whose child it is.
        while unsafe waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 {
            let id = unsafe info._sifields._sigchld.si_pid
            guard id > 0, !own.contains(where: { $0.id == id }) else { return }
            if let status = Process(id: id).ended() { didEnd(id, status) }
            unsafe info = unsafe siginfo_t()
        }
    }

    /// Reaps all children that have ended.
    static func reapAll() { while waitpid(-1, nil, WNOHANG) > 0 {} }

    func send(_ signal: Int32) { kill(id, signal) }

    /// The environment of this process.
    static var environment: [String: String] {
        var result: [String: String] = [:]
        var entry = unsafe environ
        while let text = unsafe entry.pointee.map({ unsafe String(cString: $0) }) {
            let (key, value) = Values.pair(text)
            result[key] = value ?? ""
            unsafe entry += 1
        }
        return result
    }
}
