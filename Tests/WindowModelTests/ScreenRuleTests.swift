// Screens: S1–S4, S6, S8.

import MullionGeometry
import Testing
import WindowModel

@Suite struct ScreenRuleTests {
    @Test("S1: without power a screen's picture is black, and nothing else changes")
    func power() throws {
        let fixture = try ModelFixture()
        let window = try fixture.shown()
        try fixture.model.setBackgroundColor(.black, of: window)
        try fixture.model.makeKey(window)
        _ = fixture.effects()
        let before = fixture.model.window(window)
        try fixture.model.setPowered(false, of: fixture.screen)
        #expect(
            fixture.model.drainEffects() == [
                .screenPropertiesDidChange(fixture.screen), .needsDisplay(fixture.screen),
            ])
        #expect(fixture.model.frame(for: fixture.screen)?.layers.isEmpty == true)
        #expect(fixture.model.window(window) == before)
        #expect(try fixture.touch(1, .began, 50, 50).hit?.window == window)
        let restored = try WindowModel(restoring: fixture.model.snapshot())
        #expect(restored.screen(fixture.screen)?.isPowered == false)
        try fixture.model.setPowered(true, of: fixture.screen)
        #expect(fixture.model.frame(for: fixture.screen)?.layers.count == 1)
        #expect(fixture.model.screen(fixture.screen)?.isPowered == true)
    }

    @Test("S1: ids are never reused, names are unique, invalid screens are refused")
    func screenIdentity() throws {
        let model = WindowModel()
        let first = try model.connect(ModelFixture.wall)
        #expect(refusal { _ = try model.connect(ModelFixture.wall) }?.rule == .s1)
        try model.disconnect(first)
        #expect(try model.connect(ModelFixture.wall) != first)
        var bad = ModelFixture.panel
        bad.scale = 0
        #expect(refusal { _ = try model.connect(bad) }?.rule == .s1)
        bad = ModelFixture.panel
        bad.modes = []
        #expect(refusal { _ = try model.connect(bad) }?.rule == .s1)
        #expect(model.screens.count == 1)
    }

    @Test("S2: the main screen is first, the others in order of connection")
    func screenOrder() throws {
        let model = WindowModel()
        func notified() -> [Effect] {
            model.drainEffects().filter { if case .mainScreenDidChange = $0 { true } else { false } }
        }
        let wall = try model.connect(ModelFixture.wall)
        #expect(model.mainScreen == wall && notified() == [.mainScreenDidChange(wall)])
        let panel = try model.connect(ModelFixture.panel)
        #expect(notified() == [.mainScreenDidChange(panel)])
        var third = ModelFixture.wall
        third.name = "Third"
        let last = try model.connect(third)
        #expect(model.screens == [panel, wall, last] && notified().isEmpty)
        try model.disconnect(panel)
        #expect(model.screens == [wall, last] && notified() == [.mainScreenDidChange(wall)])
        try model.disconnect(last)
        #expect(notified().isEmpty)
        try model.disconnect(wall)
        #expect(model.mainScreen == nil && notified() == [.mainScreenDidChange(nil)])
    }

    @Test("S2: without a screen windows wait, and are shown when one appears")
    func noScreen() throws {
        let model = WindowModel()
        let app = model.addApplication()
        let window = try model.createWindow(application: app)
        try model.makeKeyAndVisible(window)
        #expect(!model.isVisible(window) && model.keyWindow == nil)
        #expect(
            model.drainEffects() == [
                .applicationDidConnect(app), .windowDidOpen(window, app), .cameToFront(window, app),
                .windowDidChange(window, app, .hidden),
            ])
        let screen = try model.connect(ModelFixture.panel)
        #expect(model.window(window)?.frame == model.screen(screen)?.bounds)
        #expect(
            model.drainEffects() == [
                .screenDidConnect(screen), .mainScreenDidChange(screen), .screenDidChange(window, app, screen),
                .frameDidChange(window, app),
                .didBecomeVisible(window, app), .didBecomeKey(window, app), .needsDisplay(screen),
            ])
    }

    @Test("S3: the first mode is preferred, and the preferred one current, unless it is stated otherwise")
    func defaultModes() throws {
        let modes = [640, 1920, 1280].map { Screen.Mode(width: $0, height: 480) }
        for preferred in [nil] + modes {
            for current in [nil] + modes {
                let model = WindowModel()
                var wall = ModelFixture.wall
                (wall.modes, wall.preferredMode, wall.currentMode) = (modes, preferred, current)
                let screen = model.screen(try model.connect(wall))
                #expect(screen?.preferredMode == preferred ?? modes[0])
                #expect(screen?.currentMode == current ?? preferred ?? modes[0])
            }
        }
    }

    @Test("S3: only available modes can be set")
    func modes() throws {
        let model = WindowModel()
        let (low, high) = (Screen.Mode(width: 640, height: 480), Screen.Mode(width: 1920, height: 1080))
        var wall = ModelFixture.wall
        wall.modes = [low, high]
        let id = try model.connect(wall)
        try model.setMode(high, of: id)
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
        var panel = ModelFixture.panel
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
        let fixture = try ModelFixture()
        let wall = try fixture.model.connect(ModelFixture.wall)
        try fixture.model.setPosition(Point(x: 500, y: 0.3), of: wall)
        let a = try fixture.shown(x: 10.1, y: 20)
        let b = try fixture.shown(x: 30, y: 0.7)
        let c = try fixture.shown(x: 5, y: 5, on: wall)
        for other in [b, c] {
            let there = try fixture.model.convert(Point(x: 3, y: 4.5), from: .window(a), to: .window(other))
            #expect(try fixture.model.convert(there, from: .window(other), to: .window(a)) == Point(x: 3, y: 4.5))
        }
        #expect(try fixture.model.convert(.zero, from: .window(c), to: .window(b)) == Point(x: 475, y: 4.6))
        try fixture.model.setTransform(.scale(x: 2, y: 2), of: b)
        #expect(fixture.model.convertToScreen(Point(x: 50, y: 50), from: b) == Point(x: 80, y: 50.7))
        #expect(fixture.model.convertFromScreen(Point(x: 80, y: 50.7), to: b) == Point(x: 50, y: 50))
    }

    @Test("S6: a change of scale tells the new bounds and is no change of mode; together with a mode it is one change")
    func scale() throws {
        let fixture = try ModelFixture()
        var wall = ModelFixture.wall
        wall.modes.append(Screen.Mode(width: 320, height: 240))
        let id = try fixture.model.connect(wall)
        let full = try fixture.model.createWindow(application: fixture.app, screen: id)
        _ = fixture.effects()
        try fixture.model.setScale(2, of: id)
        #expect(fixture.effects() == [.screenPropertiesDidChange(id), .frameDidChange(full, fixture.app)])
        #expect(fixture.model.screen(id)?.bounds == Rect(x: 0, y: 0, width: 320, height: 240))
        try fixture.model.setMode(wall.modes[1], scale: 1, of: id)
        #expect(fixture.effects() == [.modeDidChange(id)], "the bounds are the same")
        try fixture.model.setMode(wall.modes[1], scale: 1, of: id)
        #expect(fixture.effects() == [])
    }

    @Test("S6: connecting, disconnecting and mode changes are notified; the new mode is then current")
    func notifications() throws {
        let fixture = try ModelFixture()
        var wall = ModelFixture.wall
        wall.modes.append(Screen.Mode(width: 320, height: 240))
        let id = try fixture.model.connect(wall)
        try fixture.model.setMode(wall.modes[1], of: id)
        #expect(fixture.model.screen(id)?.currentMode == wall.modes[1])
        try fixture.model.disconnect(id)
        #expect(fixture.effects() == [.screenDidConnect(id), .modeDidChange(id), .screenDidDisconnect(id)])
        #expect(refusal { try fixture.model.disconnect(id) }?.kind == .unknownScreen)
    }

    @Test("S8: windows of an unplugged screen wait and return with frame, order and visibility")
    func unplugAndReplug() throws {
        let fixture = try ModelFixture()
        let wall = try fixture.model.connect(ModelFixture.wall)
        let main = try fixture.shown()
        let a = try fixture.shown(x: 7, on: wall)
        let b = try fixture.shown(on: wall)
        try fixture.model.bringToFront(a)
        let hidden = try fixture.model.createWindow(application: fixture.app, screen: wall)
        try fixture.model.makeKey(b)
        _ = fixture.effects()
        try fixture.model.disconnect(wall)
        #expect(
            fixture.effects() == [
                .screenDidDisconnect(wall), .didBecomeHidden(b, fixture.app), .didResignKey(b, fixture.app),
                .didBecomeKey(main, fixture.app), .screenDidChange(b, fixture.app, nil),
                .didBecomeHidden(a, fixture.app),
                .screenDidChange(a, fixture.app, nil), .screenDidChange(hidden, fixture.app, nil),
            ])
        #expect(fixture.model.window(a)?.awaitedScreen == ModelFixture.wall.identity)
        var stranger = ModelFixture.wall
        stranger.name = "Stranger"
        try fixture.model.connect(stranger)
        #expect(!fixture.model.isVisible(a))
        let again = try fixture.model.connect(ModelFixture.wall)
        #expect(fixture.model.windows(on: again) == [b, a])
        #expect(fixture.model.window(a)?.frame.minX == 7)
        #expect(fixture.model.window(hidden)?.screen == again && !fixture.model.isVisible(hidden))
        #expect(fixture.model.keyWindow == main)
    }

    @Test("S8: a waiting window can be moved elsewhere")
    func moveOrphan() throws {
        let fixture = try ModelFixture()
        let wall = try fixture.model.connect(ModelFixture.wall)
        let window = try fixture.shown(on: wall)
        try fixture.model.disconnect(wall)
        _ = fixture.effects()
        try fixture.model.move(window, to: fixture.screen)
        #expect(
            fixture.effects() == [
                .screenDidChange(window, fixture.app, fixture.screen), .didBecomeVisible(window, fixture.app),
            ])
        try fixture.model.connect(ModelFixture.wall)
        #expect(fixture.model.window(window)?.screen == fixture.screen)
    }

    @Test("S8: the policy orphans = main moves them to the main screen")
    func orphansToMain() throws {
        let fixture = try ModelFixture(policy: Policy(orphans: .main))
        let wall = try fixture.model.connect(ModelFixture.wall)
        let window = try fixture.shown(on: wall)
        try fixture.model.makeKey(window)
        _ = fixture.effects()
        try fixture.model.disconnect(wall)
        #expect(
            fixture.effects() == [.screenDidDisconnect(wall), .screenDidChange(window, fixture.app, fixture.screen)])
        #expect(fixture.model.isVisible(window) && fixture.model.keyWindow == window)
    }
}
