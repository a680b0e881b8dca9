// Communication with systemd.

import CSystemd
import EventLoop
import Glibc
import MullionSystem

/// Notifications, the watchdog and inherited sockets. Without a service manager nothing is loaded and nothing sent.
final class ServiceManager {
    /// Whether this process is a service.
    static let hasStarted = unsafe getenv("NOTIFY_SOCKET") != nil
    /// Whether there is one that can be notified.
    let isPresent = unsafe hasStarted && systemd_load() == nil
    private var watchdog: Timer?

    /// The descriptors in LISTEN_FDS: sockets by name, and those a previous server left in the service manager's store.
    struct Inheritance {
        var sockets: [String: Int32] = [:]
        var stored: [String: [Int32]] = [:]
    }

    /// Logs what is lost without libsystemd, if a service manager may have started this process.
    static func checkLibrary() {
        guard unsafe hasStarted || getenv("LISTEN_PID") != nil, let failure = unsafe systemd_load() else { return }
        let reason = unsafe String(cString: failure)
        Log.write(
            .warning,
            "the service manager is told nothing, and none of its sockets is used: \(reason); mullionctl doctor service "
                + "names the package")
    }

    /// Takes the descriptors in LISTEN_FDS, if they are for this process. Sockets with an unknown or repeated name are
    /// closed, so that their clients are refused instead of waiting forever.
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
                Log.write(.warning, "inherited socket \"\(name)\" is closed: expected one of each of \(allowed)")
                close(descriptor)
            }
        }
        return result
    }

    /// Sends `VARIABLE=VALUE` lines.
    func notify(_ state: String) {
        if isPresent { _ = unsafe systemd_notify(state) }
    }

    /// Sends the service's status line, with line breaks removed because they would end it.
    func notify(status: String, _ more: String = "") {
        let line = String(status.map { $0.isNewline ? " " : $0 })
        notify("\(more)STATUS=\(line)")
    }

    /// Announces the beginning of a reload; `READY=1` ends it. Units of Type=notify-reload need the timestamp.
    func notifyReloading() {
        guard isPresent else { return }
        notify("RELOADING=1\nMONOTONIC_USEC=\(MonotonicClock.nanoseconds / 1000)")
    }

    /// Sends keep-alive messages at the interval the service manager requests.
    func startWatchdog(on loop: EventLoop) {
        var microseconds: UInt64 = 0
        guard isPresent, unsafe systemd_watchdog_enabled(&microseconds) > 0, microseconds > 0 else { return }
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
