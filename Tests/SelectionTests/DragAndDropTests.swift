// Drag and drop over sockets: from press to drop, with the events of both sides.

import Geometry
import TestSupport
import Testing
import Wayland
import WindowModel

@Suite struct DragAndDropTests {
    @Test("a drag from one program to another: both receive their events in order, and the data is transferred")
    func whole() throws {
        let desk = try DragDesk()
        try desk.move(10, 10)
        try desk.button(true)
        desk.forget()
        let source = desk.from.source(["text/plain", "text/html"], actions: [.copy, .move])
        desk.from.startDrag(source, from: desk.left.surface)
        try desk.fixture.pump()
        #expect(
            desk.from.takeEvents() == [
                "pointer leave \(desk.left.surface.id)", "enter \(desk.left.surface.id) 10.0,10.0", "source actions 3",
            ])
        try desk.move(20, 10)
        try desk.move(130, 50)
        #expect(desk.from.takeEvents() == ["motion 20.0,10.0", "leave"])
        #expect(desk.to.takeEvents() == ["enter \(desk.right.surface.id) 30.0,50.0", "source actions 3"])
        let offer = try #require(desk.to.drag)
        #expect(desk.to.types[offer.id] == ["text/plain", "text/html"])
        desk.to.answer("text/html", [.copy, .move], preferred: .move)
        try desk.fixture.pump()
        #expect(desk.from.takeEvents() == ["source target text/html", "source action 2"])
        #expect(desk.to.takeEvents() == ["action 2"])
        // Data can be received before the drop and after it.
        let early = try desk.to.receive("text/plain", from: offer)
        try desk.move(140, 50)
        try desk.button(false)
        #expect(
            desk.to.takeEvents() == ["motion 40.0,50.0", "drop", "pointer enter \(desk.right.surface.id) 40.0,50.0"])
        #expect(desk.from.takeEvents() == ["source dropped"])
        let late = try desk.to.receive("text/html", from: offer)
        try desk.fixture.pump()
        #expect(desk.from.provide("plain") == "text/plain" && desk.from.provide("<p>") == "text/html")
        #expect(TestPipe.read(early) == "plain" && TestPipe.read(late) == "<p>")
        offer.send(.finish)
        offer.send(.destroy)
        try desk.fixture.pump()
        #expect(desk.from.takeEvents() == ["source finished"])
        #expect(!desk.isHurt)
        // The next press is an ordinary one again.
        try desk.move(10, 10)
        try desk.button(true)
        try desk.button(false)
        #expect(desk.from.takeEvents() == ["pointer enter \(desk.left.surface.id) 10.0,10.0", "button 1", "button 0"])
    }

    @Test("a drag needs a press that its client still holds, and no other drag; otherwise it is ignored")
    func serials() throws {
        let desk = try DragDesk()
        try desk.move(10, 10)
        try desk.button(true)
        try desk.button(false)
        desk.forget()
        // A button that is up again, an invalid serial, another client's press.
        desk.from.startDrag(desk.from.source(), from: desk.left.surface)
        desk.from.startDrag(desk.from.source(), from: desk.left.surface, serial: 0xffff_fff0)
        try desk.button(true)
        desk.to.startDrag(desk.to.source(), from: desk.right.surface, serial: desk.from.press)
        try desk.fixture.pump()
        #expect(desk.from.takeEvents() == ["source cancelled", "source cancelled", "button 1"])
        #expect(desk.to.takeEvents() == ["source cancelled"])
        desk.from.startDrag(desk.from.source(), from: desk.left.surface)
        try desk.fixture.pump()
        desk.forget()
        // A press starts only one drag, and a finger cannot drag while the pointer does.
        desk.from.startDrag(desk.from.source(), from: desk.left.surface)
        try desk.touch(.began, 110, 10)
        desk.to.startDrag(desk.to.source(), from: desk.right.surface)
        try desk.fixture.pump()
        #expect(desk.from.takeEvents() == ["source cancelled"])
        #expect(desk.to.takeEvents() == ["down 7", "source cancelled"])
        #expect(!desk.isHurt)
    }

    @Test("nothing accepted, no common action, no target: the source is cancelled and the target receives leave")
    func refused() throws {
        let desk = try DragDesk()
        for refusal in 0..<5 {
            try desk.begin(actions: refusal == 3 ? nil : [.move])
            try desk.move(refusal == 4 ? 300 : 150, 50)
            switch refusal {
            case 0: break
            case 1: desk.to.answer(nil, [.move], preferred: .move)
            case 2: desk.to.answer("text/plain", [.copy])
            case 3: desk.to.answer("text/plain", [.copy, .move])
            default: break
            }
            try desk.fixture.pump()
            desk.forget()
            try desk.button(false)
            // The type and the action negotiated so far are reset.
            let received = desk.from.events.filter { $0 != "source target nil" && $0 != "source action 0" }
            #expect(received == ["source cancelled"], "\(refusal)")
            let left = refusal == 4 ? [] : ["leave", "pointer enter \(desk.right.surface.id) 50.0,50.0"]
            #expect(desk.to.events == left, "\(refusal)")
            // A refused drag does not finish, even if its offer is destroyed.
            desk.to.drag?.send(.destroy)
            try desk.fixture.pump()
            #expect(!desk.isHurt)
        }
    }

    @Test("ask: the target chooses the action after the drop, and the source receives it with finish")
    func ask() throws {
        let desk = try DragDesk()
        try desk.begin(actions: [.copy, .move, .ask])
        try desk.move(150, 50)
        desk.to.answer("text/plain", [.copy, .move, .ask], preferred: .ask)
        try desk.fixture.pump()
        #expect(desk.to.takeEvents().last == "action 4")
        try desk.button(false)
        desk.forget()
        desk.to.drag?.send(.setActions(dndActions: [.move], preferredAction: .move))
        try desk.fixture.pump()
        #expect(desk.from.events == [] && desk.to.events == [])
        desk.to.drag?.send(.finish)
        try desk.fixture.pump()
        #expect(desk.from.takeEvents() == ["source action 2", "source finished"])
        // Dismissed: the offer is destroyed without finish.
        try desk.begin(actions: [.copy, .ask])
        try desk.move(150, 50)
        desk.to.answer("text/plain", [.copy, .ask], preferred: .ask)
        try desk.fixture.pump()
        try desk.button(false)
        desk.forget()
        desk.to.drag?.send(.destroy)
        try desk.fixture.pump()
        #expect(desk.from.takeEvents() == ["source cancelled"])
        #expect(!desk.isHurt)
    }

    @Test("modifiers choose the action: Shift moves, Control copies, if both sides support it")
    func modifiers() throws {
        let desk = try DragDesk()
        try desk.begin(actions: [.copy, .move])
        try desk.move(150, 50)
        desk.to.answer("text/plain", [.copy, .move], preferred: .copy)
        try desk.fixture.pump()
        #expect(desk.to.takeEvents().last == "action 1")
        desk.left.makeKey()
        try desk.fixture.pump()
        func key(_ code: UInt32, _ pressed: Bool) throws {
            try desk.model.press(key: code, pressed: pressed, time: desk.fixture.loop.now)
            try desk.fixture.pump()
        }
        try key(42, true)
        #expect(desk.to.takeEvents() == ["action 2"])
        try key(42, false)
        #expect(desk.to.takeEvents() == ["action 1"])
        desk.to.answer("text/plain", [.copy, .move], preferred: .move)
        try key(29, true)
        #expect(desk.to.takeEvents() == ["action 2", "action 1"])
        try key(29, false)
        #expect(desk.to.takeEvents() == ["action 2"])
    }

    @Test("without a source a drag stays within its client: other clients receive no events")
    func alone() throws {
        let desk = try DragDesk()
        let other = desk.from.client.window("other").color(0xff00ff00).frame(200, 0, 50, 50)
        other.show()
        try desk.move(10, 10)
        try desk.button(true)
        desk.forget()
        desk.from.startDrag(nil, from: desk.left.surface)
        try desk.move(150, 50)
        try desk.move(210, 20)
        try desk.button(false)
        #expect(desk.to.takeEvents() == [])
        #expect(
            desk.from.takeEvents() == [
                "pointer leave \(desk.left.surface.id)", "enter \(desk.left.surface.id) 10.0,10.0 alone", "leave",
                "enter \(other.surface.id) 10.0,20.0 alone", "drop", "pointer enter \(other.surface.id) 10.0,20.0",
            ])
    }

    @Test("a finger drags like the pointer: its touch is cancelled and receives no up")
    func finger() throws {
        let desk = try DragDesk()
        try desk.touch(.began, 10, 10)
        desk.forget()
        let source = desk.from.source()
        desk.from.startDrag(source, from: desk.left.surface)
        try desk.touch(.moved, 150, 50)
        #expect(
            desk.from.takeEvents() == [
                "touch cancel", "enter \(desk.left.surface.id) 10.0,10.0", "source actions 3", "leave",
            ])
        desk.to.answer("text/plain")
        try desk.fixture.pump()
        // Another finger is unaffected.
        try desk.touch(.began, 160, 60, id: 8)
        try desk.touch(.ended, 160, 60, id: 8)
        try desk.touch(.ended, 155, 50)
        #expect(
            desk.to.takeEvents() == [
                "enter \(desk.right.surface.id) 50.0,50.0", "source actions 3", "action 1", "down 8", "up 8",
                "motion 55.0,50.0", "drop",
            ])
        #expect(desk.from.takeEvents() == ["source target text/plain", "source action 1", "source dropped"])
        #expect(!desk.isHurt)
    }

    @Test("the drop comes with the release of the last button, whichever began the drag")
    func buttons() throws {
        let desk = try DragDesk()
        try desk.begin()
        try desk.move(150, 50)
        desk.to.answer("text/plain")
        try desk.button(true, code: 0x111)
        try desk.button(false)
        #expect(!desk.to.takeEvents().contains("drop"))
        try desk.button(false, code: 0x111)
        #expect(desk.to.takeEvents() == ["drop", "pointer enter \(desk.right.surface.id) 50.0,50.0"])
    }

    @Test("a drag from one screen to another")
    func screens() throws {
        let fixture = try ServerFixture(screens: ["200x100", "300x200,external"])
        let desk = try DragDesk(fixture)
        let far = desk.to.client.window("far", on: desk.to.client.screens.last).color(0xff00ff00)
        far.show()
        try fixture.pump()
        try desk.begin()
        try desk.move(250, 150, on: fixture.model.screens[1])
        #expect(desk.to.takeEvents() == ["enter \(far.surface.id) 250.0,150.0", "source actions 3"])
        desk.to.answer("text/plain")
        try fixture.pump()
        try desk.button(false)
        #expect(desk.to.takeEvents() == ["action 1", "drop", "pointer enter \(far.surface.id) 250.0,150.0"])
    }

    @Test("versions 1 and 2 have neither actions nor finish", arguments: [1, 2] as [UInt32])
    func old(version: UInt32) throws {
        // An old source: the action is copy, and it receives only target events.
        let desk = try DragDesk(versions: (version, 3))
        try desk.begin()
        try desk.move(150, 50)
        #expect(desk.to.events.last == "source actions 1")
        desk.to.answer("text/plain", [.copy, .move], preferred: .move)
        try desk.fixture.pump()
        #expect(desk.to.events.last == "action 1")
        try desk.button(false)
        desk.to.drag?.send(.finish)
        try desk.fixture.pump()
        #expect(desk.from.takeEvents() == ["leave", "source target text/plain"])
        try desk.begin()
        try desk.button(false)
        #expect(desk.from.events.contains("source cancelled") == false)
        #expect(!desk.isHurt)
        // An old target: accept has no effect, and destroying the offer finishes the drag.
        let other = try DragDesk(versions: (3, version))
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
