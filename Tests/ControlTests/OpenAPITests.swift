// The description of the control API matches its routes.

import Compositor
import ControlProtocol
import Displays
import EventLoop
import FoundationEssentials
import JSON5
import TestSupport
import Testing
import WindowModel

@testable import ControlAPI
@testable import DisplayServer

@Suite struct OpenAPITests {
    private let fixture: ServerFixture
    private let control: TestControl

    init() throws {
        fixture = try ServerFixture(screens: ["80x60"])
        control = try TestControl(fixture)
    }

    private var routes: [Route] { control.control.router.routes }

    @Test("every described operation has a route")
    func operations() {
        #expect(routes.map(\.name).sorted() == API.Operation.all.map { "\($0.method) \($0.path)" }.sorted())
    }

    @Test("the document is sent as it is, and every reference in it is valid")
    func document() throws {
        let answer = try control.send("GET", "/v1/openapi.json")
        #expect(answer.status == 200)
        // It is made once, not per request.
        #expect(Array(answer.body.utf8) == control.control.openAPI.body)
        let document = try APIDocument().json
        #expect(try JSON(Array(answer.body.utf8)) == document)
        for reference in references(in: document) {
            var value: JSON? = document
            for part in reference.split(separator: "/").dropFirst() { value = value?[String(part)] }
            #expect(value != nil, "\(reference)")
        }
    }

    @Test("the words of the contract are those of the model and the server")
    func words() {
        func check<T: RawRepresentable<String> & CaseIterable, W: Word>(_ type: T.Type, _ words: W.Type) {
            #expect(T.allCases.map(\.rawValue) == W.all.map(\.rawValue), "\(type)")
        }
        check(Routing.Reason.self, API.Reason.self)
        check(Unfinished.Kind.self, API.UnfinishedKind.self)
        check(Application.RotationPolicy.self, API.RotationPolicy.self)
        check(Screen.Orientation.self, API.Orientation.self)
        check(Screen.Kind.self, API.ScreenKind.self)
        check(Screen.Overscan.self, API.Overscan.self)
        check(HTTPMethod.self, API.Method.self)
        check(InputEvent.KeyAction.self, API.KeyAction.self)
        check(Event.TransformGesture.Kind.self, API.GestureKind.self)
        check(ClockMode.self, API.ClockMode.self)
        check(Counters.End.self, API.EndingCause.self)
        let roles: [Surface.Role] = [.none, .root, .subsurface, .popup]
        #expect(roles.map { "\($0)" } == API.SurfaceRole.all.map(\.rawValue))
        let phases: [Event.Phase] = [.began, .moved, .stationary, .ended, .cancelled]
        #expect(phases.map { "\($0)" } == API.Phase.all.map(\.rawValue))
        #expect(Event.RemoteCommand.allCases.map { "\($0)" } == API.RemoteCommand.all.map(\.rawValue))
        let rights = Set(API.Operation.all.flatMap(\.rights))
        #expect(rights.subtracting(Rights.names.map(\.key)) == [])
    }

    @Test("the numbers of the contract are those of the model and the server")
    func numbers() {
        #expect(Int32(API.Limits.maximumInt32) == .max && Int32(API.Limits.minimumInt32) == .min)
        #expect(API.Limits.quarterTurn == .pi / 2 && API.Limits.fullTurn == .pi * 2)
        #expect(UInt64(API.Limits.longestInput) == InputRequest.longest / 1000)
        #expect(API.Limits.mostSteps == InputInjector.maximumSteps && API.Limits.mostClicks == InputEvent.mostClicks)
        #expect(API.Limits.longestPictureEdge == PNG.maximumEdge)
        #expect(Double(API.Limits.highestLevel) == Window.Level.highest)
        #expect(API.Limits.lowestLevel == -API.Limits.highestLevel)
        let scales = API.Limits.smallestScreenScale...Double(API.Limits.greatestScreenScale)
        #expect(scales == ScreenDescription.scales)
    }

    @Test("the schemas of events are those of all effects of the model")
    func events() throws {
        let schemas = try APIDocument().schemas.keys
        for property in Window.Property.allCases {
            #expect(schemas.contains(APIDocument.schema(ofEvent: "\(property.rawValue)DidChange")))
        }
    }

    private func references(in value: JSON) -> [String] {
        switch value {
        case .object(let fields):
            fields.flatMap { name, value in
                if name == "$ref", case .string(let text) = value { return [text] }
                return references(in: value)
            }
        case .array(let values): values.flatMap { references(in: $0) }
        default: []
        }
    }

    @Test("bodies whose fields come from a table of the server have all of it, and no more")
    func bodies() {
        #expect(API.Keys.InputEvent.allCases.map(\.rawValue).sorted() == InputReader.Keys.allCases.map(\.name).sorted())
        let all = Set(ScreenProperty.all.map(\.name))
        #expect(Set(API.Keys.Plug.allCases.map(\.rawValue)) == all.union(["model", "edid", "hostile"]))
        let changeable = Set(ScreenProperty.changeable.map(\.name))
        #expect(
            Set(API.Keys.ScreenPatch.allCases.map(\.rawValue)) == changeable.union(["enabled", "powered", "duration"]))
    }

    @Test("the example bodies are accepted, except for a step of real time, and of a scenario that does not pause")
    func examples() throws {
        let application = fixture.model.addApplication(name: "test")
        let window = try fixture.model.createWindow(application: application)
        try fixture.model.setHidden(false, of: window)
        let document = try APIDocument()
        for route in routes {
            guard let example = document.example(route) else { continue }
            let target = route.path.replacing("{screen}", with: "1").replacing("{id}", with: "\(window)")
            let body = String(decoding: try JSONWriter.encode(example), as: UTF8.self)
            let answer = try control.send(route.method.rawValue, target, body)
            let needsMore = ["/v1/clock", "/v1/scenarios/continue"].contains(route.path)
            #expect(answer.status < 300 || (answer.status == 409 && needsMore), "\(route.name): \(answer.body)")
            if route.path == "/v1/scenarios" { #expect(answer.body.contains("event: done"), "\(answer.body)") }
        }
    }

    @Test(
        "all responses are as described: the status, and every value of the JSON",
        arguments: [
            ("GET", "/v1/status", "", 200), ("GET", "/v1/metrics", "", 200), ("GET", "/v1/openapi.json", "", 200),
            ("GET", "/v1/displays", "", 200), ("GET", "/v1/applications", "", 200), ("GET", "/v1/seats", "", 200),
            ("GET", "/v1/screens", "", 200), ("GET", "/v1/screens/1", "", 200), ("GET", "/v1/screens/9", "", 404),
            ("POST", "/v1/screens", #"{"model":"80x60","name":"B"}"#, 201), ("POST", "/v1/screens", "{", 400),
            ("POST", "/v1/screens", #"{"model":"x"}"#, 422), ("PATCH", "/v1/screens/1", #"{"scale":2}"#, 200),
            ("PATCH", "/v1/screens/1", #"{"scale":-1}"#, 422), ("PATCH", "/v1/screens/9", "{}", 404),
            ("DELETE", "/v1/screens/1", "", 204), ("DELETE", "/v1/screens/9", "", 404),
            ("GET", "/v1/screens/1/screenshot.png", "", 200), ("GET", "/v1/screenshot.png?cursor=no", "", 400),
            ("GET", "/v1/screenshot.png?scale=0.5&maxEdge=20", "", 200), ("GET", "/v1/screenshot.png?scale=2", "", 400),
            ("GET", "/v1/screens/1/screenshot.png?maxEdge=0", "", 400),
            ("GET", "/v1/capture", "", 200), ("GET", "/v1/capture?screen=9", "", 404),
            ("POST", "/v1/compare", "x", 400),
            ("GET", "/v1/windows", "", 200), ("GET", "/v1/windows/1", "", 200), ("GET", "/v1/windows/x", "", 404),
            ("PATCH", "/v1/windows/1", #"{"level":5}"#, 200), ("PATCH", "/v1/windows/1", #"{"alpha":5}"#, 422),
            ("PATCH", "/v1/windows/1", #"{"nothing":5}"#, 400), ("DELETE", "/v1/windows/1", "", 202),
            ("DELETE", "/v1/windows/1?force=true", "", 204), ("GET", "/v1/tree", "", 200),
            ("POST", "/v1/convert", #"{"points":[],"from":"layout","to":{"window":1}}"#, 200),
            ("POST", "/v1/convert", #"{"points":[],"from":"layout"}"#, 400),
            ("POST", "/v1/convert", #"{"points":[],"from":"layout","to":{"window":9}}"#, 422),
            ("POST", "/v1/input", #"{"type":"tap","x":1,"y":1}"#, 200), ("POST", "/v1/input", "[]", 200),
            ("POST", "/v1/input", #"{"type":"tap","x":1,"y":1,"screen":"9"}"#, 422), ("GET", "/v1/clock", "", 200),
            ("PATCH", "/v1/clock", #"{"step":1}"#, 409), ("POST", "/v1/settle", "", 200),
            ("GET", "/v1/wait?for=window&visible&timeout=0", "", 200),
            ("GET", "/v1/wait?for=client&timeout=0", "", 408),
            ("GET", "/v1/wait?for=pixel&x=1&y=1&color=123456&for=screen&screen=1&timeout=0", "", 408),
            ("GET", "/v1/wait?for=still&for=application&application=test&timeout=9s", "", 200),
            ("GET", "/v1/wait?for=nothing", "", 400),
            ("POST", "/v1/scenarios", "{name: 'x', steps: []}", 200), ("POST", "/v1/scenarios", "{", 400),
            ("POST", "/v1/scenarios/continue", "{}", 409), ("POST", "/v1/scenarios/continue", "[]", 400),
            ("GET", "/v1/keyboard", "", 200), ("PATCH", "/v1/keyboard", #"{"layout":"de"}"#, 200),
            ("PATCH", "/v1/keyboard", #"{"layout":"nowhere"}"#, 422),
        ] as [(String, String, String, Int)])
    func answers(method: String, target: String, body: String, status: Int) throws {
        let application = fixture.model.addApplication(name: "test")
        let window = try fixture.model.createWindow(application: application)
        try fixture.model.setHidden(false, of: window)
        let answer = try control.send(method, target, body)
        #expect(answer.status == status, "\(answer.body)")
        let path = target.prefix { $0 != "?" }.split(separator: "/").map(String.init)
        let found = control.control.router.routes.first { $0.method.rawValue == method && $0.match(path) != nil }
        let route = try #require(found)
        let document = try APIDocument()
        let response = try #require(document.operation(route)?["responses"]?["\(status)"])
        let content = response["content"] ?? document.json["components"]?["responses"]?["Problem"]?["content"]
        guard let schema = content?["application/json"]?["schema"] ?? content?["application/problem+json"]?["schema"],
            answer.body.hasPrefix("{")
        else { return }
        let sent = try JSON(Array(answer.body.utf8))
        #expect(document.check.mistakes(sent, schema) == [], "\(answer.body)")
    }

    @Test(
        "the numbers of a wait are described with their ranges, outside of which the server refuses them",
        arguments: [
            ("x", "for=pixel&y=0&color=123456", 0, Int(Int32.max)),
            ("y", "for=pixel&x=0&color=123456", 0, Int(Int32.max)),
            ("count", "for=window", 0, 1_000_000), ("pid", "for=client", 1, Int(Int32.max)),
        ])
    func ranges(name: String, query: String, least: Int, most: Int) throws {
        let description = try APIDocument().json["paths"]?["/v1/wait"]?["get"]
        guard case .array(let parameters)? = description?["parameters"] else {
            Issue.record("/v1/wait is not described")
            return
        }
        let schema = try #require(parameters.first { $0["name"] == .string(name) }?["schema"])
        #expect(schema["minimum"] == .number(Double(least)) && schema["maximum"] == .number(Double(most)))
        for (value, status) in [(least - 1, 400), (least, 408), (most, 408), (most + 1, 400)] {
            // A count of 0 is fulfilled.
            let answer = try control.send("GET", "/v1/wait?timeout=0&\(query)&\(name)=\(value)")
            let isFulfilled = name == "count" && value == 0
            #expect(answer.status == (isFulfilled ? 200 : status), "\(name)=\(value): \(answer.body)")
        }
    }

    /// Fields of any number, such as coordinates, by the names of their schemas; `*` for all.
    private static let unlimited: [String: Set<String>] = [
        "*": ["x", "y", "dx", "dy", "deltaX", "deltaY", "level", "rotation", "transform", "toPixels"],
        "InputEvent": ["scale", "radius"], "RectBody": ["width", "height"], "SizeBody": ["width", "height"],
    ]

    @Test("all numbers are described with a limit, except for those that have none")
    func limits() throws {
        for (name, schema) in try APIDocument().schemas {
            for field in schema["properties"]?.keys ?? [] {
                guard let type = schema["properties"]?[field], hasUnlimitedNumber(type) else { continue }
                let isKnown = [name, "*"].contains { Self.unlimited[$0]?.contains(field) == true }
                #expect(isKnown, "\(name).\(field)")
            }
        }
    }

    private func hasUnlimitedNumber(_ schema: JSON) -> Bool {
        if case .array(let all)? = schema["anyOf"] ?? schema["allOf"] { return all.contains(where: hasUnlimitedNumber) }
        if let items = schema["items"] ?? schema["additionalProperties"] { return hasUnlimitedNumber(items) }
        let isNumber = [.string("integer"), .string("number")].contains(schema["type"])
        return isNumber && schema["minimum"] == nil && schema["maximum"] == nil
    }

    @Test(
        "fields with a few possible values, or of a certain form, say which",
        arguments: [
            ("EventOrientationWillChange", "from", "landscapeLeft", "sideways"),
            ("EventOrientationDidChange", "to", "portraitUpsideDown", ""),
            ("EventEvent", "phase", "stationary", "over"),
            ("EventEvent", "gesture", "pinch", "hold"), ("EventEvent", "tool", "eraser", "finger"),
            ("EventRequest", "method", "PATCH", "patch"), ("Application", "rotationPolicy", "fixed", "none"),
            ("Surface", "role", "popup", "window"), ("InputReport", "type", "swipe", "event"),
            ("InputEvent", "button", "side", "last"), ("InputEvent", "by", "touch", "finger"),
            ("InputEvent", "action", "down", "press"), ("InputEvent", "command", "togglePlayPause", "toggle"),
            ("ScenarioClaim", "color", "#80102030", "red"), ("ScenarioClaim", "color", "#aBcDeF", "#abcde"),
            ("ExpectedPixel", "color", "#102030", "102030"), ("WaitPixel", "color", "102030", "#10203"),
            ("ScenarioFlap", "out", "1.5s", "10"), ("ScenarioFlap", "in", "500us", "1 s"),
            ("Expectation", "within", "2e3ms", "-1s"), ("ScenarioWait", "timeout", "10", "soon"),
            ("WaitStill", "duration", ".5s", "5m"), ("ScenarioStep", "wait", "settled", "settle"),
            ("ScenarioStep", "wait", "10ms", "10"), ("ScenarioRotate", "to", "portrait", "sideways"),
            ("ScenarioRotate", "duration", "1s", "1"), ("ScenarioOverscan", "to", "none", "a bit"),
        ])
    func forms(name: String, field: String, right: String, wrong: String) throws {
        let document = try APIDocument()
        let schema = try #require(document.schemas[name]?["properties"]?[field], "\(name).\(field)")
        let check = document.check
        #expect(check.mistakes(.string(right), schema) == [])
        #expect(check.mistakes(.string(wrong), schema) != [])
    }

    @Test("the server accepts and refuses the colours and durations that are described so")
    func scenarioTexts() throws {
        let control = try TestControl(try ServerFixture(screens: ["80x60"], clock: .manual))
        let check = try APIDocument().check
        for (step, isRight) in [
            (##"{"claim": {"title": "a", "color": "#80102030"}}"##, true), (#"{"wait": "1e3ms"}"#, true),
            (#"{"claim": {"title": "a", "color": "red"}}"#, false), (#"{"wait": "10"}"#, false),
            (#"{"flap": {"screen": 1, "out": ".5s", "in": "5.us"}}"#, true),
            (#"{"flap": {"screen": 1, "out": "5"}}"#, false), (#"{"rotate": {"screen": 1, "to": "portrait"}}"#, true),
            (#"{"rotate": {"screen": 1, "to": "sideways"}}"#, false), (#"{"scale": {"screen": 1, "to": "2"}}"#, false),
            (#"{"scale": {"screen": 1, "to": 2, "duration": "1s"}}"#, false),
            (#"{"rotate": {"screen": 1, "to": "portrait", "duration": "1s"}}"#, true),
            (#"{"brightness": {"screen": 1, "to": 2}}"#, false), (#"{"expect": {"within": "1"}}"#, false),
            (#"{"wait": {"still": {"duration": "10"}, "timeout": "1s"}}"#, true),
            (#"{"wait": {"still": {"duration": "ten"}}}"#, false),
            (#"{"wait": {"idle": true, "timeout": "x"}}"#, false),
            (#"{"wait": {"pixel": {"x": 1, "y": 1, "color": "123456"}}}"#, true),
            (##"{"wait": {"pixel": {"x": 1, "y": 1, "color": "#12345678"}}}"##, false),
            (#"{"input": {"type": "tap", "x": 1, "y": 1, "force": 0.5}}"#, true),
        ] {
            let text = #"{"name": "x", "steps": [\#(step)]}"#
            let answer = try control.send("POST", "/v1/scenarios?check=true", text)
            #expect((answer.status == 200) == isRight, "\(step): \(answer.body)")
            let value = try JSON(Array(text.utf8))
            let mistakes = check.mistakes(value, APIDocument.reference("Scenario"))
            #expect(mistakes.isEmpty == isRight, "\(step): \(mistakes)")
        }
    }

    @Test(
        "the limits of bodies are those of the server",
        arguments: [
            #"{"type": "tap", "x": 1, "y": 1, "force": 1.5}"#,
            #"{"type": "tap", "x": 1, "y": 1, "majorRadius": 8388608}"#,
            #"{"type": "tap", "x": 1, "y": 1, "majorRadius": -1}"#,
            #"{"type": "tap", "x": 1, "y": 1, "orientation": 7}"#,
            #"{"type": "tap", "x": 1, "y": 1, "tool": "pencil", "altitude": 1.6}"#,
            #"{"type": "tap", "x": 1, "y": 1, "tool": "pencil", "azimuth": -7}"#,
            #"{"type": "tap", "x": 1, "y": 1, "tool": "pencil", "roll": 7}"#,
            #"{"type": "tap", "x": 1, "y": 1, "id": -1}"#, #"{"type": "tap", "x": 1, "y": 1, "at": 600001}"#,
            #"{"type": "tap", "x": 1, "y": 1, "after": -1}"#, #"{"type": "click", "x": 1, "y": 1, "button": "last"}"#,
            #"{"type": "click", "x": 1, "y": 1, "button": -1}"#, #"{"type": "scroll", "stepsX": 2147483648}"#,
            #"{"type": "drag", "from": {"x": 1, "y": 1}, "to": {"x": 2, "y": 2}, "steps": 10001}"#,
            #"{"type": "key", "code": 768}"#, #"{"type": "key", "key": "a", "duration": 600001}"#,
            #"{"type": "key", "key": "a", "action": "press"}"#, #"{"type": "pinch", "scale": 2, "fingers": 0}"#,
            #"{"type": "pinch", "scale": 2, "fingers": 256}"#, #"{"type": "remote", "command": "toggle"}"#,
        ])
    func bodyLimits(event: String) throws {
        let answer = try control.send("POST", "/v1/input", event)
        #expect(answer.status == 400 || answer.status == 422, "\(event): \(answer.body)")
        let value = try JSON(Array(event.utf8))
        #expect(try APIDocument().check.mistakes(value, APIDocument.reference("Input")) != [], "\(event)")
    }

    @Test("the description does not say that input without a receiver has no effect")
    func missedInput() throws {
        let paths = try APIDocument().json["paths"]
        let response = try #require(paths?["/v1/input"]?["post"]?["responses"]?["409"])
        guard case .string(let description)? = response["description"] else {
            Issue.record("\(response)")
            return
        }
        #expect(description.contains("all events were injected"))
        #expect(response["content"]?["application/problem+json"]?["schema"] == APIDocument.reference("Problem"))
    }

    @Test("pictures, comparisons, keyboards and input are as described, whatever they contain")
    func variants() throws {
        let fixture = try ServerFixture(screens: ["80x60"])
        let client = try fixture.connect()
        let window = client.window("w").color(0x8000_ff00).frame(10, 10, 20, 20)
        window.show()
        client.window("front").frame(0, 0, 5, 5).show()
        _ = client.window("hidden")
        try fixture.pump()
        let session = try ControlSession(fixture)
        let golden = try session.send("GET", "/v1/screenshot.png").body
        window.color(0xff00_ff00).commit()
        try fixture.pump()
        let check = try APIDocument().check
        func expect(_ name: String, _ method: String, _ target: String, _ body: [UInt8] = []) throws {
            let answer = try session.send(method, target, body)
            let sent = try JSON(answer.body)
            #expect(check.mistakes(sent, APIDocument.reference(name)) == [], "\(target): \(answer.text)")
        }
        try expect("Capture", "GET", "/v1/capture")
        try expect("Capture", "GET", "/v1/capture?joined=true")
        try expect("Tree", "GET", "/v1/tree")
        try expect("Comparison", "POST", "/v1/compare?diff=true&sideBySide=true", golden)
        try expect("Comparison", "POST", "/v1/compare?tolerance=255", golden)
        try expect("Comparison", "POST", "/v1/screens/1/compare?crop=0,0,5,5", golden)
        for patch in [#"{"layout": "de", "repeat": {"rate": 0}}"#, #"{"layout": "fr", "application": "foot"}"#] {
            try expect("Keyboard", "PATCH", "/v1/keyboard", Array(patch.utf8))
        }
        for event in [
            #"{"type": "tap", "x": 15, "y": 15, "wait": true}"#, #"[{"type": "tap", "x": 70, "y": 50}]"#,
            #"{"type": "touches", "touches": [{"id": 1, "phase": "began", "x": 15, "y": 15}, "#
                + #"{"id": 2, "phase": "began", "x": 70, "y": 1}]}"#,
            #"{"type": "remote", "command": "play"}"#, #"{"type": "key", "key": "a"}"#,
            #"{"type": "hover", "x": 900, "y": 15}"#,
        ] {
            try expect("InputAnswer", "POST", "/v1/input", Array(event.utf8))
        }
        try expect("Problem", "POST", "/v1/input?mustHit=true", Array(#"{"type": "tap", "x": 70, "y": 50}"#.utf8))
    }

    @Test("the shipped scenarios are as described, and mistakes are not")
    func scenarios() throws {
        let check = try APIDocument().check
        func mistakes(_ text: String) throws -> [String] {
            check.mistakes(try JSON5Document(Array(text.utf8)).decode(JSON.self), APIDocument.reference("Scenario"))
        }
        let folder = "\(#filePath.dropLast("Tests/ControlTests/OpenAPITests.swift".count))Config/scenarios"
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".json5") }
        #expect(files.count >= 3)
        for file in files {
            let text = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
            // A scenario's file names a golden picture, where the API takes the picture itself.
            // mullionctl performs other steps itself.
            let others = [
                ".compare", ".start", ".stop", ".widget", ".repeat", ".include", ".variables", ".server", ".wait",
            ]
            #expect(try mistakes(text).filter { mistake in !others.contains { mistake.contains($0) } } == [], "\(file)")
        }
        #expect(try mistakes("{name: 'a', steps: [{plug: '9x9'}, {wait: '1s'}]}") == [])
        #expect(try mistakes("{name: 'a', steps: [{plugg: '9x9'}]}") == [".steps[0].plugg is not described"])
        #expect(try mistakes("{steps: [{flap: {screen: 'A', times: 0}}]}").count == 2)
    }
}
