// Streams of nearly valid requests. Tests/Fuzz/Wire holds the sessions that the streams are derived from, and every
// stream that ever crashed the server.

import DisplayServer
import FoundationEssentials
import Glibc
import MullionWayland
import TestSupport
import Testing
import WindowModel

@Suite struct FuzzTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fuzz/Wire")

    private static func corpus() throws -> [(name: String, session: WireSession)] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".bin") }.sorted()
            .map { name in
                let bytes = try [UInt8](Data(contentsOf: folder.appending(path: name)))
                guard let session = WireSession(bytes: bytes) else { throw FixtureError("\(name) is not a session") }
                return (name, session)
            }
    }

    /// Replays a session on a server of its own, and checks that nothing else was affected.
    /// - Returns: whether the session ended without a protocol error.
    @discardableResult
    private func check(_ session: WireSession, _ what: String, drawing: Bool) throws -> Bool {
        let (fixture, witness) = try ServerFixture.withWitness()
        let screens = looks(fixture.model)
        let survived = try fixture.replay(session, drawing: drawing)
        #expect(fixture.server.clientCount == 1, "\(what)")
        #expect(fixture.model.windows.count == 1 && fixture.model.surfaceCount == 1, "\(what)")
        #expect(fixture.model.applications.count == 1, "\(what)")
        #expect(fixture.model.checkInvariants() == [], "\(what)")
        #expect(witness.isOpen, "\(what): \(String(describing: witness.error))")
        // A session that may administer the server can rotate screens and switch them off, which affects others. One that
        // may lock it leaves it locked when it ends with an error.
        guard looks(fixture.model) == screens, !fixture.model.isLocked else { return survived }
        #expect(witness.takeEvents() == ["witness.didBecomeVisible"], "\(what)")
        if drawing {
            #expect(try fixture.color(x: 88, y: 8) == 0x00ff00, "\(what)")
            #expect(try fixture.color(x: 8, y: 8) == 0, "\(what)")
        }
        return survived
    }

    /// The properties of the screens that all clients see.
    private func looks(_ model: WindowModel) -> [[String]] {
        model.screens.compactMap { model.screen($0) }.map { screen in
            [
                "\(screen.id)", "\(screen.currentMode)", "\(screen.scale)", "\(screen.toPixels)", "\(screen.isPowered)",
            ]
        }
    }

    /// With MULLION_RECORD set the files are rewritten, as is needed after a change to a protocol.
    @Test(
        "the recorded sessions match the scripts, and only those named bad- have an error",
        arguments: WireScripts.all.map(\.name))
    func recorded(name: String) throws {
        guard let script = WireScripts.all.first(where: { $0.name == name })?.script else { return }
        let (fixture, _) = try ServerFixture.withWitness()
        let (session, error) = try WireSession.record(fixture, script)
        #expect((error != nil) == name.hasPrefix("bad-"), "\(String(describing: error))")
        let file = Self.folder.appending(path: "\(name).bin")
        if getenv("MULLION_RECORD") != nil { try Data(session.bytes).write(to: file) }
        let stored = WireSession(bytes: try [UInt8](Data(contentsOf: file)))
        #expect(stored == session, "set MULLION_RECORD=1 and run this test again")
    }

    @Test("every file of the corpus replays and leaves nothing behind")
    func replay() throws {
        let corpus = try Self.corpus()
        #expect(corpus.count >= WireScripts.all.count)
        for (name, session) in corpus {
            let survived = try check(session, name, drawing: true)
            #expect(survived != name.hasPrefix("bad-"), "\(name)")
        }
    }

    /// MULLION_FUZZ is the number of streams, MULLION_SEED their seed. A stream that ends the process stays in a file.
    @Test("mutated sessions affect only the client that sent them")
    func mutated() throws {
        let count = getenv("MULLION_FUZZ").flatMap { Int(String(cString: $0)) } ?? 3000
        var mutator = WireMutator(corpus: try Self.corpus().map(\.session), random: SeededRandom())
        let seed = mutator.random.seed
        let clock = ContinuousClock()
        let end = getenv("MULLION_FUZZ") == nil ? clock.now + .seconds(20) : nil
        let current = FileManager.default.temporaryDirectory.appending(path: "mullion-fuzz-\(getpid()).bin")
        defer { try? FileManager.default.removeItem(at: current) }
        for number in 0..<count {
            if let end, clock.now > end { break }
            let session = mutator.next()
            try Data(session.bytes).write(to: current)
            try check(session, "seed \(seed), stream \(number)", drawing: number % 4 == 0)
        }
    }
}
