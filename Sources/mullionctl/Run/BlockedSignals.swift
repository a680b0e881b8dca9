// The signals of mullionctl run.

import CLinux
import Glibc

/// Signals that are waited for instead of handled.
final class BlockedSignals {
    /// Sent by the kernel when the parent has ended.
    static let parentEnded = linux_first_realtime_signal()
    private static let numbers = [
        SIGCHLD, SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, parentEnded,
    ]
    private var set = sigset_t()

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
        // The terminal signals the whole process group.
        let isFromTerminal = unsafe (number == SIGINT || number == SIGQUIT) && info.si_code > 0
        return isFromTerminal ? nil : number
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
