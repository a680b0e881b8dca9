// Surfaces that are destroyed in one write with their window while they have the pointer, the keyboard or a touch.

import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct DestroyedFocusTests {
    enum Kind: CaseIterable { case window, surface, toplevel, menu, subsurface }

    /// A client with a focused surface of that kind, and how it is destroyed.
    private struct Setup {
        let fixture: ServerFixture
        let client: TestClient
        let input: TestInput
        let field: TestTextInput
        let focus: Proxy<WlSurface>
        private(set) var destroy: () -> Void = {}
        /// What else has to remain until the end.
        private var others: [AnyObject] = []

        init(_ kind: Kind) throws {
            fixture = try ServerFixture.handingOver()
            client = try fixture.connect()
            input = try TestInput(client)
            field = try TestTextInput(client)
            switch kind {
            case .window, .surface, .subsurface:
                let window = client.window("w").color(0xffff_0000).frame(0, 0, 400, 300)
                window.makeKeyAndVisible()
                guard kind == .subsurface else {
                    focus = window.surface
                    destroy = { if kind == .surface { window.surface.send(.destroy) } else { window.destroy() } }
                    break
                }
                let child = try TestSubsurface(
                    client, of: window.surface, argb: 0xff00_ff00, x: 0, y: 0, width: 200, height: 200)
                window.commit()
                focus = child.surface
                destroy = {
                    child.subsurface.send(.destroy)
                    child.surface.send(.destroy)
                }
            case .toplevel, .menu:
                let top = try TestToplevel.map(client, fixture, width: 400, height: 300)
                guard kind == .menu else {
                    focus = top.surface
                    destroy = {
                        top.toplevel.send(.destroy)
                        top.xdg.send(.destroy)
                        top.surface.send(.destroy)
                    }
                    break
                }
                let positioner = TestPopup.positioner(client, width: 300, height: 200)
                let menu = TestPopup(client, parent: top.xdg, positioner: positioner)
                menu.popup.send(.grab(seat: try client.bind(WlSeat.self).id, serial: 0))
                menu.surface.send(.commit)
                try fixture.pump()
                try client.attach(0xff00_00ff, width: 300, height: 200, to: menu.surface)
                menu.surface.send(.commit)
                focus = menu.surface
                destroy = menu.destroy
                others.append(top)
            }
            try fixture.pump()
        }

        /// Moves the pointer onto the surface.
        func enter() throws {
            let (server, screen) = (fixture.server, fixture.mainScreen)
            try server.injector.perform(.move(Point(x: 60, y: 60), screen), by: server.seat)
            try fixture.pump()
        }

        /// Presses a button, a key and a finger on the surface.
        func press() throws {
            let server = fixture.server
            try server.injector.perform(.button(0x110, pressed: true), by: server.seat)
            try server.injector.perform(.key(30, pressed: true), by: server.seat)
            try touch(.began)
            try fixture.pump()
        }

        func touch(_ phase: Event.Phase) throws {
            let now = fixture.server.clock.now
            try fixture.model.touch(id: 1, phase: phase, at: Point(x: 60, y: 60), on: fixture.mainScreen, time: now)
        }

        func forget() {
            _ = input.takeEvents()
            _ = field.takeLines()
        }
    }

    @Test(
        "E2, K5, W7: the button is released, and pointer, keyboard and text input leave, in one write with the window",
        arguments: Kind.allCases, [false, true])
    func leaves(_ kind: Kind, handsOver: Bool) throws {
        let setup = try Setup(kind)
        try setup.enter()
        let id = setup.focus.id
        #expect(setup.input.takeEvents().contains { $0.hasPrefix("pointer enter \(id) ") })
        if handsOver { try setup.fixture.handOver() }
        try setup.press()
        #expect(setup.input.takeEvents().contains("button 272 1"))
        setup.forget()
        setup.destroy()
        try setup.fixture.pump()
        let events = setup.input.takeEvents()
        let pointer = events.filter { $0.hasPrefix("button") || $0.hasPrefix("pointer leave") }
        #expect(pointer == ["button 272 0", "pointer leave \(id)"], "\(events)")
        #expect(events.filter { $0 == "cancel" }.count == 1, "\(events)")
        if kind != .subsurface {
            #expect(events.filter { $0.hasPrefix("leave") } == ["leave \(id)"], "\(events)")
            #expect(setup.field.takeLines().first == "leave \(id)")
        }
        try setup.touch(.ended)
        try setup.fixture.server.injector.perform(.button(0x110, pressed: false), by: setup.fixture.server.seat)
        try setup.fixture.pump()
        let later = setup.input.takeEvents()
        #expect(!later.contains { $0.hasPrefix("up") || $0.hasPrefix("button") }, "\(later)")
        #expect(setup.client.isOpen && setup.fixture.model.checkInvariants() == [])
    }

    @Test(
        "the leave comes before the enter of what is shown in the same write",
        arguments: [Kind.window, .surface, .toplevel])
    func leavesBeforeEnter(_ kind: Kind) throws {
        let setup = try Setup(kind)
        try setup.enter()
        try setup.press()
        try setup.fixture.server.injector.perform(.button(0x110, pressed: false), by: setup.fixture.server.seat)
        try setup.fixture.pump()
        setup.forget()
        let old = setup.focus.id
        setup.destroy()
        let next = setup.client.window("next").color(0xff00_ff00).frame(0, 0, 400, 300)
        next.makeKeyAndVisible()
        try setup.fixture.pump()
        let new = next.surface.id
        let events = setup.input.takeEvents().filter { !$0.hasPrefix("modifiers") && $0 != "cancel" }
        #expect(
            events == [
                "leave \(old)", "pointer leave \(old)", "enter \(new) [30, 0, 0, 0]", "pointer enter \(new) 60.0,60.0",
            ])
        #expect(setup.field.takeLines() == ["leave \(old)", "enter \(new)"])
    }

    @Test("a lock of the pointer ends before the pointer leaves the destroyed surface")
    func locked() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let pointer = try TestPointer(client)
        let top = try TestToplevel.map(client, fixture, width: 400, height: 300)
        _ = try pointer.lock(top.surface)
        try fixture.server.injector.perform(.move(Point(x: 60, y: 60), fixture.mainScreen), by: fixture.server.seat)
        try fixture.pump()
        #expect(pointer.take().last == "locked")
        top.toplevel.send(.destroy)
        top.xdg.send(.destroy)
        top.surface.send(.destroy)
        try fixture.pump()
        #expect(pointer.take() == ["unlocked", "leave \(top.surface.id)", "frame"])
    }

    @Test("a drag leaves a plain window that is destroyed in one write, before it enters the next one")
    func drag() throws {
        let setup = try DragFixture()
        let target = try TestToplevel.map(setup.to.client, setup.fixture, width: 300, height: 300)
        try setup.begin()
        try setup.move(250, 250)
        #expect(setup.to.takeEvents().contains { $0.hasPrefix("enter \(target.surface.id)") })
        target.toplevel.send(.destroy)
        target.xdg.send(.destroy)
        target.surface.send(.destroy)
        let next = setup.to.client.window("next").color(0xff00_ff00).frame(200, 200, 300, 300)
        next.show()
        try setup.fixture.pump()
        let events = setup.to.takeEvents().filter { $0.hasPrefix("enter") || $0 == "leave" }
        #expect(events == ["leave", "enter \(next.surface.id) 50.0,50.0"])
    }
}
