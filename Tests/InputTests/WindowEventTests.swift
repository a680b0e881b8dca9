// E rules through mullion_events_v1: who receives which events, in which groups, with which numbers.

import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@Suite struct WindowEventTests {
    @Test("E1: touches of one moment are one event, also in two windows; unmoved ones are sent as stationary")
    func groups() throws {
        let setup = try EventFixture()
        let events = TestEvents(setup.client, setup.a, setup.b)
        try setup.fixture.pump()
        try setup.touch((1, .began, 10, 20), (2, .began, 30, 40), (3, .began, 110, 20))
        let began = events.take()
        #expect(
            began.map(\.items) == [
                [
                    "a touch 1 began direct 10.0,20.0 A 10.0,20.0", "a touch 2 began direct 30.0,40.0 A 30.0,40.0",
                    "b touch 3 began direct 10.0,20.0 A 110.0,20.0",
                ]
            ])
        #expect(began.first?.type == .touches && began.first?.subtype == MullionEventsV1.Subtype.none)
        // E1: each touch stays with its window, wherever it moves.
        try setup.touch((1, .moved, 150, 50))
        #expect(
            events.takeItems() == [
                [
                    "a touch 1 moved direct 150.0,50.0 A 150.0,50.0",
                    "a touch 2 stationary direct 30.0,40.0 A 30.0,40.0",
                ]
            ])
        try setup.touch((1, .ended, 150, 50), (2, .ended, 30, 40), (3, .ended, 110, 21.5))
        #expect(
            events.takeItems() == [
                [
                    "a touch 1 ended direct 150.0,50.0 A 150.0,50.0", "a touch 2 ended direct 30.0,40.0 A 30.0,40.0",
                    "b touch 3 ended direct 10.0,21.5 A 110.0,21.5",
                ]
            ])
    }

    @Test("E1: force, radii and angles of a finger and a pencil are sent; a plain finger has none")
    func shapes() throws {
        let setup = try EventFixture()
        let events = TestEvents(setup.client, setup.a)
        try setup.fixture.pump()
        let finger = Event.TouchAttributes(force: 1, majorRadius: 8.5, minorRadius: 4.25, orientation: -0.5)
        let pencil = Event.TouchAttributes(force: 0, tool: .pencil(altitude: 1.25, azimuth: 3))
        let point = Point(x: 5, y: 6)
        for (id, attributes) in [(Int32(1), finger), (2, pencil), (3, .finger)] {
            try setup.model.touch(
                id: id, phase: .began, at: point, on: setup.fixture.mainScreen, attributes: attributes,
                time: setup.fixture.server.clock.now)
        }
        try setup.fixture.pump()
        #expect(
            events.takeItems() == [
                ["a touch 1 began direct 5.0,6.0 A 5.0,6.0", "shape 4294967295 8.5 4.25 -0.5 0.0 0.0"],
                ["a touch 2 began pencil 5.0,6.0 A 5.0,6.0", "shape 0 0.0 0.0 0.0 1.25 3.0"],
                ["a touch 3 began direct 5.0,6.0 A 5.0,6.0"],
            ])
    }

    @Test("E1: a touch in a sub-surface names it, in its points")
    func subsurface() throws {
        let setup = try EventFixture()
        let events = TestEvents(setup.client, setup.a)
        let child = try TestSubsurface(
            setup.client, of: setup.a.surface, argb: 0xff00_00ff, x: 20, y: 30, width: 40, height: 40)
        child.surface.send(.commit)
        setup.a.commit()
        events.name(child.surface, "child")
        try setup.fixture.pump()
        try setup.touch((1, .began, 25, 40))
        #expect(events.takeItems() == [["child touch 1 began direct 5.0,10.0 A 25.0,40.0"]])
        // E2: the surface is destroyed; the touch is sent in the window's points.
        child.surface.send(.destroy)
        try setup.fixture.pump()
        #expect(events.takeItems() == [["a touch 1 cancelled direct 25.0,40.0 A 25.0,40.0"]])
        #expect(setup.client.isOpen)
    }

    @Test("E2: a touch whose window hides is cancelled once; a destroyed window receives nothing")
    func cancelled() throws {
        let setup = try EventFixture()
        let events = TestEvents(setup.client, setup.a, setup.b)
        try setup.fixture.pump()
        try setup.touch((1, .began, 10, 10), (2, .began, 110, 10))
        _ = events.take()
        setup.a.hide()
        try setup.fixture.pump()
        #expect(events.takeItems() == [["a touch 1 cancelled direct 10.0,10.0 A 10.0,10.0"]])
        setup.a.show()
        setup.b.destroy()
        try setup.fixture.pump()
        try setup.touch((1, .moved, 11, 10), (2, .moved, 111, 10))
        try setup.touch((1, .ended, 11, 10), (2, .ended, 111, 10))
        #expect(events.takeItems() == [])
        #expect(setup.client.isOpen)
        try setup.touch((1, .began, 10, 10))
        #expect(events.takeItems().count == 1)
    }

    @Test("a listener that is bound during a touch, a press or a shake receives none of it, but all that follows")
    func middle() throws {
        let setup = try EventFixture()
        setup.a.makeKey()
        try setup.fixture.pump()
        try setup.touch((1, .began, 10, 10))
        try setup.move(20, 20)
        try setup.key(30, true)
        try setup.shake(.began)
        let events = TestEvents(setup.client, setup.a)
        try setup.fixture.pump()
        try setup.touch((1, .moved, 12, 10))
        try setup.touch((1, .ended, 12, 10))
        try setup.key(30, false)
        try setup.shake(.ended)
        #expect(events.takeItems() == [])
        try setup.touch((1, .began, 10, 10))
        try setup.key(30, true)
        #expect(
            events.takeItems() == [["a touch 1 began direct 10.0,10.0 A 10.0,10.0"], ["a press 30 began"]])
        // The pointer is in the window already: for the listener it enters with its next movement.
        try setup.move(21, 20)
        try setup.move(22, 20)
        #expect(
            events.takeItems() == [["a hover began 21.0,20.0 A 21.0,20.0"], ["a hover moved 22.0,20.0 A 22.0,20.0"]])
    }

    @Test("E3: presses and shaking go to the key window only, and are cancelled when key passes on")
    func keyWindow() throws {
        let setup = try EventFixture()
        let events = TestEvents(setup.client, setup.a, setup.b)
        setup.a.makeKey()
        try setup.fixture.pump()
        try setup.key(30, true)
        try setup.key(30, false)
        try setup.shake(.began)
        try setup.shake(.ended)
        try setup.shake(.began)
        try setup.key(42, true)
        let received = events.take()
        #expect(
            received.map(\.items) == [
                ["a press 30 began"], ["a press 30 ended"], ["a motion began"], ["a motion ended"],
                ["a motion began"], ["a press 42 began"],
            ])
        #expect(received.map(\.type) == [.presses, .presses, .motion, .motion, .motion, .presses])
        #expect(
            received.map(\.subtype)
                == [MullionEventsV1.Subtype.none, .none, .motionShake, .motionShake, .motionShake, .none])
        setup.b.makeKey()
        try setup.fixture.pump()
        #expect(events.takeItems() == [["a press 42 cancelled"], ["a motion cancelled"]])
        try setup.shake(.ended)
        #expect(events.takeItems() == [])
    }

    @Test("E4: remote control goes to applications that want it, the key window's first, even without a window")
    func remoteControl() throws {
        let setup = try EventFixture()
        let other = try setup.fixture.connect("other")
        let (first, second) = (TestEvents(setup.client), TestEvents(other))
        first.proxy.send(.beginReceivingRemoteControlEvents)
        try setup.fixture.pump()
        second.proxy.send(.beginReceivingRemoteControlEvents)
        second.proxy.send(.beginReceivingRemoteControlEvents)
        other.window("key").color(0xff00_00ff).frame(0, 200, 10, 10).makeKeyAndVisible()
        try setup.fixture.pump()
        func command(_ command: Event.RemoteCommand) throws {
            try setup.model.remoteControl(command, time: setup.fixture.server.clock.now)
            try setup.fixture.pump()
        }
        try command(.togglePlayPause)
        let (mine, theirs) = (first.take(), second.take())
        #expect(mine.map(\.type) == [.remoteControl] && theirs.map(\.type) == [.remoteControl])
        #expect(mine.map(\.subtype) == [.togglePlayPause] && theirs.map(\.subtype) == [.togglePlayPause])
        #expect(mine.map(\.items) == [[]])
        #expect(try #require(theirs.first).serial < #require(mine.first).serial)
        second.proxy.send(.endReceivingRemoteControlEvents)
        first.proxy.send(.destroy)
        try setup.fixture.pump()
        try command(.nextTrack)
        #expect(first.take().isEmpty && second.take().isEmpty)
        #expect(
            setup.model.applications.allSatisfy { setup.model.application($0)?.receivesRemoteControlEvents == false })
    }

    @Test("E5: hover, scrolling and gestures go to the window under the pointer and stay where they began")
    func underThePointer() throws {
        let setup = try EventFixture()
        let events = TestEvents(setup.client, setup.a, setup.b)
        try setup.fixture.pump()
        try setup.move(50, 10)
        try setup.move(51, 10)
        try setup.scroll(0, 2.5, .began)
        try setup.transform(Event.TransformGesture(kind: .rotate, rotation: 0.25, deltaX: 1, fingers: 3), .began)
        #expect(
            events.takeItems() == [
                ["a hover began 50.0,10.0 A 50.0,10.0"], ["a hover moved 51.0,10.0 A 51.0,10.0"],
                ["a scroll began 1 0.0,2.5 0,0 51.0,10.0 A 51.0,10.0"],
                ["a transform began 1 3 1.0 0.25 1.0,0.0 51.0,10.0 A 51.0,10.0"],
            ])
        try setup.move(150, 10)
        try setup.scroll(-1, 0, .moved)
        try setup.scroll(0, 0, .ended)
        try setup.transform(
            Event.TransformGesture(kind: .rotate, scale: 1.5, rotation: 0.5, fingers: 3), .cancelled)
        #expect(
            events.takeItems() == [
                ["a hover ended 150.0,10.0 A 150.0,10.0"], ["b hover began 50.0,10.0 A 150.0,10.0"],
                ["a scroll moved 1 -1.0,0.0 0,0 150.0,10.0 A 150.0,10.0"],
                ["a scroll ended 1 0.0,0.0 0,0 150.0,10.0 A 150.0,10.0"],
                ["a transform cancelled 1 3 1.5 0.5 0.0,0.0 150.0,10.0 A 150.0,10.0"],
            ])
        // A wheel's click has no phases.
        let click = Event.Scroll(deltaX: 0, deltaY: 15, stepsY: 120, source: .wheel)
        try setup.model.scroll(click, phase: nil, time: setup.fixture.server.clock.now)
        try setup.fixture.pump()
        #expect(events.takeItems() == [["b scroll moved 0 0.0,15.0 0,120 50.0,10.0 A 150.0,10.0"]])
    }

    @Test("E5: from the first button down to the last one up the pointer is one touch with its buttons")
    func pointerTouch() throws {
        let setup = try EventFixture()
        let events = TestEvents(setup.client, setup.a, types: .touches)
        try setup.fixture.pump()
        try setup.move(10, 10)
        try setup.button(0x111, true)
        try setup.button(0x110, true)
        try setup.move(20, 10)
        try setup.button(0x111, false)
        try setup.button(0x110, false)
        try setup.move(30, 10)
        #expect(
            events.takeItems() == [
                ["a touch 0 began pointer 2 10.0,10.0 A 10.0,10.0"],
                ["a touch 0 stationary pointer 3 10.0,10.0 A 10.0,10.0"],
                ["a touch 0 moved pointer 3 20.0,10.0 A 20.0,10.0"],
                ["a touch 0 stationary pointer 1 20.0,10.0 A 20.0,10.0"],
                ["a touch 0 ended pointer 20.0,10.0 A 20.0,10.0"],
            ])
    }

    @Test("E9: serials and times grow in the order of injection; the time is the server's, to the microsecond")
    func order() throws {
        let setup = try EventFixture()
        let events = TestEvents(setup.client, setup.a, setup.b)
        setup.a.makeKey()
        try setup.fixture.pump()
        // Beyond 32 bits; all in one turn.
        let start: UInt64 = setup.fixture.server.clock.now + 0x3_0000_0001
        try setup.model.press(key: 30, pressed: true, time: start)
        try setup.model.touch(
            id: 1, phase: .began, at: Point(x: 1, y: 1), on: setup.fixture.mainScreen, time: start + 1)
        try setup.model.pointerMoved(to: Point(x: 101, y: 1), on: setup.fixture.mainScreen, time: start + 1)
        try setup.model.touch(id: 1, phase: .moved, at: Point(x: 2, y: 1), on: setup.fixture.mainScreen, time: start)
        try setup.model.press(key: 30, pressed: false, time: start + 7)
        try setup.fixture.pump()
        let received = events.take()
        #expect(received.map(\.type) == [.presses, .touches, .hover, .touches, .presses])
        #expect(received.map(\.time) == [start, start + 1, start + 1, start + 1, start + 7])
        #expect(zip(received, received.dropFirst()).allSatisfy { $0.serial < $1.serial })
        #expect(received.allSatisfy { $0.seat == "seat0" })
        #expect(events.seats.map(\.name) == ["seat0"], "a seat is named once")
    }

    @Test("K1: an event names its seat; touches of both seats with the same number are sent")
    func seats() throws {
        let setup = try EventFixture(screens: ["400x300,name=A", "400x300,external,name=B"])
        try setup.model.addSeat(name: "seat1", screens: ["B"])
        try setup.fixture.pump()
        let far = setup.client.window("far", on: setup.client.screens.last).color(0xffff_ffff)
        far.show()
        let events = TestEvents(setup.client, setup.a, far)
        try setup.fixture.pump()
        let now = setup.fixture.server.clock.now
        for screen in setup.model.screens {
            try setup.model.touch(id: 1, phase: .began, at: Point(x: 5, y: 5), on: screen, time: now)
            try setup.fixture.pump()
        }
        let received = events.take()
        #expect(received.map(\.seat) == ["seat0", "seat1"])
        #expect(
            received.map(\.items) == [
                ["a touch 1 began direct 5.0,5.0 A 5.0,5.0"], ["far touch 1 began direct 5.0,5.0 B 5.0,5.0"],
            ])
    }
}
