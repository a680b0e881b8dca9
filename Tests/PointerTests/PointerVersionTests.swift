// wl_pointer as every version has it.

import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct PointerVersionTests {
    @Test("E5: every group of pointer events ends with a frame; leave and enter of one client's surfaces are one group")
    func frames() throws {
        let setup = try PointerFixture()
        let left = try setup.window(0, 0, 100, 100)
        let right = try setup.window(100, 0, 100, 100)
        let other = try TestPointer(setup.client)
        try setup.fixture.pump()
        try setup.hover(50, 50)
        try setup.button(true)
        try setup.button(false)
        try setup.hover(150, 50)
        try setup.hover(500, 50)
        let (a, b) = (left.surface.id, right.surface.id)
        #expect(
            setup.pointer.take() == [
                "enter \(a) 50.0,50.0", "frame", "button 272 1", "frame", "button 272 0", "frame", "leave \(a)",
                "enter \(b) 50.0,50.0", "frame", "leave \(b)", "frame",
            ])
        #expect(setup.pointer.serials.count == 6 && setup.pointer.serials == setup.pointer.serials.sorted())
        #expect(other.serials == setup.pointer.serials, "one event has one serial, for any number of objects")
    }

    @Test("E5: scrolling is sent as each version defines it; fractions of a click add up", arguments: [4, 5, 7, 8])
    func axes(version: UInt32) throws {
        let setup = try PointerFixture(version: version)
        _ = try setup.window(0, 0, 100, 100)
        try setup.hover(50, 50)
        _ = setup.pointer.take()
        func received(_ scroll: Event.Scroll, _ phase: Event.Phase? = nil) throws -> [String] {
            try setup.scroll(scroll, phase)
            return setup.pointer.take()
        }
        let frames = version >= 5
        func group(_ source: Int, _ lines: String...) -> [String] {
            frames ? ["source \(source)"] + lines + ["frame"] : lines
        }
        let click = Event.Scroll(deltaX: 0, deltaY: 15, stepsY: 120, source: .wheel)
        let quarter = Event.Scroll(deltaX: 0, deltaY: -4, stepsY: -30, source: .wheel)
        switch version {
        case 4:
            #expect(try received(click) == ["axis 0 15.0"])
            #expect(try received(quarter) == ["axis 0 -4.0"])
        case 8:
            #expect(try received(click) == ["source 0", "value120 0 120", "axis 0 15.0", "frame"])
            #expect(try received(quarter) == ["source 0", "value120 0 -30", "axis 0 -4.0", "frame"])
        default:
            #expect(try received(click) == ["source 0", "discrete 0 1", "axis 0 15.0", "frame"])
            for _ in 0..<3 { #expect(try received(quarter) == []) }
            #expect(try received(quarter) == ["source 0", "discrete 0 -1", "axis 0 -16.0", "frame"])
        }
        let diagonal = Event.Scroll(deltaX: 3, deltaY: 4, source: .finger)
        let down = Event.Scroll(deltaX: 0, deltaY: 5, source: .finger)
        let still = Event.Scroll(deltaX: 0, deltaY: 0, source: .finger)
        #expect(try received(diagonal, .began) == group(1, "axis 0 4.0", "axis 1 3.0"))
        #expect(try received(down, .moved) == group(1, "axis 0 5.0"))
        #expect(try received(still, .ended) == (frames ? group(1, "stop 0", "stop 1") : []))
        #expect(try received(down, .began) == group(1, "axis 0 5.0"))
        #expect(try received(down, .ended) == group(1, "axis 0 5.0") + (frames ? group(1, "stop 0") : []))
        #expect(try received(Event.Scroll(deltaX: 2, deltaY: 0)) == group(2, "axis 1 2.0"))
    }

    @Test("E5: when surfaces appear, move or go under a resting pointer, the client learns its position on them")
    func still() throws {
        let setup = try PointerFixture()
        let window = try setup.window(0, 0, 100, 100)
        try setup.hover(50, 50)
        _ = setup.pointer.take()
        window.frame(-10.5, 20, 100, 100).commit()
        try setup.fixture.pump()
        #expect(setup.pointer.take() == ["motion 60.5,30.0", "frame"])
        let above = try setup.window(40, 45, 20, 20, level: 1)
        #expect(
            setup.pointer.take() == [
                "leave \(window.surface.id)", "enter \(above.surface.id) 10.0,5.0", "frame",
            ])
        above.frame(45, 45, 20, 20).hide()
        window.frame(30, 30, 100, 100).commit()
        try setup.fixture.pump()
        #expect(setup.pointer.take().filter { $0 != "frame" }.suffix(1) == ["enter \(window.surface.id) 20.0,20.0"])
        let later = try TestPointer(setup.client)
        try setup.fixture.pump()
        #expect(later.take() == ["enter \(window.surface.id) 20.0,20.0", "frame"], "a late object receives enter too")
        // A dragged window moves with the pointer, which is not motion.
        try setup.button(true)
        _ = setup.pointer.take()
        window.frame(20, 20, 100, 100).commit()
        try setup.fixture.pump()
        #expect(setup.pointer.take() == [])
        // After the release the pointer's position on it counts again.
        try setup.button(false)
        #expect(setup.pointer.take() == ["button 272 0", "frame", "motion 30.0,30.0", "frame"])
    }

    @Test("E5: a click or a scroll where the pointer is sends no motion")
    func unmoved() throws {
        let setup = try PointerFixture()
        _ = try setup.window(0, 0, 100, 100)
        let place = InputEvent.Place(screen: nil, point: Point(x: 50, y: 50))
        let step = Event.Scroll(deltaX: 0, deltaY: 15, stepsY: 120, source: .wheel)
        try setup.hover(50, 50)
        _ = setup.pointer.take()
        for _ in 0..<2 {
            #expect(try setup.inject(.scroll(step, nil, place))[0].routing?.hit != nil)
            #expect(setup.pointer.take() == ["source 0", "value120 0 120", "axis 0 15.0", "frame"])
        }
        try setup.inject(.click(button: 0x110, place))
        #expect(setup.pointer.take() == ["button 272 1", "frame", "button 272 0", "frame"])
        #expect(try setup.hover(50, 50)?.hit != nil)
        #expect(setup.pointer.take() == [])
        // Elsewhere, and back.
        for x in [51.0, 50.0] {
            try setup.inject(.scroll(step, nil, InputEvent.Place(screen: nil, point: Point(x: x, y: 50))))
            #expect(
                setup.pointer.take() == [
                    "motion \(x),50.0", "frame", "source 0", "value120 0 120", "axis 0 15.0", "frame",
                ])
        }
    }

    @Test("E5: a surface that was not entered receives nothing, even if a sequence began there")
    func sequenceElsewhere() throws {
        let setup = try PointerFixture()
        let left = try setup.window(0, 0, 100, 100)
        let right = try setup.window(100, 0, 100, 100)
        let swipe = try setup.pointer.swipe()
        try setup.hover(50, 50)
        let finger = Event.Scroll(deltaX: 0, deltaY: 4, source: .finger)
        try setup.scroll(finger, .began)
        try setup.hover(150, 50)
        _ = setup.pointer.take()
        try setup.scroll(finger, .moved)
        try setup.scroll(finger, .ended)
        #expect(setup.pointer.take() == [])
        try setup.scroll(finger)
        #expect(setup.pointer.take() == ["source 1", "axis 0 4.0", "frame"])
        #expect(left.surface.isAlive && right.surface.isAlive && swipe.isAlive)
    }

    @Test("E2: cancelling a press releases every button once")
    func cancelled() throws {
        let setup = try PointerFixture()
        let window = try setup.window(0, 0, 100, 100)
        try setup.hover(50, 50)
        try setup.button(0x110, true)
        try setup.button(0x111, true)
        _ = setup.pointer.take()
        window.hide()
        try setup.fixture.pump()
        #expect(
            setup.pointer.take() == [
                "button 273 0", "frame", "button 272 0", "frame", "leave \(window.surface.id)", "frame",
            ])
        window.show()
        try setup.fixture.pump()
        try setup.button(0x111, false)
        try setup.button(0x110, false)
        let lines = setup.pointer.take()
        #expect(!lines.contains { $0.hasPrefix("button") } && lines.contains("enter \(window.surface.id) 50.0,50.0"))
    }

    @Test("E5: gestures are sent with fingers, movement, scale and rotation to the surface where they began")
    func gestures() throws {
        let setup = try PointerFixture()
        let window = try setup.window(0, 0, 100, 100)
        let objects = (try setup.pointer.swipe(), try setup.pointer.pinch(), try setup.pointer.hold())
        try setup.hover(50, 50)
        let model = setup.fixture.model
        func received(_ gesture: Event.TransformGesture, _ phase: Event.Phase) throws -> [String] {
            _ = try model.transformGesture(gesture, phase: phase, time: setup.fixture.loop.now)
            try setup.fixture.pump()
            return setup.pointer.take()
        }
        _ = setup.pointer.take()
        let id = window.surface.id
        #expect(try received(.init(kind: .swipe, fingers: 3), .began) == ["swipe begin \(id) 3"])
        #expect(try received(.init(kind: .swipe, deltaX: 2, deltaY: -1.5, fingers: 3), .moved) == ["swipe 2.0,-1.5"])
        #expect(try received(.init(kind: .swipe, fingers: 3), .ended) == ["swipe end 0"])
        #expect(try received(.init(), .began) == ["pinch begin \(id) 2"])
        #expect(try received(.init(scale: 1.5, rotation: .pi / 2, deltaX: 1), .moved) == ["pinch 1.0,0.0 1.5 90.0"])
        #expect(try received(.init(scale: 2, rotation: .pi / 4), .moved) == ["pinch 0.0,0.0 2.0 -45.0"])
        window.hide()
        try setup.fixture.pump()
        #expect(setup.pointer.take() == ["pinch end 1", "leave \(id)", "frame"], "E2")
        #expect(try received(.init(), .ended) == [])
        window.show()
        try setup.fixture.pump()
        _ = setup.pointer.take()
        #expect(try received(.init(fingers: 1), .began) == ["hold begin \(id) 1"])
        let late = try setup.pointer.hold()
        objects.2.send(.destroy)
        try setup.fixture.pump()
        #expect(try received(.init(fingers: 1), .cancelled) == [], "an object bound in the middle receives no end")
        #expect(late.isAlive && objects.0.isAlive && objects.1.isAlive && setup.client.isOpen)
    }
}
