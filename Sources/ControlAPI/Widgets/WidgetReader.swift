// Widgets, which another process reads: programs describe them over D-Bus, and may do so as they like.

import DisplayServer
import EventLoop
import Glibc
import System

/// How the server reads widgets: with `mullionctl widgets`.
public struct WidgetHelper {
    /// Its path, or its name in PATH.
    public var program: String
    /// The path of the control socket, from which it learns where windows are.
    public var control: String
    /// Environment variables added to, or replaced in, the server's environment.
    public var variables: [String: String]
    /// The longest time, in microseconds: the program itself gives up after 30 s.
    public var time: UInt64 = 35_000_000
    /// The most bytes that it may write.
    public var output = 16 << 20
    /// The most bytes of its address space: programs decide how much it reads.
    public var memory: UInt64 = 512 << 20

    /// - Parameters:
    ///   - program: its path, or its name in PATH.
    ///   - control: the path of the control socket.
    ///   - variables: environment variables added to, or replaced in, the server's environment.
    public init(program: String, control: String, variables: [String: String] = [:]) {
        (self.program, self.control, self.variables) = (program, control, variables)
    }

    /// Whether there is a bus to read from, as far as the environment says.
    fileprivate var hasBus: Bool {
        func value(_ name: String) -> String? {
            if let own = variables[name] { return own }
            return unsafe getenv(name).map { unsafe String(cString: $0) }
        }
        if value("AT_SPI_BUS_ADDRESS") != nil { return true }
        if let session = value("DBUS_SESSION_BUS_ADDRESS") { return session != "disabled:" }
        return value("XDG_RUNTIME_DIR").map { unsafe access($0 + "/bus", F_OK) == 0 } ?? false
    }
}

/// The helpers that run.
final class WidgetReader {
    private let loop: EventLoop
    /// The helpers at once.
    private let limit: SharedLimit
    private var running: [ObjectIdentifier: (process: HelperProcess, user: UInt32?)] = [:]
    private var isEnding = false

    init(_ loop: EventLoop, _ limit: SharedLimit) { (self.loop, self.limit) = (loop, limit) }

    /// Starts reading.
    /// - Parameters:
    ///   - words: what `mullionctl widgets` takes.
    ///   - user: whose request it is; nil for a holder of the token.
    ///   - answer: called once, with JSON or a refusal, unless the reading is cancelled.
    /// - Returns: cancels the reading.
    /// - Throws: 409 when the server cannot read widgets, 503 when too many readings are under way.
    func read(
        _ words: [String], _ helper: WidgetHelper?, user: UInt32?,
        answer: @escaping (Result<[UInt8], Problem>) -> Void
    ) throws(Problem) -> () -> Void {
        guard let helper else {
            throw Problem(409, "this server does not read widgets: it has no path to its own socket")
        }
        guard helper.hasBus else {
            throw Problem(
                409,
                "the server's environment names no D-Bus session, on which programs describe their widgets; start it in "
                    + "one, or use mullionctl run --accessibility")
        }
        let own = running.values.count { $0.user == user }
        try limit.check("requests for widgets at once", for: user, own: own, all: running.count, "end one")
        let arguments = ["mullionctl", "--control", helper.control, "--json", "widgets"] + words
        let variables = helper.variables.merging(["MULLION_PARENT": "\(getpid())"]) { $1 }
        var key: ObjectIdentifier?
        let process: HelperProcess
        do {
            process = try HelperProcess(
                loop, helper.program, arguments, variables: variables,
                limits: .init(time: helper.time, output: helper.output, memory: helper.memory)
            ) { [weak self] outcome in
                if let key { self?.running[key] = nil }
                if let result = Self.result(outcome, helper) {
                    answer(result)
                } else if self?.isEnding == true {
                    answer(.failure(Problem(503, "the server is shutting down")))
                }
            }
        } catch {
            throw Self.refusal(error, helper)
        }
        key = ObjectIdentifier(process)
        running[ObjectIdentifier(process)] = (process, user)
        return { [weak process] in process?.cancel() }
    }

    /// Ends all helpers.
    func end() {
        isEnding = true
        for helper in running.values { helper.process.cancel() }
    }

    /// Nil after cancellation.
    private static func result(_ outcome: HelperProcess.Outcome, _ helper: WidgetHelper) -> Result<[UInt8], Problem>? {
        switch outcome {
        case .cancelled: nil
        case .notStarted(let error): .failure(refusal(error, helper))
        case .tookTooLong:
            .failure(Problem(503, "reading the widgets takes longer than \(DurationText.text(helper.time))"))
        case .wroteTooMuch:
            .failure(Problem(503, "the widgets are more than \(helper.output) bytes; request those of one window"))
        case .ended(.exited(0), let output, _) where isComplete(output): .success(output)
        case .ended(.unknown, let output, _) where isComplete(output): .success(output)
        case .ended(.signalled(let number), _, _): .failure(refusal("it was ended by signal \(number)"))
        case .ended(let ending, _, let error):
            .failure(refusal(ending, String(decoding: error, as: UTF8.self)))
        }
    }

    private static func refusal(_ error: any Error, _ helper: WidgetHelper) -> Problem {
        guard (error as? SystemError)?.code == ENOENT else {
            return Problem(503, "\(helper.program), which reads widgets, cannot be started: \(error)")
        }
        return Problem(409, "\(helper.program), which reads widgets, is not installed")
    }

    /// Whether it is a whole document: a program that was killed may have written a part of one.
    private static func isComplete(_ output: [UInt8]) -> Bool { output.suffix(2) == Array("}\n".utf8)[...] }

    /// Why mullionctl has failed: it says so in its first line.
    private static func refusal(_ ending: HelperProcess.Ending, _ text: String) -> Problem {
        var line: Substring
        switch ending {
        case .exited(let status) where status != 0: line = "it ended with status \(status)"
        default: line = "its answer is not complete"
        }
        line = text.split(separator: "\n").first ?? line
        let prefix = ["mullionctl: widgets: ", "mullionctl: "].first { line.hasPrefix($0) } ?? ""
        let reason = String(line.dropFirst(prefix.count))
        // The query is not valid.
        return ending == .exited(2) ? Problem(400, reason) : refusal(reason)
    }

    private static func refusal(_ reason: String) -> Problem {
        Problem(503, "the widgets cannot be read: \(reason)")
    }
}
