// H3: injected input that no window or application receives.

import FoundationEssentials
import TestSupport
import Testing

@Suite struct InjectionMissTests {
    @Test(
        "H3: with mustHit, an event that no client receives is refused with its report and the reasons",
        arguments: [
            (
                #"{"type": "tap", "x": 50, "y": 50"#,
                #"no client received the tap: no window takes input at this point; not window 1 \"w\": the point is "#
                    + "outside its frame"
            ),
            (#"{"type": "click", "x": 50, "y": 50"#, "no client received the click: no window"),
            (
                #"{"type": "tap", "x": 900, "y": 50"#,
                "no client received the tap: the point is not on the screen, whose bounds are 0,0 800×600"
            ),
            (#"{"type": "hover", "x": 900, "y": 50"#, "no client received the hover: the point is not on the screen"),
            (#"{"type": "scroll", "x": 50, "y": 50, "deltaY": 4"#, "no client received the scroll: no window"),
            (
                #"{"type": "pinch", "by": "touch", "x": 300, "y": 50, "radius": 9"#,
                "no client received the pinch: no wind"
            ),
            (
                #"{"type": "remote", "command": "play""#,
                "no client received the remote-control command: no application receives such events"
            ),
        ])
    func misses(event: String, reason: String) throws {
        let setup = try InjectionFixture()
        let answer = try setup.post(event + #", "mustHit": true}"#)
        #expect(answer.status == 409 && answer.body.contains(reason), "\(answer)")
        #expect(answer.body.contains(#""rule":"H3""#) && answer.body.contains(#""delivered":0"#), "\(answer)")
        #expect(try setup.post(event + "}", query: "?mustHit=true").status == 409)
        #expect(try setup.post(event + #", "mustHit": false}"#, query: "?mustHit=true").status == 200)
        #expect(try setup.post(event + "}").status == 200)
    }

    @Test("H3: keys without a key window miss; hovering anywhere on the screen and an empty text do not")
    func otherMisses() throws {
        let setup = try InjectionFixture()
        for event in [#"{"type": "hover", "x": 50, "y": 50}"#, #"{"type": "type", "text": ""}"#] {
            #expect(try setup.post(event, query: "?mustHit=true").status == 200, "\(event)")
        }
        setup.window.hide()
        try setup.fixture.pump()
        let answer = try setup.post(#"{"type": "key", "key": "a"}"#, query: "?mustHit=true")
        #expect(answer.status == 409 && answer.body.contains("no window is key; not window 1"), "\(answer)")
        #expect(answer.body.contains("it is hidden"), "\(answer)")
    }

    @Test("H3: a list names the first event that no client received; the others were injected")
    func missInList() throws {
        let setup = try InjectionFixture()
        let list = """
            [{"type": "tap", "x": 50, "y": 50, "mustHit": false}, {"type": "tap", "x": 60, "y": 50},
             {"type": "touch", "phase": "began", "x": 150, "y": 150}]
            """
        let answer = try setup.post(list, query: "?mustHit=true")
        #expect(answer.status == 409 && answer.body.contains(#""index":1"#), "\(answer)")
        #expect(setup.fixture.model.touchCount == 1)
    }

    @Test("H3: an explanation names at most eight windows")
    func manyMisses() throws {
        let setup = try InjectionFixture()
        for index in 0..<9 { setup.client.window("small \(index)").color(0xff00ff00).frame(0, 0, 1, 1).show() }
        try setup.fixture.pump()
        let answer = try setup.post(#"{"type": "tap", "x": 50, "y": 50}"#, query: "?mustHit=true")
        #expect(answer.body.contains("small 8") && !answer.body.contains("small 0\\\": the"), "\(answer)")
        #expect(answer.body.contains("; nor 2 others\""), "\(answer)")
    }

    @Test("H3: a list of events has a bounded report, however many windows there are and however long their titles")
    func boundedReport() throws {
        let setup = try InjectionFixture()
        let title = String(repeating: "t", count: 3000)
        for _ in 0..<40 { setup.client.window(title).color(0xff00ff00).frame(0, 0, 1, 1).show() }
        try setup.fixture.pump()
        let one = try setup.answer(#"{"type": "tap", "x": 50, "y": 50}"#)
        #expect(one.candidates.count == 32 && one.moreCandidates == 9)
        #expect(one.candidates.allSatisfy { $0.title.utf8.count < 300 })
        let taps = [String](repeating: #"{"type": "tap", "x": 50, "y": 50}"#, count: 100).joined(separator: ",")
        let list = try setup.post("[\(taps)]")
        #expect(list.status == 200)
        let events = try JSONDecoder().decode([String: [InjectionFixture.Answer]].self, from: Data(list.body.utf8))
        let counts = try #require(events["events"]).map { ($0.candidates.count, $0.moreCandidates ?? 0) }
        #expect(counts.count == 100 && counts.reduce(0) { $0 + $1.0 } == 1000)
        #expect(counts.allSatisfy { $0.0 + $0.1 == 41 })
    }
}
