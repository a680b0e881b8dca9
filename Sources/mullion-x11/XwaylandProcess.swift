// Xwayland, as a child process.

import Glibc
import MullionSystem
import Requirements

/// A running X server.
final class XwaylandProcess {
    /// How many seconds it waits for another program after the last one has ended.
    private static let patience = 10

    private var id: pid_t?

    /// - Parameters:
    ///   - connection: its connection to the server.
    ///   - manager: its connection to the window manager.
    init(
        _ program: String, display: XDisplay, connection: OwnedDescriptor, manager: OwnedDescriptor
    ) throws(Failure) {
        var words = [program, ":\(display.number)", "-rootless", "-shm", "-noreset", "-wm", "4"]
        for index in display.sockets.indices { words += ["-listenfd", "\(5 + index)"] }
        words += ["-terminate", "\(Self.patience)"]
        let own = [connection, manager] + display.sockets
        var environment = ChildProcess.environment.merging(["WAYLAND_SOCKET": "3"]) { $1 }
        for name in ["WAYLAND_DISPLAY", "DISPLAY"] { environment[name] = nil }
        // Out of reach of the terminal's Ctrl-C, which would end it before its programs.
        let server = ChildProcess(
            words, environment: environment, descriptors: ChildProcess.numbered(own.map(\.rawValue)), group: 0)
        do throws(SystemError) {
            // The optimiser would otherwise close the descriptors after their last mention.
            id = try withExtendedLifetime(own) { () throws(SystemError) in try server.start() }
        } catch {
            throw Failure(description: "\(program): \(error)")
        }
    }

    /// The executable.
    /// - Throws: a message that names the package when it is not installed.
    static func find(_ name: String?) throws(Failure) -> String {
        if let name, name.contains("/") {
            guard unsafe access(name, X_OK) == 0 else { throw Failure(description: "\(name): \(SystemError.last)") }
            return name
        }
        if let name {
            guard let path = ExecutableFile.inPath(name) else {
                throw Failure(description: "--xwayland: \(name) is not in PATH; use a program in PATH or a path")
            }
            return path
        }
        let xwayland = Requirement.xwayland
        if let path = Machine.path(of: xwayland) { return path }
        throw Failure(description: "\(xwayland.title) is not installed; \(xwayland.remedy), or use --xwayland FILE")
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
