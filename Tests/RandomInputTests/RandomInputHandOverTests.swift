// Random input while the server restarts at random moments.

import Glibc
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct RandomInputHandOverTests {
    private static func number(_ name: String) -> UInt64? { getenv(name).flatMap { UInt64(String(cString: $0)) } }

    /// The number of runs that share a fixture; each begins in the state that the one before it left.
    private static let runsPerFixture: UInt64 = 25

    /// Makes MULLION_RUNS runs; run n has the seed MULLION_SEED + n.
    @Test(
        "E1–E9, H1, H2, K7: clients receive what the rules demand, even if the server restarts between two events",
        arguments: 1...2)
    func randomInput(seats: Int) throws {
        let first = Self.number("MULLION_SEED") ?? 1_000_000
        let runs = Self.number("MULLION_RUNS") ?? 250
        for start in stride(from: 0, to: runs, by: Int(Self.runsPerFixture)) {
            let fixture = try ServerFixture.handingOver(screens: RandomInputFixture.screens)
            let setup = try RandomInputFixture(seats: seats, on: fixture)
            for number in start..<min(runs, start + Self.runsPerFixture) {
                let run = RandomInputRun(seed: first &+ number, on: setup, keepsLog: true)
                run.restarts = true
                do {
                    try run.run()
                } catch {
                    let seeds = "\(seats) seats, MULLION_SEED=\(first &+ start) MULLION_RUNS=\(number - start + 1)"
                    Issue.record("\(seeds): \(error)\(run.log.map { "\n  " + $0 }.joined())")
                    return
                }
            }
        }
    }
}

extension RandomInputRun {
    /// Whether nothing is held down; a restart would release it.
    fileprivate var isAtRest: Bool {
        held.allSatisfy(\.isEmpty)
            && setup.references.allSatisfy {
                $0.fingers.isEmpty && $0.buttons.isEmpty && $0.scroll == nil && $0.gesture == nil
            }
    }

    /// Hands over to another server: no event is sent, and the model and the pictures stay the same.
    func restart() throws {
        guard isAtRest else { return }
        try setup.compare()
        say("restart")
        let (model, pictures) = (model.snapshot(), try setup.fixture.pictures())
        let effects = server.onEffect
        try setup.fixture.handOver()
        server.onEffect = effects
        for reference in setup.references { reference.model = self.model }
        guard self.model.snapshot() == model else { throw InputDifference("the model differs after a restart") }
        guard try setup.fixture.pictures() == pictures else {
            throw InputDifference("a screen differs after a restart")
        }
        try setup.compare()
    }
}
