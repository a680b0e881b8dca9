// zwp_keyboard_shortcuts_inhibit_manager_v1: programs that want every key.

import DisplayServer
import MullionWayland
import TestSupport
import Testing
import WindowModel

@Suite struct ShortcutsInhibitTests {
    private final class Inhibitor {
        let proxy: Proxy<ZwpKeyboardShortcutsInhibitorV1>
        var events: [String] = []

        init(_ setup: ShortcutsInhibitTests, _ surface: Proxy<WlSurface>, _ seat: Proxy<WlSeat>) {
            proxy = Proxy(setup.client.connection, version: 1)
            setup.manager.send(.inhibitShortcuts(id: proxy.id, surface: surface.id, seat: seat.id))
            proxy.onEvent = { [weak self] event in
                switch event {
                case .active: self?.events.append("active")
                case .inactive: self?.events.append("inactive")
                }
            }
        }
    }

    private let fixture: ServerFixture
    private let client: TestClient
    private let manager: Proxy<ZwpKeyboardShortcutsInhibitManagerV1>
    private let seat: Proxy<WlSeat>

    init(_ fixture: ServerFixture? = nil) throws {
        let fixture = try fixture ?? ServerFixture.handingOver()
        self.fixture = fixture
        client = try fixture.connect()
        manager = try client.bind(ZwpKeyboardShortcutsInhibitManagerV1.self)
        seat = try client.seat()
    }

    @Test("E3: an inhibitor is active at once, and every key goes to the key window with and without one")
    func active() throws {
        let keyboard = try KeyboardReader(client)
        let top = try TestToplevel.map(client, fixture, "desktop")
        let inhibitor = Inhibitor(self, top.surface, seat)
        try fixture.pump()
        #expect(inhibitor.events == ["active"])
        _ = keyboard.takeEvents()
        // Meta, Tab, F4, Escape.
        let keys: [UInt32] = [125, 15, 62, 1]
        for key in keys { try fixture.press(key) }
        let received = keyboard.takeEvents()
        for key in keys { #expect(received.contains { $0.contains("\(key)") }, "\(key): \(received)") }
        inhibitor.proxy.send(.destroy)
        for key in keys { try fixture.press(key) }
        #expect(keyboard.takeEvents() == received)
        // Another window takes the keyboard: no event.
        let again = Inhibitor(self, top.surface, seat)
        _ = try TestToplevel.map(client, fixture, "other")
        try fixture.pump()
        #expect(again.events == ["active"])
    }

    @Test("K4: without the keyboard an inhibitor is never active")
    func forbidden() throws {
        let fixture = try ServerFixture()
        var rule = PeerRule()
        rule.xdg = [.windows]
        fixture.server.peerPolicy = PeerPolicy(rules: [rule])
        let setup = try ShortcutsInhibitTests(fixture)
        let top = try TestToplevel.map(setup.client, fixture, "desktop")
        let inhibitor = Inhibitor(setup, top.surface, setup.seat)
        try fixture.pump()
        #expect(inhibitor.events == [] && setup.client.isOpen)
    }

    @Test("one inhibitor for a surface and a seat; it outlives the surface")
    func errors() throws {
        let surface = client.surface()
        let first = Inhibitor(self, surface, seat)
        first.proxy.send(.destroy)
        let second = Inhibitor(self, surface, seat)
        surface.send(.destroy)
        second.proxy.send(.destroy)
        try fixture.pump()
        #expect(client.isOpen)
        let other = client.surface()
        _ = (Inhibitor(self, other, seat), Inhibitor(self, other, seat))
        try fixture.pump()
        #expect(
            client.protocolError?.code == ZwpKeyboardShortcutsInhibitManagerV1.Error.alreadyInhibited.rawValue)
    }

    @Test("over a restart a surface keeps its inhibitor")
    func handOver() throws {
        let (surface, lost) = (client.surface(), client.surface())
        let (inhibitor, orphan) = (Inhibitor(self, surface, seat), Inhibitor(self, lost, seat))
        lost.send(.destroy)
        try fixture.pump()
        try fixture.handOver()
        orphan.proxy.send(.destroy)
        inhibitor.proxy.send(.destroy)
        _ = Inhibitor(self, surface, seat)
        try fixture.pump()
        #expect(client.isOpen && inhibitor.events == ["active"])
        try fixture.handOver()
        _ = Inhibitor(self, surface, seat)
        try fixture.pump()
        #expect(client.protocolError?.message.contains("already inhibits") == true)
    }
}
