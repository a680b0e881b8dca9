// The server of mullionctl run.

import FoundationEssentials
import Glibc

/// A server that runs as long as one command.
final class PrivateServer {
    private static let socketName = "wayland-0"

    let folder: String
    let server: HelperProgram
    /// What X11 programs connect to.
    let display: HelperProgram?
    /// The environment of programs that use the server.
    let environment: [String: String]

    init(_ plan: RunPlan, folder: String) throws(CommandError) {
        self.folder = folder
        try Self.makeFolder(folder + "/mullion")
        if let artifacts = plan.artifacts { try Self.makeFolder(artifacts) }
        let logs = plan.artifacts ?? folder
        server = try Self.start(plan, folder: folder, log: logs + "/mulliond.log")
        func environment(_ display: String?) -> [String: String] {
            RunEnvironment(folder: folder, socket: Self.socketName, display: display, own: plan.environment).variables
        }
        guard plan.x11 else {
            display = nil
            self.environment = environment(nil)
            return
        }
        let display: HelperProgram
        do throws(CommandError) {
            display = try HelperProgram(
                "mullion-x11", what: "mullion-x11", [], environment: environment(nil), log: logs + "/mullion-x11.log")
        } catch {
            server.stop()
            throw error
        }
        self.display = display
        self.environment = environment(display.ready)
    }

    private static func start(_ plan: RunPlan, folder: String, log: String) throws(CommandError) -> HelperProgram {
        var file = plan.configuration
        if file == nil {
            // A private server ignores the system's configuration.
            let empty = folder + "/mullion.json5"
            try Picture.save(Array("{}\n".utf8), as: empty)
            file = empty
        }
        var words = ["--config", file ?? "", "--socket", socketName]
        words += ["--control", folder + "/mullion/control.sock", "--state", "none"]
        words += plan.options
        var environment = Process.environment
        environment["XDG_RUNTIME_DIR"] = folder
        let managers = [
            "NOTIFY_SOCKET", "LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES", "WATCHDOG_USEC", "STATE_DIRECTORY",
            "RUNTIME_DIRECTORY",
        ]
        for name in managers { environment[name] = nil }
        return try HelperProgram("mulliond", what: "the server", words, environment: environment, log: log)
    }

    private static func makeFolder(_ path: String) throws(CommandError) {
        guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .refused("\(path): \(Terminal.reason)") }
    }

    /// A client of its control API.
    var control: ControlClient { ControlClient(path: folder + "/mullion/control.sock") }

    /// The helpers that run beside the command.
    var helpers: [HelperProgram] { [server] + (display.map { [$0] } ?? []) }

    func stop() {
        display?.stop()
        server.stop()
    }
}
