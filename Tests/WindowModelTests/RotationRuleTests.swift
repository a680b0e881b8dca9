// Rotation: R1–R3, and the sequences it cancels (E2).

import MullionGeometry
import Testing
import WindowModel

@Suite struct RotationRuleTests {
    private func turn(
        _ fixture: ModelFixture, _ to: Screen.Orientation, duration: UInt64? = nil, at time: UInt64 = 1000,
        _ id: Screen.ID? = nil
    ) throws {
        try fixture.model.rotate(id ?? fixture.screen, to: to, duration: duration, time: time)
    }

    @Test("R1, R2: willChange, the new state, the new frames, and didChange when the time is over")
    func order() throws {
        let fixture = try ModelFixture()
        let full = try fixture.model.createWindow(application: fixture.app)
        try turn(fixture, .landscapeLeft)
        #expect(
            fixture.effects() == [
                .orientationWillChange(fixture.screen, from: .portrait, to: .landscapeLeft, duration: 300_000),
                .screenPropertiesDidChange(fixture.screen), .frameDidChange(full, fixture.app),
            ])
        #expect(fixture.model.screen(fixture.screen)?.orientation == .landscapeLeft)
        #expect(fixture.model.screen(fixture.screen)?.bounds == Rect(x: 0, y: 0, width: 400, height: 500))
        #expect(fixture.model.isRotating(fixture.screen) && fixture.model.nextDeadline == 301_000)
        fixture.model.advanceTime(to: 300_999)
        #expect(fixture.effects() == [])
        fixture.model.advanceTime(to: 301_000)
        #expect(fixture.effects() == [.orientationDidChange(fixture.screen, from: .portrait, to: .landscapeLeft)])
        #expect(!fixture.model.isRotating(fixture.screen) && fixture.model.nextDeadline == nil)
        fixture.model.advanceTime(to: 9_000_000)
        #expect(fixture.effects() == [])
    }

    @Test("R1: a quarter turn lasts 0.3 s, a half turn twice that, unless specified", arguments: [false, true])
    func durations(isHalf: Bool) throws {
        let quarters: [(Screen.Orientation, Screen.Orientation)] = [
            (.portrait, .landscapeLeft), (.landscapeLeft, .portraitUpsideDown), (.portraitUpsideDown, .landscapeRight),
            (.landscapeRight, .portrait),
        ]
        let halves: [(Screen.Orientation, Screen.Orientation)] = [
            (.portrait, .portraitUpsideDown), (.landscapeLeft, .landscapeRight), (.landscapeRight, .landscapeLeft),
        ]
        for (from, to) in isHalf ? halves : quarters {
            let fixture = try ModelFixture()
            try turn(fixture, from, duration: 0)
            try turn(fixture, to)
            #expect(fixture.model.nextDeadline == (isHalf ? 601_000 : 301_000))
        }
        let fixture = try ModelFixture()
        try turn(fixture, .landscapeLeft, duration: 60_000_000)
        #expect(fixture.model.nextDeadline == 60_001_000)
        _ = fixture.effects()
        #expect(refusal { try turn(fixture, .portrait, duration: 60_000_001) }?.rule == .r1)
        #expect(fixture.model.screen(fixture.screen)?.orientation == .landscapeLeft && fixture.effects() == [])
    }

    @Test("R1: without a duration all notifications follow immediately; the same orientation again does nothing")
    func atOnce() throws {
        let fixture = try ModelFixture()
        try turn(fixture, .portraitUpsideDown, duration: 0)
        #expect(
            fixture.effects() == [
                .orientationWillChange(fixture.screen, from: .portrait, to: .portraitUpsideDown, duration: 0),
                .screenPropertiesDidChange(fixture.screen),
                .orientationDidChange(fixture.screen, from: .portrait, to: .portraitUpsideDown),
            ])
        try turn(fixture, .landscapeLeft)
        _ = fixture.effects()
        try turn(fixture, .landscapeLeft, duration: 0)
        #expect(fixture.effects() == [] && fixture.model.isRotating(fixture.screen), "the turn continues")
    }

    @Test("R1: an interrupted rotation ends immediately, before the next begins; each ends once")
    func interrupted() throws {
        let fixture = try ModelFixture()
        try turn(fixture, .landscapeLeft)
        _ = fixture.effects()
        try turn(fixture, .landscapeRight, at: 101_000)
        #expect(
            fixture.effects() == [
                .orientationDidChange(fixture.screen, from: .portrait, to: .landscapeLeft),
                .orientationWillChange(fixture.screen, from: .landscapeLeft, to: .landscapeRight, duration: 600_000),
                .screenPropertiesDidChange(fixture.screen),
            ])
        fixture.model.advanceTime(to: 301_000)
        #expect(fixture.effects() == [])
        fixture.model.advanceTime(to: 701_000)
        #expect(fixture.effects() == [.orientationDidChange(fixture.screen, from: .landscapeLeft, to: .landscapeRight)])
    }

    @Test("R1: unplugging a screen drops its rotation, and plugging it in again does not resume it")
    func unplugged() throws {
        let fixture = try ModelFixture()
        let wall = try fixture.model.connect(ModelFixture.wall)
        try turn(fixture, .landscapeLeft, wall)
        try turn(fixture, .landscapeRight, duration: 200_000)
        try fixture.model.disconnect(wall)
        _ = fixture.effects()
        let again = try fixture.model.connect(ModelFixture.wall)
        #expect(!fixture.model.isRotating(again) && fixture.model.nextDeadline == 201_000)
        fixture.model.advanceTime(to: 9_000_000)
        #expect(
            fixture.effects() == [
                .screenDidConnect(again), .orientationDidChange(fixture.screen, from: .portrait, to: .landscapeRight),
            ])
    }

    @Test("R1: rotations of several screens end in the order of their deadlines")
    func several() throws {
        let fixture = try ModelFixture()
        let wall = try fixture.model.connect(ModelFixture.wall)
        try turn(fixture, .portraitUpsideDown)
        try turn(fixture, .landscapeLeft, at: 2000, wall)
        _ = fixture.effects()
        fixture.model.advanceTime(to: 1_000_000)
        #expect(
            fixture.effects() == [
                .orientationDidChange(wall, from: .portrait, to: .landscapeLeft),
                .orientationDidChange(fixture.screen, from: .portrait, to: .portraitUpsideDown),
            ])
    }

    @Test("R1: earlier changes are notified as part of a rotation, after willChange")
    func changedBefore() throws {
        let fixture = try ModelFixture()
        try fixture.model.setBrightness(0.5, of: fixture.screen)
        try turn(fixture, .landscapeLeft, duration: 0)
        #expect(
            fixture.effects() == [
                .orientationWillChange(fixture.screen, from: .portrait, to: .landscapeLeft, duration: 0),
                .screenPropertiesDidChange(fixture.screen),
                .orientationDidChange(fixture.screen, from: .portrait, to: .landscapeLeft),
            ])
    }

    @Test("R2: windows that filled the screen get the new bounds, hidden ones too; a half turn changes no frame")
    func frames() throws {
        let fixture = try ModelFixture()
        let full = try fixture.model.createWindow(application: fixture.app)
        try fixture.model.setAutoresizing([.leftMargin], of: full)
        let follows = try fixture.shown(x: 30, y: 40)
        try fixture.model.setAutoresizing([.width, .height], of: follows)
        let small = try fixture.shown(x: 450, y: 350)
        let fills = try fixture.shown(x: 5)
        try fixture.model.setFillsScreen(true, of: fills)
        _ = fixture.effects()
        try turn(fixture, .landscapeRight)
        let turned = Rect(x: 0, y: 0, width: 400, height: 500)
        #expect(fixture.model.window(full)?.frame == turned && fixture.model.window(fills)?.frame == turned)
        #expect(fixture.model.window(follows)?.frame == Rect(x: 30, y: 40, width: 0, height: 200))
        #expect(fixture.model.window(small)?.frame == Rect(x: 450, y: 350, width: 100, height: 100))
        #expect(
            fixture.effects().dropFirst(2) == [
                .frameDidChange(full, fixture.app), .frameDidChange(follows, fixture.app),
                .frameDidChange(fills, fixture.app),
            ])
        try turn(fixture, .landscapeLeft)
        let effects = fixture.effects()
        #expect(effects.count == 3, "half a turn changes no bounds: \(effects)")
    }

    @Test("R2: a window that fills its screen within margins keeps them, whatever the screen's size")
    func margin() throws {
        let fixture = try ModelFixture()
        let window = try fixture.shown(x: 5)
        try fixture.model.setFillsScreen(true, of: window, leaving: Screen.Insets(top: 28, right: 10))
        try turn(fixture, .landscapeRight)
        #expect(fixture.model.window(window)?.frame == Rect(x: 0, y: 28, width: 390, height: 472))
        try fixture.model.setFillsScreen(true, of: window, leaving: Screen.Insets(top: 1000))
        try turn(fixture, .portrait)
        #expect(fixture.model.window(window)?.frame == Rect(x: 0, y: 1000, width: 500, height: 1))
        try fixture.model.setFillsScreen(true, of: window)
        try turn(fixture, .landscapeRight)
        #expect(fixture.model.window(window)?.frame == Rect(x: 0, y: 0, width: 400, height: 500))
        for margin in [-1, .infinity, .nan] {
            #expect(throws: ModelError.self) {
                try fixture.model.setFillsScreen(true, of: window, leaving: Screen.Insets(left: margin))
            }
        }
        #expect(fixture.model.window(window)?.margins == nil)
    }

    @Test(
        "R2: the flexible parts share what was gained, as UIKit does",
        arguments: [
            // A window at 100 of width 50 on a screen that grows from 500 to 1000.
            ([], 100, 50), (.leftMargin, 600, 50), (.width, 100, 550), (.rightMargin, 100, 50),
            ([.leftMargin, .rightMargin], 100 + 500 * 100 / 450.0, 50),
            ([.leftMargin, .width], 100 + 500 * 100 / 150.0, 50 + 500 * 50 / 150.0),
            ([.width, .rightMargin], 100, 50 + 500 * 50 / 400.0), ([.leftMargin, .width, .rightMargin], 200, 100),
        ] as [(Window.Autoresizing, Double, Double)])
    func arithmetic(mask: Window.Autoresizing, x: Double, width: Double) throws {
        let fixture = try ModelFixture()
        let frame = Rect(x: 100, y: 100, width: 50, height: 50)
        var panel = ModelFixture.wall
        panel.modes = [Screen.Mode(width: 500, height: 500), Screen.Mode(width: 1000, height: 500)]
        panel.currentMode = panel.modes[0]
        let screen = try fixture.model.connect(panel)
        // The other axis has the same arithmetic: its bits are three further.
        let across = try fixture.shown(on: screen)
        try fixture.model.setFrame(frame, of: across)
        try fixture.model.setAutoresizing(Window.Autoresizing(rawValue: mask.rawValue << 3), of: across)
        let window = try fixture.shown(on: screen)
        try fixture.model.setFrame(frame, of: window)
        try fixture.model.setAutoresizing(mask, of: window)
        func isClose(_ a: Rect?, _ b: Rect) -> Bool {
            guard let a else { return false }
            return zip([a.minX, a.minY, a.size.width, a.size.height], [b.minX, b.minY, b.size.width, b.size.height])
                .allSatisfy { abs($0 - $1) < 1e-9 }
        }
        try fixture.model.setMode(panel.modes[1], of: screen)
        #expect(isClose(fixture.model.frame(of: window), Rect(x: x, y: 100, width: width, height: 50)))
        #expect(fixture.model.frame(of: across) == frame)
        try fixture.model.setMode(panel.modes[0], of: screen)
        #expect(fixture.model.frame(of: window) == frame, "and back")
        try fixture.model.rotate(screen, to: .landscapeLeft, time: 1)
        #expect(fixture.model.frame(of: window) == frame, "a square panel has the same bounds")
        try fixture.model.setMode(panel.modes[1], of: screen)
        #expect(isClose(fixture.model.frame(of: across), Rect(x: 100, y: x, width: 50, height: width)))
        #expect(fixture.model.frame(of: window) == frame)
    }

    @Test("R2: flexible parts without any size share equally; no size becomes negative")
    func degenerate() throws {
        let fixture = try ModelFixture()
        let window = try fixture.shown()
        try fixture.model.setFrame(Rect(x: 0, y: 0, width: 500, height: 0), of: window)
        try fixture.model.setAutoresizing([.leftMargin, .rightMargin, .topMargin, .height], of: window)
        try turn(fixture, .landscapeLeft)
        #expect(fixture.model.frame(of: window) == Rect(x: -50, y: 50, width: 500, height: 50))
        try fixture.model.setAutoresizing([.width], of: window)
        try fixture.model.setFrame(Rect(x: 0, y: 0, width: 10, height: 10), of: window)
        try turn(fixture, .portrait)
        try fixture.model.setFrame(Rect(x: 0, y: 0, width: 10, height: 10), of: window)
        try turn(fixture, .landscapeLeft)
        #expect(fixture.model.frame(of: window) == Rect(x: 0, y: 0, width: 0, height: 10))
    }

    @Test("R3: frames of a fixed application stay portrait; it is drawn rotated, and touched in portrait points")
    func fixed() throws {
        let fixture = try ModelFixture()
        try fixture.model.setRotationPolicy(.fixed, of: fixture.app)
        let full = try fixture.model.createWindow(application: fixture.app)
        try fixture.model.setHidden(false, of: full)
        try fixture.model.setBackgroundColor(.black, of: full)
        _ = fixture.effects()
        // A pixel of the panel, and its position in points of the rotated screen: 1000 × 800 pixels, 2 to a point.
        let touched: [(Screen.Orientation, Point)] = [
            (.landscapeLeft, Point(x: 350, y: 30)), (.portraitUpsideDown, Point(x: 470, y: 350)),
            (.landscapeRight, Point(x: 50, y: 470)), (.portrait, Point(x: 30, y: 50)),
        ]
        for (number, (orientation, point)) in touched.enumerated() {
            try turn(fixture, orientation, duration: 0)
            #expect(fixture.effects().count == 3, "no frame changes")
            #expect(fixture.model.window(full)?.frame == Rect(x: 0, y: 0, width: 500, height: 400))
            #expect(fixture.model.screenBounds(of: full) == Rect(x: 0, y: 0, width: 500, height: 400))
            let layer = try #require(fixture.model.frame(for: fixture.screen)?.layers.first)
            let drawn = layer.toPixels.apply(to: Rect(origin: .zero, size: layer.size))
            #expect(drawn == Rect(x: 0, y: 0, width: 1000, height: 800))
            #expect(layer.toPixels.apply(to: Point(x: 30, y: 50)) == Point(x: 60, y: 100))
            #expect(try fixture.touch(Int32(number), .began, point.x, point.y).hit?.location == Point(x: 30, y: 50))
            #expect(fixture.model.convertToScreen(Point(x: 30, y: 50), from: full) == point)
            try fixture.touch(Int32(number), .ended, point.x, point.y)
            _ = fixture.effects()
        }
        #expect(fixture.model.checkInvariants() == [])
    }

    @Test("R3: default frames are portrait for fixed applications, and follow the orientation for others")
    func defaultFrames() throws {
        let fixture = try ModelFixture()
        try turn(fixture, .landscapeLeft)
        try fixture.model.setRotationPolicy(.fixed, of: fixture.app)
        let fixed = try fixture.model.createWindow(application: fixture.app)
        let rotating = try fixture.model.createWindow(application: fixture.other)
        #expect(fixture.model.window(fixed)?.frame == Rect(x: 0, y: 0, width: 500, height: 400))
        #expect(fixture.model.window(rotating)?.frame == Rect(x: 0, y: 0, width: 400, height: 500))
        // S2: the same holds for windows that waited for their first screen.
        try fixture.model.disconnect(fixture.screen)
        let waiting = try [fixture.app, fixture.other].map { try fixture.model.createWindow(application: $0) }
        var panel = ModelFixture.panel
        panel.orientation = .landscapeRight
        try fixture.model.connect(panel)
        #expect(fixture.model.window(waiting[0])?.frame == Rect(x: 0, y: 0, width: 500, height: 400))
        #expect(fixture.model.window(waiting[1])?.frame == Rect(x: 0, y: 0, width: 400, height: 500))
    }

    @Test("R3: the policy can change at any time: full windows stay full, and touches in rotated windows are cancelled")
    func switched() throws {
        let fixture = try ModelFixture()
        let full = try fixture.model.createWindow(application: fixture.app)
        let small = try fixture.shown(x: 200, y: 300)
        let follows = try fixture.model.createWindow(
            application: fixture.app, options: Window.Options(frame: Rect(x: 1, y: 2, width: 3, height: 4)))
        try fixture.model.setAutoresizing([.width, .height], of: follows)
        try fixture.touch(1, .began, 250, 350)
        _ = fixture.effects()
        try fixture.model.setRotationPolicy(.fixed, of: fixture.app)
        #expect(fixture.effects() == [], "held upright nothing turns")
        try fixture.model.setRotationPolicy(.rotating, of: fixture.app)
        #expect(fixture.effects() == [])
        try turn(fixture, .landscapeLeft, duration: 0)
        try fixture.touch(2, .began, 250, 350)
        #expect(fixture.model.window(follows)?.frame == Rect(x: 1, y: 2, width: 0, height: 104))
        _ = fixture.effects()
        try fixture.model.setRotationPolicy(.fixed, of: fixture.app)
        let effects = fixture.effects()
        guard case .deliver(let cancel) = effects.first else { throw Mismatch("no cancel: \(effects)") }
        #expect(cancel.phase == .cancelled && cancel.window == small && cancel.location == Point(x: 50, y: 50))
        #expect(effects.dropFirst() == [.frameDidChange(full, fixture.app), .frameDidChange(follows, fixture.app)])
        #expect(fixture.model.window(full)?.frame == Rect(x: 0, y: 0, width: 500, height: 400))
        #expect(fixture.model.window(small)?.frame == Rect(x: 200, y: 300, width: 100, height: 100))
        // The window covers 200…300 × 300…400 of the portrait space: pixels 400…600 × 600…800.
        #expect(fixture.model.hitTest(Point(x: 50, y: 250), on: fixture.screen)?.window == small)
        #expect(fixture.model.checkInvariants() == [])
    }

    @Test("E2: a rotation cancels each sequence in the screen's windows once, and none on other screens")
    func cancelled() throws {
        let fixture = try ModelFixture()
        let wall = try fixture.model.connect(ModelFixture.wall)
        let here = try fixture.shown()
        let there = try fixture.shown(on: wall)
        try fixture.touch(1, .began, 20, 30)
        try fixture.touch(2, .began, 400, 300)
        try fixture.model.touch(id: 3, phase: .began, at: Point(x: 9, y: 9), on: wall, time: 2)
        try fixture.model.pointerMoved(to: Point(x: 5, y: 5), on: fixture.screen, time: 3)
        try fixture.model.scroll(Event.Scroll(deltaX: 0, deltaY: 1), phase: .began, time: 3)
        try fixture.model.pointerButton(code: 272, pressed: true, time: 4)
        // A drag that has moved to the other screen still belongs to the window.
        try fixture.model.pointerMoved(to: Point(x: 50, y: 60), on: wall, time: 5)
        _ = fixture.events()
        try turn(fixture, .landscapeLeft)
        let cancelled = fixture.events()
        #expect(cancelled.map(\.kind) == [.touches, .touches, .hover, .scroll])
        #expect(cancelled.allSatisfy { $0.phase == .cancelled && $0.window == here })
        #expect(cancelled[0].location == Point(x: 20, y: 30), "where the finger was")
        #expect(fixture.model.pointerLocation?.point == Point(x: 50, y: 60), "the pointer is on the other screen")
        #expect(try fixture.touch(1, .moved, 21, 30).reason == .cancelled)
        try fixture.model.touch(id: 3, phase: .moved, at: Point(x: 10, y: 9), on: wall, time: 2)
        #expect(fixture.events().map(\.window) == [there])
        try fixture.touch(1, .ended, 21, 30)
        try fixture.model.pointerButton(code: 272, pressed: false, time: 6)
        try fixture.model.scroll(Event.Scroll(deltaX: 0, deltaY: 1), phase: .ended, time: 6)
        let rest = fixture.events()
        #expect(rest.map(\.kind) == [.hover] && rest.map(\.window) == [there], "what the pointer is over now")
        #expect(fixture.model.checkInvariants() == [])
    }
}
