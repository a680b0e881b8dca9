// Relative motion, locks and confinements.

import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct PointerConstraintTests {
    @Test("E5: relative motion goes to the client with the pointer, beyond the edges of the layout too")
    func relative() throws {
        let setup = try PointerFixture(screens: ["800x600,name=A", "640x480,external,name=B,mirroring=off"])
        let window = try setup.window(0, 0, 100, 100)
        let relative = try setup.pointer.relative()
        try setup.hover(50, 50)
        _ = setup.pointer.take()
        try setup.hover(53, 46)
        #expect(setup.pointer.take() == ["relative 3.0,-4.0", "motion 53.0,46.0", "frame"])
        try setup.hover(by: -100, 1)
        #expect(setup.pointer.take() == ["relative -100.0,1.0", "motion 0.0,47.0", "frame"])
        let place = InputEvent.Place(screen: nil, point: Point(x: 5, y: 5))
        try setup.inject(.hover(place, delta: Point(x: 0.5, y: 0)))
        #expect(setup.pointer.take() == ["relative 0.5,0.0", "motion 5.0,5.0", "frame"])
        try setup.hover(by: 200, 0)
        #expect(setup.pointer.take() == ["relative 200.0,0.0", "leave \(window.surface.id)", "frame"])
        try setup.hover(by: 10, 0)
        #expect(setup.pointer.take() == [], "a client without the pointer receives nothing")
        // Over the edge between two screens, and back.
        let model = setup.fixture.model
        let second = try #require(model.screen(named: "B"))
        try model.setPosition(Point(x: 800, y: 200), of: second.id)
        try setup.hover(790, 300, on: "A")
        try setup.hover(by: 20, 0)
        #expect(model.pointerLocation?.screen == second.id && setup.location == Point(x: 10, y: 100))
        try setup.hover(by: 0, 1e9)
        #expect(setup.location == Point(x: 10, y: 480 - 1.0 / 256))
        try setup.hover(by: -100, 0)
        #expect(model.pointerLocation?.screen == setup.fixture.mainScreen)
        relative.send(.destroy)
        try setup.fixture.pump()
        #expect(setup.client.isOpen)
    }

    @Test(
        "E5: a relative motion that enters another surface of its client is completed by a motion, as Xwayland needs it"
    )
    func entering() throws {
        let setup = try PointerFixture()
        let (window, other) = (try setup.window(0, 0, 100, 100), try setup.window(200, 0, 100, 100))
        try setup.pointer.relative()
        try setup.hover(50, 50)
        _ = setup.pointer.take()
        try setup.hover(250, 60)
        #expect(
            setup.pointer.take() == [
                "relative 200.0,10.0", "leave \(window.surface.id)", "enter \(other.surface.id) 50.0,60.0",
                "motion 50.0,60.0", "frame",
            ])
    }

    @Test("E5: a locked pointer stays; relative motion, buttons and scrolling continue; the lock ends with the focus")
    func lock() throws {
        let setup = try PointerFixture()
        let window = try setup.window(0, 0, 100, 100)
        try setup.pointer.relative()
        let lock = try setup.pointer.lock(window.surface)
        try setup.fixture.pump()
        #expect(setup.pointer.take() == [], "not before the pointer enters")
        try setup.hover(50, 50)
        #expect(setup.pointer.take() == ["enter \(window.surface.id) 50.0,50.0", "frame", "locked"])
        let routing = try setup.hover(400, 300)
        #expect(routing?.hit?.window == setup.fixture.model.windows[0] && setup.location == Point(x: 50, y: 50))
        #expect(setup.pointer.take() == ["relative 350.0,250.0", "frame"])
        try setup.hover(by: 7, 8)
        try setup.inject(.click(button: 0x110, InputEvent.Place(screen: nil, point: Point(x: 700, y: 50))))
        try setup.scroll(Event.Scroll(deltaX: 0, deltaY: 1))
        #expect(
            setup.pointer.take() == [
                "relative 7.0,8.0", "frame", "relative 650.0,0.0", "frame", "button 272 1", "frame", "button 272 0",
                "frame", "source 2", "axis 0 1.0", "frame",
            ])
        window.hide()
        try setup.fixture.pump()
        #expect(setup.pointer.take() == ["unlocked", "leave \(window.surface.id)", "frame"])
        window.show()
        try setup.fixture.pump()
        #expect(setup.pointer.take() == ["enter \(window.surface.id) 50.0,50.0", "frame", "locked"])
        let above = try setup.window(40, 40, 20, 20, level: 1)
        #expect(setup.pointer.take().first == "unlocked")
        above.destroy()
        try setup.fixture.pump()
        #expect(setup.pointer.take().last == "locked")
        // A client that draws its own cursor sets its position; the pointer continues from there.
        lock.send(.setCursorPositionHint(surfaceX: Fixed(rounding: 20), surfaceY: Fixed(rounding: 30)))
        lock.send(.setCursorPositionHint(surfaceX: Fixed(rounding: 21), surfaceY: Fixed(rounding: 31)))
        window.commit()
        lock.send(.setCursorPositionHint(surfaceX: Fixed(rounding: 1), surfaceY: Fixed(rounding: 1)))
        lock.send(.destroy)
        try setup.fixture.pump()
        #expect(setup.location == Point(x: 21, y: 31), "the hint that was committed last")
        #expect(setup.pointer.take() == ["motion 21.0,31.0", "frame"])
        try setup.hover(60, 60)
        #expect(setup.pointer.take().last == "frame" && setup.location == Point(x: 60, y: 60))
    }

    @Test(
        "a oneshot lock activates once; a surface has one lock or confinement at a time; a wrong lifetime is an error")
    func oneshot() throws {
        let setup = try PointerFixture()
        let window = try setup.window(0, 0, 100, 100)
        try setup.hover(50, 50)
        let once = try setup.pointer.lock(window.surface, .oneshot)
        try setup.fixture.pump()
        window.hide()
        try setup.fixture.pump()
        window.show()
        try setup.fixture.pump()
        #expect(setup.pointer.take().filter { $0.contains("lock") } == ["locked", "unlocked"])
        let confinement = try setup.pointer.confine(window.surface)
        try setup.fixture.pump()
        #expect(setup.pointer.take() == ["confined"], "an ended lock does not block a new constraint")
        once.send(.destroy)
        confinement.send(.destroy)
        // The lock ends with the surface, and its object stays until it is destroyed.
        let last = try setup.pointer.lock(window.surface)
        try setup.fixture.pump()
        window.destroy()
        try setup.fixture.pump()
        #expect(setup.pointer.take() == ["locked", "unlocked", "leave \(window.surface.id)", "frame"])
        last.send(.setRegion(region: nil))
        last.send(.destroy)
        let other = try setup.window(0, 0, 100, 100)
        _ = try setup.pointer.lock(other.surface)
        _ = try setup.pointer.confine(other.surface)
        try setup.fixture.pump()
        #expect(setup.client.protocolError?.code == ZwpPointerConstraintsV1.Error.alreadyConstrained.rawValue)
        let clumsy = try PointerFixture()
        _ = try clumsy.pointer.lock(clumsy.client.surface(), .init(rawValue: 3))
        try clumsy.fixture.pump()
        #expect(clumsy.client.protocolError?.message.contains("3 is not a lifetime") == true)
    }

    @Test("a lock waits for the pointer to be in its region, which changes on commit")
    func region() throws {
        let setup = try PointerFixture()
        let window = try setup.window(0, 0, 100, 100)
        let lock = try setup.pointer.lock(window.surface, region: setup.client.region([(60, 0, 40, 100)]))
        try setup.hover(50, 50)
        _ = setup.pointer.take()
        try setup.hover(59.5, 50)
        #expect(setup.pointer.take() == ["motion 59.5,50.0", "frame"])
        try setup.hover(60, 50)
        #expect(setup.pointer.take() == ["motion 60.0,50.0", "frame", "locked"])
        lock.send(.destroy)
        let other = try setup.pointer.lock(window.surface, region: setup.client.region([(0, 0, 10, 10)]))
        other.send(.setRegion(region: setup.client.region([(55, 45, 10, 10)]).id))
        try setup.fixture.pump()
        #expect(setup.pointer.take() == [])
        window.commit()
        try setup.fixture.pump()
        #expect(setup.pointer.take() == ["locked"])
    }

    @Test(
        "R4: a confined pointer stays within region and input region, whatever the screen's orientation and scale",
        arguments: ["portrait", "portraitUpsideDown", "landscapeLeft", "landscapeRight"])
    func confined(orientation: String) throws {
        for scale in ["1", "1.5", "2"] {
            let setup = try PointerFixture(screens: [
                "1200x900,name=A,scale=\(scale),orientation=\(orientation)", "640x480,external,name=B",
            ])
            let window = try setup.window(100, 50, 200, 150)
            window.surface.send(.setInputRegion(region: setup.client.region([(0, 0, 200, 120)]).id))
            window.commit()
            try setup.hover(150, 120)
            let confinement = try setup.pointer.confine(
                window.surface, region: setup.client.region([(20, 30, 100, 400), (150, 30, 20, 20)]))
            try setup.fixture.pump()
            #expect(setup.pointer.take().last == "confined")
            func goes(_ x: Double, _ y: Double, to wantedX: Double, _ wantedY: Double) throws {
                try setup.hover(x, y, on: "A")
                #expect(setup.location == Point(x: wantedX, y: wantedY), "\(orientation) \(scale): \(x),\(y)")
            }
            let edge = 1.0 / 256
            try goes(0, 0, to: 120, 80)
            try goes(219.5, 100, to: 219.5, 100)
            try goes(221, 400, to: 220 - edge, 170 - edge)
            try goes(260, 110, to: 260, 100 - edge)
            try goes(130, 1e6, to: 130, 170 - edge)
            try setup.hover(by: -1e6, 0)
            #expect(setup.location == Point(x: 120, y: 170 - edge))
            try setup.hover(10, 10, on: "B")
            #expect(setup.fixture.model.pointerLocation?.screen == setup.fixture.mainScreen, "nor to another screen")
            var random = SeededRandom()
            for _ in 0..<50 {
                try setup.hover(.random(in: -50...900, using: &random), .random(in: -50...900, using: &random), on: "A")
                let at = try #require(setup.location)
                let isInside =
                    Rect(x: 120, y: 80, width: 100, height: 90).contains(at)
                    || Rect(x: 250, y: 80, width: 20, height: 20).contains(at)
                #expect(isInside, "seed \(random.seed): \(at)")
            }
            #expect(!setup.pointer.take().contains { $0.hasPrefix("leave") || $0 == "unconfined" })
            confinement.send(.setRegion(region: setup.client.region([(0, 0, 10, 10)]).id))
            window.commit()
            try setup.fixture.pump()
            let corner = try #require(setup.location)
            #expect(Rect(x: 100, y: 50, width: 10, height: 10).contains(corner))
            #expect(setup.pointer.take().last == "frame", "it was moved there, and its client notified")
            confinement.send(.setRegion(region: setup.client.region([]).id))
            window.commit()
            try setup.fixture.pump()
            #expect(setup.pointer.take() == ["unconfined"])
            try goes(0, 0, to: 0, 0)
        }
    }

    @Test("hover accepts dx and dy, with or without a position, over the control API and by mullionctl")
    func control() throws {
        let setup = try PointerFixture()
        _ = try setup.window(0, 0, 100, 100)
        try setup.pointer.relative()
        let control = try ControlSession(setup.fixture)
        func post(_ body: String) throws -> ControlSession.Answer {
            try control.send("POST", "/v1/input", Array(body.utf8))
        }
        #expect(try post(#"{"type": "hover", "x": 10, "y": 20}"#).status == 200)
        #expect(try post(#"{"type": "hover", "dx": 5}"#).status == 200)
        #expect(setup.location == Point(x: 15, y: 20))
        #expect(try post(#"{"type": "hover", "x": 30, "y": 30, "dx": 1, "dy": 2}"#).status == 200)
        let lines = setup.pointer.take().filter { $0.hasPrefix("relative") }
        #expect(lines == ["relative 5.0,0.0", "relative 1.0,2.0"])
        for wrong in [
            #"{"type": "hover"}"#, #"{"type": "hover", "x": 1, "dx": 1}"#,
            #"{"type": "hover", "screen": "A", "dx": 1}"#, #"{"type": "hover", "dx": null}"#,
        ] {
            #expect(try post(wrong).status == 400, "\(wrong)")
        }
        #expect(setup.location == Point(x: 30, y: 30))
        #expect(try control.mullionctl("hover", "by", "4,-5").status == 0)
        #expect(try control.mullionctl("hover", "A", "60,60", "dx=9").status == 0)
        #expect(setup.pointer.take().filter { $0.hasPrefix("relative") } == ["relative 4.0,-5.0", "relative 9.0,0.0"])
        #expect(setup.location == Point(x: 60, y: 60))
    }
}
