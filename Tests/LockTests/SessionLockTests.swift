// ext_session_lock_v1: what is seen, who can unlock, and what the protocol forbids.

import DisplayServer
import MullionWayland
import TestSupport
import Testing
import WindowModel

@Suite struct SessionLockTests {
    @Test("L1: locked at once, screens are black, then show the surfaces of the lock and nothing else")
    func pictures() throws {
        let setup = try LockFixture()
        let copies = try TestScreencopy(setup.editor)
        let output = try setup.editor.bind(WlOutput.self)
        #expect(try setup.isColor(0xff0000))
        let lock = try TestLock(setup.locker)
        try setup.fixture.pump()
        #expect(lock.events == ["locked"])
        #expect(try setup.isColor(0))
        let frame = copies.frame(of: output, cursor: true)
        try setup.fixture.pump()
        try frame.copy()
        try setup.fixture.wait(for: "a copy") { frame.isReady }
        #expect(try frame.pixels().allSatisfy { $0 & 0xffffff == 0 })
        let surface = lock.surface(on: try setup.locker.bind(WlOutput.self))
        try setup.fixture.pump()
        #expect(surface.configures == ["800x600"])
        #expect(try setup.isColor(0))
        try surface.map(setup.fixture)
        #expect(try setup.isColor(0x00ff00))
        // What others show or change meanwhile is not seen.
        let banner = setup.editor.window("banner").color(0xff0000ff).level(Window.Level.highest)
        banner.makeKeyAndVisible()
        try setup.fixture.pump()
        #expect(try setup.isColor(0x00ff00))
        #expect(setup.model.window(setup.model.windows[1])?.level == Window.Level.lock)
        lock.unlock()
        try setup.fixture.pump()
        #expect(try setup.isColor(0x0000ff))
        #expect(!setup.model.isLocked && setup.locker.isOpen)
    }

    @Test("L1: locked is not sent before pictures that show the windows are complete")
    func lockedAfterDrawings() throws {
        let setup = try LockFixture()
        try setup.fixture.pump()
        var pictures: [Bool] = []
        let screen = setup.fixture.mainScreen
        setup.fixture.server.capture([screen]) { pictures.append($0[0].1.pixels[0] & 0xffffff == 0xff0000) }
        let lock = try TestLock(setup.locker)
        try setup.locker.flush()
        // Its request is handled, but the picture is drawn in later turns.
        var eventsBefore: [String]?
        try setup.fixture.wait(for: "the picture") {
            if pictures.isEmpty { eventsBefore = lock.events }
            return !pictures.isEmpty
        }
        try setup.fixture.wait(for: "the lock") { lock.events == ["locked"] }
        #expect(pictures == [true])
        #expect(eventsBefore != ["locked"])
    }

    @Test("L1: a screen that is plugged in is black until it has a surface, which may come and go")
    func hotPlug() throws {
        let setup = try LockFixture(ServerFixture(screens: ["800x600", "400x300,external,name=B"]))
        let b = try #require(setup.model.screen(named: "B"))
        let other = setup.editor.window("other", on: setup.editor.screens[1]).color(0xff0000ff).frame(0, 0, 400, 300)
        other.show()
        let (lock, _) = try setup.lock()
        #expect(try setup.isColor(0, b.id))
        try setup.fixture.server.disconnect(b.id)
        try setup.fixture.pump()
        let again = try setup.fixture.server.connect(b.properties)
        try setup.fixture.pump()
        #expect(try setup.isColor(0, again))
        let name = try #require(setup.locker.globals.last { $0.interface == WlOutput.name }?.name)
        let output = try setup.locker.bind(WlOutput.self, name: name)
        let surface = lock.surface(on: output)
        try surface.map(setup.fixture, 0xff112233)
        #expect(surface.configures == ["400x300"])
        #expect(try setup.isColor(0x112233, again))
        #expect(try setup.isColor(0x00ff00))
        // Unplugged: its window is gone, requests for it are ignored, and the next one has another object.
        try setup.fixture.server.disconnect(again)
        try setup.fixture.pump()
        try surface.draw()
        surface.object.send(.destroy)
        try setup.fixture.pump()
        #expect(setup.locker.isOpen)
        #expect(setup.model.windows.count { setup.model.window($0)?.isOfLock == true } == 1)
    }

    @Test("R2: a surface receives the size of its screen when that turns, and is drawn by then as it is")
    func turned() throws {
        let setup = try LockFixture()
        let (_, surface) = try setup.lock()
        try setup.fixture.server.rotate(setup.fixture.mainScreen, to: .landscapeLeft, duration: 0)
        try setup.fixture.pump()
        #expect(surface.configures == ["800x600", "600x800"])
        surface.acknowledge()
        try surface.draw()
        try setup.fixture.pump()
        #expect(setup.locker.isOpen)
        #expect(try setup.isColor(0x00ff00))
    }

    @Test("L3: while a client holds the lock another one is finished, and its objects have no effect")
    func second() throws {
        let setup = try LockFixture()
        _ = try setup.lock()
        let other = try setup.fixture.connect("other")
        let refused = try TestLock(other)
        let surface = refused.surface(on: try other.bind(WlOutput.self))
        try setup.fixture.pump()
        #expect(refused.events == ["finished"] && surface.configures == [])
        try other.attach(0xffffffff, width: 10, height: 10, to: surface.surface)
        surface.surface.send(.commit)
        refused.lock.send(.destroy)
        try setup.fixture.pump()
        #expect(other.isOpen && setup.model.isLocked)
        #expect(try setup.isColor(0x00ff00))
    }

    @Test("L3: the server stays locked when the client dies, and another one takes over and unlocks")
    func abandoned() throws {
        let setup = try LockFixture()
        _ = try setup.lock()
        try setup.locker.kill()
        #expect(setup.model.isLocked && setup.model.lockHolder == nil)
        #expect(try setup.isColor(0))
        #expect(try setup.fixture.tap(x: 10, y: 10).reason == .locked)
        let rescuer = try setup.fixture.connect("rescuer")
        let (lock, surface) = try setup.lock(rescuer)
        #expect(lock.events == ["locked"] && surface.configures == ["800x600"])
        #expect(try setup.isColor(0x00ff00))
        lock.unlock()
        try setup.fixture.pump()
        #expect(try setup.isColor(0xff0000))
        #expect(setup.model.checkInvariants() == [])
    }

    @Test("L3: an administrator unlocks, with or without a client that holds the lock, which is finished")
    func administrator() throws {
        let setup = try LockFixture()
        let control = try TestControl(setup.fixture)
        #expect(try control.send("DELETE", "/v1/lock").status == 409)
        let (lock, _) = try setup.lock()
        let status = try control.send("GET", "/v1/status").body
        #expect(status.contains("\"locked\":true") && status.contains("\"lockHolder\":2"))
        let window = try #require(setup.model.windows.last)
        #expect(try control.send("PATCH", "/v1/windows/\(window)", "{\"hidden\": true}").status == 409)
        #expect(try control.send("DELETE", "/v1/windows/\(window)?force=true").status == 409)
        let answer = try control.send(
            "POST", "/v1/input", "{\"type\": \"tap\", \"screen\": 1, \"x\": 1, \"y\": 1}")
        #expect(answer.body.contains("\"window\":\(window)"), "\(answer)")
        #expect(try control.send("DELETE", "/v1/lock").status == 204)
        #expect(lock.events == ["locked", "finished"] && !setup.model.isLocked)
        #expect(try setup.isColor(0xff0000))
        lock.unlock()
        try setup.fixture.pump()
        #expect(setup.locker.isOpen)
        // Also one that nobody holds.
        _ = try setup.lock()
        try setup.locker.kill()
        #expect(try control.send("GET", "/v1/status").body.contains("abandoned"))
        let dropped = try control.send(
            "POST", "/v1/input", "{\"type\": \"tap\", \"screen\": 1, \"x\": 1, \"y\": 1}")
        #expect(dropped.body.contains("\"reason\":\"locked\""), "\(dropped)")
        #expect(try control.send("DELETE", "/v1/lock").status == 204)
        #expect(try setup.isColor(0xff0000))
    }

    @Test("without the right lock there is neither protocol")
    func right() throws {
        let fixture = try ServerFixture()
        fixture.server.peerPolicy = PeerPolicy(rules: [PeerRule(rights: [.view, .administer])])
        let client = try fixture.connect()
        let names = client.globals.map(\.interface)
        #expect(!names.contains(ExtSessionLockManagerV1.name) && !names.contains(ZwlrInputInhibitManagerV1.name))
        #expect(names.contains(ZwlrOutputManagerV1.name))
    }

    /// What a client can do wrong.
    enum Mistake: String, CaseIterable {
        case destroy, role, twoSurfaces, hasBuffer, earlyCommit, noBuffer, size, serial

        /// The code of the error.
        var code: UInt32 {
            switch self {
            case .destroy, .earlyCommit: 0
            case .noBuffer: 1
            case .role, .size: 2
            case .twoSurfaces, .serial: 3
            case .hasBuffer: 4
            }
        }

        func make(_ setup: LockFixture, _ lock: TestLock, _ output: Proxy<WlOutput>) throws {
            var known: Proxy<WlSurface>?
            switch self {
            case .destroy: return lock.lock.send(.destroy)
            case .role: known = setup.locker.toplevel("t").surface
            case .twoSurfaces: _ = lock.surface(on: output)
            case .hasBuffer:
                let surface = setup.locker.surface()
                try setup.locker.attach(0xffff_ffff, width: 4, height: 4, to: surface)
                known = surface
            case .earlyCommit, .noBuffer, .size, .serial: break
            }
            let surface = lock.surface(on: output, known: known)
            try setup.fixture.pump()
            if self != .earlyCommit { surface.acknowledge() }
            switch self {
            case .size: try surface.draw(width: 799)
            case .serial: surface.acknowledge()
            default: surface.surface.send(.commit)
            }
            try setup.fixture.pump()
        }
    }

    @Test("what the protocol forbids disconnects the client and leaves the server locked", arguments: Mistake.allCases)
    func mistakes(mistake: Mistake) throws {
        let setup = try LockFixture()
        let lock = try TestLock(setup.locker)
        let output = try setup.locker.bind(WlOutput.self)
        try setup.fixture.pump()
        try mistake.make(setup, lock, output)
        try setup.fixture.pump()
        #expect(setup.locker.protocolError?.code == mistake.code)
        #expect(setup.model.isLocked && setup.model.lockHolder == nil)
        #expect(try setup.isColor(0))
    }

    @Test("unlocking before locked is an error; a lock withdrawn by then has no effect")
    func early() throws {
        let setup = try LockFixture()
        let other = try setup.fixture.connect("other")
        let lock = try TestLock(setup.locker)
        try setup.fixture.pump()
        // This one is refused, and never locked.
        let refused = try TestLock(other)
        refused.unlock()
        try setup.fixture.pump()
        #expect(other.protocolError?.code == 1)
        #expect(setup.model.isLocked && lock.events == ["locked"])
    }
}
