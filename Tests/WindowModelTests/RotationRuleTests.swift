// Rotation: R1–R3, and the sequences it cancels (E2).

import Geometry
import Testing
import WindowModel

@Suite struct RotationRuleTests {
    private func turn(
        _ desk: Desk, _ to: Screen.Orientation, duration: UInt64? = nil, at time: UInt64 = 1000, _ id: Screen.ID? = nil
    ) throws {
        try desk.model.rotate(id ?? desk.screen, to: to, duration: duration, time: time)
    }

    @Test("R1, R2: willChange, the new state, the new frames, and didChange when the time is over")
    func order() throws {
        let desk = try Desk()
        let full = try desk.model.createWindow(application: desk.app)
        try turn(desk, .landscapeLeft)
        #expect(
            desk.effects() == [
                .orientationWillChange(desk.screen, from: .portrait, to: .landscapeLeft, duration: 300_000),
                .screenPropertiesDidChange(desk.screen), .frameDidChange(full, desk.app),
            ])
        #expect(desk.model.screen(desk.screen)?.orientation == .landscapeLeft)
        #expect(desk.model.screen(desk.screen)?.bounds == Rect(x: 0, y: 0, width: 400, height: 500))
        #expect(desk.model.isRotating(desk.screen) && desk.model.nextDeadline == 301_000)
        desk.model.advanceTime(to: 300_999)
        #expect(desk.effects() == [])
        desk.model.advanceTime(to: 301_000)
        #expect(desk.effects() == [.orientationDidChange(desk.screen, from: .portrait, to: .landscapeLeft)])
        #expect(!desk.model.isRotating(desk.screen) && desk.model.nextDeadline == nil)
        desk.model.advanceTime(to: 9_000_000)
        #expect(desk.effects() == [])
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
            let desk = try Desk()
            try turn(desk, from, duration: 0)
            try turn(desk, to)
            #expect(desk.model.nextDeadline == (isHalf ? 601_000 : 301_000))
        }
        let desk = try Desk()
        try turn(desk, .landscapeLeft, duration: 60_000_000)
        #expect(desk.model.nextDeadline == 60_001_000)
        _ = desk.effects()
        #expect(refusal { try turn(desk, .portrait, duration: 60_000_001) }?.rule == .r1)
        #expect(desk.model.screen(desk.screen)?.orientation == .landscapeLeft && desk.effects() == [])
    }

    @Test("R1: without a duration all notifications follow immediately; the same orientation again does nothing")
    func atOnce() throws {
        let desk = try Desk()
        try turn(desk, .portraitUpsideDown, duration: 0)
        #expect(
            desk.effects() == [
                .orientationWillChange(desk.screen, from: .portrait, to: .portraitUpsideDown, duration: 0),
                .screenPropertiesDidChange(desk.screen),
                .orientationDidChange(desk.screen, from: .portrait, to: .portraitUpsideDown),
            ])
        try turn(desk, .landscapeLeft)
        _ = desk.effects()
        try turn(desk, .landscapeLeft, duration: 0)
        #expect(desk.effects() == [] && desk.model.isRotating(desk.screen), "the turn continues")
    }

    @Test("R1: an interrupted rotation ends immediately, before the next begins; each ends once")
    func interrupted() throws {
        let desk = try Desk()
        try turn(desk, .landscapeLeft)
        _ = desk.effects()
        try turn(desk, .landscapeRight, at: 101_000)
        #expect(
            desk.effects() == [
                .orientationDidChange(desk.screen, from: .portrait, to: .landscapeLeft),
                .orientationWillChange(desk.screen, from: .landscapeLeft, to: .landscapeRight, duration: 600_000),
                .screenPropertiesDidChange(desk.screen),
            ])
        desk.model.advanceTime(to: 301_000)
        #expect(desk.effects() == [])
        desk.model.advanceTime(to: 701_000)
        #expect(desk.effects() == [.orientationDidChange(desk.screen, from: .landscapeLeft, to: .landscapeRight)])
    }

    @Test("R1: unplugging a screen drops its rotation, and plugging it in again does not resume it")
    func unplugged() throws {
        let desk = try Desk()
        let wall = try desk.model.connect(Desk.wall)
        try turn(desk, .landscapeLeft, wall)
        try turn(desk, .landscapeRight, duration: 200_000)
        try desk.model.disconnect(wall)
        _ = desk.effects()
        let again = try desk.model.connect(Desk.wall)
        #expect(!desk.model.isRotating(again) && desk.model.nextDeadline == 201_000)
        desk.model.advanceTime(to: 9_000_000)
        #expect(
            desk.effects() == [
                .screenDidConnect(again), .orientationDidChange(desk.screen, from: .portrait, to: .landscapeRight),
            ])
    }

    @Test("R1: rotations of several screens end in the order of their deadlines")
    func several() throws {
        let desk = try Desk()
        let wall = try desk.model.connect(Desk.wall)
        try turn(desk, .portraitUpsideDown)
        try turn(desk, .landscapeLeft, at: 2000, wall)
        _ = desk.effects()
        desk.model.advanceTime(to: 1_000_000)
        #expect(
            desk.effects() == [
                .orientationDidChange(wall, from: .portrait, to: .landscapeLeft),
                .orientationDidChange(desk.screen, from: .portrait, to: .portraitUpsideDown),
            ])
    }

    @Test("R1: earlier changes are notified as part of a rotation, after willChange")
    func changedBefore() throws {
        let desk = try Desk()
        try desk.model.setBrightness(0.5, of: desk.screen)
        try turn(desk, .landscapeLeft, duration: 0)
        #expect(
            desk.effects() == [
                .orientationWillChange(desk.screen, from: .portrait, to: .landscapeLeft, duration: 0),
                .screenPropertiesDidChange(desk.screen),
                .orientationDidChange(desk.screen, from: .portrait, to: .landscapeLeft),
            ])
    }

    @Test("R2: windows that filled the screen or follow its size get the new bounds, hidden ones too; others stay")
    func frames() throws {
        let desk = try Desk()
        let full = try desk.model.createWindow(application: desk.app)
        let follows = try desk.shown(x: 30, y: 40)
        try desk.model.setAutoresizing([.width, .height], of: follows)
        let wide = try desk.shown(x: 1)
        try desk.model.setAutoresizing([.width], of: wide)
        let small = try desk.shown(x: 450, y: 350)
        _ = desk.effects()
        try turn(desk, .landscapeRight)
        let turned = Rect(x: 0, y: 0, width: 400, height: 500)
        #expect(desk.model.window(full)?.frame == turned && desk.model.window(follows)?.frame == turned)
        #expect(desk.model.window(wide)?.frame == Rect(x: 1, y: 0, width: 100, height: 100))
        #expect(desk.model.window(small)?.frame == Rect(x: 450, y: 350, width: 100, height: 100))
        #expect(
            desk.effects().dropFirst(2) == [.frameDidChange(full, desk.app), .frameDidChange(follows, desk.app)])
        try turn(desk, .landscapeLeft)
        let effects = desk.effects()
        #expect(effects.count == 3, "half a turn changes no bounds: \(effects)")
    }

    @Test("R3: frames of a fixed application stay portrait; it is drawn rotated, and touched in portrait points")
    func fixed() throws {
        let desk = try Desk()
        try desk.model.setRotationPolicy(.fixed, of: desk.app)
        let full = try desk.model.createWindow(application: desk.app)
        try desk.model.setHidden(false, of: full)
        try desk.model.setBackgroundColor(.black, of: full)
        _ = desk.effects()
        // A pixel of the panel, and its position in points of the rotated screen: 1000 × 800 pixels, 2 to a point.
        let touched: [(Screen.Orientation, Point)] = [
            (.landscapeLeft, Point(x: 350, y: 30)), (.portraitUpsideDown, Point(x: 470, y: 350)),
            (.landscapeRight, Point(x: 50, y: 470)), (.portrait, Point(x: 30, y: 50)),
        ]
        for (number, (orientation, point)) in touched.enumerated() {
            try turn(desk, orientation, duration: 0)
            #expect(desk.effects().count == 3, "no frame changes")
            #expect(desk.model.window(full)?.frame == Rect(x: 0, y: 0, width: 500, height: 400))
            #expect(desk.model.screenBounds(of: full) == Rect(x: 0, y: 0, width: 500, height: 400))
            let layer = try #require(desk.model.frame(for: desk.screen)?.layers.first)
            let drawn = layer.toPixels.apply(to: Rect(origin: .zero, size: layer.size))
            #expect(drawn == Rect(x: 0, y: 0, width: 1000, height: 800))
            #expect(layer.toPixels.apply(to: Point(x: 30, y: 50)) == Point(x: 60, y: 100))
            #expect(try desk.touch(Int32(number), .began, point.x, point.y).hit?.location == Point(x: 30, y: 50))
            #expect(desk.model.convertToScreen(Point(x: 30, y: 50), from: full) == point)
            try desk.touch(Int32(number), .ended, point.x, point.y)
            _ = desk.effects()
        }
        #expect(desk.model.checkInvariants() == [])
    }

    @Test("R3: default frames are portrait for fixed applications, and follow the orientation for others")
    func defaultFrames() throws {
        let desk = try Desk()
        try turn(desk, .landscapeLeft)
        try desk.model.setRotationPolicy(.fixed, of: desk.app)
        let fixed = try desk.model.createWindow(application: desk.app)
        let rotating = try desk.model.createWindow(application: desk.other)
        #expect(desk.model.window(fixed)?.frame == Rect(x: 0, y: 0, width: 500, height: 400))
        #expect(desk.model.window(rotating)?.frame == Rect(x: 0, y: 0, width: 400, height: 500))
        // S2: the same holds for windows that waited for their first screen.
        try desk.model.disconnect(desk.screen)
        let waiting = try [desk.app, desk.other].map { try desk.model.createWindow(application: $0) }
        var panel = Desk.panel
        panel.orientation = .landscapeRight
        try desk.model.connect(panel)
        #expect(desk.model.window(waiting[0])?.frame == Rect(x: 0, y: 0, width: 500, height: 400))
        #expect(desk.model.window(waiting[1])?.frame == Rect(x: 0, y: 0, width: 400, height: 500))
    }

    @Test("R3: the policy can change at any time: full windows stay full, and touches in rotated windows are cancelled")
    func switched() throws {
        let desk = try Desk()
        let full = try desk.model.createWindow(application: desk.app)
        let small = try desk.shown(x: 200, y: 300)
        let follows = try desk.model.createWindow(
            application: desk.app, options: Window.Options(frame: Rect(x: 1, y: 2, width: 3, height: 4)))
        try desk.model.setAutoresizing([.width, .height], of: follows)
        try desk.touch(1, .began, 250, 350)
        _ = desk.effects()
        try desk.model.setRotationPolicy(.fixed, of: desk.app)
        #expect(desk.effects() == [.frameDidChange(follows, desk.app)], "held upright nothing turns")
        try desk.model.setRotationPolicy(.rotating, of: desk.app)
        #expect(desk.effects() == [])
        try turn(desk, .landscapeLeft, duration: 0)
        try desk.touch(2, .began, 250, 350)
        _ = desk.effects()
        try desk.model.setRotationPolicy(.fixed, of: desk.app)
        let effects = desk.effects()
        guard case .deliver(let cancel) = effects.first else { throw Mismatch("no cancel: \(effects)") }
        #expect(cancel.phase == .cancelled && cancel.window == small && cancel.location == Point(x: 50, y: 50))
        #expect(effects.dropFirst() == [.frameDidChange(full, desk.app), .frameDidChange(follows, desk.app)])
        #expect(desk.model.window(full)?.frame == Rect(x: 0, y: 0, width: 500, height: 400))
        #expect(desk.model.window(small)?.frame == Rect(x: 200, y: 300, width: 100, height: 100))
        // The window covers 200…300 × 300…400 of the portrait space: pixels 400…600 × 600…800.
        #expect(desk.model.hitTest(Point(x: 50, y: 250), on: desk.screen)?.window == small)
        #expect(desk.model.checkInvariants() == [])
    }

    @Test("E2: a rotation cancels each sequence in the screen's windows once, and none on other screens")
    func cancelled() throws {
        let desk = try Desk()
        let wall = try desk.model.connect(Desk.wall)
        let here = try desk.shown()
        let there = try desk.shown(on: wall)
        try desk.touch(1, .began, 20, 30)
        try desk.touch(2, .began, 400, 300)
        try desk.model.touch(id: 3, phase: .began, at: Point(x: 9, y: 9), on: wall, time: 2)
        try desk.model.pointerMoved(to: Point(x: 5, y: 5), on: desk.screen, time: 3)
        try desk.model.scroll(Event.Scroll(deltaX: 0, deltaY: 1), phase: .began, time: 3)
        try desk.model.pointerButton(code: 272, pressed: true, time: 4)
        // A drag that has moved to the other screen still belongs to the window.
        try desk.model.pointerMoved(to: Point(x: 50, y: 60), on: wall, time: 5)
        _ = desk.events()
        try turn(desk, .landscapeLeft)
        let cancelled = desk.events()
        #expect(cancelled.map(\.kind) == [.touches, .touches, .hover, .scroll])
        #expect(cancelled.allSatisfy { $0.phase == .cancelled && $0.window == here })
        #expect(cancelled[0].location == Point(x: 20, y: 30), "where the finger was")
        #expect(desk.model.pointerLocation?.point == Point(x: 50, y: 60), "the pointer is on the other screen")
        #expect(try desk.touch(1, .moved, 21, 30).reason == .cancelled)
        try desk.model.touch(id: 3, phase: .moved, at: Point(x: 10, y: 9), on: wall, time: 2)
        #expect(desk.events().map(\.window) == [there])
        try desk.touch(1, .ended, 21, 30)
        try desk.model.pointerButton(code: 272, pressed: false, time: 6)
        try desk.model.scroll(Event.Scroll(deltaX: 0, deltaY: 1), phase: .ended, time: 6)
        let rest = desk.events()
        #expect(rest.map(\.kind) == [.hover] && rest.map(\.window) == [there], "what the pointer is over now")
        #expect(desk.model.checkInvariants() == [])
    }
}
