// Restarts at every moment in the life of every kind of client.

import FoundationEssentials
import Glibc
import MullionSystem
import MullionWayland
import StateCoding
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct HandOverScriptTests {
    /// Scripts that notice a restart: those with held input, drags, pending presentation feedback or commits that wait.
    private static let noticed: Set = [
        "drag", "drag-ask", "bad-finish", "seat", "pointers", "virtual-pointer", "desktop", "dialogs",
        "x11-drags", "window-drag", "commit-queues",
    ]

    /// Scripts in which something is held down or back when the server restarts; it is released.
    private static let holding = noticed.union(["window-events"]).subtracting(["desktop"])

    /// A client's requests depend on the events that it receives, including ids and serials.
    @Test(
        "a client sends the same requests whether or not the server restarts whenever it is idle",
        arguments: WireScripts.all.map(\.name))
    func everyMoment(name: String) throws {
        guard let script = WireScripts.all.first(where: { $0.name == name })?.script else { return }
        func record(restarting: Bool) throws -> (session: WireSession, error: ClientError?, count: Int) {
            // Real time would make a difference, because frames come at varying moments.
            let (fixture, witness) = try ServerFixture.withWitness(clock: .manual)
            fixture.server.isHandOverPossible = true
            fixture.server.onLog = { level, line in
                if level == .warning { Issue.record("\(name): \(line)") }
            }
            var count = 0
            fixture.afterPump = {
                // Taken in both runs, because drawing has effects that clients see.
                let pictures = try fixture.pictures()
                guard restarting else { return }
                let before = fixture.model.snapshot()
                let clients = fixture.server.clientCount
                try fixture.handOver()
                count += 1
                #expect(fixture.server.clientCount == clients, "\(name): restart \(count)")
                #expect(fixture.model.checkInvariants() == [], "\(name): restart \(count)")
                guard !Self.holding.contains(name) else { return try fixture.pump() }
                #expect(fixture.model.snapshot() == before, "\(name): restart \(count)")
                #expect(try fixture.pictures() == pictures, "\(name): restart \(count)")
                // A restart begins a keymap again: one restart meanwhile, or it would never be compiled.
                try fixture.compileKeymaps()
            }
            let (session, error) = try WireSession.record(fixture, script)
            #expect(witness.isOpen)
            return (session, error, count)
        }
        let (still, restarted) = (try record(restarting: false), try record(restarting: true))
        #expect(restarted.count > 1)
        guard !Self.noticed.contains(name) else { return }
        #expect(restarted.session.words == still.session.words)
        #expect((restarted.error != nil) == name.hasPrefix("bad-"), "\(String(describing: restarted.error))")
    }

    /// The state of a server with a client of every kind.
    private func anyState() throws -> (fixture: ServerFixture, handOver: HandOver) {
        let (fixture, _) = try ServerFixture.withWitness()
        fixture.server.isHandOverPossible = true
        for (name, script) in WireScripts.all where !name.hasPrefix("bad-") {
            let client = try fixture.connect(name)
            try? script(client, fixture)
        }
        try fixture.pump()
        return (fixture, fixture.server.handOver())
    }

    @Test("a state that is damaged, truncated or of another version is refused with a reason")
    func refused() throws {
        let (_, handOver) = try anyState()
        func reason(_ change: (inout [UInt8]) -> Void) -> String {
            var state = handOver.state
            change(&state)
            do {
                _ = try HandOverState(HandOver(state: state, descriptors: []))
                return "accepted"
            } catch {
                return error.description
            }
        }
        #expect(reason { _ in } == "accepted")
        #expect(reason { $0 = [] } == "the state is not that of a mullion server")
        #expect(reason { $0[0] = 0 } == "the state is not that of a mullion server")
        #expect(reason { $0[8] = 99 } == "the state has format 99, of another version; this server reads 8")
        #expect(reason { $0.removeLast() } == "the state is incomplete or damaged")
        var random = SeededRandom()
        for _ in 0..<200 {
            let place = Int.random(in: 32..<handOver.state.count, using: &random)
            #expect(reason { $0[place] ^= 1 << Int.random(in: 0..<8, using: &random) } != "accepted")
            let end = Int.random(in: 0..<handOver.state.count, using: &random)
            #expect(reason { $0 = Array($0[..<end]) } != "accepted")
        }
    }

    /// MULLION_FUZZ is the number of mutants. Their checksums are right, so that the contents have to be checked.
    @Test("a server that reads a state with arbitrary contents keeps serving")
    func mutated() throws {
        let (fixture, handOver) = try anyState()
        let payload = Array(try handOver.payload())
        let numbers = try Self.numbers(in: payload)
        var random = SeededRandom()
        let count = getenv("MULLION_FUZZ").flatMap { Int(String(cString: $0)) } ?? 120
        var taken = 0
        for number in 0..<count {
            var mutant = payload
            for _ in 0...Int.random(in: 0..<4, using: &random) {
                let place = try #require(numbers.randomElement(using: &random))
                // The highest bit of a byte says whether the number continues; it is kept, so that nothing moves.
                let kept: UInt8 = place.isReal ? 0 : 0x80
                mutant[place.index] = mutant[place.index] & kept | UInt8.random(in: 0...255, using: &random) & ~kept
            }
            do {
                var state = try HandOverState(HandOver(payload: mutant, descriptors: []))
                // The real sockets are not used.
                for descriptor in handOver.descriptors {
                    state.files[try #require(FileName(descriptor))] = try Self.standIn(for: descriptor)
                }
                let server = DisplayServer(loop: fixture.loop, takingOver: state)
                defer { server.stop() }
                try server.takeOver(state)
                taken += 1
                for _ in 0..<20 { _ = try fixture.loop.runOnce(nonblocking: true) }
                #expect(server.model.checkInvariants() == [], "seed \(random.seed), mutant \(number)")
            } catch is HandOverError {
            }
        }
        #expect(taken > 0)
    }

    /// The positions of the bytes of numbers.
    private static func numbers(in payload: [UInt8]) throws -> [(index: Int, isReal: Bool)] {
        var (places, next) = ([(index: Int, isReal: Bool)](), 0)
        func length() -> Int {
            var length = 0
            for shift in stride(from: 0, to: 64, by: 7) {
                length |= Int(payload[next] & 0x7f) << shift
                next += 1
                if payload[next - 1] < 0x80 { break }
            }
            return length
        }
        func value() throws {
            next += 1
            let start = next
            switch try #require(StateTag(rawValue: payload[next - 1])) {
            case .null, .no, .yes: break
            case .number, .negative:
                _ = length()
                places += (start..<next).map { ($0, false) }
            case .real:
                next += 8
                places += (start..<next).map { ($0, true) }
            case .text, .data: next += length()
            case .list, .record:
                let isRecord = payload[start - 1] == StateTag.record.rawValue
                let end = start + 4 + (0..<4).reduce(0) { $0 | Int(payload[start + $1]) << (8 * $1) }
                next = start + 4
                while next < end {
                    if isRecord { next += length() }
                    try value()
                }
            }
        }
        try value()
        return places
    }

    /// A socket for a socket, with its other end closed, and the same memory for memory.
    private static func standIn(for descriptor: OwnedDescriptor) throws -> OwnedDescriptor {
        var status = stat()
        fstat(descriptor.rawValue, &status)
        guard status.st_mode & S_IFMT == S_IFSOCK else { return try #require(descriptor.duplicate()) }
        var pair: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC | O_NONBLOCK, 0, &pair) == 0)
        close(pair[1])
        return OwnedDescriptor(pair[0])
    }

    @Test("100 clients survive a restart; its duration is printed")
    func many() throws {
        let fixture = try ServerFixture.handingOver()
        for number in 0..<100 {
            let client = try fixture.connect("c\(number)")
            _ = try TestInput(client)
            let window = client.window("w").frame(Double(number), Double(number), 60, 60)
            try client.attach(0xff00_0000 | UInt32(number), width: 60, height: 60, to: window.surface)
            window.show()
            let toplevel = client.toplevel("t")
            toplevel.surface.send(.commit)
            fixture.detach(client)
            try client.flush()
            for _ in 0..<4 { _ = try fixture.loop.runOnce(nonblocking: true) }
        }
        let clock = ContinuousClock()
        let began = clock.now
        let handOver = fixture.server.handOver()
        let left = clock.now
        let state = try HandOverState(handOver)
        let next = DisplayServer(loop: fixture.loop, takingOver: state)
        try next.takeOver(state)
        let end = clock.now
        let bytes = handOver.state.count
        print("hand-over of 100 clients: \(left - began) to leave, \(end - left) to take over, \(bytes) bytes")
        #expect(next.clientCount == 100)
        next.stop()
    }
}

extension WireSession {
    /// Everything that was sent, regardless of portions.
    fileprivate var words: [UInt32] { portions.flatMap(\.words) }
}
