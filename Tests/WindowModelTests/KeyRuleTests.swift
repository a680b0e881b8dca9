// The key window: K1–K7.

import Geometry
import Testing
import WindowModel

@Suite struct KeyRuleTests {
    @Test("K1: at most one key window; being topmost does not make key")
    func oneKeyWindow() throws {
        let desk = try Desk()
        let (a, b) = (try desk.shown(), try desk.shown(level: 2000, of: desk.other))
        #expect(desk.model.keyWindow == nil)
        try desk.model.makeKey(a)
        try desk.model.setLevel(5000, of: b)
        #expect(desk.model.keyWindow == a)
        try desk.model.makeKey(b)
        #expect([a, b].map { desk.model.window($0)?.isKey } == [false, true])
    }

    @Test("K2: the old key window resigns, then the new one becomes key; making the key window key does nothing")
    func makeKey() throws {
        let desk = try Desk()
        let (a, b) = (try desk.shown(), try desk.shown(of: desk.other))
        try desk.model.makeKey(a)
        _ = desk.effects()
        try desk.model.makeKey(b)
        #expect(desk.effects() == [.didResignKey(a, desk.app), .didBecomeKey(b, desk.other)])
        try desk.model.makeKey(b)
        #expect(desk.effects().isEmpty)
    }

    @Test("K2: on an invisible window makeKey is remembered, unless another was made key", arguments: [false, true])
    func remembered(another: Bool) throws {
        let desk = try Desk()
        let a = try desk.shown()
        let hidden = try desk.model.createWindow(application: desk.app)
        try desk.model.makeKey(hidden)
        #expect(desk.model.keyWindow == nil)
        if another { try desk.model.makeKey(a) }
        try desk.model.setHidden(false, of: hidden)
        #expect(desk.model.keyWindow == (another ? a : hidden))
    }

    @Test("K3: makeKeyAndVisible shows, brings to the front and makes key, with notifications in this order")
    func makeKeyAndVisible() throws {
        let desk = try Desk()
        let old = try desk.shown()
        try desk.model.makeKey(old)
        let new = try desk.model.createWindow(application: desk.app)
        _ = desk.effects()
        try desk.model.makeKeyAndVisible(new)
        #expect(
            desk.effects() == [
                .didBecomeVisible(new, desk.app), .didResignKey(old, desk.app), .didBecomeKey(new, desk.app),
            ])
        #expect(desk.model.windows(on: desk.screen) == [old, new])
    }

    @Test("K4: a window that declines never becomes key, by request, touch or inheritance")
    func declining() throws {
        let desk = try Desk()
        let key = try desk.shown(x: 200)
        let (window, _) = try desk.plain()
        try desk.model.setCanBecomeKey(false, of: window)
        try desk.model.makeKeyAndVisible(window)
        try desk.touch(1, .began, 50, 50)
        #expect(desk.model.keyWindow == nil)
        try desk.model.makeKey(key)
        try desk.model.setHidden(true, of: key)
        #expect(desk.model.keyWindow == nil)
        try desk.model.makeKeyAndVisible(key)
        try desk.model.setCanBecomeKey(false, of: key)
        #expect(desk.model.keyWindow == nil)
    }

    @Test("K5: the trap: an alert closes, and a progress bar inherits key, not the main window")
    func trap() throws {
        let desk = try Desk()
        let main = try desk.shown()
        let progress = try desk.shown(level: Window.Level.statusBar)
        let alert = try desk.shown(level: Window.Level.alert)
        try desk.model.makeKey(alert)
        _ = desk.effects()
        try desk.model.setHidden(true, of: alert)
        #expect(
            desk.effects() == [
                .didBecomeHidden(alert, desk.app), .didResignKey(alert, desk.app), .didBecomeKey(progress, desk.app),
            ])
        #expect(desk.model.findKeyWindow() == main)
    }

    @Test("K5: the frontmost of the level; interaction counts; the same application first, then the others, or none")
    func inheritance() throws {
        let desk = try Desk()
        let stranger = try desk.shown(level: 3000, of: desk.other)
        let (a, b, c) = (try desk.shown(), try desk.shown(), try desk.shown())
        try desk.model.makeKey(a)
        _ = try desk.model.disableInteraction(c)
        try desk.model.destroyWindow(a)
        #expect(desk.model.keyWindow == b)
        try desk.model.setHidden(true, of: b)
        #expect(desk.model.keyWindow == stranger)
        try desk.model.setHidden(true, of: stranger)
        #expect(desk.model.keyWindow == nil)
    }

    @Test("K6: resignKey gives key away, never back to itself")
    func resign() throws {
        let desk = try Desk()
        let a = try desk.shown()
        try desk.model.makeKey(a)
        _ = desk.effects()
        try desk.model.resignKey(a)
        #expect(desk.effects() == [.didResignKey(a, desk.app)] && desk.model.keyWindow == nil)
        let b = try desk.shown(of: desk.other)
        try desk.model.makeKey(a)
        try desk.model.resignKey(a)
        #expect(desk.model.keyWindow == b)
    }

    @Test("K7: a touch does not make key, editing does")
    func editing() throws {
        let desk = try Desk()
        let (a, b) = (try desk.shown(), try desk.shown(x: 200))
        try desk.model.makeKey(b)
        try desk.touch(1, .began, 50, 50)
        #expect(desk.model.keyWindow == b)
        try desk.model.beginEditing(a)
        #expect(desk.model.keyWindow == a)
    }

    @Test(
        "K7: touching or clicking a plain program's window makes it key and front, as the policy says",
        arguments: [false, true], [false, true])
    func keyOnTouch(policy: Bool, click: Bool) throws {
        let desk = try Desk(policy: Policy(keyOnTouch: policy))
        let (a, _) = try desk.plain()
        let (b, _) = try desk.plain(x: 50)
        if click {
            try desk.model.pointerMoved(to: Point(x: 10, y: 10), on: desk.screen, time: 1)
            try desk.model.pointerButton(code: 272, pressed: true, time: 2)
        } else {
            try desk.touch(1, .began, 10, 10)
        }
        #expect(desk.model.keyWindow == (policy ? a : nil))
        #expect(desk.model.windows(on: desk.screen) == (policy ? [b, a] : [a, b]))
    }
}
