// What each step of a scenario does, with either clock.

import Compositor
import DisplayServer
import FoundationEssentials
import MullionGeometry
import TestSupport
import Testing
import WindowModel

@Suite struct ScenarioStepTests {
    private func run(_ fixture: ServerFixture, _ steps: String) throws -> ScenarioReport {
        let report = try TestControl(fixture).run(steps)
        #expect(report.isDone && report.failure == nil && report.refusal == nil, "\(report)")
        return report
    }

    @Test("S1, S6: plug and unplug, as a text or as an object", arguments: ClockMode.allCases)
    func plug(clock: ClockMode) throws {
        let fixture = try ServerFixture(screens: ["400x300,name=A"], clock: clock)
        let report = try run(
            fixture,
            "{plug: 'tv-1080p,name=TV,mode=1280x720@60'}, {plug: {model: '640x480', name: 'P', scale: 2}}, {unplug: 'TV'}"
        )
        #expect(report.steps == ["plug TV", "plug P", "unplug TV"])
        let screen = try #require(fixture.model.screen(named: "P"))
        #expect(screen.scale == 2 && screen.position.x == 400 + 1280 && fixture.model.screens.count == 2)
    }

    @Test("S1, S5, S7, R1: changes of a screen", arguments: ClockMode.allCases)
    func changes(clock: ClockMode) throws {
        let fixture = try ServerFixture(screens: ["400x300,name=A", "tv-1080p,name=TV,kind=external"], clock: clock)
        let report = try run(
            fixture,
            """
            {mode: {screen: 'TV', to: '1280x720@60'}}, {scale: {screen: 'TV', to: 1.5}},
            {rotate: {screen: 'A', to: 'landscapeLeft', duration: '0s'}}, {mirror: {screen: 'TV', to: 'off'}},
            {overscan: {screen: 'TV', to: 'insetBounds'}}, {brightness: {screen: 'TV', to: 0.25}},
            {position: {screen: 'TV', to: {x: -9, y: 7.5}}}
            """)
        #expect(report.steps.first == "mode TV" && report.steps.count == 7)
        let television = try #require(fixture.model.screen(named: "TV"))
        #expect(television.currentMode.width == 1280 && television.scale == 1.5)
        #expect(television.properties.mirroring == .off && television.properties.overscan == .insetBounds)
        #expect(television.properties.brightness == 0.25 && television.position == Point(x: -9, y: 7.5))
        #expect(fixture.model.screen(named: "A")?.orientation == .landscapeLeft)
    }

    @Test(
        "S8, S10 (stable identity): a cable flaps as often as requested, and ends plugged in",
        arguments: ClockMode.allCases,
        [true, false])
    func flap(clock: ClockMode, provokesRaces: Bool) throws {
        let fixture = try ServerFixture(screens: ["400x300,name=A", "200x100,name=B,position=7+9"], clock: clock)
        let client = try fixture.connect()
        let before = try #require(fixture.model.screen(named: "B"))
        let screen = try #require(client.screens.first { $0.name == "B" })
        let window = client.window("w", on: screen).color(0xffff_0000)
        window.show()
        try fixture.pump()
        let time = fixture.server.clock.now
        _ = try run(
            fixture, "{flap: {screen: 'B', times: 20, out: '2ms', in: '1ms', seed: 7, hostile: \(provokesRaces)}}")
        let after = try #require(fixture.model.screen(named: "B"))
        #expect(after.id.rawValue == before.id.rawValue + 20 && after.position == before.position)
        #expect(fixture.model.windows(on: after.id).count == 1 && client.isOpen)
        // Each duration varies between half and one and a half times the given one.
        #expect(fixture.server.clock.now - time >= 30_000)
        if clock == .manual { #expect(fixture.server.clock.now - time <= 90_000) }
    }

    @Test("a cable flaps the same way for the same seed, and differently for another")
    func seeds() throws {
        func time(_ seed: String) throws -> UInt64 {
            let fixture = try ServerFixture(screens: ["400x300,name=A"], clock: .manual)
            _ = try run(fixture, "{flap: {screen: 'A', times: 9, out: '10ms', in: '20ms'\(seed)}}")
            return fixture.server.clock.now - ServerClock.manualStart
        }
        #expect(try time("") == 9 * 30_000)
        #expect(try time(", seed: 1") == time(", seed: 1"))
        #expect(try time(", seed: 1") != time(", seed: 2"))
    }

    @Test("E1, E3: input reaches programs, and impossible input ends the scenario", arguments: ClockMode.allCases)
    func input(clock: ClockMode) throws {
        let fixture = try ServerFixture(screens: ["400x300,name=A"], clock: clock)
        let control = try TestControl(fixture)
        let client = try fixture.connect()
        let input = try TestInput(client)
        let window = client.window("w").color(0xffff_0000)
        window.makeKeyAndVisible()
        try fixture.pump()
        _ = input.takeEvents()
        let report = try control.run(
            "{input: {type: 'tap', x: 5, y: 6}}, {input: [{type: 'tap', x: 7, y: 8}, {type: 'key', key: 'a'}]}")
        #expect(report.steps == ["input tap", "input tap, key"] && report.isDone)
        try fixture.pump()
        let events = input.takeEvents()
        #expect(events.contains("down 0 \(window.surface.id) 5.0,6.0") && events.contains("up 0"), "\(events)")
        #expect(events.contains { $0.hasPrefix("key 30") }, "\(events)")
        let failure = try control.run(
            "{input: [{type: 'tap', x: 1, y: 1}, {type: 'touch', id: 3, phase: 'ended'}]}, {wait: '1ms'}"
        ).failure
        #expect(
            failure?.index == 0 && failure?.seen.contains("event 2: touch 3") == true, "\(String(describing: failure))")
    }

    @Test("H3: an event that nobody receives ends the scenario with the reasons, unless it may miss")
    func misses() throws {
        let fixture = try ServerFixture(screens: ["400x300,name=A"], clock: .manual)
        let tap = "type: 'tap', x: 50, y: 5"
        let claim = "{claim: {title: 'box', frame: {x: 0, y: 0, width: 9, height: 9}}}"
        let control = try TestControl(fixture)
        let failure = try control.run("\(claim), {input: [{type: 'tap', x: 5, y: 5}, {\(tap)}]}, {wait: '1ms'}").failure
        #expect(failure?.index == 1 && failure?.place == "event 2" && failure?.expected == "to be received")
        let seen = "no client received the tap: no window takes input at this point; not window 1 \"box\": "
        #expect(failure?.seen == seen + "the point is outside its frame", "\(String(describing: failure))")
        #expect(fixture.model.windows.isEmpty)
        #expect(try control.run("{input: {\(tap)}}, {wait: '1ms'}").failure?.place == "the event")
        let report = try control.run("{input: {\(tap), mustHit: false}}, {input: {type: 'hover', x: 50, y: 5}}")
        #expect(report.isDone && report.failure == nil, "\(report)")
    }

    @Test("W1, W3, K2, K3: claim, window and release", arguments: ClockMode.allCases)
    func windows(clock: ClockMode) throws {
        let fixture = try ServerFixture(screens: ["400x300,name=A", "200x100,name=B"], clock: clock)
        _ = try run(
            fixture,
            """
            {claim: {title: 'full', color: '#0000ff', key: true, autoresizing: true}},
            {expect: {key: 'full', window: {title: 'full', frame: {x: 0, y: 0, width: 400, height: 300}}}},
            {claim: {title: 'box', screen: 'B', level: 'alert', alpha: 0.5, color: '#ffffff',
                     frame: {x: 1, y: 2, width: 30, height: 40}}},
            {expect: {key: 'full', screen: {name: 'B', mirrors: 'none'}, pixel: [
                {screen: 'B', x: 1, y: 2, color: '#808080', tolerance: 1}, {screen: 'B', x: 0, y: 2, color: '#000000'}]}},
            {window: {title: 'box', key: true, alpha: 1, level: 'statusBar'}},
            {expect: {key: 'box', window: {title: 'box', level: 1000},
                      pixel: {screen: 'B', x: 1, y: 2, color: '#ffffff'}}},
            {window: {title: 'box', screen: 'A', frame: {x: 0, y: 0, width: 10, height: 10}, level: 0}},
            {expect: {screen: [{name: 'A', windows: ['box', 'full']}, {name: 'B', mirrors: 'A'}]}},
            {window: {title: 'full', front: true}},
            {expect: {key: 'box', screen: {name: 'A', windows: ['full', 'box']}}},
            {window: {title: 'box', hidden: true}},
            {expect: {key: 'full', window: {title: 'box', visible: false}}},
            {claim: {title: 'glass', hidden: true, userInteractionEnabled: false}},
            {expect: {window: {title: 'glass', visible: false}}},
            {release: 'box'}, {expect: {window: {title: 'box', exists: false}}},
            {claim: {title: 'box'}}, {expect: {window: {title: 'box', visible: true, key: false}}},
            {rotate: {screen: 'A', to: 'landscapeRight', duration: '0s'}},
            {expect: {window: [{title: 'full', frame: {x: 0, y: 0, width: 300, height: 400}}]}}
            """)
        #expect(fixture.model.windows.isEmpty && fixture.model.applications.isEmpty)
    }

    @Test("an impossible change of a window or screen ends the scenario and names the rule")
    func impossible() throws {
        let fixture = try ServerFixture(screens: ["400x300,name=A"], clock: .manual)
        let control = try TestControl(fixture)
        let cases = [
            (
                "{window: {title: 'w', screen: 'Z'}}", "S1 (screen properties): there is no screen \"Z\"; connected: A",
                "window w"
            ),
            ("{unplug: 'Z'}", "S1 (screen properties): there is no screen \"Z\"", "unplug Z"),
            (
                "{plug: '9x9,name=A'}",
                "S1 (screen properties): a screen named A is already plugged in; use another name", "plug A"
            ),
            (
                "{mode: {screen: 'A', to: '9x9'}}",
                "S3 (current and preferred mode): 9x9 is not a mode of screen A; use one of 400x300@60", "mode A"
            ),
            ("{mirror: {screen: 'A', to: 'A'}}", "S7 (mirroring): ", "mirror A"),
        ]
        for (step, reason, title) in cases {
            let failure = try control.run("{claim: {title: 'w'}}, \(step), {wait: '1ms'}").failure
            #expect(failure?.index == 1 && failure?.title == title, "\(step)")
            #expect(failure?.place == "the step" && failure?.expected == "to be possible", "\(step)")
            #expect(failure?.seen.hasPrefix(reason) == true, "\(String(describing: failure))")
        }
        #expect(fixture.model.windows.isEmpty && fixture.model.screens.count == 1)
    }

    @Test("wait: a duration of the server's clock, settled and idle", arguments: ClockMode.allCases)
    func wait(clock: ClockMode) throws {
        let fixture = try ServerFixture(clock: clock)
        let start = fixture.server.clock.now
        let report = try run(fixture, "{wait: '16ms'}, {wait: '500us'}, {wait: '0s'}, {wait: 'settled'}")
        #expect(report.steps == ["wait 16ms", "wait 500us", "wait 0s", "wait until settled"])
        let passed = fixture.server.clock.now - start
        #expect(clock == .manual ? passed == 16_500 : passed >= 16_500)
        guard clock == .manual else { return }
        _ = try run(fixture, "{wait: 'idle'}, {wait: '1.5s'}")
        #expect(fixture.server.clock.now - start == 1_516_500)
    }

    @Test("wait: idle fails, and names the programs, while they keep requesting frames")
    func busy() throws {
        let fixture = try ServerFixture(screens: ["640x480@10"], clock: .manual)
        let program = try fixture.spawn("weston-simple-shm")
        try fixture.wait(for: "a window") { fixture.model.windows.contains { fixture.model.isVisible($0) } }
        let failure = try TestControl(fixture).run("{wait: 'idle'}").failure
        #expect(failure?.place == "time" && failure?.expected == "nothing to be due")
        #expect(
            failure?.seen.contains("(pid \(program.pid)) requests frames") == true, "\(String(describing: failure))")
    }

    @Test("screenshot: one screen, or all in one; compare: equal, different, within tolerance, of another size")
    func pictures() throws {
        let fixture = try ServerFixture(screens: ["40x30,name=A", "20x10,name=B,mirroring=off"], clock: .manual)
        let control = try TestControl(fixture)
        let claim = "{claim: {title: 'w', color: '#102030', frame: {x: 1, y: 2, width: 3, height: 4}}}"
        let shots = try control.run(claim + ", {screenshot: 'all'}, {screenshot: {name: 'a', screen: 'A'}}")
        #expect(shots.pictures.map(\.name) == ["all", "a"])
        let (all, one) = (try PNG.decode(shots.pictures[0].png), try PNG.decode(shots.pictures[1].png))
        #expect(all.width == 60 && one.width == 40 && one.height == 30 && one[1, 2] == 0xff10_2030)

        func compare(_ fields: String, _ color: String = "#102030") throws -> ScenarioReport {
            let png = Data(shots.pictures[1].png).base64EncodedString()
            let claim = claim.replacing("#102030", with: color)
            return try control.run("\(claim), {compare: {name: 'a', png: '\(png)', \(fields)}}")
        }
        let equal = try compare("screen: 'A'")
        #expect(equal.isDone && equal.pictures.isEmpty && equal.steps.last == "compare a")
        let different = try compare("screen: 'A'", "#132030")
        #expect(different.failure?.place == "picture a: pixel 1,2" && different.failure?.expected == "#102030")
        #expect(different.failure?.seen == "#132030; 12 pixels differ, by 3 at most")
        #expect(different.pictures.map(\.name) == ["a.seen", "a.diff", "a.side-by-side"])
        #expect(try PNG.decode(different.pictures[0].png)[1, 2] == 0xff13_2030)
        #expect(try compare("screen: 'A', tolerance: 3", "#132030").isDone)
        let size = try compare("screen: 'B'")
        #expect(size.failure?.place == "picture a" && size.failure?.expected == "40x30 pixels")
        #expect(size.failure?.seen == "20x10" && size.pictures.map(\.name) == ["a.seen", "a.side-by-side"])
        let masked = "screen: 'A', masks: [{window: 'w'}, {x: 30, y: 0, width: 10, height: 30}]"
        #expect(try compare(masked, "#132030").isDone)
        let some = try compare("screen: 'A', masks: [{x: 0, y: 0, width: 4, height: 5}]", "#132030")
        #expect(
            some.failure?.place == "picture a: pixel 1,5" && some.failure?.seen.contains("; 3 pixels differ") == true)
        #expect(try compare("screen: 'A', maxDiffering: 12", "#132030").isDone)
        #expect(try compare("screen: 'A', maxDiffering: '1%'", "#132030").isDone)
        let few = try compare("screen: 'A', maxDiffering: '0.5%'", "#132030")
        #expect(few.failure?.seen == "#132030; 12 pixels differ, 6 may, by 3 at most")
        let unknown = try compare("screen: 'A', masks: [{window: 'clock'}]")
        #expect(unknown.failure != nil && unknown.steps.last == "claim w")
        let window = try control.run(
            claim + ", {screenshot: {name: 'w', window: 'w'}}, {screenshot: {name: 'c', crop: {window: 'w'}}}")
        #expect(try window.pictures.map { try PNG.decode($0.png).pixels.count } == [12, 12])
        let png = Data(try #require(window.pictures.first).png).base64EncodedString()
        #expect(try control.run(claim + ", {compare: {name: 'a', png: '\(png)', window: 'w'}}").isDone)
        let gone = try control.run("{screenshot: {name: 'a', window: 'w'}}").failure
        #expect(gone?.place == "window w" && gone?.seen == "none")
        let torn = try control.run("{compare: {name: 'a', png: 'iVBORw0KGgo='}}")
        #expect(torn.failure?.place == "picture a" && torn.failure?.expected == "to be possible")
        let none = try control.run("{unplug: 'A'}, {unplug: 'B'}, {screenshot: 'x'}")
        #expect(none.failure?.seen == "S2 (the list of screens): no screen is connected")
    }
}
