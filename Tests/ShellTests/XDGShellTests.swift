// xdg-shell: toplevels of plain programs, through client connections.

import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct XDGShellTests {
    private func frame(_ fixture: ServerFixture, _ index: Int = 0) throws -> Rect {
        let windows = fixture.model.windows
        guard windows.indices.contains(index), let window = fixture.model.window(windows[index]) else {
            throw FixtureError("no window \(index)")
        }
        return window.frame
    }

    @Test("V1: a toplevel is configured, acknowledged, shown, hidden by a null buffer, and shown again")
    func lifecycle() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let toplevel = client.toplevel("t")
        try fixture.pump()
        #expect(toplevel.configures == 0, "nothing before the first commit")
        toplevel.surface.send(.commit)
        try fixture.pump()
        #expect(toplevel.configures == 1)
        #expect(toplevel.size == (0, 0))
        // Acknowledged, but not drawn yet: further commits cause no configure.
        toplevel.surface.send(.commit)
        try fixture.pump()
        try client.attach(0xffff0000, width: 50, height: 50, to: toplevel.surface)
        toplevel.surface.send(.commit)
        try fixture.pump()
        #expect(client.isOpen, "\(String(describing: client.error))")
        #expect(fixture.model.isVisible(fixture.model.windows[0]))
        #expect(toplevel.has(.activated))
        let shown = toplevel.configures
        toplevel.surface.send(.attach(buffer: nil, x: 0, y: 0))
        toplevel.surface.send(.commit)
        try fixture.pump()
        #expect(!fixture.model.isVisible(fixture.model.windows[0]))
        #expect(toplevel.configures == shown, "the commit that unmaps does not count as the next initial one")
        toplevel.surface.send(.commit)
        try fixture.pump()
        #expect(toplevel.configures == shown + 1)
        try client.attach(0xff00ff00, width: 50, height: 50, to: toplevel.surface)
        toplevel.surface.send(.commit)
        try fixture.pump()
        #expect(client.isOpen)
        let place = try frame(fixture)
        #expect(try fixture.color(x: Int(place.minX), y: Int(place.minY)) == 0x00ff00)
        toplevel.toplevel.send(.destroy)
        toplevel.xdg.send(.destroy)
        toplevel.surface.send(.destroy)
        try fixture.pump()
        #expect(client.isOpen && fixture.model.windows.isEmpty)
        #expect(fixture.model.checkInvariants() == [])
    }

    @Test("a buffer attached before the first configure is unconfigured_buffer without a commit, after unmapping too")
    func unconfigured() throws {
        for life in 0..<3 {
            let fixture = try ServerFixture()
            let client = try fixture.connect()
            let toplevel = life == 0 ? client.toplevel("t") : try TestToplevel.map(client, fixture)
            if life == 1 {
                toplevel.surface.send(.attach(buffer: nil, x: 0, y: 0))
                toplevel.surface.send(.commit)
            }
            if life == 2 {
                // A second toplevel on a surface that still has its content starts from the beginning.
                toplevel.toplevel.send(.destroy)
                let second = Proxy<XdgToplevel>(client.connection, version: client.wmBase.version)
                toplevel.xdg.send(.getToplevel(id: second.id))
            }
            try fixture.pump()
            #expect(client.isOpen)
            // Attaching nil attaches no buffer.
            toplevel.surface.send(.attach(buffer: nil, x: 0, y: 0))
            try fixture.pump()
            #expect(client.isOpen)
            try client.attach(0xffff0000, width: 5, height: 5, to: toplevel.surface)
            try fixture.pump()
            #expect(client.protocolError?.code == XdgSurface.Error.unconfiguredBuffer.rawValue, "life \(life)")
        }
    }

    @Test("a buffer attached after the first configure is committed after its acknowledgement, not before")
    func unacknowledged() throws {
        for acknowledges in [true, false] {
            let fixture = try ServerFixture()
            let client = try fixture.connect()
            let toplevel = client.toplevel("t")
            toplevel.acknowledges = acknowledges
            toplevel.surface.send(.commit)
            try client.attach(0xffff0000, width: 5, height: 5, to: toplevel.surface)
            try fixture.pump()
            #expect(client.isOpen)
            toplevel.surface.send(.commit)
            try fixture.pump()
            let error = acknowledges ? nil : XdgSurface.Error.unconfiguredBuffer.rawValue
            #expect(client.protocolError?.code == error)
        }
    }

    /// The code of the error that a mistake with a mapped toplevel causes.
    private func mistake(_ body: (TestClient, TestToplevel) throws -> Void) throws -> UInt32? {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let toplevel = try TestToplevel.map(client, fixture)
        try body(client, toplevel)
        try fixture.pump()
        #expect(fixture.model.checkInvariants() == [])
        #expect(fixture.model.windows.isEmpty, "W7")
        return client.protocolError?.code
    }

    @Test("mistakes cause the errors that the protocol defines")
    func errors() throws {
        #expect(
            try mistake { client, top in
                top.xdg.send(.getToplevel(id: Proxy<XdgToplevel>(client.connection, version: 5).id))
            } == XdgSurface.Error.alreadyConstructed.rawValue)
        #expect(
            try mistake { client, top in
                // W5: once a toplevel, never a pop-up.
                top.toplevel.send(.destroy)
                top.xdg.send(
                    .getPopup(
                        id: Proxy<XdgPopup>(client.connection, version: 5).id, parent: nil,
                        positioner: TestPopup.positioner(client, width: 5, height: 5).id))
            } == XdgSurface.Error.alreadyConstructed.rawValue)
        for size in [(0, 5), (5, 0), (-1, 5)] as [(Int32, Int32)] {
            #expect(
                try mistake { _, top in
                    top.xdg.send(.setWindowGeometry(x: 0, y: 0, width: size.0, height: size.1))
                } == XdgSurface.Error.invalidSize.rawValue)
        }
        #expect(
            try mistake { _, top in top.xdg.send(.ackConfigure(serial: 123_456)) }
                == XdgSurface.Error.invalidSerial.rawValue)
        #expect(try mistake { _, top in top.xdg.send(.destroy) } == XdgSurface.Error.defunctRoleObject.rawValue)
        #expect(try mistake { client, _ in client.wmBase.send(.destroy) } == XdgWmBase.Error.defunctSurfaces.rawValue)
        #expect(
            try mistake { _, top in top.toplevel.send(.setMinSize(width: -1, height: 0)) }
                == XdgToplevel.Error.invalidSize.rawValue)
        #expect(
            try mistake { client, top in
                client.wmBase.send(
                    .getXdgSurface(
                        id: Proxy<XdgSurface>(client.connection, version: 5).id, surface: top.surface.id))
            } == XdgWmBase.Error.invalidSurfaceState.rawValue)
        #expect(
            try mistake { client, _ in
                let surface = client.surface()
                try client.attach(0xffff0000, width: 5, height: 5, to: surface)
                let xdg = Proxy<XdgSurface>(client.connection, version: 5)
                client.wmBase.send(.getXdgSurface(id: xdg.id, surface: surface.id))
            } == XdgWmBase.Error.invalidSurfaceState.rawValue)
        #expect(
            try mistake { client, _ in
                let surface = client.surface()
                let xdg = Proxy<XdgSurface>(client.connection, version: 5)
                client.wmBase.send(.getXdgSurface(id: xdg.id, surface: surface.id))
                surface.send(.commit)
            } == XdgSurface.Error.notConstructed.rawValue)
        #expect(
            try mistake { client, _ in
                let window = client.window("w")
                client.wmBase.send(
                    .getXdgSurface(
                        id: Proxy<XdgSurface>(client.connection, version: 5).id, surface: window.surface.id))
            } == XdgWmBase.Error.role.rawValue)
    }

    @Test("maximized and fullscreen fill the requested screen, and restore frame and screen")
    func fills() throws {
        let fixture = try ServerFixture(screens: ["800x600", "640x480,external"])
        let client = try fixture.connect()
        let outputs = try client.globals.filter { $0.interface == WlOutput.name }
            .map { try client.bind(WlOutput.self, name: $0.name) }
        let toplevel = try TestToplevel.map(client, fixture)
        let before = try frame(fixture)
        let window = fixture.model.windows[0]
        toplevel.toplevel.send(.setMaximized)
        try fixture.pump()
        #expect(toplevel.size == (800, 600))
        #expect(toplevel.has(.maximized) && !toplevel.has(.fullscreen))
        toplevel.toplevel.send(.unsetMaximized)
        try fixture.pump()
        #expect(toplevel.size == (200, 100) && !toplevel.has(.maximized))
        toplevel.surface.send(.commit)
        try fixture.pump()
        #expect(try frame(fixture) == before)
        toplevel.toplevel.send(.setFullscreen(output: outputs[1].id))
        try fixture.pump()
        #expect(toplevel.size == (640, 480) && toplevel.has(.fullscreen))
        try client.attach(0xff00ff00, width: 640, height: 480, to: toplevel.surface)
        toplevel.surface.send(.commit)
        #expect(try fixture.color(x: 639, y: 479, on: fixture.model.screens[1]) == 0x00ff00)
        #expect(fixture.model.window(window)?.screen == fixture.model.screens[1])
        toplevel.toplevel.send(.unsetFullscreen)
        try client.attach(0xff00ff00, width: 200, height: 100, to: toplevel.surface)
        toplevel.surface.send(.commit)
        try fixture.pump()
        #expect(toplevel.size == (200, 100))
        #expect(fixture.model.window(window)?.screen == fixture.mainScreen)
        #expect(try frame(fixture) == before)
    }

    @Test("K2: activated follows key; no configure is sent without a change, and sizes are not sent back")
    func activated() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let one = try TestToplevel.map(client, fixture, "one")
        #expect(one.has(.activated))
        let two = try TestToplevel.map(client, fixture, "two")
        #expect(!one.has(.activated) && two.has(.activated))
        let (first, second) = (one.configures, two.configures)
        try fixture.model.makeKey(fixture.model.windows[1])
        one.toplevel.send(.setTitle(title: "new"))
        two.surface.send(.commit)
        try fixture.pump()
        #expect((one.configures, two.configures) == (first, second))
        // After a maximize the server knows a size; a client that then chooses its own gets no configure.
        two.toplevel.send(.setMaximized)
        two.toplevel.send(.unsetMaximized)
        try fixture.pump()
        two.surface.send(.commit)
        try fixture.pump()
        let received = two.configures
        for size in [210, 220, 230] as [Int32] {
            try client.attach(0xff00ff00, width: size, height: size, to: two.surface)
            two.surface.send(.commit)
            try fixture.pump()
        }
        #expect(two.configures == received)
        try fixture.model.makeKey(fixture.model.windows[0])
        try fixture.pump()
        #expect(two.configures == received + 1 && two.size == (230, 230) && !two.has(.activated))
    }

    @Test("new toplevels cascade within reach, and one that is larger than the screen starts at its corner")
    func cascade() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        var origins: Set<Point> = []
        for number in 0..<12 {
            _ = try TestToplevel.map(client, fixture, "t\(number)")
            let place = try frame(fixture, number)
            #expect(Rect(x: 0, y: 0, width: 800, height: 600).contains(place))
            origins.insert(place.origin)
        }
        #expect(origins.count == 12)
        _ = try TestToplevel.map(client, fixture, "large", width: 900, height: 700)
        #expect(try frame(fixture, 12).origin == .zero)
    }

    @Test("C3: the frame is the window geometry; shadows lie outside it, and the pixels stay where they were")
    func geometry() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let toplevel = client.toplevel("t")
        toplevel.surface.send(.commit)
        try fixture.pump()
        // 10 points of shadow around 80×60.
        let content = try client.picture(width: 100, height: 80) { x, y in
            (10..<90).contains(x) && (10..<70).contains(y) ? 0xffff0000 : 0xff0000ff
        }
        toplevel.xdg.send(.setWindowGeometry(x: 10, y: 10, width: 80, height: 60))
        toplevel.surface.send(.attach(buffer: content.id, x: 0, y: 0))
        toplevel.surface.send(.commit)
        try fixture.pump()
        let place = try frame(fixture)
        #expect(place.size == Size(width: 80, height: 60))
        let picture = try fixture.screenshot()
        let (x, y) = (Int(place.minX), Int(place.minY))
        #expect(picture[x, y] == 0xffff0000 && picture[x + 79, y + 59] == 0xffff0000)
        #expect(picture[x - 1, y] == 0xff0000ff && picture[x, y - 1] == 0xff0000ff)
        #expect(picture[x + 80, y] == 0xff0000ff && picture[x - 10, y - 10] == 0xff0000ff)
        #expect(picture[x - 11, y] == 0xff000000 && picture[x + 90, y] == 0xff000000)
        // A geometry beyond the surface is clipped to it; it takes effect with the commit (C4).
        toplevel.xdg.send(.setWindowGeometry(x: 20, y: 0, width: 500, height: 500))
        try fixture.pump()
        #expect(try frame(fixture) == place)
        toplevel.surface.send(.commit)
        try fixture.pump()
        #expect(try frame(fixture).size == Size(width: 80, height: 80))
        #expect(try frame(fixture).origin == place.origin)
    }

    @Test("toplevels count as windows")
    func limit() throws {
        var limits = Limits()
        limits.windows = 3
        let fixture = try ServerFixture(limits: limits)
        let client = try fixture.connect()
        for number in 0..<4 { _ = client.toplevel("t\(number)") }
        try fixture.pump()
        #expect(client.protocolError?.code == WlDisplay.Error.noMemory.rawValue)
        #expect(fixture.model.windows.isEmpty && fixture.model.surfaceCount == 0)
    }

    @Test("title, application id and close")
    func titles() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let toplevel = try TestToplevel.map(client, fixture, "")
        toplevel.toplevel.send(.setAppId(appId: "org.example.app"))
        try fixture.pump()
        let window = fixture.model.windows[0]
        #expect(fixture.model.window(window)?.title == "org.example.app")
        toplevel.toplevel.send(.setTitle(title: "Ünïcode ✓"))
        try fixture.pump()
        #expect(fixture.model.window(window)?.title == "Ünïcode ✓")
        guard case .toplevel(let object)? = fixture.server.windows[window] else { throw FixtureError("no toplevel") }
        object.requestClose()
        try fixture.pump()
        #expect(client.takeEvents() == [".close"])
        #expect(fixture.model.windows.count == 1, "the client decides")
    }
}
