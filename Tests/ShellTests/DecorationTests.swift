// zxdg_toplevel_decoration_v1: who draws decorations.

import Geometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@Suite struct DecorationTests {
    private typealias Mode = ZxdgToplevelDecorationV1.Mode

    /// A toplevel with a decoration object, and what the client receives, in order.
    private final class Decorated {
        let fixture: ServerFixture
        let client: TestClient
        let toplevel: TestToplevel
        let manager: Proxy<ZxdgDecorationManagerV1>
        var decoration: Proxy<ZxdgToplevelDecorationV1>?
        /// Each mode with the number of configures before it.
        var answers: [(mode: Mode, configures: Int)] = []
        var modes: [Mode] { answers.map(\.mode) }

        init(_ fixture: ServerFixture) throws {
            self.fixture = fixture
            client = try fixture.connect()
            toplevel = client.toplevel("w")
            manager = try client.bind(ZxdgDecorationManagerV1.self)
        }

        @discardableResult
        func decorate() -> Proxy<ZxdgToplevelDecorationV1> {
            let decoration = Proxy<ZxdgToplevelDecorationV1>(client.connection, version: 1)
            decoration.onEvent = { [unowned self] event in
                guard case .configure(let mode) = event else { return }
                answers.append((mode, toplevel.configures))
            }
            manager.send(.getToplevelDecoration(id: decoration.id, toplevel: toplevel.toplevel.id))
            self.decoration = decoration
            return decoration
        }

        func commit() throws {
            toplevel.surface.send(.commit)
            try fixture.pump()
        }

        func show() throws {
            try client.attach(0xff00_ff00, width: 100, height: 80, to: toplevel.surface)
            try commit()
        }
    }

    @Test("decorations: each mode is granted as asked, with the next configure", arguments: [true, false])
    func granted(isFirst: Bool) throws {
        let fixture = try ServerFixture()
        let window = try Decorated(fixture)
        let asked: Mode = isFirst ? .serverSide : .clientSide
        let other: Mode = isFirst ? .clientSide : .serverSide
        let decoration = window.decorate()
        decoration.send(.setMode(mode: asked))
        try fixture.pump()
        #expect(window.modes == [] && window.toplevel.configures == 0, "nothing before the first commit")
        try window.commit()
        #expect(window.modes == [asked] && window.toplevel.configures == 1)
        try window.show()
        let configures = window.toplevel.configures
        decoration.send(.setMode(mode: other))
        try fixture.pump()
        #expect(window.modes == [asked, other] && window.toplevel.configures == configures + 1)
        #expect(window.answers.last?.configures == configures, "the mode is part of the configure that follows it")
        // Asking again is answered again.
        decoration.send(.setMode(mode: other))
        try fixture.pump()
        #expect(window.modes == [asked, other, other] && window.toplevel.configures == configures + 2)
        window.toplevel.toplevel.send(.setMaximized)
        try fixture.pump()
        #expect(window.modes.count == 3 && window.toplevel.configures == configures + 3, "only what changed is sent")
        decoration.send(.destroy)
        window.toplevel.toplevel.send(.destroy)
        try fixture.pump()
        #expect(window.client.isOpen)
    }

    @Test("decorations: who leaves the mode to the server, or asks for an unknown one, draws its own")
    func unset() throws {
        let fixture = try ServerFixture()
        let window = try Decorated(fixture)
        let decoration = window.decorate()
        try window.commit()
        #expect(window.modes == [.clientSide])
        decoration.send(.setMode(mode: .serverSide))
        try fixture.pump()
        decoration.send(.unsetMode)
        try fixture.pump()
        decoration.send(.setMode(mode: Mode(rawValue: 77)))
        try fixture.pump()
        #expect(window.modes == [.clientSide, .serverSide, .clientSide, .clientSide])
        #expect(window.client.isOpen)
    }

    @Test("decorations: SDL asks for server_side after the first configure and never sees client_side")
    func likeSDL() throws {
        let fixture = try ServerFixture()
        let window = try Decorated(fixture)
        try window.commit()
        #expect(window.toplevel.configures == 1)
        // The object and its mode in one write: a client_side in between would make SDL give up its toplevel.
        window.decorate().send(.setMode(mode: .serverSide))
        try fixture.pump()
        #expect(window.modes == [.serverSide] && window.toplevel.configures == 2)
        try window.show()
        let model = fixture.model
        let shown = try #require(model.windows.first)
        #expect(model.isVisible(shown))
        #expect(model.frame(of: shown)?.size == Size(width: 100, height: 80), "the server draws nothing around it")
        // SDL destroys the decoration first when it hides its window.
        window.decoration?.send(.destroy)
        window.toplevel.toplevel.send(.destroy)
        window.toplevel.xdg.send(.destroy)
        try fixture.pump()
        #expect(window.client.isOpen && model.windows.isEmpty)
    }

    @Test("decorations: the last of several modes in one write is the answer, and there is one")
    func together() throws {
        let fixture = try ServerFixture()
        let window = try Decorated(fixture)
        let decoration = window.decorate()
        try window.commit()
        try window.show()
        let (modes, configures) = (window.modes.count, window.toplevel.configures)
        for mode in [Mode.serverSide, .clientSide, .serverSide] { decoration.send(.setMode(mode: mode)) }
        try fixture.pump()
        #expect(window.modes.dropFirst(modes) == [.serverSide] && window.toplevel.configures == configures + 1)
    }

    @Test("decorations: a reply to wl_display.sync comes after the answer")
    func sync() throws {
        let fixture = try ServerFixture()
        let window = try Decorated(fixture)
        let decoration = window.decorate()
        try window.commit()
        decoration.send(.setMode(mode: .serverSide))
        var modes: [Mode]?
        let callback = Proxy<WlCallback>(window.client.connection, version: 1)
        callback.onEvent = { _ in modes = window.modes }
        window.client.connection.display.send(.sync(callback: callback.id))
        try fixture.pump()
        #expect(modes == [.clientSide, .serverSide])
    }

    @Test("decorations: an unmapped toplevel receives its mode again with its next first configure")
    func unmapped() throws {
        let fixture = try ServerFixture()
        let window = try Decorated(fixture)
        window.decorate().send(.setMode(mode: .serverSide))
        try window.commit()
        try window.show()
        window.toplevel.surface.send(.attach(buffer: nil, x: 0, y: 0))
        try window.commit()
        #expect(window.modes == [.serverSide])
        try window.commit()
        #expect(window.modes == [.serverSide, .serverSide])
    }

    @Test("decorations: a restart keeps the mode, and an answer that is still to come")
    func handOver() throws {
        let fixture = try ServerFixture.handingOver()
        let (early, late) = (try Decorated(fixture), try Decorated(fixture))
        for window in [early, late] { window.decorate().send(.setMode(mode: .serverSide)) }
        try early.commit()
        try early.show()
        let configures = early.toplevel.configures
        try fixture.handOver()
        try fixture.pump()
        #expect(early.toplevel.configures == configures && early.modes == [.serverSide] && late.modes == [])
        try late.commit()
        try late.show()
        #expect(late.modes == [.serverSide])
        early.decoration?.send(.setMode(mode: .clientSide))
        try fixture.pump()
        #expect(early.modes == [.serverSide, .clientSide])
    }

    @Test("decorations: an object after content, a second one and an orphaned one are errors", arguments: 0...2)
    func errors(mistake: Int) throws {
        let fixture = try ServerFixture()
        let window = try Decorated(fixture)
        if mistake == 0 {
            try window.commit()
            try window.show()
        }
        let first = window.decorate()
        let second = mistake == 1 ? window.decorate() : nil
        if mistake == 2 { window.toplevel.toplevel.send(.destroy) }
        try fixture.pump()
        let error: [ZxdgToplevelDecorationV1.Error] = [.unconfiguredBuffer, .alreadyConstructed, .orphaned]
        #expect(window.client.protocolError?.code == error[mistake].rawValue)
        if case .protocolError(let object, _, _)? = window.client.error { #expect(object == (second ?? first).id) }
    }
}
