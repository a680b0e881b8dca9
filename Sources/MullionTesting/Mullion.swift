// What a test does with its server.

import FoundationEssentials
import Synchronization

/// A Mullion server of a test's own; `withMullion` starts one.
///
/// Everything is done by commands of mullionctl: they find widgets, wait, and report what they found instead. All methods
/// that throw throw a `MullionError` with that report, also when mullionctl cannot be started or the server has ended.
public final class Mullion: Sendable {
    /// How long actions and conditions are waited for, in real time; see also `within`.
    public var timeout: Duration { Self.limit ?? usualTimeout }
    let run: ServerRun
    /// The folder for what is kept if the test fails.
    let artifacts: String
    /// Whether the server's time stands still until it is stepped.
    let hasManualClock: Bool
    private let usualTimeout: Duration
    private let launched = Mutex<[Program]>([])

    /// Nil outside of `within`.
    @TaskLocal private static var limit: Duration?

    init(_ run: ServerRun, timeout: Duration, hasManualClock: Bool, artifacts: String) {
        (self.run, self.hasManualClock, self.artifacts) = (run, hasManualClock, artifacts)
        usualTimeout = timeout
    }

    /// Waits longer or shorter than usual: for a slow action, or one that is expected to fail.
    /// - Parameters:
    ///   - timeout: how long each action and condition of the body is waited for, in real time.
    ///   - isolation: the actor that the body runs on; by default the caller's.
    /// - Throws: what the body throws.
    public func within<Outcome>(
        _ timeout: Duration, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Outcome
    ) async rethrows -> Outcome {
        try await Self.$limit.withValue(timeout, operation: body, isolation: isolation)
    }

    /// Starts a program, which runs until the test ends, and is then ended with all that it has started.
    /// - Parameters:
    ///   - command: its name, found in `PATH`, or its path, and its arguments.
    ///   - environment: further variables.
    ///   - folder: the working directory; by default, and for relative paths, the one of the tests.
    /// - Returns: the program, once it has started; its windows come later.
    /// - Throws: `MullionError` when there is no such program or folder, or the program may not be executed.
    @discardableResult
    public func launch(
        _ command: [String], environment: [String: String] = [:], folder: String = "."
    ) async throws -> Program {
        guard !command.isEmpty else { throw MullionError("the command is empty; use a program and its arguments") }
        let program = launched.withLock { launched in
            let program = Program(mullion: self, number: launched.count + 1, command: command)
            launched.append(program)
            return program
        }
        let current = FileManager.default.currentDirectoryPath
        let path = folder.hasPrefix("/") ? folder : "\(current)/\(folder)"
        run.start(program.number, command, environment: environment, folder: path)
        let number = program.number
        let isStarted = await run.state.wait { state -> Bool? in
            if state.pids[number] != nil { return true }
            return state.ends[number] != nil || state.outcome != nil ? false : nil
        }
        guard isStarted == true else {
            let state = run.state.now
            let reason =
                switch state.missing[number] {
                case .program: "it is not installed"
                case .file: "there is no such file"
                case .permission: "it is not a file that may be executed"
                case .folder: "\(path) is not a folder that can be entered"
                case nil where state.outcome == nil: "its arguments or variables were refused"
                case nil: "the server has ended: \(plain(state.outcome?.errors ?? ""))"
                }
            throw MullionError("\(command[0]) cannot be started: \(reason)")
        }
        return program
    }

    /// The programs that were launched, in order.
    public var programs: [Program] { launched.withLock { $0 } }

    /// A window of any program, once it is visible.
    /// - Parameter title: the exact title, or an expression as `/Save.*/`.
    /// - Throws: `MullionError` when there is none within `timeout`, or several.
    public func window(title: String) async throws -> Window {
        try await Window.find(title, of: nil, in: self)
    }

    /// The screen of this name, whether it is connected or not.
    public func screen(_ name: String) -> Screen { Screen(mullion: self, name: name) }

    /// The main screen.
    /// - Throws: `MullionError` when no screen is connected.
    public func mainScreen() async throws -> Screen {
        struct Screens: Decodable {
            struct Item: Decodable { var name: String }
            var screens: [Item]
        }
        guard let first = try await decode(Screens.self, ["screens"]).screens.first else {
            throw MullionError("there is no screen; plug one in with plug(\"1280x800\")")
        }
        return screen(first.name)
    }

    /// Plugs in a screen.
    /// - Parameters:
    ///   - model: a display model, or WIDTHxHEIGHT[@HERTZ] in pixels, as for `mullionctl plug`.
    ///   - name: nil: the server chooses one.
    ///   - properties: further keys of that, such as `["scale": "2"]`.
    /// - Returns: the screen, which is connected.
    /// - Throws: `MullionError` for an unknown model or property, or a name that is in use.
    public func plug(
        _ model: String, name: String? = nil, _ properties: [String: String] = [:]
    ) async throws -> Screen {
        struct Plugged: Decodable { var name: String }
        let words = (name.map { ["name=\($0)"] } ?? []) + properties.map { "\($0.key)=\($0.value)" }.sorted()
        return screen(try await decode(Plugged.self, ["plug", model] + words).name)
    }

    /// Waits until conditions hold, in the words of `mullionctl wait`: `waitFor("window", "title=Save", "visible", "idle")`.
    /// - Throws: `MullionError` with what there is instead when they do not hold within `timeout`.
    public func waitFor(_ condition: String...) async throws { try await wait(condition) }

    /// Runs any command of mullionctl, such as `command("rotate", "TV", "landscapeLeft")`.
    /// - Returns: what it prints.
    /// - Throws: `MullionError` with its message when it fails.
    @discardableResult
    public func command(_ words: String...) async throws -> String { try await perform(words) }

    /// The programs that were launched: whether they run, how they ended, and the last lines of their output.
    public var situation: String { programs.map(\.condition).joined(separator: "\n") }

    // MARK: For windows, widgets and screens

    /// As a word of mullionctl's.
    var patience: String { Self.patience(timeout) }

    static func patience(until deadline: ContinuousClock.Instant) -> String { patience(max(.zero, deadline - .now)) }

    private static func patience(_ time: Duration) -> String {
        let (seconds, attoseconds) = time.components
        return "timeout=\(seconds * 1000 + attoseconds / 1_000_000_000_000_000)ms"
    }

    func wait(_ condition: [String], while program: Program? = nil) async throws {
        try await perform(["wait"] + condition + [patience], while: program)
    }

    /// - Parameter program: the one whose failure makes it pointless.
    @discardableResult
    func perform(_ words: [String], while program: Program? = nil) async throws -> String {
        let outcome = try await run.command(words, while: program?.number)
        guard outcome.status == 0 else { throw error(outcome, program) }
        return outcome.output
    }

    /// Waits for what is waited for again if it does not come: that is no finding of the report.
    /// - Returns: what mullionctl prints; nil when the time is up.
    func attempt(_ words: [String], while program: Program? = nil) async throws -> String? {
        let outcome = try await run.command(words, while: program?.number, isNoted: false)
        switch outcome.status {
        case 0: return outcome.output
        case 124 where program?.hasFailed != true: return nil
        default: throw error(outcome, program)
        }
    }

    func decode<Value: Decodable>(_ type: Value.Type, _ words: [String], while program: Program? = nil) async throws
        -> Value
    {
        let text = try await perform(["--json"] + words, while: program)
        return try JSONDecoder().decode(type, from: Data(text.utf8))
    }

    /// What mullionctl says, and how programs are.
    func error(_ outcome: Subprocess.Outcome, _ program: Program? = nil) -> MullionError {
        if let program, program.hasFailed {
            return MullionError("the program failed, so waiting was stopped\n\(program.condition)")
        }
        let message = plain(outcome.errors.isEmpty ? outcome.output : outcome.errors)
        return MullionError(message + (programs.isEmpty ? "" : "\n" + situation))
    }

    /// - Throws: when a program has crashed, and the test did not wait for it to exit.
    func checkCrashes() throws {
        guard let program = programs.first(where: { $0.hasCrashed && !$0.isExpectedToCrash }) else { return }
        throw MullionError("a program crashed, and the test did not wait for it to exit\n\(program.condition)")
    }
}
