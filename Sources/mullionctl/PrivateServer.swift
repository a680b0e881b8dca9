// mullionctl run: runs a command in a private server.

import FoundationEssentials
import Glibc

/// A server that runs as long as one command.
final class PrivateServer {
    private static let socketName = "wayland-0"

    private let folder: String
    private let artifacts: String?
    private let server: HelperProgram
    /// What X11 programs connect to.
    private var display: HelperProgram?
    private var control: String { folder + "/mullion/control.sock" }

    /// `run [--screen MODEL]… [--config FILE] [--clock MODE] [--x11] [--artifacts DIR] -- COMMAND…`
    static func run(_ call: Invocation) throws(CommandError) {
        let screens = call.option("--screen")
        let artifacts = call.option("--artifacts").last
        let configuration = call.option("--config").last
        let x11 = call.flag("--x11")
        var options: [String] = []
        for screen in screens { options += ["--screen", screen] }
        if let clock = call.option("--clock").last {
            guard ["real", "manual"].contains(clock) else {
                throw .usage("\(clock) is not a clock; use real or manual")
            }
            options += ["--clock", clock]
        }
        guard let command = call.line.rest ?? Optional(call.words()), !command.isEmpty else {
            throw .usage("the command is missing; use -- COMMAND…")
        }
        try run(command, options: options, configuration: configuration, artifacts: artifacts, x11: x11)
    }

    /// Runs a command in a server with these options of mulliond, and exits with the command's exit status.
    static func run(
        _ command: [String], options: [String], configuration: String? = nil, artifacts: String? = nil,
        x11: Bool = false
    ) throws(CommandError) {
        // Block signals before starting anything, so that none are lost.
        let signals = BlockedSignals()
        let server = try PrivateServer(options: options, configuration: configuration, artifacts: artifacts)
        defer { server.remove() }
        if x11 { try server.startDisplay() }
        let status = try server.run(command, signals)
        throw .status(status)
    }

    private init(options: [String], configuration: String?, artifacts: String?) throws(CommandError) {
        let base = Terminal.variable("TMPDIR") ?? "/tmp"
        var template = Array("\(base)/mullion-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw .refused("\(base): \(Terminal.reason)") }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        self.artifacts = artifacts
        do throws(CommandError) {
            try Self.makeFolder(folder + "/mullion")
            if let artifacts { try Self.makeFolder(artifacts) }
            server = try Self.start(
                folder: folder, log: (artifacts ?? folder) + "/mulliond.log", options: options,
                configuration: configuration)
        } catch {
            try? FileManager.default.removeItem(atPath: folder)
            throw error
        }
    }

    // MARK: Start

    private static func start(
        folder: String, log: String, options: [String], configuration: String?
    ) throws(CommandError) -> HelperProgram {
        var file = configuration
        if file == nil {
            // A private server ignores the system's configuration.
            let empty = folder + "/mullion.json5"
            try Picture.save(Array("{}\n".utf8), as: empty)
            file = empty
        }
        var words = ["--config", file ?? "", "--socket", socketName]
        words += ["--control", folder + "/mullion/control.sock", "--state", "none"]
        words += options
        var environment = Process.environment
        environment["XDG_RUNTIME_DIR"] = folder
        let managers = [
            "NOTIFY_SOCKET", "LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES", "WATCHDOG_USEC", "STATE_DIRECTORY",
            "RUNTIME_DIRECTORY",
        ]
        for name in managers { environment[name] = nil }
        return try HelperProgram("mulliond", what: "the server", words, environment: environment, log: log)
    }

    /// Lets X11 programs connect.
    private func startDisplay() throws(CommandError) {
        display = try HelperProgram(
            "mullion-x11", what: "mullion-x11", [], environment: environment,
            log: (artifacts ?? folder) + "/mullion-x11.log")
    }

    /// The environment of programs that use the server.
    private var environment: [String: String] {
        var environment = Process.environment
        environment["XDG_RUNTIME_DIR"] = folder
        environment["WAYLAND_DISPLAY"] = Self.socketName
        environment["XDG_SESSION_TYPE"] = "wayland"
        environment["WAYLAND_SOCKET"] = nil
        // Not the display of another server.
        environment["DISPLAY"] = display?.ready
        if display != nil { environment["XAUTHORITY"] = nil }
        return environment
    }

    private static func makeFolder(_ path: String) throws(CommandError) {
        guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .refused("\(path): \(Terminal.reason)") }
    }

    // MARK: Run

    private func run(_ words: [String], _ signals: BlockedSignals) throws(CommandError) -> Int32 {
        guard let command = Process(words, environment: environment) else {
            // The same statuses as shells use.
            let status: Int32 = errno == ENOENT ? 127 : 126
            Terminal.error("mullionctl: \(words[0]): \(Terminal.reason)")
            return status
        }
        var serverEnded = false
        var displayEnded = false
        while true {
            if let status = command.ended() {
                if !serverEnded { keepArtifacts() }
                return serverEnded ? 1 : status
            }
            if !serverEnded, server.process.ended() != nil {
                serverEnded = true
                Terminal.error("mullionctl: the server ended before the command\n\(server.output)")
                command.send(SIGTERM)
            }
            if let display, !displayEnded, !serverEnded, display.process.ended() != nil {
                displayEnded = true
                Terminal.error("mullionctl: mullion-x11 ended before the command\n\(display.output)")
            }
            if Process.isFirst {
                Process.reapOrphans(but: [command, server.process] + (display.map { [$0.process] } ?? []))
            }
            if let signal = signals.next() { command.send(signal) }
        }
    }

    private func keepArtifacts() {
        guard let artifacts else { return }
        let client = ControlClient(path: control)
        do throws(CommandError) {
            try Picture.save(try client.send("GET", "/tree", accept: "text/plain").body, as: artifacts + "/tree.txt")
            try Picture.save(try client.send("GET", "/screenshot.png").body, as: artifacts + "/screenshot.png")
        } catch {
            Terminal.error("mullionctl: \(error.message ?? "no picture")")
        }
    }

    /// Stops the server and removes temporary files.
    private func remove() {
        display?.stop()
        server.stop()
        try? FileManager.default.removeItem(atPath: folder)
    }
}

/// Signals that are waited for instead of handled.
final class BlockedSignals {
    private var set = sigset_t()

    init() {
        unsafe sigemptyset(&set)
        for number in [SIGCHLD, SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2] { unsafe sigaddset(&set, number) }
        unsafe sigprocmask(SIG_BLOCK, &set, nil)
    }

    /// Waits for the next signal; nil if it must not be passed on.
    func next() -> Int32? {
        var info = unsafe siginfo_t()
        let number = unsafe sigwaitinfo(&set, &info)
        guard number > 0, number != SIGCHLD else { return nil }
        // The terminal signals the whole process group: the command received it too.
        let isFromTerminal = unsafe (number == SIGINT || number == SIGQUIT) && info.si_code > 0
        return isFromTerminal ? nil : number
    }
}
