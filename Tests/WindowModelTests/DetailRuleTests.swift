// Sentences of the rules that the other suites prove only in passing, one test for each.

import MullionGeometry
import Testing
import WindowModel

@Suite struct DetailRuleTests {
    @Test("C5: the root of an extension's window takes the whole frame, unless its input region says otherwise")
    func wholeFrame() throws {
        let fixture = try ModelFixture()
        let window = try fixture.shown()
        let root = fixture.surface(10, 10)
        try fixture.model.setRoot(root, of: window)
        let far = Point(x: 90, y: 90)
        #expect(fixture.model.hitTest(far, on: fixture.screen)?.surface == root)
        try fixture.model.setInputRegion(root, [Rect(x: 0, y: 0, width: 10, height: 10)])
        #expect(fixture.model.hitTest(far, on: fixture.screen) == nil)
        #expect(fixture.model.hitTest(Point(x: 5, y: 5), on: fixture.screen)?.surface == root)
    }

    @Test("S1, R4: a flipped screen keeps its bounds and frames, and touches are where the picture is seen")
    func flipped() throws {
        let fixture = try ModelFixture()
        let window = try fixture.shown()
        let before = try #require(fixture.model.screen(fixture.screen))
        let pixel = before.convertToPixels(Point(x: 10, y: 20))
        _ = fixture.effects()
        try fixture.model.setFlipped(true, of: fixture.screen)
        #expect(fixture.effects() == [.screenPropertiesDidChange(fixture.screen)])
        let after = try #require(fixture.model.screen(fixture.screen))
        #expect(after.bounds == before.bounds && fixture.model.frame(of: window)?.origin == .zero)
        #expect(after.convertToPixels(Point(x: 10, y: 20)) == Point(x: 1000 - pixel.x, y: pixel.y))
        #expect(after.convertFromPixels(Point(x: 1000 - pixel.x, y: pixel.y)) == Point(x: 10, y: 20))
    }

    @Test("S5: with none, a touch at an edge that is lost still hits what would be seen there")
    func lostEdge() throws {
        let fixture = try ModelFixture()
        var wall = ModelFixture.wall
        (wall.overscan, wall.overscanInsets) = (.none, Screen.Insets(top: 20, left: 20, bottom: 20, right: 20))
        let id = try fixture.model.connect(wall)
        let window = try fixture.shown(on: id)
        let screen = try #require(fixture.model.screen(id))
        #expect(!screen.visibleArea.contains(screen.convertToPixels(Point(x: 5, y: 5))))
        let routing = try fixture.model.touch(id: 1, phase: .began, at: Point(x: 5, y: 5), on: id, time: 1)
        #expect(routing.hit?.window == window)
    }

    @Test("S6: screens keep their distance up to the right edge of the first whose position was set")
    func anchor() throws {
        for (start, moved) in [(1100.0, 900.0), (1200, 1200)] {
            let model = WindowModel()
            func connect(_ name: String, _ x: Double, isSet: Bool = false) throws -> Screen.ID {
                let modes = [600, 400].map { Screen.Mode(width: $0, height: 400) }
                return try model.connect(
                    ScreenDescription(
                        name: name, modes: modes, mirroring: .off, position: Point(x: x, y: isSet ? 1000 : 0),
                        isPositioned: isSet))
            }
            let first = try connect("A", 0)
            // From 600 to 1200, far below the others.
            _ = try connect("B", 600, isSet: true)
            let last = try connect("C", start)
            try model.setMode(Screen.Mode(width: 400, height: 400), of: first)
            #expect(model.screen(last)?.position.x == moved)
        }
    }

    @Test("S8: on return all windows learn their screen first, then they become visible, back to front")
    func returning() throws {
        let fixture = try ModelFixture()
        let model = fixture.model
        let wall = try model.connect(ModelFixture.wall)
        let (a, b) = (try fixture.shown(on: wall), try fixture.shown(on: wall))
        try model.disconnect(wall)
        _ = fixture.effects()
        let back = try model.connect(ModelFixture.wall)
        #expect(
            fixture.effects() == [
                .screenDidConnect(back), .screenDidChange(a, fixture.app, back),
                .screenDidChange(b, fixture.app, back), .didBecomeVisible(a, fixture.app),
                .didBecomeVisible(b, fixture.app),
            ])
    }

    @Test(
        "S8, W3: what is shown, or given content, while it waits is in front when it returns", arguments: [false, true])
    func shownWaiting(byContent: Bool) throws {
        let fixture = try ModelFixture()
        let model = fixture.model
        let wall = try model.connect(ModelFixture.wall)
        let options = byContent ? Window.Options.plain : Window.Options()
        let late = try model.createWindow(application: fixture.app, screen: wall, options: options)
        let root = model.createSurface()
        try model.setRoot(root, of: late)
        if byContent { try model.setHidden(false, of: late) }
        let early = try fixture.shown(on: wall)
        try model.disconnect(wall)
        if byContent {
            try model.setContent(root, size: Size(width: 10, height: 10))
        } else {
            try model.setHidden(false, of: late)
        }
        #expect(model.windows(on: try model.connect(ModelFixture.wall)) == [early, late])
    }

    @Test("K1, K5: a key window that moves to another seat's screen resigns, and key passes on, before it is told")
    func otherSeat() throws {
        let fixture = try ModelFixture()
        let wall = try fixture.model.connect(ModelFixture.wall)
        try fixture.model.addSeat(name: "second", screens: ["Wall"])
        let (heir, window) = (try fixture.shown(), try fixture.shown())
        try fixture.model.makeKey(window)
        _ = fixture.effects()
        try fixture.model.move(window, to: wall)
        // S7: the other screen no longer mirrors.
        #expect(
            fixture.effects() == [
                .didResignKey(window, fixture.app), .didBecomeKey(heir, fixture.app),
                .screenPropertiesDidChange(wall), .screenDidChange(window, fixture.app, wall),
            ])
    }

    @Test("K2, S8: the wish of a window that waits for an unplugged screen belongs to that screen's seat")
    func waitingWish() throws {
        let fixture = try ModelFixture()
        let model = fixture.model
        let seat = try model.addSeat(name: "second", screens: ["Wall"])
        let wall = try model.connect(ModelFixture.wall)
        let (here, there) = (
            try model.createWindow(application: fixture.app),
            try model.createWindow(application: fixture.app, screen: wall)
        )
        let waiting = try model.createWindow(application: fixture.app, screen: wall)
        try model.makeKey(here)
        try model.makeKey(there)
        try model.disconnect(wall)
        try model.makeKey(waiting)
        try model.setHidden(false, of: here)
        #expect(model.keyWindow == here, "the later wish is on the other seat")
        for window in [there, waiting] { try model.setHidden(false, of: window) }
        try model.connect(ModelFixture.wall)
        #expect(model.keyWindow(of: seat) == waiting)
    }

    @Test("K2, S2: the wish of a window that waits for any screen voids the wishes on all seats")
    func wishWithoutScreen() throws {
        let model = WindowModel()
        let seat = try model.addSeat(name: "second", screens: ["Wall"])
        let app = model.addApplication()
        let there = try model.createWindow(application: app, awaiting: ModelFixture.wall.identity)
        let anywhere = try model.createWindow(application: app)
        for window in [there, anywhere] { try model.makeKeyAndVisible(window) }
        try model.connect(ModelFixture.panel)
        #expect(model.keyWindow == anywhere)
        try model.connect(ModelFixture.wall)
        #expect(model.isVisible(there) && model.keyWindow(of: seat) == nil)
    }

    @Test("K2: resignKey, and declining, withdraw a wish", arguments: [false, true])
    func withdrawn(byDeclining: Bool) throws {
        let fixture = try ModelFixture()
        let window = try fixture.model.createWindow(application: fixture.app)
        try fixture.model.makeKey(window)
        if byDeclining {
            for canBecomeKey in [false, true] { try fixture.model.setCanBecomeKey(canBecomeKey, of: window) }
        } else {
            try fixture.model.resignKey(window)
        }
        try fixture.model.setHidden(false, of: window)
        #expect(fixture.model.keyWindow == nil)
    }

    @Test("K4, K6: the key window resigns when it declines key, which passes on, and does not come back by itself")
    func declines() throws {
        let fixture = try ModelFixture()
        let (heir, window) = (try fixture.shown(), try fixture.shown())
        try fixture.model.makeKey(window)
        _ = fixture.effects()
        try fixture.model.setCanBecomeKey(false, of: window)
        #expect(fixture.effects() == [.didResignKey(window, fixture.app), .didBecomeKey(heir, fixture.app)])
        try fixture.model.setCanBecomeKey(true, of: window)
        #expect(fixture.model.keyWindow == heir)
    }

    @Test("K5: of the windows of one level on several screens, key passes to the one that entered it last")
    func severalScreens() throws {
        let fixture = try ModelFixture()
        let wall = try fixture.model.connect(ModelFixture.wall)
        let (a, b) = (try fixture.shown(), try fixture.shown(on: wall))
        let key = try fixture.shown(level: 10)
        for last in [a, b] {
            try fixture.model.makeKeyAndVisible(key)
            try fixture.model.bringToFront(last)
            try fixture.model.setHidden(true, of: key)
            #expect(fixture.model.keyWindow == last)
        }
    }

    @Test("L2: a plain program's window that appears while the server is locked is not among those that asked")
    func plainWhileLocked() throws {
        let fixture = try ModelFixture()
        let (typing, _) = try fixture.plain()
        try fixture.model.lock(by: fixture.other)
        _ = try fixture.plain()
        fixture.model.unlock()
        #expect(fixture.model.keyWindow == typing)
    }

    @Test("E2: a change of mode, scale or overscan cancels no touch", arguments: ["mode", "scale", "overscan"])
    func sizeChanges(what: String) throws {
        let fixture = try ModelFixture()
        var wall = ModelFixture.wall
        wall.modes.append(Screen.Mode(width: 320, height: 240))
        wall.overscanInsets = Screen.Insets(top: 20, left: 20, bottom: 20, right: 20)
        let id = try fixture.model.connect(wall)
        let window = try fixture.shown(on: id)
        let point = Point(x: 5, y: 5)
        try fixture.model.touch(id: 1, phase: .began, at: point, on: id, time: 1)
        _ = fixture.effects()
        switch what {
        case "mode": try fixture.model.setMode(wall.modes[1], of: id)
        case "scale": try fixture.model.setScale(2, of: id)
        default: try fixture.model.setOverscan(.insetBounds, of: id)
        }
        #expect(fixture.events().isEmpty)
        let routing = try fixture.model.touch(id: 1, phase: .ended, at: point, on: id, time: 2)
        #expect(routing.hit?.window == window)
    }

    @Test("H3: screenNotInteractive and outsideScreen are said before locked and reserved", arguments: [false, true])
    func reasons(isLocked: Bool) throws {
        let fixture = try ModelFixture()
        var quiet = ModelFixture.wall
        quiet.isInteractive = false
        let wall = try fixture.model.connect(quiet)
        if isLocked {
            try fixture.model.lock(by: fixture.other)
        } else {
            try fixture.model.reserveInput(for: fixture.other)
        }
        func reason(_ x: Double, _ screen: Screen.ID) -> Routing.Reason? {
            fixture.model.routing(fixture.model.hitTest(Point(x: x, y: 5), on: screen, explain: true)).reason
        }
        #expect(reason(5, fixture.screen) == (isLocked ? .locked : .reserved))
        #expect(reason(5000, fixture.screen) == .outsideScreen)
        #expect(reason(5, wall) == .screenNotInteractive && reason(5000, wall) == .screenNotInteractive)
    }
}
