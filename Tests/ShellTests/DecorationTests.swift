// zxdg_toplevel_decoration_v1: who draws decorations.

import DisplayServer
import MullionGeometry
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

    /// What a client asks for, in order; nil unsets the mode.
    private static let requests: [(asked: [Mode?], mode: Mode)] = [
        ([], .serverSide), ([.clientSide], .clientSide), ([.serverSide], .serverSide), ([nil], .serverSide),
        ([.clientSide, nil], .serverSide), ([nil, .clientSide], .clientSide),
        ([.clientSide, .serverSide], .serverSide), ([.serverSide, .clientSide], .clientSide),
        ([.clientSide, Mode(rawValue: 77)], .serverSide), ([Mode(rawValue: 0)], .serverSide),
    ]

    /// When it asks: before the first commit, between the first configure and the first content, or afterwards.
    enum Moment: CaseIterable { case beforeConfigure, beforeMapping, afterMapping }

    @Test(
        "decorations: server-side unless the client asked for the other, whenever it asks; bars as configured",
        arguments: Moment.allCases, [Decorations.none, .bar])
    func table(moment: Moment, decorations: Decorations) throws {
        for (asked, mode) in Self.requests {
            // Each request is answered alone, or all together.
            for isTogether in [true, false] {
                let fixture = try ServerFixture()
                fixture.server.decorations = decorations
                let window = try Decorated(fixture)
                let decoration = window.decorate()
                func ask() throws {
                    for mode in asked {
                        if let mode { decoration.send(.setMode(mode: mode)) } else { decoration.send(.unsetMode) }
                        if !isTogether { try fixture.pump() }
                    }
                    try fixture.pump()
                }
                if moment == .beforeConfigure { try ask() }
                try window.commit()
                #expect(window.modes == [moment == .beforeConfigure ? mode : .serverSide], "\(asked)")
                if moment == .beforeMapping { try ask() }
                try window.show()
                if moment == .afterMapping { try ask() }
                let answers = moment == .beforeConfigure || asked.isEmpty ? 0 : isTogether ? 1 : asked.count
                #expect(window.modes.count == 1 + answers && window.modes.last == mode, "\(asked): \(window.modes)")
                let shown = try #require(fixture.model.windows.first)
                let hasBar = fixture.model.rootAndPopups(of: shown).count == 2
                #expect(hasBar == (decorations == .bar && mode == .serverSide), "\(asked)")
                #expect(window.client.isOpen)
            }
        }
    }

    @Test(
        "decorations: SDL asks for server_side after the first configure and never sees client_side",
        arguments: [true, false])
    func likeSDL(isTogether: Bool) throws {
        let fixture = try ServerFixture()
        let window = try Decorated(fixture)
        try window.commit()
        #expect(window.toplevel.configures == 1)
        // A client_side before the mode is asked for would make SDL give up its toplevel.
        let decoration = window.decorate()
        if !isTogether { try fixture.pump() }
        decoration.send(.setMode(mode: .serverSide))
        try fixture.pump()
        let answers = isTogether ? 1 : 2
        #expect(window.modes == Array(repeating: .serverSide, count: answers))
        #expect(window.toplevel.configures == 1 + answers)
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
        decoration.send(.setMode(mode: .clientSide))
        var modes: [Mode]?
        let callback = Proxy<WlCallback>(window.client.connection, version: 1)
        callback.onEvent = { _ in modes = window.modes }
        window.client.connection.display.send(.sync(callback: callback.id))
        try fixture.pump()
        #expect(modes == [.serverSide, .clientSide])
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
