// ext_idle_notifier_v1 and org_kde_kwin_idle: how long a user has been away.

import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct IdleTests {
    /// A client's notifications on manual time.
    private final class Watcher {
        let client: TestClient
        let seat: Proxy<WlSeat>
        let notifier: Proxy<ExtIdleNotifierV1>
        let kde: Proxy<OrgKdeKwinIdle>
        private(set) var events: [String] = []
        private var kept: [Proxy<ExtIdleNotificationV1>] = []

        init(_ client: TestClient, version: UInt32 = 2, seat index: Int = 0) throws {
            self.client = client
            seat = try client.seat(index)
            notifier = try client.bind(ExtIdleNotifierV1.self, version: version)
            kde = try client.bind(OrgKdeKwinIdle.self)
        }

        @discardableResult
        func notify(_ name: String, after milliseconds: UInt32, ignoringInhibitors: Bool = false) -> Proxy<
            ExtIdleNotificationV1
        > {
            let object = Proxy<ExtIdleNotificationV1>(client.connection, version: notifier.version)
            notifier.send(
                ignoringInhibitors
                    ? .getInputIdleNotification(id: object.id, timeout: milliseconds, seat: seat.id)
                    : .getIdleNotification(id: object.id, timeout: milliseconds, seat: seat.id))
            object.onEvent = { [weak self] event in
                switch event {
                case .idled: self?.events.append("\(name) idled")
                case .resumed: self?.events.append("\(name) resumed")
                }
            }
            kept.append(object)
            return object
        }

        func notifyKDE(_ name: String, after milliseconds: UInt32) -> Proxy<OrgKdeKwinIdleTimeout> {
            let object = Proxy<OrgKdeKwinIdleTimeout>(client.connection, version: 1)
            kde.send(.getIdleTimeout(id: object.id, seat: seat.id, timeout: milliseconds))
            object.onEvent = { [weak self] event in
                switch event {
                case .idle: self?.events.append("\(name) idle")
                case .resumed: self?.events.append("\(name) resumed")
                }
            }
            return object
        }

        func takeEvents() -> [String] {
            defer { events = [] }
            return events
        }
    }

    private let fixture: ServerFixture
    private let watcher: Watcher

    init() throws {
        fixture = try ServerFixture(clock: .manual)
        watcher = try Watcher(fixture.connect("watcher"))
        try fixture.pump()
    }

    private func step(milliseconds: UInt64) throws -> [String] {
        try fixture.step(milliseconds * 1000)
        try fixture.pump()
        return watcher.takeEvents()
    }

    @Test("a seat is idle after the time without input, active with the next input, and idle again")
    func idles() throws {
        watcher.notify("long", after: 5000)
        watcher.notify("short", after: 2000)
        try fixture.pump()
        #expect(try step(milliseconds: 1999) == [])
        #expect(try step(milliseconds: 1) == ["short idled"])
        #expect(try step(milliseconds: 3000) == ["long idled"])
        #expect(try step(milliseconds: 60_000) == [])
        try fixture.press(30)
        #expect(watcher.takeEvents().sorted() == ["long resumed", "short resumed"])
        #expect(try step(milliseconds: 1500) == [])
        // Input before the time is over starts it anew.
        try fixture.press(30)
        #expect(try step(milliseconds: 1999) == [])
        #expect(try step(milliseconds: 1) == ["short idled"])
    }

    @Test("every kind of input counts, also what no window receives")
    func kinds() throws {
        watcher.notify("n", after: 1000)
        let model = fixture.model
        let screen = fixture.mainScreen
        let steps: [(UInt64) throws -> Void] = [
            { _ = try model.pointerMoved(to: .zero, on: screen, time: $0) },
            { _ = try model.pointerButton(code: 272, pressed: true, time: $0) },
            { _ = try model.scroll(Event.Scroll(deltaX: 0, deltaY: 1), phase: nil, time: $0) },
            { _ = try model.press(key: 30, pressed: true, time: $0) },
            { _ = try model.touch(id: 1, phase: .began, at: .zero, on: screen, time: $0) },
            { _ = try model.shake(.began, time: $0) }, { _ = try model.remoteControl(.play, time: $0) },
        ]
        for (index, input) in steps.enumerated() {
            #expect(try step(milliseconds: 1000) == ["n idled"], "\(index)")
            try input(fixture.server.clock.now)
            try fixture.pump()
            #expect(watcher.takeEvents() == ["n resumed"], "\(index)")
        }
        // Invalid input is none.
        #expect(try step(milliseconds: 1000) == ["n idled"])
        #expect(throws: ModelError.self) {
            try model.pointerButton(code: 272, pressed: true, time: fixture.server.clock.now)
        }
        try fixture.pump()
        #expect(watcher.takeEvents() == [])
    }

    @Test("a visible idle inhibitor keeps the seat active, and the time begins when it ends; version 2 can ignore it")
    func inhibitors() throws {
        let player = try fixture.connect("player")
        let window = player.window("video").color(0xff00_0000)
        let manager = try player.bind(ZwpIdleInhibitManagerV1.self)
        let inhibitor = Proxy<ZwpIdleInhibitorV1>(player.connection, version: 1)
        manager.send(.createInhibitor(id: inhibitor.id, surface: window.surface.id))
        watcher.notify("all", after: 1000)
        watcher.notify("input", after: 1000, ignoringInhibitors: true)
        try fixture.pump()
        // The window is hidden: it does not count.
        #expect(try step(milliseconds: 1000) == ["all idled", "input idled"])
        window.show()
        try fixture.pump()
        #expect(watcher.takeEvents() == [], "idle until there is input")
        try fixture.press(30)
        #expect(watcher.takeEvents() == ["all resumed", "input resumed"])
        #expect(try step(milliseconds: 5000) == ["input idled"])
        window.hide()
        try fixture.pump()
        #expect(try step(milliseconds: 999) == [])
        #expect(try step(milliseconds: 1) == ["all idled"])
        try fixture.press(30)
        window.show()
        try fixture.pump()
        _ = watcher.takeEvents()
        #expect(try step(milliseconds: 5000) == ["input idled"])
        try player.kill()
        #expect(try step(milliseconds: 1000) == ["all idled"])
    }

    @Test("KDE's protocol: the same, and simulated activity starts the time of one object anew")
    func kde() throws {
        let first = watcher.notifyKDE("a", after: 1000)
        _ = watcher.notifyKDE("b", after: 1000)
        try fixture.pump()
        #expect(try step(milliseconds: 600) == [])
        first.send(.simulateUserActivity)
        try fixture.pump()
        #expect(try step(milliseconds: 400) == ["b idle"])
        #expect(try step(milliseconds: 600) == ["a idle"])
        first.send(.simulateUserActivity)
        try fixture.pump()
        #expect(watcher.takeEvents() == ["a resumed"])
        try fixture.press(30)
        #expect(watcher.takeEvents() == ["b resumed"])
        first.send(.release)
        try fixture.pump()
        #expect(try step(milliseconds: 1000) == ["b idle"])
    }

    @Test("K1: each seat has its own time")
    func seats() throws {
        let setup = try SeatFixture()
        let client = try setup.fixture.connect("watcher")
        let watchers = try [0, 1].map { try Watcher(client, seat: $0) }
        for (index, watcher) in watchers.enumerated() { watcher.notify("\(index)", after: 1) }
        try setup.fixture.wait(for: "both to be idle") { watchers.allSatisfy { $0.events.count == 1 } }
        try setup.move(10, 10, by: 1)
        try setup.fixture.pump()
        #expect(watchers[1].events.prefix(2) == ["1 idled", "1 resumed"])
        #expect(watchers[0].events == ["0 idled"])
    }

    @Test("without the right view a time under a second is a second: keystrokes cannot be timed")
    func rights() throws {
        #expect(try step(milliseconds: 1) == [])
        watcher.notify("own", after: 0)
        fixture.server.peerPolicy = PeerPolicy(rules: [PeerRule(rights: [.capture, .inject])])
        let other = try Watcher(fixture.connect("other"))
        other.notify("other", after: 0)
        try fixture.pump()
        #expect(try step(milliseconds: 999) == ["own idled"])
        #expect(other.takeEvents() == [])
        _ = try step(milliseconds: 1)
        #expect(other.takeEvents() == ["other idled"])
    }

    @Test("nobody waits, nothing wakes: no timer without notifications, or while all are idle or inhibited")
    func quiet() throws {
        let clock = fixture.server.clock
        #expect(clock.nextDeadline == nil)
        let notification = watcher.notify("n", after: 1000)
        try fixture.pump()
        #expect(clock.nextDeadline != nil)
        #expect(try step(milliseconds: 1000) == ["n idled"])
        #expect(clock.nextDeadline == nil)
        try fixture.press(30)
        #expect(clock.nextDeadline != nil)
        notification.send(.destroy)
        try fixture.pump()
        #expect(clock.nextDeadline == nil)
    }

    @Test("time that is stepped until nothing happens does not wait for users to be away")
    func untilIdle() throws {
        watcher.notify("n", after: 1000)
        try fixture.pump()
        let begin = fixture.server.clock.now
        let (outcome, ticks) = try fixture.step(.idle(limit: 60_000_000))
        guard case .done = outcome else { throw FixtureError("\(outcome)") }
        #expect(ticks == 0 && fixture.server.clock.now == begin)
    }

    @Test("the longest time is accepted; an object that is no seat, and version 2's request in version 1, are errors")
    func errors() throws {
        watcher.notify("never", after: .max)
        try fixture.pump()
        #expect(try step(milliseconds: 100_000) == [] && watcher.client.isOpen)
        let old = try Watcher(fixture.connect("old"), version: 1)
        old.notify("old", after: 1, ignoringInhibitors: true)
        let wrong = try Watcher(fixture.connect("wrong"))
        let object = Proxy<ExtIdleNotificationV1>(wrong.client.connection, version: 2)
        wrong.notifier.send(.getIdleNotification(id: object.id, timeout: 1, seat: wrong.notifier.id))
        let many = try Watcher(fixture.connect("many"))
        for _ in 0...1024 { many.notify("many", after: 1) }
        try fixture.pump()
        #expect(old.client.protocolError?.code == WlDisplay.Error.invalidMethod.rawValue)
        #expect(wrong.client.protocolError?.code == WlDisplay.Error.invalidObject.rawValue)
        #expect(many.client.protocolError?.code == WlDisplay.Error.noMemory.rawValue)
        #expect(watcher.client.isOpen)
    }

    @Test("swayidle, as Debian ships it, runs its commands on manual time")
    func swayidle() throws {
        let program = try fixture.spawn("swayidle", ["-w", "timeout", "600", "echo AWAY", "resume", "echo BACK"])
        try fixture.wait(for: "its notification") { fixture.server.clock.nextDeadline != nil }
        var output = ""
        func wait(for line: String) throws {
            try fixture.wait(for: line) {
                output += program.readOutput()
                return output.contains("\(line)\n")
            }
        }
        try fixture.step(599_000_000)
        #expect(!program.readOutput().contains("AWAY"))
        try fixture.step(1_000_000)
        try wait(for: "AWAY")
        try fixture.press(30)
        try wait(for: "BACK")
    }

    @Test("over a restart the time goes on, idle stays idle, and inhibitors stay")
    func handOver() throws {
        let fixture = try ServerFixture.handingOver(clock: .manual)
        let watcher = try Watcher(fixture.connect("watcher"))
        watcher.notify("short", after: 1000)
        watcher.notify("long", after: 5000)
        let player = try fixture.connect("player")
        let window = player.window("video").color(0xff00_0000)
        let manager = try player.bind(ZwpIdleInhibitManagerV1.self)
        let inhibitor = Proxy<ZwpIdleInhibitorV1>(player.connection, version: 1)
        manager.send(.createInhibitor(id: inhibitor.id, surface: window.surface.id))
        try fixture.pump()
        try fixture.step(2_000_000)
        try fixture.pump()
        #expect(watcher.takeEvents() == ["short idled"])
        try fixture.handOver()
        try fixture.pump()
        try fixture.step(2_999_000)
        try fixture.pump()
        #expect(watcher.takeEvents() == [])
        try fixture.step(1000)
        try fixture.pump()
        #expect(watcher.takeEvents() == ["long idled"])
        try fixture.press(30)
        #expect(watcher.takeEvents() == ["short resumed", "long resumed"])
        window.show()
        try fixture.pump()
        try fixture.handOver()
        try fixture.pump()
        try fixture.step(10_000_000)
        try fixture.pump()
        #expect(watcher.takeEvents() == [])
    }
}
