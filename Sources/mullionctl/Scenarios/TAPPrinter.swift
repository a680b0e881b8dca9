// Results in the Test Anything Protocol, version 14.

import JSON5
import MullionSystem
import MullionWayland

/// A test point for each scenario, with a block of YAML about its failure.
final class TAPPrinter: ScenarioPrinter {
    private let output: ScenarioOutput

    init(_ output: ScenarioOutput) { self.output = output }

    func begin(_ count: Int) { output.out("TAP version 14\n1..\(count)\n") }
    func show(_ progress: ScenarioProgress) {}
    func report(_ report: JSON, of path: String) {}

    func result(_ result: ScenarioResult, number: Int, isCheck: Bool) {
        // After "Bail out!" there are no more points.
        guard result.outcome != .notRun else { return }
        let word = result.outcome == .asExpected ? "ok" : "not ok"
        var lines = ["\(word) \(number) - \(Self.escape(result.path))", "  ---"]
        // JSON is YAML.
        func add(_ key: String, _ value: JSON) { lines.append("  \(key): \(value.encoded)") }
        add("duration_ms", .number((result.seconds * 1e6).rounded() / 1e3))
        if result.outcome != .asExpected {
            add("message", .string(result.reasons.joined(separator: "\n")))
            add("severity", .string(result.outcome == .failed ? "fail" : result.outcome.rawValue))
            for key in ["place", "expected", "seen"] where result.failure[key] != .null {
                add(key, .string(result.failure[key].text))
            }
            if !result.log.isEmpty { add("log", .string(result.log)) }
        }
        lines.append("  ...")
        output.out(lines.map { $0 + "\n" }.joined())
    }

    func end(_ summary: ScenarioSummary, interruption: Int32?) {
        guard let interruption else { return }
        output.out("Bail out! interrupted by \(SignalName.text(interruption))\n")
    }

    /// What has a meaning in a description; a line break would begin another test point.
    private static func escape(_ text: String) -> String {
        text.replacingAll("\\", with: "\\\\").replacingAll("#", with: "\\#").printable()
    }
}
