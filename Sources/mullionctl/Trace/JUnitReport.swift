// A run as a test case, for tools that read JUnit's XML.

/// The text of a file with one test case.
struct JUnitReport {
    let text: String

    /// - Parameter report: as in trace.json.
    init(_ report: JSON) {
        let name = report["command"].elements.map { $0.string ?? "" }.joined(separator: " ")
        let findings = report["findings"].elements
        let hasFailed = report["status"].number != 0
        let time = JSON.text(report["duration"].number ?? 0)
        var lines = ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<testsuites>"]
        lines.append(
            "  <testsuite name=\"mullionctl run\" tests=\"1\" failures=\"\(hasFailed ? 1 : 0)\" errors=\"0\" "
                + "skipped=\"0\" time=\"\(time)\">")
        lines.append("    <testcase classname=\"mullionctl.run\" name=\"\(Self.escape(name))\" time=\"\(time)\">")
        if hasFailed {
            let kind = findings.first?["kind"].text ?? "status"
            let texts = findings.map { $0["text"].string ?? "" }
            lines.append("      <failure type=\"\(kind)\" message=\"\(Self.escape(texts.first ?? "it failed"))\">")
            lines.append(Self.escape(texts.joined(separator: "\n")) + "</failure>")
        }
        for log in report["logs"].elements {
            let element = log["name"].text == "output" ? "system-out" : "system-err"
            guard element == "system-out" || log["name"].text == "the server" else { continue }
            lines.append("      <\(element)>\(Self.escape(log["text"].string ?? ""))</\(element)>")
        }
        lines += ["    </testcase>", "  </testsuite>", "</testsuites>", ""]
        text = lines.joined(separator: "\n")
    }

    /// The text without what XML cannot contain, and with references for what it reserves.
    private static func escape(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\n", "\t": result.unicodeScalars.append(scalar)
            case _ where scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value): result += "\u{fffd}"
            case "\u{fffe}", "\u{ffff}": result += "\u{fffd}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
