// Locking: L1, L2, L3, L4.

import MullionGeometry
import Testing
import WindowModel

@Suite struct LockingRuleTests {
    /// A window of the lock that fills the screen, visible.
    private func lockWindow(
        _ fixture: ModelFixture, of owner: Application.ID, on screen: Screen.ID? = nil
    ) throws -> Window.ID {
        let options = Window.Options(level: Window.Level.lock, keyOnTouch: true, isOfLock: true)
        let id = try fixture.model.createWindow(application: owner, screen: screen, options: options)
        try fixture.model.setBackgroundColor(.black, of: id)
        try fixture.model.setHidden(false, of: id)
        return id
    }

    private func shown(_ fixture: ModelFixture, on screen: Screen.ID? = nil) -> [Window.ID] {
        fixture.model.frame(for: screen ?? fixture.screen)?.layers.compactMap(\.window) ?? []
    }

    @Test("L1: a lock hides all windows from pictures, and changes nothing else about them")
    func pictures() throws {
        let fixture = try ModelFixture()
        let window = try fixture.shown(level: Window.Level.highest)
        try fixture.model.setBackgroundColor(.black, of: window)
        let before = fixture.model.window(window)
        let dragged = fixture.surface(10, 10)
        try fixture.model.setOverlay(dragged, at: .zero, on: fixture.screen)
        _ = fixture.effects()
        try fixture.model.lock(by: fixture.other)
        #expect(fixture.model.frame(for: fixture.screen)?.layers.isEmpty == true)
        #expect(fixture.effects() == [.lockDidChange(isLocked: true)])
        #expect(fixture.model.window(window) == before)
        #expect(fixture.model.windows(on: fixture.screen) == [window])
        let cover = try lockWindow(fixture, of: fixture.other)
        #expect(shown(fixture) == [cover])
        // Windows that are shown or raised meanwhile are not seen either.
        _ = try fixture.shown()
        try fixture.model.bringToFront(window)
        #expect(shown(fixture) == [cover])
        fixture.model.unlock()
        #expect(shown(fixture).contains(window))
        #expect(!shown(fixture).contains(cover))
    }

    @Test("L1: only windows of the lock, of the application that holds it, are shown")
    func others() throws {
        let fixture = try ModelFixture()
        try fixture.model.lock(by: fixture.other)
        let ordinary = try fixture.shown(of: fixture.other)
        try fixture.model.setBackgroundColor(.black, of: ordinary)
        _ = try lockWindow(fixture, of: fixture.app)
        #expect(shown(fixture).isEmpty)
        #expect(fixture.model.hitTest(Point(x: 50, y: 50), on: fixture.screen) == nil)
    }

    @Test("L1: a screen that is plugged in shows no windows that return to it")
    func hotPlug() throws {
        let fixture = try ModelFixture()
        let wall = try fixture.model.connect(ModelFixture.wall)
        let window = try fixture.shown(on: wall)
        try fixture.model.setBackgroundColor(.black, of: window)
        try fixture.model.disconnect(wall)
        try fixture.model.lock(by: fixture.other)
        let again = try fixture.model.connect(ModelFixture.wall)
        #expect(fixture.model.windows(on: again) == [window])
        #expect(shown(fixture, on: again).isEmpty)
        let cover = try lockWindow(fixture, of: fixture.other, on: again)
        #expect(shown(fixture, on: again) == [cover])
    }

    @Test("L2: touches, clicks and keys that are down are cancelled, and later ones reach only the lock")
    func input() throws {
        let fixture = try ModelFixture()
        let model = fixture.model
        let window = try fixture.shown()
        try model.makeKey(window)
        try fixture.touch(1, .began, 50, 50)
        try model.press(key: 30, pressed: true, time: 2)
        try model.pointerMoved(to: Point(x: 60, y: 60), on: fixture.screen, time: 3)
        try model.pointerButton(code: 272, pressed: true, time: 3)
        _ = fixture.effects()
        try model.lock(by: fixture.other)
        let cancelled = fixture.effects().compactMap { effect -> Event.Detail? in
            if case .deliver(let event) = effect, event.phase == .cancelled { event.detail } else { nil }
        }
        #expect(cancelled == [.touch(1), .button(272), .pointer, .key(30)])
        #expect(model.keyWindow == nil)
        #expect(try fixture.touch(1, .ended, 50, 50).reason == .cancelled)
        #expect(try fixture.touch(2, .began, 50, 50).reason == .locked)
        #expect(try model.press(key: 31, pressed: true, time: 4).reason == .locked)
        #expect(
            model.explain(Point(x: 50, y: 50), on: fixture.screen) == [
                Routing.Candidate(application: fixture.app, window: window, reason: .locked)
            ])
        let cover = try lockWindow(fixture, of: fixture.other)
        #expect(try fixture.touch(3, .began, 50, 50).hit?.window == cover)
        #expect(model.keyWindow == cover)
        #expect(try model.press(key: 32, pressed: true, time: 5).hit?.window == cover)
    }

    @Test("L2: key returns to the window it was taken from, unless another asked later")
    func keyReturns() throws {
        let fixture = try ModelFixture()
        let model = fixture.model
        let (first, second) = (try fixture.shown(), try fixture.shown(of: fixture.other))
        _ = try fixture.shown(level: 1000)
        try model.makeKey(first)
        let locker = model.addApplication()
        try model.lock(by: locker)
        let cover = try lockWindow(fixture, of: locker)
        #expect(model.keyWindow == cover)
        model.unlock()
        #expect(model.keyWindow == first)
        try model.lock(by: locker)
        #expect(model.keyWindow == cover)
        try model.makeKey(second)
        #expect(model.keyWindow == cover)
        model.unlock()
        #expect(model.keyWindow == second)
    }

    /// How key is taken by force, and given back.
    enum Force: CaseIterable {
        case launcher, lock, abandonedLock, reservation, unusedReservation
    }

    @Test(
        "K8, L2, L4: what had key gets it back though it takes no interaction, which is asked of heirs only (K5)",
        arguments: Force.allCases, [false, true])
    func withoutInteraction(force: Force, byToken: Bool) throws {
        let fixture = try ModelFixture()
        let model = fixture.model
        let (kiosk, front) = (try fixture.shown(), try fixture.shown(level: 1000))
        try model.makeKey(kiosk)
        if byToken {
            _ = try model.disableInteraction(kiosk)
        } else {
            try model.setUserInteractionEnabled(false, of: kiosk)
        }
        switch force {
        case .launcher:
            let launcher = try fixture.shown(of: fixture.other)
            try model.setHoldsKey(true, of: launcher)
            #expect(model.keyWindow == launcher)
            try model.destroyWindow(launcher)
        case .lock, .abandonedLock:
            try model.lock(by: fixture.other)
            let cover = try lockWindow(fixture, of: fixture.other)
            #expect(model.keyWindow == cover)
            if force == .abandonedLock { try model.removeApplication(fixture.other) }
            model.unlock()
        case .reservation, .unusedReservation:
            try model.reserveInput(for: fixture.other)
            if force == .reservation { try model.makeKey(try fixture.shown(of: fixture.other)) }
            #expect(model.keyWindow != kiosk)
            model.releaseInput(of: fixture.other)
        }
        #expect(model.keyWindow == kiosk)
        try model.setHidden(true, of: kiosk)
        #expect(model.keyWindow == front)
        try model.setHidden(false, of: kiosk)
        try model.setHidden(true, of: front)
        #expect(model.keyWindow != kiosk, "K5")
        #expect(model.checkInvariants() == [])
    }

    @Test("L2: key returns to who had it before a launcher that was open when the lock began, and has gone since")
    func launcherBeforeLock() throws {
        let fixture = try ModelFixture()
        let model = fixture.model
        let typing = try fixture.shown()
        _ = try fixture.shown(level: 1000)
        try model.makeKey(typing)
        let launcher = try fixture.shown(level: 2000, of: fixture.other)
        try model.setHoldsKey(true, of: launcher)
        let locker = model.addApplication()
        try model.lock(by: locker)
        _ = try lockWindow(fixture, of: locker)
        try model.destroyWindow(launcher)
        model.unlock()
        #expect(model.keyWindow == typing)
    }

    @Test("L2, S8: key returns to a window that moved to the main screen meanwhile, because its own was unplugged")
    func orphans() throws {
        let fixture = try ModelFixture(policy: Policy(orphans: .main))
        let model = fixture.model
        let wall = try model.connect(ModelFixture.wall)
        let (typing, front) = (try fixture.shown(on: wall), try fixture.shown(level: 1000))
        try model.makeKey(typing)
        try model.lock(by: fixture.other)
        try model.disconnect(wall)
        model.unlock()
        #expect(model.keyWindow == typing && model.screen(of: typing) == fixture.screen, "not \(front)")
    }

    @Test("L2: a window that holds key does not hold it against the lock, and has it again afterwards")
    func holdingKey() throws {
        let fixture = try ModelFixture()
        let model = fixture.model
        let launcher = try fixture.shown(level: 2000)
        try model.setHoldsKey(true, of: launcher)
        try model.lock(by: fixture.other)
        let cover = try lockWindow(fixture, of: fixture.other)
        #expect(model.keyWindow == cover)
        model.unlock()
        #expect(model.keyWindow == launcher)
    }

    @Test("L2: remote control goes to the lock's application only")
    func remoteControl() throws {
        let fixture = try ModelFixture()
        let model = fixture.model
        try model.beginReceivingRemoteControlEvents(fixture.app)
        try model.lock(by: fixture.other)
        let refused = try model.remoteControl(.play, time: 1, explain: true)
        #expect(refused.reason == .locked)
        #expect(
            refused.candidates.contains(
                Routing.Candidate(application: fixture.app, window: nil, reason: .locked)))
        try model.beginReceivingRemoteControlEvents(fixture.other)
        #expect(try model.remoteControl(.play, time: 2).receivers == [fixture.other])
    }

    @Test("L3: an abandoned lock stays, and only then can another application take it over")
    func abandoned() throws {
        let fixture = try ModelFixture()
        let model = fixture.model
        let window = try fixture.shown()
        try model.setBackgroundColor(.black, of: window)
        try model.lock(by: fixture.other)
        _ = try lockWindow(fixture, of: fixture.other)
        let next = model.addApplication()
        #expect(throws: ModelError.self) { try model.lock(by: next) }
        try model.removeApplication(fixture.other)
        #expect(model.isLocked)
        #expect(model.lockHolder == nil)
        #expect(shown(fixture).isEmpty)
        #expect(try fixture.touch(1, .began, 50, 50).reason == .locked)
        try model.lock(by: next)
        let cover = try lockWindow(fixture, of: next)
        #expect(shown(fixture) == [cover])
        model.unlock()
        #expect(!model.isLocked)
        #expect(shown(fixture) == [window])
    }

    @Test("L4: input is for one application while others stay visible, and key is given back")
    func reserved() throws {
        let fixture = try ModelFixture()
        let model = fixture.model
        let window = try fixture.shown()
        try model.setBackgroundColor(.black, of: window)
        try model.makeKey(window)
        let own = try fixture.shown(x: 200, of: fixture.other)
        try model.reserveInput(for: fixture.other)
        #expect(shown(fixture).contains(window))
        #expect(model.keyWindow == own)
        #expect(try fixture.touch(1, .began, 50, 50).reason == .reserved)
        #expect(try fixture.touch(2, .began, 250, 50).hit?.window == own)
        #expect(throws: ModelError.self) { try model.reserveInput(for: fixture.app) }
        try model.removeApplication(fixture.other)
        #expect(model.inputHolder == nil)
        #expect(model.keyWindow == window)
        #expect(try fixture.touch(3, .began, 50, 50).hit?.window == window)
    }

    @Test("L3, L4: a snapshot keeps the lock and the reservation")
    func snapshot() throws {
        let fixture = try ModelFixture()
        let window = try fixture.shown()
        try fixture.model.makeKey(window)
        try fixture.model.reserveInput(for: fixture.app)
        try fixture.model.lock(by: fixture.other)
        let cover = try lockWindow(fixture, of: fixture.other)
        let model = try WindowModel(restoring: fixture.model.snapshot())
        #expect(model.lockHolder == fixture.other)
        #expect(model.inputHolder == fixture.app)
        #expect(model.keyWindow == cover)
        model.unlock()
        #expect(model.keyWindow == window)
    }
}
