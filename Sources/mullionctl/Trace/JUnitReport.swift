// Test cases and how they ended, for tools that read JUnit's XML.

import ControlProtocol
import JSON5
import MullionControl

/// The text of a file with one suite.
struct JUnitReport {
    let text: String

    /// A test case.
    private struct Case {
        enum Outcome: String {
            case passed, failure, error, skipped
        }

        var className: String
        var name: String
        var file: String?
        var seconds: Double
        var outcome = Outcome.passed
        /// What kind of failure or error it is.
        var kind = ""
        var reasons: [String] = []
        /// Elements with what was written.
        var logs: [(element: String, text: String)] = []
    }

    private static let run = (suite: "mullionctl run", className: "mullionctl.run")

    /// A run that has not ended yet.
    init(notRun command: [String]) {
        let name = command.joined(separator: " ")
        let one = Case(
            className: Self.run.className, name: name, seconds: 0, outcome: .error, reasons: ["not run to its end"])
        self.init(name: Self.run.suite, [one])
    }

    init(_ report: API.Trace) {
        let findings = report.findings
        var one = Case(
            className: Self.run.className, name: report.command.joined(separator: " "), seconds: report.duration)
        if report.status != 0 {
            // Without a server, nothing was tested.
            one.outcome = findings.first?.kind == .server ? .error : .failure
            one.kind = findings.first?.kind.rawValue ?? "status"
            one.reasons = findings.map(\.text)
        }
        for log in report.logs where ["output", "the server"].contains(log.name) {
            one.logs.append((log.name == "output" ? "system-out" : "system-err", log.text))
        }
        self.init(name: Self.run.suite, [one])
    }

    init(_ summary: ScenarioSummary) {
        self.init(
            name: "mullionctl scenario" + (summary.isCheck ? " --check" : ""),
            summary.results.map { result in
                var one = Case(
                    className: "mullionctl.scenario", name: result.path, file: result.path, seconds: result.seconds,
                    kind: result.outcome.rawValue, reasons: result.reasons)
                one.outcome =
                    switch result.outcome {
                    case .asExpected: .passed
                    case .failed: .failure
                    case .broken, .interrupted: .error
                    case .notRun: .skipped
                    }
                if !result.log.isEmpty { one.logs.append(("system-err", result.log)) }
                return one
            })
    }

    private init(name: String, _ cases: [Case]) {
        func count(_ outcome: Case.Outcome) -> Int { cases.count { $0.outcome == outcome } }
        let time = JSON.text(cases.map(\.seconds).reduce(0, +))
        var lines = ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<testsuites>"]
        lines.append(
            "  <testsuite name=\"\(name)\" tests=\"\(cases.count)\" failures=\"\(count(.failure))\" "
                + "errors=\"\(count(.error))\" skipped=\"\(count(.skipped))\" time=\"\(time)\">")
        for one in cases { lines += Self.lines(one) }
        lines += ["  </testsuite>", "</testsuites>", ""]
        text = lines.joined(separator: "\n")
    }

    private static func lines(_ one: Case) -> [String] {
        let file = one.file.map { " file=\"\(Markup.escape($0))\"" } ?? ""
        var lines = [
            "    <testcase classname=\"\(one.className)\" name=\"\(Markup.escape(one.name))\"\(file) "
                + "time=\"\(JSON.text(one.seconds))\">"
        ]
        let message = Markup.escape(one.reasons.first ?? "it failed")
        switch one.outcome {
        case .passed: break
        case .skipped: lines.append("      <skipped message=\"\(message)\"/>")
        case .failure, .error:
            lines.append("      <\(one.outcome.rawValue) type=\"\(one.kind)\" message=\"\(message)\">")
            lines.append(Markup.escape(one.reasons.joined(separator: "\n")) + "</\(one.outcome.rawValue)>")
        }
        lines += one.logs.map { "      <\($0.element)>\(Markup.escape($0.text))</\($0.element)>" }
        return lines + ["    </testcase>"]
    }
}
