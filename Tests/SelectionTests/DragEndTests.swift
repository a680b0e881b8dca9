// E2: drags whose sources, targets, windows or screens disappear.

import MullionWayland
import TestSupport
import Testing
import WindowModel

@Suite struct DragEndTests {
    /// A drag over the right window, which accepts it.
    private func setup() throws -> (DragFixture, Proxy<WlDataSource>) {
        let setup = try DragFixture()
        let source = try setup.begin()
        try setup.move(150, 50)
        setup.to.answer("text/plain")
        try setup.fixture.pump()
        setup.forget()
        return (setup, source)
    }

    @Test("destroying the source ends the drag; until the button is released no client has the pointer")
    func source() throws {
        let (setup, source) = try setup()
        source.send(.destroy)
        try setup.fixture.pump()
        #expect(setup.to.takeEvents() == ["leave"])
        // Requests of the offer that were in flight have no effect.
        setup.to.answer("text/plain")
        let end = try setup.to.receive("text/plain", from: setup.to.drag)
        setup.to.drag?.send(.destroy)
        try setup.move(160, 50)
        try setup.fixture.wait(for: "the end of the pipe") { TestPipe.read(end) == "" }
        #expect(setup.to.takeEvents() == [] && setup.from.takeEvents() == [])
        try setup.button(false)
        #expect(setup.to.takeEvents() == ["pointer enter \(setup.right.surface.id) 60.0,50.0"])
        #expect(!setup.isHurt)
    }

    @Test("a source destroyed after the drop leaves an offer without data, and causes no error")
    func sourceAfterDrop() throws {
        let (setup, source) = try setup()
        try setup.button(false)
        source.send(.destroy)
        try setup.fixture.pump()
        let end = try setup.to.receive("text/plain", from: setup.to.drag)
        setup.to.drag?.send(.finish)
        try setup.fixture.pump()
        try setup.fixture.wait(for: "the end of the pipe") { TestPipe.read(end) == "" }
        #expect(!setup.isHurt)
    }

    @Test("the program of the source dies during a drag, or that of the target does")
    func deaths() throws {
        let (setup, _) = try setup()
        try setup.from.client.kill()
        #expect(setup.to.takeEvents().first == "leave")
        #expect(setup.to.client.isOpen && setup.model.checkInvariants() == [])
        let (second, _) = try self.setup()
        try second.to.client.kill()
        #expect(second.from.takeEvents().contains("source action 0"))
        try second.button(false)
        #expect(second.from.takeEvents() == ["source cancelled"])
        // After the drop: an unfinished drag is cancelled.
        let (third, _) = try self.setup()
        try third.button(false)
        #expect(third.from.takeEvents() == ["source dropped"])
        try third.to.client.kill()
        #expect(third.from.takeEvents() == ["source cancelled"])
        #expect(third.from.client.isOpen)
        // A drag without a source ends with its program.
        let fourth = try DragFixture()
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
            let (setup, _) = try setup()
            let behind = setup.from.client.window("behind").color(0xff00ff00).frame(100, 0, 100, 100).level(-1)
            behind.show()
            try setup.fixture.pump()
            if isDestroyed { setup.right.destroy() } else { setup.right.hide() }
            try setup.fixture.pump()
            #expect(setup.to.takeEvents() == ["leave"])
            #expect(setup.from.takeEvents().last == "source actions 3")
            setup.from.answer("text/plain")
            try setup.fixture.pump()
            try setup.button(false)
            #expect(setup.from.takeEvents().contains("source dropped"))
        }
    }

    @Test("E2: a drag ends when its origin window is hidden or destroyed, or its screen is rotated or unplugged")
    func origin() throws {
        for way in 0..<4 {
            let (setup, _) = try setup()
            switch way {
            case 0: setup.left.hide()
            case 1: setup.left.destroy()
            case 2: try setup.model.rotate(setup.fixture.mainScreen, to: .landscapeLeft, time: setup.fixture.loop.now)
            default: try setup.fixture.server.disconnect(setup.fixture.mainScreen)
            }
            try setup.fixture.pump()
            #expect(setup.from.takeEvents().contains("source cancelled"), "\(way)")
            #expect(setup.to.takeEvents().first == "leave", "\(way)")
            _ = try setup.model.pointerButton(code: 0x110, pressed: false, time: setup.fixture.loop.now)
            try setup.fixture.pump()
            #expect(!setup.to.events.contains("drop") && !setup.isHurt, "\(way)")
        }
    }

    @Test("E2: unplugging the screen under the pointer ends the drag; the release of the button is not delivered")
    func unplugged() throws {
        let fixture = try ServerFixture(screens: ["200x100", "300x200,external"])
        let setup = try DragFixture(fixture)
        let far = setup.to.client.window("far", on: setup.to.client.screens.last).color(0xff00ff00)
        far.show()
        try fixture.pump()
        try setup.begin()
        try setup.move(250, 150, on: fixture.model.screens[1])
        setup.forget()
        try fixture.server.disconnect(fixture.model.screens[1])
        try fixture.pump()
        #expect(setup.to.takeEvents() == ["leave"])
        #expect(setup.from.takeEvents() == ["source cancelled"])
        try setup.button(false)
        try setup.move(10, 10)
        #expect(setup.from.takeEvents() == ["pointer enter \(setup.left.surface.id) 10.0,10.0"])
        #expect(!setup.isHurt)
    }

    @Test("R4: a drag from another screen follows the rotation of the screen under it")
    func turned() throws {
        let fixture = try ServerFixture(screens: ["200x100", "300x200,external"])
        let setup = try DragFixture(fixture)
        let far = setup.to.client.window("far", on: setup.to.client.screens.last).color(0xff00ff00)
        far.show()
        try fixture.pump()
        try setup.begin()
        let screen = fixture.model.screens[1]
        try setup.move(250, 150, on: screen)
        setup.forget()
        try fixture.model.rotate(screen, to: .portraitUpsideDown, duration: 0, time: fixture.loop.now)
        try fixture.pump()
        #expect(setup.to.takeEvents() == ["motion 50.0,50.0"])
        #expect(setup.from.takeEvents() == [])
    }

    @Test("E7: an application that ignores interaction events is not a drop target")
    func nobody() throws {
        let (setup, _) = try setup()
        setup.to.client.application.send(.beginIgnoringInteractionEvents)
        try setup.move(160, 50)
        #expect(setup.to.takeEvents() == ["leave"])
        setup.to.client.application.send(.endIgnoringInteractionEvents)
        try setup.move(150, 50)
        #expect(setup.to.takeEvents().first == "enter \(setup.right.surface.id) 50.0,50.0")
    }
}
