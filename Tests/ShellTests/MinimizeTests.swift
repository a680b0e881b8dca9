// xdg_toplevel.set_minimized: programs that hide their windows.

import DisplayServer
import MullionWayland
import TestSupport
import Testing
import WindowModel

@Suite struct MinimizeTests {
    private let fixture: ServerFixture
    private let client: TestClient
    private let main: TestToplevel

    init() throws {
        fixture = try ServerFixture.handingOver()
        client = try fixture.connect("program")
        main = try TestToplevel.map(client, fixture, "main")
    }

    private func window(_ title: String = "main") throws -> Window {
        try #require(fixture.model.windows.compactMap { fixture.model.window($0) }.first { $0.title == title })
    }

    private func minimize() throws {
        main.toplevel.send(.setMinimized)
        try fixture.pump()
    }

    private func remap() throws {
        main.surface.send(.attach(buffer: nil, x: 0, y: 0))
        main.surface.send(.commit)
        main.surface.send(.commit)
        try fixture.pump()
        try client.attach(0xffff_0000, width: 200, height: 100, to: main.surface)
        main.surface.send(.commit)
        try fixture.pump()
    }

    @Test("V1, K5: a minimized window is hidden and passes key on; the control API shows it again")
    func hides() throws {
        let other = try TestToplevel.map(client, fixture, "other")
        try fixture.model.makeKey(window().id)
        try fixture.pump()
        try minimize()
        #expect(try window().isHidden && !window().isVisible && window("other").isKey)
        #expect(other.has(.activated) && !main.has(.activated))
        try minimize()
        try fixture.model.setHidden(false, of: window().id)
        try fixture.pump()
        #expect(try window().isVisible)
        #expect(fixture.model.checkInvariants() == [])
    }

    @Test("the client learns that it can minimize its windows")
    func capability() throws {
        let top = client.toplevel("new")
        var capabilities: [UInt8] = []
        top.toplevel.onEvent = { if case .wmCapabilities(let bytes) = $0 { capabilities = bytes } }
        top.surface.send(.commit)
        try fixture.pump()
        #expect(capabilities.contains(UInt8(XdgToplevel.WmCapabilities.minimize.rawValue)))
    }

    @Test("a minimized window that is unmapped and mapped again is an ordinary one; one hidden by others stays hidden")
    func unmapped() throws {
        try minimize()
        try remap()
        #expect(try window().isVisible)
        try fixture.model.setHidden(true, of: window().id)
        try remap()
        #expect(try window().isHidden && !window().isVisible)
        // Shown and minimized in one turn.
        try fixture.model.setHidden(false, of: window().id)
        try minimize()
        #expect(try window().isHidden)
        try remap()
        #expect(try window().isVisible)
        // Before it has content there is nothing to minimize.
        let new = client.toplevel("new")
        new.toplevel.send(.setMinimized)
        new.surface.send(.commit)
        try fixture.pump()
        try client.attach(0xffff_0000, width: 20, height: 10, to: new.surface)
        new.surface.send(.commit)
        try fixture.pump()
        #expect(try window("new").isVisible)
    }

    @Test("a minimized window that is to be maximized or full-screen is shown, unless the policy forbids that")
    func fills() throws {
        try minimize()
        main.toplevel.send(.setMaximized)
        try fixture.pump()
        #expect(try window().isVisible && main.has(.maximized))
        try minimize()
        main.toplevel.send(.unsetMaximized)
        try fixture.pump()
        #expect(try window().isHidden)
        main.toplevel.send(.setFullscreen(output: nil))
        try fixture.pump()
        #expect(try window().isVisible && main.has(.fullscreen))
        try fixture.model.setHidden(true, of: window().id)
        main.toplevel.send(.setMaximized)
        try fixture.pump()
        #expect(try window().isHidden, "the control API has hidden it")
        let limited = try ServerFixture()
        var rule = PeerRule()
        rule.xdg = [.windows, .key]
        limited.server.peerPolicy = PeerPolicy(rules: [rule])
        let other = try limited.connect()
        let top = try TestToplevel.map(other, limited, "limited")
        for request: XdgToplevel.Request in [.setMinimized, .setMaximized, .setFullscreen(output: nil)] {
            top.toplevel.send(request)
        }
        try limited.pump()
        #expect(try limited.model.window(#require(limited.model.windows.last))?.isHidden == true)
    }

    @Test("K7: activation shows a window that its program has minimized, not one that the control API has hidden")
    func activation() throws {
        _ = try TestToplevel.map(client, fixture, "other")
        let activation = try client.bind(XdgActivationV1.self)
        func activate() throws {
            let token = Proxy<XdgActivationTokenV1>(client.connection, version: 1)
            var text = ""
            token.onEvent = { if case .done(let token) = $0 { text = token } }
            activation.send(.getActivationToken(id: token.id))
            token.send(.commit)
            try fixture.pump()
            activation.send(.activate(token: text, surface: main.surface.id))
            try fixture.pump()
        }
        try minimize()
        try fixture.handOver()
        #expect(try window().isHidden)
        try activate()
        #expect(try window().isVisible && window().isKey)
        try fixture.model.setHidden(true, of: window().id)
        try fixture.pump()
        try activate()
        #expect(try window().isHidden)
    }
}
