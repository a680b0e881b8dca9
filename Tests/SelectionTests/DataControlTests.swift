// Clients that read and set the selections without a window.

import Glibc
import MullionWayland
import TestSupport
import Testing

@testable import DisplayServer

@Suite struct DataControlTests {
    /// A program with the keyboard, which copies and selects, and one without a window that controls the selections.
    private struct Setup {
        let fixture: ServerFixture
        let owner: TestDataDevice
        let selector: TestPrimary
        let control: TestDataControl

        init(_ name: TestDataControl.Name = .ext, version: UInt32? = nil) throws {
            fixture = try ServerFixture.handingOver()
            let client = try fixture.connect("owner")
            owner = try TestDataDevice(client)
            selector = try TestPrimary(client)
            client.window("w").color(0xffff_0000).makeKeyAndVisible()
            control = try TestDataControl(fixture.connect("control"), name, version: version)
            try fixture.pump()
            _ = owner.takeEvents()
            _ = selector.takeEvents()
        }

        func copy(_ types: [String]) throws -> Proxy<WlDataSource> {
            let source = owner.source(types, actions: nil)
            owner.device.send(.setSelection(source: source.id, serial: fixture.server.serial))
            try fixture.pump()
            return source
        }

        /// The types that the program with the keyboard was offered last.
        var offered: [String]? { owner.selection.flatMap { owner.types[$0.id] } }
    }

    @Test("the messages of the two protocols are the same")
    func sameMessages() throws {
        func words(_ encode: (OutputBuffer) -> Void) -> [UInt32] {
            let buffer = OutputBuffer()
            encode(buffer)
            return buffer.contents
        }
        let id = ObjectID(7)
        typealias Wlr = ZwlrDataControlDeviceV1
        typealias Ext = ExtDataControlDeviceV1
        for (wlr, ext): (Wlr.Request, Ext.Request) in [
            (.setSelection(source: id), .setSelection(source: id)), (.destroy, .destroy),
            (.setPrimarySelection(source: nil), .setPrimarySelection(source: nil)),
        ] {
            #expect(words { wlr.encode(to: $0, object: id) } == words { ext.encode(to: $0, object: id) })
        }
        for (wlr, ext): (Wlr.Event, Ext.Event) in [
            (.dataOffer(id: id), .dataOffer(id: id)), (.selection(id: nil), .selection(id: nil)),
            (.finished, .finished), (.primarySelection(id: id), .primarySelection(id: id)),
        ] {
            #expect(words { wlr.encode(to: $0, object: id) } == words { ext.encode(to: $0, object: id) })
        }
        for (wlr, ext): (ZwlrDataControlManagerV1.Request, ExtDataControlManagerV1.Request) in [
            (.createDataSource(id: id), .createDataSource(id: id)),
            (.getDataDevice(id: id, seat: id), .getDataDevice(id: id, seat: id)), (.destroy, .destroy),
        ] {
            #expect(words { wlr.encode(to: $0, object: id) } == words { ext.encode(to: $0, object: id) })
        }
        #expect(Wlr.Error.usedSource.rawValue == Ext.Error.usedSource.rawValue)
        #expect(ZwlrDataControlSourceV1.Error.invalidOffer.rawValue == 1)
        #expect(ExtDataControlSourceV1.Error.invalidOffer.rawValue == 1)
    }

    @Test("both selections are read without the keyboard, from the beginning", arguments: TestDataControl.Name.allCases)
    func reads(name: TestDataControl.Name) throws {
        let setup = try Setup(name)
        #expect(setup.control.takeEvents() == ["clipboard nil", "primary nil"])
        _ = try setup.copy(["text/plain", "image/png"])
        #expect(setup.control.takeEvents() == ["clipboard text/plain image/png"])
        let selected = setup.selector.source(["text/html"])
        setup.selector.device.send(.setSelection(source: selected.id, serial: setup.fixture.server.serial))
        try setup.fixture.pump()
        #expect(setup.control.takeEvents() == ["primary text/html"])
        // A second device is told what is there.
        let late = try TestDataControl(setup.fixture.connect("late"), name)
        try setup.fixture.pump()
        #expect(late.takeEvents() == ["clipboard text/plain image/png", "primary text/html"])
        let read = try late.receive("image/png", from: late.clipboard)
        let none = try late.receive("video/mp4", from: late.clipboard)
        let html = try late.receive("text/html", from: late.primary)
        try setup.fixture.pump()
        #expect(setup.owner.provide("pixels") == "image/png")
        for request in setup.selector.takeRequests() { _ = Glibc.write(request.end.rawValue, "<b>", 3) }
        #expect(TestPipe.read(read) == "pixels" && TestPipe.read(html) == "<b>")
        try setup.fixture.wait(for: "an empty pipe, since that is not offered") { TestPipe.read(none) == "" }
        // The owner ends.
        try setup.owner.client.kill()
        #expect(late.takeEvents().sorted() == ["clipboard nil", "primary nil"])
    }

    @Test(
        "a selection is set without the keyboard: its owner is cancelled, and the program with the keyboard is offered it",
        arguments: TestDataControl.Name.allCases)
    func sets(name: TestDataControl.Name) throws {
        let setup = try Setup(name)
        _ = try setup.copy(["text/plain"])
        _ = setup.control.takeEvents()
        _ = setup.owner.takeEvents()
        let source = setup.control.copy(["text/plain", "x/manager"])
        try setup.fixture.pump()
        #expect(setup.owner.takeEvents() == ["source cancelled"])
        #expect(setup.offered == ["text/plain", "x/manager"])
        #expect(setup.control.takeEvents() == ["clipboard text/plain x/manager"])
        let read = try setup.owner.receive("x/manager", from: setup.owner.selection)
        try setup.fixture.pump()
        for request in setup.control.takeRequests() { _ = Glibc.write(request.end.rawValue, "managed", 7) }
        #expect(TestPipe.read(read) == "managed")
        // The primary selection, apart from the clipboard.
        let selected = setup.control.source(["x/selected"])
        setup.control.device.send(.setPrimarySelection(source: selected.id))
        try setup.fixture.pump()
        #expect(setup.selector.takeEvents() == ["selection x/selected"])
        #expect(setup.control.takeEvents() == ["primary x/selected"])
        // Cleared, and destroyed.
        setup.control.device.send(.setPrimarySelection(source: nil))
        source.send(.destroy)
        try setup.fixture.pump()
        #expect(setup.control.takeEvents().sorted() == ["cancelled", "clipboard nil", "primary nil"])
        #expect(setup.selector.takeEvents() == ["selection nil"] && setup.owner.selection == nil)
        // The owner copies again, which cancels the other client.
        setup.control.copy(["x/again"])
        try setup.fixture.pump()
        _ = setup.control.takeEvents()
        _ = setup.fixture.server.nextSerial()
        _ = try setup.copy(["text/plain"])
        #expect(setup.control.takeEvents() == ["cancelled", "clipboard text/plain"])
    }

    @Test("a copy that the user asked for before the selection was set does not replace it")
    func late() throws {
        let setup = try Setup()
        let before = setup.fixture.server.serial
        try setup.fixture.press(30)
        setup.control.copy(["x/newer"])
        try setup.fixture.pump()
        let source = setup.owner.source(["text/plain"], actions: nil)
        setup.owner.device.send(.setSelection(source: source.id, serial: before))
        try setup.fixture.pump()
        #expect(setup.offered == ["x/newer"])
        #expect(setup.owner.events.last == "source cancelled")
    }

    @Test("a selection that is replaced many times is announced once a turn, and never to a client that does not read")
    func flood() throws {
        let setup = try Setup()
        _ = setup.control.takeEvents()
        for number in 0..<100 {
            let source = setup.owner.source(["fuzz/\(number)"], actions: nil)
            setup.owner.device.send(.setSelection(source: source.id, serial: 0))
        }
        try setup.fixture.pump()
        #expect(setup.control.takeEvents() == ["clipboard fuzz/99"])
        let long = (0..<4).map { "\($0)/" + String(repeating: "x", count: 3900) }
        setup.fixture.detach(setup.control.client)
        for number in 0..<200 {
            let source = setup.owner.source(long + ["last/\(number)"], actions: nil)
            setup.owner.device.send(.setSelection(source: source.id, serial: 0))
            try setup.fixture.pump()
            if number > 0 { setup.owner.destroyOffers() }
        }
        #expect(setup.fixture.server.queuedBytes < setup.fixture.server.limits.outputHighWater + 40_000)
        #expect(setup.fixture.server.clientCount == 2)
        try setup.fixture.wait(for: "the last selection") {
            _ = setup.control.client.dispatch()
            return setup.control.events.last?.hasSuffix("last/199") == true
        }
        #expect(setup.control.events.count < 200)
    }

    @Test("a seat's selections are its own (K1)")
    func seats() throws {
        let setup = try SeatFixture()
        let client = try setup.fixture.connect("control")
        let devices = try [0, 1].map { try TestDataControl(client, seat: $0) }
        try setup.fixture.pump()
        for device in devices { _ = device.takeEvents() }
        devices[1].copy(["x/1"])
        try setup.fixture.pump()
        #expect(devices[0].takeEvents() == [])
        #expect(devices[1].takeEvents() == ["clipboard x/1"])
    }

    @Test("a used source, a late type, an object that is no seat, and version 1's missing request are errors")
    func errors() throws {
        func message(_ version: UInt32? = nil, _ body: (TestDataControl) throws -> Void) throws -> (UInt32?, String) {
            let setup = try Setup(version == nil ? .ext : .wlr, version: version)
            try body(setup.control)
            try setup.fixture.pump()
            #expect(setup.owner.client.isOpen)
            let error = setup.control.client.protocolError
            return (error?.code, error?.message ?? "")
        }
        let used = try message { control in
            let source = control.copy(["a/b"])
            control.device.send(.setPrimarySelection(source: source.id))
        }
        #expect(used.0 == ExtDataControlDeviceV1.Error.usedSource.rawValue && used.1.contains("create another one"))
        let late = try message { $0.copy(["a/b"]).send(.offer(mimeType: "c/d")) }
        #expect(late.0 == ExtDataControlSourceV1.Error.invalidOffer.rawValue && late.1.contains("before"))
        let old = try message(1) { $0.device.send(.setPrimarySelection(source: nil)) }
        #expect(old.0 == WlDisplay.Error.invalidMethod.rawValue && old.1.contains("bind 2"))
        let noSeat = try message { control in
            let device = Proxy<ExtDataControlDeviceV1>(control.client.connection, version: 1)
            control.manager.send(.getDataDevice(id: device.id, seat: control.manager.id))
        }
        #expect(noSeat.0 == WlDisplay.Error.invalidObject.rawValue)
        let long = try message { _ = $0.source([String(repeating: "x", count: 4001)]) }
        #expect(long.0 == WlDisplay.Error.noMemory.rawValue)
        let many = try message { control in
            let seat = try control.client.seat()
            for _ in 0...1024 {
                let device = Proxy<ExtDataControlDeviceV1>(control.client.connection, version: 1)
                control.manager.send(.getDataDevice(id: device.id, seat: seat.id))
            }
        }
        #expect(many.0 == WlDisplay.Error.noMemory.rawValue)
    }

    @Test("a client with the keyboard that does not read is offered the last selection when it reads again")
    func slowOwner() throws {
        let setup = try Setup()
        let type = String(repeating: "x", count: 3000)
        setup.fixture.detach(setup.owner.client)
        for number in 0..<500 {
            let source = setup.control.copy(["\(number) \(type)"])
            try setup.fixture.pump()
            if number < 499 { source.send(.destroy) }
        }
        let limits = setup.fixture.server.limits
        #expect(setup.fixture.server.queuedBytes < limits.outputHighWater + 20_000)
        // What was not sent yet is not lost.
        try setup.fixture.handOver()
        try setup.fixture.wait(for: "the last selection") {
            _ = setup.owner.client.dispatch()
            return setup.offered?.first?.hasPrefix("499 ") == true
        }
        #expect(setup.owner.client.isOpen)
    }

    @Test("many selections in one turn are one for the client with the keyboard")
    func manyInOneTurn() throws {
        let setup = try Setup()
        for number in 0..<100 { setup.control.copy(["x/\(number)"]) }
        try setup.fixture.pump()
        #expect(setup.offered == ["x/99"] && setup.owner.types.count == 1)
    }

    @Test("version 1 of the older name has no primary selection")
    func versionOne() throws {
        let setup = try Setup(.wlr, version: 1)
        #expect(setup.control.takeEvents() == ["clipboard nil"])
        let selected = setup.selector.source(["text/html"])
        setup.selector.device.send(.setSelection(source: selected.id, serial: setup.fixture.server.serial))
        try setup.fixture.pump()
        #expect(setup.control.takeEvents() == [])
    }

    @Test("without the right clipboard neither global exists")
    func right() throws {
        let fixture = try ServerFixture()
        let names = [ZwlrDataControlManagerV1.name, ExtDataControlManagerV1.name]
        fixture.server.peerPolicy = PeerPolicy(rules: [PeerRule(rights: [.view, .capture, .inject, .administer])])
        let none = try fixture.connect()
        #expect(!none.globals.contains { names.contains($0.interface) })
        fixture.server.peerPolicy = PeerPolicy(rules: [PeerRule(rights: .clipboard)])
        let client = try fixture.connect()
        #expect(client.globals.filter { names.contains($0.interface) }.map(\.version) == [2, 1])
        #expect(!client.globals.contains { $0.interface == ZwlrScreencopyManagerV1.name })
    }

    @Test("over a restart sources stay selections, offers can be read and devices are told of changes")
    func handOver() throws {
        let setup = try Setup(.wlr)
        let control = setup.control
        control.copy(["x/used"])
        let unused = control.source(["x/unused"])
        try setup.fixture.pump()
        _ = control.takeEvents()
        try setup.fixture.handOver()
        try setup.fixture.pump()
        #expect(control.takeEvents() == [], "nothing has changed")
        let (own, other) = (
            try control.receive("x/used", from: control.clipboard),
            try setup.owner.receive("x/used", from: setup.owner.selection)
        )
        try setup.fixture.pump()
        let requests = control.takeRequests()
        #expect(requests.map(\.type) == ["x/used", "x/used"])
        for request in requests { _ = Glibc.write(request.end.rawValue, "kept", 4) }
        #expect(TestPipe.read(own) == "kept" && TestPipe.read(other) == "kept")
        control.device.send(.setPrimarySelection(source: unused.id))
        control.device.send(.setSelection(source: nil))
        try setup.fixture.pump()
        #expect(setup.selector.takeEvents() == ["selection x/unused"] && setup.owner.selection == nil)
        #expect(control.takeEvents().sorted() == ["cancelled", "clipboard nil", "primary x/unused"])
        unused.send(.offer(mimeType: "x/late"))
        try setup.fixture.pump()
        #expect(control.client.protocolError?.code == 1)
    }
}
