// Drag and drop over sockets: from press to drop, with the events of both sides.

import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@Suite struct DragAndDropTests {
    @Test("a drag from one program to another: both receive their events in order, and the data is transferred")
    func whole() throws {
        let setup = try DragFixture()
        try setup.move(10, 10)
        try setup.button(true)
        setup.forget()
        let source = setup.from.source(["text/plain", "text/html"], actions: [.copy, .move])
        setup.from.startDrag(source, from: setup.left.surface)
        try setup.fixture.pump()
        #expect(
            setup.from.takeEvents() == [
                "pointer leave \(setup.left.surface.id)", "enter \(setup.left.surface.id) 10.0,10.0",
                "source actions 3",
            ])
        try setup.move(20, 10)
        try setup.move(130, 50)
        #expect(setup.from.takeEvents() == ["motion 20.0,10.0", "leave"])
        #expect(setup.to.takeEvents() == ["enter \(setup.right.surface.id) 30.0,50.0", "source actions 3"])
        let offer = try #require(setup.to.drag)
        #expect(setup.to.types[offer.id] == ["text/plain", "text/html"])
        setup.to.answer("text/html", [.copy, .move], preferred: .move)
        try setup.fixture.pump()
        #expect(setup.from.takeEvents() == ["source target text/html", "source action 2"])
        #expect(setup.to.takeEvents() == ["action 2"])
        // Data can be received before the drop and after it.
        let early = try setup.to.receive("text/plain", from: offer)
        try setup.move(140, 50)
        try setup.button(false)
        #expect(
            setup.to.takeEvents() == ["motion 40.0,50.0", "drop", "pointer enter \(setup.right.surface.id) 40.0,50.0"])
        #expect(setup.from.takeEvents() == ["source dropped"])
        let late = try setup.to.receive("text/html", from: offer)
        try setup.fixture.pump()
        #expect(setup.from.provide("plain") == "text/plain" && setup.from.provide("<p>") == "text/html")
        #expect(TestPipe.read(early) == "plain" && TestPipe.read(late) == "<p>")
        offer.send(.finish)
        offer.send(.destroy)
        try setup.fixture.pump()
        #expect(setup.from.takeEvents() == ["source finished"])
        #expect(!setup.isHurt)
        // The next press is an ordinary one again.
        try setup.move(10, 10)
        try setup.button(true)
        try setup.button(false)
        #expect(
            setup.from.takeEvents() == ["pointer enter \(setup.left.surface.id) 10.0,10.0", "button 1", "button 0"])
    }

    @Test("a drag needs a press that its client still holds, and no other drag; otherwise it is ignored")
    func serials() throws {
        let setup = try DragFixture()
        try setup.move(10, 10)
        try setup.button(true)
        try setup.button(false)
        setup.forget()
        // A button that is up again, an invalid serial, another client's press.
        setup.from.startDrag(setup.from.source(), from: setup.left.surface)
        setup.from.startDrag(setup.from.source(), from: setup.left.surface, serial: 0xffff_fff0)
        try setup.button(true)
        setup.to.startDrag(setup.to.source(), from: setup.right.surface, serial: setup.from.press)
        try setup.fixture.pump()
        #expect(setup.from.takeEvents() == ["source cancelled", "source cancelled", "button 1"])
        #expect(setup.to.takeEvents() == ["source cancelled"])
        setup.from.startDrag(setup.from.source(), from: setup.left.surface)
        try setup.fixture.pump()
        setup.forget()
        // A press starts only one drag, and a finger cannot drag while the pointer does.
        setup.from.startDrag(setup.from.source(), from: setup.left.surface)
        try setup.touch(.began, 110, 10)
        setup.to.startDrag(setup.to.source(), from: setup.right.surface)
        try setup.fixture.pump()
        #expect(setup.from.takeEvents() == ["source cancelled"])
        #expect(setup.to.takeEvents() == ["down 7", "source cancelled"])
        #expect(!setup.isHurt)
    }

    @Test("nothing accepted, no common action, no target: the source is cancelled and the target receives leave")
    func refused() throws {
        let setup = try DragFixture()
        for refusal in 0..<5 {
            try setup.begin(actions: refusal == 3 ? nil : [.move])
            try setup.move(refusal == 4 ? 300 : 150, 50)
            switch refusal {
            case 0: break
            case 1: setup.to.answer(nil, [.move], preferred: .move)
            case 2: setup.to.answer("text/plain", [.copy])
            case 3: setup.to.answer("text/plain", [.copy, .move])
            default: break
            }
            try setup.fixture.pump()
            setup.forget()
            try setup.button(false)
            // The type and the action negotiated so far are reset.
            let received = setup.from.events.filter { $0 != "source target nil" && $0 != "source action 0" }
            #expect(received == ["source cancelled"], "\(refusal)")
            let left = refusal == 4 ? [] : ["leave", "pointer enter \(setup.right.surface.id) 50.0,50.0"]
            #expect(setup.to.events == left, "\(refusal)")
            // A refused drag does not finish, even if its offer is destroyed.
            setup.to.drag?.send(.destroy)
            try setup.fixture.pump()
            #expect(!setup.isHurt)
        }
    }

    @Test("ask: the target chooses the action after the drop, and the source receives it with finish")
    func ask() throws {
        let setup = try DragFixture()
        try setup.begin(actions: [.copy, .move, .ask])
        try setup.move(150, 50)
        setup.to.answer("text/plain", [.copy, .move, .ask], preferred: .ask)
        try setup.fixture.pump()
        #expect(setup.to.takeEvents().last == "action 4")
        try setup.button(false)
        setup.forget()
        setup.to.drag?.send(.setActions(dndActions: [.move], preferredAction: .move))
        try setup.fixture.pump()
        #expect(setup.from.events == [] && setup.to.events == [])
        setup.to.drag?.send(.finish)
        try setup.fixture.pump()
        #expect(setup.from.takeEvents() == ["source action 2", "source finished"])
        // Dismissed: the offer is destroyed without finish.
        try setup.begin(actions: [.copy, .ask])
        try setup.move(150, 50)
        setup.to.answer("text/plain", [.copy, .ask], preferred: .ask)
        try setup.fixture.pump()
        try setup.button(false)
        setup.forget()
        setup.to.drag?.send(.destroy)
        try setup.fixture.pump()
        #expect(setup.from.takeEvents() == ["source cancelled"])
        #expect(!setup.isHurt)
    }

    @Test("modifiers choose the action: Shift moves, Control copies, if both sides support it")
    func modifiers() throws {
        let setup = try DragFixture()
        try setup.begin(actions: [.copy, .move])
        try setup.move(150, 50)
        setup.to.answer("text/plain", [.copy, .move], preferred: .copy)
        try setup.fixture.pump()
        #expect(setup.to.takeEvents().last == "action 1")
        setup.left.makeKey()
        try setup.fixture.pump()
        func key(_ code: UInt32, _ pressed: Bool) throws {
            try setup.model.press(key: code, pressed: pressed, time: setup.fixture.loop.now)
            try setup.fixture.pump()
        }
        try key(42, true)
        #expect(setup.to.takeEvents() == ["action 2"])
        try key(42, false)
        #expect(setup.to.takeEvents() == ["action 1"])
        setup.to.answer("text/plain", [.copy, .move], preferred: .move)
        try key(29, true)
        #expect(setup.to.takeEvents() == ["action 2", "action 1"])
        try key(29, false)
        #expect(setup.to.takeEvents() == ["action 2"])
    }

    @Test("without a source a drag stays within its client: other clients receive no events")
    func alone() throws {
        let setup = try DragFixture()
        let other = setup.from.client.window("other").color(0xff00ff00).frame(200, 0, 50, 50)
        other.show()
        try setup.move(10, 10)
        try setup.button(true)
        setup.forget()
        setup.from.startDrag(nil, from: setup.left.surface)
        try setup.move(150, 50)
        try setup.move(210, 20)
        try setup.button(false)
        #expect(setup.to.takeEvents() == [])
        #expect(
            setup.from.takeEvents() == [
                "pointer leave \(setup.left.surface.id)", "enter \(setup.left.surface.id) 10.0,10.0 alone", "leave",
                "enter \(other.surface.id) 10.0,20.0 alone", "drop", "pointer enter \(other.surface.id) 10.0,20.0",
            ])
    }

    @Test("a finger drags like the pointer: its touch is cancelled and receives no up")
    func finger() throws {
        let setup = try DragFixture()
        try setup.touch(.began, 10, 10)
        setup.forget()
        let source = setup.from.source()
        setup.from.startDrag(source, from: setup.left.surface)
        try setup.touch(.moved, 150, 50)
        #expect(
            setup.from.takeEvents() == [
                "touch cancel", "enter \(setup.left.surface.id) 10.0,10.0", "source actions 3", "leave",
            ])
        setup.to.answer("text/plain")
        try setup.fixture.pump()
        // Another finger is unaffected.
        try setup.touch(.began, 160, 60, id: 8)
        try setup.touch(.ended, 160, 60, id: 8)
        try setup.touch(.ended, 155, 50)
        #expect(
            setup.to.takeEvents() == [
                "enter \(setup.right.surface.id) 50.0,50.0", "source actions 3", "action 1", "down 8", "up 8",
                "motion 55.0,50.0", "drop",
            ])
        #expect(setup.from.takeEvents() == ["source target text/plain", "source action 1", "source dropped"])
        #expect(!setup.isHurt)
    }

    @Test("the drop comes with the release of the last button, whichever began the drag")
    func buttons() throws {
        let setup = try DragFixture()
        try setup.begin()
        try setup.move(150, 50)
        setup.to.answer("text/plain")
        try setup.button(true, code: 0x111)
        try setup.button(false)
        #expect(!setup.to.takeEvents().contains("drop"))
        try setup.button(false, code: 0x111)
        #expect(setup.to.takeEvents() == ["drop", "pointer enter \(setup.right.surface.id) 50.0,50.0"])
    }

    @Test("a drag from one screen to another")
    func screens() throws {
        let fixture = try ServerFixture(screens: ["200x100", "300x200,external"])
        let setup = try DragFixture(fixture)
        let far = setup.to.client.window("far", on: setup.to.client.screens.last).color(0xff00ff00)
        far.show()
        try fixture.pump()
        try setup.begin()
        try setup.move(250, 150, on: fixture.model.screens[1])
        #expect(setup.to.takeEvents() == ["enter \(far.surface.id) 250.0,150.0", "source actions 3"])
        setup.to.answer("text/plain")
        try fixture.pump()
        try setup.button(false)
        #expect(setup.to.takeEvents() == ["action 1", "drop", "pointer enter \(far.surface.id) 250.0,150.0"])
    }

    @Test("versions 1 and 2 have neither actions nor finish", arguments: [1, 2] as [UInt32])
    func old(version: UInt32) throws {
        // An old source: the action is copy, and it receives only target events.
        let setup = try DragFixture(versions: (version, 3))
        try setup.begin()
        try setup.move(150, 50)
        #expect(setup.to.events.last == "source actions 1")
        setup.to.answer("text/plain", [.copy, .move], preferred: .move)
        try setup.fixture.pump()
        #expect(setup.to.events.last == "action 1")
        try setup.button(false)
        setup.to.drag?.send(.finish)
        try setup.fixture.pump()
        #expect(setup.from.takeEvents() == ["leave", "source target text/plain"])
        try setup.begin()
        try setup.button(false)
        #expect(setup.from.events.contains("source cancelled") == false)
        #expect(!setup.isHurt)
        // An old target: accept has no effect, and destroying the offer finishes the drag.
        let other = try DragFixture(versions: (3, version))
        try other.begin()
        try other.move(150, 50)
        #expect(other.to.takeEvents() == ["enter \(other.right.surface.id) 50.0,50.0"])
        #expect(other.from.takeEvents() == ["leave", "source action 1"])
        other.to.answer(nil)
        try other.fixture.pump()
        try other.button(false)
        other.to.drag?.send(.destroy)
        try other.fixture.pump()
        #expect(other.from.takeEvents() == ["source target nil", "source dropped", "source finished"])
        #expect(!other.isHurt)
    }
}
