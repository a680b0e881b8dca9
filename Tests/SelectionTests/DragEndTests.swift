// E2: drags whose sources, targets, windows or screens disappear.

import TestSupport
import Testing
import Wayland
import WindowModel

@Suite struct DragEndTests {
    /// A drag over the right window, which accepts it.
    private func desk() throws -> (DragDesk, Proxy<WlDataSource>) {
        let desk = try DragDesk()
        let source = try desk.begin()
        try desk.move(150, 50)
        desk.to.answer("text/plain")
        try desk.fixture.pump()
        desk.forget()
        return (desk, source)
    }

    @Test("destroying the source ends the drag; until the button is released no client has the pointer")
    func source() throws {
        let (desk, source) = try desk()
        source.send(.destroy)
        try desk.fixture.pump()
        #expect(desk.to.takeEvents() == ["leave"])
        // Requests of the offer that were in flight have no effect.
        desk.to.answer("text/plain")
        let end = try desk.to.receive("text/plain", from: desk.to.drag)
        desk.to.drag?.send(.destroy)
        try desk.move(160, 50)
        try desk.fixture.wait(for: "the end of the pipe") { TestPipe.read(end) == "" }
        #expect(desk.to.takeEvents() == [] && desk.from.takeEvents() == [])
        try desk.button(false)
        #expect(desk.to.takeEvents() == ["pointer enter \(desk.right.surface.id) 60.0,50.0"])
        #expect(!desk.isHurt)
    }

    @Test("a source destroyed after the drop leaves an offer without data, and causes no error")
    func sourceAfterDrop() throws {
        let (desk, source) = try desk()
        try desk.button(false)
        source.send(.destroy)
        try desk.fixture.pump()
        let end = try desk.to.receive("text/plain", from: desk.to.drag)
        desk.to.drag?.send(.finish)
        try desk.fixture.pump()
        try desk.fixture.wait(for: "the end of the pipe") { TestPipe.read(end) == "" }
        #expect(!desk.isHurt)
    }

    @Test("the program of the source dies during a drag, or that of the target does")
    func deaths() throws {
        let (desk, _) = try desk()
        try desk.from.client.kill()
        #expect(desk.to.takeEvents().first == "leave")
        #expect(desk.to.client.isOpen && desk.model.checkInvariants() == [])
        let (second, _) = try self.desk()
        try second.to.client.kill()
        #expect(second.from.takeEvents().contains("source action 0"))
        try second.button(false)
        #expect(second.from.takeEvents() == ["source cancelled"])
        // After the drop: an unfinished drag is cancelled.
        let (third, _) = try self.desk()
        try third.button(false)
        #expect(third.from.takeEvents() == ["source dropped"])
        try third.to.client.kill()
        #expect(third.from.takeEvents() == ["source cancelled"])
        #expect(third.from.client.isOpen)
        // A drag without a source ends with its program.
        let fourth = try DragDesk()
        try fourth.move(10, 10)
        try fourth.button(true)
        fourth.from.startDrag(nil, from: fourth.left.surface)
        try fourth.fixture.pump()
        try fourth.from.client.kill()
        try fourth.button(false)
        try fourth.move(150, 50)
        #expect(fourth.to.takeEvents() == ["pointer enter \(fourth.right.surface.id) 50.0,50.0"])
    }

    @Test("a target that is hidden or destroyed receives leave, and the drag enters the window behind it")
    func target() throws {
        for isDestroyed in [false, true] {
            let (desk, _) = try desk()
            let behind = desk.from.client.window("behind").color(0xff00ff00).frame(100, 0, 100, 100).level(-1)
            behind.show()
            try desk.fixture.pump()
            if isDestroyed { desk.right.destroy() } else { desk.right.hide() }
            try desk.fixture.pump()
            #expect(desk.to.takeEvents() == ["leave"])
            #expect(desk.from.takeEvents().last == "source actions 3")
            desk.from.answer("text/plain")
            try desk.fixture.pump()
            try desk.button(false)
            #expect(desk.from.takeEvents().contains("source dropped"))
        }
    }

    @Test("E2: a drag ends when its origin window is hidden or destroyed, or its screen is rotated or unplugged")
    func origin() throws {
        for way in 0..<4 {
            let (desk, _) = try desk()
            switch way {
            case 0: desk.left.hide()
            case 1: desk.left.destroy()
            case 2: try desk.model.rotate(desk.fixture.mainScreen, to: .landscapeLeft, time: desk.fixture.loop.now)
            default: try desk.fixture.server.disconnect(desk.fixture.mainScreen)
            }
            try desk.fixture.pump()
            #expect(desk.from.takeEvents().contains("source cancelled"), "\(way)")
            #expect(desk.to.takeEvents().first == "leave", "\(way)")
            _ = try desk.model.pointerButton(code: 0x110, pressed: false, time: desk.fixture.loop.now)
            try desk.fixture.pump()
            #expect(!desk.to.events.contains("drop") && !desk.isHurt, "\(way)")
        }
    }

    @Test("E2: unplugging the screen under the pointer ends the drag; the release of the button is not delivered")
    func unplugged() throws {
        let fixture = try ServerFixture(screens: ["200x100", "300x200,external"])
        let desk = try DragDesk(fixture)
        let far = desk.to.client.window("far", on: desk.to.client.screens.last).color(0xff00ff00)
        far.show()
        try fixture.pump()
        try desk.begin()
        try desk.move(250, 150, on: fixture.model.screens[1])
        desk.forget()
        try fixture.server.disconnect(fixture.model.screens[1])
        try fixture.pump()
        #expect(desk.to.takeEvents() == ["leave"])
        #expect(desk.from.takeEvents() == ["source cancelled"])
        try desk.button(false)
        try desk.move(10, 10)
        #expect(desk.from.takeEvents() == ["pointer enter \(desk.left.surface.id) 10.0,10.0"])
        #expect(!desk.isHurt)
    }

    @Test("R4: a drag from another screen follows the rotation of the screen under it")
    func turned() throws {
        let fixture = try ServerFixture(screens: ["200x100", "300x200,external"])
        let desk = try DragDesk(fixture)
        let far = desk.to.client.window("far", on: desk.to.client.screens.last).color(0xff00ff00)
        far.show()
        try fixture.pump()
        try desk.begin()
        let screen = fixture.model.screens[1]
        try desk.move(250, 150, on: screen)
        desk.forget()
        try fixture.model.rotate(screen, to: .portraitUpsideDown, duration: 0, time: fixture.loop.now)
        try fixture.pump()
        #expect(desk.to.takeEvents() == ["motion 50.0,50.0"])
        #expect(desk.from.takeEvents() == [])
    }

    @Test("E7: an application that ignores interaction events is not a drop target")
    func nobody() throws {
        let (desk, _) = try desk()
        desk.to.client.application.send(.beginIgnoringInteractionEvents)
        try desk.move(160, 50)
        #expect(desk.to.takeEvents() == ["leave"])
        desk.to.client.application.send(.endIgnoringInteractionEvents)
        try desk.move(150, 50)
        #expect(desk.to.takeEvents().first == "enter \(desk.right.surface.id) 50.0,50.0")
    }
}
