// Why a step failed that mullionctl performs itself.

import JSON5

/// What was not as expected, as in the server's report of its own steps.
struct ScenarioFailure: Error {
    var place: String
    var expected: String
    var seen: String

    /// The body of `POST /v1/scenarios/continue`.
    var body: JSON { .object(["failure": json]) }

    var json: JSON {
        .object(["place": .string(place), "expected": .string(expected), "seen": .string(seen)])
    }
}
