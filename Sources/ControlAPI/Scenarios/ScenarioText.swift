// Reads scenarios, with all their mistakes at once.

import DisplayServer
import JSON5
import WindowModel

/// A scenario's text: the steps that can be read, and the mistakes of the others.
struct ScenarioText {
    /// No more mistakes are looked for.
    static let maximumMistakes = 100

    private let document: JSON5Document
    private var name: String?
    private var steps: [(index: Int, step: Scenario.Step)] = []
    private var mistakes: [(place: JSON5Mistake, problem: Problem)] = []

    /// - Parameter body: JSON5, so that files can be sent unchanged.
    /// - Throws: a mistake of syntax, after which nothing can be read.
    init(_ body: [UInt8]) throws(Problem) {
        do throws(JSON5Mistake) {
            document = try JSON5Document(body)
        } catch {
            throw Problem(error)
        }
        var found: [JSON5Mistake] = []
        let head = document.decode(Head.self, mistakes: &found, limit: Self.maximumMistakes)
        name = head?.name
        let list: [JSON5Mistake.Key] = [.member("steps")]
        if let count = try? document.decode(Count.self, at: list), count.value <= Scenario.maximumSteps {
            let all = document.decodeElements(
                Scenario.Step.self, at: list, mistakes: &found, limit: Self.maximumMistakes)
            steps = all.enumerated().compactMap { index, step in step.map { (index, $0) } }
        }
        mistakes = found.map { ($0, Self.problem($0)) }
    }

    /// Finds the steps that cannot succeed in any state of the screens.
    mutating func check(on server: DisplayServer) {
        // A claimed window may be missing because its step has a mistake.
        var claims = Scenario.Claims(isComplete: mistakes.isEmpty)
        for (index, step) in steps where mistakes.count < Self.maximumMistakes {
            do {
                try step.check(on: server, &claims)
            } catch {
                let problem = Problem(error)
                let place = document.mistake(at: Self.way(to: index), problem.detail)
                let detail = "step \(index + 1) (\(step.title)): \(problem.cited)"
                mistakes.append((place, Problem(problem, at: place, detail)))
            }
        }
    }

    /// - Throws: all mistakes found, in the order of the text.
    func scenario() throws(Problem) -> Scenario {
        guard mistakes.isEmpty, let name else {
            let inOrder = mistakes.sorted { ($0.place.line, $0.place.column) < ($1.place.line, $1.place.column) }
            throw Problem(all: inOrder.map(\.problem))
        }
        return Scenario(name: name, steps: steps.map(\.step))
    }

    private static func way(to step: Int) -> [JSON5Mistake.Key] { [.member("steps"), .element(step)] }

    /// Steps are counted from 1.
    private static func problem(_ mistake: JSON5Mistake) -> Problem {
        guard mistake.keys.count >= 2, mistake.keys[0] == .member("steps"), case .element(let step) = mistake.keys[1]
        else { return Problem(mistake) }
        let problem = Problem(mistake)
        let way = mistake.isAboutKey ? mistake.keys.dropLast() : mistake.keys[...]
        let message = mistake.cause.map { Problem($0).cited } ?? mistake.message
        return Problem(problem, at: mistake, "step \(step + 1): " + JSON5Mistake.text(way.dropFirst(2), message))
    }

    /// Everything but the steps.
    private struct Head: Decodable {
        let name: String

        enum CodingKeys: String, CodingKey, CaseIterable {
            case name, summary, server, steps
            /// For editors, which find the schema of the file by it.
            case schema = "$schema"
        }

        init(from decoder: any Decoder) throws {
            try JSON5.refuseUnknownKeys(decoder, CodingKeys.self)
            let container = try decoder.container(keyedBy: CodingKeys.self)
            name = try container.decode(String.self, forKey: .name)
            _ = try container.decodeIfPresent(String.self, forKey: .summary)
            let count = try container.decode(Count.self, forKey: .steps).value
            guard count <= Scenario.maximumSteps else {
                throw JSON5.refusal(
                    CodingKeys.steps, "a scenario has at most \(Scenario.maximumSteps) steps", decoder.codingPath)
            }
        }
    }

    /// The number of a list's elements.
    private struct Count: Decodable {
        let value: Int

        init(from decoder: any Decoder) throws { value = try decoder.unkeyedContainer().count ?? 0 }
    }
}
