// Mistakes in a scenario are refused before its first step.

import DisplayServer
import TestSupport
import Testing

@Suite struct ScenarioRefusalTests {
    /// Steps, and the expected message.
    private static let mistakes: [(steps: String, reason: String)] = [
        ("{wait: '1ms'}, {}", "step 2: a step has exactly one of the keys plug, unplug, flap"),
        ("{wait: '1ms', unplug: 'A'}", "step 1: a step has exactly one of"),
        ("{jump: 1}", "step 1: unknown key \"jump\"; use one of brightness, claim"),
        ("{wait: '5'}", "step 1: wait: \"5\" is not a condition to wait for; use settled, idle, 500us, 16ms or 1.5s"),
        ("{wait: '25h'}", "step 1: wait: \"25h\""),
        ("{wait: '-1s'}", "step 1: wait: \"-1s\""),
        (
            "{plug: 'no-such-model'}",
            "step 1 (plug no-such-model): S1 (screen properties): \"no-such-model\" is not a display model"
        ),
        ("{plug: '800x600,size=3'}", "step 1: plug: S1 (screen properties): there is no key size"),
        (
            "{plug: '800x600,mode=640x480'}",
            "step 1 (plug 800x600): S3 (current and preferred mode): 640x480 is not a mode of display model"
        ),
        ("{plug: {model: '800x600', colour: 1}}", "step 1: plug: unknown key \"colour\""),
        ("{flap: {screen: 'A', times: 0}}", "step 1: flap.times: 0 is not within 1…10000"),
        ("{mode: {screen: 'A', to: 5}}", "step 1: mode.to: 5 is not a mode; use WIDTHxHEIGHT"),
        ("{mode: {screen: 'A', to: 'big'}}", "step 1: mode.to: S1 (screen properties): \"big\" is not a mode"),
        ("{mode: {screen: 'A', to: '9x9', duration: '1s'}}", "step 1: mode: \"duration\" is only for rotate"),
        ("{scale: {screen: 'A', to: 'big'}}", "step 1: scale.to: \"big\" is not a scale; use a number"),
        (
            "{scale: {screen: 'A', to: 65}}",
            "step 1: scale.to: S1 (screen properties): 65 is not a scale; use a number from 1/64 to 64"
        ),
        (
            "{brightness: {screen: 'A', to: -1}}",
            "step 1: brightness.to: S1 (screen properties): -1 is not a brightness; use a number from 0 to 1"
        ),
        (
            "{position: {screen: 'A', to: 1}}",
            "step 1: position.to: 1 is not a position; use {\"x\": X, \"y\": Y}, in points"
        ),
        ("{rotate: {screen: 'A', to: 'up'}}", "step 1: rotate.to: R1 (orientations): \"up\" is not an orientation"),
        (
            "{rotate: {screen: 'A', to: 'portrait', duration: '61s'}}",
            "step 1: rotate: R1 (orientations): a rotation lasts at most"
        ),
        ("{overscan: {screen: 'A', to: 'big'}}", "step 1: overscan.to: S5 (overscan): \"big\""),
        ("{mirror: {screen: 'A'}}", "step 1: mirror: the key \"to\" is missing"),
        ("{input: {type: 'poke'}}", "step 1: input.type: \"poke\" is not a type of event"),
        (
            "{input: [{type: 'tap', x: 1, y: 1}, {type: 'key', key: 'nokey'}]}",
            "step 1 (input tap, key): E3 (keys and motion): \"nokey\" is not a key"
        ),
        (
            "{input: {type: 'type', text: 'a\\u0007'}}",
            "step 1 (input type): E3 (keys and motion): character 2 of the text, U+7, cannot be typed"
        ),
        ("{claim: {color: '#ffffff'}}", "step 1: claim: the key \"title\" is missing"),
        ("{claim: {title: 'a', level: 'high'}}", "step 1: claim.level: W2 (levels): \"high\" is not a level"),
        ("{claim: {title: 'a', level: Infinity}}", "step 1 (claim a): W2 (levels): inf is not a level"),
        ("{claim: {title: 'a', alpha: 2}}", "step 1 (claim a): W1 (window properties): alpha 2.0 must be within 0…1"),
        ("{claim: {title: 'a', color: 'red'}}", "step 1: claim.color: \"red\" is not a colour; use #RRGGBB"),
        (
            "{claim: {title: 'a', hidden: true, key: true}}",
            "step 1: claim.hidden: K2 (making a window key): a hidden window cannot be key"
        ),
        (
            "{claim: {title: 'a', frame: {x: 0, y: 0, width: -1, height: 1}}}",
            "step 1 (claim a): W6 (frames): the frame is not finite"
        ),
        ("{claim: {title: 'a', level: null}}", "step 1: claim.level: null is not a value; omit the field"),
        (
            "{claim: {title: 'a'}}, {claim: {title: 'a'}}",
            "step 2 (claim a): a window with this title is already claimed"
        ),
        ("{window: {level: 1}}", "step 1: window: the window's \"title\" is missing"),
        ("{window: {title: 'a', level: 1}}", "step 1 (window a): \"a\" is not a claimed window at this step"),
        (
            "{claim: {title: 'a'}}, {window: {title: 'a', front: false}}",
            "step 2 (window a): W3 (order of windows): front: false is not supported"
        ),
        ("{claim: {title: 'a'}}, {release: 'b'}", "at this step; use one of a"),
        ("{claim: {title: 'a'}}, {release: 'a'}, {release: 'a'}", "step 3 (release a): \"a\" is not a claimed window"),
        ("{wait: 5}", "expected a condition to wait for; use settled, idle, 500us, 16ms or 1.5s, at most a day, or "),
        ("{pause: 1}", "step 1: pause: expected a string, found 1"),
        ("{expect: {hits: {x: 1, y: 1}}}", "step 1: expect.hits: the key \"window\" is missing"),
        ("{expect: {hits: {x: 1, window: 'a'}}}", "step 1: expect.hits: the key \"y\" is missing"),
        (
            "{expect: {hits: {x: Infinity, y: 1, window: 'none'}}}",
            "step 1: expect.hits.x: inf is not a coordinate; use a number of points"
        ),
        (
            "{expect: {hits: {x: 1, y: NaN, window: 'none'}}}",
            "step 1: expect.hits.y: nan is not a coordinate; use a number of points"
        ),
        (
            "{expect: {hits: [{x: 1, y: 1, window: 'a', level: 1}]}}",
            "step 1: expect.hits[0]: unknown key \"level\"; use one of screen, window, x, y"
        ),
        ("{expect: {}}", "step 1: expect: the expectation is empty"),
        ("{expect: {within: '1s'}}", "step 1: expect: the expectation is empty"),
        ("{expect: {screen: {name: 'A', mirrors: null}}}", "step 1: expect.screen.mirrors: null is not a value"),
        (
            "{expect: {screen: {name: 'A', mode: 'x'}}}",
            "step 1: expect.screen.mode: S1 (screen properties): \"x\" is not a mode"
        ),
        (
            "{expect: {screen: {name: 'A', connected: false, scale: 1}}}",
            "a screen that is not connected has no further"
        ),
        ("{expect: {window: [{title: 'a'}, {name: 'a'}]}}", "step 1: expect.window[1]: unknown key \"name\""),
        ("{expect: {window: {title: 'a', exists: false, key: true}}}", "a window that does not exist has no further"),
        ("{expect: {pixel: {x: 1, y: 1, color: '#fff'}}}", "step 1: expect.pixel.color: \"#fff\" is not a colour"),
        (
            "{expect: {pixel: {x: 1, y: 1, color: '#ffffff', tolerance: 256}}}",
            "step 1: expect.pixel.tolerance: a tolerance is a whole number"
        ),
        (
            "{expect: {pixel: {x: 1e40, y: 1, color: '#ffffff'}}}",
            "step 1: expect.pixel.x: expected a whole number, found 1e40"
        ),
        (
            "{screenshot: {name: 'a', tolerance: 1}}",
            "step 1: screenshot: \"tolerance\" is only for compare"
        ),
        ("{screenshot: {name: 'a', masks: []}}", "step 1: screenshot: \"masks\" is only for compare"),
        (
            "{screenshot: {name: 'a', screen: 'A', window: 1}}",
            "step 1: screenshot.window: use \"screen\" or \"window\""
        ),
        ("{screenshot: {name: 'a', crop: {x: 1, y: 1, width: 0, height: 1}}}", "1,1,0,1 is not a part of a picture"),
        (
            "{screenshot: {name: 'a', crop: {x: 1, y: 1, w: 1, height: 1}}}",
            "step 1: screenshot.crop: unknown key \"w\""
        ),
        (
            "{compare: {name: 'a', png: 'iVBORw0KGgo=', maxDiffering: '101%'}}",
            "step 1: compare.maxDiffering: it is not a number of pixels; use a whole number like 20, or a percentage"
        ),
        ("{compare: {name: 'a'}}", "step 1: compare: \"png\", the golden picture in base64, is missing"),
        ("{compare: {name: 'a', png: 'AAAA'}}", "step 1: compare: \"png\", the golden picture in base64, is not a PNG"),
        (
            (0..<9).map { "{claim: {title: 'w\($0)'}}, " }.joined() + "{release: 'nope'}",
            "step 10 (release nope): \"nope\" is not a claimed window at this step; use the title of a window that"
        ),
        ("{wait: '1ms'}, {wait: 'idle'}", "step 2 (wait until idle): the real clock is never idle"),
        ("{wait: 1e+}", "line 1, column 32: \"1e+\" is not a number"),
        ("{wait: '1ms'},\n\n {wait: '1ms'", "line 3, column 14: expected a comma or }"),
        ("{wait: '1ms'}\n {wait: '1ms'}", "line 2, column 2: expected a comma or ]"),
    ]

    @Test("every mistake that can be found in advance is refused with step and key, and changes nothing")
    func refused() throws {
        let fixture = try ServerFixture(screens: ["400x300,name=A"])
        let control = try TestControl(fixture)
        let number = fixture.server.frameNumber
        for (steps, reason) in Self.mistakes {
            let report = try control.run("{plug: '640x480,name=P'}, " + steps)
            // The preceding step turns the mistake into a later one.
            let shifted = try control.run(steps)
            #expect(shifted.refusal?.contains(reason) == true, "\(steps): \(shifted.refusal ?? "done")")
            #expect(report.refusal != nil && report.steps.isEmpty && report.status >= 400, "\(steps)")
            #expect(fixture.model.screens.count == 1, "\(steps)")
        }
        #expect(
            fixture.server.frameNumber == number && fixture.model.windows.isEmpty && fixture.model.applications.isEmpty)
    }

    @Test("all mistakes are in the answer, with place and way; a scenario that is only checked does not run")
    func all() throws {
        let fixture = try ServerFixture()
        let control = try TestControl(fixture)
        let steps = "{pause: 5},\n {claim: {title: 'a', levl: 1}}, {release: 'b'}, {plug: 'nix'}"
        let answer = try control.send("POST", "/v1/scenarios", "{name: 'a', steps: [\(steps)]}")
        #expect(answer.status == 400, "\(answer)")
        let errors =
            #""errors":[{"code":"wrongType","column":22,"detail":"step 1: pause: expected a string, found 5","line":1,"#
        #expect(answer.body.contains(errors + #""pointer":"/steps/0/pause"}"#), "\(answer.body)")
        #expect(answer.body.contains(#""line":2,"pointer":"/steps/1/claim/levl"}"#), "\(answer.body)")
        #expect(answer.body.contains(#""line":2,"pointer":"/steps/3"}"#), "\(answer.body)")
        // Step 2 may have claimed it.
        #expect(!answer.body.contains("/steps/2"), "\(answer.body)")
        #expect(answer.body.contains(#"found 5\nline 2, column 23: step 2"#), "\(answer.body)")
        let many = Array(repeating: "{pause: 1}", count: 150).joined(separator: ",")
        let refusal = try control.send("POST", "/v1/scenarios", "{name: 'a', steps: [\(many)]}").body
        #expect(refusal.contains("/steps/99/") && !refusal.contains("/steps/100/"))
        let checked = try control.send("POST", "/v1/scenarios?check=true", "{name: 'a', steps: [{plug: '9x9'}]}")
        #expect(checked.status == 200 && checked.body == "{\"steps\":1}\n" && fixture.model.screens.count == 1)
    }

    @Test("a scenario has known keys, a name, steps, and at most 10,000 of them")
    func shape() throws {
        let fixture = try ServerFixture()
        let control = try TestControl(fixture)
        func refusal(_ body: String) throws -> String {
            let answer = try control.send("POST", "/v1/scenarios", body)
            #expect(answer.status == 400)
            return answer.body
        }
        #expect(
            try refusal("{name: 'a', step: []}").contains(
                "unknown key \\\"step\\\"; use one of $schema, name, server, steps"))
        #expect(try refusal("{name: 'a'}").contains("the key \\\"steps\\\" is missing"))
        #expect(try refusal("{steps: []}").contains("the key \\\"name\\\" is missing"))
        #expect(try refusal("").contains("needs a scenario"))
        let many = Array(repeating: "{wait:'0s'}", count: 10_001).joined(separator: ",")
        #expect(try refusal(TestControl.scenario(many)).contains("at most 10000 steps"))
        let answer = try control.send(
            "POST", "/v1/scenarios", "/* a comment */ {$schema: 'x.json', name: 'a', summary: 'b', steps: [],}")
        #expect(answer.status == 200 && answer.body.contains("event: done"))
    }
}
