// The server of mullionctl run.

import ControlProtocol
import Glibc
import MullionControl
import MullionSystem

/// A server that runs as long as one command, and what the command's programs need besides.
final class PrivateServer {
    private static let socketName = "wayland-0"

    let folder: String
    let server: HelperProgram
    /// The helpers that run beside the command, in the order of their start.
    private(set) var helpers: [HelperProgram]
    /// Nil without X11 programs.
    private let display: X11Helper?
    /// The environment of programs that use the server.
    let environment: [String: String]

    init(_ plan: RunPlan, folder: String) throws(CommandError) {
        self.folder = folder
        try Folder.makePrivate(folder + "/mullion")
        if let artifacts = plan.logFolder { try Folder.makePrivate(artifacts) }
        try plan.checkFiles()
        try EarlierResults.replace(plan)
        if plan.artifacts != nil { try Folder.makePrivate(Self.notes(folder)) }
        try Folder.makePrivate(Self.goldens(folder))
        let logs = plan.logFolder ?? folder
        let profile =
            plan.isProfiled ? try TestProfile(folder: folder + "/profile", accessibility: plan.accessibility) : nil
        let server = try Self.start(plan, folder: folder, profile, log: logs + "/mulliond.log")
        self.server = server
        helpers = [server]
        var helpers = [server]
        func environment(bus: MessageBus? = nil, display: HelperProgram? = nil) -> [String: String] {
            RunEnvironment(
                folder: folder, socket: Self.socketName, plan, profile: profile, bus: bus?.address,
                display: display?.ready
            ).variables
        }
        do throws(CommandError) {
            var bus: MessageBus?
            if plan.accessibility || plan.isProfiled && MessageBus.isInstalled {
                let started = try MessageBus(
                    folder: folder, environment: environment(), accessibility: plan.accessibility,
                    log: logs + "/dbus-daemon.log")
                helpers.append(started.helper)
                bus = started
            }
            display =
                plan.x11
                ? try X11Helper(
                    folder: folder, environment: environment(bus: bus), reportsEnds: plan.isTraced,
                    log: logs + "/mullion-x11.log") : nil
            if let display { helpers.append(display.helper) }
            self.helpers = helpers
            self.environment = environment(bus: bus, display: display?.helper)
        } catch {
            Self.stop(helpers, patience: Keeper.patience)
            throw error
        }
    }

    private static func start(
        _ plan: RunPlan, folder: String, _ profile: TestProfile?, log: String
    ) throws(CommandError) -> HelperProgram {
        var file = plan.configuration
        if file == nil {
            // A private server ignores the system's configuration.
            let empty = configuration(folder)
            try Picture.save(Array("{}\n".utf8), as: empty)
            file = empty
        }
        var words = ["--config", file ?? "", "--socket", socketName]
        words += ["--control", folder + "/mullion/control.sock", "--state", "none"]
        if plan.isTraced { words.append("--journal") }
        words += plan.options + ["--ready-fd", "3"]
        var environment = ChildProcess.environment
        // The server draws titles.
        profile?.apply(to: &environment)
        environment["XDG_RUNTIME_DIR"] = folder
        let managers = [
            "NOTIFY_SOCKET", "LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES", "WATCHDOG_USEC", "STATE_DIRECTORY",
            "RUNTIME_DIRECTORY",
        ]
        for name in managers { environment[name] = nil }
        return try HelperProgram("mulliond", what: "the server", words, environment: environment, log: log)
    }

    /// The names of the logs.
    static let logs = ["mulliond.log", "dbus-daemon.log", "mullion-x11.log"]

    /// The configuration of a server whose caller has none.
    static func configuration(_ folder: String) -> String { folder + "/mullion.json5" }

    /// Where the command's parts leave notes for the report.
    static func notes(_ folder: String) -> String { folder + "/notes" }

    /// Where comparisons mark the golden pictures that they have written.
    static func goldens(_ folder: String) -> String { folder + "/goldens" }

    /// A client of its control API.
    var control: ControlClient { ControlClient(path: folder + "/mullion/control.sock") }

    /// The X11 programs that have ended: see `X11Helper`. There can be no more then.
    /// - Parameter patience: see `stop`.
    func endedX11Programs(patience: @autoclosure () -> Int) -> [API.EndedProgram] {
        guard let display else { return [] }
        // It has written all when it has ended.
        Self.stop([display.helper], patience: patience())
        return display.ended
    }

    /// Ends the helpers, the server last.
    /// - Parameter patience: how long they have together, in milliseconds; it may become shorter.
    func stop(patience: @autoclosure () -> Int) { Self.stop(helpers, patience: patience()) }

    private static func stop(_ helpers: [HelperProgram], patience: @autoclosure () -> Int) {
        let start = ContinuousClock.now
        for helper in helpers.reversed() {
            helper.stop { ContinuousClock.now - start < .milliseconds(patience()) }
        }
    }
}
