// Streams of requests that are nearly valid. Tests/Fuzz/Wire holds the sessions that the streams are made of, and every
// stream that once crashed the server.

import DisplayServer
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import Wayland
import WindowModel

@Suite struct FuzzTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fuzz/Wire")

    private static func corpus() throws -> [(name: String, session: WireSession)] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".bin") }.sorted()
            .map { name in
                let bytes = try [UInt8](Data(contentsOf: folder.appending(path: name)))
                guard let session = WireSession(bytes: bytes) else { throw FixtureError("\(name) is no session") }
                return (name, session)
            }
    }

    /// Replays a session on a server of its own, and checks that nobody and nothing else was hurt.
    /// - Returns: whether the session made no mistake.
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
        // Whoever may administer the server may turn screens and switch them off: then others notice.
        guard looks(fixture.model) == screens else { return survived }
        #expect(witness.takeEvents() == ["witness.didBecomeVisible"], "\(what)")
        if drawing {
            #expect(try fixture.color(x: 88, y: 8) == 0x00ff00, "\(what)")
            #expect(try fixture.color(x: 8, y: 8) == 0, "\(what)")
        }
        return survived
    }

    /// What is seen of the screens where nobody draws.
    private func looks(_ model: WindowModel) -> [[String]] {
        model.screens.compactMap { model.screen($0) }.map { screen in
            ["\(screen.id)", "\(screen.currentMode)", "\(screen.scale)", "\(screen.toPixels)"]
        }
    }

    /// With MULLION_RECORD set the files are written anew, after a protocol changed.
    @Test(
        "the recorded sessions are what the scripts say, and valid where they are to be",
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

    /// MULLION_FUZZ says how many streams, MULLION_SEED which. A stream that ends the process is left in a file.
    @Test("mutated sessions hurt nobody but the client that sent them")
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
