// The windows of X11 programs, which a manager describes: frames, states, order and kinds.

import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

/// A server with an X server, both of whose ends the test plays.
final class X11Setup {
    let fixture: ServerFixture
    let x11: TestX11
    var model: WindowModel { fixture.model }

    init(_ screens: [String] = ["800x600,name=A"], canHandOver: Bool = false) throws {
        fixture = try canHandOver ? .handingOver(screens: screens) : ServerFixture(screens: screens)
        x11 = try TestX11(fixture)
    }

    init(fixture: ServerFixture, policy: PeerPolicy = .standard) throws {
        self.fixture = fixture
        fixture.server.peerPolicy = policy
        x11 = try TestX11(fixture)
    }

    func id(_ title: String) throws -> Window.ID {
        try #require(model.windows.first { model.window($0)?.title == title })
    }

    func frame(_ title: String) throws -> Rect { try #require(model.frame(of: id(title))) }
    func screen(_ title: String) throws -> String? {
        try model.screen(of: id(title)).flatMap { model.screen($0)?.name }
    }
    var keyTitle: String? { model.keyWindow.flatMap { model.window($0)?.title } }

    func send(_ request: MullionX11WindowV1.Request, to window: TestX11Window) throws {
        window.proxy.send(request)
        try fixture.pump()
    }

    /// The window that a tap hits.
    func tap(_ x: Double, _ y: Double) throws -> Window.ID? {
        if case .hit(let hit) = try fixture.tap(x: x, y: y).outcome { hit.window } else { nil }
    }

    func move(_ x: Double, _ y: Double) throws {
        try model.pointerMoved(to: Point(x: x, y: y), on: fixture.mainScreen, time: fixture.loop.now)
        try fixture.pump()
    }

    func button(_ pressed: Bool) throws {
        try model.pointerButton(code: 0x110, pressed: pressed, time: fixture.loop.now)
        try fixture.pump()
    }

    func press(_ x: Double, _ y: Double) throws {
        try move(x, y)
        try button(true)
    }
}

@Suite struct X11WindowTests {
    typealias Configured = TestX11Window.Configured

    @Test("a window with a surface is shown where the manager was configured, drawn, listed, hit and key")
    func shows() throws {
        let setup = try X11Setup()
        let window = try setup.x11.map("xterm", at: (120, 80)) { $0.proxy.send(.setAppId(appId: "XTerm")) }
        #expect(window.configured == Configured(120, 80, 200, 100))
        #expect(try setup.frame("xterm") == Rect(x: 120, y: 80, width: 200, height: 100))
        #expect(try setup.fixture.color(x: 130, y: 90) == 0x00ff00)
        #expect(try setup.fixture.color(x: 110, y: 90) != 0x00ff00)
        #expect(setup.keyTitle == "xterm" && window.focus == [true])
        #expect(try setup.tap(130, 90) == setup.id("xterm"))
        #expect(setup.fixture.server.foreignToplevels.toplevel(try setup.id("xterm"))?.applicationID == "XTerm")
        #expect(setup.x11.stack == ["xterm"])
        window.destroy()
        try setup.fixture.pump()
        #expect(setup.model.windows.isEmpty && setup.x11.manager.isOpen && setup.x11.program.isOpen)
    }

    @Test("the surface may come before its window or after it; the content may be there already")
    func anyOrder() throws {
        let setup = try X11Setup()
        let early = setup.x11.window("early")
        try early.draw(50, 40)
        try setup.fixture.pump()
        early.setFrame((10, 10), 50, 40)
        try setup.send(.setSurface(surface: early.surface.id.rawValue), to: early)
        #expect(setup.model.isVisible(try setup.id("early")))
        // The id that the next surface of the X server gets.
        let late = setup.x11.window("late")
        late.setFrame((100, 10), 50, 40)
        try setup.fixture.pump()
        let next = late.surface.id.rawValue + 2
        try setup.send(.setSurface(surface: next), to: late)
        #expect(!setup.model.isVisible(try setup.id("late")))
        var made: Proxy<WlSurface>?
        for _ in 0..<8 where made?.id.rawValue != next { made = setup.x11.program.surface() }
        let surface = try #require(made)
        #expect(surface.id.rawValue == next)
        try setup.x11.program.attach(0xffff_0000, width: 50, height: 40, to: surface)
        surface.send(.commit)
        try setup.fixture.pump()
        #expect(try setup.model.isVisible(setup.id("late")) && setup.fixture.color(x: 110, y: 20) == 0xff0000)
        // It is gone with the surface, and shown again with another.
        surface.send(.destroy)
        try setup.fixture.pump()
        #expect(!setup.model.isVisible(try setup.id("late")))
        try late.draw(50, 40)
        try setup.send(.setSurface(surface: late.surface.id.rawValue), to: late)
        #expect(try setup.model.isVisible(setup.id("late")) && setup.frame("late").origin == Point(x: 100, y: 10))
        try setup.send(.setSurface(surface: 0), to: late)
        #expect(!setup.model.isVisible(try setup.id("late")))
    }

    @Test("windows without a position are cascaded; a dialog is centred over its parent")
    func places() throws {
        let setup = try X11Setup()
        let one = try setup.x11.map("one")
        let two = try setup.x11.map("two")
        #expect(one.configured?.x != two.configured?.x)
        for window in [one, two] {
            let configured = try #require(window.configured)
            #expect(
                try setup.frame(window.name)
                    == Rect(x: Double(configured.x), y: Double(configured.y), width: 200, height: 100))
        }
        // Also those that are placed at the same time, before any of them has content.
        let early = try X11Setup()
        let waiting = ["three", "four", "five"].map { early.x11.window($0) }
        for window in waiting { window.setFrame(nil, 60, 50) }
        try early.fixture.pump()
        #expect(waiting.map { $0.configured?.x } == [32, 64, 96])
        for window in waiting { window.destroy() }
        let alone = early.x11.window("six")
        alone.setFrame(nil, 60, 50)
        try early.fixture.pump()
        #expect(alone.configured?.x == 32)
        let dialog = try setup.x11.map("dialog", .dialog, 100, 50) {
            $0.proxy.send(.setParent(parent: one.proxy.id))
        }
        let parent = try setup.frame("one")
        #expect(
            dialog.configured
                == Configured(Int32(parent.minX) + 50, Int32(parent.minY) + 25, 100, 50))
        #expect(setup.x11.stack == ["two", "one", "dialog"] || setup.x11.stack == ["one", "dialog", "two"])
    }

    @Test("programs move and resize their windows; an answer always comes")
    func requests() throws {
        let setup = try X11Setup()
        let window = try setup.x11.map("w", at: (10, 20))
        window.setFrame((30, 40), 200, 100)
        try setup.fixture.pump()
        #expect(window.configured == Configured(30, 40, 200, 100))
        #expect(try setup.frame("w").origin == Point(x: 30, y: 40))
        window.setFrame(nil, 300, 150)
        try setup.fixture.pump()
        #expect(window.configured == Configured(30, 40, 300, 150))
        #expect(try setup.frame("w").size == Size(width: 200, height: 100), "the content's, until there is other")
        try window.draw(300, 150)
        try setup.fixture.pump()
        #expect(try setup.frame("w") == Rect(x: 30, y: 40, width: 300, height: 150))
        let count = window.configures.count
        window.setFrame(nil, 300, 150)
        try setup.fixture.pump()
        #expect(window.configures.count == count + 1 && window.configured == Configured(30, 40, 300, 150))
        // Nonsense is taken for the least.
        window.setFrame((.min, .max), .min, 0)
        try setup.fixture.pump()
        #expect(window.configured == Configured(.min, .max, 1, 1) && setup.x11.manager.isOpen)
    }

    @Test("maximized and full-screen windows fill the screen, and get their frame back")
    func fills() throws {
        let setup = try X11Setup()
        let window = try setup.x11.map("w", at: (30, 40))
        try setup.send(.setState(mask: .maximized, states: .maximized), to: window)
        #expect(window.configured == Configured(0, 0, 800, 600, .maximized))
        // Its program cannot change that, but is answered.
        let count = window.configures.count
        window.setFrame((5, 5), 50, 50)
        try setup.fixture.pump()
        #expect(window.configures.count == count + 1)
        #expect(window.configured == Configured(0, 0, 800, 600, .maximized))
        try window.draw(800, 600)
        try setup.send(.setState(mask: [.fullscreen, .maximized], states: .fullscreen), to: window)
        #expect(window.configured == Configured(0, 0, 800, 600, .fullscreen))
        #expect(try setup.frame("w") == Rect(x: 0, y: 0, width: 800, height: 600))
        try setup.send(.setState(mask: .fullscreen, states: []), to: window)
        #expect(window.configured == Configured(30, 40, 200, 100))
        try window.draw(200, 100)
        try setup.fixture.pump()
        #expect(try setup.frame("w") == Rect(x: 30, y: 40, width: 200, height: 100))
        // From the beginning.
        let large = try setup.x11.map("large", at: (60, 60)) {
            $0.proxy.send(.setState(mask: .maximized, states: .maximized))
        }
        #expect(large.configured == Configured(0, 0, 800, 600, .maximized))
        #expect(try setup.frame("large") == Rect(x: 0, y: 0, width: 800, height: 600))
    }

    @Test("a minimized window is hidden, resigns key and says so; activating shows it again")
    func minimizes() throws {
        let setup = try X11Setup()
        let window = try setup.x11.map("w", at: (30, 40))
        try setup.send(.setState(mask: .minimized, states: .minimized), to: window)
        #expect(!setup.model.isVisible(try setup.id("w")))
        #expect(window.configured == Configured(30, 40, 200, 100, .minimized) && window.focus == [true, false])
        try setup.send(.setSurface(surface: window.surface.id.rawValue), to: window)
        try setup.send(.activate, to: window)
        #expect(window.configured == Configured(30, 40, 200, 100) && window.focus == [true, false])
        #expect(!setup.model.isVisible(try setup.id("w")), "the X server maps it first")
        try setup.send(.setSurface(surface: window.surface.id.rawValue), to: window)
        #expect(setup.model.isVisible(try setup.id("w")) && setup.keyTitle == "w")
        #expect(window.focus == [true, false, true])
    }

    @Test("unmanaged windows are where they are, in front of the key window, and never key")
    func unmanaged() throws {
        let setup = try X11Setup()
        let main = try setup.x11.map("main", at: (30, 40))
        let other = try setup.x11.map("other", at: (400, 40))
        try setup.send(.activate, to: main)
        let menu = try setup.x11.map("menu", .unmanaged, at: (50, 60), 60, 80, color: 0xffff_0000)
        #expect(menu.configures.isEmpty && menu.focus.isEmpty)
        #expect(try setup.frame("menu") == Rect(x: 50, y: 60, width: 60, height: 80))
        #expect(try setup.fixture.color(x: 55, y: 65) == 0xff0000)
        #expect(try setup.tap(55, 65) == setup.id("menu"))
        #expect(setup.keyTitle == "main")
        #expect(try setup.model.parent(of: setup.id("menu")) == setup.id("main"))
        #expect(setup.fixture.server.foreignToplevels.toplevel(try setup.id("menu")) == nil)
        #expect(setup.x11.stack == ["other", "main", "menu"])
        // One that is drawn before the manager knows where it is appears there, not elsewhere first.
        let late = setup.x11.window("late", .unmanaged)
        late.proxy.send(.setSurface(surface: late.surface.id.rawValue))
        try late.draw(20, 10)
        try setup.fixture.pump()
        #expect(try !setup.model.isVisible(setup.id("late")))
        late.setFrame((5, 6), 20, 10)
        try setup.fixture.pump()
        #expect(try setup.model.isVisible(setup.id("late")) && late.configures.isEmpty)
        #expect(try setup.frame("late") == Rect(x: 5, y: 6, width: 20, height: 10))
        #expect(try setup.model.parent(of: setup.id("late")) == setup.id("main"))
        late.destroy()
        // It moves as the program says.
        menu.setFrame((70, 70), 60, 80)
        try setup.fixture.pump()
        #expect(try setup.frame("menu").origin == Point(x: 70, y: 70) && menu.configures.isEmpty)
        // It follows its parent to the front, with which it is behind another window.
        try setup.send(.activate, to: other)
        #expect(setup.x11.stack == ["main", "menu", "other"])
        try setup.fixture.tap(x: 75, y: 75)
        #expect(setup.x11.stack == ["main", "menu", "other"] && setup.keyTitle == "other")
    }

    @Test("the X server's order of windows is the server's, with the fewest moves")
    func order() throws {
        let setup = try X11Setup()
        var windows: [TestX11Window] = []
        for index in 0..<6 { windows.append(try setup.x11.map("\(index)", at: (Int32(index) * 40, 0), 30, 30)) }
        #expect(setup.x11.stack == ["0", "1", "2", "3", "4", "5"] && setup.x11.moves == 6)
        try setup.send(.raise, to: windows[2])
        #expect(setup.x11.stack == ["0", "1", "3", "4", "5", "2"] && setup.x11.moves == 7)
        try setup.send(.raise, to: windows[2])
        #expect(setup.x11.moves == 7)
        windows[4].destroy()
        try setup.fixture.tap(x: 5, y: 5)
        #expect(setup.x11.stack == ["1", "3", "5", "2", "0"] && setup.keyTitle == "0")
        try setup.model.setLevel(-1, of: setup.id("2"))
        try setup.fixture.pump()
        #expect(setup.x11.stack == ["2", "1", "3", "5", "0"])
    }

    @Test("StackOrder: random orders become each other, with no move more than necessary")
    func stackOrder() {
        var random = SeededRandom(seed: 20)
        for _ in 0..<500 {
            let old = (0..<Int.random(in: 0...8, using: &random)).shuffled(using: &random)
            let new = (0..<Int.random(in: old.count...9, using: &random)).shuffled(using: &random)
            let moves = StackOrder.moves(from: old, to: new)
            var result = old
            for move in moves {
                result.removeAll { $0 == move.item }
                let below = move.above.flatMap { result.firstIndex(of: $0) }
                result.insert(move.item, at: below.map { $0 + 1 } ?? 0)
            }
            #expect(result == new)
            #expect(Set(moves.map(\.item)).isSuperset(of: Set(new).subtracting(old)))
            if old.count == new.count, old != new { #expect(moves.count < new.count) }
        }
        #expect(StackOrder.moves(from: [1, 2, 3, 4], to: [1, 3, 4, 2]) == [.init(item: 2, above: 4)])
        #expect(StackOrder.moves(from: [1, 2, 3], to: [3, 1, 2]) == [.init(item: 3, above: nil)])
    }

    @Test("begin_move and begin_resize drag with the press that the X server holds")
    func drags() throws {
        let setup = try X11Setup()
        let pointer = try TestPointer(setup.x11.program)
        defer { _ = pointer.serials }
        let window = try setup.x11.map("w", at: (100, 100)) {
            $0.proxy.send(.setSizeLimits(minWidth: 50, minHeight: 50, maxWidth: 400, maxHeight: 20))
        }
        // Nothing is pressed.
        try setup.send(.beginMove, to: window)
        try setup.press(110, 110)
        try setup.send(.beginMove, to: window)
        try setup.move(150, 130)
        #expect(window.configured == TestX11Window.Configured(140, 120, 200, 100))
        try setup.button(false)
        #expect(try setup.frame("w").origin == Point(x: 140, y: 120))
        // From the left edge: the right one stays where it is.
        try setup.press(141, 130)
        try setup.send(.beginResize(edges: 4), to: window)
        try setup.move(121, 130)
        #expect(window.configured == TestX11Window.Configured(120, 120, 220, 100, .resizing))
        try window.draw(220, 100)
        try setup.fixture.pump()
        #expect(try setup.frame("w") == Rect(x: 120, y: 120, width: 220, height: 100))
        try setup.move(0, 130)
        #expect(window.configured == TestX11Window.Configured(-1, 120, 341, 100, .resizing))
        try setup.button(false)
        #expect(window.configured == TestX11Window.Configured(-1, 120, 341, 100))
        try window.draw(341, 100)
        try setup.fixture.pump()
        #expect(try setup.frame("w") == Rect(x: -1, y: 120, width: 341, height: 100))
    }
}
