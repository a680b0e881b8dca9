// Memory that clients truncate while the server uses it.

import Glibc
import MullionWayland
import TestSupport
import Testing

/// Any client can truncate the file behind its pool, which turns the server's accesses into SIGBUS.
@Suite struct TruncationTests {
    /// When the memory is truncated.
    enum Moment: CaseIterable {
        /// Before the commit.
        case beforeCommit
        /// Between the commit and the capture.
        case beforePicture
        /// Continuously, by another thread.
        case anyTime
    }

    /// Whose memory it is: the server maps only that of its own user.
    enum Owner: CaseIterable {
        case serverUser, stranger

        /// Only root can run a program of another user.
        static let possible = geteuid() == 0 ? allCases : [.serverUser]
    }

    private static let rounds = 120

    @Test(
        "memory truncated by a client is captured as black, and no other client is affected",
        arguments: Moment.allCases, Owner.possible)
    func pictures(moment: Moment, owner: Owner) throws {
        let setup = try TruncationFixture()
        setup.losesKey = owner == .serverUser
        let attacker = try owner == .stranger ? setup.stranger() : WireClient(setup.server)
        let memory = try TruncatedMemory(bytes: TruncationFixture.bytes)
        // A pool found truncated once is never read again: each round needs a new one.
        let buffers = try (0..<Self.rounds).map { _ in try setup.buffer(in: memory.file, of: attacker) }
        let window = try attacker.toplevel(showing: buffers[0])
        try attacker.roundTrip()
        if moment == .anyTime { memory.startChanging() }
        for (round, buffer) in buffers.enumerated() {
            if moment != .anyTime { memory.grow() }
            if moment == .beforeCommit { memory.shrink() }
            window.surface.send(.attach(buffer: buffer.id, x: 0, y: 0))
            window.surface.send(.damage(x: 0, y: 0, width: .max, height: .max))
            window.surface.send(.commit)
            try attacker.roundTrip()
            if moment == .beforePicture { memory.shrink() }
            #expect(try setup.server.request("GET", "/v1/screenshot.png").status == 200)
            if round.isMultiple(of: 8) { #expect(try setup.witnessCopies() == "ready") }
            try setup.witness.roundTrip()
        }
        try memory.stopChanging()
        try setup.end()
    }

    @Test("a capture into memory that is truncated fails or succeeds, and no other client is affected")
    func copies() throws {
        let setup = try TruncationFixture()
        let attacker = try WireClient(setup.server)
        let memory = try TruncatedMemory(bytes: TruncationFixture.bytes)
        let buffers = try (0..<Self.rounds).map { _ in try setup.buffer(in: memory.file, of: attacker) }
        try attacker.roundTrip()
        let source = try ScreenCopier(attacker)
        var outcomes: Set<String> = []
        for (round, buffer) in buffers.enumerated() {
            // First at a known moment, then at any.
            if round == Self.rounds / 2 { memory.startChanging() }
            if round < Self.rounds / 2 { memory.grow() }
            try outcomes.insert(source.copy(to: buffer) { if round % 4 != 0 { memory.shrink() } })
            #expect(try setup.witnessCopies() == "ready")
        }
        try memory.stopChanging()
        #expect(outcomes == ["failed", "ready"])
        try setup.end()
    }

    @Test("a SIGBUS sent by a process ends the server, as it ends any program")
    func sent() throws {
        let setup = try TruncationFixture(hardship: "ulimit -c 0")
        // The handler is installed when a client's memory is first mapped.
        #expect(try setup.server.request("GET", "/v1/screenshot.png").status == 200)
        let caught = try setup.server.status().firstMatch(of: /SigCgt:\s+([0-9a-f]+)/)?.1
        #expect(try UInt64(#require(caught), radix: 16)! & 1 << UInt64(SIGBUS - 1) != 0)
        setup.server.server.kill(SIGBUS)
        try setup.server.fixture.wait(for: "the server's end") { !setup.server.server.isRunning }
        #expect(setup.server.server.exitStatus == -1, "by a signal")
    }
}
