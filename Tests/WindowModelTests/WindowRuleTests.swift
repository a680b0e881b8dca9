// Windows, levels, visibility: W1–W7, V1, V2.

import MullionGeometry
import Testing
import WindowModel

@Suite struct WindowRuleTests {
    @Test("W1: a window is created hidden, with its defaults")
    func defaults() throws {
        let fixture = try ModelFixture()
        let id = try fixture.model.createWindow(application: fixture.app)
        let window = try #require(fixture.model.window(id))
        #expect(window.isHidden && !window.isVisible && window.alpha == 1 && window.level == 0)
        #expect(window.frame == Rect(x: 0, y: 0, width: 500, height: 400))
        #expect(fixture.effects().isEmpty)
        #expect(refusal { try fixture.model.setAlpha(1.5, of: id) }?.rule == .w1)
        #expect(refusal { try fixture.model.setAlpha(.nan, of: id) }?.rule == .w1)
        #expect(fixture.model.window(id) == window)
    }

    @Test("W2: multiples of 1/256 within ±8,388,607 are levels; any other number is an error that names the range")
    func levels() throws {
        let fixture = try ModelFixture()
        let id = try fixture.shown()
        for level in [-5.5, 1.0 / 256, -8_388_607, 8_388_607] {
            try fixture.model.setLevel(level, of: id)
            #expect(fixture.model.window(id)?.level == level)
        }
        for level in [Double.nan, .infinity, -.infinity, 0.0001, 1e9, 8_388_607 + 1.0 / 256, -8_388_608] {
            let error = refusal { try fixture.model.setLevel(level, of: id) }
            #expect(error?.rule == .w2 && error?.message.contains("multiple of 1/256 within ±8,388,607") == true)
            #expect(
                refusal {
                    _ = try fixture.model.createWindow(
                        application: fixture.app, options: Window.Options(level: level))
                }?.rule == .w2)
        }
        #expect(fixture.model.window(id)?.level == 8_388_607)
    }

    @Test("W3: the window shown last is in front, whichever way it is shown", arguments: [false, true])
    func proof(byKey: Bool) throws {
        let fixture = try ModelFixture()
        let w = try (0..<3).map { _ in try fixture.model.createWindow(application: fixture.app) }
        func show(_ order: [Int]) throws {
            for index in order {
                if byKey {
                    try fixture.model.makeKeyAndVisible(w[index])
                } else {
                    try fixture.model.setHidden(false, of: w[index])
                }
            }
        }
        try show([2, 1, 0])
        #expect(fixture.model.windows(on: fixture.screen) == [w[2], w[1], w[0]])
        #expect(fixture.model.keyWindow == (byKey ? w[0] : nil))
        for id in w { try fixture.model.setHidden(true, of: id) }
        let top = try fixture.shown(level: 9999)
        try show([0, 1, 2])
        #expect(fixture.model.windows(on: fixture.screen) == [w[0], w[1], w[2], top])
    }

    @Test("W3: what reorders and what does not")
    func reordering() throws {
        let fixture = try ModelFixture()
        let (a, b) = (try fixture.shown(), try fixture.shown())
        func isFront(_ id: Window.ID) -> Bool { fixture.model.windows(on: fixture.screen).last == id }
        try fixture.model.setLevel(0, of: a)
        try fixture.model.makeKey(a)
        try fixture.model.setFrame(Rect(x: 1, y: 1, width: 9, height: 9), of: a)
        try fixture.model.setHidden(false, of: a)
        #expect(isFront(b))
        try fixture.model.makeKeyAndVisible(a)
        #expect(isFront(a))
        try fixture.model.setLevel(-1, of: b)
        try fixture.model.setLevel(0, of: b)
        #expect(isFront(b))
        let wall = try fixture.model.connect(ModelFixture.wall)
        try fixture.model.move(a, to: wall)
        try fixture.model.move(a, to: fixture.screen)
        #expect(isFront(a))
    }

    @Test("W4: an application's windows, hidden ones too, by level and then order, never another's")
    func applicationWindows() throws {
        let fixture = try ModelFixture()
        let high = try fixture.shown(level: 1000)
        let a = try fixture.shown()
        let hidden = try fixture.model.createWindow(application: fixture.app)
        _ = try fixture.shown(of: fixture.other)
        #expect(fixture.model.windows(of: fixture.app) == [a, hidden, high])
        try fixture.model.bringToFront(a)
        #expect(fixture.model.windows(of: fixture.app) == [hidden, a, high])
    }

    @Test("W5: a surface keeps its role")
    func roles() throws {
        let fixture = try ModelFixture()
        let (window, root) = try fixture.plain()
        let child = fixture.surface(1, 1)
        try fixture.model.addSubsurface(child, to: root)
        let other = try fixture.shown()
        let calls: [() throws -> Void] = [
            { try fixture.model.setRoot(child, of: other) },
            { try fixture.model.setRoot(root, of: other) },
            { try fixture.model.addSubsurface(root, to: child) },
            { try fixture.model.addPopup(child, to: window, at: .zero) },
            { try fixture.model.addSubsurface(child, to: root) },
        ]
        for call in calls {
            let error = refusal(call)
            #expect(error?.rule == .w5 && error?.kind == .role)
        }
        try fixture.model.removeFromParent(child)
        #expect(refusal { try fixture.model.setRoot(child, of: other) }?.rule == .w5)
        try fixture.model.removeRoot(of: window)
        try fixture.model.setRoot(root, of: other)
        #expect(fixture.model.checkInvariants() == [])
    }

    @Test("W6: frames may lie outside the screen; nothing is hit there; sizes are finite and not negative")
    func frames() throws {
        let fixture = try ModelFixture()
        let id = try fixture.shown(x: 450, y: -50)
        #expect(fixture.model.hitTest(Point(x: 499, y: 0), on: fixture.screen)?.window == id)
        #expect(fixture.model.hitTest(Point(x: 501, y: 0), on: fixture.screen) == nil)
        #expect(fixture.model.hitTest(Point(x: 460, y: -1), on: fixture.screen) == nil)
        for bad in [Rect(x: 0, y: 0, width: -1, height: 1), Rect(x: .nan, y: 0, width: 1, height: 1)] {
            #expect(refusal { try fixture.model.setFrame(bad, of: id) }?.rule == .w6)
        }
        try fixture.model.setFrame(.zero, of: id)
    }

    @Test("W1, W7: windows open when they are created, and close before their application disconnects")
    func openingAndClosing() throws {
        let fixture = try ModelFixture()
        _ = fixture.comings()
        let app = fixture.model.addApplication(name: "app")
        let a = try fixture.model.createWindow(application: app)
        let b = try fixture.model.createWindow(application: app)
        try fixture.model.destroyWindow(b)
        #expect(
            fixture.comings() == [
                .applicationDidConnect(app), .windowDidOpen(a, app), .windowDidOpen(b, app), .windowDidClose(b, app),
            ])
        try fixture.model.setHidden(false, of: a)
        _ = fixture.comings()
        try fixture.model.removeApplication(app)
        let ends = fixture.model.drainEffects().filter { if case .needsDisplay = $0 { false } else { true } }
        #expect(ends == [.didBecomeHidden(a, app), .windowDidClose(a, app), .applicationDidDisconnect(app)])
        try fixture.model.setName("renamed", of: fixture.other)
        try fixture.model.setName("renamed", of: fixture.other)
        let renames = fixture.model.drainEffects()
        #expect(renames == [.applicationNameDidChange(fixture.other)], "the same name is no change")
    }

    @Test("W7: destroying a window, or its application's end, hides it first, with all consequences")
    func destroying() throws {
        let fixture = try ModelFixture()
        let stranger = try fixture.shown(of: fixture.other)
        let (a, b) = (try fixture.shown(), try fixture.shown(x: 200))
        try fixture.model.makeKey(b)
        try fixture.touch(1, .began, 250, 50)
        _ = fixture.effects()
        try fixture.model.destroyWindow(b)
        let effects = fixture.effects()
        guard case .deliver(let cancel) = effects.first else { throw Mismatch("no cancel") }
        #expect(cancel.phase == .cancelled && cancel.window == b)
        #expect(
            effects.dropFirst() == [
                .didBecomeHidden(b, fixture.app), .didResignKey(b, fixture.app), .didBecomeKey(a, fixture.app),
            ])
        #expect(fixture.model.window(b) == nil)
        #expect(refusal { try fixture.model.makeKey(b) }?.kind == .unknownWindow)
        let c = try fixture.shown()
        _ = fixture.effects()
        try fixture.model.removeApplication(fixture.app)
        #expect(
            fixture.effects() == [
                .didBecomeHidden(a, fixture.app), .didResignKey(a, fixture.app), .didBecomeKey(stranger, fixture.other),
                .didBecomeHidden(c, fixture.app),
            ])
        #expect(fixture.model.windows == [stranger] && fixture.model.checkInvariants() == [])
    }

    @Test("W1: a changed property is notified once, whoever set it, and the same value again is not")
    func properties() throws {
        let fixture = try ModelFixture()
        let id = try fixture.shown()
        _ = fixture.changes()
        let sets: [(Window.Property, () throws(ModelError) -> Void)] = [
            (.alpha, { () throws(ModelError) in try fixture.model.setAlpha(0.5, of: id) }),
            (.title, { () throws(ModelError) in try fixture.model.setTitle("t", of: id) }),
            (.hidden, { () throws(ModelError) in try fixture.model.setHidden(true, of: id) }),
            (.level, { () throws(ModelError) in try fixture.model.setLevel(7, of: id) }),
            (.autoresizing, { () throws(ModelError) in try fixture.model.setAutoresizing(.width, of: id) }),
            (
                .userInteractionEnabled,
                { () throws(ModelError) in try fixture.model.setUserInteractionEnabled(false, of: id) }
            ),
        ]
        // The model does not keep the application id.
        #expect(Set(sets.map(\.0)) == Set(Window.Property.allCases).subtracting([.applicationID]))
        for (property, set) in sets {
            for expected in [[Effect.windowDidChange(id, fixture.app, property)], []] {
                try set()
                #expect(fixture.changes() == expected, "\(property)")
            }
        }
        try fixture.model.setUserInteractionEnabled(true, of: id)
        let tokens = try (0..<2).map { _ in try fixture.model.disableInteraction(id) }
        for token in tokens { try fixture.model.enableInteraction(token) }
        let change = Effect.windowDidChange(id, fixture.app, .userInteractionEnabled)
        #expect(fixture.changes() == [change, change, change], "E8: the first token disables, the last one enables")
    }

    @Test("W3: every window that enters the front of its level is notified, in order, unless it entered last of all")
    func frontNotifications() throws {
        let fixture = try ModelFixture()
        let (model, app) = (fixture.model, fixture.app)
        let wall = try model.connect(ModelFixture.wall)
        let (a, b) = (try fixture.shown(), try fixture.shown())
        let fronts = { fixture.changes().filter { if case .cameToFront = $0 { true } else { false } } }
        #expect(fronts() == [.cameToFront(a, app), .cameToFront(b, app)])
        try model.bringToFront(b)
        try model.makeKeyAndVisible(b)
        try model.setLevel(0, of: a)
        try model.makeKey(a)
        #expect(fronts() == [])
        try model.setLevel(3, of: a)
        try model.setLevel(3, of: b)
        try model.makeKeyAndVisible(a)
        try model.move(b, to: wall)
        #expect(fronts() == [a, b, a, b].map { .cameToFront($0, app) })
        try model.makeKeyAndVisible(a)
        try model.disconnect(wall)
        try model.connect(ModelFixture.wall)
        #expect(model.isVisible(b) && fronts() == [.cameToFront(a, app)], "S8: it returns in the same order")
        #expect(model.windows(of: app) == [b, a])
        let (plain, _) = try fixture.plain(of: fixture.other)
        let (child, _) = try fixture.plain(of: fixture.other)
        try model.setParent(plain, of: child)
        _ = fronts()
        try model.bringToFront(child)
        #expect(fronts() == [])
        try model.bringToFront(a)
        try model.bringToFront(plain)
        #expect(fronts() == [(a, app), (plain, fixture.other), (child, fixture.other)].map { .cameToFront($0, $1) })
    }

    @Test("V1: alpha and being covered do not matter; a plain program's window needs content")
    func visible() throws {
        let fixture = try ModelFixture()
        let covered = try fixture.shown()
        _ = try fixture.shown(level: 5)
        try fixture.model.setAlpha(0, of: covered)
        #expect(fixture.model.isVisible(covered))
        let (plain, root) = try fixture.plain()
        #expect(fixture.model.isVisible(plain))
        try fixture.model.setContent(root, size: nil)
        #expect(!fixture.model.isVisible(plain))
        try fixture.model.setContent(root, size: Size(width: 1, height: 1))
        #expect(fixture.model.isVisible(plain))
        try fixture.model.destroySurface(root)
        #expect(!fixture.model.isVisible(plain))
    }

    @Test("V2: becoming visible and hidden is notified once each")
    func visibilityNotifications() throws {
        let fixture = try ModelFixture()
        let id = try fixture.model.createWindow(application: fixture.app)
        for isHidden in [true, false, false, true, true] { try fixture.model.setHidden(isHidden, of: id) }
        #expect(fixture.effects() == [.didBecomeVisible(id, fixture.app), .didBecomeHidden(id, fixture.app)])
    }
}
