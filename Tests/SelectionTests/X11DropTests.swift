// Drags over windows of X11 programs, which their manager receives.

import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct X11DropTests {
    private let fixture: ServerFixture
    private let drags: DragFixture
    private let x11: TestX11
    private let device: TestDataDevice
    private let window: TestX11Window

    init() throws {
        fixture = try ServerFixture.handingOver()
        drags = try DragFixture(fixture)
        x11 = try TestX11(fixture)
        device = try TestDataDevice(x11.manager)
        x11.server.send(.receiveDrags(device: device.device.id))
        window = try x11.map("x", at: (200, 0), 100, 100)
    }

    /// Drags over the X window, which accepts.
    private func beginOver() throws -> Proxy<WlDataSource> {
        let source = try drags.begin()
        try drags.move(250, 50)
        device.enter(window.drag)
        device.answer("text/plain")
        try fixture.pump()
        drags.forget()
        _ = device.takeEvents()
        return source
    }

    @Test("the manager learns the window, and everything else from its device")
    func drops() throws {
        _ = try drags.begin(["text/plain", "text/html"])
        try drags.move(250, 50)
        #expect(window.drags == ["\(device.device.id) 50.0,50.0"])
        #expect(window.drag.map { device.types[$0] } == ["text/plain", "text/html"])
        #expect(device.takeEvents() == ["source actions 3"])
        device.enter(window.drag)
        device.answer("text/html")
        try drags.move(260, 60)
        #expect(device.takeEvents() == ["action 1", "motion 60.0,60.0"])
        #expect(drags.from.takeEvents() == ["leave", "source target text/html", "source action 1"])
        try drags.move(150, 50)
        #expect(device.takeEvents() == ["leave"])
        try drags.move(250, 50)
        #expect(window.drags.count == 2)
        device.enter(window.drag)
        device.answer("text/plain")
        try fixture.pump()
        try drags.button(false)
        #expect(device.takeEvents().last == "drop")
        let end = try device.receive("text/plain", from: device.drag)
        try fixture.pump()
        #expect(drags.from.provide("dragged") == "text/plain")
        device.drag?.send(.finish)
        try fixture.pump()
        #expect(TestPipe.read(end) == "dragged" && drags.from.takeEvents().last == "source finished")
        #expect(!drags.isHurt && x11.manager.isOpen)
    }

    @Test("from window to window of the X server: leave, and enter in the other one")
    func windows() throws {
        let other = try x11.map("y", at: (300, 0), 100, 100)
        _ = try beginOver()
        try drags.move(350, 20)
        #expect(device.takeEvents().prefix(1) == ["leave"])
        #expect(other.drags == ["\(device.device.id) 50.0,20.0"] && window.drags.count == 1)
        #expect(drags.from.takeEvents().contains("source target nil"))
    }

    @Test("the last device of a seat receives them; without one nobody does, and the drop fails")
    func devices() throws {
        let second = try TestDataDevice(x11.manager)
        x11.server.send(.receiveDrags(device: second.device.id))
        _ = try drags.begin()
        try drags.move(250, 50)
        #expect(window.drags == ["\(second.device.id) 50.0,50.0"] && device.takeEvents() == [])
        second.device.send(.release)
        try drags.move(251, 50)
        #expect(second.events.filter { $0.hasPrefix("motion") } == [])
        try drags.move(150, 50)
        try drags.move(250, 50)
        #expect(window.drags.count == 1)
        try drags.button(false)
        #expect(drags.from.takeEvents().last == "source cancelled")
        #expect(!drags.isHurt && x11.manager.isOpen)
    }

    @Test("a device of another client, and an object that is none, are refused")
    func foreignDevice() throws {
        x11.server.send(.receiveDrags(device: window.proxy.id))
        try fixture.pump()
        #expect(x11.manager.protocolError?.code == WlDisplay.Error.invalidObject.rawValue)
        #expect(!drags.isHurt)
    }

    @Test("the end of the window, of the X server, and of the manager is a leave; after the drop it cancels the source")
    func deaths() throws {
        _ = try beginOver()
        window.destroy()
        try fixture.pump()
        #expect(device.takeEvents() == ["leave"])
        try drags.button(false)
        #expect(drags.from.takeEvents().last == "source cancelled" && x11.manager.isOpen)
    }

    @Test("the manager dies with a drop that it has not finished")
    func managerDies() throws {
        _ = try beginOver()
        try drags.button(false)
        #expect(drags.from.takeEvents() == ["source dropped"])
        try x11.manager.kill()
        #expect(drags.from.takeEvents() == ["source cancelled"])
        #expect(!drags.isHurt)
    }

    @Test("a restart ends the drag with a leave; the manager receives the next one")
    func restarts() throws {
        _ = try beginOver()
        try fixture.handOver()
        try fixture.pump()
        #expect(device.takeEvents() == ["leave"] && drags.from.takeEvents().contains("source cancelled"))
        _ = try beginOver()
        try drags.button(false)
        #expect(window.drags.count == 2 && device.takeEvents() == ["drop"])
        #expect(x11.manager.isOpen && drags.from.client.isOpen)
    }

    @Test("drags of one X server's programs are offered to another one's, and not to its own")
    func otherServer() throws {
        let other = try TestX11(fixture)
        let program = try TestDataDevice(other.program)
        let source = try TestDataDevice(other.manager)
        other.server.send(.receiveDrags(device: source.device.id))
        let left = try other.map("left", at: (0, 200), 100, 100)
        try drags.move(10, 250)
        try drags.button(true)
        let drag = TestX11Drag(other)
        drag.proxy.send(.setSource(source: source.source().id))
        try fixture.pump()
        #expect(left.drags == [])
        try drags.move(250, 50)
        #expect(window.drags.count == 1 && drag.events == ["target own", "target other"])
        device.enter(window.drag)
        device.answer("text/plain")
        try drags.button(false)
        drag.proxy.send(.drop)
        try fixture.pump()
        #expect(device.takeEvents().contains("drop") && source.events.contains("source dropped"))
        #expect(program.events.contains("button 0"))
    }
}
