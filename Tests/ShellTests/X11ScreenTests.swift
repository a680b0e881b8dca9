// The windows of X11 programs on several screens, unplugged, turned and scaled; title bars; a restart of the server.

import Displays
import Glibc
import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct X11ScreenTests {
    typealias Configured = TestX11Window.Configured
    private static let two = ["800x600,name=A", "640x480,name=B,mirroring=off"]

    /// Where a screen is in the layout.
    private func position(_ name: String, _ setup: X11Setup) throws -> (Int32, Int32) {
        let screen = try #require(setup.model.screens.compactMap { setup.model.screen($0) }.first { $0.name == name })
        return (Int32(screen.position.x), Int32(screen.position.y))
    }

    @Test("positions are those of the layout: a window is on the screen that shows most of it")
    func layout() throws {
        let setup = try X11Setup(Self.two)
        let (x, y) = try position("B", setup)
        #expect(x > 0)
        let window = try setup.x11.map("w", at: (x + 20, y + 30))
        #expect(try setup.screen("w") == "B" && setup.frame("w").origin == Point(x: 20, y: 30))
        #expect(window.configured == Configured(x + 20, y + 30, 200, 100))
        window.setFrame((x - 150, 30), 200, 100)
        try setup.fixture.pump()
        #expect(try setup.screen("w") == "A" && setup.frame("w").origin == Point(x: Double(x) - 150, y: 30))
        // Outside of all screens: it stays on its own.
        window.setFrame((-5000, -5000), 200, 100)
        try setup.fixture.pump()
        #expect(try setup.screen("w") == "A" && window.configured == Configured(-5000, -5000, 200, 100))
        let menu = try setup.x11.map("menu", .unmanaged, at: (x + 5, y + 5), 50, 50)
        #expect(try setup.screen("menu") == "B" && setup.frame("menu").origin == Point(x: 5, y: 5))
        #expect(menu.configures.isEmpty)
        // The server moves it.
        try setup.model.move(setup.id("w"), to: setup.model.screen(of: setup.id("menu")))
        try setup.fixture.pump()
        #expect(window.configured == Configured(x - 5000, y - 5000, 200, 100))
    }

    @Test("S8: windows of an unplugged screen wait for it, also maximized ones, and the manager knows where they are")
    func unplugged() throws {
        let setup = try X11Setup(Self.two)
        let (x, y) = try position("B", setup)
        let window = try setup.x11.map("w", at: (x + 20, y + 30))
        let large = try setup.x11.map("large", at: (x + 20, y + 30)) {
            $0.proxy.send(.setState(mask: .maximized, states: .maximized))
        }
        #expect(large.configured == Configured(x, y, 640, 480, .maximized))
        let count = window.configures.count + large.configures.count
        try setup.fixture.server.unplug("B")
        try setup.fixture.pump()
        #expect(try setup.screen("w") == nil && setup.x11.manager.isOpen)
        #expect(window.configures.count + large.configures.count == count, "the X server has them where they were")
        try setup.fixture.server.plug(ScreenSpecification(parsing: "640x480,name=B,mirroring=off"))
        try setup.fixture.pump()
        #expect(try setup.screen("w") == "B" && setup.screen("large") == "B")
        #expect(window.configures.count + large.configures.count == count)
        try setup.model.setPosition(Point(x: 0, y: 600), of: #require(setup.model.screen(of: setup.id("w"))))
        try setup.fixture.pump()
        #expect(window.configured == Configured(20, 630, 200, 100))
        #expect(large.configured == Configured(0, 600, 640, 480, .maximized))
        // Requests meanwhile are answered; only the size counts.
        try setup.fixture.server.unplug("B")
        window.setFrame((1, 1), 210, 110)
        try setup.fixture.pump()
        #expect(window.configured == Configured(20, 630, 210, 110))
        try setup.fixture.server.plug(ScreenSpecification(parsing: "640x480,name=B,mirroring=off"))
        try setup.fixture.pump()
        #expect(try setup.frame("w").origin == Point(x: 20, y: 30))
    }

    @Test("a turned and a scaled screen: maximized windows follow, buffers of scale 1 are enlarged")
    func turnedAndScaled() throws {
        let setup = try X11Setup()
        let window = try setup.x11.map("w", at: (10, 20), 100, 50)
        let large = try setup.x11.map("large") { $0.proxy.send(.setState(mask: .maximized, states: .maximized)) }
        try setup.send(.raise, to: window)
        try setup.fixture.server.rotate(setup.fixture.mainScreen, to: .landscapeLeft, duration: 0)
        try setup.fixture.pump()
        let bounds = try #require(setup.model.screen(setup.fixture.mainScreen)?.bounds)
        #expect(bounds.size == Size(width: 600, height: 800))
        #expect(large.configured == Configured(0, 0, 600, 800, .maximized))
        try setup.fixture.server.rotate(setup.fixture.mainScreen, to: .portrait, duration: 0)
        try setup.model.setScale(2, of: setup.fixture.mainScreen)
        try setup.fixture.pump()
        #expect(large.configured == Configured(0, 0, 400, 300, .maximized))
        #expect(try setup.frame("w").size == Size(width: 100, height: 50))
        let origin = try setup.frame("w").origin
        let inside = (Int(origin.x * 2) + 190, Int(origin.y * 2) + 90)
        #expect(try setup.fixture.color(x: inside.0, y: inside.1) == 0x00ff00)
    }

    @Test("a window without any screen is answered, and shown when there is one (S2)")
    func noScreen() throws {
        let setup = try X11Setup([])
        let window = try setup.x11.map("w", at: (10, 20))
        #expect(window.configured == Configured(10, 20, 200, 100))
        try setup.fixture.server.plug(ScreenSpecification(parsing: "800x600,name=A"))
        try setup.fixture.pump()
        #expect(try setup.model.isVisible(setup.id("w")) && setup.frame("w").origin == Point(x: 10, y: 20))
    }

    @Test("the areas that panels leave free are sent for each screen, when they change; status has the display")
    func workAreas() throws {
        let setup = try X11Setup(canHandOver: true)
        #expect(setup.x11.workAreas == [[[0, 0, 800, 600]]])
        let panel = try TestLayerSurface(setup.fixture.connect("panel")).set(0, 30, at: .along, zone: 30)
        try panel.map(setup.fixture)
        #expect(setup.x11.workAreas.last == [[0, 30, 800, 570]])
        try setup.fixture.server.plug(ScreenSpecification(parsing: "640x480,name=B,mirroring=off"))
        try setup.fixture.pump()
        #expect(setup.x11.workAreas.last == [[0, 30, 800, 570], [800, 0, 640, 480]])
        setup.x11.global.send(.setDisplay(name: ":7"))
        try setup.fixture.pump()
        #expect(setup.fixture.server.x11Displays(for: getuid()).map(\.display) == [":7"])
        let count = setup.x11.workAreas.count
        try setup.fixture.handOver()
        try setup.fixture.pump()
        #expect(
            setup.x11.workAreas.count == count
                && setup.fixture.server.x11Displays(for: getuid()).map(\.display) == [":7"])
        try setup.fixture.server.rotate(setup.fixture.mainScreen, to: .landscapeLeft, duration: 0)
        try setup.model.setScale(2, of: #require(setup.model.screens.last))
        try setup.fixture.pump()
        let turned = setup.model.screens.compactMap { setup.model.screen($0) }.map { Int32($0.position.x) }
        #expect(setup.x11.workAreas.last == [[0, 30, 600, 770], [turned[1], 0, 320, 240]])
        try setup.fixture.server.unplug("B")
        try setup.fixture.pump()
        #expect(setup.x11.workAreas.last == [[0, 30, 600, 770]])
        try setup.fixture.server.unplug("A")
        try setup.fixture.pump()
        #expect(setup.x11.workAreas.last == [])
        setup.x11.global.send(.destroy)
        try setup.fixture.pump()
        #expect(setup.fixture.server.x11Displays(for: getuid()) == [])
    }

    @Test(
        "full screen is on the screen that shows most of the chosen area, whenever it is chosen, and ends where it was")
    func fullscreenArea() throws {
        let setup = try X11Setup(["800x600,name=A", "640x480,name=B,mirroring=off"], canHandOver: true)
        let window = try setup.x11.map("w", at: (20, 30))
        func choose(_ x: Int32, _ y: Int32, _ width: Int32, _ height: Int32) throws {
            try setup.send(.setFullscreenArea(x: x, y: y, width: width, height: height), to: window)
        }
        try choose(800, 0, 640, 480)
        #expect(try setup.screen("w") == "A" && setup.frame("w").origin == Point(x: 20, y: 30))
        try setup.send(.setState(mask: .fullscreen, states: .fullscreen), to: window)
        #expect(try setup.screen("w") == "B")
        #expect(window.configured == .init(800, 0, 640, 480, .fullscreen))
        // Across both: the one that shows more of it.
        try choose(0, 0, 1440, 600)
        #expect(window.configured == .init(0, 0, 800, 600, .fullscreen))
        // Nowhere: where it is.
        try choose(5000, 0, .max, 100)
        #expect(window.configured == .init(0, 0, 800, 600, .fullscreen))
        try choose(.min, .min, -5, 0)
        try choose(800, 0, 640, 480)
        try setup.fixture.handOver()
        try setup.fixture.pump()
        try setup.send(.setState(mask: .fullscreen, states: []), to: window)
        #expect(try setup.screen("w") == "A" && setup.frame("w").origin == Point(x: 20, y: 30))
        try setup.send(.setState(mask: .fullscreen, states: .fullscreen), to: window)
        #expect(try setup.screen("w") == "B")
    }

    @Test("title bars: above the frame, on the screen, not for menus nor where the program says no; a press moves")
    func titleBars() throws {
        let setup = try X11Setup()
        setup.fixture.server.decorations = .bar
        let window = try setup.x11.map("w", at: (100, 0))
        let height = Int32(TitleBar.height)
        #expect(window.configured == Configured(100, height, 200, 100))
        #expect(try setup.fixture.color(x: 110, y: 2) == 0x2f_3b4c)
        try setup.press(150, 5)
        try setup.move(170, 45)
        try setup.button(false)
        #expect(window.configured == Configured(120, height + 40, 200, 100))
        // The close button.
        try setup.press(315, 45)
        try setup.button(false)
        #expect(window.closes == 1)
        let plain = try setup.x11.map("plain", at: (0, 300)) { $0.proxy.send(.setDecorated(isDecorated: 0)) }
        _ = try setup.x11.map("menu", .unmanaged, at: (400, 300), 50, 50)
        #expect(try setup.fixture.color(x: 10, y: 290) != 0x2f_3b4c)
        #expect(try setup.fixture.color(x: 410, y: 295) != 0x2f_3b4c)
        try setup.send(.setDecorated(isDecorated: 1), to: plain)
        try setup.send(.activate, to: plain)
        #expect(try setup.fixture.color(x: 10, y: 290) == 0x2f_3b4c)
        try setup.send(.setState(mask: .maximized, states: .maximized), to: plain)
        #expect(plain.configured == Configured(0, height, 800, 600 - height, .maximized))
    }

    @Test("a restart keeps windows, order, frames, focus and names of later surfaces; no event is sent twice")
    func restarts() throws {
        let setup = try X11Setup(canHandOver: true)
        setup.fixture.server.decorations = .bar
        let main = try setup.x11.map("main", at: (100, 100))
        let large = try setup.x11.map("large", at: (10, 90)) {
            $0.proxy.send(.setState(mask: .maximized, states: .maximized))
        }
        try large.draw(800, 600 - Int32(TitleBar.height))
        try setup.send(.activate, to: main)
        let menu = try setup.x11.map("menu", .unmanaged, at: (150, 150), 40, 40, color: 0xffff_0000)
        let late = setup.x11.window("late")
        late.setFrame((400, 400), 20, 20)
        try setup.fixture.pump()
        // Its id is taken, and sent to nobody yet.
        let surface = Proxy<WlSurface>(setup.x11.program.connection, version: setup.x11.program.compositor.version)
        late.proxy.send(.setSurface(surface: surface.id.rawValue))
        try setup.fixture.pump()
        let stack = setup.x11.stack
        let pictures = try setup.fixture.pictures()
        let counts = [main, large, menu, late].map { ($0.configures.count, $0.focus.count) }
        let moves = setup.x11.moves
        try setup.fixture.handOver()
        try setup.fixture.pump()
        #expect(setup.x11.manager.isOpen && setup.x11.program.isOpen && !setup.x11.hasEnded)
        #expect(setup.x11.stack == stack && setup.x11.moves == moves)
        for (window, count) in zip([main, large, menu, late], counts) {
            #expect(window.configures.count == count.0 && window.focus.count == count.1 && window.end == nil)
        }
        #expect(try setup.fixture.pictures() == pictures && setup.keyTitle == "main")
        // Everything goes on.
        setup.x11.program.compositor.send(.createSurface(id: surface.id))
        try setup.x11.program.attach(0xff00_00ff, width: 20, height: 20, to: surface)
        surface.send(.commit)
        try setup.fixture.pump()
        #expect(try setup.fixture.color(x: 405, y: 405) == 0x0000ff)
        try setup.send(.setState(mask: .maximized, states: []), to: large)
        #expect(large.configured == Configured(10, 90, 200, 100))
        menu.setFrame((160, 160), 40, 40)
        try setup.fixture.pump()
        #expect(try setup.frame("menu").origin == Point(x: 160, y: 160))
        try setup.x11.program.kill()
        #expect(setup.x11.hasEnded && main.end == .serverEnded && setup.model.windows.isEmpty)
        // An ended X server survives a restart too, inert.
        try setup.fixture.handOver()
        main.destroy()
        setup.x11.server.send(.destroy)
        try setup.fixture.pump()
        #expect(setup.x11.manager.isOpen)
    }

    @Test("a manager or an X server that dies during a restart ends the other half", arguments: [true, false])
    func diesInRestart(isManager: Bool) throws {
        let setup = try X11Setup(canHandOver: true)
        let window = try setup.x11.map("w")
        let gone = isManager ? setup.x11.manager : setup.x11.program
        try setup.fixture.handOver { state in
            gone.connection.disconnect()
            return state
        }
        setup.fixture.detach(gone)
        try setup.fixture.pump()
        #expect(setup.model.windows.isEmpty && setup.fixture.server.clientCount == (isManager ? 0 : 1))
        if isManager {
            #expect(!setup.x11.program.isOpen)
        } else {
            #expect(setup.x11.hasEnded && window.end == .serverEnded && setup.x11.manager.isOpen)
        }
    }
}
