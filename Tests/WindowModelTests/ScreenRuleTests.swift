// Screens: S1–S4, S6, S8.

import Geometry
import Testing
import WindowModel

@Suite struct ScreenRuleTests {
    @Test("S1: ids are never reused, names are unique, invalid screens are refused")
    func screenIdentity() throws {
        let model = WindowModel()
        let first = try model.connect(Desk.wall)
        #expect(refusal { _ = try model.connect(Desk.wall) }?.rule == .s1)
        try model.disconnect(first)
        #expect(try model.connect(Desk.wall) != first)
        var bad = Desk.panel
        bad.scale = 0
        #expect(refusal { _ = try model.connect(bad) }?.rule == .s1)
        bad = Desk.panel
        bad.modes = []
        #expect(refusal { _ = try model.connect(bad) }?.rule == .s1)
        #expect(model.screens.count == 1)
    }

    @Test("S2: the main screen is first, the others in order of connection")
    func screenOrder() throws {
        let model = WindowModel()
        let wall = try model.connect(Desk.wall)
        #expect(model.mainScreen == wall)
        let panel = try model.connect(Desk.panel)
        var third = Desk.wall
        third.name = "Third"
        let last = try model.connect(third)
        #expect(model.screens == [panel, wall, last])
        try model.disconnect(panel)
        #expect(model.screens == [wall, last])
    }

    @Test("S2: without a screen windows wait, and are shown when one appears")
    func noScreen() throws {
        let model = WindowModel()
        let app = model.addApplication()
        let window = try model.createWindow(application: app)
        try model.makeKeyAndVisible(window)
        #expect(!model.isVisible(window) && model.keyWindow == nil)
        let screen = try model.connect(Desk.panel)
        #expect(model.window(window)?.frame == model.screen(screen)?.bounds)
        #expect(
            model.drainEffects() == [
                .screenDidConnect(screen), .screenDidChange(window, app, screen), .frameDidChange(window, app),
                .didBecomeVisible(window, app), .didBecomeKey(window, app), .needsDisplay(screen),
            ])
    }

    @Test("S3: the highest resolution is the default; only available modes can be set")
    func modes() throws {
        let model = WindowModel()
        let (low, high) = (Screen.Mode(width: 640, height: 480), Screen.Mode(width: 1920, height: 1080))
        var wall = Desk.wall
        wall.modes = [low, high]
        wall.preferredMode = low
        let id = try model.connect(wall)
        #expect(model.screen(id)?.currentMode == high)
        #expect(model.screen(id)?.preferredMode == low)
        let error = refusal { try model.setMode(Screen.Mode(width: 1, height: 1), of: id) }
        #expect(error?.rule == .s3)
        #expect(error?.message.contains("1920x1080") == true)
        #expect(model.screen(id)?.currentMode == high)
    }

    @Test(
        "S4: bounds follow the orientation, native and fixed bounds do not; round trips are exact",
        arguments: Screen.Orientation.allCases)
    func coordinateSpaces(orientation: Screen.Orientation) throws {
        let model = WindowModel()
        var panel = Desk.panel
        panel.modes = [Screen.Mode(width: 1000, height: 800)]
        panel.scale = 1.1
        panel.orientation = orientation
        let id = try model.connect(panel)
        let screen = try #require(model.screen(id))
        #expect(screen.nativeBounds == Rect(x: 0, y: 0, width: 1000, height: 800))
        #expect(screen.fixedBounds.size == Size(width: 1000 / 1.1, height: 800 / 1.1))
        let isTurned = screen.bounds.size.width == 800 / 1.1
        #expect(isTurned == orientation.isLandscape)
        var random = SplitMix64(seed: 4)
        for _ in 0..<1000 {
            let point = Point(x: Double(random.below(200_000)) / 256, y: Double(random.below(200_000)) / 256)
            #expect(screen.convertFromFixed(screen.convertToFixed(point)) == point)
            #expect(screen.convertFromPixels(screen.convertToPixels(point)) == point)
        }
        let corners: [Screen.Orientation: Point] = [
            .portrait: Point(x: 0, y: 0), .portraitUpsideDown: Point(x: 1000, y: 800),
            .landscapeLeft: Point(x: 0, y: 800), .landscapeRight: Point(x: 1000, y: 0),
        ]
        #expect(screen.convertToPixels(.zero) == corners[orientation])
    }

    @Test("S4: points convert between windows and screens, and a round trip is exact")
    func windowCoordinates() throws {
        let desk = try Desk()
        let wall = try desk.model.connect(Desk.wall)
        try desk.model.setPosition(Point(x: 500, y: 0.3), of: wall)
        let a = try desk.shown(x: 10.1, y: 20)
        let b = try desk.shown(x: 30, y: 0.7)
        let c = try desk.shown(x: 5, y: 5, on: wall)
        for other in [b, c] {
            let there = try #require(desk.model.convert(Point(x: 3, y: 4.5), from: a, to: other))
            #expect(desk.model.convert(there, from: other, to: a) == Point(x: 3, y: 4.5))
        }
        #expect(desk.model.convert(.zero, from: c, to: b) == Point(x: 475, y: 4.6))
        try desk.model.setTransform(.scale(x: 2, y: 2), of: b)
        #expect(desk.model.convertToScreen(Point(x: 50, y: 50), from: b) == Point(x: 80, y: 50.7))
        #expect(desk.model.convertFromScreen(Point(x: 80, y: 50.7), to: b) == Point(x: 50, y: 50))
    }

    @Test("S6: connecting, disconnecting and mode changes are notified; the new mode is then current")
    func notifications() throws {
        let desk = try Desk()
        var wall = Desk.wall
        wall.modes.append(Screen.Mode(width: 320, height: 240))
        let id = try desk.model.connect(wall)
        try desk.model.setMode(wall.modes[1], of: id)
        #expect(desk.model.screen(id)?.currentMode == wall.modes[1])
        try desk.model.disconnect(id)
        #expect(desk.effects() == [.screenDidConnect(id), .modeDidChange(id), .screenDidDisconnect(id)])
        #expect(refusal { try desk.model.disconnect(id) }?.kind == .unknownScreen)
    }

    @Test("S8: windows of an unplugged screen wait and return with frame, order and visibility")
    func unplugAndReplug() throws {
        let desk = try Desk()
        let wall = try desk.model.connect(Desk.wall)
        let main = try desk.shown()
        let a = try desk.shown(x: 7, on: wall)
        let b = try desk.shown(on: wall)
        try desk.model.bringToFront(a)
        let hidden = try desk.model.createWindow(application: desk.app, screen: wall)
        try desk.model.makeKey(b)
        _ = desk.effects()
        try desk.model.disconnect(wall)
        #expect(
            desk.effects() == [
                .screenDidDisconnect(wall), .didBecomeHidden(b, desk.app), .didResignKey(b, desk.app),
                .didBecomeKey(main, desk.app), .screenDidChange(b, desk.app, nil), .didBecomeHidden(a, desk.app),
                .screenDidChange(a, desk.app, nil), .screenDidChange(hidden, desk.app, nil),
            ])
        #expect(desk.model.window(a)?.awaitedScreen == Desk.wall.identity)
        var stranger = Desk.wall
        stranger.name = "Stranger"
        try desk.model.connect(stranger)
        #expect(!desk.model.isVisible(a))
        let again = try desk.model.connect(Desk.wall)
        #expect(desk.model.windows(on: again) == [b, a])
        #expect(desk.model.window(a)?.frame.minX == 7)
        #expect(desk.model.window(hidden)?.screen == again && !desk.model.isVisible(hidden))
        #expect(desk.model.keyWindow == main)
    }

    @Test("S8: a waiting window can be moved elsewhere")
    func moveOrphan() throws {
        let desk = try Desk()
        let wall = try desk.model.connect(Desk.wall)
        let window = try desk.shown(on: wall)
        try desk.model.disconnect(wall)
        _ = desk.effects()
        try desk.model.move(window, to: desk.screen)
        #expect(
            desk.effects() == [
                .screenDidChange(window, desk.app, desk.screen), .didBecomeVisible(window, desk.app),
            ])
        try desk.model.connect(Desk.wall)
        #expect(desk.model.window(window)?.screen == desk.screen)
    }

    @Test("S8: the policy orphans = main moves them to the main screen")
    func orphansToMain() throws {
        let desk = try Desk(policy: Policy(orphans: .main))
        let wall = try desk.model.connect(Desk.wall)
        let window = try desk.shown(on: wall)
        try desk.model.makeKey(window)
        _ = desk.effects()
        try desk.model.disconnect(wall)
        #expect(desk.effects() == [.screenDidDisconnect(wall), .screenDidChange(window, desk.app, desk.screen)])
        #expect(desk.model.isVisible(window) && desk.model.keyWindow == window)
    }
}
