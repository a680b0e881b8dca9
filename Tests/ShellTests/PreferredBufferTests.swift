// What wl_surface sends since version 6, and wl_shm takes since version 2.

import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import Displays

@Suite struct PreferredBufferTests {
    /// Records the preferences of a surface.
    private final class Preferences {
        var events: [String] = []

        init(_ surface: Proxy<WlSurface>) {
            surface.onEvent = { [unowned self] event in
                switch event {
                case .enter, .leave: break
                case .preferredBufferScale(let factor): events.append("\(factor)")
                case .preferredBufferTransform(let transform): events.append("transform \(transform.rawValue)")
                }
            }
        }

        func take() -> [String] {
            defer { events = [] }
            return events
        }
    }

    @Test("a surface is told the scale and transform of its screen before the first configure, and new ones")
    func follows() throws {
        let fixture = try ServerFixture(
            screens: ["640x480,scale=1.5", "640x480,external,name=TV,scale=3,orientation=landscapeLeft"])
        let (main, tv) = (fixture.mainScreen, fixture.model.screens[1])
        let client = try fixture.connect()
        let toplevel = client.toplevel("t")
        let preferences = Preferences(toplevel.surface)
        var configured: [String]?
        let onEvent = toplevel.xdg.onEvent
        toplevel.xdg.onEvent = { event in
            configured = configured ?? preferences.events
            onEvent?(event)
        }
        toplevel.surface.send(.commit)
        try fixture.pump()
        #expect(configured == ["2"] && preferences.take() == ["2"], "rounded up, like wl_output's")
        try client.attach(0xffff_0000, width: 40, height: 30, to: toplevel.surface)
        toplevel.surface.send(.commit)
        try fixture.pump()
        #expect(preferences.take() == [], "nothing is sent twice")
        let window = try #require(fixture.model.windows.first)
        try fixture.model.setScale(1.75, of: main)
        try fixture.pump()
        #expect(preferences.take() == [])
        try fixture.model.setScale(1, of: main)
        try fixture.pump()
        #expect(preferences.take() == ["1"])
        try fixture.model.move(window, to: tv)
        try fixture.pump()
        #expect(preferences.take() == ["3", "transform 1"])
        try fixture.server.rotate(tv, to: .portraitUpsideDown, duration: 0)
        try fixture.pump()
        #expect(preferences.take() == ["transform 2"])
        try fixture.server.disconnect(tv)
        try fixture.pump()
        #expect(preferences.take() == [], "S8: it waits for its screen")
        try fixture.model.move(window, to: main)
        try fixture.pump()
        #expect(preferences.take() == ["1", "transform 0"])
    }

    @Test("R3: a program that does not rotate keeps its transform when its screen rotates")
    func fixed() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let window = client.window("w").color(0xffff_0000)
        let preferences = Preferences(window.surface)
        try client.attach(0xffff_0000, width: 40, height: 30, to: window.surface)
        window.show()
        client.application.send(.setRotationPolicy(policy: .fixed))
        try fixture.pump()
        try fixture.server.rotate(fixture.mainScreen, to: .landscapeLeft, duration: 0)
        try fixture.pump()
        #expect(preferences.take() == [])
        client.application.send(.setRotationPolicy(policy: .rotating))
        try fixture.pump()
        #expect(preferences.take() == ["transform 1"])
    }

    @Test("a surface of version 5 is told nothing, and a restart repeats nothing")
    func others() throws {
        let fixture = try ServerFixture.handingOver()
        try fixture.model.setScale(2, of: fixture.mainScreen)
        let client = try fixture.connect()
        let compositor = try client.bind(WlCompositor.self, version: 5)
        let old = Proxy<WlSurface>(client.connection, version: 5)
        compositor.send(.createSurface(id: old.id))
        let toplevel = try TestToplevel.map(client, fixture)
        let preferences = [Preferences(old), Preferences(toplevel.surface)]
        try fixture.handOver()
        try fixture.pump()
        #expect(preferences.map { $0.take() } == [[], []])
        try fixture.model.setScale(3, of: fixture.mainScreen)
        try fixture.pump()
        #expect(preferences.map { $0.take() } == [[], ["3"]] && client.isOpen)
    }

    @Test("wl_shm is released; its pools and buffers stay")
    func release() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let shm = try client.bind(WlShm.self)
        let memory = try client.memoryFile(words: 100, filledWith: 0xff00_ff00)
        let pool = Proxy<WlShmPool>(client.connection, version: shm.version)
        shm.send(.createPool(id: pool.id, fd: memory, size: 400))
        shm.send(.release)
        let buffer = Proxy<WlBuffer>(client.connection, version: shm.version)
        pool.send(
            .createBuffer(id: buffer.id, offset: 0, width: 10, height: 10, stride: 40, format: .argb8888))
        let window = client.window("w").frame(0, 0, 10, 10)
        window.surface.send(.attach(buffer: buffer.id, x: 0, y: 0))
        window.show()
        try fixture.pump()
        #expect(try client.isOpen && fixture.color(x: 5, y: 5) == 0x00_ff00)
    }

    /// Why no screen shows a window.
    enum Reason: CaseIterable { case minimized, hidden, unplugged, poweredOff }

    @Test(
        "V3: a toplevel that no screen shows is suspended, since version 6", arguments: Reason.allCases,
        [5, 6, 7] as [UInt32])
    func suspended(reason: Reason, version: UInt32) throws {
        let fixture = try ServerFixture(screens: ["800x600", "640x480,external,name=TV,mirroring=off"])
        let client = try fixture.connect()
        let base = try client.bind(XdgWmBase.self, version: version)
        let surface = client.surface()
        let xdg = Proxy<XdgSurface>(client.connection, version: version)
        base.send(.getXdgSurface(id: xdg.id, surface: surface.id))
        let toplevel = Proxy<XdgToplevel>(client.connection, version: version)
        xdg.send(.getToplevel(id: toplevel.id))
        var last: (size: [Int32], states: Set<UInt8>) = ([], [])
        toplevel.onEvent = { event in
            guard case .configure(let width, let height, let states) = event else { return }
            last = ([width, height], Set(stride(from: 0, to: states.count, by: 4).map { states[$0] }))
        }
        // A program that suspends itself draws nothing until it is shown again.
        xdg.onEvent = { [unowned xdg] event in
            if case .configure(let serial) = event { xdg.send(.ackConfigure(serial: serial)) }
        }
        let output = try client.bind(WlOutput.self, name: client.screens[1].globalName)
        toplevel.send(.setFullscreen(output: output.id))
        surface.send(.commit)
        try fixture.pump()
        try client.attach(0xff00_ff00, width: 640, height: 480, to: surface)
        surface.send(.commit)
        try fixture.pump()
        surface.send(.commit)
        try fixture.pump()
        let suspended = UInt8(XdgToplevel.State.suspended.rawValue)
        #expect(last.size == [640, 480] && !last.states.contains(suspended))
        let window = try #require(fixture.model.windows.first)
        let tv = fixture.model.screens[1]
        switch reason {
        case .minimized: toplevel.send(.setMinimized)
        case .hidden: try fixture.model.setHidden(true, of: window)
        case .unplugged: try fixture.server.disconnect(tv)
        case .poweredOff: try fixture.model.setPowered(false, of: tv)
        }
        try fixture.pump()
        #expect(last.states.contains(suspended) == (version >= 6))
        #expect(last.size == [640, 480], "S8: it keeps its size")
        if version >= 6 { #expect(try fixture.settle() == []) }
        switch reason {
        case .minimized, .hidden: try fixture.model.setHidden(false, of: window)
        case .unplugged: try fixture.server.plug(ScreenSpecification(parsing: "640x480,external,name=TV,mirroring=off"))
        case .poweredOff: try fixture.model.setPowered(true, of: tv)
        }
        try fixture.pump()
        #expect(last.size == [640, 480] && !last.states.contains(suspended) && client.isOpen)
    }
}
