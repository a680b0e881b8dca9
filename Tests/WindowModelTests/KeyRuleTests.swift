// The key window: K1–K7.

import Geometry
import Testing
import WindowModel

@Suite struct KeyRuleTests {
    @Test("K1: at most one key window; being topmost does not make key")
    func oneKeyWindow() throws {
        let fixture = try ModelFixture()
        let (a, b) = (try fixture.shown(), try fixture.shown(level: 2000, of: fixture.other))
        #expect(fixture.model.keyWindow == nil)
        try fixture.model.makeKey(a)
        try fixture.model.setLevel(5000, of: b)
        #expect(fixture.model.keyWindow == a)
        try fixture.model.makeKey(b)
        #expect([a, b].map { fixture.model.window($0)?.isKey } == [false, true])
    }

    @Test("K2: the old key window resigns, then the new one becomes key; making the key window key does nothing")
    func makeKey() throws {
        let fixture = try ModelFixture()
        let (a, b) = (try fixture.shown(), try fixture.shown(of: fixture.other))
        try fixture.model.makeKey(a)
        _ = fixture.effects()
        try fixture.model.makeKey(b)
        #expect(fixture.effects() == [.didResignKey(a, fixture.app), .didBecomeKey(b, fixture.other)])
        try fixture.model.makeKey(b)
        #expect(fixture.effects().isEmpty)
    }

    @Test("K2: on an invisible window makeKey is remembered, unless another was made key", arguments: [false, true])
    func remembered(another: Bool) throws {
        let fixture = try ModelFixture()
        let a = try fixture.shown()
        let hidden = try fixture.model.createWindow(application: fixture.app)
        try fixture.model.makeKey(hidden)
        #expect(fixture.model.keyWindow == nil)
        if another { try fixture.model.makeKey(a) }
        try fixture.model.setHidden(false, of: hidden)
        #expect(fixture.model.keyWindow == (another ? a : hidden))
    }

    @Test("K3: makeKeyAndVisible shows, brings to the front and makes key, with notifications in this order")
    func makeKeyAndVisible() throws {
        let fixture = try ModelFixture()
        let old = try fixture.shown()
        try fixture.model.makeKey(old)
        let new = try fixture.model.createWindow(application: fixture.app)
        _ = fixture.effects()
        try fixture.model.makeKeyAndVisible(new)
        #expect(
            fixture.effects() == [
                .didBecomeVisible(new, fixture.app), .didResignKey(old, fixture.app), .didBecomeKey(new, fixture.app),
            ])
        #expect(fixture.model.windows(on: fixture.screen) == [old, new])
    }

    @Test("K4: a window that declines never becomes key, by request, touch or inheritance")
    func declining() throws {
        let fixture = try ModelFixture()
        let key = try fixture.shown(x: 200)
        let (window, _) = try fixture.plain()
        try fixture.model.setCanBecomeKey(false, of: window)
        try fixture.model.makeKeyAndVisible(window)
        try fixture.touch(1, .began, 50, 50)
        #expect(fixture.model.keyWindow == nil)
        try fixture.model.makeKey(key)
        try fixture.model.setHidden(true, of: key)
        #expect(fixture.model.keyWindow == nil)
        try fixture.model.makeKeyAndVisible(key)
        try fixture.model.setCanBecomeKey(false, of: key)
        #expect(fixture.model.keyWindow == nil)
    }

    @Test("K5: the trap: an alert closes, and a progress bar inherits key, not the main window")
    func trap() throws {
        let fixture = try ModelFixture()
        let main = try fixture.shown()
        let progress = try fixture.shown(level: Window.Level.statusBar)
        let alert = try fixture.shown(level: Window.Level.alert)
        try fixture.model.makeKey(alert)
        _ = fixture.effects()
        try fixture.model.setHidden(true, of: alert)
        #expect(
            fixture.effects() == [
                .didBecomeHidden(alert, fixture.app), .didResignKey(alert, fixture.app),
                .didBecomeKey(progress, fixture.app),
            ])
        #expect(fixture.model.findKeyWindow() == main)
    }

    @Test("K5: the frontmost of the level; interaction counts; the same application first, then the others, or none")
    func inheritance() throws {
        let fixture = try ModelFixture()
        let stranger = try fixture.shown(level: 3000, of: fixture.other)
        let (a, b, c) = (try fixture.shown(), try fixture.shown(), try fixture.shown())
        try fixture.model.makeKey(a)
        _ = try fixture.model.disableInteraction(c)
        try fixture.model.destroyWindow(a)
        #expect(fixture.model.keyWindow == b)
        try fixture.model.setHidden(true, of: b)
        #expect(fixture.model.keyWindow == stranger)
        try fixture.model.setHidden(true, of: stranger)
        #expect(fixture.model.keyWindow == nil)
    }

    @Test("K6: resignKey gives key away, never back to itself")
    func resign() throws {
        let fixture = try ModelFixture()
        let a = try fixture.shown()
        try fixture.model.makeKey(a)
        _ = fixture.effects()
        try fixture.model.resignKey(a)
        #expect(fixture.effects() == [.didResignKey(a, fixture.app)] && fixture.model.keyWindow == nil)
        let b = try fixture.shown(of: fixture.other)
        try fixture.model.makeKey(a)
        try fixture.model.resignKey(a)
        #expect(fixture.model.keyWindow == b)
    }

    @Test("K7: a touch does not make key, editing does")
    func editing() throws {
        let fixture = try ModelFixture()
        let (a, b) = (try fixture.shown(), try fixture.shown(x: 200))
        try fixture.model.makeKey(b)
        try fixture.touch(1, .began, 50, 50)
        #expect(fixture.model.keyWindow == b)
        try fixture.model.beginEditing(a)
        #expect(fixture.model.keyWindow == a)
    }

    @Test(
        "K7: touching or clicking a plain program's window makes it key and front, as the policy says",
        arguments: [false, true], [false, true])
    func keyOnTouch(policy: Bool, click: Bool) throws {
        let fixture = try ModelFixture(policy: Policy(keyOnTouch: policy))
        let (a, _) = try fixture.plain()
        let (b, _) = try fixture.plain(x: 50)
        if click {
            try fixture.model.pointerMoved(to: Point(x: 10, y: 10), on: fixture.screen, time: 1)
            try fixture.model.pointerButton(code: 272, pressed: true, time: 2)
        } else {
            try fixture.touch(1, .began, 10, 10)
        }
        #expect(fixture.model.keyWindow == (policy ? a : nil))
        #expect(fixture.model.windows(on: fixture.screen) == (policy ? [b, a] : [a, b]))
    }
}
