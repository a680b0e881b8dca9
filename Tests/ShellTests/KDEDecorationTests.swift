// org_kde_kwin_server_decoration: who draws decorations, for GTK.

import DisplayServer
import MullionWayland
import TestSupport
import Testing
import WindowModel

@Suite struct KDEDecorationTests {
    /// A toplevel with a decoration object, and the modes that its client receives.
    private final class Decorated {
        let fixture: ServerFixture
        let client: TestClient
        let toplevel: TestToplevel
        let manager: Proxy<OrgKdeKwinServerDecorationManager>
        var defaults: [UInt32] = []
        var modes: [UInt32] = []

        init(_ fixture: ServerFixture) throws {
            self.fixture = fixture
            client = try fixture.connect()
            toplevel = client.toplevel("w")
            manager = try client.bind(OrgKdeKwinServerDecorationManager.self)
            manager.onEvent = { [unowned self] in if case .defaultMode(let mode) = $0 { defaults.append(mode) } }
            try fixture.pump()
        }

        func decorate() -> Proxy<OrgKdeKwinServerDecoration> {
            let decoration = Proxy<OrgKdeKwinServerDecoration>(client.connection, version: 1)
            decoration.onEvent = { [unowned self] in if case .mode(let mode) = $0 { modes.append(mode) } }
            manager.send(.create(id: decoration.id, surface: toplevel.surface.id))
            return decoration
        }

        func show() throws {
            toplevel.surface.send(.commit)
            try fixture.pump()
            try client.attach(0xff00_ff00, width: 100, height: 80, to: toplevel.surface)
            toplevel.surface.send(.commit)
            try fixture.pump()
        }

        var hasBar: Bool {
            fixture.model.windows.first.map { fixture.model.rootAndPopups(of: $0).count == 2 } ?? false
        }
    }

    @Test(
        "KDE's decorations: the mode is what the client asks for, and before that what the server draws",
        arguments: [Decorations.none, .bar], [nil, 0, 1, 2, 77] as [UInt32?])
    func modes(decorations: Decorations, asked: UInt32?) throws {
        for asksFirst in [true, false] {
            let fixture = try ServerFixture.handingOver()
            fixture.server.decorations = decorations
            let window = try Decorated(fixture)
            let usual: UInt32 = decorations == .bar ? 2 : 1
            #expect(window.defaults == [usual])
            let decoration = window.decorate()
            if asksFirst, let asked { decoration.send(.requestMode(mode: asked)) }
            try window.show()
            if !asksFirst, let asked { decoration.send(.requestMode(mode: asked)) }
            try fixture.pump()
            let mode = asked.map { $0 < 3 ? $0 : usual } ?? usual
            #expect(window.modes == (asked == nil ? [usual] : [usual, mode]))
            #expect(window.hasBar == (decorations == .bar && mode == 2))
            try fixture.handOver()
            try fixture.pump()
            #expect(window.hasBar == (decorations == .bar && mode == 2) && window.modes.count <= 2)
            // Another configuration counts for those that did not ask.
            fixture.server.decorations = decorations == .bar ? .none : .bar
            try fixture.pump()
            let isOpen = asked.map { $0 > 2 } ?? true
            #expect(window.defaults.last == 3 - usual && window.modes.last == (isOpen ? 3 - usual : mode))
            #expect(window.hasBar == (decorations == .none && window.modes.last == 2))
            decoration.send(.release)
            try fixture.pump()
            #expect(!window.hasBar && window.client.isOpen)
        }
    }

    @Test("KDE's decorations: the last object of a surface counts, and one of xdg-decoration before both")
    func several() throws {
        let fixture = try ServerFixture()
        fixture.server.decorations = .bar
        let window = try Decorated(fixture)
        let first = window.decorate()
        let second = window.decorate()
        second.send(.requestMode(mode: 1))
        first.send(.requestMode(mode: 2))
        let manager = try window.client.bind(ZxdgDecorationManagerV1.self)
        let decoration = Proxy<ZxdgToplevelDecorationV1>(window.client.connection, version: 1)
        manager.send(.getToplevelDecoration(id: decoration.id, toplevel: window.toplevel.toplevel.id))
        try window.show()
        #expect(window.hasBar)
        decoration.send(.destroy)
        window.toplevel.toplevel.send(.setTitle(title: "new"))
        try fixture.pump()
        #expect(!window.hasBar, "the second object asks for none")
        second.send(.release)
        first.send(.release)
        window.toplevel.surface.send(.destroy)
        try fixture.pump()
    }
}
