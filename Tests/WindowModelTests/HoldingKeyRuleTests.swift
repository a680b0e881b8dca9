// Windows that hold key: K8.

import MullionGeometry
import Testing
import WindowModel

@Suite struct HoldingKeyRuleTests {
    private func holder(_ fixture: ModelFixture, level: Double = 1000) throws -> Window.ID {
        let window = try fixture.model.createWindow(
            application: fixture.other,
            options: Window.Options(frame: Rect(x: 0, y: 0, width: 50, height: 50), level: level))
        try fixture.model.setHoldsKey(true, of: window)
        return window
    }

    @Test("K8: it becomes key when it becomes visible, keeps it although others ask, and gives it back")
    func holds() throws {
        let fixture = try ModelFixture()
        let (a, panel) = (try fixture.shown(), try fixture.shown(level: 1000, of: fixture.other))
        try fixture.model.makeKey(a)
        let launcher = try holder(fixture)
        #expect(fixture.model.keyWindow == a, "it is hidden")
        try fixture.model.setHidden(false, of: launcher)
        #expect(fixture.model.keyWindow == launcher)
        #expect(fixture.model.checkInvariants() == [])
        try fixture.model.resignKey(launcher)
        #expect(fixture.model.keyWindow == launcher)
        _ = fixture.effects()
        try fixture.model.setHidden(true, of: launcher)
        #expect(
            fixture.effects() == [
                .didBecomeHidden(launcher, fixture.other), .didResignKey(launcher, fixture.other),
                .didBecomeKey(a, fixture.app),
            ], "not \(panel), although its level is higher and its application the same")
    }

    @Test(
        "K8: the last window that asked meanwhile becomes key afterwards, if it can; otherwise the one before it",
        arguments: ["shown", "hidden", "gone", "declines"])
    func asked(later: String) throws {
        let fixture = try ModelFixture()
        let windows = try (0..<4).map { try fixture.shown(x: Double($0)) }
        try fixture.model.makeKey(windows[0])
        let launcher = try holder(fixture)
        try fixture.model.setHidden(false, of: launcher)
        try fixture.model.makeKeyAndVisible(windows[2])
        #expect(fixture.model.keyWindow == launcher)
        switch later {
        case "hidden": try fixture.model.setHidden(true, of: windows[2])
        case "gone": try fixture.model.destroyWindow(windows[2])
        case "declines": try fixture.model.setCanBecomeKey(false, of: windows[2])
        default: break
        }
        #expect(fixture.model.checkInvariants() == [])
        try fixture.model.destroyWindow(launcher)
        // By K5 it would be windows[3], the frontmost of the others.
        #expect(fixture.model.keyWindow == (later == "shown" ? windows[2] : windows[0]))
        #expect(fixture.model.checkInvariants() == [])
    }

    /// What can happen behind a window that holds key, and leaves nothing that could be key.
    enum Passing: CaseIterable {
        case dialog, holderBehind, holderInFront, wish, plain
    }

    @Test("K8: who typed before is remembered, whatever opened and closed meanwhile", arguments: Passing.allCases)
    func passing(what: Passing) throws {
        let fixture = try ModelFixture()
        let model = fixture.model
        let typing = try fixture.shown()
        _ = try fixture.shown(level: 1000, of: fixture.other)
        try model.makeKey(typing)
        let launcher = try holder(fixture)
        try model.setHidden(false, of: launcher)
        let stranger = model.addApplication()
        let passing: Window.ID
        switch what {
        case .dialog:
            passing = try fixture.shown(of: stranger)
            try model.makeKey(passing)
        case .holderBehind, .holderInFront:
            passing = try holder(fixture, level: what == .holderBehind ? 500 : 2000)
            try model.setHidden(false, of: passing)
        case .wish:
            passing = try model.createWindow(application: stranger)
            try model.makeKey(passing)
        case .plain: passing = try fixture.plain(of: fixture.other).0
        }
        #expect(model.keyWindow == (what == .holderInFront ? passing : launcher))
        if what != .wish { try model.destroyWindow(passing) }
        #expect(model.keyWindow == launcher)
        try model.destroyWindow(launcher)
        #expect(model.keyWindow == typing)
        // K2: the wish is still the last one.
        if what == .wish { try model.setHidden(false, of: passing) }
        #expect(model.keyWindow == (what == .wish ? passing : typing))
        #expect(model.checkInvariants() == [])
    }

    @Test(
        "K8: of several, in whichever order they go, key returns to who had it before the first of those that are left",
        arguments: [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]], [0.0, 1000.0])
    func order(of going: [Int], step: Double) throws {
        let fixture = try ModelFixture()
        let typing = try fixture.shown()
        _ = try fixture.shown(level: 1000, of: fixture.other)
        try fixture.model.makeKey(typing)
        var holders: [Window.ID] = []
        for index in 0..<3 {
            holders.append(try holder(fixture, level: 1000 + Double(index) * step))
            try fixture.model.setHidden(false, of: holders[index])
        }
        for (gone, index) in going.enumerated() {
            try fixture.model.destroyWindow(holders[index])
            let left = (0..<3).filter { !going[...gone].contains($0) }.last
            #expect(fixture.model.keyWindow == left.map { holders[$0] } ?? typing)
        }
        #expect(fixture.model.checkInvariants() == [])
    }

    @Test("K8: a window that no longer holds key, and is visible, is among what is remembered; so it is after its end")
    func formerHolder() throws {
        let fixture = try ModelFixture()
        let typing = try fixture.shown()
        _ = try fixture.shown(level: 1000, of: fixture.other)
        try fixture.model.makeKey(typing)
        let (panel, launcher) = (try holder(fixture), try holder(fixture))
        try fixture.model.setHidden(false, of: panel)
        try fixture.model.setHidden(false, of: launcher)
        try fixture.model.setHoldsKey(false, of: panel)
        try fixture.model.destroyWindow(launcher)
        #expect(fixture.model.keyWindow == panel)
        // It has been given key, and is a window like others now: K5.
        try fixture.model.setHidden(true, of: panel)
        #expect(fixture.model.keyWindow != typing)
        try fixture.model.makeKey(typing)
        try fixture.model.setHidden(false, of: panel)
        try fixture.model.setHoldsKey(true, of: panel)
        try fixture.model.setHoldsKey(false, of: panel)
        #expect(fixture.model.keyWindow == panel, "until another asks")
        try fixture.model.setHidden(true, of: panel)
        #expect(fixture.model.keyWindow == typing)
        #expect(fixture.model.checkInvariants() == [])
    }

    @Test("K8: what was remembered once is not remembered for the next time")
    func forgotten() throws {
        let fixture = try ModelFixture()
        let (asked, typing) = (try fixture.shown(), try fixture.shown(of: fixture.other))
        let (next, front) = (try fixture.shown(), try fixture.shown())
        let launcher = try holder(fixture)
        try fixture.model.setHidden(false, of: launcher)
        try fixture.model.makeKey(asked)
        try fixture.model.makeKey(typing)
        try fixture.model.setHidden(true, of: launcher)
        #expect(fixture.model.keyWindow == typing)
        try fixture.model.destroyWindow(typing)
        #expect(fixture.model.keyWindow == front, "K5")
        try fixture.model.setHidden(false, of: launcher)
        try fixture.model.destroyWindow(front)
        try fixture.model.setHidden(true, of: launcher)
        #expect(fixture.model.keyWindow == next, "K5, and not \(asked)")
        #expect(fixture.model.checkInvariants() == [])
    }

    @Test("K8: a window that moves to another seat's screen is not remembered there")
    func otherSeat() throws {
        let fixture = try ModelFixture()
        let model = fixture.model
        let seat = try model.addSeat(name: "second", screens: ["Wall"])
        let wall = try model.connect(ModelFixture.wall)
        let (typing, there) = (try fixture.shown(of: fixture.other), try fixture.shown(on: wall))
        let (key, moving) = (try fixture.shown(on: wall), try fixture.shown(of: fixture.other))
        try model.makeKey(typing)
        try model.makeKey(key)
        let launcher = try holder(fixture)
        try model.setHidden(false, of: launcher)
        try model.makeKey(moving)
        try model.move(moving, to: wall)
        try model.setHidden(true, of: launcher)
        #expect(model.keyWindow == typing)
        try model.setHidden(true, of: key)
        #expect(model.keyWindow(of: seat) == there, "K5: the same application's")
        #expect(model.checkInvariants() == [])
    }

    @Test("K8: of several, the frontmost has key; one that ends leaves it to the next")
    func several() throws {
        let fixture = try ModelFixture()
        let a = try fixture.shown()
        try fixture.model.makeKey(a)
        let (low, high) = (try holder(fixture), try holder(fixture, level: 2000))
        try fixture.model.setHidden(false, of: high)
        try fixture.model.setHidden(false, of: low)
        #expect(fixture.model.keyWindow == high)
        try fixture.model.setLevel(3000, of: low)
        #expect(fixture.model.keyWindow == low)
        try fixture.model.setLevel(2000, of: low)
        try fixture.model.bringToFront(high)
        #expect(fixture.model.keyWindow == high)
        try fixture.model.setCanBecomeKey(false, of: high)
        #expect(fixture.model.keyWindow == low)
        try fixture.model.setCanBecomeKey(true, of: high)
        #expect(fixture.model.keyWindow == high)
        try fixture.model.setHoldsKey(false, of: high)
        #expect(fixture.model.keyWindow == low)
        try fixture.model.setHoldsKey(false, of: low)
        #expect(fixture.model.keyWindow == low, "it stays key until another asks")
        try fixture.model.makeKey(a)
        #expect(fixture.model.keyWindow == a)
        #expect(fixture.model.checkInvariants() == [])
    }

    @Test("K8: the application's end, a lost screen and another seat's screen end it; the screen's return restores it")
    func ends() throws {
        let fixture = try ModelFixture()
        let a = try fixture.shown()
        try fixture.model.makeKey(a)
        let launcher = try holder(fixture)
        try fixture.model.setHidden(false, of: launcher)
        let wall = try fixture.model.connect(ModelFixture.wall)
        try fixture.model.move(launcher, to: wall)
        #expect(fixture.model.keyWindow == launcher)
        try fixture.model.disconnect(wall)
        #expect(fixture.model.keyWindow == a)
        try fixture.model.connect(ModelFixture.wall)
        #expect(fixture.model.keyWindow == launcher)
        let seat = try fixture.model.addSeat(name: "second", screens: ["Wall"])
        #expect(fixture.model.keyWindow == a)
        #expect(fixture.model.keyWindow(of: seat) == launcher)
        try fixture.model.move(launcher, to: fixture.screen)
        #expect(fixture.model.keyWindow == launcher && fixture.model.keyWindow(of: seat) == nil)
        #expect(fixture.model.checkInvariants() == [])
        try fixture.model.removeApplication(fixture.other)
        #expect(fixture.model.keyWindow == a)
        #expect(fixture.model.checkInvariants() == [])
    }

    @Test("K8: a restored model holds key as the old one did")
    func restored() throws {
        let fixture = try ModelFixture()
        let a = try fixture.shown()
        try fixture.model.makeKey(a)
        let launcher = try holder(fixture)
        try fixture.model.setHidden(false, of: launcher)
        let model = try WindowModel(restoring: fixture.model.snapshot())
        try model.makeKey(a)
        #expect(model.keyWindow == launcher)
        try model.destroyWindow(launcher)
        #expect(model.keyWindow == a)
        #expect(model.checkInvariants() == [])
    }
}
