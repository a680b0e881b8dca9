// Manual time: nothing ticks by itself, ticks are exact, and identical runs give identical results.

import DisplayServer
import Glibc
import MullionWayland
import TestSupport
import Testing
import WindowModel

@Suite struct ClockTests {
    /// A client that requests a frame callback after each one, and the times that it received, in milliseconds.
    private final class Animation {
        let client: TestClient
        let window: TestWindow
        var times: [UInt32] = []
        /// The number of frames that it draws.
        var frames: Int

        init(_ fixture: ServerFixture, frames: Int = .max, on screen: Int = 0) throws {
            self.frames = frames
            client = try fixture.connect("animation")
            window = client.window("w", on: client.screens[screen]).color(0xffff0000)
            window.show()
            draw()
            try fixture.pump()
        }

        private func draw() {
            guard times.count < frames else { return }
            let callback = Proxy<WlCallback>(client.connection, version: 1)
            callback.onEvent = { [unowned self] event in
                guard case .done(let time) = event else { return }
                times.append(time)
                draw()
            }
            window.surface.send(.frame(callback: callback.id))
            window.commit()
        }
    }

    /// The deadline of tick `number` at a rate in mHz, computed independently of the server.
    private func deadline(_ number: UInt64, _ millihertz: UInt64) -> UInt64 {
        let (whole, rest) = (number * 1_000_000_000).quotientAndRemainder(dividingBy: millihertz)
        return ServerClock.manualStart + whole + (rest > 0 ? 1 : 0)
    }

    @Test("frame callbacks are sent only when time is stepped, and then in the right number")
    func onlyWhenStepped() throws {
        let fixture = try ServerFixture(screens: ["640x480@50"], clock: .manual)
        let animation = try Animation(fixture)
        // Three periods of real time change nothing.
        let end = fixture.loop.now + 60_000
        while fixture.loop.now < end { try fixture.loop.runOnce(nonblocking: true) }
        try fixture.pump()
        #expect(animation.times == [] && fixture.server.clock.now == ServerClock.manualStart)
        #expect(try fixture.step(19_999) == 0)
        #expect(animation.times == [])
        #expect(try fixture.step(1) == 1)
        #expect(animation.times == [1020])
        #expect(try fixture.step(100_000) == 5)
        #expect(animation.times == [1020, 1040, 1060, 1080, 1100, 1120])
        #expect(try fixture.step(0) == 0)
    }

    @Test("59.94 Hz over 1001 steps is exact to the microsecond")
    func exact() throws {
        let fixture = try ServerFixture(screens: ["640x480@59.94"], clock: .manual)
        let animation = try Animation(fixture)
        for number: UInt64 in 1...1001 {
            let due = deadline(number, 59_940)
            #expect(try fixture.step(due - 1 - fixture.server.clock.now) == 0)
            #expect(try fixture.step(1) == 1)
            #expect(animation.times.count == Int(number))
            #expect(animation.times.last == UInt32(due / 1000))
        }
        // One long step is the same as many short ones.
        #expect(try fixture.step(deadline(2002, 59_940) - fixture.server.clock.now) == 1001)
        #expect(animation.times.count == 2002)
    }

    @Test("screens tick on their own grids, and a pause does not move the grid")
    func grids() throws {
        let fixture = try ServerFixture(screens: ["640x480@60", "640x480@144,external"], clock: .manual)
        let slow = try Animation(fixture)
        let fast = try Animation(fixture, on: 1)
        #expect(try fixture.step(1_000_000) == 60 + 144)
        #expect(slow.times.count == 60 && fast.times.count == 144)
        slow.frames = 61
        try fixture.step(123_456_789)
        #expect(slow.times.count == 61)
        let late = try Animation(fixture)
        let now = fixture.server.clock.now
        let due = try #require((1...20_000).lazy.map { deadline($0, 60_000) }.first { $0 > now })
        try fixture.step(due - now)
        #expect(late.times == [UInt32(due / 1000)])
    }

    @Test("until idle ends when no client requests a frame, and at the limit names those that still do")
    func untilIdle() throws {
        let fixture = try ServerFixture(screens: ["640x480@50"], clock: .manual)
        let control = try TestControl(fixture)
        let short = try Animation(fixture, frames: 7)
        #expect(
            try control.send("PATCH", "/v1/clock", #"{"until":"idle"}"#)
                == (200, #"{"mode":"manual","now":1140000,"ticks":7}"# + "\n"))
        #expect(short.times.count == 7)
        let endless = try Animation(fixture)
        endless.client.application.send(.setName(name: "endless"))
        try fixture.pump()
        let refused = try control.send("PATCH", "/v1/clock", #"{"until":"idle","limit":100000}"#)
        #expect(refused.status == 409, "\(refused.body)")
        #expect(refused.body.contains("endless (pid \(getpid())) requests frames"), "\(refused.body)")
        #expect(refused.body.contains(#""now":1240000"#), "\(refused.body)")
        #expect(!refused.body.contains("animation (pid"), "\(refused.body)")
    }

    @Test("R1: a rotation takes manual time; until idle ends with it")
    func turns() throws {
        let fixture = try ServerFixture(clock: .manual)
        let screen = fixture.mainScreen
        try fixture.server.rotate(screen, to: .landscapeLeft)
        #expect(try fixture.settle() == [])
        #expect(try fixture.step(299_999) == 0)
        #expect(fixture.model.isRotating(screen))
        let (early, _) = try fixture.step(.idle(limit: 0))
        guard case .busy(let causes) = early else {
            Issue.record("\(early)")
            return
        }
        #expect(causes.map(\.description) == ["screen BUILTIN-1 is turning"])
        #expect(try fixture.step(.idle(limit: 1)).ticks == 1)
        #expect(!fixture.model.isRotating(screen) && fixture.server.clock.now == 1_300_000)
    }

    /// Runs a session with every kind of timed event; returns the event log, the client's events and its frame times.
    private func run() throws -> (log: [String], client: [String], frames: [UInt32]) {
        let fixture = try ServerFixture(screens: ["640x480@59.94", "800x600@75,external,name=TV"], clock: .manual)
        let control = try TestControl(fixture)
        let log = try control.events()
        let animation = try Animation(fixture, frames: 40)
        let input = try TestInput(animation.client)
        let toplevel = animation.client.toplevel("t")
        toplevel.surface.send(.commit)
        try fixture.pump()
        try animation.client.attach(0xff00ff00, width: 40, height: 30, to: toplevel.surface)
        toplevel.surface.send(.commit)
        let acknowledge = toplevel.xdg.onEvent
        toplevel.xdg.onEvent = { event in
            acknowledge?(event)
            toplevel.surface.send(.commit)
        }
        #expect(try control.send("POST", "/v1/settle").status == 200)
        try fixture.step(100_000)
        #expect(
            try control.send("POST", "/v1/input", #"{"type":"tap","screen":"TV","x":5,"y":5}"#).status == 200)
        #expect(
            try control.send("POST", "/v1/input", #"{"type":"tap","screen":"BUILTIN-1","x":300,"y":300}"#).status
                == 200)
        try fixture.step(333_333)
        animation.window.makeKey()
        #expect(try control.send("POST", "/v1/input", #"{"type":"key","key":"A"}"#).status == 200)
        #expect(try control.send("DELETE", "/v1/screens/TV").status == 204)
        #expect(try control.send("PATCH", "/v1/clock", #"{"until":"idle"}"#).status == 200)
        return (try log(), animation.client.events + input.takeEvents(), animation.times)
    }

    @Test("two identical runs give identical event logs, times included")
    func identical() throws {
        let (first, second) = (try run(), try run())
        #expect(first.log.count > 8 && first.frames.count == 40 && first.client.count > 4)
        #expect(first.log == second.log)
        #expect(first.client == second.client)
        #expect(first.frames == second.frames)
    }

    @Test("real time is reported and cannot be stepped")
    func real() throws {
        let fixture = try ServerFixture()
        let control = try TestControl(fixture)
        let before = fixture.loop.now
        let shown = try control.send("GET", "/v1/clock")
        let now = try #require(shown.body.split { !$0.isNumber }.first.flatMap { UInt64($0) })
        #expect(shown.status == 200 && shown.body.contains(#""mode":"real""#) && now >= before)
        let refused = try control.send("PATCH", "/v1/clock", #"{"step":1}"#)
        #expect(refused.status == 409 && refused.body.contains("--clock manual"), "\(refused.body)")
    }

    @Test(
        "an invalid step is refused with an explanation, and time does not advance",
        arguments: [
            #"{}"#, #"{"step":-1}"#, #"{"step":1.5}"#, #"{"step":1,"until":"idle"}"#, #"{"step":1,"limit":5}"#,
            #"{"until":"noon"}"#, #"{"until":"idle","limit":86400000001}"#, #"{"step":18446744073709551615}"#,
            #"{"stop":1}"#, #"{"step":null}"#,
        ])
    func refused(body: String) throws {
        let fixture = try ServerFixture(clock: .manual)
        let control = try TestControl(fixture)
        let answer = try control.send("PATCH", "/v1/clock", body)
        #expect(answer.status == 400 && answer.body.contains("\"detail\":\""), "\(answer.body)")
        #expect(try control.send("GET", "/v1/clock").body == #"{"mode":"manual","now":1000000}"# + "\n")
    }

    @Test("a program that waits for a frame before it answers pings, as OpenGL does when it swaps buffers, is stepped")
    func swap() throws {
        let fixture = try ServerFixture(screens: ["640x480@50"], clock: .manual)
        let client = try fixture.connect("gl")
        client.application.send(.setName(name: "gl"))
        client.application.send(.destroy)
        let toplevel = try TestToplevel.map(client, fixture)
        var (pings, frames): ([UInt32], Int) = ([], 0)
        client.wmBase.onEvent = { if case .ping(let serial) = $0 { pings.append(serial) } }
        func swapBuffers() {
            let callback = Proxy<WlCallback>(client.connection, version: 1)
            callback.onEvent = { _ in
                frames += 1
                guard frames < 5 else {
                    for serial in pings { client.wmBase.send(.pong(serial: serial)) }
                    return
                }
                swapBuffers()
            }
            toplevel.surface.send(.frame(callback: callback.id))
            toplevel.surface.send(.damage(x: 0, y: 0, width: 1, height: 1))
            toplevel.surface.send(.commit)
        }
        swapBuffers()
        try fixture.pump()
        #expect(try fixture.step(60_000) == 3 && frames == 3)
        client.wmBase.onEvent = { if case .ping(let serial) = $0 { client.wmBase.send(.pong(serial: serial)) } }
        #expect(try fixture.step(60_000) == 2 && frames == 5)
    }

    @Test("time stops at a client that does not answer; disconnecting cancels a step; a concurrent step is refused")
    func stops() throws {
        let fixture = try ServerFixture(screens: ["640x480@50"], clock: .manual)
        let control = try TestControl(fixture)
        let animation = try Animation(fixture)
        let hung = try fixture.connect("hung")
        hung.application.send(.setName(name: "hung"))
        try fixture.pump()
        // It stops answering after two ticks.
        let answer = hung.onPing
        hung.onPing = { if animation.times.count < 2 { answer($0) } }
        let first = try control.start("PATCH", "/v1/clock", #"{"step":1000000}"#)
        try fixture.wait(for: "two ticks") { animation.times.count == 2 }
        let second = try control.send("PATCH", "/v1/clock", #"{"step":1}"#)
        #expect(second.status == 409 && second.body.contains("in progress"), "\(second.body)")
        close(first)
        try fixture.wait(for: "the step to end") { (try? fixture.server.stepper.begin(.step(0)) { _, _ in }) != nil }
        fixture.server.stepper.cancel()
        #expect(fixture.server.clock.now == 1_040_000)
        let stopped = try control.send("PATCH", "/v1/clock", #"{"step":1000000}"#)
        #expect(stopped.status == 503 && stopped.body.contains(#""now":1040000"#), "\(stopped.body)")
        #expect(stopped.body.contains("hung (pid \(getpid())) does not answer a ping"), "\(stopped.body)")
        #expect(!stopped.body.contains("animation ("), "\(stopped.body)")
        hung.onPing = answer
        #expect(try fixture.step(20_000) == 1)
    }
}
