// The selections of X11 programs, which their manager sets and receives.

import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct X11SelectionTests {
    private let fixture: ServerFixture
    private let x11: TestX11
    private let xDevice: TestDataDevice
    private let xPrimary: TestPrimary
    private let plain: TestClient
    private let plainDevice: TestDataDevice
    private let plainPrimary: TestPrimary
    private let plainWindow: TestWindow

    init() throws {
        fixture = try ServerFixture.handingOver()
        x11 = try TestX11(fixture)
        xDevice = try TestDataDevice(x11.manager)
        xPrimary = try TestPrimary(x11.manager)
        plain = try fixture.connect("plain")
        plainDevice = try TestDataDevice(plain)
        plainPrimary = try TestPrimary(plain)
        plainWindow = plain.window("plain").color(0xffff_0000)
        plainWindow.makeKeyAndVisible()
        try fixture.pump()
    }

    /// The types that a device was offered last; nil: none.
    private func types(_ device: TestDataDevice) -> [String]? { device.selection.flatMap { device.types[$0.id] } }

    @Test("the manager receives both selections while one of its X server's windows has the keyboard, and only then")
    func receives() throws {
        let window = try x11.map("x")
        #expect(window.focus == [])
        let source = plainDevice.source(["text/plain"], actions: nil)
        plainDevice.device.send(.setSelection(source: source.id, serial: plainDevice.press))
        let primary = plainPrimary.source(["text/html"])
        plainPrimary.device.send(.setSelection(source: primary.id, serial: 0))
        try fixture.pump()
        #expect(types(xDevice) == nil && xPrimary.selection == nil)
        plainWindow.hide()
        try fixture.pump()
        #expect(window.focus == [true])
        #expect(types(xDevice) == ["text/plain"] && xPrimary.selection != nil)
        plainWindow.makeKeyAndVisible()
        try fixture.pump()
        let other = plainDevice.source(["image/png"], actions: nil)
        plainDevice.device.send(.setSelection(source: other.id, serial: plainDevice.press))
        try fixture.pump()
        #expect(types(xDevice) == ["text/plain"])
        plainWindow.hide()
        try fixture.pump()
        #expect(types(xDevice) == ["image/png"])
    }

    @Test("the manager sets the selections with any serial while an X window has the keyboard; otherwise it is ignored")
    func sets() throws {
        let window = try x11.map("x")
        let early = xDevice.source(["early"], actions: nil)
        xDevice.device.send(.setSelection(source: early.id, serial: 0))
        try fixture.pump()
        #expect(types(plainDevice) == nil && xDevice.events.contains("source cancelled"))
        plainWindow.hide()
        try fixture.pump()
        for name in ["one", "two"] {
            let source = xDevice.source([name], actions: nil)
            xDevice.device.send(.setSelection(source: source.id, serial: 0))
            try fixture.pump()
        }
        let primary = xPrimary.source(["primary"])
        xPrimary.device.send(.setSelection(source: primary.id, serial: 0))
        plainWindow.makeKeyAndVisible()
        try fixture.pump()
        #expect(types(plainDevice) == ["two"] && plainPrimary.selection != nil && window.focus == [true, false])
        // The X server's data come from the manager.
        let memory = try plain.memoryFile(words: 1, filledWith: 0)
        plainDevice.selection?.send(.receive(mimeType: "two", fd: memory))
        try fixture.pump()
        #expect(xDevice.requests.map(\.type) == ["two"])
    }

    @Test("a manager of one X server has no part in the selections of another's, nor of plain programs")
    func others() throws {
        plainWindow.hide()
        let foreign = try TestX11(fixture)
        let device = try TestDataDevice(foreign.manager)
        _ = try x11.map("x")
        let source = xDevice.source(["secret"], actions: nil)
        xDevice.device.send(.setSelection(source: source.id, serial: 0))
        let mine = device.source(["mine"], actions: nil)
        device.device.send(.setSelection(source: mine.id, serial: 0))
        try fixture.pump()
        #expect(types(device) == nil && types(xDevice) == ["secret"])
        #expect(device.events.contains("source cancelled"))
    }

    @Test("a restart: the manager goes on to receive the selection and to set it")
    func restarts() throws {
        plainWindow.hide()
        _ = try x11.map("x")
        let source = xDevice.source(["before"], actions: nil)
        xDevice.device.send(.setSelection(source: source.id, serial: 0))
        try fixture.pump()
        try fixture.handOver()
        plainWindow.makeKeyAndVisible()
        try fixture.pump()
        #expect(types(plainDevice) == ["before"])
        plainWindow.hide()
        let next = xDevice.source(["after"], actions: nil)
        try fixture.pump()
        xDevice.device.send(.setSelection(source: next.id, serial: 0))
        plainWindow.makeKeyAndVisible()
        try fixture.pump()
        #expect(types(plainDevice) == ["after"])
    }
}
