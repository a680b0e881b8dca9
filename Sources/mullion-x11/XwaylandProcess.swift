// Xwayland, as a child process.

import Glibc
import System

/// A running X server.
final class XwaylandProcess {
    /// How many seconds it waits for another program after the last one has ended.
    private static let patience = 10
    /// Descriptors below this one become the X server's.
    private static let firstFree: Int32 = 32

    private var id: pid_t?

    /// - Parameters:
    ///   - connection: its connection to the server.
    ///   - manager: its connection to the window manager.
    init(
        _ program: String, display: XDisplay, connection: OwnedDescriptor, manager: OwnedDescriptor
    ) throws(Failure) {
        let own = [connection, manager] + display.sockets
        // Moved out of the way first: one may have the number that another one gets.
        let moved = own.map { OwnedDescriptor(fcntl($0.rawValue, F_DUPFD_CLOEXEC, Self.firstFree)) }
        guard moved.allSatisfy({ $0.rawValue >= 0 }) else { throw Failure(description: "dup: \(SystemError.last)") }
        var actions = unsafe posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawnattr_init(&attributes)
        defer {
            unsafe posix_spawn_file_actions_destroy(&actions)
            unsafe posix_spawnattr_destroy(&attributes)
        }
        for (index, descriptor) in moved.enumerated() {
            unsafe posix_spawn_file_actions_adddup2(&actions, descriptor.rawValue, 3 + Int32(index))
        }
        var words = [program, ":\(display.number)", "-rootless", "-shm", "-noreset", "-wm", "4"]
        for index in display.sockets.indices { words += ["-listenfd", "\(5 + index)"] }
        words += ["-terminate", "\(Self.patience)"]
        // Out of reach of the terminal's Ctrl-C, which would end it before its programs.
        unsafe posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        unsafe sigaddset(&signals, SIGPIPE)
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        let arguments = unsafe words.map { unsafe strdup($0) } + [nil]
        let variables = unsafe Self.environment.map { unsafe strdup($0) } + [nil]
        defer { unsafe (arguments + variables).forEach { unsafe free($0) } }
        var process = pid_t()
        // The optimiser would otherwise close the descriptors after their last mention.
        let code = withExtendedLifetime((own, moved)) {
            unsafe posix_spawn(&process, program, &actions, &attributes, arguments, variables)
        }
        guard code == 0 else { throw Failure(description: "\(program): \(SystemError(code))") }
        id = process
    }

    private static var environment: [String] {
        var result = ["WAYLAND_SOCKET=3"]
        var entry = unsafe environ
        while let text = unsafe entry.pointee.map({ unsafe String(cString: $0) }) {
            let isReplaced = ["WAYLAND_SOCKET=", "WAYLAND_DISPLAY=", "DISPLAY="].contains { text.hasPrefix($0) }
            if !isReplaced { result.append(text) }
            unsafe entry += 1
        }
        return result
    }

    /// The executable.
    /// - Throws: a message that names the package when it is not installed.
    static func find(_ name: String?) throws(Failure) -> String {
        if let name, name.contains("/") {
            guard unsafe access(name, X_OK) == 0 else { throw Failure(description: "\(name): \(SystemError.last)") }
            return name
        }
        let path = unsafe getenv("PATH").map { unsafe String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
        for folder in path.split(separator: ":") {
            let file = "\(folder)/\(name ?? "Xwayland")"
            if unsafe access(file, X_OK) == 0 { return file }
        }
        throw Failure(
            description: "\(name ?? "Xwayland") is not installed; use apt-get install xwayland, or --xwayland FILE")
    }

    /// How it has ended; nil while it runs.
    func ended() -> Int32? {
        guard let id else { return 0 }
        var status: Int32 = 0
        guard unsafe waitpid(id, &status, WNOHANG) == id else { return nil }
        self.id = nil
        let signal = status & 0x7f
        return signal == 0 ? (status >> 8) & 0xff : 128 + signal
    }

    func send(_ signal: Int32) {
        if let id { kill(id, signal) }
    }
}
