// The step "wait" of a scenario, with conditions.

import DisplayServer
import MullionWayland
import TestSupport
import Testing

@testable import ControlAPI

@Suite struct WaitStepTests {
    @Test(
        "messages have durations of a tenth of a millisecond",
        arguments: [
            (16_690, "16.7ms"), (0, "0s"), (49, "0s"), (50, "0.1ms"), (16_949, "16.9ms"), (16_960, "17ms"),
            (1_500_000, "1500ms"), (2_000_000, "2s"),
        ])
    func durations(microseconds: UInt64, text: String) { #expect(DurationText.rounded(microseconds) == text) }

    @Test("a step waits for its conditions, and fails with what there is instead", arguments: ClockMode.allCases)
    func steps(clock: ClockMode) throws {
        let setup = try WaitFixture(clock: clock)
        _ = try setup.fixture.connect("app")
        let report = try setup.control.run(
            """
            {claim: {title: 'w', color: '#ff0000', key: true}},
            {wait: {window: {title: 'w', visible: true, key: true, count: 1}, pixel: {x: 1, y: 1, color: '#ff0000'}}},
            {wait: {window: ['w', {title: '/^w$/'}], application: 'scenario', client: true, idle: true, timeout: '20s'}},
            {wait: {still: {screen: 'A', duration: '50ms'}, screen: 'A'}}, {release: 'w'}, {wait: {gone: {title: 'w'}}},
            {wait: {window: {title: 'w'}, timeout: '20ms'}}
            """)
        #expect(report.steps.count == 6 && report.refusal == nil, "\(report)")
        #expect(report.steps[1] == "wait for window title=w visible key count=1 and pixel 1,1=#ff0000")
        #expect(report.failure?.place == "window title=w" && report.failure?.expected == "to hold within 20ms")
        #expect(report.failure?.seen == "there is no window", "\(report)")
        #expect(setup.fixture.server.onEffect == nil)
    }

    @Test("with the manual clock, a step that waits for stillness steps the time, the same in every run")
    func manual() throws {
        var times: [UInt64] = []
        for _ in 0..<2 {
            let setup = try WaitFixture(clock: .manual)
            let client = try setup.fixture.connect("app")
            let window = client.window("w").color(0xffff_0000)
            window.show()
            try setup.fixture.pump()
            // It changes its colour with each of ten frames.
            var frames = 0
            var callbacks: [Proxy<WlCallback>] = []
            func draw() {
                let next = Proxy<WlCallback>(client.connection, version: 1)
                next.onEvent = { _ in
                    frames += 1
                    if frames < 10 { draw() }
                }
                callbacks.append(next)
                window.surface.send(.frame(callback: next.id))
                window.color(0xff00_0000 | UInt32(frames)).commit()
            }
            draw()
            let report = try setup.control.run("{wait: {still: {duration: '100ms'}, window: 'w', timeout: '2s'}}")
            #expect(report.isDone && frames == 10 && callbacks.count == 10, "\(report)")
            times.append(setup.fixture.server.clock.now)
        }
        #expect(times[0] == times[1] && times[0] > 1_200_000 && times[0] < 1_500_000, "\(times)")
    }

    @Test(
        "mistakes are found before the first step",
        arguments: [
            ("{}", "there is no condition; use window, gone"), ("{window: {tilte: 'x'}}", "use title, application"),
            ("{windows: 'x'}", "windows"), ("{idle: 'maybe'}", "use true"),
            ("{still: {duration: 'fast'}}", "is not a duration"),
            ("{idle: true, timeout: '11m'}", "at most 10 minutes"), ("{client: {pid: 1.5}}", "is not an integer"),
            ("{window: {count: -1}}", "count=-1 is out of range; use 0…1000000"),
            ("{window: {visible: 'perhaps'}}", "use true or false"), ("{window: {title: null}}", "title"),
            ("{application: '/(/'}", "a ( has no )"), ("'soon'", "is not a condition to wait for"),
        ])
    func mistakes(step: String, message: String) throws {
        let report = try WaitFixture().control.run("{wait: \(step)}")
        #expect(report.status == 400 && report.refusal?.contains(message) == true, "\(report)")
        #expect(report.refusal?.contains("step 1: wait") == true, "\(report)")
    }
}
