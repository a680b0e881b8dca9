// What a scenario can expect, met and not met.

import DisplayServer
import EventLoop
import TestSupport
import Testing
import WindowModel

@Suite struct ScenarioExpectationTests {
    /// A main screen, one that mirrors it, one that was unplugged under a window, and windows.
    private static let prelude = """
        {plug: '100x100,name=C,serial=C1'},
        {claim: {title: 'lost', screen: 'C'}}, {unplug: 'C'},
        {claim: {title: 'w1', key: true, color: '#ff0000', frame: {x: 10, y: 10, width: 100, height: 50}}},
        {claim: {title: 'w2', level: 'alert', hidden: true}},
        """

    /// H1, H3: windows above each other, and what lets a touch through.
    private static let pile = """
        {claim: {title: 'back', color: '#ff0000'}},
        {claim: {title: 'over', level: 5, color: '#00ff00', frame: {x: 0, y: 0, width: 50, height: 50}}},
        {claim: {title: 'glass', level: 9, userInteractionEnabled: false}},
        {claim: {title: 'clear', level: 10, alpha: 0}}, {claim: {title: 'hidden', level: 11, hidden: true}},
        {plug: '100x100,name=C,interactive=false'}, {claim: {title: 'shown', screen: 'C'}},
        """

    private struct Case {
        var expectation: String
        var place: String
        var expected: String
        var seen: String

        init(_ expectation: String, _ place: String, _ expected: String, _ seen: String) {
            (self.expectation, self.place, self.expected, self.seen) = (expectation, place, expected, seen)
        }
    }

    private static let met = [
        "screens: ['A', 'B']", "screen: {name: 'A'}", "screen: {name: 'C', connected: false}",
        "screen: {name: 'A', connected: true}", "screen: {name: 'A', mode: '400x300'}",
        "screen: {name: 'A', mode: '400x300@60'}", "screen: {name: 'A', scale: 1}",
        "screen: {name: 'A', orientation: 'portrait'}", "screen: {name: 'A', overscan: 'scale'}",
        "screen: {name: 'A', brightness: 1}", "screen: {name: 'A', mirrors: 'none'}",
        "screen: {name: 'B', mirrors: 'A'}", "screen: {name: 'B', size: {width: 133.3333, height: 66.667}}",
        "screen: {name: 'B', position: {x: 400, y: 0}}", "screen: {name: 'A', main: true}",
        "screen: [{name: 'A', windows: ['w1']}, {name: 'B', windows: []}]",
        "window: {title: 'w1'}", "window: {title: 'no', exists: false}", "window: {title: 'w1', visible: true}",
        "window: [{title: 'w2', visible: false}, {title: 'w1', key: true}]",
        "window: {title: 'w1', screen: 'A', awaits: 'none'}", "window: {title: 'lost', screen: 'none', awaits: 'C'}",
        "window: {title: 'w1', frame: {x: 10, y: 10, width: 100, height: 50}, level: 0}",
        "window: {title: 'w2', level: 'alert'}", "key: 'w1'",
        "pixel: {x: 20, y: 20, color: '#ff0000'}", "pixel: {screen: 'A', x: 20, y: 20, color: '#fa0500', tolerance: 5}",
        "pixel: [{x: 0, y: 0, color: '#000000'}, {screen: 'B', x: 0, y: 0, color: '#000000'}], within: '0s'",
    ]

    private static let broken = [
        Case("screens: ['A']", "screens", "A", "A, B"), Case("screens: []", "screens", "none", "A, B"),
        Case("screen: {name: 'C'}", "screen C", "to be connected", "it is not"),
        Case("screen: {name: 'A', connected: false}", "screen A", "not to be connected", "it is"),
        Case("screen: {name: 'A', mode: '800x600'}", "screen A: mode", "800x600", "400x300@60"),
        Case("screen: {name: 'A', mode: '400x300@50'}", "screen A: mode", "400x300@50", "400x300@60"),
        Case("screen: {name: 'A', scale: 2}", "screen A: scale", "2", "1"),
        Case("screen: {name: 'A', orientation: 'landscapeLeft'}", "screen A: orientation", "landscapeLeft", "portrait"),
        Case("screen: {name: 'A', overscan: 'none'}", "screen A: overscan", "none", "scale"),
        Case("screen: {name: 'A', brightness: 0.5}", "screen A: brightness", "0.5", "1"),
        Case("screen: {name: 'A', mirrors: 'B'}", "screen A: mirrors", "B", "none"),
        Case("screen: {name: 'B', mirrors: 'none'}", "screen B: mirrors", "none", "A"),
        Case("screen: {name: 'A', size: {width: 1, height: 2.5}}", "screen A: size", "1×2.5", "400×300"),
        Case("screen: {name: 'B', position: {x: 0, y: 0}}", "screen B: position", "0,0", "400,0"),
        Case("screen: {name: 'B', main: true}", "screen B: main", "true", "false"),
        Case("screen: {name: 'A', windows: ['w2', 'w1']}", "screen A: windows, front to back", "w2, w1", "w1"),
        Case("screen: {name: 'A', windows: []}", "screen A: windows, front to back", "none", "w1"),
        Case("window: {title: 'no'}", "window no", "to exist", "it does not"),
        Case("window: {title: 'w1', exists: false}", "window w1", "not to exist", "it does"),
        Case("window: {title: 'w2', visible: true}", "window w2: visible", "true", "false"),
        Case("window: {title: 'w1', key: false}", "window w1: key", "false", "true"),
        Case("window: {title: 'w1', screen: 'B'}", "window w1: screen", "B", "A"),
        Case("window: {title: 'lost', screen: 'C'}", "window lost: screen", "C", "none"),
        Case("window: {title: 'lost', awaits: 'none'}", "window lost: awaits", "none", "C"),
        Case(
            "window: {title: 'w1', frame: {x: 10, y: 10.5, width: 1, height: 2}}", "window w1: frame", "10,10.5 1×2",
            "10,10 100×50"),
        Case("window: {title: 'w1', level: 'statusBar'}", "window w1: level", "1000", "0"),
        Case("key: 'w2'", "key window", "w2", "w1"), Case("key: 'none'", "key window", "none", "w1"),
        Case("pixel: {screen: 'A', x: 0, y: 0, color: '#0000ff'}", "pixel 0,0 of A", "#0000ff", "#000000"),
        Case("pixel: {x: 20, y: 20, color: '#f90500', tolerance: 5}", "pixel 20,20", "#f90500", "#ff0000"),
        Case(
            "pixel: {x: 400, y: 0, color: '#000000'}", "pixel 400,0", "#000000", "outside the screen's 400x300 pixels"),
        Case("pixel: {x: 0, y: -1, color: '#000000'}", "pixel 0,-1", "#000000", "outside the screen's 400x300 pixels"),
        Case(
            "pixel: {screen: 'Z', x: 0, y: 0, color: '#000000'}", "pixel 0,0 of Z", "screen Z to be connected", "none"),
    ]

    @Test("every field of expect can be met or not met; a failure says where, what was expected and what was seen")
    func fields() throws {
        let fixture = try ServerFixture(
            screens: ["400x300,name=A", "200x100,name=B,scale=1.5,kind=external"], clock: .manual)
        let control = try TestControl(fixture)
        for expectation in Self.met {
            let report = try control.run(Self.prelude + "{expect: {\(expectation)}}")
            #expect(report.isDone && report.failure == nil, "\(expectation): \(report)")
        }
        for broken in Self.broken {
            let steps = Self.prelude + "{expect: {\(broken.expectation)}}, {wait: '1ms'}"
            let failure = try #require(try control.run(steps).failure, "\(broken.expectation)")
            #expect(failure.index == 5 && failure.title == "expect")
            #expect(failure.place == broken.place && failure.expected == broken.expected, "\(failure)")
            #expect(failure.seen == broken.seen, "\(failure)")
        }
        #expect(fixture.model.windows.isEmpty && fixture.model.screens.count == 2)
    }

    @Test("H1, H3: a point's receiver can be expected; a mismatch says who receives it, and why others do not")
    func hits() throws {
        let fixture = try ServerFixture(screens: ["400x300,name=A", "200x100,name=B,kind=external"], clock: .manual)
        let control = try TestControl(fixture)
        for met in [
            "{x: 10, y: 10, window: 'over'}", "{x: 50, y: 49.9, window: 'back'}",
            "{x: 49.9, y: 10, screen: 'A', window: 'over'}",
            "[{x: 10, y: 10, window: 'over'}, {x: 399, y: 299, screen: 1, window: 'back'}]",
            "{x: 10, y: 10, screen: 'B', window: 'none'}", "{x: 10, y: 10, screen: 'C', window: 'none'}",
        ] {
            let report = try control.run(Self.pile + "{expect: {hits: \(met)}}")
            #expect(report.isDone, "\(met): \(report)")
            if report.isDone { _ = try control.run("{unplug: 'C'}") }
        }
        func mismatch(_ hits: String) throws -> ScenarioReport.FailedStep {
            defer { _ = try? control.run("{unplug: 'C'}") }
            let failure = try #require(try control.run(Self.pile + "{expect: {hits: \(hits)}}, {wait: '1ms'}").failure)
            #expect(failure.index == 7 && failure.title == "expect")
            return failure
        }
        let front = try mismatch("{x: 10, y: 10.5, window: 'back'}")
        #expect(front.place == "hits 10,10.5" && front.expected == "back", "\(front)")
        #expect(front.seen.hasPrefix("over (window "), "\(front)")
        for reason in [
            "\"hidden\": it is hidden", "\"clear\": its alpha is less than 0.01",
            "\"glass\": its user interaction is disabled",
        ] {
            #expect(front.seen.contains(reason), "\(front)")
        }
        let back = try mismatch("[{x: 10, y: 10, window: 'over'}, {x: 60, y: 60, screen: 'A', window: 'none'}]")
        #expect(back.place == "hits 60,60 of A" && back.expected == "none" && back.seen.hasPrefix("back (window "))
        #expect(back.seen.contains("\"over\": the point is outside its frame"), "\(back)")
        let none = try mismatch("{x: 10, y: 10, screen: 'B', window: 'over'}")
        #expect(none.seen == "none, no window takes input at this point", "\(none)")
        for (hit, size) in [
            ("{x: 400, y: 10, window: 'over'}", "400×300"), ("{x: 400, y: 10, window: 'none'}", "400×300"),
            ("{x: -1, y: 1, window: 'none'}", "400×300"), ("{x: 10, y: 100, screen: 'B', window: 'none'}", "200×100"),
        ] {
            let outside = try mismatch(hit)
            #expect(outside.seen == "outside the screen's \(size) points", "\(hit): \(outside)")
        }
        let silent = try mismatch("{x: 10, y: 10, screen: 'C', window: 'shown'}")
        #expect(silent.seen == "none, the screen is not interactive", "\(silent)")
        let missing = try mismatch("{x: 10, y: 10, screen: 'Z', window: 'none'}")
        #expect(missing.expected == "screen Z to be connected" && missing.seen == "none", "\(missing)")
    }

    @Test("E7: an application that ignores events receives no touch, and asking changes nothing")
    func ignoring() throws {
        let fixture = try ServerFixture(screens: ["400x300,name=A"], clock: .manual)
        let control = try TestControl(fixture)
        let client = try fixture.connect()
        client.window("w").color(0xffff_0000).show()
        try fixture.pump()
        let owner = try #require(fixture.model.applications.first)
        #expect(try control.run("{expect: {hits: {x: 1, y: 1, window: 'w'}}}").isDone)
        try fixture.model.beginIgnoringInteractionEvents(owner)
        let ignored = fixture.model.ignoredEvents
        #expect(try control.run("{expect: {hits: {x: 1, y: 1, window: 'none'}}}").isDone)
        let failure = try #require(try control.run("{expect: {hits: {x: 1, y: 1, window: 'w'}}}").failure)
        #expect(failure.seen.hasPrefix("none, the application ignores interaction events"), "\(failure)")
        #expect(fixture.model.ignoredEvents == ignored)
    }

    @Test("without screens a pixel fails because it expects a screen")
    func noScreen() throws {
        let fixture = try ServerFixture(screens: [], clock: .manual)
        let control = try TestControl(fixture)
        let report = try control.run(
            "{expect: {screens: [], key: 'none'}}, {expect: {pixel: {x: 0, y: 0, color: '#000000'}}}")
        #expect(report.steps == ["expect"])
        #expect(report.failure?.place == "pixel 0,0" && report.failure?.expected == "a screen")
    }

    @Test("an expectation has time to become true, with either clock", arguments: ClockMode.allCases)
    func within(clock: ClockMode) throws {
        let fixture = try ServerFixture(screens: ["100x100,name=A"], clock: clock)
        let control = try TestControl(fixture)
        let client = try fixture.connect()
        let window = client.window("late").color(0xffff_0000)
        // While the scenario waits: the window appears, and then changes its colour.
        var changes = [{ window.show() }, { _ = window.color(0xff00_ff00).commit() }]
        let timer = Timer(fixture.loop)
        timer.handler = { [unowned timer] _, now in
            changes.removeFirst()()
            if !changes.isEmpty { timer.arm(at: now + 30_000) }
        }
        timer.arm(at: fixture.loop.now + 30_000)
        let report = try control.run(
            """
            {expect: {window: {title: 'late', visible: true}, within: '20s'}},
            {expect: {pixel: {x: 5, y: 5, color: '#00ff00'}, within: '20s'}}
            """)
        #expect(report.isDone, "\(report)")
    }

    @Test("an expectation that does not become true fails when its time is over", arguments: ClockMode.allCases)
    func late(clock: ClockMode) throws {
        let fixture = try ServerFixture(screens: ["100x100,name=A"], clock: clock)
        let control = try TestControl(fixture)
        for expectation in ["key: 'a'", "pixel: {x: 1, y: 1, color: '#123456'}"] {
            let start = fixture.loop.now
            let failure = try control.run("{expect: {\(expectation), within: '60ms'}}").failure
            #expect(failure?.seen == "none" || failure?.seen == "#000000")
            #expect((60_000..<10_000_000).contains(fixture.loop.now - start))
        }
    }
}
