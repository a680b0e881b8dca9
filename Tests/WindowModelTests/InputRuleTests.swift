// Hit-testing, touches and keys: H1–H3, E1–E3, E6–E9.

import MullionGeometry
import Testing
import WindowModel

@Suite struct InputRuleTests {
    @Test("H1: front to back, skipping windows that cannot receive the point")
    func skipping() throws {
        let fixture = try ModelFixture()
        let (back, front) = (try fixture.shown(), try fixture.shown())
        let point = Point(x: 50, y: 50)
        func hit() -> Window.ID? { fixture.model.hitTest(point, on: fixture.screen)?.window }
        #expect(hit() == front)
        try fixture.model.setAlpha(0.009, of: front)
        #expect(hit() == back)
        try fixture.model.setAlpha(0.01, of: front)
        #expect(hit() == front)
        try fixture.model.setTransform(.scale(x: 0, y: 1), of: front)
        #expect(hit() == back)
        try fixture.model.setTransform(AffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 90, ty: 0), of: front)
        #expect(fixture.model.hitTest(Point(x: 100, y: 50), on: fixture.screen)?.location == Point(x: 50, y: 90))
        #expect(hit() == back)
        try fixture.model.setHidden(true, of: back)
        #expect(hit() == nil)
    }

    @Test("H1: deepest front-most surface; outside its parent only without clipping", arguments: [false, true])
    func surfaces(clips: Bool) throws {
        let fixture = try ModelFixture()
        let (window, root) = try fixture.plain(x: 100)
        try fixture.model.setClipsToBounds(clips, of: window)
        let (child, grandchild) = (fixture.surface(50, 50), fixture.surface(200, 10))
        try fixture.model.addSubsurface(child, to: root)
        try fixture.model.addSubsurface(grandchild, to: child)
        try fixture.model.setPosition(child, Point(x: 10, y: 10))
        func hit(_ x: Double, _ y: Double) -> Routing.Hit? {
            fixture.model.hitTest(Point(x: x, y: y), on: fixture.screen)
        }
        #expect(hit(115, 15)?.surface == grandchild)
        #expect(hit(115, 15)?.location == Point(x: 5, y: 5))
        #expect(hit(115, 25)?.surface == child)
        #expect(hit(105, 25)?.surface == root)
        #expect(hit(250, 15)?.surface == (clips ? nil : grandchild))
        try fixture.model.setContent(child, size: nil)
        #expect(hit(115, 15)?.surface == root)
    }

    @Test("H2: outside the input region, the point falls through to the window behind")
    func inputRegion() throws {
        let fixture = try ModelFixture()
        let behind = try fixture.shown()
        let overlay = try fixture.shown()
        let root = fixture.surface(100, 100)
        try fixture.model.setRoot(root, of: overlay)
        try fixture.model.setInputRegion(root, [Rect(x: 0, y: 0, width: 10, height: 10)])
        #expect(fixture.model.hitTest(Point(x: 5, y: 5), on: fixture.screen)?.window == overlay)
        #expect(fixture.model.hitTest(Point(x: 10, y: 5), on: fixture.screen)?.window == behind)
        try fixture.model.setInputRegion(root, nil)
        #expect(fixture.model.hitTest(Point(x: 10, y: 5), on: fixture.screen)?.window == overlay)
    }

    @Test("H3: the routing names the receiver of the event, and why each window in front did not receive it")
    func explained() throws {
        let fixture = try ModelFixture()
        let taker = try fixture.shown()
        _ = try fixture.shown(x: 0, y: 0, level: -1)
        let hidden = try fixture.model.createWindow(application: fixture.app)
        let faint = try fixture.shown()
        try fixture.model.setAlpha(0, of: faint)
        let disabled = try fixture.shown()
        try fixture.model.setUserInteractionEnabled(false, of: disabled)
        let elsewhere = try fixture.shown(x: 300)
        let (open, root) = try fixture.plain()
        try fixture.model.setInputRegion(root, [])
        let point = Point(x: 50, y: 50)
        let routing = try fixture.model.touch(
            id: 1, phase: .began, at: point, on: fixture.screen, time: 1, explain: true)
        #expect(routing.hit?.window == taker && routing.hit?.screenLocation == point)
        #expect(routing.candidates.map(\.window) == [open, elsewhere, disabled, faint, hidden])
        let reasons: [Routing.Reason] = [.inputRegion, .outsideFrame, .interactionDisabled, .alpha, .hidden]
        #expect(routing.candidates.map(\.reason) == reasons)
        #expect(try fixture.touch(2, .began, 499, 399).reason == .noWindow)
        for window in fixture.model.windows { try fixture.model.setCanBecomeKey(false, of: window) }
        #expect(try fixture.model.press(key: 30, pressed: true, time: 2).reason == .noKeyWindow)
        var wall = ModelFixture.wall
        wall.isInteractive = false
        let screen = try fixture.model.connect(wall)
        _ = try fixture.shown(on: screen)
        #expect(
            try fixture.model.touch(id: 3, phase: .began, at: point, on: screen, time: 3).reason
                == .screenNotInteractive)
    }

    @Test("H1: hits among ten thousand windows agree with a plain search")
    func manyWindows() throws {
        let fixture = try ModelFixture()
        var random = SplitMix64(seed: 10_000)
        var frames: [(level: Double, frame: Rect, id: Window.ID)] = []
        for _ in 0..<10_000 {
            let frame = Rect(
                x: Double(random.below(500)), y: Double(random.below(400)), width: Double(1 + random.below(20)),
                height: Double(1 + random.below(20)))
            let level = Double(random.below(50))
            let id = try fixture.model.createWindow(
                application: fixture.app, options: Window.Options(frame: frame, level: level))
            try fixture.model.setHidden(false, of: id)
            frames.append((level, frame, id))
        }
        for _ in 0..<200 {
            let point = Point(x: Double(random.below(500)) + 0.5, y: Double(random.below(400)))
            var expected: (level: Double, id: Window.ID)?
            for (level, frame, id) in frames where frame.contains(point) && level >= expected?.level ?? 0 {
                expected = (level, id)
            }
            #expect(fixture.model.hitTest(point, on: fixture.screen)?.window == expected?.id)
        }
    }

    @Test("E1: a touch stays with the target where it began, key or not; each touch has its own target")
    func touches() throws {
        let fixture = try ModelFixture()
        let (a, b) = (try fixture.shown(), try fixture.shown(x: 200))
        try fixture.touch(1, .began, 50, 50)
        try fixture.touch(2, .began, 250, 50)
        try fixture.model.setFrame(Rect(x: 300, y: 300, width: 10, height: 10), of: a)
        try fixture.touch(1, .moved, 250, 50)
        try fixture.touch(2, .ended, 0, 0)
        try fixture.touch(1, .ended, 301, 302)
        let events = fixture.events()
        #expect(events.map(\.window) == [a, b, a, b, a])
        #expect(events.map(\.phase) == [.began, .began, .moved, .ended, .ended])
        #expect(events.last?.location == Point(x: 1, y: 2))
        #expect(refusal { try fixture.touch(1, .moved, 0, 0) }?.rule == .e1)
        try fixture.touch(1, .began, 0, 0)
        #expect(refusal { try fixture.touch(1, .began, 0, 0) }?.rule == .e1)
    }

    @Test(
        "E2: a target hidden, destroyed, unplugged or without its surface is cancelled exactly once; the rest is dropped",
        arguments: 0..<4)
    func cancelled(how: Int) throws {
        let fixture = try ModelFixture()
        let (window, _) = try fixture.plain()
        let child = fixture.surface(100, 100)
        try fixture.model.addSubsurface(child, to: try #require(fixture.model.window(window)?.root))
        try fixture.touch(7, .began, 50, 50)
        _ = fixture.events()
        switch how {
        case 0: try fixture.model.setHidden(true, of: window)
        case 1: try fixture.model.destroyWindow(window)
        case 2: try fixture.model.disconnect(fixture.screen)
        default: try fixture.model.destroySurface(child)
        }
        let events = fixture.events()
        #expect(events.map(\.phase) == [.cancelled])
        #expect(events.first?.detail == .touch(7) && events.first?.surface == child)
        if how == 0 { try fixture.model.setHidden(false, of: window) }
        #expect(try fixture.touch(7, .moved, 50, 50).reason == .cancelled)
        #expect(try fixture.touch(7, .ended, 50, 50).reason == .cancelled)
        #expect(fixture.events().isEmpty && fixture.model.touchCount == 0)
    }

    @Test("E3: presses and shaking go to the key window only; without one they are dropped and counted")
    func presses() throws {
        let fixture = try ModelFixture()
        let (a, b) = (try fixture.shown(), try fixture.shown(level: 10))
        #expect(try fixture.model.press(key: 30, pressed: true, time: 1).reason == .noKeyWindow)
        #expect(try fixture.model.press(key: 30, pressed: false, time: 1).reason == .noKeyWindow)
        #expect(try fixture.model.shake(.began, time: 1).reason == .noKeyWindow)
        #expect(fixture.model.droppedPresses == 2, "a key counts when it goes down, not again when it goes up")
        try fixture.model.makeKey(a)
        #expect(try fixture.model.press(key: 30, pressed: true, time: 2).hit?.window == a)
        #expect(try fixture.model.shake(.ended, time: 1).reason == .cancelled)
        #expect(try fixture.model.shake(.began, time: 2).hit?.window == a)
        try fixture.model.shake(.ended, time: 2)
        _ = fixture.events()
        try fixture.model.makeKey(b)
        let effects = fixture.effects()
        guard case .deliver(let event) = effects.first else { throw Mismatch("the key stays down") }
        #expect(event.phase == .cancelled && event.window == a && event.detail == .key(30))
        #expect(effects.dropFirst() == [.didResignKey(a, fixture.app), .didBecomeKey(b, fixture.app)])
        #expect(try fixture.model.press(key: 30, pressed: false, time: 3).reason == .cancelled)
        try fixture.model.press(key: 31, pressed: true, time: 4)
        try fixture.model.press(key: 31, pressed: false, time: 5)
        #expect(fixture.events().map(\.phase) == [.began, .ended])
    }

    @Test("E6: a text-editing window is made key first, then receives the keys")
    func editing() throws {
        let fixture = try ModelFixture()
        let (a, b) = (try fixture.shown(), try fixture.shown())
        try fixture.model.makeKey(b)
        try fixture.model.beginEditing(a)
        #expect(try fixture.model.press(key: 30, pressed: true, time: 1).hit?.window == a)
    }

    @Test("E7: ignoring nests, blocks new sequences but not running ones, and passes nothing to windows behind")
    func ignoring() throws {
        let fixture = try ModelFixture()
        _ = try fixture.shown(of: fixture.other)
        let window = try fixture.shown()
        try fixture.touch(1, .began, 50, 50)
        try fixture.model.beginIgnoringInteractionEvents(fixture.app)
        try fixture.model.beginIgnoringInteractionEvents(fixture.app)
        #expect(try fixture.touch(1, .moved, 51, 50).hit?.window == window)
        #expect(try fixture.touch(2, .began, 50, 50).reason == .ignoring)
        try fixture.model.endIgnoringInteractionEvents(fixture.app)
        #expect(try fixture.touch(3, .began, 50, 50).reason == .ignoring)
        try fixture.model.endIgnoringInteractionEvents(fixture.app)
        #expect(try fixture.touch(4, .began, 50, 50).hit?.window == window)
        #expect(try fixture.touch(2, .moved, 50, 50).reason == .cancelled)
        #expect(fixture.model.ignoredEvents == 2, "the beginnings that were blocked")
        #expect(refusal { try fixture.model.endIgnoringInteractionEvents(fixture.app) }?.rule == .e7)
    }

    @Test("E8: disabled interaction falls through, and nests by tokens")
    func interaction() throws {
        let fixture = try ModelFixture()
        let (behind, front) = (try fixture.shown(), try fixture.shown())
        func hit() -> Window.ID? { fixture.model.hitTest(Point(x: 50, y: 50), on: fixture.screen)?.window }
        let (one, two) = (try fixture.model.disableInteraction(front), try fixture.model.disableInteraction(front))
        try fixture.model.enableInteraction(one)
        #expect(refusal { try fixture.model.enableInteraction(one) }?.rule == .e8)
        #expect(hit() == behind)
        try fixture.model.enableInteraction(two)
        #expect(hit() == front)
        try fixture.model.setUserInteractionEnabled(false, of: front)
        #expect(hit() == behind)
    }

    @Test("E9: timestamps never run backwards, serials count up, locations are in surface and screen")
    func stamps() throws {
        let fixture = try ModelFixture()
        _ = try fixture.shown(x: 10, y: 20)
        try fixture.touch(1, .began, 15, 26, time: 100)
        try fixture.touch(1, .moved, 16, 26, time: 50)
        try fixture.touch(1, .ended, 16, 26, time: 200)
        let events = fixture.events()
        #expect(events.map(\.timestamp) == [100, 100, 200])
        #expect(events.map(\.serial) == [1, 2, 3])
        #expect(events[0].location == Point(x: 5, y: 6) && events[0].screenLocation == Point(x: 15, y: 26))
        #expect(events[0].screen == fixture.screen && events[0].kind.rawValue == 0)
        #expect(refusal { try fixture.touch(1, .began, .nan, 0) }?.rule == .e9)
    }
}
