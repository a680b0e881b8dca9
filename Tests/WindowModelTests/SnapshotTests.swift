// Restores a model from a snapshot: both behave identically from then on.

import FoundationEssentials
import MullionGeometry
import Testing
import WindowModel

@Suite struct SnapshotTests {
    /// Restores a snapshot of this model, through bytes.
    private func restored(_ model: WindowModel) throws -> WindowModel {
        let bytes = try JSONEncoder().encode(model.snapshot())
        let snapshot = try JSONDecoder().decode(WindowModel.Snapshot.self, from: bytes)
        return try WindowModel(restoring: snapshot, policy: model.policy)
    }

    @Test("Model: a restored snapshot equals the original, and continues as it would have", arguments: 0..<4)
    func randomOperations(part: UInt64) throws {
        for seed in stride(from: part, to: 400, by: 4) {
            let run = RandomRun(seed: 77_000 + seed, keepsLog: true)
            do {
                try run.begin()
                for step in 1...110 {
                    try run.step()
                    guard step % 15 == 0 || step == 60 else { continue }
                    try run.compare()
                    guard step == 60 else { continue }
                    let before = run.model.snapshot()
                    run.model = try restored(run.model)
                    #expect(run.model.snapshot() == before)
                    #expect(!run.model.hasEffects)
                    try run.compare()
                }
            } catch {
                Issue.record("seed \(seed): \(error)\n\(run.log)")
                return
            }
        }
    }

    /// The names of a coded structure's fields.
    private struct FieldNames: Decodable {
        private struct Name: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }
        let names: Set<String>

        init(from decoder: any Decoder) throws {
            names = Set(try decoder.container(keyedBy: Name.self).allKeys.map(\.stringValue))
        }
    }

    @Test("Model: windows are coded under the names that other servers of this format read")
    func fieldNames() throws {
        struct Transformed: Decodable { var transform: AffineTransform }
        let fixture = try ModelFixture()
        let id = try fixture.model.createWindow(application: fixture.app)
        let rotation = AffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 0, ty: 0)
        for transform in [AffineTransform.identity, rotation] {
            try fixture.model.setTransform(transform, of: id)
            let window = try #require(fixture.model.window(id))
            let bytes = try JSONEncoder().encode(window)
            #expect(
                try JSONDecoder().decode(FieldNames.self, from: bytes).names == [
                    "id", "application", "screen", "frame", "level", "isHidden", "isVisible", "isKey",
                    "isUserInteractionEnabled", "fillsScreen", "clipsToBounds", "canBecomeKey", "needsContent",
                    "keyOnTouch", "alpha", "interactionDisablers", "transform", "autoresizing", "title",
                ])
            #expect(try JSONDecoder().decode(Transformed.self, from: bytes).transform == transform)
            #expect(try JSONDecoder().decode(Window.self, from: bytes) == window)
        }
    }

    @Test("Model: an inconsistent snapshot is refused, whatever is wrong with it")
    func broken() throws {
        var random = SplitMix64(seed: 5)
        var refused = 0
        for seed in 0..<40 as Range<UInt64> {
            let run = RandomRun(seed: 88_000 + seed, keepsLog: false)
            try run.begin()
            for _ in 1...60 { try run.step() }
            _ = run.model.drainEffects()
            let bytes = [UInt8](try JSONEncoder().encode(run.model.snapshot()))
            let digits = bytes.indices.filter { (48...57).contains(bytes[$0]) }
            for _ in 0..<60 {
                var mutant = bytes
                for _ in 0...random.below(3) {
                    mutant[digits[random.below(digits.count)]] = UInt8(48 + random.below(10))
                }
                guard let snapshot = try? JSONDecoder().decode(WindowModel.Snapshot.self, from: Data(mutant)) else {
                    continue
                }
                do {
                    let model = try WindowModel(restoring: snapshot)
                    // An accepted snapshot is a valid model.
                    for window in model.windows { try model.setHidden(true, of: window) }
                    #expect(model.checkInvariants() == [])
                } catch {
                    refused += 1
                }
            }
        }
        #expect(refused > 100)
    }
}
