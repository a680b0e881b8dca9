// Starts programs and waits for them.

import CMullionLinux
import Glibc
import MullionControl
import MullionSystem

/// A pipe whose ends programs do not inherit; the users of the ends close them.
struct Pipe {
    let readEnd: Int32
    let writeEnd: Int32

    init() throws(CommandError) {
        var ends: [Int32] = [-1, -1]
        guard unsafe linux_pipe(&ends) == 0 else { throw .refused("pipe: \(Terminal.reason)") }
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

    let id: pid_t

    /// A child that was started otherwise.
    init(id: pid_t) { self.id = id }

    /// Starts a program.
    init(_ program: ChildProcess) throws(SystemError) { id = try program.start() }

    /// The exit status of a command that starts another one, if that fails: the same as shells use.
    static func status(of failure: SystemError) -> Int32 { failure.code == ENOENT ? 127 : 126 }

    /// How a program has ended.
    enum Ending: Equatable {
        /// With this exit status.
        case exited(Int32)
        /// By this signal.
        case killed(Int32)

        /// For people.
        var text: String {
            switch self {
            case .exited(let status): "with exit status \(status)"
            case .killed(let signal): "by \(SignalName.text(signal))"
            }
        }
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
}
