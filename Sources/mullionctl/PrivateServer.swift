// mullionctl run: runs a command in a private server.

import FoundationEssentials
import Glibc

/// A server that runs as long as one command.
final class PrivateServer {
    private static let socketName = "wayland-0"
    /// The longest time for a start, in milliseconds.
    private static let startLimit: Int32 = 30_000

    private let folder: String
    private let artifacts: String?
    private let process: Process
    private var control: String { folder + "/mullion/control.sock" }
    private var log: String { (artifacts ?? folder) + "/mulliond.log" }

    /// `run [--screen MODEL]… [--config FILE] [--clock MODE] [--artifacts DIR] -- COMMAND…`
    static func run(_ call: Invocation) throws(CommandError) {
        let screens = call.option("--screen")
        let artifacts = call.option("--artifacts").last
        let configuration = call.option("--config").last
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
        try run(command, options: options, configuration: configuration, artifacts: artifacts)
    }

    /// Runs a command in a server with these options of mulliond, and exits with the command's exit status.
    static func run(
        _ command: [String], options: [String], configuration: String? = nil, artifacts: String? = nil
    ) throws(CommandError) {
        // Block signals before starting anything, so that none are lost.
        let signals = BlockedSignals()
        let server = try PrivateServer(options: options, configuration: configuration, artifacts: artifacts)
        defer { server.remove() }
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
            process = try Self.start(
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
    ) throws(CommandError) -> Process {
        var file = configuration
        if file == nil {
            // A private server ignores the system's configuration.
            let empty = folder + "/mullion.json5"
            try Picture.save(Array("{}\n".utf8), as: empty)
            file = empty
        }
        var words = [try program(), "--config", file ?? "", "--socket", socketName]
        words += ["--control", folder + "/mullion/control.sock", "--state", "none", "--ready-fd", "3"]
        words += options
        var environment = Process.environment
        environment["XDG_RUNTIME_DIR"] = folder
        let managers = [
            "NOTIFY_SOCKET", "LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES", "WATCHDOG_USEC", "STATE_DIRECTORY",
            "RUNTIME_DIRECTORY",
        ]
        for name in managers { environment[name] = nil }
        let output = unsafe open(log, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0o644)
        guard output >= 0 else { throw .refused("\(log): \(Terminal.reason)") }
        defer { close(output) }
        let ready = try Pipe()
        defer { close(ready.readEnd) }
        let process = Process(
            words, environment: environment, streams: Process.Streams(log: output, third: ready.writeEnd),
            ownGroup: true)
        let reason = Terminal.reason
        close(ready.writeEnd)
        guard let process else { throw .refused("\(words[0]): \(reason)") }
        guard waitReady(ready.readEnd) else {
            process.send(SIGKILL)
            _ = process.ended(waiting: true)
            throw .refused("the server did not start\n\(text(of: log))")
        }
        return process
    }

    /// Waits for the server's ready line. End of file means that it has exited.
    private static func waitReady(_ descriptor: Int32) -> Bool {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&waiting, 1, startLimit) == 1 else { return false }
        var byte: UInt8 = 0
        return unsafe read(descriptor, &byte, 1) == 1
    }

    /// The server next to this program, otherwise the one in PATH.
    private static func program() throws(CommandError) -> String {
        let own = Process.ownPath
        let folder = own.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        let beside = folder + "/mulliond"
        return unsafe access(beside, X_OK) == 0 ? beside : "mulliond"
    }

    private static func text(of file: String) -> String {
        FileManager.default.contents(atPath: file).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    private static func makeFolder(_ path: String) throws(CommandError) {
        guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .refused("\(path): \(Terminal.reason)") }
    }

    // MARK: Run

    private func run(_ words: [String], _ signals: BlockedSignals) throws(CommandError) -> Int32 {
        var environment = Process.environment
        environment["XDG_RUNTIME_DIR"] = folder
        environment["WAYLAND_DISPLAY"] = Self.socketName
        environment["XDG_SESSION_TYPE"] = "wayland"
        // The display of another server must not be used.
        environment["DISPLAY"] = nil
        environment["WAYLAND_SOCKET"] = nil
        guard let command = Process(words, environment: environment) else {
            // The same statuses as shells use.
            let status: Int32 = errno == ENOENT ? 127 : 126
            Terminal.error("mullionctl: \(words[0]): \(Terminal.reason)")
            return status
        }
        var serverEnded = false
        while true {
            if let status = command.ended() {
                if !serverEnded { keepArtifacts() }
                return serverEnded ? 1 : status
            }
            if !serverEnded, process.ended() != nil {
                serverEnded = true
                Terminal.error("mullionctl: the server ended before the command\n\(Self.text(of: log))")
                command.send(SIGTERM)
            }
            if Process.isFirst { Process.reapOrphans(but: [command, process]) }
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
        if process.ended() == nil {
            process.send(SIGTERM)
            if !endsWithin(seconds: 5) {
                process.send(SIGKILL)
                _ = process.ended(waiting: true)
            }
        }
        try? FileManager.default.removeItem(atPath: folder)
    }

    private func endsWithin(seconds: Int) -> Bool {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        unsafe sigaddset(&set, SIGCHLD)
        var left = timespec(tv_sec: seconds, tv_nsec: 0)
        while process.ended() == nil {
            // SIGCHLD has been blocked since the start, so it cannot be missed; other children rarely end.
            if unsafe sigtimedwait(&set, nil, &left) < 0, errno == EAGAIN { return process.ended() != nil }
            left.tv_sec = max(0, left.tv_sec - 1)
        }
        return true
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
