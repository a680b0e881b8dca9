// A server's report of a scenario.

import FoundationEssentials

/// All reported events, in order.
public struct ScenarioReport {
    /// The HTTP status.
    public var status: Int
    /// Why it was refused before its first step.
    public var refusal: String?
    /// The titles of the steps that were done.
    public var steps: [String] = []
    public var failure: FailedStep?
    public var pictures: [(name: String, png: [UInt8])] = []
    public var isDone = false

    /// The step that failed.
    public struct FailedStep: Decodable, Equatable, Sendable {
        /// Counted from 0.
        public var index: Int
        public var title: String
        public var place: String
        public var expected: String
        public var seen: String
    }

    private struct Step: Decodable { var title: String }
    private struct Picture: Decodable { var name: String, png: Data }
    private struct Problem: Decodable { var detail: String }

    init(status: Int, body: String) throws {
        self.status = status
        let decoder = JSONDecoder()
        guard status == 200 else {
            refusal = try decoder.decode(Problem.self, from: Data(body.utf8)).detail
            return
        }
        var event = ""
        for line in body.split(whereSeparator: \.isNewline) {
            if line.hasPrefix("event: ") { event = String(line.dropFirst(7)) }
            guard line.hasPrefix("data: ") else { continue }
            let data = Data(line.dropFirst(6).utf8)
            switch event {
            case "step": steps.append(try decoder.decode(Step.self, from: data).title)
            case "picture":
                let picture = try decoder.decode(Picture.self, from: data)
                pictures.append((picture.name, Array(picture.png)))
            case "failed": failure = try decoder.decode(FailedStep.self, from: data)
            default: isDone = event == "done"
            }
        }
    }
}

extension TestControl {
    /// A scenario's text with these steps, written in JSON5 without the brackets.
    public static func scenario(_ steps: String) -> String { "{ name: 'test', steps: [\(steps)] }" }

    /// Runs a scenario to its end.
    public func run(_ steps: String) throws -> ScenarioReport {
        let answer = try send("POST", "/v1/scenarios", Self.scenario(steps))
        return try ScenarioReport(status: answer.status, body: answer.body)
    }
}
