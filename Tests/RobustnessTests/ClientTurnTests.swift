// Clients share the time of a turn: busy clients wait, and do not delay others.

import Glibc
import MullionWayland
import TestSupport
import Testing

@testable import DisplayServer

@Suite struct ClientTurnTests {
    /// A client that writes raw wl_display.sync requests.
    private final class Asker {
        let connection: Connection
        private var received = 0

        init(_ fixture: ServerFixture) throws { connection = Connection(socket: try fixture.connectSocket()) }

        func ask(_ count: UInt32) throws {
            for id in 2..<2 + count {
                let out = connection.queue()
                out.begin(.display, opcode: 0)
                out.put(id)
                out.end()
            }
            #expect(try connection.flush())
        }

        /// Each answer is 24 bytes: done and delete_id.
        var answers: Int {
            var chunk = [UInt8](repeating: 0, count: 65_536)
            let count = recv(connection.socket.rawValue, &chunk, chunk.count, Int32(MSG_DONTWAIT))
            received += max(0, count)
            return received / 24
        }
    }

    @Test("a busy client gets a share of each turn; a client with few requests is answered in between")
    func shares() throws {
        let fixture = try ServerFixture()
        // With no time at all, a share is the work between two checks of the clock.
        fixture.server.turnTime = 0
        let (many, other, few) = (try Asker(fixture), try Asker(fixture), try Asker(fixture))
        try many.ask(1000)
        try other.ask(1000)
        try fixture.loop.runOnce(nonblocking: true)
        #expect(many.answers + other.answers < 100)
        try few.ask(1)
        var turns = 0
        while few.answers == 0, turns < 100 {
            try fixture.loop.runOnce(nonblocking: true)
            turns += 1
        }
        #expect(turns <= 4, "it waits for one share of each other client")
        let (a, b) = (many.answers, other.answers)
        #expect(a < 200 && b < 200 && abs(a - b) <= 64, "\(a) and \(b)")
        try fixture.wait(for: "all answers") { many.answers == 1000 && other.answers == 1000 }
        #expect(try !fixture.loop.runOnce(nonblocking: true), "the loop is idle")
    }

    @Test("requests sent before a client disconnects are handled, however many turns that takes")
    func hangingUp() throws {
        let fixture = try ServerFixture()
        fixture.server.turnTime = 0
        var end: UInt64 = 0
        do {
            let asker = try Asker(fixture)
            try asker.ask(2000)
            try fixture.loop.runOnce(nonblocking: true)
            #expect(fixture.server.clientCount == 1)
        }
        try fixture.wait(for: "its end") {
            end = fixture.server.clients.values.first?.requestCount ?? end
            return fixture.server.clientCount == 0
        }
        #expect(fixture.server.counters.requests == 2000, "\(end) of them before the last turn")
    }

    @Test("settling waits for requests that have not had their turn")
    func settling() throws {
        let fixture = try ServerFixture()
        fixture.server.turnTime = 0
        let asker = try Asker(fixture)
        try asker.ask(1000)
        try fixture.loop.runOnce(nonblocking: true)
        var outcome: Settler.Outcome?
        fixture.server.settler.settle(within: 20_000_000) { outcome = $0 }
        fixture.server.deliverAndFlush()
        #expect(outcome == nil)
        var answers = 0
        try fixture.wait(for: "the outcome") {
            answers = asker.answers
            return outcome != nil
        }
        guard case .settled = outcome else {
            Issue.record("\(String(describing: outcome))")
            return
        }
        #expect(answers == 1000)
    }

    @Test("W7: a disconnected client's windows go at once, its surfaces one share per turn", arguments: [false, true])
    func end(handingOver: Bool) throws {
        let fixture = try handingOver ? ServerFixture.handingOver() : ServerFixture()
        let other = try fixture.connect()
        let heir = other.window("heir").color(0xff00_ff00).frame(0, 0, 100, 100)
        heir.makeKeyAndVisible()
        try fixture.pump()
        let large = try fixture.connect()
        let window = large.window("large").color(0xffff_0000).frame(0, 0, 100, 100)
        window.makeKeyAndVisible()
        var parent = window.surface
        for index in 0..<1000 {
            let surface = large.surface()
            _ = TestSubsurface(bare: large, surface: surface, parent: parent)
            // Trees of a few levels.
            parent = index % 7 == 0 ? window.surface : surface
        }
        large.window("second").color(0xff00_00ff).frame(0, 0, 100, 100).show()
        try fixture.pump()
        let surfaces = fixture.model.surfaceCount
        #expect(surfaces > 1000)
        let client = try #require(fixture.server.client(fixture.model.applications[1]))
        fixture.server.turnTime = 0
        client.close(because: nil)
        fixture.detach(large)
        #expect(fixture.model.windows.count == 1)
        #expect(fixture.model.keyWindow == fixture.model.windows.first, "key passes on at once")
        #expect(fixture.server.clientCount == 1)
        #expect(fixture.model.surfaceCount > 900, "the surfaces are destroyed later")
        if handingOver {
            try fixture.handOver()
        } else {
            var turns = 0
            while fixture.model.surfaceCount > 1, turns < 10_000 {
                try fixture.loop.runOnce(nonblocking: true)
                turns += 1
            }
            #expect(turns > 20)
        }
        #expect(fixture.model.surfaceCount == 1)
        #expect(try fixture.color(x: 50, y: 50) == 0x00ff00)
    }

    @Test("a client that changes many windows continues in the next turn, so as not to delay the effects")
    func effects() throws {
        let fixture = try ServerFixture()
        let asker = try fixture.connect()
        let windows = (0..<2).map { asker.window("\($0)").color(0xff00_ff00).frame(0, 0, 100, 100) }
        for window in windows { window.show() }
        try fixture.pump()
        let client = try #require(fixture.server.clients.values.first)
        let before = client.requestCount
        for _ in 0..<500 { for window in windows { window.makeKey() } }
        try asker.flush()
        while client.requestCount == before { try fixture.loop.runOnce() }
        let served = client.requestCount - before
        #expect(served < 1000, "\(served) of 2000 requests in one turn")
        try fixture.pump()
        #expect(client.requestCount == before + 2000)
    }

    @Test("buffers of a client that is still being destroyed make room for its user's other clients")
    func buffers() throws {
        let fixture = try ServerFixture()
        var rule = PeerRule()
        rule.pixels = 200
        fixture.server.peerPolicy.rules.insert(rule, at: 0)
        let (large, other) = try (fixture.connect(), fixture.connect())
        for _ in 0..<2 { _ = try large.buffer(0xff00_ff00, width: 10, height: 10) }
        for _ in 0..<500 { _ = large.surface() }
        try fixture.pump()
        let client = try #require(fixture.server.clientsInOrder.first)
        fixture.server.turnTime = 0
        client.close(because: nil)
        fixture.detach(large)
        #expect(fixture.server.turns.isDestroying)
        #expect(client.account.pixels == 200)
        _ = try other.buffer(0xff00_ff00, width: 10, height: 10)
        try fixture.pump()
        #expect(other.isOpen)
        #expect(client.account.pixels == 100)
    }
}
