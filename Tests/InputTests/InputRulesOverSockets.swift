// E and H rules through the connections of several clients: all events that each of them receives.

import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer
@testable import Displays

@Suite struct InputRulesOverSockets {
    private let fixture: ServerFixture
    private let left: TestClient
    private let right: TestClient
    private let leftInput: TestInput
    private let rightInput: TestInput
    private let leftWindow: TestWindow
    private let rightWindow: TestWindow

    /// Two clients with a window each, side by side; the left one's is key.
    init() throws {
        fixture = try ServerFixture(screens: ["800x600,name=A", "800x600,external,name=B,mirroring=off"])
        left = try fixture.connect("left")
        right = try fixture.connect("right")
        leftInput = try TestInput(left)
        rightInput = try TestInput(right)
        leftWindow = left.window("left").color(0xffff_0000).frame(0, 0, 100, 100)
        rightWindow = right.window("right").color(0xff00_ff00).frame(100, 0, 100, 100)
        leftWindow.makeKeyAndVisible()
        rightWindow.show()
        try fixture.pump()
        _ = (leftInput.takeEvents(), rightInput.takeEvents())
    }

    private func touch(_ id: Int32, _ phase: Event.Phase, _ x: Double, _ y: Double = 50) throws {
        _ = try fixture.server.injector.perform(.touch(id, phase, Point(x: x, y: y), fixture.mainScreen))
        try fixture.pump()
    }

    private func expect(
        left: [String], right: [String], _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(leftInput.takeEvents() == left, comment, sourceLocation: sourceLocation)
        #expect(rightInput.takeEvents() == right, comment, sourceLocation: sourceLocation)
    }

    @Test("E1: each touch has its own target, key or not, and keeps it wherever the finger goes")
    func targets() throws {
        try touch(1, .began, 50)
        try touch(2, .began, 150)
        try touch(1, .moved, 160)
        try touch(2, .moved, 10)
        try touch(1, .ended, 170)
        try touch(2, .ended, 20)
        expect(
            left: ["down 1 \(leftWindow.surface.id) 50.0,50.0", "move 1 160.0,50.0", "up 1"],
            right: ["down 2 \(rightWindow.surface.id) 50.0,50.0", "move 2 -90.0,50.0", "up 2"])
    }

    @Test("E2: a window that is destroyed under a finger receives cancel once; other clients' touches continue")
    func destroyed() throws {
        try touch(1, .began, 50)
        try touch(2, .began, 150)
        leftWindow.destroy()
        try fixture.pump()
        try touch(1, .moved, 150)
        try touch(1, .ended, 150)
        try touch(2, .ended, 150)
        expect(
            left: ["down 1 \(leftWindow.surface.id) 50.0,50.0", "leave \(leftWindow.surface.id)", "cancel"],
            right: [
                "down 2 \(rightWindow.surface.id) 50.0,50.0", "enter \(rightWindow.surface.id) []", "modifiers 0",
                "up 2",
            ])
    }

    @Test("E2, W7: the rest of a touch whose client dies is dropped, and its id can be used again afterwards")
    func death() throws {
        try touch(1, .began, 150)
        try right.kill()
        try touch(1, .moved, 50)
        try touch(1, .ended, 50)
        try touch(1, .began, 60)
        try touch(1, .ended, 60)
        expect(
            left: ["down 1 \(leftWindow.surface.id) 60.0,50.0", "up 1"],
            right: ["down 1 \(rightWindow.surface.id) 50.0,50.0"])
    }

    @Test("E2, S8: unplugging a screen cancels its touches once; they stay cancelled when it is plugged in again")
    func unplugged() throws {
        let screen = try #require(fixture.model.screen(named: "B"))
        let place = Point(x: 5, y: 5)
        try fixture.model.move(fixture.model.windows[1], to: screen.id)
        try fixture.model.setFrame(Rect(x: 0, y: 0, width: 50, height: 50), of: fixture.model.windows[1])
        for id: Int32 in [1, 2] { _ = try fixture.server.injector.perform(.touch(id, .began, place, screen.id)) }
        try fixture.server.disconnect(screen.id)
        try fixture.pump()
        try fixture.server.plug(ScreenSpecification(parsing: "800x600,external,name=B,mirroring=off"))
        for id: Int32 in [1, 2] { _ = try fixture.server.injector.perform(.touch(id, .ended, place, screen.id)) }
        try fixture.pump()
        let surface = rightWindow.surface.id
        expect(left: [], right: ["down 1 \(surface) 5.0,5.0", "down 2 \(surface) 5.0,5.0", "cancel"])
    }

    @Test("E5: a window that moves under a held button receives the pointer's new position with the release")
    func movedWhileHeld() throws {
        let surface = leftWindow.surface.id
        let injector = fixture.server.injector
        _ = try injector.perform(.move(Point(x: 50, y: 50), fixture.mainScreen))
        _ = try injector.perform(.button(0x110, pressed: true))
        try fixture.model.setFrame(Rect(x: 10, y: 20, width: 80, height: 80), of: fixture.model.windows[0])
        try fixture.pump()
        expect(left: ["pointer enter \(surface) 50.0,50.0", "button 272 1"], right: [])
        _ = try injector.perform(.button(0x110, pressed: false))
        try fixture.pump()
        expect(left: ["button 272 0", "motion 40.0,30.0"], right: [])
    }

    @Test("E8: events fall through a window whose interaction is disabled to another client's window behind it")
    func fallsThrough() throws {
        let overlay = left.window("overlay").color(0x8000_00ff).level(10)
        overlay.window.send(.setUserInteractionEnabled(enabled: 0))
        overlay.show()
        try fixture.pump()
        try touch(1, .began, 150)
        overlay.window.send(.setUserInteractionEnabled(enabled: 1))
        overlay.commit()
        try fixture.pump()
        try touch(1, .ended, 150)
        expect(left: [], right: ["down 1 \(rightWindow.surface.id) 50.0,50.0", "up 1"])
        try touch(1, .began, 150)
        try touch(1, .ended, 150)
        expect(left: ["down 1 \(overlay.surface.id) 150.0,50.0", "up 1"], right: [])
    }

    @Test("E9: a client receives all input in the order of injection, whatever its kind")
    func order() throws {
        let surface = leftWindow.surface.id
        let injector = fixture.server.injector
        let screen = fixture.mainScreen
        let point = Point(x: 10, y: 20)
        for step: InputStep in [
            .key(30, pressed: true), .touch(1, .began, point, screen), .move(point, screen),
            .key(30, pressed: false), .button(0x110, pressed: true), .touch(1, .ended, point, screen),
            .button(0x110, pressed: false),
        ] {
            _ = try injector.perform(step)
        }
        try fixture.pump()
        expect(
            left: [
                "key 30 1", "down 1 \(surface) 10.0,20.0", "pointer enter \(surface) 10.0,20.0", "key 30 0",
                "button 272 1", "up 1", "button 272 0",
            ], right: [])
    }

    @Test("H1: alpha, frames and levels decide which window is hit; within it the deepest surface, clipped or not")
    func hits() throws {
        let faint = right.window("faint").color(0xff00_00ff).level(5)
        faint.window.send(.setAlpha(alpha: UInt32.max / 200))
        faint.show()
        let child = try TestSubsurface(
            left, of: leftWindow.surface, argb: 0xff00_00ff, x: 80, y: 40, width: 40, height: 40)
        leftWindow.level(1).commit()
        try fixture.pump()
        for x in [90.0, 110] {
            try touch(1, .began, x)
            try touch(1, .ended, x)
        }
        expect(
            left: ["down 1 \(child.surface.id) 10.0,10.0", "up 1"],
            right: ["down 1 \(rightWindow.surface.id) 10.0,50.0", "up 1"], "clipped to the frame")
        leftWindow.window.send(.setClipsToBounds(clips: 0))
        leftWindow.commit()
        try fixture.pump()
        try touch(1, .began, 110)
        try touch(1, .ended, 110)
        expect(left: ["down 1 \(child.surface.id) 30.0,10.0", "up 1"], right: [])
    }

    @Test("H3: the answer to an injected event names its target, or for every window why it was skipped")
    func explained() throws {
        let injector = fixture.server.injector
        func reasons(_ x: Double, on screen: String = "A") throws -> (Routing?, [Routing.Reason]) {
            let place = InputEvent.Place(screen: ScreenReference(screen), point: Point(x: x, y: 50))
            let routing = try injector.inject([.tap(id: 1, place)])[0].routing
            return (routing, routing?.candidates.map(\.reason) ?? [])
        }
        let names = ["inputRegion", "interactionDisabled", "alpha", "hidden"]
        let windows = names.enumerated().map { left.window($1).color(0xff00_00ff).level(Double($0 + 1)) }
        windows[0].surface.send(.setInputRegion(region: left.region([(0, 0, 1, 1)]).id))
        windows[1].window.send(.setUserInteractionEnabled(enabled: 0))
        windows[2].window.send(.setAlpha(alpha: 0))
        for window in windows.prefix(3) { window.show() }
        windows[3].commit()
        try fixture.pump()
        let taken = try reasons(50)
        #expect(taken.0?.hit?.window == fixture.model.windows[0])
        #expect(taken.1 == [.hidden, .alpha, .interactionDisabled, .inputRegion, .outsideFrame])
        let nobody = try reasons(700)
        #expect(nobody.0?.reason == .noWindow && nobody.1.suffix(2) == [.outsideFrame, .outsideFrame])
        left.application.send(.beginIgnoringInteractionEvents)
        try fixture.pump()
        let ignored = try reasons(50)
        #expect(ignored.0?.reason == .ignoring && ignored.1.last == .ignoring)
        #expect(try injector.inject([.key("a", .tap)])[0].routing?.hit?.window == fixture.model.keyWindow)
        leftWindow.resignKey()
        rightWindow.hide()
        for window in windows { window.hide() }
        leftWindow.hide()
        try fixture.pump()
        #expect(try injector.inject([.key("a", .tap)])[0].routing?.reason == .noKeyWindow)
        try fixture.server.plug(ScreenSpecification(parsing: "100x100,external,name=C,interactive=false"))
        #expect(try reasons(50, on: "C").0?.reason == .screenNotInteractive)
    }
}
