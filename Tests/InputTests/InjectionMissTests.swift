// H3: injected input that no window or application receives.

import FoundationEssentials
import TestSupport
import Testing

@Suite struct InjectionMissTests {
    @Test(
        "H3: with mustHit, an event that nobody receives is refused with its report and the reasons",
        arguments: [
            (
                #"{"type": "tap", "x": 50, "y": 50"#,
                #"nobody received the tap: no window takes input at this point; not window 1 \"w\": the point is "#
                    + "outside its frame"
            ),
            (#"{"type": "click", "x": 50, "y": 50"#, "nobody received the click: no window"),
            (#"{"type": "tap", "x": 900, "y": 50"#, "nobody received the tap: the point is not on the screen"),
            (#"{"type": "hover", "x": 900, "y": 50"#, "nobody received the hover: the point is not on the screen"),
            (#"{"type": "scroll", "x": 50, "y": 50, "deltaY": 4"#, "nobody received the scroll: no window"),
            (#"{"type": "pinch", "by": "touch", "x": 300, "y": 50, "radius": 9"#, "nobody received the pinch: no wind"),
            (#"{"type": "remote", "command": "play""#, "nobody received the remote: no application receives remote-"),
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

    @Test("H3: a list names the first event that nobody received; the others were injected")
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
}
