// What mulliond tells systemd, and what it gets from it.

import CSystemd
import EventLoop
import Glibc

/// Notifications, the watchdog and sockets handed over. Without a service manager nothing is loaded and nothing sent.
final class ServiceManager {
    private let isThere = getenv("NOTIFY_SOCKET") != nil
    private var watchdog: Timer?

    /// Sockets by name, from LISTEN_FDS; empty when there are none for this process.
    static func sockets() -> [String: Int32] {
        guard getenv("LISTEN_PID") != nil else { return [:] }
        var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        let count = systemd_listen_fds_with_names(&names)
        defer { free(names) }
        var result: [String: Int32] = [:]
        for index in 0..<max(0, Int(count)) {
            guard let name = names?[index] else { continue }
            result[String(cString: name)] = Int32(3 + index)
            free(name)
        }
        return result
    }

    func notify(_ state: String) {
        if isThere { _ = systemd_notify(state) }
    }

    /// Says that the server is alive, as often as the service manager asks.
    func startWatchdog(on loop: EventLoop) {
        var microseconds: UInt64 = 0
        guard isThere, systemd_watchdog_enabled(&microseconds) > 0, microseconds > 0 else { return }
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
