// Several seats: two users of one server (K1–K7, E1–E3, E5, S8).

import MullionGeometry
import Testing
import WindowModel

@Suite struct SeatRuleTests {
    /// A fixture whose external screen belongs to another seat.
    private struct Two {
        let fixture: ModelFixture
        let wall: Screen.ID
        let second: Seat.ID
        var model: WindowModel { fixture.model }

        init() throws {
            fixture = try ModelFixture()
            second = try fixture.model.addSeat(name: "seat1", screens: ["Wall", "Attic"])
            wall = try fixture.model.connect(ModelFixture.wall)
            _ = fixture.effects()
        }

        func shown(x: Double = 0, level: Double = 0, of owner: Application.ID? = nil) throws -> Window.ID {
            try fixture.shown(x: x, level: level, of: owner, on: wall)
        }
    }

    @Test("K1: the first seat has every screen that no other names; a screen has one seat")
    func screens() throws {
        let two = try Two()
        #expect(two.model.seats == [.first, two.second])
        #expect(two.model.seat(of: two.fixture.screen) == .first && two.model.seat(of: two.wall) == two.second)
        #expect(two.model.seat(.first)?.name == "seat0" && two.model.seat(named: "seat1")?.id == two.second)
        #expect(two.model.seat(two.second)?.screens == ["Wall", "Attic"])
        let window = try two.shown()
        #expect(two.model.seat(of: window) == two.second)
        try two.model.disconnect(two.wall)
        #expect(two.model.seat(of: window) == nil && two.model.seat(of: two.wall) == nil)
        #expect(two.model.seat(of: try two.model.connect(ModelFixture.wall)) == two.second)
        let refused: [(String, [String])] = [
            ("", ["Loft"]), ("seat1", ["Loft"]), ("seat2", []), ("seat2", [""]), ("seat2", ["Loft", "Loft"]),
            ("seat2", ["Loft", "Attic"]),
        ]
        for (name, screens) in refused {
            #expect(refusal { try two.model.addSeat(name: name, screens: screens) }?.rule == .k1)
        }
        #expect(two.model.seats.count == 2)
        let nobody = Seat.ID(rawValue: 9)
        #expect(refusal { try two.model.press(key: 1, pressed: true, seat: nobody, time: 1) }?.kind == .unknownSeat)
        #expect(two.model.keyWindow(of: nobody) == nil && two.model.seat(nobody) == nil)
    }

    @Test("K1, E3: two users type at once, each into the key window of their seat")
    func typing() throws {
        let two = try Two()
        let (mine, theirs) = (try two.fixture.shown(), try two.shown(of: two.fixture.other))
        try two.model.makeKey(mine)
        try two.model.makeKey(theirs)
        #expect(
            two.fixture.effects().suffix(2) == [
                .didBecomeKey(mine, two.fixture.app, seat: .first),
                .didBecomeKey(theirs, two.fixture.other, seat: two.second),
            ])
        #expect(two.model.keyWindow == mine && two.model.keyWindow(of: two.second) == theirs)
        #expect([mine, theirs].allSatisfy { two.model.window($0)?.isKey == true })
        try two.model.press(key: 30, pressed: true, time: 1)
        try two.model.press(key: 30, pressed: true, seat: two.second, time: 1)
        try two.model.press(key: 30, pressed: false, time: 2)
        #expect(two.model.pressedKeys == [] && two.model.pressedKeys(of: two.second) == [30])
        let events = two.fixture.events()
        #expect(events.map(\.window) == [mine, theirs, mine])
        #expect(events.map(\.seat) == [.first, two.second, .first])
        try two.model.setHidden(true, of: mine)
        #expect(two.model.keyWindow == nil && two.model.keyWindow(of: two.second) == theirs)
        #expect(try two.model.press(key: 31, pressed: true, time: 3).reason == .noKeyWindow)
    }

    @Test(
        "K2: a remembered request is granted unless another was made key on the same seat", arguments: [false, true])
    func remembered(same: Bool) throws {
        let two = try Two()
        let (mine, theirs) = (try two.fixture.shown(), try two.shown())
        let hidden = try two.model.createWindow(application: two.fixture.app, screen: two.wall)
        try two.model.makeKey(hidden)
        try two.model.makeKey(same ? theirs : mine)
        try two.model.setHidden(false, of: hidden)
        #expect(two.model.keyWindow(of: two.second) == (same ? theirs : hidden))
    }

    @Test("K5: key passes on among the windows on the seat's screens only")
    func inheritance() throws {
        let two = try Two()
        let mine = try two.fixture.shown(level: 2000)
        let (heir, stranger) = (try two.shown(), try two.shown(level: 1000, of: two.fixture.other))
        let key = try two.shown()
        try two.model.makeKey(key)
        try two.model.destroyWindow(key)
        #expect(two.model.keyWindow(of: two.second) == heir)
        try two.model.resignKey(heir)
        #expect(two.model.keyWindow(of: two.second) == stranger)
        try two.model.destroyWindow(heir)
        try two.model.destroyWindow(stranger)
        #expect(two.model.keyWindow(of: two.second) == nil && two.model.keyWindow == nil)
        #expect(two.model.isVisible(mine))
    }

    @Test("K1, K5: a window that moves to a screen of another seat resigns key first, and is not key there")
    func moving() throws {
        let two = try Two()
        let (key, heir) = (try two.fixture.shown(), try two.fixture.shown())
        // S7: it already shows its own picture.
        _ = try two.shown(x: 500)
        try two.model.makeKey(key)
        try two.model.press(key: 30, pressed: true, time: 1)
        try two.fixture.touch(1, .began, 50, 50)
        _ = two.fixture.effects()
        try two.model.move(key, to: two.wall)
        let effects = two.fixture.effects()
        guard case .deliver(let press) = effects.first else { throw Mismatch("\(effects)") }
        #expect(press.phase == .cancelled && press.detail == .key(30) && press.screen == two.fixture.screen)
        #expect(
            effects.dropFirst() == [
                .didResignKey(key, two.fixture.app), .didBecomeKey(heir, two.fixture.app),
                .screenDidChange(key, two.fixture.app, two.wall),
            ])
        #expect(two.model.keyWindow(of: two.second) == nil)
        try two.model.beginEditing(key)
        #expect(two.model.keyWindow(of: two.second) == key && two.model.keyWindow == heir)
        #expect(two.model.checkInvariants() == [])
    }

    @Test("E1, K7: two users touch at once; ids are per seat, and a touch makes key on its own seat")
    func touching() throws {
        let two = try Two()
        let (mine, _) = try two.fixture.plain()
        let theirs = try two.shown()
        try two.model.makeKey(theirs)
        _ = two.fixture.events()
        try two.fixture.touch(1, .began, 50, 50)
        try two.model.touch(id: 1, phase: .began, at: Point(x: 5, y: 5), on: two.wall, time: 1)
        try two.fixture.touch(1, .moved, 51, 50)
        try two.model.touch(id: 1, phase: .ended, at: Point(x: 5, y: 5), on: two.wall, time: 1)
        let events = two.fixture.events()
        #expect(events.map(\.window) == [mine, theirs, mine, theirs])
        #expect(events.map(\.seat) == [.first, two.second, .first, two.second])
        #expect(two.model.keyWindow == mine && two.model.keyWindow(of: two.second) == theirs)
        #expect(two.model.touchCount == 1)
    }

    @Test("E5: each seat has its own pointer, buttons, focus, scrolling and gestures")
    func pointing() throws {
        let two = try Two()
        let (mine, theirs) = (try two.fixture.shown(), try two.shown())
        let (here, there) = (Point(x: 5, y: 5), Point(x: 6, y: 6))
        try two.model.pointerMoved(to: here, on: two.fixture.screen, time: 1)
        try two.model.pointerMoved(to: there, on: two.wall, time: 1)
        #expect(two.model.pointerLocation?.point == here && two.model.pointerLocation(of: two.second)?.point == there)
        #expect(two.model.pointerFocus?.window == mine && two.model.pointerFocus(of: two.second)?.window == theirs)
        #expect(two.model.pointerFocus(of: two.second)?.seat == two.second)
        _ = two.fixture.events()
        try two.model.pointerButton(code: 272, pressed: true, time: 2)
        try two.model.pointerButton(code: 272, pressed: true, seat: two.second, time: 2)
        let step = Event.Scroll(deltaX: 0, deltaY: 1)
        try two.model.scroll(step, phase: .began, seat: two.second, time: 3)
        try two.model.transformGesture(Event.TransformGesture(), phase: .began, time: 3)
        #expect(refusal { try two.model.scroll(step, phase: .moved, time: 3) }?.rule == .e5)
        let events = two.fixture.events()
        #expect(events.map(\.window) == [mine, theirs, theirs, mine])
        #expect(events.map(\.seat) == [.first, two.second, two.second, .first])
    }

    @Test("K1, S8: a seat's screen may come and go; its key passes on, and its touches end", arguments: [false, true])
    func unplugging(toMain: Bool) throws {
        let two = try Two()
        two.model.policy.orphans = toMain ? .main : .keep
        let attic = try two.model.connect(
            ScreenDescription(name: "Attic", modes: [Screen.Mode(width: 640, height: 480)]))
        let heir = try two.fixture.shown(on: attic)
        let (key, other) = (try two.shown(level: 1), try two.shown(level: 2))
        try two.model.makeKey(key)
        try two.model.touch(id: 4, phase: .began, at: Point(x: 5, y: 5), on: two.wall, time: 1)
        try two.model.pointerMoved(to: Point(x: 5, y: 5), on: two.wall, time: 1)
        _ = two.fixture.effects()
        try two.model.disconnect(two.wall)
        #expect(two.model.keyWindow(of: two.second) == heir, "not one that goes as well")
        let keys = two.fixture.effects().filter {
            switch $0 {
            case .didResignKey, .didBecomeKey: true
            default: false
            }
        }
        #expect(
            keys == [
                .didResignKey(key, two.fixture.app, seat: two.second),
                .didBecomeKey(heir, two.fixture.app, seat: two.second),
            ])
        #expect(two.model.keyWindow == nil && two.model.pointerLocation(of: two.second) == nil)
        #expect(two.model.isVisible(other) == toMain)
        let end = try two.model.touch(id: 4, phase: .ended, at: .zero, on: two.wall, time: 2)
        #expect(end.reason == .cancelled && two.model.touchCount == 0)
        #expect(two.model.checkInvariants() == [])
    }

    @Test("K1: a seat added later takes over its screens: key passes on, touches are cancelled and still end")
    func taking() throws {
        let fixture = try ModelFixture()
        let wall = try fixture.model.connect(ModelFixture.wall)
        let attic = try fixture.model.connect(
            ScreenDescription(name: "Attic", modes: [Screen.Mode(width: 640, height: 480)]))
        let (heir, key) = (try fixture.shown(), try fixture.shown(on: wall))
        _ = try fixture.shown(level: 9, on: attic)
        try fixture.model.makeKey(key)
        try fixture.model.pointerMoved(to: Point(x: 5, y: 5), on: wall, time: 1)
        try fixture.model.touch(id: 1, phase: .began, at: Point(x: 5, y: 5), on: wall, time: 1)
        _ = fixture.effects()
        let second = try fixture.model.addSeat(name: "tower", screens: ["Attic", "Wall"])
        let effects = fixture.effects()
        #expect(effects.prefix(2) == [.didResignKey(key, fixture.app), .didBecomeKey(heir, fixture.app)])
        let events = effects.compactMap { if case .deliver(let event) = $0 { event } else { nil } }
        #expect(events.map(\.kind) == [.touches, .hover] && events.allSatisfy { $0.phase == .cancelled })
        #expect(fixture.model.keyWindow == heir && fixture.model.keyWindow(of: second) == nil)
        #expect(fixture.model.pointerLocation == nil)
        #expect(try fixture.model.touch(id: 1, phase: .ended, at: .zero, on: wall, time: 2).reason == .cancelled)
        #expect(fixture.model.checkInvariants() == [])
    }
}
