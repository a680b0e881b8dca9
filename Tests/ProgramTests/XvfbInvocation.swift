// How public projects run xvfb-run: Tests/Programs/xvfb_invocations.txt.

import FoundationEssentials
import TestSupport
import Testing

/// A command line, and what the program in it sees and is called with.
struct XvfbInvocation: CustomTestStringConvertible {
    /// The variables that the lines need.
    static let environment = [
        "DISPLAY_NUM": "99", "SCREEN_RESOLUTION": "1920x1080x24", "HOST": "host", "JUNIT_XML": "report.xml",
        "DEFAULT_PARAMS": "-v", "example_name": "breakout", "example": ".github/example-run/breakout.ron",
    ]
    private static let refusal = "refused: "

    /// The repository and the file.
    let testDescription: String
    let line: String
    private let expected: String

    static func all() throws -> [XvfbInvocation] {
        let text = try String(contentsOfFile: XvfbRun.programs + "/xvfb_invocations.txt", encoding: .utf8)
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init)
        guard lines.count % 3 == 0 else { throw FixtureError("\(lines.count) lines, not three for each invocation") }
        return stride(from: 0, to: lines.count, by: 3).map {
            XvfbInvocation(testDescription: lines[$0], line: lines[$0 + 1], expected: lines[$0 + 2])
        }
    }

    /// The argument that is refused.
    var refused: String? { expected.hasPrefix(Self.refusal) ? String(expected.dropFirst(Self.refusal.count)) : nil }

    /// The program, by its name or its path in the working folder.
    var program: String? { refused == nil ? String(expected.split(separator: " ")[2]) : nil }

    /// Whether this is what the program has seen and was called with.
    func matches(_ seen: String) -> Bool {
        var words = seen.dropLast().split(separator: " ", omittingEmptySubsequences: false)
        let wanted = expected.split(separator: " ")
        guard words.count == wanted.count, seen.last == "\n", words[1].hasPrefix(":") else { return false }
        if wanted[1] == "-" { words[1] = "-" }
        return words == wanted
    }
}
