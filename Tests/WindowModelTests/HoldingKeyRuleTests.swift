// Windows that hold key: K8.

import Geometry
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
        "K8: the last window that asked meanwhile becomes key afterwards, if it can",
        arguments: ["shown", "hidden", "gone", "declines"])
    func asked(later: String) throws {
        let fixture = try ModelFixture()
        let windows = try (0..<4).map { try fixture.shown(x: Double($0)) }
        try fixture.model.makeKey(windows[0])
        let launcher = try holder(fixture)
        try fixture.model.setHidden(false, of: launcher)
        try fixture.model.makeKey(windows[1])
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
        // K5: windows[3] is the frontmost of the others.
        #expect(fixture.model.keyWindow == (later == "shown" ? windows[2] : windows[3]))
        #expect(fixture.model.checkInvariants() == [])
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
