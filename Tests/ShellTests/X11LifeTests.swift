// X servers and their managers: rights, limits, ends of all kinds, and hostile ones.

import Glibc
import MullionSystem
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct X11LifeTests {
    /// A connection that the server is to serve, other than a good one.
    enum Connection: String, CaseIterable {
        case memory, pipe, datagrams, listener, unconnected, closed
    }

    @Test("a connection that is not a connected Unix stream socket is a protocol error", arguments: Connection.allCases)
    func connections(_ kind: Connection) throws {
        let fixture = try ServerFixture()
        let other = try fixture.connect("other")
        let manager = try fixture.connect("manager")
        let descriptor: OwnedDescriptor
        switch kind {
        case .memory: descriptor = try manager.memoryFile(words: 1, filledWith: 0)
        case .pipe:
            var ends: [Int32] = [-1, -1]
            try #require(pipe(&ends) == 0)
            descriptor = OwnedDescriptor(ends[0])
            _ = OwnedDescriptor(ends[1])
        case .datagrams: descriptor = try TestX11.sockets(Int32(SOCK_DGRAM.rawValue)).0
        case .unconnected: descriptor = OwnedDescriptor(socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0))
        case .listener:
            descriptor = OwnedDescriptor(socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0))
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            let bound = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor.rawValue, $0, 2) }
            }
            try #require(bound == 0 && listen(descriptor.rawValue, 1) == 0)
        case .closed:
            let pair = try TestX11.sockets()
            descriptor = pair.0
            shutdown(pair.1.rawValue, Int32(SHUT_RDWR))
        }
        let global = try manager.bind(MullionX11ManagerV1.self)
        let server = Proxy<MullionX11ServerV1>(manager.connection, version: 1)
        var hasEnded = false
        server.onEvent = { if case .ended = $0 { hasEnded = true } }
        global.send(.createServer(id: server.id, connection: descriptor))
        try fixture.pump()
        if kind == .closed {
            #expect(manager.isOpen && hasEnded)
        } else {
            #expect(
                manager.protocolError?.code == MullionX11ManagerV1.Error.invalidConnection.rawValue,
                "\(String(describing: manager.error))")
        }
        #expect(other.isOpen && fixture.server.clientCount == (kind == .closed ? 2 : 1))
    }

    @Test("a manager that brings its own connection, from either side, hurts only itself")
    func ownConnection() throws {
        let fixture = try ServerFixture()
        let other = try fixture.connect("other")
        let manager = try fixture.connect("manager")
        let global = try manager.bind(MullionX11ManagerV1.self)
        for _ in 0..<3 {
            let server = Proxy<MullionX11ServerV1>(manager.connection, version: 1)
            let own = OwnedDescriptor(fcntl(manager.connection.descriptor, F_DUPFD_CLOEXEC, 0))
            global.send(.createServer(id: server.id, connection: own))
        }
        // Both ends of a pair: the server talks to itself.
        let (one, two) = try TestX11.sockets()
        for end in [one, two] {
            let server = Proxy<MullionX11ServerV1>(manager.connection, version: 1)
            global.send(.createServer(id: server.id, connection: end))
        }
        try fixture.pump()
        for _ in 0..<3 {
            manager.connection.display.send(.sync(callback: Proxy<WlCallback>(manager.connection, version: 1).id))
            try fixture.pump()
        }
        try manager.kill()
        #expect(other.isOpen && fixture.server.clientCount == 1)
        #expect(fixture.server.x11Servers.isEmpty)
    }

    @Test("only X servers see xwayland_shell_v1, and they cannot bring others")
    func globals() throws {
        let setup = try X11Setup()
        let (manager, program) = (setup.x11.manager, setup.x11.program)
        #expect(manager.globals.contains { $0.interface == MullionX11ManagerV1.name })
        #expect(!manager.globals.contains { $0.interface == XwaylandShellV1.name })
        #expect(!program.globals.contains { $0.interface == MullionX11ManagerV1.name })
        #expect(program.globals.contains { $0.interface == XwaylandShellV1.name })
        // The global's name is known all the same.
        let name = try #require(manager.globals.first { $0.interface == MullionX11ManagerV1.name }?.name)
        _ = try program.bind(MullionX11ManagerV1.self, name: name)
        try setup.fixture.pump()
        #expect(program.protocolError?.code == WlDisplay.Error.invalidObject.rawValue && manager.isOpen)
        #expect(setup.x11.hasEnded)
    }

    @Test("who may have no windows may bring no X server; its connections and windows are its manager's user's")
    func policy() throws {
        let fixture = try ServerFixture()
        var rule = PeerRule()
        rule.xdg = []
        fixture.server.peerPolicy = PeerPolicy(rules: [rule])
        #expect(throws: FixtureError.self) { _ = try TestX11(fixture) }
        rule = PeerRule()
        rule.connections = 2
        rule.windows = 1
        fixture.server.peerPolicy = PeerPolicy(rules: [rule])
        let limited = try X11Setup(fixture: ServerFixture(), policy: PeerPolicy(rules: [rule]))
        let one = try limited.x11.map("one")
        let two = try limited.x11.map("two")
        #expect(one.end == nil && two.end == .refused && limited.model.windows.count == 1)
        #expect(limited.x11.manager.isOpen && limited.x11.program.isOpen)
        // A third connection is refused: the X server has ended from the beginning.
        let server = Proxy<MullionX11ServerV1>(limited.x11.manager.connection, version: 1)
        var hasEnded = false
        server.onEvent = { if case .ended = $0 { hasEnded = true } }
        limited.x11.global.send(.createServer(id: server.id, connection: try TestX11.sockets().0))
        let window = Proxy<MullionX11WindowV1>(limited.x11.manager.connection, version: 1)
        var end: MullionX11WindowV1.End?
        window.onEvent = { if case .ended(let reason) = $0 { end = reason } }
        server.send(.createWindow(id: window.id, kind: .normal))
        window.send(.setTitle(title: "inert"))
        window.send(.setSurface(surface: 3))
        try limited.fixture.pump()
        #expect(hasEnded && end == .serverEnded && limited.x11.manager.isOpen)
    }

    @Test("more windows than the limit are refused one by one; 100,000 cost the manager its objects, and nobody else")
    func manyWindows() throws {
        var limits = Limits()
        limits.windows = 10
        limits.objects = 2000
        let setup = try X11Setup(fixture: ServerFixture(limits: limits))
        let other = try setup.fixture.connect("other")
        var ends = 0
        for _ in 0..<100 {
            let window = Proxy<MullionX11WindowV1>(setup.x11.manager.connection, version: 1)
            window.onEvent = { if case .ended(.refused) = $0 { ends += 1 } }
            setup.x11.server.send(.createWindow(id: window.id, kind: .normal))
            window.send(.setFrame(x: 0, y: 0, width: 10, height: 10, isPositioned: 1))
        }
        try setup.fixture.pump()
        #expect(ends == 90 && setup.model.windows.count == 10 && setup.x11.manager.isOpen)
        for _ in 0..<100_000 where setup.x11.manager.isOpen {
            let window = Proxy<MullionX11WindowV1>(setup.x11.manager.connection, version: 1)
            setup.x11.server.send(.createWindow(id: window.id, kind: .unmanaged))
            if window.id.rawValue % 500 == 0 { try setup.fixture.pump() }
        }
        try setup.fixture.pump()
        #expect(!setup.x11.manager.isOpen && !setup.x11.program.isOpen && other.isOpen)
        #expect(setup.model.windows.isEmpty && setup.fixture.server.clientCount == 1)
    }

    @Test("the X server's death ends its windows, the manager lives; the manager's death ends its X servers")
    func deaths() throws {
        let setup = try X11Setup()
        let window = try setup.x11.map("w")
        try setup.x11.program.kill()
        #expect(setup.x11.hasEnded && window.end == .serverEnded && setup.model.windows.isEmpty)
        #expect(setup.x11.manager.isOpen && setup.fixture.server.clientCount == 1)
        // Inert: requests are ignored, in any order of destruction.
        window.setFrame((1, 1), 5, 5)
        window.proxy.send(.setState(mask: .maximized, states: .maximized))
        window.proxy.send(.activate)
        setup.x11.server.send(.destroy)
        window.proxy.send(.setSurface(surface: 4))
        window.destroy()
        setup.x11.global.send(.destroy)
        try setup.fixture.pump()
        #expect(setup.x11.manager.isOpen && setup.fixture.server.x11Servers.isEmpty)

        let next = try TestX11(setup.fixture, setup.x11.manager)
        let again = try next.map("again")
        #expect(setup.model.isVisible(try setup.id("again")))
        try setup.x11.manager.kill()
        #expect(!next.program.isOpen && setup.model.windows.isEmpty && setup.fixture.server.clientCount == 0)
        _ = again
    }

    @Test("destroying the X server's object ends its connection, its windows first or last", arguments: [0, 1, 2])
    func destroys(order: Int) throws {
        let setup = try X11Setup()
        let window = try setup.x11.map("w")
        if order == 0 { window.destroy() }
        setup.x11.server.send(.destroy)
        if order == 1 { window.destroy() }
        try setup.fixture.pump()
        if order == 2 { window.destroy() }
        try setup.fixture.pump()
        #expect(!setup.x11.program.isOpen && setup.x11.manager.isOpen && setup.model.windows.isEmpty)
    }

    @Test("a surface with another role is ignored; a surface named by several windows belongs to the last")
    func surfaces() throws {
        let setup = try X11Setup()
        let toplevel = try TestToplevel.map(setup.x11.program, setup.fixture, "plain")
        let pointer = try TestPointer(setup.x11.program)
        try setup.move(10, 10)
        let cursor = try pointer.setCursor(0xffff_ffff, width: 4, height: 4)
        let one = try setup.x11.map("one", at: (0, 0))
        let two = try setup.x11.map("two", at: (300, 0))
        for surface in [toplevel.surface.id.rawValue, cursor.id.rawValue, 1, 2, .max, 0xff00_0000] {
            try setup.send(.setSurface(surface: surface), to: two)
        }
        #expect(setup.x11.manager.isOpen && setup.x11.program.isOpen)
        #expect(setup.model.isVisible(try setup.id("plain")))
        try setup.send(.setSurface(surface: one.surface.id.rawValue), to: two)
        #expect(try !setup.model.isVisible(setup.id("one")) && setup.model.isVisible(setup.id("two")))
        try setup.send(.setSurface(surface: one.surface.id.rawValue), to: two)
        try setup.send(.setSurface(surface: one.surface.id.rawValue), to: one)
        #expect(try setup.model.isVisible(setup.id("one")) && !setup.model.isVisible(setup.id("two")))
        // Two wait for the same surface: the last one gets it.
        let (three, four) = (setup.x11.window("three"), setup.x11.window("four"))
        for window in [three, four] {
            window.setFrame((10, 300), 20, 20)
            window.proxy.send(.setSurface(surface: four.surface.id.rawValue + 1))
        }
        try setup.fixture.pump()
        let late = setup.x11.program.surface()
        #expect(late.id.rawValue == four.surface.id.rawValue + 1)
        try setup.x11.program.attach(0xffff_0000, width: 20, height: 20, to: late)
        late.send(.commit)
        try setup.fixture.pump()
        #expect(try !setup.model.isVisible(setup.id("three")) && setup.model.isVisible(setup.id("four")))
        three.destroy()
        four.destroy()
        try setup.fixture.pump()
        // Once it was a window, the X server cannot make anything else of it (W5), and that ends only the X server.
        try setup.move(310, 10)
        pointer.pointer.send(
            .setCursor(serial: pointer.enterSerial, surface: late.id, hotspotX: 0, hotspotY: 0))
        try setup.fixture.pump()
        #expect(!setup.x11.program.isOpen && setup.x11.manager.isOpen)
    }

    @Test("xwayland_shell_v1: serials name surfaces, before and after the manager does")
    func serials() throws {
        let setup = try X11Setup()
        let shell = try setup.x11.program.bind(XwaylandShellV1.self)
        func name(_ surface: Proxy<WlSurface>, _ serial: UInt64) -> Proxy<XwaylandSurfaceV1> {
            let object = Proxy<XwaylandSurfaceV1>(setup.x11.program.connection, version: 1)
            shell.send(.getXwaylandSurface(id: object.id, surface: surface.id))
            object.send(
                .setSerial(serialLo: UInt32(truncatingIfNeeded: serial), serialHi: UInt32(serial >> 32)))
            return object
        }
        func find(_ window: TestX11Window, _ serial: UInt64) throws {
            window.setFrame((5, 5), 30, 30)
            try setup.send(
                .setSurfaceSerial(serialLo: UInt32(truncatingIfNeeded: serial), serialHi: UInt32(serial >> 32)),
                to: window)
        }
        let (before, after) = (setup.x11.window("before"), setup.x11.window("after"))
        let serial: UInt64 = 0x1_0000_0001
        let named = name(before.surface, serial)
        try before.draw(30, 30)
        try setup.fixture.pump()
        try find(before, serial)
        try find(after, serial + 1)
        #expect(try setup.model.isVisible(setup.id("before")) && !setup.model.isVisible(setup.id("after")))
        _ = name(after.surface, serial + 1)
        try after.draw(30, 30)
        try setup.fixture.pump()
        #expect(setup.model.isVisible(try setup.id("after")))
        named.send(.setSerial(serialLo: 9, serialHi: 0))
        try setup.fixture.pump()
        #expect(
            setup.x11.program.protocolError?.code == XwaylandSurfaceV1.Error.alreadyAssociated.rawValue)
    }

    @Test("nonsense of a program is no error: parents in circles, of other servers, limits; an unknown kind is one")
    func nonsense() throws {
        let setup = try X11Setup()
        let other = try TestX11(setup.fixture, setup.x11.manager)
        let (one, two, foreign) = (try setup.x11.map("one"), try setup.x11.map("two"), try other.map("foreign"))
        for (child, parent) in [(one, one), (two, one), (one, two), (foreign, one), (one, foreign)] {
            child.proxy.send(.setParent(parent: parent.proxy.id))
        }
        one.proxy.send(.setSizeLimits(minWidth: -5, minHeight: .min, maxWidth: -1, maxHeight: .min))
        one.proxy.send(.setState(mask: .init(rawValue: .max), states: .init(rawValue: 0xffff_fff0)))
        for edges in [0, 3, 12, 15, 16, UInt32.max] { one.proxy.send(.beginResize(edges: edges)) }
        try setup.fixture.pump()
        #expect(setup.x11.manager.isOpen)
        #expect(try setup.model.parent(of: setup.id("two")) == setup.id("one"))
        #expect(try setup.model.parent(of: setup.id("one")) == nil)
        try setup.send(.setKind(kind: .init(rawValue: 4)), to: one)
        #expect(setup.x11.manager.protocolError?.code == MullionX11WindowV1.Error.invalidValue.rawValue)
        #expect(!setup.x11.program.isOpen && setup.model.windows.isEmpty)
    }

    @Test("the control API asks the program to close a window, or removes it")
    func control() throws {
        let setup = try X11Setup()
        let control = try TestControl(setup.fixture)
        let window = try setup.x11.map("w", at: (10, 10))
        let id = try setup.id("w")
        #expect(try control.send("GET", "/v1/windows").body.contains("\"w\""))
        let frame = #"{"frame": {"x": 50, "y": 60, "width": 300, "height": 200}}"#
        #expect(try control.send("PATCH", "/v1/windows/\(id)", frame).status == 200)
        #expect(window.configured == TestX11Window.Configured(50, 60, 300, 200))
        #expect(try control.send("DELETE", "/v1/windows/\(id)").status == 202)
        #expect(window.closes == 1 && window.end == nil)
        #expect(try control.send("DELETE", "/v1/windows/\(id)?force=true").status == 204)
        #expect(window.end == .removed && setup.model.windows.isEmpty && setup.x11.manager.isOpen)
    }
}
