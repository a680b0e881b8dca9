// xdg_toplevel_icon_v1: icons of windows.

import Compositor
import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct ToplevelIconTests {
    private static let blue: UInt32 = 0xff00_00ff

    /// A client's icon.
    private struct Icon {
        let client: TestClient
        let manager: Proxy<XdgToplevelIconManagerV1>
        let icon: Proxy<XdgToplevelIconV1>

        init(_ client: TestClient) throws {
            self.client = client
            manager = try client.bind(XdgToplevelIconManagerV1.self)
            icon = Proxy(client.connection, version: 1)
            manager.send(.createIcon(id: icon.id))
        }

        @discardableResult
        func add(_ argb: UInt32, _ size: Int32, scale: Int32 = 1) throws -> Proxy<WlBuffer> {
            let buffer = try client.buffer(argb, width: size, height: size)
            icon.send(.addBuffer(buffer: buffer.id, scale: scale))
            return buffer
        }

        func set(on toplevel: TestToplevel) {
            manager.send(.setIcon(toplevel: toplevel.toplevel.id, icon: icon.id))
            toplevel.surface.send(.commit)
        }
    }

    /// The colour at a point of the bar, from its top left corner in points.
    private func color(_ program: BarredProgram, _ x: Double, _ y: Double, scale: Double = 1) throws -> UInt32 {
        let bar = try program.bar
        let origin = try #require(bar).origin
        return try program.fixture.color(x: Int((origin.x + x) * scale), y: Int((origin.y + y) * scale))
    }

    @Test("a size in which icons are shown is sent, once")
    func sizes() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let manager = try client.bind(XdgToplevelIconManagerV1.self)
        var events: [String] = []
        manager.onEvent = { event in
            switch event {
            case .iconSize(let size): events.append("\(size)")
            case .done: events.append("done")
            }
        }
        try fixture.pump()
        #expect(events == ["16", "done"])
    }

    @Test("C4: a title bar shows the icon from the commit on, in 16 points, and moves the title")
    func titleBar() throws {
        let program = try BarredProgram()
        let icon = try Icon(program.client)
        try icon.add(Self.blue, 16)
        icon.manager.send(.setIcon(toplevel: program.toplevel.toplevel.id, icon: icon.icon.id))
        try program.expectBar(BarredProgram.keyColor)
        program.toplevel.surface.send(.commit)
        for (x, y) in [(10, 6), (25, 21), (10, 21), (25, 6)] as [(Double, Double)] {
            #expect(try color(program, x, y) == 0xff, "\(x), \(y)")
        }
        for (x, y) in [(9, 6), (26, 6), (10, 5), (10, 22)] as [(Double, Double)] {
            #expect(try color(program, x, y) == BarredProgram.keyColor, "\(x), \(y)")
        }
        // The window keeps it, and the buffers are not needed any more.
        icon.icon.send(.destroy)
        #expect(try color(program, 10, 6) == 0xff)
        // A narrow window has no room.
        try program.draw(100, 40)
        try program.expectBar(BarredProgram.keyColor)
        try program.draw(300, 100)
        #expect(try color(program, 10, 6) == 0xff)
        // An empty icon, as no icon, is none.
        try Icon(program.client).set(on: program.toplevel)
        try program.expectBar(BarredProgram.keyColor)
        #expect(program.client.isOpen && program.model.checkInvariants() == [])
    }

    @Test("a viewer sees each new icon")
    func watched() throws {
        let program = try BarredProgram()
        var seen: Bitmap?
        program.fixture.server.captures.watch(program.fixture.mainScreen) { seen = $0.bitmap() }
        for argb in [Self.blue, 0xff00_ffff, Self.blue] {
            let icon = try Icon(program.client)
            try icon.add(argb, 16)
            icon.set(on: program.toplevel)
            try program.fixture.wait(for: "the icon") {
                seen?.pixels.contains { $0 & 0xff_ffff == argb & 0xff_ffff } == true
            }
        }
    }

    @Test("the bar shows the smallest image that has enough pixels, and after a change of the scale another")
    func choice() throws {
        let program = try BarredProgram(ServerFixture(screens: ["1600x1200,scale=2"]))
        let icon = try Icon(program.client)
        try icon.add(0xffff_0000, 128)
        try icon.add(0xffff_ff00, 48, scale: 3)
        try icon.add(0xff00_ffff, 16)
        try icon.add(Self.blue, 16)
        icon.set(on: program.toplevel)
        #expect(try color(program, 15, 15, scale: 2) == 0xff_ff00)
        try program.model.setScale(1, of: program.fixture.mainScreen)
        #expect(try color(program, 15, 15) == 0xff, "the later one of two equal ones")
        try program.model.setScale(4, of: program.fixture.mainScreen)
        #expect(try color(program, 15, 15, scale: 4) == 0xff_0000)
    }

    @Test("the control API reports the name")
    func name() throws {
        let fixture = try ServerFixture()
        let control = try TestControl(fixture)
        let client = try fixture.connect()
        let top = try TestToplevel.map(client, fixture, "editor")
        let id = try #require(fixture.model.windows.last)
        func answer() throws -> String {
            try fixture.pump()
            return try control.send("GET", "/v1/windows/\(id)").body
        }
        #expect(try !answer().contains("\"icon\""))
        let icon = try Icon(client)
        icon.icon.send(.setName(iconName: "first"))
        icon.icon.send(.setName(iconName: "text-editor"))
        icon.set(on: top)
        icon.icon.send(.destroy)
        #expect(try answer().contains("\"icon\":\"text-editor\""))
        icon.manager.send(.setIcon(toplevel: top.toplevel.id, icon: nil))
        #expect(try answer().contains("\"icon\":\"text-editor\""))
        top.surface.send(.commit)
        #expect(try !answer().contains("\"icon\""))
    }

    @Test("the protocol's errors: a buffer that is not square or not shared, a scale of 0, a change after set_icon")
    func errors() throws {
        func error(_ body: (ServerFixture, TestClient, Icon) throws -> Void) throws -> UInt32? {
            let fixture = try ServerFixture()
            let client = try fixture.connect()
            try body(fixture, client, Icon(client))
            try fixture.pump()
            return client.protocolError?.code
        }
        let (invalid, immutable) = (XdgToplevelIconV1.Error.invalidBuffer, XdgToplevelIconV1.Error.immutable)
        #expect(
            try error { _, client, icon in
                icon.icon.send(.addBuffer(buffer: try client.buffer(0, width: 4, height: 5).id, scale: 1))
            } == invalid.rawValue)
        #expect(
            try error { _, client, icon in
                let pixels = try client.bind(WpSinglePixelBufferManagerV1.self)
                let pixel = Proxy<WlBuffer>(client.connection, version: 1)
                pixels.send(.createU32RgbaBuffer(id: pixel.id, r: 0, g: 0, b: 0, a: 0))
                icon.icon.send(.addBuffer(buffer: pixel.id, scale: 1))
            } == invalid.rawValue)
        #expect(try error { _, _, icon in try icon.add(0, 4, scale: 0) } == invalid.rawValue)
        for late in [true, false] {
            #expect(
                try error { fixture, client, icon in
                    icon.set(on: try TestToplevel.map(client, fixture, "t"))
                    if late { try icon.add(0, 4) } else { icon.icon.send(.setName(iconName: "late")) }
                } == immutable.rawValue)
        }
        #expect(
            try error { _, _, icon in try icon.add(0, 4).send(.destroy) }
                == XdgToplevelIconV1.Error.noBuffer.rawValue)
        #expect(
            try error { _, _, icon in
                try icon.add(0, 4).send(.destroy)
                icon.icon.send(.destroy)
            } == XdgToplevelIconV1.Error.noBuffer.rawValue)
        #expect(
            try error { _, _, icon in
                let buffer = try icon.add(0, 4)
                icon.icon.send(.destroy)
                buffer.send(.destroy)
            } == nil)
        // The images are bounded.
        #expect(
            try error { _, client, icon in
                let buffer = try client.buffer(0, width: 4, height: 4)
                for scale in 1...Int32(1000) { icon.icon.send(.addBuffer(buffer: buffer.id, scale: scale)) }
            } == WlDisplay.Error.noMemory.rawValue)
    }

    @Test("buffers that are replaced can be destroyed, and a window retains at most one image for each scale")
    func bounded() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let top = try TestToplevel.map(client, fixture, "t")
        let icon = try Icon(client)
        let replaced = try icon.add(0, 16)
        try icon.add(0, 16)
        replaced.send(.destroy)
        for size in 1...Int32(60) { try icon.add(0, size) }
        icon.set(on: top)
        try fixture.pump()
        let id = try #require(fixture.model.windows.last)
        guard case .toplevel(let object)? = fixture.server.windows[id] else { throw FixtureError("no toplevel") }
        #expect(object.icon?.images.map(\.width) == [16, 32, 48, 60] && client.isOpen)
    }

    @Test("over a restart windows keep their icons, set or pending, and icons their images")
    func handOver() throws {
        let fixture = try ServerFixture.handingOver()
        let program = try BarredProgram(fixture)
        let icon = try Icon(program.client)
        let buffer = try icon.add(Self.blue, 16)
        icon.set(on: program.toplevel)
        icon.icon.send(.destroy)
        buffer.send(.destroy)
        let other = try Icon(program.client)
        try other.add(0xff00_ffff, 16)
        other.manager.send(.setIcon(toplevel: program.toplevel.toplevel.id, icon: other.icon.id))
        let third = try Icon(program.client)
        let unused = try third.add(0, 16)
        try fixture.pump()
        try fixture.handOver()
        #expect(try color(program, 10, 6) == 0xff)
        program.toplevel.surface.send(.commit)
        #expect(try color(program, 10, 6) == 0xffff)
        other.icon.send(.destroy)
        try fixture.pump()
        #expect(program.client.isOpen)
        unused.send(.destroy)
        try fixture.pump()
        #expect(program.client.protocolError?.code == XdgToplevelIconV1.Error.noBuffer.rawValue)
    }
}
