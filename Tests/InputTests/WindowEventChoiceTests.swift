// Which events listeners choose, and what is taken from them.

import FoundationEssentials
import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@Suite struct WindowEventChoiceTests {
    private static let folder = Programs.built

    @Test("only chosen types of chosen windows are sent, and wl_seat's events do not depend on them")
    func types() throws {
        let setup = try EventFixture()
        let seat = try TestInput(setup.client)
        let silent = TestEvents(setup.client)
        let events = TestEvents(setup.client)
        events.ask(setup.a, .touches)
        setup.a.makeKey()
        try setup.fixture.pump()
        _ = seat.takeEvents()
        try setup.touch((1, .began, 10, 10), (2, .began, 110, 10))
        try setup.key(30, true)
        #expect(events.takeItems() == [["a touch 1 began direct 10.0,10.0 A 10.0,10.0"]])
        #expect(silent.take().isEmpty)
        #expect(
            seat.takeEvents() == [
                "down 1 \(setup.a.surface.id) 10.0,10.0", "down 2 \(setup.b.surface.id) 10.0,10.0", "key 30 1",
            ])
        // A sequence of a type that is no longer chosen is not sent to its end.
        events.ask(setup.a, .presses)
        events.ask(setup.a, [.touches, .presses])
        try setup.fixture.pump()
        try setup.touch((1, .ended, 10, 10))
        try setup.key(30, false)
        #expect(events.takeItems() == [])
        try setup.key(31, true)
        #expect(events.takeItems() == [["a press 31 began"]])
        events.proxy.send(.destroy)
        try setup.fixture.pump()
        try setup.key(31, false)
        #expect(events.takeItems() == [] && setup.client.isOpen)
    }

    @Test(
        "unknown types are an error that lists the valid ones",
        arguments: [4, 1 << 15, .max] as [UInt32])
    func invalidTypes(types: UInt32) throws {
        let setup = try EventFixture()
        let events = TestEvents(setup.client, setup.a)
        events.ask(setup.a, MullionEventsV1.EventTypes(rawValue: types))
        try setup.fixture.pump()
        #expect(setup.client.protocolError?.code == MullionEventsV1.Error.invalidTypes.rawValue)
        #expect(setup.client.protocolError?.message.contains("19467") == true)
        #expect(setup.fixture.server.clientCount == 0)
    }

    @Test("choosing types for a destroyed window does nothing, and is not an error")
    func inert() throws {
        let setup = try EventFixture()
        let events = TestEvents(setup.client)
        setup.a.surface.send(.destroy)
        events.ask(setup.a)
        try setup.fixture.pump()
        try setup.touch((1, .began, 10, 10))
        #expect(events.takeItems() == [] && setup.client.isOpen)
    }

    @Test("E8: interaction is held back until every token is destroyed; a token outlives its window")
    func tokens() throws {
        let setup = try EventFixture()
        let tokens = (0..<2).map { _ in Proxy<MullionInteractionV1>(setup.client.connection, version: 1) }
        for token in tokens { setup.a.window.send(.disableInteraction(id: token.id)) }
        try setup.fixture.pump()
        #expect(try setup.fixture.tap(x: 10, y: 10).candidates.map(\.reason) == [.outsideFrame, .interactionDisabled])
        tokens[0].send(.destroy)
        try setup.fixture.pump()
        #expect(try setup.fixture.tap(x: 10, y: 10).hit == nil)
        tokens[1].send(.destroy)
        try setup.fixture.pump()
        #expect(try setup.fixture.tap(x: 10, y: 10).hit != nil)
        let last = Proxy<MullionInteractionV1>(setup.client.connection, version: 1)
        setup.b.window.send(.disableInteraction(id: last.id))
        setup.b.destroy()
        last.send(.destroy)
        try setup.fixture.pump()
        #expect(setup.client.isOpen)
    }

    @Test("E7: while the application ignores interaction no sequence begins, and running ones are sent to their end")
    func ignoring() throws {
        let setup = try EventFixture()
        let events = TestEvents(setup.client, setup.a)
        try setup.fixture.pump()
        try setup.touch((1, .began, 10, 10))
        setup.client.application.send(.beginIgnoringInteractionEvents)
        try setup.fixture.pump()
        try setup.touch((1, .moved, 11, 10), (2, .began, 20, 20))
        try setup.touch((1, .ended, 11, 10), (2, .ended, 20, 20))
        setup.client.application.send(.endIgnoringInteractionEvents)
        try setup.fixture.pump()
        #expect(
            events.takeItems() == [
                ["a touch 1 began direct 10.0,10.0 A 10.0,10.0"], ["a touch 1 moved direct 11.0,10.0 A 11.0,10.0"],
                ["a touch 1 ended direct 11.0,10.0 A 11.0,10.0"],
            ])
    }

    @Test("E2: a touch that a drag takes is cancelled, and the drop does not end it again")
    func drag() throws {
        let setup = try DragFixture()
        let events = TestEvents(setup.from.client, setup.left)
        try setup.fixture.pump()
        try setup.touch(.began, 10, 10)
        setup.from.startDrag(setup.from.source(), from: setup.left.surface)
        try setup.fixture.pump()
        try setup.touch(.moved, 50, 50)
        try setup.touch(.ended, 50, 50)
        let screen = try #require(setup.from.client.screens.first?.name)
        #expect(
            events.takeItems().map { $0.map { $0.replacing(screen, with: "A") } } == [
                ["left touch 7 began direct 10.0,10.0 A 10.0,10.0"],
                ["left touch 7 cancelled direct 50.0,50.0 A 50.0,50.0"],
            ])
    }

    @Test("keys that an input method takes are not sent to the key window")
    func inputMethod() throws {
        let setup = try EventFixture()
        let events = TestEvents(setup.client, setup.a)
        setup.a.makeKey()
        let method = try TestInputMethod(try setup.fixture.connect("method"))
        try setup.fixture.pump()
        let grab = method.grab()
        try setup.fixture.pump()
        try setup.key(30, true)
        grab.proxy.send(.release)
        try setup.fixture.pump()
        try setup.key(30, false)
        try setup.key(31, true)
        #expect(events.takeItems() == [["a press 31 began"]])
    }

    @Test("mullionctl claim prints every kind of event with E9's fields")
    func claim() throws {
        let fixture = try ServerFixture(screens: ["400x300,name=A"])
        let program = try fixture.spawn(
            Self.folder + "/mullionctl", ["claim", "--json", "frame=10,10,100,100", "key"])
        try fixture.wait(for: "its window; it said \(program.readOutput())") { fixture.model.keyWindow != nil }
        // It has chosen its types before the window is shown.
        let (model, now, screen) = (fixture.model, fixture.server.clock.now, fixture.mainScreen)
        let attributes = Event.TouchAttributes(force: 1, majorRadius: 2.5)
        try model.touch(
            id: 7, phase: .began, at: Point(x: 15, y: 16), on: screen, attributes: attributes, time: now)
        try model.pointerMoved(to: Point(x: 20, y: 20), on: screen, time: now)
        try model.press(key: 30, pressed: true, time: now)
        try model.shake(.began, time: now)
        try model.scroll(Event.Scroll(deltaX: 0, deltaY: 3), phase: nil, time: now)
        try model.transformGesture(Event.TransformGesture(), phase: .began, time: now)
        try model.remoteControl(.play, time: now)
        try fixture.wait(for: "all events; it said \(program.readOutput())") {
            program.readOutput().contains(#""event":"remoteControl""#)
        }
        let lines = program.readOutput().split(separator: "\n")
        func line(_ event: String) throws -> Substring {
            try #require(lines.first { $0.contains("\"event\":\"\(event)\"") }, "\(event) in \(lines)")
        }
        let touch = try line("touch")
        let parts = [
            #""id":7"#, #""phase":"began""#, #""x":5"#, #""screenX":15"#, #""force":1"#, #""majorRadius":2.5"#,
        ]
        for part in parts {
            #expect(touch.contains(part), "\(part)")
        }
        for event in ["hover", "press", "motion", "scroll", "transform", "remoteControl"] {
            #expect(try line(event).contains(#""seat":"seat0""#))
        }
        #expect(try line("press").contains(#""code":30"#))
        #expect(try line("remoteControl").contains(#""command":"play""#))
    }
}
