// How a scenario has ended.

import JSON5
import MullionControl

/// The result of one scenario of several.
struct ScenarioResult {
    enum Outcome: String, CaseIterable {
        case asExpected, failed, broken, interrupted, notRun

        /// After a number of scenarios.
        func text(isCheck: Bool) -> String {
            switch self {
            case .asExpected: isCheck ? "without mistakes" : "as expected"
            case .failed: isCheck ? "not checked" : "failed"
            case .broken, .interrupted: rawValue
            case .notRun: "not run"
            }
        }
    }

    let path: String
    let outcome: Outcome
    var seconds = 0.0
    /// Why it is not as expected, in lines.
    var reasons: [String] = []
    /// What it and its programs have written besides.
    var log = ""
    /// The expectation that was not met: its place, the expected and the seen value; else null.
    var failure = JSON.null

    /// The outcome of a process that has ended.
    init(
        _ path: String, _ ending: Process.Ending, seconds: Double, errors: String, failure: JSON, isInterrupted: Bool
    ) {
        self.path = path
        self.seconds = seconds
        self.failure = failure
        outcome =
            switch ending {
            case .exited(0): .asExpected
            case .exited(CommandError.invalidFile("").status): .broken
            case .exited(CommandError.refused("").status): .failed
            default: isInterrupted ? .interrupted : .failed
            }
        var others: [Substring] = []
        for line in errors.split(separator: "\n", omittingEmptySubsequences: false) {
            guard line.hasPrefix("mullionctl: ") else {
                others.append(line)
                continue
            }
            let reason = String(line.dropFirst("mullionctl: ".count))
            reasons.append(reason.hasPrefix(path) ? reason : "\(path): \(reason)")
        }
        log = String(others.joined(separator: "\n").reversed().drop { $0 == "\n" }.reversed())
        if reasons.isEmpty {
            switch outcome {
            case .asExpected: break
            case .interrupted: reasons = ["\(path): interrupted"]
            default:
                switch ending {
                case .exited(let status): reasons = ["\(path): it ended with exit status \(status)"]
                case .killed(let signal): reasons = ["\(path): it was ended by \(SignalName.text(signal))"]
                }
            }
        }
    }

    /// One that was not started.
    init(notRun path: String) {
        (self.path, outcome, reasons) = (path, .notRun, ["\(path): not run"])
    }
}

/// The results of several scenarios together.
struct ScenarioSummary {
    let results: [ScenarioResult]
    let isCheck: Bool

    /// "12 scenarios, 11 as expected, 1 failed: a.json5".
    var text: String {
        let parts = ScenarioResult.Outcome.allCases.compactMap { outcome -> String? in
            let those = results.filter { $0.outcome == outcome }
            guard !those.isEmpty || outcome == .asExpected else { return nil }
            let names =
                outcome == .asExpected || outcome == .notRun ? "" : ": " + those.map(\.path).joined(separator: ", ")
            return "\(those.count) \(outcome.text(isCheck: isCheck))\(names)"
        }
        return "\(results.count) scenario\(results.count == 1 ? "" : "s"), " + parts.joined(separator: ", ")
    }

    /// The exit status: mistakes in files weigh more than expectations.
    var status: Int32 {
        let outcomes = Set(results.map(\.outcome))
        if outcomes.contains(.broken) { return CommandError.invalidFile("").status }
        return outcomes.isSubset(of: [.asExpected]) ? 0 : CommandError.refused("").status
    }
}
