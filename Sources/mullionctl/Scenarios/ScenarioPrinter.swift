// What mullionctl prints about several scenarios.

import Glibc
import JSON5
import MullionWayland

/// Prints how scenarios go and end.
protocol ScenarioPrinter: AnyObject {
    func begin(_ count: Int)
    /// Called whenever progress changes.
    func show(_ progress: ScenarioProgress)
    /// A report of a running scenario, as the server sent it.
    func report(_ report: JSON, of path: String)
    /// The result of a scenario, in order.
    /// - Parameter number: counted from 1.
    func result(_ result: ScenarioResult, number: Int, isCheck: Bool)
    /// - Parameter interruption: the signal that ended it early.
    func end(_ summary: ScenarioSummary, interruption: Int32?)
}

/// How far scenarios are.
struct ScenarioProgress {
    let count: Int
    let done: Int
    let failed: Int
    /// The names of those that run, and their steps.
    let running: [(name: String, done: Int, steps: Int)]

    /// "3 of 12, 1 failed; levels 2/9".
    var text: String {
        let names = running.map { $0.steps == 0 ? $0.name : "\($0.name) \($0.done)/\($0.steps)" }
        return "\(done) of \(count)" + (failed == 0 ? "" : ", \(failed) failed")
            + (names.isEmpty ? "" : "; " + names.joined(separator: ", "))
    }
}

/// A line for each scenario, and on a terminal one that changes while they run.
final class ScenarioTextPrinter: ScenarioPrinter {
    /// Clears the line.
    private static let clear = "\r\u{1b}[K"
    /// How many lines of a log are shown.
    private static let mostLines = 20

    private let isLive = isatty(1) == 1 && Terminal.variable("TERM") != "dumb"
    private let output: ScenarioOutput
    private var shown = ""

    init(_ output: ScenarioOutput) { self.output = output }

    func begin(_ count: Int) {}

    func show(_ progress: ScenarioProgress) { show(progress.text) }

    func report(_ report: JSON, of path: String) {}

    func result(_ result: ScenarioResult, number: Int, isCheck: Bool) {
        var lines = result.reasons
        switch result.outcome {
        case .asExpected: lines = ["\(result.path): \(isCheck ? "no mistakes" : "as expected")"]
        case .interrupted, .notRun: break
        case .failed, .broken:
            lines += result.log.split(separator: "\n").suffix(Self.mostLines).map { "  \($0)" }
        }
        show("")
        output.out(lines.map { $0.printable() + "\n" }.joined())
    }

    func end(_ summary: ScenarioSummary, interruption: Int32?) {
        show("")
        let why = interruption.map { "interrupted by \(SignalName.text($0)): " } ?? ""
        output.out((why + summary.text).printable() + "\n")
    }

    private func show(_ text: String) {
        guard isLive else { return }
        let text = String(text.printable().prefix(Terminal.width - 1))
        guard text != shown else { return }
        shown = text
        output.out(Array((Self.clear + text).utf8))
    }
}

/// The reports of all scenarios as JSON lines with their file, and their results.
final class ScenarioJSONPrinter: ScenarioPrinter {
    private let output: ScenarioOutput

    init(_ output: ScenarioOutput) { self.output = output }

    func begin(_ count: Int) {}
    func show(_ progress: ScenarioProgress) {}

    func report(_ report: JSON, of path: String) { out(report.with("file", .string(path))) }

    func result(_ result: ScenarioResult, number: Int, isCheck: Bool) {
        var fields: [String: JSON] = [
            "file": .string(result.path), "result": .string(result.outcome.rawValue),
            "duration": .number(result.seconds.toMicroseconds),
        ]
        if !result.reasons.isEmpty { fields["reasons"] = .array(result.reasons.map { .string($0) }) }
        if !result.log.isEmpty { fields["log"] = .string(result.log) }
        out(.object(fields))
    }

    func end(_ summary: ScenarioSummary, interruption: Int32?) {
        var fields: [String: JSON] = ["scenarios": .number(Double(summary.results.count))]
        for outcome in ScenarioResult.Outcome.allCases {
            fields[outcome.rawValue] = .number(Double(summary.results.count { $0.outcome == outcome }))
        }
        out(.object(fields))
    }

    private func out(_ value: JSON) { output.out(value.encoded + "\n") }
}
