// The key window: K1–K7. See HoldingKeyRuleTests for K8.

import MullionGeometry
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

    @Test("K2: the old key window resigns, then the new one becomes key; making the key window key posts nothing")
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

    @Test("K2: makeKey on the key window voids the earlier wishes of others", arguments: 0..<3)
    func makeKeyAgain(how: Int) throws {
        let fixture = try ModelFixture()
        let key = try fixture.shown()
        try fixture.model.makeKey(key)
        let hidden = try fixture.model.createWindow(application: fixture.app)
        try fixture.model.makeKey(hidden)
        _ = fixture.effects()
        switch how {
        case 0: try fixture.model.makeKey(key)
        case 1: try fixture.model.makeKeyAndVisible(key)
        default: try fixture.model.beginEditing(key)
        }
        #expect(fixture.effects().isEmpty)
        try fixture.model.setHidden(false, of: hidden)
        #expect(fixture.model.keyWindow == key)
    }

    @Test("K2: a later wish voids the earlier ones, of whichever window, hidden or gone; inheritance is no wish")
    func laterWish() throws {
        let fixture = try ModelFixture()
        let hidden = try (0..<4).map { n in
            try fixture.model.createWindow(application: n == 1 ? fixture.other : fixture.app)
        }
        for window in hidden[..<2] { try fixture.model.makeKey(window) }
        try fixture.model.setHidden(false, of: hidden[0])
        #expect(fixture.model.keyWindow == nil)
        try fixture.model.setHidden(false, of: hidden[1])
        #expect(fixture.model.keyWindow == hidden[1])
        for window in hidden[2...] { try fixture.model.makeKey(window) }
        try fixture.model.destroyWindow(hidden[3])
        try fixture.model.setHidden(false, of: hidden[2])
        #expect(fixture.model.keyWindow == hidden[1])
        let late = try fixture.model.createWindow(application: fixture.app)
        try fixture.model.makeKey(late)
        try fixture.model.destroyWindow(hidden[1])
        #expect(fixture.model.keyWindow == hidden[2])
        try fixture.model.setHidden(false, of: late)
        #expect(fixture.model.keyWindow == late)
    }

    @Test("K2: of the wishes of windows that wait for a screen, the last one counts")
    func wishWithoutScreen() throws {
        let model = WindowModel()
        let app = model.addApplication()
        let windows = try (0..<3).map { _ in try model.createWindow(application: app) }
        for window in [windows[0], windows[2], windows[1]] { try model.makeKeyAndVisible(window) }
        try model.connect(ModelFixture.panel)
        #expect(model.keyWindow == windows[1])
        #expect(model.drainEffects().filter { if case .didBecomeKey = $0 { true } else { false } }.count == 1)
    }

    @Test("K2, K7: a program that cannot ask takes key only from nobody or itself, judged when its window is visible")
    func plainTakesKey() throws {
        let fixture = try ModelFixture()
        let (first, _) = try fixture.plain()
        #expect(fixture.model.keyWindow == first)
        let (second, root) = try fixture.plain()
        #expect(fixture.model.keyWindow == second)
        _ = try fixture.plain(of: fixture.other)
        #expect(fixture.model.keyWindow == second)
        try fixture.model.setContent(root, size: nil)
        #expect(fixture.model.keyWindow == first)
        let asking = try fixture.shown(of: fixture.other)
        try fixture.model.makeKey(asking)
        try fixture.model.setContent(root, size: Size(width: 10, height: 10))
        #expect(fixture.model.keyWindow == asking)
    }

    /// What the new window of another application has in common with the key window.
    enum Relation: CaseIterable {
        case nothing, process, parent, ancestor, sibling, formerParent
        case otherStart, otherUser, unknownProcess, parentThatIsNotKey
    }

    @Test("K2: windows of one process or of one family are of the same program", arguments: Relation.allCases)
    func sameProgram(relation: Relation) throws {
        let fixture = try ModelFixture()
        let model = fixture.model
        let process = Application.Process(id: 7, start: 100, user: 1000)
        let first = model.addApplication(process: relation == .unknownProcess ? nil : process)
        let other: Application.Process? =
            switch relation {
            case .process: process
            case .otherStart: Application.Process(id: 7, start: 101, user: 1000)
            case .otherUser: Application.Process(id: 7, start: 100, user: 1001)
            case .unknownProcess: nil
            case .nothing, .parent, .ancestor, .sibling, .formerParent, .parentThatIsNotKey:
                Application.Process(id: 8, start: 100, user: 1000)
            }
        let second = model.addApplication(process: other)
        let (main, _) = try fixture.plain(of: first)
        let (dialog, _) = try fixture.plain(of: first)
        try model.setParent(main, of: dialog)
        let key = [.sibling, .parentThatIsNotKey].contains(relation) ? dialog : main
        try model.makeKey(key)
        if relation == .parentThatIsNotKey { try model.leaveFamily(dialog) }
        let new = try model.createWindow(application: second, options: .plain)
        switch relation {
        case .parent, .sibling, .parentThatIsNotKey: try model.setParent(main, of: new)
        case .ancestor: try model.setParent(dialog, of: new)
        case .formerParent:
            try model.setParent(main, of: new)
            try model.leaveFamily(new)
        case .nothing, .process, .otherStart, .otherUser, .unknownProcess: break
        }
        let root = model.createSurface()
        try model.setRoot(root, of: new)
        try model.setHidden(false, of: new)
        #expect(model.keyWindow == key)
        try model.setContent(root, size: Size(width: 10, height: 10))
        let takesKey = [.process, .parent, .ancestor, .sibling].contains(relation)
        #expect(model.keyWindow == (takesKey ? new : key))
        #expect(model.checkInvariants() == [])
    }

    @Test("K2: a plain window that gets content while its screen is away does not take key when the screen returns")
    func contentWithoutScreen() throws {
        let fixture = try ModelFixture()
        let wall = try fixture.model.connect(ModelFixture.wall)
        let plain = try fixture.model.createWindow(application: fixture.app, screen: wall, options: .plain)
        let root = fixture.model.createSurface()
        try fixture.model.setRoot(root, of: plain)
        try fixture.model.setHidden(false, of: plain)
        try fixture.model.disconnect(wall)
        try fixture.model.setContent(root, size: Size(width: 10, height: 10))
        let key = try fixture.shown(of: fixture.other)
        try fixture.model.makeKey(key)
        try fixture.model.connect(ModelFixture.wall)
        #expect(fixture.model.isVisible(plain) && fixture.model.keyWindow == key)
    }

    @Test("K2, S8: a plain window that returns with its screen takes key like a new one", arguments: [false, true])
    func plainReturns(somebodyHasKey: Bool) throws {
        let fixture = try ModelFixture()
        let wall = try fixture.model.connect(ModelFixture.wall)
        let (plain, _) = try fixture.plain()
        try fixture.model.move(plain, to: wall)
        try fixture.model.disconnect(wall)
        #expect(fixture.model.keyWindow == nil)
        let other = try fixture.shown(of: fixture.other)
        if somebodyHasKey { try fixture.model.makeKey(other) }
        _ = fixture.effects()
        try fixture.model.connect(ModelFixture.wall)
        #expect(fixture.model.keyWindow == (somebodyHasKey ? other : plain))
        let key = Effect.didBecomeKey(plain, fixture.app)
        #expect(fixture.effects().suffix(2).contains(key) == !somebodyHasKey)
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
        let (window, _) = try fixture.plain()
        try fixture.model.setCanBecomeKey(false, of: window)
        let key = try fixture.shown(x: 200)
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
        #expect(fixture.model.keyWindow == (policy ? a : b))
        #expect(fixture.model.windows(on: fixture.screen) == (policy ? [b, a] : [a, b]))
    }
}
