// A server that is restarted: clients go on with the next one and notice nothing.

import Glibc
import MullionGeometry
import MullionSystem
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer
@testable import Displays

@Suite struct HandOverClientTests {
    /// Windows of every kind from two clients, on two screens, one of which is rotated.
    private struct Fixture {
        let fixture: ServerFixture
        let first: TestClient
        let second: TestClient
        let windows: [TestWindow]
        let toplevel: TestToplevel
        let popup: TestPopup

        init() throws {
            fixture = try ServerFixture.handingOver(screens: ["320x240,name=A", "160x120,external,name=B"])
            (first, second) = (try fixture.connect("first"), try fixture.connect("second"))
            windows = [
                first.window("low").color(0xffff_0000).frame(10, 10, 60, 40).level(-1),
                second.window("alert").color(0xff00_ff00).frame(30, 20, 60, 40).level(2000),
                first.window("hidden").color(0xff12_3456).level(7),
            ]
            windows[0].show()
            try fixture.pump()
            windows[1].makeKeyAndVisible()
            toplevel = second.toplevel("plain")
            toplevel.surface.send(.commit)
            try fixture.pump()
            try second.attach(0xff00_00ff, width: 80, height: 60, to: toplevel.surface)
            toplevel.surface.send(.commit)
            let child = try TestSubsurface(
                second, of: toplevel.surface, argb: 0xffff_00ff, x: 60, y: 40, width: 40, height: 40)
            child.subsurface.send(.placeBelow(sibling: toplevel.surface.id))
            toplevel.surface.send(.commit)
            try fixture.pump()
            let positioner = TestPopup.positioner(second, width: 30, height: 20, x: 5, y: 70)
            popup = TestPopup(second, parent: toplevel.xdg, positioner: positioner)
            popup.surface.send(.commit)
            try fixture.pump()
            try second.attach(0xffff_ff00, width: 30, height: 20, to: popup.surface)
            popup.surface.send(.commit)
            let screen = try #require(first.screens.last)
            first.window("presented", on: screen).color(0xff00_ffff).frame(0, 0, 50, 50).show()
            try fixture.pump()
            try fixture.server.rotate(fixture.model.screens[1], to: .landscapeLeft, duration: 0)
            try fixture.pump()
        }
    }

    @Test("K1, W3: after a restart all windows, levels, the key window, screens and pictures are the same")
    func same() throws {
        let setup = try Fixture()
        let (model, pictures) = (setup.fixture.model.snapshot(), try setup.fixture.pictures())
        let received = [setup.first, setup.second].map { $0.takeEvents() }
        #expect(received[1].contains("alert.didBecomeKey"))
        let bytes = [setup.first, setup.second].map { $0.connection.transport.bytesWritten }
        try setup.fixture.handOver()
        #expect(setup.fixture.model.snapshot() == model)
        #expect(try setup.fixture.pictures() == pictures)
        try setup.fixture.pump()
        for client in [setup.first, setup.second] {
            #expect(client.isOpen, "\(String(describing: client.error))")
            #expect(client.takeEvents() == [])
        }
        #expect([setup.first, setup.second].map { $0.connection.transport.bytesWritten } == bytes)
        #expect(setup.toplevel.configures > 0 && !setup.popup.isDone)
    }

    @Test("K2, K5, W7: after a restart windows behave as they would have without it")
    func goesOn() throws {
        let setup = try Fixture()
        try setup.fixture.handOver()
        for client in [setup.first, setup.second] { _ = client.takeEvents() }
        // K7: a plain program's new window took key from its own program.
        #expect(setup.toplevel.has(.activated))
        setup.windows[2].makeKeyAndVisible()
        try setup.fixture.pump()
        #expect(!setup.toplevel.has(.activated))
        #expect(setup.first.takeEvents() == ["hidden.didBecomeVisible", "hidden.didBecomeKey"])
        // New objects on both sides: ids continue where they were.
        let window = setup.first.window("new").color(0xff99_9999).frame(200, 100, 20, 20).level(9)
        window.makeKeyAndVisible()
        try setup.fixture.server.plug(ScreenSpecification(parsing: "64x48,external,name=C"))
        try setup.fixture.pump()
        #expect(setup.first.screens.map(\.name) == ["A", "B", "C"])
        #expect(try setup.fixture.color(x: 205, y: 105) == 0x999999)
        setup.popup.destroy()
        setup.toplevel.toplevel.send(.destroy)
        setup.toplevel.xdg.send(.destroy)
        setup.toplevel.surface.send(.destroy)
        try setup.second.kill()
        #expect(setup.fixture.model.applications.count == 1)
        #expect(setup.fixture.model.checkInvariants() == [])
        try setup.fixture.pump()
        #expect(setup.first.isOpen)
    }

    @Test("S8: windows that wait for an unplugged screen return to it after a restart")
    func orphans() throws {
        let setup = try Fixture()
        try setup.fixture.server.disconnect(setup.fixture.model.screens[1])
        try setup.fixture.pump()
        try setup.fixture.handOver()
        _ = setup.first.takeEvents()
        try setup.fixture.server.plug(ScreenSpecification(parsing: "160x120,external,name=B"))
        try setup.fixture.pump()
        #expect(setup.first.takeEvents().contains("presented.didBecomeVisible"))
    }

    @Test("frame callbacks continue across a restart: each is sent once")
    func frames() throws {
        let fixture = try ServerFixture.handingOver(clock: .manual)
        let client = try fixture.connect()
        let window = client.window("w").frame(0, 0, 40, 40)
        window.show()
        var (asked, done) = (0, 0)
        func draw() throws {
            try client.attach(0xff00_0000 | UInt32(asked), width: 40, height: 40, to: window.surface)
            let callback = Proxy<WlCallback>(client.connection, version: 1)
            window.surface.send(.frame(callback: callback.id))
            asked += 1
            callback.onEvent = { _ in
                done += 1
                try? draw()
            }
            window.surface.send(.commit)
        }
        try draw()
        for step in 1...60 {
            if step % 7 == 0 { try fixture.handOver() }
            try fixture.step(16_667)
            #expect(client.isOpen, "\(String(describing: client.error))")
        }
        #expect(done >= 59 && asked == done + 1)
    }

    @Test("requests in flight during a restart are handled once, even one sent in two parts")
    func requestsInFlight() throws {
        let fixture = try ServerFixture.handingOver()
        let client = try fixture.connect()
        client.window("unread").color(0xff00_ff00).show()
        try client.flush()
        try fixture.handOver()
        try fixture.pump()
        #expect(client.takeEvents().filter { $0 == "unread.didBecomeVisible" }.count == 1)
        // wl_display.sync in two parts.
        let callback = Proxy<WlCallback>(client.connection, version: 1)
        var answers = 0
        callback.onEvent = { _ in answers += 1 }
        let words: [UInt32] = [1, 12 << 16, callback.id.rawValue]
        func send(_ range: Range<Int>) {
            _ = words.withUnsafeBytes { bytes in
                let start = bytes.baseAddress.map { $0 + range.lowerBound }
                return Glibc.send(client.connection.descriptor, start, range.count, 0)
            }
        }
        send(0..<7)
        try fixture.pump()
        try fixture.handOver()
        send(7..<12)
        try fixture.pump()
        #expect(client.isOpen && answers == 1)
    }

    @Test("events that a client has not read when the server restarts are delivered once")
    func eventsInFlight() throws {
        let fixture = try ServerFixture.handingOver()
        let client = try fixture.connect()
        fixture.detach(client)
        var answers = 0
        let count = 20_000
        for _ in 0..<count {
            let callback = Proxy<WlCallback>(client.connection, version: 1)
            callback.onEvent = { _ in answers += 1 }
            client.connection.display.send(.sync(callback: callback.id))
        }
        for round in 0..<400 where answers < count {
            _ = try? client.connection.transport.flush()
            while try fixture.loop.runOnce(nonblocking: true) {}
            if round % 3 == 0 { try fixture.handOver() }
            if round > 30 { _ = try client.connection.dispatchAvailable() }
        }
        #expect(answers == count)
    }

    @Test("E3, E5: keyboard, pointer and selection stay where they were; what was held is released")
    func input() throws {
        let fixture = try ServerFixture.handingOver()
        let (copier, paster) = (try fixture.connect("copier"), try fixture.connect("paster"))
        let (source, target) = (try TestDataDevice(copier), try TestDataDevice(paster))
        let keys = try TestInput(paster)
        let windows = [copier, paster].enumerated().map { index, client in
            client.window("w\(index)").color(0xff00_ff00).frame(Double(index) * 100, 0, 100, 100)
        }
        for window in windows.reversed() {
            window.makeKeyAndVisible()
            try fixture.pump()
        }
        let offered = source.source(["text/plain"], actions: nil)
        source.device.send(.setSelection(source: offered.id, serial: fixture.server.serial))
        try fixture.pump()
        windows[1].makeKey()
        try fixture.pump()
        let now = fixture.server.clock.now
        _ = try fixture.model.pointerMoved(to: Point(x: 150, y: 50), on: fixture.mainScreen, time: now)
        _ = try fixture.model.press(key: 30, pressed: true, time: now)
        _ = try fixture.model.touch(id: 1, phase: .began, at: Point(x: 120, y: 20), on: fixture.mainScreen, time: now)
        try fixture.pump()
        _ = keys.takeEvents()
        try fixture.handOver()
        try fixture.pump()
        #expect(keys.takeEvents() == ["key 30 0", "cancel"])
        #expect(target.selection != nil)
        let end = try target.receive("text/plain", from: target.selection)
        try fixture.press(48)
        _ = try fixture.model.pointerMoved(to: Point(x: 151, y: 50), on: fixture.mainScreen, time: now)
        try fixture.pump()
        #expect(keys.takeEvents() == ["key 48 1", "key 48 0", "motion 51.0,50.0"])
        #expect(source.provide("text") == "text/plain")
        #expect(TestPipe.read(end) == "text")
        // The selection is offered to the next client that gets the keyboard.
        for window in windows {
            window.makeKey()
            try fixture.pump()
        }
        #expect(paster.isOpen && copier.isOpen)
        #expect(target.selection != nil)
    }

    @Test("K1: after a restart each seat knows the serials of its own events, and no others")
    func serials() throws {
        let fixture = try ServerFixture.handingOver()
        let client = try fixture.connect()
        _ = try TestInput(client)
        let window = client.window("w").frame(0, 0, 100, 100)
        window.makeKeyAndVisible()
        try fixture.pump()
        try fixture.press(48)
        try fixture.pump()
        let serials = fixture.server.seats.map(\.serials.all)
        #expect(serials[0] != [])
        try fixture.handOver()
        #expect(fixture.server.seats.map(\.serials.all) == serials)
    }

    @Test("a client whose memory was not kept is disconnected, the log says why, and all others continue")
    func unkept() throws {
        var limits = Limits()
        limits.allDescriptors.share = 10
        let fixture = try ServerFixture(limits: limits)
        fixture.server.isHandOverPossible = true
        var warnings: [String] = []
        fixture.server.onLog = { level, line in if level == .warning { warnings.append(line) } }
        let (kept, lost) = (try fixture.connect("kept"), try fixture.connect("lost"))
        func show(_ client: TestClient) throws {
            let window = client.window("w").frame(0, 0, 40, 40)
            try client.attach(0xff00_ff00, width: 40, height: 40, to: window.surface)
            window.show()
            try fixture.pump()
        }
        try show(kept)
        for _ in 0..<2 { _ = try kept.buffer(0, width: 1, height: 1) }
        try fixture.pump()
        #expect(fixture.server.pools.descriptors == 3)
        try show(lost)
        // With the two sockets, half of the user's descriptors were in use.
        #expect(fixture.server.pools.descriptors == 3)
        try fixture.handOver()
        try fixture.pump()
        #expect(kept.isOpen && !lost.isOpen)
        #expect(fixture.model.windows.count == 1 && fixture.server.clientCount == 1)
        #expect(warnings.count == 1 && warnings[0].contains("the descriptor of a wl_shm_pool was not kept"))
    }

    @Test("W7: clients that disconnect or lose descriptors during a restart are removed; all others continue")
    func gone() throws {
        let fixture = try ServerFixture.handingOver()
        let clients = try ["stays", "hangs up", "lost"].map { try fixture.connect($0) }
        for (index, client) in clients.enumerated() {
            client.window("w\(index)").color(0xff00_ff00).level(Double(index)).makeKeyAndVisible()
            try fixture.pump()
        }
        _ = clients[0].takeEvents()
        try fixture.handOver { handOver in
            fixture.detach(clients[1])
            clients[1].connection.disconnect()
            // They are in order of connection.
            return HandOver(state: handOver.state, descriptors: Array(handOver.descriptors.prefix(2)))
        }
        try fixture.pump()
        #expect(clients[0].isOpen && !clients[2].isOpen)
        #expect(clients[0].takeEvents() == ["w0.didBecomeKey"])
        #expect(fixture.model.applications.count == 1 && fixture.model.checkInvariants() == [])
        #expect(fixture.model.allSurfaces.count == 1)
    }

    @Test("a client whose state is too large is disconnected, the log says why, and all others continue")
    func heavy() throws {
        let fixture = try ServerFixture.handingOver()
        var warnings: [String] = []
        fixture.server.onLog = { level, line in if level == .warning { warnings.append(line) } }
        let (heavy, light) = (try fixture.connect("heavy"), try fixture.connect("light"))
        light.window("w").show()
        let region = heavy.region((0..<1000).map { (x: Int32(2 * $0), y: 0, width: 1, height: 1) })
        for _ in 0..<100 {
            let surface = heavy.surface()
            surface.send(.setInputRegion(region: region.id))
            surface.send(.commit)
        }
        try fixture.pump()
        #expect(heavy.isOpen)
        try fixture.handOver { handOver in
            #expect(handOver.state.count < 1 << 20)
            return handOver
        }
        try fixture.pump()
        #expect(light.isOpen && !heavy.isOpen)
        #expect(warnings.count == 1 && warnings[0].contains("its state has more than 8388608 bytes"))
    }

    @Test("if there is no room for all descriptors, the clients with the most are left out")
    func manyDescriptors() throws {
        let fixture = try ServerFixture.handingOver()
        let (many, few) = (try fixture.connect("many"), try fixture.connect("few"))
        for client in [many, few] {
            for _ in 0..<(client === many ? 20 : 2) { _ = try client.buffer(0xff00_ff00, width: 8, height: 8) }
        }
        try fixture.pump()
        var counts: [Int] = []
        try fixture.handOver { handOver in
            counts.append(handOver.descriptors.count)
            return HandOver(state: handOver.state, descriptors: Array(handOver.descriptors.prefix(10)))
        }
        try fixture.pump()
        #expect(counts.allSatisfy { $0 > 20 })
        #expect(few.isOpen && !many.isOpen)
    }

    @Test("the two ends of a pipe are stored as different files")
    func names() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        let writer = HandOverWriter()
        let names = try ends.map { try writer.file(OwnedDescriptor($0)) }
        #expect(Set(names).count == 2)
        #expect(writer.descriptors.count == 2)
    }

    @Test("all requests that back-pressure holds back are handed over, up to the greatest possible number")
    func heldBack() {
        var pair: [Int32] = [-1, -1]
        socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0, &pair)
        defer { close(pair[1]) }
        // An incomplete message of the greatest length, and as much as is read at once after it.
        let received = [UInt8](repeating: 7, count: 65_532 + InputBuffer.size)
        let connection = Connection(socket: OwnedDescriptor(pair[0]))
        connection.restore(
            ConnectionBacklog(
                received: received, receivedDescriptors: [], hasHeldBack: true, queued: [], queuedDescriptors: []))
        #expect(connection.backlog.received == received)
    }
}
