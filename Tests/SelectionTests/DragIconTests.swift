// Drag icons, in exact pixels.

import Compositor
import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@Suite struct DragIconTests {
    private func icon(_ setup: DragFixture) throws -> Proxy<WlSurface> {
        let icon = setup.from.client.surface()
        try setup.from.client.attach(0xffffff00, width: 20, height: 10, to: icon)
        icon.send(.commit)
        return icon
    }

    @Test("the icon is drawn at the pointer above all windows, follows its offset, and disappears with the drag")
    func follows() throws {
        let setup = try DragFixture()
        setup.to.client.window("front").color(0xffffffff).frame(300, 0, 100, 100).level(9999).show()
        let icon = try icon(setup)
        try setup.begin(icon: icon)
        #expect(try setup.fixture.color(x: 10, y: 10) == 0xffff00)
        #expect(try setup.fixture.color(x: 29, y: 19) == 0xffff00)
        #expect(try setup.fixture.color(x: 9, y: 10) == 0xff0000)
        try setup.move(350, 50)
        #expect(try setup.fixture.color(x: 355, y: 55) == 0xffff00)
        #expect(try setup.fixture.color(x: 15, y: 15) == 0xff0000)
        icon.send(.offset(x: -5, y: 30))
        #expect(try setup.fixture.color(x: 355, y: 55) == 0xffff00, "C4: not before the commit")
        icon.send(.commit)
        #expect(try setup.fixture.color(x: 355, y: 55) == 0xffffff)
        #expect(try setup.fixture.color(x: 346, y: 81) == 0xffff00)
        // New pixels and sub-surfaces are drawn at once.
        let child = try TestSubsurface(
            setup.from.client, of: icon, argb: 0xff123456, x: 0, y: 20, width: 4, height: 4)
        try setup.from.client.attach(0xff00ffff, width: 20, height: 10, to: icon)
        icon.send(.commit)
        #expect(try setup.fixture.color(x: 346, y: 81) == 0x00ffff)
        #expect(try setup.fixture.color(x: 346, y: 101) == 0x123456)
        child.surface.send(.destroy)
        #expect(try setup.fixture.color(x: 346, y: 101) == 0)
        try setup.button(false)
        #expect(try setup.fixture.color(x: 346, y: 81) == 0xffffff)
        #expect(!setup.isHurt)
    }

    @Test("the icon receives no events, and moving it counts as a new frame")
    func untouchable() throws {
        let setup = try DragFixture()
        let icon = try icon(setup)
        try setup.begin(icon: icon)
        let frameNumber = setup.fixture.server.frameNumber
        try setup.move(150, 50)
        #expect(setup.to.takeEvents().first == "enter \(setup.right.surface.id) 50.0,50.0")
        #expect(setup.fixture.server.frameNumber > frameNumber)
        #expect(setup.model.hitTest(Point(x: 155, y: 55), on: setup.fixture.mainScreen)?.surface != nil)
        icon.send(.destroy)
        try setup.fixture.pump()
        #expect(try setup.fixture.color(x: 155, y: 55) == 0x0000ff)
        try setup.button(false)
        #expect(!setup.isHurt)
    }

    @Test("the icon's surface enters the pointer's screen, and receives frame callbacks")
    func screens() throws {
        let fixture = try ServerFixture(screens: ["200x100", "300x200,external"])
        let setup = try DragFixture(fixture)
        setup.to.client.window("far", on: setup.to.client.screens.last).color(0xff00ff00).show()
        let outputs = try setup.from.client.globals.filter { $0.interface == WlOutput.name }
            .map { try setup.from.client.bind(WlOutput.self, name: $0.name) }
        let icon = try icon(setup)
        var entered: [ObjectID] = []
        icon.onEvent = { event in
            switch event {
            case .enter(let output): entered.append(output)
            case .leave(let output): entered.removeAll { $0 == output }
            case .preferredBufferScale, .preferredBufferTransform: break
            }
        }
        try setup.begin(icon: icon)
        #expect(entered == [outputs[0].id])
        try setup.move(250, 150, on: fixture.model.screens[1])
        #expect(entered == [outputs[1].id])
        #expect(try fixture.color(x: 255, y: 155, on: fixture.model.screens[1]) == 0xffff00)
        #expect(try fixture.color(x: 15, y: 15) == 0xff0000)
        var done = false
        let callback = Proxy<WlCallback>(setup.from.client.connection, version: 1)
        callback.onEvent = { _ in done = true }
        icon.send(.frame(callback: callback.id))
        icon.send(.commit)
        try fixture.wait(for: "a frame") { done }
        try setup.button(false)
        #expect(entered == [])
    }

    @Test("W5: a surface with another role cannot become an icon, and an icon cannot take another role")
    func role() throws {
        let setup = try DragFixture()
        let icon = try icon(setup)
        let source = try setup.begin(icon: icon)
        try setup.button(false)
        source.send(.destroy)
        // The same role again is allowed.
        try setup.begin(icon: icon)
        try setup.button(false)
        #expect(!setup.isHurt)
        _ = TestSubsurface(bare: setup.from.client, surface: icon, parent: setup.left.surface)
        try setup.fixture.pump()
        #expect(setup.from.client.protocolError?.code == WlSubcompositor.Error.badSurface.rawValue)
        #expect(setup.from.client.protocolError?.message.contains("W5") == true)
        let other = try DragFixture()
        try other.move(10, 10)
        try other.button(true)
        other.from.startDrag(other.from.source(), from: other.left.surface, icon: other.left.surface)
        try other.fixture.pump()
        #expect(other.from.client.protocolError?.code == WlDataDevice.Error.role.rawValue)
    }
}
