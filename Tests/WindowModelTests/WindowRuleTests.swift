// Windows, levels, visibility: W1–W7, V1, V2.

import Geometry
import Testing
import WindowModel

@Suite struct WindowRuleTests {
    @Test("W1: a window is created hidden, with its defaults")
    func defaults() throws {
        let desk = try Desk()
        let id = try desk.model.createWindow(application: desk.app)
        let window = try #require(desk.model.window(id))
        #expect(window.isHidden && !window.isVisible && window.alpha == 1 && window.level == 0)
        #expect(window.frame == Rect(x: 0, y: 0, width: 500, height: 400))
        #expect(desk.effects().isEmpty)
        #expect(refusal { try desk.model.setAlpha(1.5, of: id) }?.rule == .w1)
        #expect(refusal { try desk.model.setAlpha(.nan, of: id) }?.rule == .w1)
        #expect(desk.model.window(id) == window)
    }

    @Test("W2: any finite level, negative and fractional too; others are an error")
    func levels() throws {
        let desk = try Desk()
        let id = try desk.shown()
        for level in [-5.5, 0.0001, 1e9] {
            try desk.model.setLevel(level, of: id)
            #expect(desk.model.window(id)?.level == level)
        }
        for level in [Double.nan, .infinity, -.infinity] {
            #expect(refusal { try desk.model.setLevel(level, of: id) }?.rule == .w2)
        }
        #expect(desk.model.window(id)?.level == 1e9)
    }

    @Test("W3: the window shown last is in front, whichever way it is shown", arguments: [false, true])
    func proof(byKey: Bool) throws {
        let desk = try Desk()
        let w = try (0..<3).map { _ in try desk.model.createWindow(application: desk.app) }
        func show(_ order: [Int]) throws {
            for index in order {
                if byKey {
                    try desk.model.makeKeyAndVisible(w[index])
                } else {
                    try desk.model.setHidden(false, of: w[index])
                }
            }
        }
        try show([2, 1, 0])
        #expect(desk.model.windows(on: desk.screen) == [w[2], w[1], w[0]])
        #expect(desk.model.keyWindow == (byKey ? w[0] : nil))
        for id in w { try desk.model.setHidden(true, of: id) }
        let top = try desk.shown(level: 9999)
        try show([0, 1, 2])
        #expect(desk.model.windows(on: desk.screen) == [w[0], w[1], w[2], top])
    }

    @Test("W3: what reorders and what does not")
    func reordering() throws {
        let desk = try Desk()
        let (a, b) = (try desk.shown(), try desk.shown())
        func isFront(_ id: Window.ID) -> Bool { desk.model.windows(on: desk.screen).last == id }
        try desk.model.setLevel(0, of: a)
        try desk.model.makeKey(a)
        try desk.model.setFrame(Rect(x: 1, y: 1, width: 9, height: 9), of: a)
        try desk.model.setHidden(false, of: a)
        #expect(isFront(b))
        try desk.model.makeKeyAndVisible(a)
        #expect(isFront(a))
        try desk.model.setLevel(-1, of: b)
        try desk.model.setLevel(0, of: b)
        #expect(isFront(b))
        let wall = try desk.model.connect(Desk.wall)
        try desk.model.move(a, to: wall)
        try desk.model.move(a, to: desk.screen)
        #expect(isFront(a))
    }

    @Test("W4: an application's windows, hidden ones too, by level and then order, never another's")
    func applicationWindows() throws {
        let desk = try Desk()
        let high = try desk.shown(level: 1000)
        let a = try desk.shown()
        let hidden = try desk.model.createWindow(application: desk.app)
        _ = try desk.shown(of: desk.other)
        #expect(desk.model.windows(of: desk.app) == [a, hidden, high])
        try desk.model.bringToFront(a)
        #expect(desk.model.windows(of: desk.app) == [hidden, a, high])
    }

    @Test("W5: a surface keeps its role")
    func roles() throws {
        let desk = try Desk()
        let (window, root) = try desk.plain()
        let child = desk.surface(1, 1)
        try desk.model.addSubsurface(child, to: root)
        let other = try desk.shown()
        let calls: [() throws -> Void] = [
            { try desk.model.setRoot(child, of: other) },
            { try desk.model.setRoot(root, of: other) },
            { try desk.model.addSubsurface(root, to: child) },
            { try desk.model.addPopup(child, to: window, at: .zero) },
            { try desk.model.addSubsurface(child, to: root) },
        ]
        for call in calls {
            let error = refusal(call)
            #expect(error?.rule == .w5 && error?.kind == .role)
        }
        try desk.model.removeFromParent(child)
        #expect(refusal { try desk.model.setRoot(child, of: other) }?.rule == .w5)
        try desk.model.removeRoot(of: window)
        try desk.model.setRoot(root, of: other)
        #expect(desk.model.checkInvariants() == [])
    }

    @Test("W6: frames may lie outside the screen; nothing is hit there; sizes are finite and not negative")
    func frames() throws {
        let desk = try Desk()
        let id = try desk.shown(x: 450, y: -50)
        #expect(desk.model.hitTest(Point(x: 499, y: 0), on: desk.screen)?.window == id)
        #expect(desk.model.hitTest(Point(x: 501, y: 0), on: desk.screen) == nil)
        #expect(desk.model.hitTest(Point(x: 460, y: -1), on: desk.screen) == nil)
        for bad in [Rect(x: 0, y: 0, width: -1, height: 1), Rect(x: .nan, y: 0, width: 1, height: 1)] {
            #expect(refusal { try desk.model.setFrame(bad, of: id) }?.rule == .w6)
        }
        try desk.model.setFrame(.zero, of: id)
    }

    @Test("W7: destroying a window, or its application's end, hides it first, with all consequences")
    func destroying() throws {
        let desk = try Desk()
        let stranger = try desk.shown(of: desk.other)
        let (a, b) = (try desk.shown(), try desk.shown(x: 200))
        try desk.model.makeKey(b)
        try desk.touch(1, .began, 250, 50)
        _ = desk.effects()
        try desk.model.destroyWindow(b)
        let effects = desk.effects()
        guard case .deliver(let cancel) = effects.first else { throw Mismatch("no cancel") }
        #expect(cancel.phase == .cancelled && cancel.window == b)
        #expect(
            effects.dropFirst() == [
                .didBecomeHidden(b, desk.app), .didResignKey(b, desk.app), .didBecomeKey(a, desk.app),
            ])
        #expect(desk.model.window(b) == nil)
        #expect(refusal { try desk.model.makeKey(b) }?.kind == .unknownWindow)
        let c = try desk.shown()
        _ = desk.effects()
        try desk.model.removeApplication(desk.app)
        #expect(
            desk.effects() == [
                .didBecomeHidden(a, desk.app), .didResignKey(a, desk.app), .didBecomeKey(stranger, desk.other),
                .didBecomeHidden(c, desk.app),
            ])
        #expect(desk.model.windows == [stranger] && desk.model.checkInvariants() == [])
    }

    @Test("V1: alpha and being covered do not matter; a plain program's window needs content")
    func visible() throws {
        let desk = try Desk()
        let covered = try desk.shown()
        _ = try desk.shown(level: 5)
        try desk.model.setAlpha(0, of: covered)
        #expect(desk.model.isVisible(covered))
        let (plain, root) = try desk.plain()
        #expect(desk.model.isVisible(plain))
        try desk.model.setContent(root, size: nil)
        #expect(!desk.model.isVisible(plain))
        try desk.model.setContent(root, size: Size(width: 1, height: 1))
        #expect(desk.model.isVisible(plain))
        try desk.model.destroySurface(root)
        #expect(!desk.model.isVisible(plain))
    }

    @Test("V2: becoming visible and hidden is notified once each")
    func visibilityNotifications() throws {
        let desk = try Desk()
        let id = try desk.model.createWindow(application: desk.app)
        for isHidden in [true, false, false, true, true] { try desk.model.setHidden(isHidden, of: id) }
        #expect(desk.effects() == [.didBecomeVisible(id, desk.app), .didBecomeHidden(id, desk.app)])
    }
}
