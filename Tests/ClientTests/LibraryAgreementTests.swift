// What the library believes is what the server says, at every moment.

import TestSupport
import Testing

@Suite struct LibraryAgreementTests {
    @Test("W3, W4, V1, K1, S2: after each random change, by programs or others, their libraries agree with the server")
    func random() throws {
        let random = SeededRandom()
        let run = try AgreementRun(random)
        for step in 1...150 {
            let found = try run.step()
            try #require(
                found.isEmpty,
                "MULLION_SEED=\(random.seed), step \(step), \(run.lastStep):\n\(found.joined(separator: "\n"))")
        }
    }
}
