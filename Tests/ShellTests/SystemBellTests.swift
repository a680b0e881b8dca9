// xdg_system_bell_v1: the bell, in the event stream.

import MullionWayland
import TestSupport
import Testing
import WindowModel

@Suite struct SystemBellTests {
    @Test("the event stream reports the bell after what the program did before, at most ten times a second")
    func rings() throws {
        let fixture = try ServerFixture()
        let events = try TestControl(fixture).events()
        let (one, two) = (try fixture.connect("one"), try fixture.connect("two"))
        let (bell, other) = (try one.bind(XdgSystemBellV1.self), try two.bind(XdgSystemBellV1.self))
        let window = one.window("w").color(0xffff_0000)
        window.show()
        for _ in 0..<1000 { bell.send(.ring(surface: window.surface.id)) }
        other.send(.ring(surface: nil))
        try fixture.pump()
        func bells() throws -> [String] { try events().filter { $0.contains("\"event\":\"bell\"") } }
        try fixture.wait(for: "two bells") { try bells().count >= 2 }
        let rung = try bells()
        let id = try #require(fixture.model.windows.last)
        #expect(rung[0].contains("\"window\":\(id)") && rung.filter { $0.contains("\"window\"") }.count < 1000)
        #expect(rung.contains { !$0.contains("\"window\"") })
        let all = try events()
        let shown = try #require(all.firstIndex { $0.contains("didBecomeVisible") })
        #expect(try shown < #require(all.firstIndex { $0.contains("\"event\":\"bell\"") }))
        // Later it can ring again.
        let start = fixture.loop.now
        try fixture.wait(for: "a tenth of a second") { fixture.loop.now > start + 100_000 }
        bell.send(.ring(surface: nil))
        try fixture.wait(for: "another bell") { try bells().count > rung.count }
        bell.send(.destroy)
        try fixture.pump()
        #expect(one.isOpen)
    }

    @Test("nobody has to listen, and a surface need not have a window; anything else is an error")
    func silent() throws {
        let fixture = try ServerFixture.handingOver()
        let client = try fixture.connect()
        let bell = try client.bind(XdgSystemBellV1.self)
        bell.send(.ring(surface: nil))
        bell.send(.ring(surface: client.surface().id))
        try fixture.pump()
        try fixture.handOver()
        bell.send(.ring(surface: nil))
        try fixture.pump()
        #expect(client.isOpen)
        bell.send(.ring(surface: client.shm.id))
        try fixture.pump()
        #expect(client.protocolError?.code == WlDisplay.Error.invalidObject.rawValue)
    }
}
