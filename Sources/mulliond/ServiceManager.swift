// What mulliond tells systemd, and what it gets from it.

import CSystemd
import EventLoop
import Glibc
import System

/// Notifications, the watchdog and sockets handed over. Without a service manager nothing is loaded and nothing sent.
final class ServiceManager {
    let isThere = unsafe getenv("NOTIFY_SOCKET") != nil
    private var watchdog: Timer?

    /// What came by LISTEN_FDS: sockets by name, and what a server before has left in the service manager's store.
    struct Inheritance {
        var sockets: [String: Int32] = [:]
        var stored: [String: [Int32]] = [:]
    }

    /// Takes what came by LISTEN_FDS; nothing when there is nothing for this process. What has another name, or is a
    /// socket of a name that came before, nobody would ever serve: it is closed, so that its clients are refused and do
    /// not wait.
    static func inheritance() -> Inheritance {
        let known: Set = ["client", "control"]
        var result = Inheritance()
        guard unsafe getenv("LISTEN_PID") != nil else { return result }
        var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        let count = unsafe systemd_listen_fds_with_names(&names)
        defer { unsafe free(names) }
        for index in 0..<max(0, Int(count)) {
            let descriptor = Int32(3 + index)
            let name = unsafe names?[index].map { unsafe String(cString: $0) } ?? ""
            unsafe free(names?[index])
            if Stored(rawValue: name) != nil {
                result.stored[name, default: []].append(descriptor)
            } else if known.contains(name), result.sockets[name] == nil {
                result.sockets[name] = descriptor
            } else {
                let allowed = known.sorted().joined(separator: ", ")
                Log.write(.warning, "inherited socket \"\(name)\" is closed: wanted is one of each of \(allowed)")
                close(descriptor)
            }
        }
        return result
    }

    /// Sends `VARIABLE=VALUE` lines.
    func notify(_ state: String) {
        if isThere { _ = unsafe systemd_notify(state) }
    }

    /// The service's line in the status, without line breaks, which would end it.
    func tell(status: String, _ more: String = "") {
        let line = status.split(whereSeparator: \.isNewline).joined(separator: " ")
        notify("\(more)STATUS=\(line)")
    }

    /// Says that a reload begins; `READY=1` ends it. Units of Type=notify-reload need the time.
    func notifyReloading() {
        guard isThere else { return }
        notify("RELOADING=1\nMONOTONIC_USEC=\(MonotonicClock.nanoseconds / 1000)")
    }

    /// Says that the server is alive, as often as the service manager asks.
    func startWatchdog(on loop: EventLoop) {
        var microseconds: UInt64 = 0
        guard isThere, unsafe systemd_watchdog_enabled(&microseconds) > 0, microseconds > 0 else { return }
        let interval = microseconds / 2
        let timer = Timer(loop)
        timer.handler = { [weak self, weak timer] deadline, now in
            self?.notify("WATCHDOG=1")
            timer?.arm(at: max(deadline, now) + interval)
        }
        timer.arm(at: loop.now + interval)
        watchdog = timer
    }
}
