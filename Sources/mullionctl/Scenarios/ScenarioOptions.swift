// The options of mullionctl scenario.

import MullionControl
import MullionSystem

/// Which scenarios are run or checked, and how.
struct ScenarioOptions {
    /// The most scenarios that run at a time.
    private static let mostJobs = 64

    /// Files, folders, and "-" for standard input.
    let words: [String]
    /// The folder for pictures; nil: one beside the caller for each scenario.
    let output: String?
    /// The folder for the report; nil: none.
    let artifacts: String?
    /// Whether the report is only saved when the scenario fails.
    let isOnFailure: Bool
    /// Whether the running server is used even if the file describes another one.
    let isHere: Bool
    let updates: Bool
    let variants: GoldenVariants
    /// Variables of the scenario: NAME=VALUE.
    let settings: [String]
    /// Whether only mistakes are looked for.
    let isCheck: Bool
    /// How many scenarios run at a time.
    let jobs: Int
    /// A file for the results in JUnit's format; nil: none.
    let junit: String?
    /// Whether the results are printed in the Test Anything Protocol.
    let isTAP: Bool
    let isSchema: Bool

    /// Consumes all arguments.
    init(_ call: Invocation) throws(CommandError) {
        let outputs = call.option("--output", "-o")
        artifacts = try call.single("--artifacts")
        isOnFailure = call.flag("--on-failure")
        isHere = call.flag("--here")
        updates = call.flag("--update")
        variants = try GoldenVariants(call)
        settings = call.option("--set")
        isCheck = call.flag("--check")
        let jobs = try call.single("--jobs")
        junit = try call.single("--junit")
        isTAP = call.flag("--tap")
        isSchema = call.flag("--schema")
        words = call.words()
        try call.end()
        guard outputs.count <= 1 else { throw .usage("--output is given twice") }
        output = outputs.first
        for word in settings where Values.pair(word).value == nil || word.hasPrefix("=") {
            throw .usage("--set: \"\(word)\" is not a variable with its value; use NAME=VALUE")
        }
        guard let number = DecimalText.whole(jobs ?? "1"), (1...Self.mostJobs).contains(number) else {
            throw .usage("--jobs: \"\(jobs ?? "")\" is not a number of scenarios; use 1 to \(Self.mostJobs)")
        }
        self.jobs = number
        guard !isTAP || !call.json else { throw .usage("--tap and --json are different outputs; use one of them") }
        guard !isCheck || artifacts == nil else { throw .usage("--check runs nothing; use it without --artifacts") }
        guard artifacts != nil || !isOnFailure else { throw .usage("--on-failure needs --artifacts DIR") }
        guard !isCheck || !updates else { throw .usage("--check runs nothing; use it without --update") }
        guard words.isEmpty == isSchema else {
            throw .usage(
                isSchema
                    ? "--schema is about all scenarios; use it without \"\(words[0])\""
                    : "FILE is missing; use a scenario, a folder of scenarios, or - for standard input")
        }
        guard words.count(where: { StandardInput.names.contains($0) }) <= 1 else {
            throw .usage("standard input is given twice; use - once")
        }
    }

    /// Refuses a report on a server that serves others too.
    func refuseArtifacts(of path: String) throws(CommandError) {
        guard artifacts != nil else { return }
        throw .usage("--artifacts: \(path) runs on the running server; only a private server has a report")
    }

    /// As command-line words for another process that does the same with one scenario.
    var wordsForOne: [String] { words(settings) }

    /// - Parameter settings: the variables that the scenario has.
    func words(_ settings: [String]) -> [String] {
        let flags = [("--here", isHere), ("--update", updates), ("--check", isCheck)].filter(\.1).map(\.0)
        return flags + variants.words + settings.flatMap { ["--set", $0] }
    }
}
