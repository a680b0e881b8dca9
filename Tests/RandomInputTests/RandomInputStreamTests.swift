// Random input over sockets: what every client reads is well-formed, and follows the rules.

import Glibc
import TestSupport
import Testing

@Suite struct RandomInputStreamTests {
    private static func number(_ name: String) -> UInt64? { getenv(name).flatMap { UInt64(String(cString: $0)) } }

    /// How many runs share a server; each begins with the state that the last one left.
    private static let runsPerServer: UInt64 = 50

    /// MULLION_RUNS runs (5,000) with one seat, and as many with two, from MULLION_SEED on (1): run n has the seed + n.
    @Test("E1–E9, H1, H2, K1, K7: clients read what the rules require, over random runs", arguments: [1, 2])
    func randomInput(seats: Int) throws {
        let first = Self.number("MULLION_SEED") ?? 1
        var failures = 0
        let runs = Self.number("MULLION_RUNS") ?? 5_000
        for start in stride(from: 0, to: runs, by: Int(Self.runsPerServer)) {
            let setup = try RandomInputFixture(seats: seats)
            for n in start..<min(runs, start + Self.runsPerServer) {
                let seed = first &+ n
                guard let difference = Self.difference(seed: seed, on: setup) else { continue }
                let alone = Self.difference(seed: seed, on: try RandomInputFixture(seats: seats), keepsLog: true)
                let hint = "it needs the runs before it: MULLION_SEED=\(first &+ start) MULLION_RUNS=\(n - start + 1)"
                Issue.record("MULLION_SEED=\(seed) MULLION_RUNS=1: \(difference)\n\(alone ?? hint)")
                failures += 1
                break
            }
            if failures == 3 { return }
        }
    }

    /// Performs a run, and describes the first difference, if any.
    private static func difference(seed: UInt64, on setup: RandomInputFixture, keepsLog: Bool = false) -> String? {
        let run = RandomInputRun(seed: seed, on: setup, keepsLog: keepsLog)
        do {
            try run.run()
            return nil
        } catch {
            return "\(error)" + run.log.map { "\n  " + $0 }.joined()
        }
    }
}
