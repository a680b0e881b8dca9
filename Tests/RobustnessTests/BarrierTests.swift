// What clients rely on: order, progress, and isolation from each other's faults.

import Glibc
import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer
@testable import Displays

@Suite struct BarrierTests {
    @Test("wl_display.sync is answered after the events that earlier requests caused")
    func sync() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let window = client.window("w").color(0xffff0000)
        let callback = Proxy<WlCallback>(client.connection, version: 1)
        callback.onEvent = { _ in client.events.append("done") }
        window.makeKeyAndVisible()
        client.connection.display.send(.sync(callback: callback.id))
        try fixture.pump()
        #expect(client.takeEvents() == ["w.didBecomeVisible", "w.didBecomeKey", "done"])
    }

    @Test("requests held back while a client does not read are handled once it reads")
    func heldBack() throws {
        let fixture = try ServerFixture()
        let socket = try fixture.connectSocket()
        let connection = ClientConnection(socket: socket)
        // Each get_registry of 12 bytes is answered with hundreds: far more than fits in the socket.
        var registries: [Proxy<WlRegistry>] = []
        for _ in 0..<1300 {
            let registry = Proxy<WlRegistry>(connection, version: 1)
            connection.display.send(.getRegistry(registry: registry.id))
            registries.append(registry)
        }
        var done = false
        let callback = Proxy<WlCallback>(connection, version: 1)
        callback.onEvent = { _ in done = true }
        connection.display.send(.sync(callback: callback.id))
        try connection.flush()
        for _ in 0..<10 { try fixture.pump() }
        #expect(!done)
        #expect(fixture.server.queuedBytes > 0)
        for _ in 0..<20_000 where !done {
            _ = try connection.dispatchAvailable()
            try fixture.loop.runOnce(nonblocking: true)
        }
        #expect(done, "the last request is answered without sending any more")
    }

    @Test("K5: key passes on at once when flushing disconnects the key window's client")
    func endsInFlush() throws {
        var limits = Limits()
        limits.outputMaximum = 64 * 1024
        let fixture = try ServerFixture(limits: limits)
        let heir = try fixture.connect("heir")
        heir.window("heir").color(0xff00ff00).show()
        let deaf = try fixture.connect("deaf")
        let input = try TestInput(deaf)
        deaf.window("deaf").color(0xffff0000).makeKeyAndVisible()
        try fixture.pump()
        #expect(heir.takeEvents() == ["heir.didBecomeVisible"])
        #expect(!input.takeEvents().isEmpty)
        // The deaf client reads nothing from now on; its input events fill the queue up to the limit.
        fixture.detach(deaf)
        for _ in 0..<20_000 where fixture.server.clientCount == 2 {
            _ = try fixture.model.pointerMoved(to: Point(x: 5, y: 5), on: fixture.mainScreen, time: fixture.loop.now)
            _ = try fixture.model.press(key: 30, pressed: true, time: fixture.loop.now)
            _ = try fixture.model.press(key: 30, pressed: false, time: fixture.loop.now)
            fixture.server.deliverAndFlush()
        }
        #expect(fixture.server.clientCount == 1)
        try fixture.pump()
        #expect(heir.takeEvents() == ["heir.didBecomeKey"])
    }

    @Test("a client that exceeds its number of pools is disconnected; others can still send descriptors")
    func pools() throws {
        var limits = Limits()
        limits.pools = 20
        let fixture = try ServerFixture(limits: limits)
        let greedy = try fixture.connect("greedy")
        for _ in 0..<21 {
            let pool = Proxy<WlShmPool>(greedy.connection, version: 1)
            greedy.shm.send(.createPool(id: pool.id, fd: try greedy.memoryFile(words: 1, filledWith: 0), size: 4))
        }
        try fixture.pump()
        #expect(greedy.protocolError?.message.contains("20 pools") == true)
        let modest = try fixture.connect("modest")
        for _ in 0..<30 {
            let buffer = try modest.buffer(0xffff0000, width: 1, height: 1)
            buffer.send(.destroy)
        }
        try fixture.pump()
        #expect(modest.isOpen, "destroyed pools do not count")
    }

    @Test("the pools of all clients together are limited, and so are the descriptors that they keep open")
    func allPools() throws {
        var limits = Limits()
        limits.allPools = 30
        let fixture = try ServerFixture(limits: limits)
        let clients = try (0..<3).map { try fixture.connect("\($0)") }
        var buffers: [Proxy<WlBuffer>] = []
        for client in clients.prefix(2) {
            for _ in 0..<15 { buffers.append(try client.buffer(0xffff0000, width: 1, height: 1)) }
        }
        try fixture.pump()
        let open = fixture.server.clients.values.reduce(0) { $0 + $1.transport.descriptors.count }
        #expect(open == 0 && fixture.server.pools.pools == 30 && fixture.server.pools.bytes == 120)
        #expect(fixture.server.pools.descriptors <= 30)
        _ = try clients[2].buffer(0xffff0000, width: 1, height: 1)
        try fixture.pump()
        #expect(clients[2].protocolError?.message.contains("30 pools") == true)
        for buffer in buffers { buffer.send(.destroy) }
        try fixture.pump()
        #expect(clients[0].isOpen && clients[1].isOpen && fixture.server.pools.pools == 0)
        #expect(fixture.server.pools.descriptors == 0)
    }

    @Test("a client that sleeps through a hundred configures may acknowledge each of them")
    func lateAcknowledgement() throws {
        let fixture = try ServerFixture()
        let other = try fixture.connect("other")
        let sleeper = try fixture.connect("sleeper")
        let toplevel = sleeper.toplevel("t")
        toplevel.surface.send(.commit)
        try fixture.pump()
        try sleeper.attach(0xffff0000, width: 10, height: 10, to: toplevel.surface)
        toplevel.surface.send(.commit)
        try fixture.pump()
        var serials: [UInt32] = []
        toplevel.xdg.onEvent = { if case .configure(let serial) = $0 { serials.append(serial) } }
        let thief = other.window("thief").color(0xff00ff00)
        thief.show()
        for _ in 0..<60 {
            thief.makeKey()
            try fixture.pump()
            thief.resignKey()
            try fixture.pump()
        }
        try #require(serials.count > 100)
        for serial in serials { toplevel.xdg.send(.ackConfigure(serial: serial)) }
        try fixture.pump()
        #expect(sleeper.isOpen, "\(String(describing: sleeper.error))")
        toplevel.xdg.send(.ackConfigure(serial: serials[0]))
        try fixture.pump()
        #expect(sleeper.protocolError?.code == XdgSurface.Error.invalidSerial.rawValue, "but not twice")
    }

    @Test("S8: a window created for a screen that was just unplugged waits for it, and is shown nowhere else")
    func lateWindow() throws {
        let fixture = try ServerFixture(screens: ["800x600", "640x480,external,name=TV"])
        let client = try fixture.connect()
        try fixture.server.disconnect(fixture.model.screens[1])
        let window = client.window("late", on: client.screens[1]).color(0xffff0000)
        window.show()
        try fixture.pump()
        #expect(client.events.contains("late.didBecomeVisible") == false)
        #expect(try fixture.color(x: 10, y: 10) == 0)
        try fixture.server.plug(ScreenSpecification(parsing: "640x480,external,name=TV"))
        try fixture.pump()
        #expect(client.events.contains("late.didBecomeVisible"))
        #expect(try fixture.color(x: 639, y: 479, on: fixture.model.screens[1]) == 0xff0000)
    }

    @Test("E2: hiding a window under two fingers cancels both touches; neither counts as a tap")
    func twoFingers() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let input = try TestInput(client)
        let window = client.window("w").color(0xffff0000)
        window.show()
        try fixture.pump()
        for id: Int32 in [1, 2] {
            _ = try fixture.model.touch(
                id: id, phase: .began, at: Point(x: 9, y: 9), on: fixture.mainScreen, time: fixture.loop.now)
        }
        try fixture.pump()
        _ = input.takeEvents()
        window.hide()
        try fixture.pump()
        #expect(input.takeEvents() == ["cancel"])
    }

    @Test("W5: a surface that was a toplevel never becomes a pop-up, not even through a new xdg_surface")
    func kinds() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let parent = client.toplevel("parent")
        let toplevel = client.toplevel("t")
        toplevel.toplevel.send(.destroy)
        toplevel.xdg.send(.destroy)
        let xdg = Proxy<XdgSurface>(client.connection, version: client.wmBase.version)
        client.wmBase.send(.getXdgSurface(id: xdg.id, surface: toplevel.surface.id))
        try fixture.pump()
        #expect(client.isOpen, "the same role again is fine")
        let positioner = TestPopup.positioner(client, width: 10, height: 10)
        let popup = Proxy<XdgPopup>(client.connection, version: client.wmBase.version)
        xdg.send(.getPopup(id: popup.id, parent: parent.xdg.id, positioner: positioner.id))
        try fixture.pump()
        #expect(client.protocolError?.message.contains("W5") == true)
    }

    @Test("S9: a surface receives leave for a screen that is unplugged")
    func leaves() throws {
        let fixture = try ServerFixture(screens: ["800x600", "640x480,external"])
        let client = try fixture.connect()
        let output = try client.bind(WlOutput.self, name: client.screens[1].globalName)
        let window = client.window("w", on: client.screens[1]).color(0xffff0000).frame(0, 0, 10, 10)
        try client.attach(0xffff0000, width: 10, height: 10, to: window.surface)
        var received: [String] = []
        window.surface.onEvent = { event in
            switch event {
            case .enter(let id): received.append("enter \(id)")
            case .leave(let id): received.append("leave \(id)")
            case .preferredBufferScale, .preferredBufferTransform: break
            }
        }
        window.show()
        try fixture.pump()
        try fixture.server.disconnect(fixture.model.screens[1])
        try fixture.pump()
        #expect(received == ["enter \(output.id)", "leave \(output.id)"])
    }
}
