// The oracle's cases, continued: levels, input, changes through the control API, conversions, and mistakes.

import FoundationEssentials
import MullionWayland
import TestSupport
import Testing
import WindowModel

extension OracleCaseTests {
    @Test("W2: one range of levels in model, protocol, control API, library and policy, with one message")
    func levels() throws {
        let oracle = try OracleFixture("800x600")
        let client = try oracle.connect("client")
        let window = client.window("w").commit()
        try oracle.fixture.pump()
        let id = try #require(oracle.fixture.model.windows.first)
        let file = try oracle.fixture.runtimeDirectory() + "/levels.json5"
        /// Runs a program of ours to its end.
        func run(_ program: String, _ arguments: [String]) throws -> String {
            let child = try oracle.fixture.spawn("\(Programs.built)/\(program)", arguments)
            try oracle.fixture.wait(for: program) { !child.isRunning }
            return child.readOutput()
        }
        func check(_ level: Double) throws -> String {
            try "{ policy: { peers: [{ highestLevel: \(level) }] } }".write(
                toFile: file, atomically: false, encoding: .utf8)
            return try run("mulliond", ["--check", "--config", file])
        }
        for level in [8_388_607, -8_388_607, 1.0 / 256, -5.5] {
            try oracle.patch("w", #"{"level": \#(level)}"#)
            #expect(try oracle.window("w").level == level)
            window.level(level).commit()
            try oracle.fixture.pump()
            #expect(client.isOpen)
            #expect(try oracle.window("w").level == level)
            #expect(try level < 0 || !check(level).contains("W2"))
        }
        for level in [8_388_607.5, -8_388_608, 0.001, 1e300] {
            let message = "\(level) is not a level; use a multiple of 1/256 within ±8,388,607"
            let error = #expect(throws: ModelError.self) { try oracle.fixture.model.setLevel(level, of: id) }
            #expect(error?.rule == .w2 && error?.message == message)
            let refusal = try oracle.refusal("PATCH", "windows/\(id)", #"{"level": \#(level), "alpha": 0.5}"#)
            #expect(refusal.hasPrefix("422 ") && refusal.contains(message), "\(refusal)")
            #expect(try run("mullionctl", ["claim", "level=\(level)"]).contains(message), "the library")
            #expect(try check(level).contains(message), "the policy")
        }
        for words in [["claim", "level=high"], ["--control", oracle.control.path, "window", "\(id)", "level=1e999"]] {
            let output = try run("mullionctl", words)
            #expect(output.contains("is not a level; use a number, normal, statusBar or alert"), "\(output)")
        }
        #expect(try oracle.window("w").level == -5.5)
        window.level(8_388_607.5)
        try oracle.fixture.pump()
        let message = try #require(client.protocolError?.message)
        #expect(message.contains("8388607.5 is not a level; use a multiple of 1/256 within ±8,388,607"), "\(message)")
    }

    @Test("E7: ignoring blocks what points and begins, never the rest of a sequence; keys pass; what is blocked counts")
    func ignoring() throws {
        let oracle = try OracleFixture("800x600")
        let (behind, front) = (try oracle.connect("behind"), try oracle.connect("front"))
        behind.window("behind").color(0xff00_00ff).show()
        try oracle.fixture.pump()
        let window = front.window("front").color(0xffff_0000)
        window.makeKeyAndVisible()
        try oracle.fixture.pump()
        let (input, behindInput) = (try TestInput(front), try TestInput(behind))
        // Of shakes Wayland knows nothing.
        let events = TestEvents(front, window, types: .motion)
        try oracle.fixture.pump()
        func touch(_ id: Int, _ phase: String, _ x: Int) throws -> String {
            try oracle.inject(#""type": "touch", "id": \#(id), "phase": "\#(phase)", "x": \#(x), "y": 50"#).outcome
        }
        #expect(try touch(1, "began", 50) == "front")
        for _ in 0..<2 { front.application.send(.beginIgnoringInteractionEvents) }
        front.application.send(.endIgnoringInteractionEvents)
        try oracle.fixture.pump()
        #expect(try touch(1, "moved", 60) == "front", "the rest of a sequence")
        #expect(try touch(2, "began", 70) == "ignoring")
        #expect(try oracle.count("ignoredEvents") == 1)
        #expect(try touch(2, "moved", 80) == "cancelled")
        #expect(try oracle.count("ignoredEvents") == 1, "the rest of what was blocked is not blocked again")
        for (event, counts) in [
            (#""type": "hover", "x": 90, "y": 50"#, true), (#""type": "button", "pressed": true"#, true),
            (#""type": "button", "pressed": false"#, false),
            (#""type": "scroll", "deltaY": 5, "phase": "began""#, true),
            (#""type": "scroll", "phase": "ended""#, false),
            (#""type": "pinch", "phase": "began", "scale": 2"#, true), (#""type": "pinch", "phase": "ended""#, false),
        ] {
            let count = try #require(try oracle.count("ignoredEvents"))
            #expect(try oracle.inject(event).outcome == (counts ? "ignoring" : "cancelled"), "\(event)")
            #expect(try oracle.count("ignoredEvents") == count + (counts ? 1 : 0), "\(event)")
        }
        #expect(try oracle.inject(#""type": "key", "key": "a""#).outcome == "front")
        #expect(try oracle.inject(#""type": "shake""#).outcome == "front")
        #expect(events.take().count == 2)
        #expect(try touch(1, "ended", 60) == "front")
        front.application.send(.endIgnoringInteractionEvents)
        try oracle.fixture.pump()
        #expect(try touch(2, "ended", 80) == "cancelled", "what was blocked stays blocked")
        #expect(try touch(3, "began", 50) == "front")
        let surface = window.surface.id
        #expect(
            input.takeEvents() == [
                "enter \(surface) []", "modifiers 0", "down 1 \(surface) 50.0,50.0", "move 1 60.0,50.0", "key 30 1",
                "key 30 0", "up 1", "pointer enter \(surface) 90.0,50.0", "down 3 \(surface) 50.0,50.0",
            ])
        #expect(behindInput.takeEvents() == [], "what is blocked does not fall through")
        #expect(try oracle.count("droppedPresses") == 0)
    }

    @Test("W1: what the control API changes of a window reaches its client once, and the event stream")
    func changesReachTheClient() throws {
        let oracle = try OracleFixture("800x600,name=PANEL", "640x480,external,name=TV")
        let client = try oracle.connect("client")
        let low = client.window("low").color(0xffff_0000).frame(10, 10, 100, 100)
        low.show()
        client.window("high").color(0xff00_ff00).frame(20, 20, 100, 100).show()
        try oracle.fixture.pump()
        _ = client.takeEvents()
        let id = try oracle.window("low").id
        let stream = try oracle.control.events()
        /// What the stream says of the window, without its `needsDisplay`.
        func streamed() throws -> [String] {
            try stream().filter { $0.contains("\"window\":\(id)") }
                .compactMap { $0.split(separator: "\"event\":\"").last?.split(separator: "\"").first.map(String.init) }
        }
        var seen = try streamed().count
        for (body, told, events) in [
            (#"{"front": true}"#, [], ["cameToFront"]),
            (#"{"level": 7.5}"#, ["low.level 7.5"], ["levelDidChange"]),
            (#"{"alpha": 0}"#, ["low.alpha 0"], ["alphaDidChange"]),
            (
                #"{"hidden": true}"#, ["low.hidden 1", "low.didBecomeHidden"],
                ["hiddenDidChange", "didBecomeHidden"]
            ),
            (
                #"{"hidden": false}"#, ["low.hidden 0", "low.didBecomeVisible"],
                ["hiddenDidChange", "didBecomeVisible"]
            ),
            (#"{"title": "Tiefe"}"#, ["low.title Tiefe"], ["titleDidChange"]),
            (
                #"{"frame": {"x": 1, "y": 2, "width": 30, "height": 40}}"#, ["low.frameDidChange"],
                ["frameDidChange"]
            ),
            (#"{"screen": "TV"}"#, ["low.screenDidChange(TV)"], ["screenDidChange"]),
            (#"{"title": "low"}"#, ["low.title low"], ["titleDidChange"]),
        ] as [(String, [String], [String])] {
            try oracle.send("PATCH", "windows/\(id)", body)
            #expect(client.takeEvents() == told, "\(body)")
            let new = Array(try streamed().dropFirst(seen))
            #expect(new == events, "\(body)")
            // What is so already is told to nobody.
            try oracle.send("PATCH", "windows/\(id)", body)
            #expect(client.takeEvents() == [], "\(body)")
            seen = try streamed().count
        }
        #expect(client.raised == ["low", "high", "low"], "in front of its level without being told again")
        #expect(low.frame.map { [$0.x, $0.y, $0.width, $0.height] } == [1, 2, 30, 40])
    }

    @Test("S4: conversions between windows, screens and fixed spaces are exact, there and back")
    func conversions() throws {
        let oracle = try OracleFixture("800x600,name=PANEL,scale=2", "640x480,external,name=TV,position=1000+10")
        let client = try oracle.connect("client")
        let twice = client.window("twice").color(0xffff_0000).frame(100, 200, 100, 50)
        twice.window.send(
            .setTransform(a: 131_072, b: 0, c: 0, d: 131_072, tx: Fixed(rounding: 0), ty: Fixed(rounding: 0)))
        twice.show()
        let turned = client.window("turned", on: client.screens[1]).color(0xff00_ff00).frame(-3.25, 7.5, 99, 77)
        turned.window.send(
            .setTransform(
                a: 52_429, b: 39_322, c: -39_322, d: 52_429, tx: Fixed(rounding: 0.5), ty: Fixed(rounding: -9)))
        turned.show()
        try oracle.send("PATCH", "screens/PANEL", #"{"orientation": "landscapeLeft", "duration": 0}"#)
        func convert(_ point: String, _ from: String, _ to: String) throws -> String {
            let answer = try oracle.send("POST", "convert", #"{"point": \#(point), "from": \#(from), "to": \#(to)}"#)
            return String(answer.dropFirst(#"{"point":"#.count).dropLast(2))
        }
        let window = try #"{"window": \#(oracle.window("twice").id)}"#
        let panel = #"{"screen": "PANEL"}"#
        let fixed = #"{"fixed": "PANEL"}"#
        // Twice as large about its centre 150,225: the corner is at 50,175. The panel has its left edge up.
        #expect(try convert(#"{"x":0,"y":0}"#, window, panel) == #"{"x":50,"y":175}"#)
        #expect(try convert(#"{"x":50,"y":175}"#, panel, fixed) == #"{"x":175,"y":250}"#)
        #expect(try convert(#"{"x":50,"y":175}"#, panel, #"{"screen": "TV"}"#) == #"{"x":-950,"y":165}"#)
        let spaces = [
            window, try #"{"window": \#(oracle.window("turned").id)}"#, panel, fixed, #"{"screen": "TV"}"#,
            #"{"fixed": "TV"}"#, #""layout""#,
        ]
        for from in spaces {
            for to in spaces {
                for point in [#"{"x":7.25,"y":-3.5}"#, #"{"x":1234.00390625,"y":0.99609375}"#] {
                    let there = try convert(point, from, to)
                    #expect(try convert(there, to, from) == point, "\(from) to \(to): \(there)")
                }
            }
        }
    }

    // MARK: Small ones

    @Test("V1: PATCH of the frame of a plain window without content says that it has none")
    func frameWithoutContent() throws {
        let oracle = try OracleFixture("800x600")
        let client = try oracle.connect("client")
        let plain = client.toplevel("plain")
        plain.surface.send(.commit)
        try oracle.fixture.pump()
        let body = #"{"frame": {"x": 7, "y": 8, "width": 90, "height": 60}, "level": 5}"#
        let target = "windows/\(try oracle.window("plain").id)"
        let refusal = try oracle.refusal("PATCH", target, body)
        #expect(refusal.hasPrefix("409 ") && refusal.contains("has no content yet"), "\(refusal)")
        #expect(try oracle.window("plain").level == 0, "nothing is half-done")
        try client.attach(0xff00_ff00, width: 90, height: 60, to: plain.surface)
        plain.surface.send(.commit)
        try oracle.send("PATCH", target, body)
        #expect(try oracle.window("plain").frame == .init(x: 7, y: 8, width: 90, height: 60))
    }

    @Test(
        "1e999 is named as too large, with its place, wherever a number can be",
        arguments: [
            ("PATCH", "windows/1", #"{"level": 1e999}"#), ("PATCH", "screens/PANEL", #"{"scale": 1e999}"#),
            ("POST", "screens", #"{"model": "640x480", "brightness": 1e999}"#),
            ("POST", "input", #"{"type": "tap", "x": 1e999, "y": 1}"#),
            ("POST", "convert", #"{"point": {"x": -1e999, "y": 1}, "from": "layout", "to": "layout"}"#),
        ])
    func tooLarge(method: String, target: String, body: String) throws {
        let oracle = try OracleFixture("800x600,name=PANEL")
        try oracle.connect("client").window("w").commit()
        try oracle.fixture.pump()
        let refusal = try oracle.refusal(method, target, body)
        #expect(refusal.hasPrefix("400 ") && refusal.contains("1e999 is too large"), "\(refusal)")
        #expect(refusal.contains("line 1, column"), "\(refusal)")
    }

    @Test("E1: a touch that is not down cannot end", arguments: ["moved", "ended", "cancelled"])
    func touchNotDown(phase: String) throws {
        let oracle = try OracleFixture("800x600")
        for place in ["", #", "x": 5, "y": 5"#] {
            let refusal = try oracle.refusal(
                "POST", "input", #"{"type": "touch", "id": 7, "phase": "\#(phase)"\#(place)}"#)
            #expect(refusal.hasPrefix("409 ") && refusal.contains("touch 7 is not down; begin it first"), "\(refusal)")
        }
    }

    @Test("H3: a point off the screen has that as its reason", arguments: [(800, 10), (10, 600), (-1, 10), (10, -1)])
    func offTheScreen(x: Int, y: Int) throws {
        let oracle = try OracleFixture("800x600", "640x480,external")
        let client = try oracle.connect("client")
        client.window("wide").color(0xffff_0000).frame(-50, -50, 2000, 2000).show()
        try oracle.fixture.pump()
        let report = try oracle.inject(#""type": "tap", "x": \#(x), "y": \#(y)"#)
        #expect(report.hit == nil && report.reason == "outsideScreen" && report.delivered == 0)
        #expect(report.candidates.map(\.reason) == ["outsideScreen"])
    }

    @Test("E3: a dropped key counts once, when it goes down")
    func droppedPress() throws {
        let oracle = try OracleFixture("800x600")
        let report = try oracle.inject(#""type": "key", "key": "a""#)
        #expect(report.reason == "noKeyWindow" && report.steps == 2 && report.delivered == 0)
        #expect(try oracle.count("droppedPresses") == 1)
        try oracle.inject(#""type": "shake""#)
        #expect(try oracle.count("droppedPresses") == 2)
        try oracle.connect("client").window("w").color(0xffff_0000).makeKeyAndVisible()
        try oracle.fixture.pump()
        try oracle.inject(#""type": "key", "key": "a""#)
        #expect(try oracle.count("droppedPresses") == 2)
    }

    @Test("the cascade of plain windows starts again on a screen without any")
    func cascade() throws {
        let oracle = try OracleFixture("800x600")
        // A window of the extension does not count.
        try oracle.connect("bar").window("bar").color(0xff00_00ff).frame(0, 0, 800, 20).show()
        /// The positions of the windows of a program that ends then.
        func start() throws -> [[Double]] {
            let client = try oracle.connect("program")
            let windows = try (0..<2).map { try TestToplevel.map(client, oracle.fixture, "\($0)") }
            let origins = try windows.map { window in
                let frame = try oracle.window(window.name).frame
                return [frame.x, frame.y]
            }
            try client.kill()
            return origins
        }
        #expect(try start() == [[32, 32], [64, 64]])
        #expect(try start() == [[32, 32], [64, 64]], "a second start looks like the first")
        let stays = try TestToplevel.map(oracle.connect("other"), oracle.fixture, "stays")
        #expect(try start() == [[64, 64], [96, 96]])
        #expect(try oracle.window(stays.name).frame.x == 32)
    }
}
