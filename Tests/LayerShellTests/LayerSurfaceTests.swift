// zwlr_layer_shell_v1: the life of layer surfaces, and mistakes.

import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct LayerSurfaceTests {
    @Test("V1: a layer surface is configured, acknowledged, shown, hidden by a null buffer, and shown again")
    func lifecycle() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let panel = try TestLayerSurface(client)
        panel.set(0, 30, at: .along)
        try fixture.pump()
        #expect(panel.configures == [], "nothing before the first commit")
        panel.commit()
        try fixture.pump()
        #expect(panel.takeConfigures() == ["800x30"])
        // Acknowledged, but not drawn yet: further commits cause no configure.
        panel.commit()
        try fixture.pump()
        try panel.draw(0xffff0000)
        try fixture.pump()
        #expect(client.isOpen, "\(String(describing: client.error))")
        #expect(try fixture.window(0).isVisible)
        #expect(fixture.frames == ["0,0 800x30"])
        #expect(try fixture.color(x: 799, y: 29) == 0xff0000)
        panel.surface.send(.attach(buffer: nil, x: 0, y: 0))
        panel.commit()
        try fixture.pump()
        #expect(try !fixture.window(0).isVisible)
        #expect(panel.configures == [], "the commit that unmaps does not count as the next initial one")
        try panel.map(fixture, argb: 0xff00ff00)
        #expect(panel.takeConfigures() == ["800x30"])
        #expect(try fixture.color(x: 0, y: 0) == 0x00ff00)
        panel.destroy()
        try fixture.pump()
        #expect(client.isOpen && fixture.model.windows.isEmpty)
        #expect(fixture.model.checkInvariants() == [])
    }

    @Test("W2: the layers are levels; a change of layer takes effect with the commit")
    func levels() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let layers: [ZwlrLayerShellV1.Layer] = [.background, .bottom, .top, .overlay]
        let surfaces = try layers.map { try TestLayerSurface(client, $0).set(20, 20).map(fixture) }
        #expect(try (0..<4).map { try fixture.window($0).level } == [-2000, -1000, 1000, 2000])
        #expect(try fixture.window(0).title == "test")
        surfaces[0].layer.send(.setLayer(layer: .overlay))
        try fixture.pump()
        #expect(try fixture.window(0).level == -2000)
        surfaces[0].commit()
        try fixture.pump()
        #expect(try fixture.window(0).level == 2000)
        #expect(fixture.model.windows(on: fixture.mainScreen).last == fixture.model.windows[0], "W3")
    }

    @Test("C4: what is set waits for the commit")
    func doubleBuffered() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let panel = try TestLayerSurface(client).set(100, 20, at: .top, zone: 20).map(fixture)
        let other = try TestLayerSurface(client).set(100, 20, at: .top).map(fixture)
        #expect(fixture.frames == ["350,0 100x20", "350,20 100x20"])
        panel.set(200, 40, at: .bottom, zone: 40, margin: (1, 2, 3, 4))
        try fixture.pump()
        #expect(fixture.frames == ["350,0 100x20", "350,20 100x20"])
        #expect(panel.takeConfigures() == ["100x20"] && other.takeConfigures() == ["100x20"])
        panel.commit()
        try fixture.pump()
        #expect(panel.takeConfigures() == ["200x40"] && other.takeConfigures() == [])
        #expect(fixture.frames == ["350,577 100x20", "350,0 100x20"], "the content still has the old size")
        try panel.draw()
        try fixture.pump()
        #expect(fixture.frames == ["300,557 200x40", "350,0 100x20"])
    }

    /// The code of the error that a mistake with a mapped layer surface causes.
    private func mistake(
        version: UInt32 = 4, _ body: (TestClient, TestLayerSurface) throws -> Void
    ) throws -> UInt32? {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let panel = try TestLayerSurface(client, version: version).set(20, 20).map(fixture)
        try body(client, panel)
        panel.commit()
        try fixture.pump()
        #expect(fixture.model.checkInvariants() == [])
        #expect(client.isOpen || fixture.model.windows.isEmpty, "W7")
        return client.protocolError?.code
    }

    @Test("mistakes cause the errors that the protocol defines")
    func errors() throws {
        typealias Mistake = ZwlrLayerSurfaceV1.Error
        #expect(try mistake { _, panel in panel.layer.send(.setAnchor(anchor: .init(rawValue: 16))) } == 2)
        #expect(Mistake.invalidAnchor.rawValue == 2)
        #expect(
            try mistake { _, panel in panel.layer.send(.setSize(width: 1 << 31, height: 5)) }
                == Mistake.invalidSize.rawValue)
        for (width, height, anchor) in [
            (0, 5, .left), (0, 5, [.top, .bottom]), (5, 0, [.left, .right]), (5, 0, .top), (0, 0, .along),
        ] as [(UInt32, UInt32, ZwlrLayerSurfaceV1.Anchor)] {
            let code = try mistake { _, panel in panel.set(width, height, at: anchor) }
            #expect(code == Mistake.invalidSize.rawValue, "\(width)x\(height) \(anchor.rawValue)")
        }
        #expect(
            try mistake { _, panel in
                panel.layer.send(.setKeyboardInteractivity(keyboardInteractivity: .init(rawValue: 3)))
            } == Mistake.invalidKeyboardInteractivity.rawValue)
        #expect(
            try mistake(version: 3) { _, panel in
                panel.layer.send(.setKeyboardInteractivity(keyboardInteractivity: .init(rawValue: 3)))
            } == nil, "a truth value before version 4")
        #expect(
            try mistake { _, panel in panel.layer.send(.ackConfigure(serial: 123_456)) }
                == Mistake.invalidSurfaceState.rawValue)
        #expect(
            try mistake(version: 2) { _, panel in panel.layer.send(.setLayer(layer: .init(rawValue: 4))) }
                == ZwlrLayerShellV1.Error.invalidLayer.rawValue)
        #expect(
            try mistake { client, _ in _ = try TestLayerSurface(client, .init(rawValue: 4)) }
                == ZwlrLayerShellV1.Error.invalidLayer.rawValue)
    }

    @Test("W5: a surface with another role, or with a buffer, cannot become a layer surface, and the reverse")
    func roles() throws {
        #expect(
            try mistake { client, panel in _ = try TestLayerSurface(client, surface: panel.surface) }
                == ZwlrLayerShellV1.Error.alreadyConstructed.rawValue)
        #expect(
            try mistake { client, _ in
                _ = try TestLayerSurface(client, surface: client.toplevel("t").surface)
            } == ZwlrLayerShellV1.Error.role.rawValue)
        #expect(
            try mistake { client, _ in
                let surface = client.surface()
                _ = try TestLayerSurface(client, surface: surface)
                _ = try TestLayerSurface(client, surface: surface)
            } == ZwlrLayerShellV1.Error.role.rawValue)
        #expect(
            try mistake { client, _ in
                let surface = client.surface()
                try client.attach(0xff000000, width: 5, height: 5, to: surface)
                _ = try TestLayerSurface(client, surface: surface)
            } == ZwlrLayerShellV1.Error.alreadyConstructed.rawValue)
        #expect(
            try mistake { client, _ in
                let surface = try TestLayerSurface(client).surface
                let xdg = Proxy<XdgSurface>(client.connection, version: 5)
                client.wmBase.send(.getXdgSurface(id: xdg.id, surface: surface.id))
            } == XdgWmBase.Error.role.rawValue)
    }

    @Test("a buffer before the first configure, or before its acknowledgement, is a mistake, after unmapping too")
    func unconfigured() throws {
        for life in 0..<3 {
            let fixture = try ServerFixture()
            let client = try fixture.connect()
            let panel = try TestLayerSurface(client).set(20, 20)
            if life == 1 {
                try panel.map(fixture)
                panel.surface.send(.attach(buffer: nil, x: 0, y: 0))
                panel.commit()
                try fixture.pump()
            }
            if life == 2 {
                panel.acknowledges = false
                panel.commit()
                try fixture.pump()
            }
            #expect(client.isOpen)
            try client.attach(0xffff0000, width: 5, height: 5, to: panel.surface)
            panel.commit()
            try fixture.pump()
            #expect(client.protocolError?.code == ZwlrLayerSurfaceV1.Error.invalidSurfaceState.rawValue)
            #expect(client.protocolError?.message.contains(life == 2 ? "acknowledged" : "attached") == true)
        }
    }

    @Test("the last of many configures, or an earlier one, can be acknowledged late")
    func late() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let panel = try TestLayerSurface(client)
        panel.acknowledges = false
        for length in 1...100 {
            panel.set(UInt32(length), 20).commit()
            try fixture.pump()
        }
        #expect(panel.serials.count == 100)
        for index in [10, 50, 98] { panel.layer.send(.ackConfigure(serial: panel.serials[index])) }
        try panel.draw()
        try fixture.pump()
        #expect(client.isOpen, "\(String(describing: client.error))")
        #expect(fixture.frames == ["350,290 100x20"])
        panel.layer.send(.ackConfigure(serial: panel.serials[97]))
        try fixture.pump()
        #expect(client.protocolError?.code == ZwlrLayerSurfaceV1.Error.invalidSurfaceState.rawValue)
    }

    @Test("the surface may be destroyed before its layer surface, which is then inert")
    func surfaceFirst() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let panel = try TestLayerSurface(client).set(0, 20, at: .along, zone: 20, keyboard: .exclusive).map(fixture)
        panel.surface.send(.destroy)
        try fixture.pump()
        #expect(fixture.model.windows.isEmpty)
        panel.set(5, 5).layer.send(.setLayer(layer: .top))
        panel.layer.send(.destroy)
        try fixture.pump()
        #expect(client.isOpen)
    }

    @Test("limits and the policy apply as to other windows; a layer that is too high is closed")
    func refused() throws {
        var limits = Limits()
        limits.windows = 2
        let fixture = try ServerFixture(limits: limits)
        let client = try fixture.connect()
        for _ in 0..<2 { _ = try TestLayerSurface(client) }
        try fixture.pump()
        #expect(client.isOpen)
        _ = try TestLayerSurface(client)
        try fixture.pump()
        #expect(client.protocolError?.message.contains("limit reached: 2 windows") == true)

        var rule = PeerRule()
        rule.highestLevel = 1500
        rule.xdg = XdgPermissions.all.subtracting(.key)
        fixture.server.peerPolicy.rules.insert(rule, at: 0)
        let low = try fixture.connect("low")
        let (top, overlay) = (
            try TestLayerSurface(low).set(20, 20, keyboard: .exclusive), try TestLayerSurface(low, .overlay).set(20, 20)
        )
        try top.map(fixture)
        overlay.commit()
        try fixture.pump()
        #expect(!top.isClosed && overlay.isClosed && overlay.configures == [])
        #expect(fixture.model.keyWindow == nil, "the policy allows no key")
        top.layer.send(.setLayer(layer: .overlay))
        top.commit()
        try fixture.pump()
        #expect(low.isOpen)
        #expect(try fixture.window(0).level == 1000)
    }
}
