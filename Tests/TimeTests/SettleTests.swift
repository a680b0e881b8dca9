// Settling: which clients are awaited, for what, and that no client is pinged unless a caller waits.

import DisplayServer
import Glibc
import MullionWayland
import TestSupport
import Testing

@testable import Displays

@Suite struct SettleTests {
    /// A toplevel that was configured and shows its content.
    private func toplevel(_ client: TestClient, _ fixture: ServerFixture) throws -> TestToplevel {
        let toplevel = client.toplevel("t")
        toplevel.surface.send(.commit)
        try fixture.pump()
        try client.attach(0xff00ff00, width: 40, height: 30, to: toplevel.surface)
        toplevel.surface.send(.commit)
        try fixture.pump()
        // It became key, and received a configure.
        toplevel.surface.send(.commit)
        try fixture.pump()
        return toplevel
    }

    /// Starts to wait; the result returns how it ended, nil while it has not.
    private func begin(_ fixture: ServerFixture, seconds: Double = 20) -> () -> [String]? {
        var result: [String]?
        fixture.server.settler.settle(within: UInt64(seconds * 1e6)) { outcome in
            if case .unsettled(let left) = outcome { result = left.map(\.description) } else { result = [] }
        }
        return { result }
    }

    @Test("settle waits for an acknowledgement and the commit after it, and names both")
    func slowAcknowledgement() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        client.application.send(.setName(name: "slow"))
        let toplevel = try toplevel(client, fixture)
        #expect(try fixture.settle() == [])
        toplevel.acknowledges = false
        var last: UInt32 = 0
        let onEvent = toplevel.xdg.onEvent
        toplevel.xdg.onEvent = { event in
            onEvent?(event)
            if case .configure(let serial) = event { last = serial }
        }
        toplevel.toplevel.send(.setMaximized)
        try fixture.pump()
        let who = "slow (pid \(getpid()))"
        let window = try #require(fixture.model.windows.first).rawValue
        #expect(
            try fixture.settle(seconds: 0.5)
                == ["\(who) has not acknowledged configure \(last) of window \(window)"])
        let waiting = begin(fixture)
        try fixture.pump()
        #expect(waiting() == nil)
        toplevel.xdg.send(.ackConfigure(serial: last))
        try fixture.pump()
        #expect(waiting() == nil)
        #expect(
            try fixture.settle(seconds: 0.5)
                == ["\(who) has not committed after acknowledging configure \(last) of window \(window)"])
        toplevel.surface.send(.commit)
        try fixture.wait(for: "the end") { waiting() != nil }
        #expect(waiting() == [])
    }

    @Test("a client that commits after its pong, from an idle handler, is awaited", arguments: [true, false])
    func idleHandler(isShellOnly: Bool) throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let window = client.window("w").color(0xffff0000)
        window.show()
        if isShellOnly { client.application.send(.destroy) }
        try fixture.pump()
        // The first pong is sent alone; the work is done before the next, as in an event loop's idle handler.
        var lateWork: (() -> Void)?
        var pongs = 0
        func pong(_ answer: () -> Void) {
            pongs += 1
            lateWork?()
            if pongs == 1 { lateWork = { window.frame(0, 0, 10, 10).commit() } } else { lateWork = nil }
            answer()
        }
        client.onPing = { serial in pong { client.application.send(.pong(serial: serial)) } }
        client.wmBase.onEvent = { event in
            guard case .ping(let serial) = event else { return }
            pong { client.wmBase.send(.pong(serial: serial)) }
        }
        #expect(try fixture.settle() == [])
        // Two would be enough for a quiet client; the work between them requires a third.
        #expect(pongs == 3)
        let id = try #require(fixture.model.windows.first)
        #expect(fixture.model.frame(of: id)?.size.width == 10)
    }

    @Test("a client that receives events while others answer is pinged again")
    func notifiedMeanwhile() throws {
        let fixture = try ServerFixture()
        let (one, two) = (try fixture.connect("one"), try fixture.connect("two"))
        let first = one.window("first").color(0xffff0000)
        first.makeKeyAndVisible()
        let second = two.window("second").color(0xff00ff00)
        second.show()
        try fixture.pump()
        _ = one.takeEvents()
        var asked = 0
        two.onPing = { serial in
            asked += 1
            // Takes key from the first client's window, which has answered already.
            if asked == 2 { second.makeKey() }
            two.application.send(.pong(serial: serial))
        }
        var received: [Bool] = []
        one.onPing = { serial in
            received.append(one.events.contains("first.didResignKey"))
            one.application.send(.pong(serial: serial))
        }
        #expect(try fixture.settle() == [])
        #expect(received.last == true && received.count >= 4, "\(received)")
    }

    @Test("clients that do not answer or do not read are named; those that bound nothing are checked by their socket")
    func hung() throws {
        let fixture = try ServerFixture()
        for (name, isBare) in [("deaf", false), ("silent", false), ("bare", true)] {
            let client = try fixture.connect(name)
            client.application.send(.setName(name: name))
            if isBare {
                client.application.send(.destroy)
                client.wmBase.send(.destroy)
            }
            try fixture.pump()
            if name == "silent" { client.onPing = { _ in } } else { fixture.detach(client) }
        }
        // Sends the bare one an event that it does not read.
        try fixture.server.plug(ScreenSpecification(parsing: "640x480,external"))
        let who = { (name: String) in "\(name) (pid \(getpid()))" }
        #expect(
            try fixture.settle(seconds: 0.5) == [
                "\(who("deaf")) does not read its events", "\(who("silent")) does not answer a ping",
                "\(who("bare")) does not read its events",
            ])
    }

    @Test("a client that bound nothing has settled when it has read everything")
    func bare() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        client.application.send(.destroy)
        client.wmBase.send(.destroy)
        try fixture.pump()
        try fixture.server.plug(ScreenSpecification(parsing: "640x480,external"))
        #expect(try fixture.settle() == [])
        #expect(client.globals.count { $0.interface == WlOutput.name } == 2)
    }

    /// What a program has that reads pings of xdg_wm_base without answering them.
    enum Silent: CaseIterable { case nothing, surface, hiddenWindow, visibleWindow }

    @Test("a client that shows nothing and ignores pings has settled when it has read them", arguments: Silent.allCases)
    func ignoresPings(has: Silent) throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect("silent")
        client.application.send(.setName(name: "silent"))
        client.application.send(.destroy)
        var pings = 0
        client.wmBase.onEvent = { if case .ping = $0 { pings += 1 } }
        var own: TestToplevel?
        switch has {
        case .nothing: break
        case .surface: client.surface().send(.commit)
        case .hiddenWindow, .visibleWindow: own = try toplevel(client, fixture)
        }
        if has == .hiddenWindow {
            own?.toplevel.send(.setMinimized)
            try fixture.pump()
            own?.surface.send(.commit)
        }
        // Another client answers, and commits after its pong.
        let other = try toplevel(fixture.connect("other"), fixture)
        let start = fixture.loop.now
        let reasons = try fixture.settle(seconds: 4)
        guard has != .visibleWindow else {
            #expect(reasons == ["silent (pid \(getpid())) does not answer a ping"])
            return
        }
        #expect(reasons == [])
        #expect(fixture.loop.now - start >= 1_400_000, "it may be about to show a window")
        // Once known, it is not waited for again.
        let asked = pings
        #expect(try fixture.settle() == [] && fixture.settle() == [] && pings == asked)
        // It is when it shows a window.
        let shown = try toplevel(client, fixture)
        client.wmBase.onEvent = { [unowned client] event in
            guard case .ping(let serial) = event else { return }
            pings += 1
            client.wmBase.send(.pong(serial: serial))
        }
        #expect(try fixture.settle() == [] && pings > asked)
        _ = (other, shown)
    }

    @Test("a client that shows nothing and does not read is still named")
    func ignoresEvents() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect("deaf")
        client.application.send(.setName(name: "deaf"))
        client.application.send(.destroy)
        try fixture.pump()
        fixture.detach(client)
        #expect(try fixture.settle(seconds: 1.5) == ["deaf (pid \(getpid())) does not read its events"])
    }

    @Test("pending frames are awaited in real time, and not in manual time")
    func frames() throws {
        for clock in [ClockMode.real, .manual] {
            let fixture = try ServerFixture(clock: clock)
            let client = try fixture.connect()
            let window = client.window("w").color(0xffff0000)
            var frames = 0
            func draw() {
                let callback = Proxy<WlCallback>(client.connection, version: 1)
                callback.onEvent = { _ in
                    frames += 1
                    if frames < 5 { draw() }
                }
                window.surface.send(.frame(callback: callback.id))
                window.commit()
            }
            window.show()
            draw()
            try fixture.pump()
            #expect(try fixture.settle() == [])
            #expect(frames == (clock == .real ? 5 : 0))
        }
    }

    @Test("R1: a turn under way is awaited in real time, and named")
    func turns() throws {
        let fixture = try ServerFixture()
        let screen = fixture.mainScreen
        try fixture.server.rotate(screen, to: .landscapeLeft, duration: 1_000_000)
        #expect(try fixture.settle(seconds: 0.1) == ["screen BUILTIN-1 is turning"])
        #expect(try fixture.settle() == [])
        #expect(!fixture.model.isRotating(screen))
    }

    @Test("no client is pinged unless a caller waits, and no timer is left afterwards")
    func nothingPolls() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        var pings = 0
        let answer = client.onPing
        client.onPing = {
            pings += 1
            answer($0)
        }
        client.window("w").color(0xffff0000).show()
        try fixture.pump()
        #expect(pings == 0)
        #expect(try fixture.settle() == [])
        #expect(pings == 2)
        try fixture.pump()
        let end = fixture.loop.now + 20_000
        var busy = 0
        while fixture.loop.now < end { busy += try fixture.loop.runOnce(nonblocking: true) ? 1 : 0 }
        #expect(busy == 0 && pings == 2)
    }

    @Test("POST /v1/settle answers when all is quiet, and with 503 and the reasons when the time is over")
    func control() throws {
        let fixture = try ServerFixture()
        let control = try TestControl(fixture)
        #expect(try control.send("POST", "/v1/settle") == (200, #"{"settled":true}"# + "\n"))
        let client = try fixture.connect("busy")
        client.application.send(.setName(name: "bu\u{1b}sy"))
        try fixture.pump()
        // Sends requests without end.
        client.onPing = { serial in
            client.connection.display.send(.sync(callback: Proxy<WlCallback>(client.connection, version: 1).id))
            client.application.send(.pong(serial: serial))
        }
        let answer = try control.send("POST", "/v1/settle?timeout=0.5")
        // Which of the three it is depends on the moment of the timeout.
        let reasons = ["does not stop sending requests", "does not answer a ping", "does not read its events"]
        #expect(answer.status == 503 && answer.body.contains(#"bu\u001bsy"#), "\(answer.body)")
        #expect(reasons.contains { answer.body.contains($0) }, "\(answer.body)")
        for (value, mistake) in [("-1", "is out of range"), ("700", "is out of range"), ("5s", "is not a number")] {
            let (status, body) = try control.send("POST", "/v1/settle?timeout=\(value)")
            #expect(status == 400 && body.contains("timeout=\(value) \(mistake); use 0"), "\(body)")
        }
        client.onPing = { client.application.send(.pong(serial: $0)) }
        #expect(try control.send("POST", "/v1/settle").status == 200)
    }
}
