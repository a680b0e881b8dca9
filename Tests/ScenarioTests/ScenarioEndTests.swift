// How scenarios end, and what else may run at the same time.

import DisplayServer
import Glibc
import TestSupport
import Testing
import WindowModel

@testable import ControlAPI

@Suite struct ScenarioEndTests {
    /// Starts a scenario, waits for a moment, and disconnects.
    private func cancel(
        _ steps: String, _ fixture: ServerFixture, _ control: TestControl, at moment: () throws -> Bool
    ) throws {
        let descriptor = try control.start("POST", "/v1/scenarios", TestControl.scenario(steps))
        try fixture.wait(for: "its moment", until: moment)
        try end(descriptor, fixture, control)
    }

    private func end(_ descriptor: Int32, _ fixture: ServerFixture, _ control: TestControl) throws {
        close(descriptor)
        try fixture.wait(for: "its end") { fixture.model.applications.count == fixture.server.clientCount }
        #expect(fixture.model.windows.isEmpty && fixture.model.touchCount == 0)
        // Nothing is left over that could affect the next one.
        let steps = "{plug: '9x9,name=N'}, {claim: {title: 'x', key: true}}, {expect: {key: 'x'}}, {unplug: 'N'}"
        var next = try control.run(steps)
        // The server may read the request only now, and then that its client has hung up.
        try fixture.wait(for: "the end of the first one") {
            if next.status == 409 { next = try control.run(steps) }
            return next.status != 409
        }
        #expect(next.isDone, "\(next)")
    }

    @Test(
        "a scenario ends when its client disconnects: in a wait, with fingers and keys down",
        arguments: ClockMode.allCases)
    func wait(clock: ClockMode) throws {
        let fixture = try ServerFixture(screens: ["400x300"], clock: clock)
        let control = try TestControl(fixture)
        let begin = """
            {claim: {title: 'a', key: true}}, {input: [{type: 'touch', id: 4, phase: 'began', x: 9, y: 9},
            {type: 'key', key: 'shift', action: 'down'}, {type: 'hover', x: 1, y: 1}, {type: 'button', pressed: true}]},
            """
        // Expectations can be awaited with either clock; a duration only with the real one.
        try cancel(begin + "{expect: {key: 'no', within: '3600s'}}", fixture, control) { fixture.model.touchCount == 1 }
        #expect(fixture.model.pressedKeys.isEmpty)
        guard clock == .real else { return }
        try cancel(begin + "{wait: '3600s'}", fixture, control) { fixture.model.touchCount == 1 }
    }

    @Test("a scenario ends when its client disconnects: while time is stepped and clients are awaited")
    func step() throws {
        let fixture = try ServerFixture(screens: ["400x300"], clock: .manual)
        let control = try TestControl(fixture)
        control.control.scenarioPatience = 600_000_000
        let client = try fixture.connect()
        let answer = client.onPing
        var pings: [UInt32] = []
        for steps in ["{wait: '1s'}", "{claim: {title: 'a'}}, {wait: '1s'}"] {
            client.onPing = { pings.append($0) }
            let descriptor = try control.start("POST", "/v1/scenarios", TestControl.scenario(steps))
            try fixture.wait(for: "a question") { !pings.isEmpty }
            close(descriptor)
            try fixture.wait(for: "its end") { control.control.scenario == nil }
            #expect(fixture.model.applications.count == 1)
            client.onPing = answer
            pings.forEach(answer)
            pings = []
            // The clock can be stepped again.
            let now = fixture.server.clock.now
            try fixture.step(5)
            #expect(fixture.server.clock.now == now + 5 && fixture.model.windows.isEmpty)
            #expect(try control.run("{wait: '1ms'}").isDone)
        }
    }

    @Test(
        "a scenario ends when its client disconnects: at any moment of flapping and drawing",
        arguments: ClockMode.allCases)
    func anywhere(clock: ClockMode) throws {
        let fixture = try ServerFixture(screens: ["400x300,name=A", "2000x2000,name=B"], clock: clock)
        let control = try TestControl(fixture)
        let claim = "{claim: {title: 'a', color: '#ffffff'}}, "
        let rests = [
            "{flap: {screen: 'B', times: 10000, out: '1ms'}}",
            "{screenshot: 's'}, {screenshot: 't'}, {screenshot: 'u'}",
            "{expect: {pixel: {screen: 'B', x: 1, y: 1, color: '#123456'}, within: '3600s'}}",
        ]
        var cut = 0
        for rest in rests {
            for turns in 0..<12 {
                let descriptor = try control.start("POST", "/v1/scenarios", TestControl.scenario(claim + rest))
                for _ in 0...turns * 2 { _ = try fixture.loop.runOnce(nonblocking: true) }
                cut += fixture.model.windows.count
                try end(descriptor, fixture, control)
                if fixture.model.screen(named: "B") == nil { _ = try control.run("{plug: '2000x2000,name=B'}") }
            }
        }
        #expect(cut > 20, "most of them were running")
    }

    @Test("one scenario at a time: another is refused until the first has ended")
    func two() throws {
        let fixture = try ServerFixture()
        let control = try TestControl(fixture)
        let long = TestControl.scenario("{claim: {title: 'a'}}, {wait: '3600s'}")
        let descriptor = try control.start("POST", "/v1/scenarios", long)
        try fixture.wait(for: "its window") { fixture.model.windows.count == 1 }
        let second = try control.run("{unplug: 'BUILTIN-1'}")
        #expect(second.status == 409 && second.refusal == "another scenario is running; wait for its end")
        #expect(fixture.model.windows.count == 1 && fixture.model.screens.count == 1)
        close(descriptor)
        try fixture.wait(for: "its end") { fixture.model.windows.isEmpty }
        #expect(try control.run("{unplug: 'BUILTIN-1'}").isDone)
    }

    @Test("a scenario does not disturb another client's step of the clock, and reports that there is one")
    func clock() throws {
        let fixture = try ServerFixture(screens: ["400x300"], clock: .manual)
        let control = try TestControl(fixture)
        let client = try fixture.connect()
        let answer = client.onPing
        var pings: [UInt32] = []
        client.onPing = { pings.append($0) }
        var isDone = false
        try fixture.server.stepper.begin(.step(1000), patience: 600_000_000) { outcome, _ in
            if case .done = outcome { isDone = true }
        }
        let report = try control.run("{wait: '7ms'}")
        #expect(report.failure?.place == "time" && report.failure?.seen == "another step is in progress")
        #expect(!isDone && fixture.server.clock.now == ServerClock.manualStart)
        client.onPing = answer
        pings.forEach(answer)
        try fixture.wait(for: "the other step") { isDone }
        #expect(fixture.server.clock.now == ServerClock.manualStart + 1000)
    }

    @Test("a program that never answers fails the step after a timeout, and is named")
    func hanging() throws {
        let fixture = try ServerFixture(screens: ["400x300"], clock: .manual)
        let control = try TestControl(fixture)
        control.control.scenarioPatience = 50_000
        let client = try fixture.connect()
        client.onPing = { _ in }
        for (steps, title) in [("{claim: {title: 'a'}}", "claim a"), ("{wait: '1s'}", "wait 1s")] {
            let failure = try control.run(steps).failure
            #expect(failure?.title == title && failure?.place == "clients" && failure?.expected == "to settle")
            #expect(failure?.seen.contains("(pid \(getpid()))") == true, "\(String(describing: failure))")
            #expect(failure?.seen.contains("does not answer a ping") == true, "\(String(describing: failure))")
            #expect(fixture.model.windows.isEmpty)
        }
        #expect(try ServerFixture(clock: .real).settle() == [])
    }

    @Test("10,000 steps, and a cable that flaps 10,000 times with no client to wait for", arguments: ClockMode.allCases)
    func many(clock: ClockMode) throws {
        let fixture = try ServerFixture(screens: ["400x300,name=A"], clock: clock)
        let control = try TestControl(fixture)
        let steps = Array(repeating: "{wait:'0s'}", count: 10_000).joined(separator: ",")
        let report = try control.run(steps)
        #expect(report.isDone && report.steps.count == 10_000)
        let time = clock == .manual ? "1ms" : "0s"
        let flaps = try control.run("{flap: {screen: 'A', times: 10000, out: '\(time)', in: '\(time)'}}")
        #expect(flaps.isDone, "\(flaps)")
        #expect(fixture.model.screen(named: "A")?.id.rawValue == fixture.mainScreen.rawValue)
    }

    @Test("what a scenario leaves pressed is released at its end, and what others hold is not")
    func letsGo() throws {
        let fixture = try ServerFixture(screens: ["400x300"], clock: .manual)
        let control = try TestControl(fixture)
        let client = try fixture.connect()
        let window = client.window("w").color(0xffff_0000)
        window.makeKeyAndVisible()
        let events = TestEvents(client, window)
        try fixture.pump()
        let held = try control.send(
            "POST", "/v1/input", #"[{"type": "touch", "id": 1, "phase": "began", "x": 1, "y": 1}]"#)
        #expect(held.status == 200)
        let press = """
            {input: [{type: 'touch', id: 2, phase: 'began', x: 2, y: 2}, {type: 'key', key: 'a', action: 'down'},
            {type: 'hover', x: 5, y: 5}, {type: 'button', pressed: true},
            {type: 'scroll', phase: 'began', deltaY: 3}]}
            """
        for _ in 0..<2 {
            let report = try control.run(press)
            #expect(report.isDone, "\(report)")
            #expect(fixture.model.touchCount == 1 && fixture.model.pressedKeys.isEmpty)
        }
        let end = try control.send("POST", "/v1/input", #"[{"type": "touch", "id": 1, "phase": "ended"}]"#)
        #expect(end.status == 200 && fixture.model.touchCount == 0)
        withExtendedLifetime(events) {}
    }

    @Test("a server that stops ends its scenario")
    func stops() throws {
        let fixture = try ServerFixture()
        let control = try TestControl(fixture)
        let descriptor = try control.start(
            "POST", "/v1/scenarios", TestControl.scenario("{claim: {title: 'a'}}, {wait: '3600s'}"))
        defer { close(descriptor) }
        try fixture.wait(for: "its window") { fixture.model.windows.count == 1 }
        control.control.stop()
        #expect(fixture.model.windows.isEmpty)
    }
}
