// Locks survive a restart of the server.

import DisplayServer
import MullionWayland
import TestSupport
import Testing
import WindowModel

@Suite struct LockHandOverTests {
    @Test("a restarted server is still locked, shows the same, and its client unlocks it")
    func locked() throws {
        let setup = try LockFixture(ServerFixture.handingOver())
        let (lock, surface) = try setup.lock()
        let before = setup.model.snapshot()
        try setup.fixture.handOver()
        try setup.fixture.pump()
        #expect(setup.model.snapshot() == before)
        #expect(try setup.isColor(0x00ff00))
        #expect(lock.events == ["locked"] && surface.configures == ["800x600"])
        try surface.draw(0xff123456)
        try setup.fixture.pump()
        #expect(try setup.isColor(0x123456))
        #expect(try setup.fixture.tap(x: 5, y: 5).hit?.window == setup.model.windows.last)
        let other = try setup.fixture.connect("other")
        let refused = try TestLock(other)
        try setup.fixture.pump()
        #expect(refused.events == ["finished"])
        lock.unlock()
        try setup.fixture.pump()
        #expect(try setup.isColor(0xff0000))
        #expect(setup.model.keyWindow == setup.model.windows.first && setup.locker.isOpen)
    }

    @Test("so is one whose lock was abandoned before, or whose client ends with the restart")
    func abandoned() throws {
        let setup = try LockFixture(ServerFixture.handingOver())
        _ = try setup.lock()
        try setup.locker.kill()
        try setup.fixture.handOver()
        #expect(setup.model.isLocked)
        #expect(try setup.isColor(0))
        let next = try setup.fixture.connect("next")
        let (lock, _) = try setup.lock(next)
        #expect(lock.events == ["locked"])
        try setup.fixture.handOver()
        try next.kill()
        #expect(setup.model.isLocked && setup.model.lockHolder == nil)
        #expect(try setup.isColor(0))
        #expect(setup.fixture.server.sessionLock.unlock())
        #expect(try setup.isColor(0xff0000))
    }

    @Test("reserved input stays reserved")
    func inhibitor() throws {
        let setup = try LockFixture(ServerFixture.handingOver())
        let manager = try setup.locker.bind(ZwlrInputInhibitManagerV1.self)
        let inhibitor = Proxy<ZwlrInputInhibitorV1>(setup.locker.connection, version: 1)
        manager.send(.getInhibitor(id: inhibitor.id))
        try setup.fixture.pump()
        try setup.fixture.handOver()
        try setup.fixture.pump()
        #expect(try setup.fixture.tap(x: 5, y: 5).reason == .reserved)
        inhibitor.send(.destroy)
        try setup.fixture.pump()
        #expect(try setup.fixture.tap(x: 5, y: 5).hit != nil)
        #expect(setup.locker.isOpen)
    }
}
