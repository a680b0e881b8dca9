// Globals at every version.

import DisplayServer
import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@Suite struct VersionTests {
    private static let interfaces: [any WaylandInterface.Type] = [
        WlCompositor.self, WlSubcompositor.self, WlShm.self, WlSeat.self, WlOutput.self, WlDataDeviceManager.self,
        XdgWmBase.self, MullionApplicationV1.self, WpViewporter.self, WpFractionalScaleManagerV1.self,
        WpSinglePixelBufferManagerV1.self, ZxdgOutputManagerV1.self, ZwlrOutputManagerV1.self,
        ZwpPrimarySelectionDeviceManagerV1.self,
        ZwpRelativePointerManagerV1.self, ZwpPointerConstraintsV1.self, ZwpPointerGesturesV1.self,
        ZwlrVirtualPointerManagerV1.self,
    ]

    /// Binds a global and sends its destructor, where this version has one.
    private func bind<I: WaylandInterface>(_ interface: I.Type, _ version: UInt32, _ client: TestClient) throws {
        let proxy = try client.bind(interface, version: version)
        let destructor = I.Request.descriptions.firstIndex { $0.isDestructor && $0.since <= version }
        guard let destructor else { return }
        let out = client.connection.transport.queue()
        out.begin(proxy.id, opcode: UInt16(destructor))
        out.end()
    }

    @Test("every global binds at every version from 1 to its own, and its destructor works")
    func everyVersion() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        for interface in Self.interfaces {
            let global = client.globals.first { $0.interface == interface.name }
            #expect(global?.version == interface.version)
            for version in 1...interface.version {
                try bind(interface, version, client)
                try fixture.pump()
                #expect(client.isOpen, "\(interface.name) version \(version): \(String(describing: client.error))")
            }
        }
        #expect(Set(client.globals.map(\.interface)).isSuperset(of: Self.interfaces.map { $0.name }))
    }

    @Test("a version of 0 or beyond the advertised one, another interface and an unknown name are refused")
    func refused() throws {
        for wrong in 0..<4 {
            let fixture = try ServerFixture()
            let client = try fixture.connect()
            guard let global = client.globals.first(where: { $0.interface == WlSeat.name }) else {
                throw FixtureError("no seat")
            }
            let proxy = Proxy<WlSeat>(client.connection, version: 1)
            let version = [0, global.version + 1, 1, 1][wrong]
            client.registry.send(
                .bind(
                    name: wrong == 3 ? 0xffff : global.name,
                    id: AnyNewID(interface: wrong == 2 ? WlShm.name : WlSeat.name, version: version, id: proxy.id)))
            try fixture.pump()
            #expect(client.protocolError?.code == WlDisplay.Error.invalidObject.rawValue, "mistake \(wrong)")
        }
    }

    @Test("events newer than the version that was bound are never sent", arguments: 1...10 as ClosedRange<UInt32>)
    func oldClients(version: UInt32) throws {
        let fixture = try ServerFixture(screens: ["800x600", "640x480,external"])
        let client = try fixture.connect()
        // A proxy decodes with its version: an event that is too new ends the connection with malformedEvent.
        func limited<I: WaylandInterface>(_ interface: I.Type) throws -> Proxy<I> {
            try client.bind(interface, version: min(version, interface.version))
        }
        let seat = try limited(WlSeat.self)
        let pointer = Proxy<WlPointer>(client.connection, version: seat.version)
        let keyboard = Proxy<WlKeyboard>(client.connection, version: seat.version)
        let touch = Proxy<WlTouch>(client.connection, version: seat.version)
        seat.send(.getPointer(id: pointer.id))
        seat.send(.getKeyboard(id: keyboard.id))
        seat.send(.getTouch(id: touch.id))
        var axes = 0
        pointer.onEvent = { if case .axis = $0 { axes += 1 } }
        for global in client.globals where global.interface == WlOutput.name {
            _ = try client.bind(WlOutput.self, version: min(version, 4), name: global.name)
        }
        let devices = try limited(WlDataDeviceManager.self)
        let device = Proxy<WlDataDevice>(client.connection, version: devices.version)
        devices.send(.getDataDevice(id: device.id, seat: seat.id))
        device.onEvent = { [unowned device, unowned client] event in
            if case .dataOffer(let id) = event {
                _ = Proxy<WlDataOffer>(client.connection, id: id, version: device.version)
            }
        }
        let compositor = try limited(WlCompositor.self)
        let surface = Proxy<WlSurface>(client.connection, version: compositor.version)
        compositor.send(.createSurface(id: surface.id))
        let base = try limited(XdgWmBase.self)
        let xdg = Proxy<XdgSurface>(client.connection, version: base.version)
        base.send(.getXdgSurface(id: xdg.id, surface: surface.id))
        xdg.onEvent = { [unowned xdg] in if case .configure(let serial) = $0 { xdg.send(.ackConfigure(serial: serial)) }
        }
        let toplevel = Proxy<XdgToplevel>(client.connection, version: base.version)
        xdg.send(.getToplevel(id: toplevel.id))
        surface.send(.commit)
        try fixture.pump()
        surface.send(.attach(buffer: try client.buffer(0xffff0000, width: 700, height: 500).id, x: 0, y: 0))
        surface.send(.commit)
        toplevel.send(.setMaximized)
        try fixture.pump()
        let source = Proxy<WlDataSource>(client.connection, version: devices.version)
        devices.send(.createDataSource(id: source.id))
        source.send(.offer(mimeType: "text/plain"))
        try fixture.pump()
        device.send(.setSelection(source: source.id, serial: 0))
        let model = fixture.model
        let screen = fixture.mainScreen
        _ = try model.pointerMoved(to: Point(x: 400, y: 300), on: screen, time: fixture.loop.now)
        _ = try model.pointerButton(code: 0x110, pressed: true, time: fixture.loop.now)
        _ = try model.pointerButton(code: 0x110, pressed: false, time: fixture.loop.now)
        for source in [Event.Scroll.Source.wheel, .finger, .continuous] {
            let scroll = Event.Scroll(deltaX: 0, deltaY: 15, stepsX: 0, stepsY: 120, source: source)
            _ = try model.scroll(scroll, phase: .began, time: fixture.loop.now)
            _ = try model.scroll(scroll, phase: .ended, time: fixture.loop.now)
        }
        try fixture.press(30)
        try fixture.tap(x: 400, y: 300)
        try model.setScale(2, of: screen)
        try fixture.server.disconnect(model.screens[1])
        try fixture.pump()
        #expect(client.isOpen, "version \(version): \(String(describing: client.error))")
        #expect(axes > 0)
        try client.kill()
        #expect(model.checkInvariants() == [])
    }

    @Test("a change of the bounds alone is sent to no client of a version that does not learn them")
    func bounds() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        for version: UInt32 in [3, 4] {
            let base = try client.bind(XdgWmBase.self, version: version)
            let surface = client.surface()
            let xdg = Proxy<XdgSurface>(client.connection, version: version)
            base.send(.getXdgSurface(id: xdg.id, surface: surface.id))
            let toplevel = Proxy<XdgToplevel>(client.connection, version: version)
            xdg.send(.getToplevel(id: toplevel.id))
            var configures = 0
            xdg.onEvent = { [unowned xdg] event in
                guard case .configure(let serial) = event else { return }
                configures += 1
                xdg.send(.ackConfigure(serial: serial))
            }
            surface.send(.commit)
            try fixture.pump()
            try client.attach(0xffff_0000, width: 100, height: 100, to: surface)
            surface.send(.commit)
            try fixture.pump()
            let before = configures
            try fixture.model.setScale(Double(version), of: fixture.mainScreen)
            try fixture.pump()
            #expect(configures == before + (version < 4 ? 0 : 1))
            // What is new for every version is sent.
            toplevel.send(.setMaximized)
            try fixture.pump()
            #expect(configures > before + (version < 4 ? 0 : 1))
        }
    }
}
