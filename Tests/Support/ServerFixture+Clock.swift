// Settling and stepping in a test's own process.

import DisplayServer

extension ServerFixture {
    /// Waits until every client has settled, for at most this many seconds; returns what is still pending then.
    public func settle(seconds: Double = 60) throws -> [String] {
        var reasons: [String]?
        server.settler.settle(within: UInt64(seconds * 1e6)) { outcome in
            switch outcome {
            case .settled: reasons = []
            case .unsettled(let open): reasons = open.map(\.description)
            }
        }
        try wait(for: "clients to settle", seconds: seconds + 20) { reasons != nil }
        return reasons ?? []
    }

    /// Steps manual time by this many microseconds.
    /// - Returns: how many timers came due.
    @discardableResult
    public func step(_ microseconds: UInt64) throws -> Int {
        let (outcome, ticks) = try step(.step(microseconds))
        guard case .done = outcome else { throw FixtureError("the step ended with \(outcome)") }
        return ticks
    }

    /// Steps manual time.
    public func step(_ goal: ClockStepper.Goal) throws -> (outcome: ClockStepper.Outcome, ticks: Int) {
        var result: (ClockStepper.Outcome, Int)?
        try server.stepper.begin(goal) { result = ($0, $1) }
        try wait(for: "the step", seconds: 60) { result != nil }
        return result ?? (.done, 0)
    }
}
