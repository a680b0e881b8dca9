// The signals of mullionctl run.

import CMullionLinux
import Glibc
import MullionControl
import MullionSystem

/// Signals that are waited for instead of handled.
final class BlockedSignals {
    /// Sent by the kernel when the parent has ended.
    static let parentEnded = linux_first_realtime_signal()
    /// Sent by the keeper, with a new value of `command`.
    static let commandChanged = linux_first_realtime_signal() + 1
    /// Those after which nothing is started any more.
    private static let ends = [SIGINT, SIGQUIT, SIGTERM, SIGHUP, parentEnded]
    private static let numbers = ends + [SIGCHLD, SIGUSR1, SIGUSR2, commandChanged]
    private var set = sigset_t()
    /// The process that decides about the terminal's signals, while it is in the process group of this one and receives
    /// them too; 0: none.
    var command: pid_t = 0

    init() {
        unsafe sigemptyset(&set)
        for number in Self.numbers { unsafe sigaddset(&set, number) }
        unsafe sigprocmask(SIG_BLOCK, &set, nil)
    }

    /// Waits for the next signal, at most until a moment.
    /// - Returns: nil when time ran out, a child has ended, or the command has received the signal too.
    func next(until deadline: ContinuousClock.Instant? = nil) -> Int32? {
        var info = unsafe siginfo_t()
        let number: Int32
        if let deadline {
            let left = max(.zero, deadline - .now)
            var time = timespec(
                tv_sec: Int(left.components.seconds), tv_nsec: Int(left.components.attoseconds / 1_000_000_000))
            number = unsafe sigtimedwait(&set, &info, &time)
        } else {
            number = unsafe sigwaitinfo(&set, &info)
        }
        guard number > 0, number != SIGCHLD else { return nil }
        guard number != Self.commandChanged else {
            command = unsafe info._sifields._rt.si_sigval.sival_int
            return nil
        }
        // The terminal signals the whole process group.
        let isFromTerminal = unsafe (number == SIGINT || number == SIGQUIT) && info.si_code > 0
        guard isFromTerminal else { return number }
        readPendingCommand()
        return command > 0 && getpgid(command) == getpgrp() ? nil : number
    }

    /// Reads what the keeper has sent already: of several pending signals, the kernel delivers those with higher numbers
    /// last.
    private func readPendingCommand() {
        var changes = sigset_t()
        unsafe sigemptyset(&changes)
        unsafe sigaddset(&changes, Self.commandChanged)
        var info = unsafe siginfo_t()
        var none = timespec()
        while unsafe sigtimedwait(&changes, &info, &none) > 0 {
            command = unsafe info._sifields._rt.si_sigval.sival_int
        }
    }

    /// A signal that has arrived and that ends programs; it stays pending.
    static var pendingEnd: Int32? {
        var pending = sigset_t()
        unsafe sigpending(&pending)
        return ends.first { unsafe sigismember(&pending, $0) == 1 }
    }

    /// Waits until one of these descriptors is ready, a signal is pending, or a child has ended, at most until a moment.
    func wait(or waiting: [pollfd], until deadline: ContinuousClock.Instant? = nil) throws(CommandError) {
        let pending = unsafe OwnedDescriptor(linux_signal_descriptor(&set))
        guard pending.rawValue >= 0 else { throw .refused("signalfd: \(Terminal.reason)") }
        var waiting = waiting + [pollfd(fd: pending.rawValue, events: Int16(POLLIN), revents: 0)]
        let milliseconds = deadline.map { max(0, ($0 - .now) / .milliseconds(1)).rounded(.up) } ?? -1
        _ = unsafe poll(&waiting, nfds_t(waiting.count), Int32(milliseconds))
    }

    /// Readable while a signal is pending or a child has ended; -1 if the system refuses it.
    private(set) lazy var descriptor: Int32 = {
        let own = unsafe OwnedDescriptor(linux_signal_descriptor(&set))
        pendingDescriptor = own
        return own.rawValue
    }()
    private var pendingDescriptor: OwnedDescriptor?

    /// Whether a signal is pending or a child has ended.
    var isPending: Bool {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return retryingWhenInterrupted { unsafe poll(&waiting, 1, 0) } > 0 && waiting.revents & Int16(POLLIN) != 0
    }

    /// Waits until a child has ended, for a limited time. SIGCHLD must be blocked.
    static func waitForChild(milliseconds: Int) {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        unsafe sigaddset(&set, SIGCHLD)
        var time = timespec(tv_sec: milliseconds / 1000, tv_nsec: milliseconds % 1000 * 1_000_000)
        unsafe sigtimedwait(&set, nil, &time)
    }
}
