// Hit-testing, touches and keys: H1–H3, E1–E3, E6–E9.

import Geometry
import Testing
import WindowModel

@Suite struct InputRuleTests {
    @Test("H1: front to back, skipping windows that cannot receive the point")
    func skipping() throws {
        let desk = try Desk()
        let (back, front) = (try desk.shown(), try desk.shown())
        let point = Point(x: 50, y: 50)
        func hit() -> Window.ID? { desk.model.hitTest(point, on: desk.screen)?.window }
        #expect(hit() == front)
        try desk.model.setAlpha(0.009, of: front)
        #expect(hit() == back)
        try desk.model.setAlpha(0.01, of: front)
        #expect(hit() == front)
        try desk.model.setTransform(.scale(x: 0, y: 1), of: front)
        #expect(hit() == back)
        try desk.model.setTransform(AffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 90, ty: 0), of: front)
        #expect(desk.model.hitTest(Point(x: 100, y: 50), on: desk.screen)?.location == Point(x: 50, y: 90))
        #expect(hit() == back)
        try desk.model.setHidden(true, of: back)
        #expect(hit() == nil)
    }

    @Test("H1: deepest front-most surface; outside its parent only without clipping", arguments: [false, true])
    func surfaces(clips: Bool) throws {
        let desk = try Desk()
        let (window, root) = try desk.plain(x: 100)
        try desk.model.setClipsToBounds(clips, of: window)
        let (child, grandchild) = (desk.surface(50, 50), desk.surface(200, 10))
        try desk.model.addSubsurface(child, to: root)
        try desk.model.addSubsurface(grandchild, to: child)
        try desk.model.setPosition(child, Point(x: 10, y: 10))
        func hit(_ x: Double, _ y: Double) -> Routing.Hit? {
            desk.model.hitTest(Point(x: x, y: y), on: desk.screen)
        }
        #expect(hit(115, 15)?.surface == grandchild)
        #expect(hit(115, 15)?.location == Point(x: 5, y: 5))
        #expect(hit(115, 25)?.surface == child)
        #expect(hit(105, 25)?.surface == root)
        #expect(hit(250, 15)?.surface == (clips ? nil : grandchild))
        try desk.model.setContent(child, size: nil)
        #expect(hit(115, 15)?.surface == root)
    }

    @Test("H2: outside the input region, the point falls through to the window behind")
    func inputRegion() throws {
        let desk = try Desk()
        let behind = try desk.shown()
        let overlay = try desk.shown()
        let root = desk.surface(100, 100)
        try desk.model.setRoot(root, of: overlay)
        try desk.model.setInputRegion(root, [Rect(x: 0, y: 0, width: 10, height: 10)])
        #expect(desk.model.hitTest(Point(x: 5, y: 5), on: desk.screen)?.window == overlay)
        #expect(desk.model.hitTest(Point(x: 10, y: 5), on: desk.screen)?.window == behind)
        try desk.model.setInputRegion(root, nil)
        #expect(desk.model.hitTest(Point(x: 10, y: 5), on: desk.screen)?.window == overlay)
    }

    @Test("H3: the routing names the receiver of the event, and why each window in front did not receive it")
    func explained() throws {
        let desk = try Desk()
        let taker = try desk.shown()
        _ = try desk.shown(x: 0, y: 0, level: -1)
        let hidden = try desk.model.createWindow(application: desk.app)
        let faint = try desk.shown()
        try desk.model.setAlpha(0, of: faint)
        let disabled = try desk.shown()
        try desk.model.setUserInteractionEnabled(false, of: disabled)
        let elsewhere = try desk.shown(x: 300)
        let (open, root) = try desk.plain()
        try desk.model.setInputRegion(root, [])
        let point = Point(x: 50, y: 50)
        let routing = try desk.model.touch(
            id: 1, phase: .began, at: point, on: desk.screen, time: 1, explain: true)
        #expect(routing.hit?.window == taker && routing.hit?.screenLocation == point)
        #expect(routing.candidates.map(\.window) == [open, elsewhere, disabled, faint, hidden])
        let reasons: [Routing.Reason] = [.inputRegion, .outsideFrame, .interactionDisabled, .alpha, .hidden]
        #expect(routing.candidates.map(\.reason) == reasons)
        #expect(try desk.touch(2, .began, 499, 399).reason == .noWindow)
        #expect(try desk.model.press(key: 30, pressed: true, time: 2).reason == .noKeyWindow)
        var wall = Desk.wall
        wall.isInteractive = false
        let screen = try desk.model.connect(wall)
        _ = try desk.shown(on: screen)
        #expect(
            try desk.model.touch(id: 3, phase: .began, at: point, on: screen, time: 3).reason == .screenNotInteractive)
    }

    @Test("H1: hits among ten thousand windows agree with a plain search")
    func manyWindows() throws {
        let desk = try Desk()
        var random = SplitMix64(seed: 10_000)
        var frames: [(level: Double, frame: Rect, id: Window.ID)] = []
        for _ in 0..<10_000 {
            let frame = Rect(
                x: Double(random.below(500)), y: Double(random.below(400)), width: Double(1 + random.below(20)),
                height: Double(1 + random.below(20)))
            let level = Double(random.below(50))
            let id = try desk.model.createWindow(
                application: desk.app, options: Window.Options(frame: frame, level: level))
            try desk.model.setHidden(false, of: id)
            frames.append((level, frame, id))
        }
        for _ in 0..<200 {
            let point = Point(x: Double(random.below(500)) + 0.5, y: Double(random.below(400)))
            var expected: (level: Double, id: Window.ID)?
            for (level, frame, id) in frames where frame.contains(point) && level >= expected?.level ?? 0 {
                expected = (level, id)
            }
            #expect(desk.model.hitTest(point, on: desk.screen)?.window == expected?.id)
        }
    }

    @Test("E1: a touch stays with the target where it began, key or not; each touch has its own target")
    func touches() throws {
        let desk = try Desk()
        let (a, b) = (try desk.shown(), try desk.shown(x: 200))
        try desk.touch(1, .began, 50, 50)
        try desk.touch(2, .began, 250, 50)
        try desk.model.setFrame(Rect(x: 300, y: 300, width: 10, height: 10), of: a)
        try desk.touch(1, .moved, 250, 50)
        try desk.touch(2, .ended, 0, 0)
        try desk.touch(1, .ended, 301, 302)
        let events = desk.events()
        #expect(events.map(\.window) == [a, b, a, b, a])
        #expect(events.map(\.phase) == [.began, .began, .moved, .ended, .ended])
        #expect(events.last?.location == Point(x: 1, y: 2))
        #expect(refusal { try desk.touch(1, .moved, 0, 0) }?.rule == .e1)
        try desk.touch(1, .began, 0, 0)
        #expect(refusal { try desk.touch(1, .began, 0, 0) }?.rule == .e1)
    }

    @Test(
        "E2: a target hidden, destroyed, unplugged or without its surface is cancelled exactly once; the rest is dropped",
        arguments: 0..<4)
    func cancelled(how: Int) throws {
        let desk = try Desk()
        let (window, _) = try desk.plain()
        let child = desk.surface(100, 100)
        try desk.model.addSubsurface(child, to: try #require(desk.model.window(window)?.root))
        try desk.touch(7, .began, 50, 50)
        _ = desk.events()
        switch how {
        case 0: try desk.model.setHidden(true, of: window)
        case 1: try desk.model.destroyWindow(window)
        case 2: try desk.model.disconnect(desk.screen)
        default: try desk.model.destroySurface(child)
        }
        let events = desk.events()
        #expect(events.map(\.phase) == [.cancelled])
        #expect(events.first?.detail == .touch(7) && events.first?.surface == child)
        if how == 0 { try desk.model.setHidden(false, of: window) }
        #expect(try desk.touch(7, .moved, 50, 50).reason == .cancelled)
        #expect(try desk.touch(7, .ended, 50, 50).reason == .cancelled)
        #expect(desk.events().isEmpty && desk.model.touchCount == 0)
    }

    @Test("E3: presses and shaking go to the key window only; without one they are dropped and counted")
    func presses() throws {
        let desk = try Desk()
        let (a, b) = (try desk.shown(), try desk.shown(level: 10))
        #expect(try desk.model.press(key: 30, pressed: true, time: 1).reason == .noKeyWindow)
        #expect(try desk.model.shake(.began, time: 1).reason == .noKeyWindow)
        #expect(desk.model.droppedPresses == 2)
        try desk.model.makeKey(a)
        #expect(try desk.model.press(key: 30, pressed: true, time: 2).hit?.window == a)
        #expect(try desk.model.shake(.ended, time: 1).reason == .cancelled)
        #expect(try desk.model.shake(.began, time: 2).hit?.window == a)
        try desk.model.shake(.ended, time: 2)
        _ = desk.events()
        try desk.model.makeKey(b)
        let effects = desk.effects()
        guard case .deliver(let event) = effects.first else { throw Mismatch("the key stays down") }
        #expect(event.phase == .cancelled && event.window == a && event.detail == .key(30))
        #expect(effects.dropFirst() == [.didResignKey(a, desk.app), .didBecomeKey(b, desk.app)])
        #expect(try desk.model.press(key: 30, pressed: false, time: 3).reason == .cancelled)
        try desk.model.press(key: 31, pressed: true, time: 4)
        try desk.model.press(key: 31, pressed: false, time: 5)
        #expect(desk.events().map(\.phase) == [.began, .ended])
    }

    @Test("E6: a text-editing window is made key first, then receives the keys")
    func editing() throws {
        let desk = try Desk()
        let (a, b) = (try desk.shown(), try desk.shown())
        try desk.model.makeKey(b)
        try desk.model.beginEditing(a)
        #expect(try desk.model.press(key: 30, pressed: true, time: 1).hit?.window == a)
    }

    @Test("E7: ignoring nests, blocks new sequences but not running ones, and passes nothing to windows behind")
    func ignoring() throws {
        let desk = try Desk()
        _ = try desk.shown(of: desk.other)
        let window = try desk.shown()
        try desk.touch(1, .began, 50, 50)
        try desk.model.beginIgnoringInteractionEvents(desk.app)
        try desk.model.beginIgnoringInteractionEvents(desk.app)
        #expect(try desk.touch(1, .moved, 51, 50).hit?.window == window)
        #expect(try desk.touch(2, .began, 50, 50).reason == .ignoring)
        try desk.model.endIgnoringInteractionEvents(desk.app)
        #expect(try desk.touch(3, .began, 50, 50).reason == .ignoring)
        try desk.model.endIgnoringInteractionEvents(desk.app)
        #expect(try desk.touch(4, .began, 50, 50).hit?.window == window)
        #expect(try desk.touch(2, .moved, 50, 50).reason == .cancelled)
        #expect(refusal { try desk.model.endIgnoringInteractionEvents(desk.app) }?.rule == .e7)
    }

    @Test("E8: disabled interaction falls through, and nests by tokens")
    func interaction() throws {
        let desk = try Desk()
        let (behind, front) = (try desk.shown(), try desk.shown())
        func hit() -> Window.ID? { desk.model.hitTest(Point(x: 50, y: 50), on: desk.screen)?.window }
        let (one, two) = (try desk.model.disableInteraction(front), try desk.model.disableInteraction(front))
        try desk.model.enableInteraction(one)
        #expect(refusal { try desk.model.enableInteraction(one) }?.rule == .e8)
        #expect(hit() == behind)
        try desk.model.enableInteraction(two)
        #expect(hit() == front)
        try desk.model.setUserInteractionEnabled(false, of: front)
        #expect(hit() == behind)
    }

    @Test("E9: timestamps never run backwards, serials count up, locations are in surface and screen")
    func stamps() throws {
        let desk = try Desk()
        _ = try desk.shown(x: 10, y: 20)
        try desk.touch(1, .began, 15, 26, time: 100)
        try desk.touch(1, .moved, 16, 26, time: 50)
        try desk.touch(1, .ended, 16, 26, time: 200)
        let events = desk.events()
        #expect(events.map(\.timestamp) == [100, 100, 200])
        #expect(events.map(\.serial) == [1, 2, 3])
        #expect(events[0].location == Point(x: 5, y: 6) && events[0].screenLocation == Point(x: 15, y: 26))
        #expect(events[0].screen == desk.screen && events[0].kind.rawValue == 0)
        #expect(refusal { try desk.touch(1, .began, .nan, 0) }?.rule == .e9)
    }
}
