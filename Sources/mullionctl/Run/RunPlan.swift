// The options of mullionctl run.

import Glibc
import MullionControl
import MullionSystem

/// What a command runs in.
struct RunPlan {
    var command: [String]
    /// mulliond's.
    var options: [String] = []
    /// A file; nil: none.
    var configuration: String?
    /// A folder; nil: none.
    var artifacts: String?
    /// Whether the folder is only written when the run fails.
    var isOnFailure = false
    /// Whether a client's crash or protocol error, or a process left behind, is a failure.
    var isStrict = false
    /// A file for the result in JUnit's format; nil: none.
    var junit: String?
    var x11 = false
    /// Whether programs look the same in every run: see `TestProfile`.
    var isProfiled = true
    /// Whether programs describe their widgets.
    var accessibility = false
    /// Variables: see `RunEnvironment`.
    var environment: [String] = []
    /// Seconds; nil: none.
    var timeout: Double?
    /// Called with the run's folder when the server does not start; it may throw why.
    var explainFailedStart: ((String) throws(CommandError) -> Void)?

    init(command: [String], options: [String] = []) { (self.command, self.options) = (command, options) }

    /// Whether the command is kept from the caller's D-Bus session.
    var hasBus: Bool { isProfiled || accessibility }

    /// `run [--screen MODEL]… [--config FILE] [--clock MODE] [--x11] … -- COMMAND…`
    init(_ call: Invocation) throws(CommandError) {
        for screen in call.option("--screen") { options += ["--screen", screen] }
        artifacts = call.option("--artifacts").last
        isOnFailure = call.flag("--on-failure")
        isStrict = call.flag("--strict")
        junit = call.option("--junit").last
        if isOnFailure, artifacts == nil { throw .usage("--on-failure needs --artifacts DIR") }
        configuration = call.option("--config").last
        x11 = call.flag("--x11")
        accessibility = call.flag("--accessibility")
        if let profile = call.option("--profile").last {
            guard ["tests", "none"].contains(profile) else {
                throw .usage("--profile: \"\(profile)\" is not a profile; use tests or none")
            }
            isProfiled = profile == "tests"
        }
        environment = call.option("--env")
        for word in environment where word.isEmpty || word.hasPrefix("=") {
            throw .usage("--env: \"\(word)\" has no name; use NAME=VALUE, or NAME to keep a variable")
        }
        if let word = call.option("--timeout").last {
            let seconds = try Values.seconds(word)
            guard seconds > 0 else { throw .usage("--timeout: \"\(word)\" is no time; use 90s or 500ms") }
            timeout = seconds
        }
        if let clock = call.option("--clock").last {
            guard ["real", "manual"].contains(clock) else {
                throw .usage("\(clock) is not a clock; use real or manual")
            }
            options += ["--clock", clock]
        }
        command = call.line.rest ?? call.words()
        guard !command.isEmpty else { throw .usage("the command is missing; use -- COMMAND…") }
        try call.endOptions()
    }

    /// Whether what happens is recorded.
    var isTraced: Bool { artifacts != nil || isStrict || junit != nil }
    /// The folder for logs while the command runs; nil: a temporary one.
    var logFolder: String? { isOnFailure ? nil : artifacts }

    /// Checks that what is written at the end can be written, unless the folder for artifacts is made at the start.
    func checkFiles() throws(CommandError) {
        if isOnFailure, let artifacts { try Folder.check(artifacts) }
        if let junit { try Picture.check(junit) }
    }

    /// Runs the command in its server, and throws its exit status.
    func run() throws(CommandError) -> Never {
        // Block signals before starting anything, so that none are lost.
        let signals = BlockedSignals()
        let folder = try Self.makeFolder()
        let group = getpgrp()
        let status = Self.status { () throws(CommandError) in
            try Keeper.start(folder: folder, signals) { keeper in
                Self.status { () throws(CommandError) in
                    let server = try startServer(folder)
                    return try CommandRun(self, server, signals, keeper, group: group).status()
                }
            }
        }
        throw .status(status)
    }

    /// Starts the server; results say so if that fails.
    private func startServer(_ folder: String) throws(CommandError) -> PrivateServer {
        do throws(CommandError) {
            return try PrivateServer(self, folder: folder)
        } catch {
            guard let message = error.message else { throw error }
            try explainFailedStart?(folder)
            UnstartedRun(self, folder: folder, message).save()
            throw error
        }
    }

    /// The exit status of a part of the run; 125 when something fails before the command, unless a file has mistakes.
    private static func status(_ body: () throws(CommandError) -> Int32) -> Int32 {
        do throws(CommandError) {
            return try body()
        } catch {
            if case .status(let status) = error { return status }
            if let message = error.message { Terminal.error("mullionctl: \(message)") }
            if case .invalidFile = error { return error.status }
            return 125
        }
    }

    /// A new temporary folder, whose path is absolute: programs may run in other folders.
    static func makeFolder() throws(CommandError) -> String {
        var base = Terminal.variable("TMPDIR") ?? "/tmp"
        if !base.hasPrefix("/") { base = FilePath.absolute(base) }
        var template = Array("\(base)/mullion-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else {
            Terminal.error("mullionctl: \(base): \(Terminal.reason)")
            throw .status(125)
        }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
