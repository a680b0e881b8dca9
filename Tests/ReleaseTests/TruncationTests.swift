// Memory that clients take away while the server uses it.

import Glibc
import TestSupport
import Testing
import Wayland

/// Any client may make the file behind its pool shorter, which turns the server's use of it into SIGBUS.
@Suite struct TruncationTests {
    /// When the memory goes.
    enum Moment: CaseIterable {
        /// What is committed is gone already.
        case beforeCommit
        /// What was committed is gone when somebody looks.
        case beforePicture
        /// Another thread takes it and gives it back all the time.
        case anyTime
    }

    private static let rounds = 120

    @Test("memory that a client takes away is black for who looks, and nobody else notices", arguments: Moment.allCases)
    func pictures(moment: Moment) throws {
        let desk = try TruncationDesk()
        let attacker = try desk.stranger()
        let memory = try TruncatedMemory(bytes: TruncationDesk.bytes)
        // A pool that was once found too short is not looked at again: each round has one of its own.
        let buffers = try (0..<Self.rounds).map { _ in try desk.buffer(in: memory.file, of: attacker) }
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
            #expect(try desk.server.request("GET", "/v1/screenshot.png").status == 200)
            if round.isMultiple(of: 8) { #expect(try desk.witnessCopies() == "ready") }
            try desk.witness.roundTrip()
        }
        try memory.stopChanging()
        try desk.end()
    }

    @Test("a picture whose asker takes the memory for it away fails or succeeds, and nobody else notices")
    func copies() throws {
        let desk = try TruncationDesk()
        let attacker = try WireClient(desk.server)
        let memory = try TruncatedMemory(bytes: TruncationDesk.bytes)
        let buffers = try (0..<Self.rounds).map { _ in try desk.buffer(in: memory.file, of: attacker) }
        try attacker.roundTrip()
        let source = try ScreenCopier(attacker)
        var outcomes: Set<String> = []
        for (round, buffer) in buffers.enumerated() {
            // First at a known moment, then at any.
            if round == Self.rounds / 2 { memory.startChanging() }
            if round < Self.rounds / 2 { memory.grow() }
            try outcomes.insert(source.copy(to: buffer) { if round % 4 != 0 { memory.shrink() } })
            #expect(try desk.witnessCopies() == "ready")
        }
        try memory.stopChanging()
        #expect(outcomes == ["failed", "ready"])
        try desk.end()
    }

    @Test("a SIGBUS that somebody sends ends the server, as it ends any program")
    func sent() throws {
        let desk = try TruncationDesk(hardship: "ulimit -c 0")
        // The handler is there from the first use of a client's memory on.
        #expect(try desk.server.request("GET", "/v1/screenshot.png").status == 200)
        desk.server.server.kill(SIGBUS)
        try desk.server.fixture.wait(for: "the server's end") { !desk.server.server.isRunning }
        #expect(desk.server.server.exitStatus == -1, "by a signal")
    }
}
