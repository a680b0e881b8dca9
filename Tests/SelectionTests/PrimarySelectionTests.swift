// The primary selection: text selected in one program is pasted in another.

import Glibc
import MullionWayland
import TestSupport
import Testing

@Suite struct PrimarySelectionTests {
    private struct Fixture {
        let fixture: ServerFixture
        let a: TestPrimary
        let b: TestPrimary
        let windowA: TestWindow
        let windowB: TestWindow

        init() throws {
            fixture = try ServerFixture()
            a = try TestPrimary(fixture.connect("a"))
            b = try TestPrimary(fixture.connect("b"))
            windowA = a.client.window("a").color(0xffff0000)
            windowB = b.client.window("b").color(0xff0000ff)
            windowA.makeKeyAndVisible()
            windowB.show()
            try fixture.pump()
            _ = a.takeEvents()
        }

        func select(_ types: [String]) throws -> Proxy<ZwpPrimarySelectionSourceV1> {
            let source = a.source(types)
            a.device.send(.setSelection(source: source.id, serial: 0))
            try fixture.pump()
            return source
        }
    }

    @Test("the selection follows key: the new key client receives it, the old one nothing; data is transferred")
    func follows() throws {
        let setup = try Fixture()
        _ = try setup.select(["text/plain", "UTF8_STRING"])
        #expect(setup.a.takeEvents() == ["selection text/plain UTF8_STRING"])
        #expect(setup.b.takeEvents() == [])
        setup.windowB.makeKey()
        try setup.fixture.pump()
        #expect(setup.a.takeEvents() == [])
        #expect(setup.b.takeEvents() == ["selection text/plain UTF8_STRING"])
        let (read, write) = try TestPipe.make()
        setup.b.selection?.send(.receive(mimeType: "UTF8_STRING", fd: write))
        let (none, other) = try TestPipe.make()
        setup.b.selection?.send(.receive(mimeType: "image/png", fd: other))
        try setup.fixture.pump()
        #expect(setup.a.requests.map(\.type) == ["UTF8_STRING"])
        for request in setup.a.takeRequests() { _ = Glibc.write(request.end.rawValue, "selected", 8) }
        withExtendedLifetime((write, other)) {}
        #expect(TestPipe.read(read) == "selected")
        // The test's own ends are closed with the messages: a type that is not offered yields an empty pipe.
        #expect(TestPipe.read(none) ?? "" == "")
    }

    @Test("the selection is replaced, withdrawn and destroyed; a client without the keyboard cannot set it")
    func ends() throws {
        let setup = try Fixture()
        let first = try setup.select(["a/1"])
        let second = try setup.select(["a/2"])
        #expect(setup.a.takeEvents() == ["selection a/1", "cancelled", "selection a/2"])
        first.send(.destroy)
        try setup.fixture.pump()
        #expect(setup.a.takeEvents() == [])
        second.send(.destroy)
        try setup.fixture.pump()
        #expect(setup.a.takeEvents() == ["selection nil"])
        _ = try setup.select(["a/3"])
        setup.a.device.send(.setSelection(source: nil, serial: 0))
        try setup.fixture.pump()
        #expect(setup.a.takeEvents() == ["selection a/3", "cancelled", "selection nil"])
        setup.b.device.send(.setSelection(source: setup.b.source(["b/1"]).id, serial: 0))
        try setup.fixture.pump()
        #expect(setup.b.takeEvents() == ["cancelled"] && setup.a.takeEvents() == [])
        _ = try setup.select(["a/4"])
        setup.windowB.makeKey()
        try setup.fixture.pump()
        try setup.a.client.kill()
        #expect(setup.b.takeEvents() == ["selection a/4", "selection nil"])
        #expect(setup.b.client.isOpen)
    }

    @Test("an offer outlives the window that received it: a program closes it, and still reads the data")
    func offerOutlivesFocus() throws {
        let setup = try Fixture()
        _ = try setup.select(["text/plain"])
        // As wl-paste does: a window only for the offer.
        let paster = try TestPrimary(setup.fixture.connect("paster"))
        let window = paster.client.window("paste").color(0xff00ff00)
        window.makeKeyAndVisible()
        try setup.fixture.pump()
        #expect(paster.takeEvents() == ["selection text/plain"])
        window.destroy()
        try setup.fixture.pump()
        #expect(paster.takeEvents() == [])
        let (read, write) = try TestPipe.make()
        paster.selection?.send(.receive(mimeType: "text/plain", fd: write))
        try setup.fixture.pump()
        for request in setup.a.takeRequests() { _ = Glibc.write(request.end.rawValue, "kept", 4) }
        #expect(TestPipe.read(read) == "kept")
    }

    @Test("it is separate from the clipboard")
    func apart() throws {
        let setup = try Fixture()
        let clipboard = try TestDataDevice(setup.a.client)
        try setup.fixture.pump()
        clipboard.device.send(.setSelection(source: clipboard.source(["copied"], actions: nil).id, serial: 0))
        _ = try setup.select(["selected"])
        #expect(clipboard.selection.flatMap { clipboard.types[$0.id] } == ["copied"])
        #expect(setup.a.takeEvents() == ["selection selected"])
    }

    @Test("a type too long for any receiver is refused; so is a device for an object that is not a seat")
    func refused() throws {
        let setup = try Fixture()
        _ = try setup.select([String(repeating: "x", count: 4001)])
        #expect(setup.a.client.protocolError?.code == WlDisplay.Error.noMemory.rawValue)
        let device = Proxy<ZwpPrimarySelectionDeviceV1>(setup.b.client.connection, version: 1)
        setup.b.manager.send(.getDevice(id: device.id, seat: setup.b.manager.id))
        try setup.fixture.pump()
        #expect(setup.b.client.protocolError?.code == WlDisplay.Error.invalidObject.rawValue)
    }
}
