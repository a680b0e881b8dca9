// The description of the control API matches its routes.

import EventLoop
import FoundationEssentials
import JSON5
import TestSupport
import Testing

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

    @Test("exactly the existing routes are described, each once, with its query items and placeholders")
    func routesAndWords() {
        #expect(Operation.all.map(\.name).sorted() == routes.map(\.name).sorted())
        let items = Set(routes.flatMap(\.query))
        #expect(items.subtracting(Operation.query.keys) == [], "query items without a description")
        let placeholders = Set(routes.flatMap(\.pattern).filter { $0.hasPrefix("{") }.map { $0.dropFirst().dropLast() })
        #expect(placeholders == Set(Operation.placeholders.keys.map { $0[...] }))
    }

    @Test("the document has paths, methods, query items and rights of the routes, and every reference is valid")
    func document() throws {
        let answer = try control.send("GET", "/v1/openapi.json")
        #expect(answer.status == 200)
        // It is made once, not per request.
        #expect(Array(answer.body.utf8) == control.control.openAPI.body)
        let document = OpenAPI(routes: routes).document
        let sent = try JSONDecoder().decode([String: Ignored].self, from: Data(answer.body.utf8))
        #expect(Set(sent.keys) == document.keys)
        let paths = try #require(document["paths"])
        #expect(paths.keys == Set(routes.map(\.path)))
        for route in routes {
            let operation = try #require(paths[route.path]?[route.method.rawValue.lowercased()], "\(route.name)")
            guard case .array(let parameters)? = operation["parameters"] else { continue }
            let query = parameters.filter { $0["in"] == .string("query") }.compactMap { $0["name"] }
            #expect(query == route.query.map { .string($0) }, "\(route.name)")
            #expect(operation["x-rights"] == .array(route.rights.names.map { .string($0) }), "\(route.name)")
        }
        for reference in references(in: document) {
            var value: JSON? = document
            for part in reference.split(separator: "/").dropFirst() { value = value?[String(part)] }
            #expect(value != nil, "\(reference)")
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

    @Test("the described bodies have all fields that are decoded")
    func bodies() throws {
        func check<T: StrictlyDecodable>(_ name: String, _ type: T.Type) {
            #expect(fields(name) == Set(T.Keys.allCases.map(\.stringValue)), "\(name)")
        }
        check("Empty", EmptyPayload.self)
        check("Plug", PlugPayload.self)
        check("ScreenPatch", ScreenPatch.self)
        check("WindowPatch", WindowPatch.self)
        check("ClockPatch", ClockPatch.self)
        check("Conversion", ConversionRequest.self)
        check("KeyboardPatch", KeyboardPatch.self)
        check("ScenarioContinuation", ScenarioContinuation.self)
        check("ScenarioMismatch", ScenarioContinuation.Failure.self)
        check("PointBody", PointPayload.self)
        check("RectBody", RectPayload.self)
        #expect(fields("Space") == Set(SpaceReference.Keys.allCases.map(\.stringValue)))
        #expect(fields("InputEvent") == Set(InputReader.Keys.allCases.map(\.name)))
    }

    private func fields(_ name: String) -> Set<String> { OpenAPI.schemas[name]?["properties"]?.keys ?? [] }

    @Test("the example bodies are accepted, except for a step of real time, and of a scenario that does not pause")
    func examples() throws {
        let application = fixture.model.addApplication(name: "test")
        let window = try fixture.model.createWindow(application: application)
        try fixture.model.setHidden(false, of: window)
        for operation in Operation.all {
            guard case .json(let name)? = operation.body else { continue }
            let example = try #require(OpenAPI.examples[name], "\(name)")
            let words = operation.name.split(separator: " ")
            let target = String(words[1]).replacing("{screen}", with: "1").replacing("{id}", with: "\(window)")
            let body = String(decoding: try JSONWriter.encode(example), as: UTF8.self)
            let answer = try control.send(String(words[0]), target, body)
            let needsMore = ["ClockPatch", "ScenarioContinuation"].contains(name)
            #expect(answer.status < 300 || (answer.status == 409 && needsMore), "\(name): \(answer.body)")
        }
        let scenario = String(decoding: try JSONWriter.encode(OpenAPI.examples["Scenario"]), as: UTF8.self)
        let answer = try control.send("POST", "/v1/scenarios", scenario)
        #expect(answer.status == 200 && answer.body.contains("event: done"), "\(answer.body)")
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
        let response = try #require(
            OpenAPI(routes: routes).document["paths"]?[route.path]?[method.lowercased()]?["responses"]?["\(status)"])
        let content =
            response["content"] ?? OpenAPI(routes: []).document["components"]?["responses"]?["Problem"]?["content"]
        guard let schema = content?["application/json"]?["schema"] ?? content?["application/problem+json"]?["schema"],
            answer.body.hasPrefix("{")
        else { return }
        let sent = try JSON(Array(answer.body.utf8))
        #expect(SchemaCheck(schemas: OpenAPI.schemas).mistakes(sent, schema) == [], "\(answer.body)")
    }

    @Test(
        "the numbers of a wait are described with their ranges, outside of which the server refuses them",
        arguments: [
            ("x", "for=pixel&y=0&color=123456", 0, Int(Int32.max)),
            ("y", "for=pixel&x=0&color=123456", 0, Int(Int32.max)),
            ("count", "for=window", 0, 1_000_000), ("pid", "for=client", 1, Int(Int32.max)),
        ])
    func ranges(name: String, query: String, least: Int, most: Int) throws {
        let description = OpenAPI(routes: routes).document["paths"]?["/v1/wait"]?["get"]
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
    func limits() {
        for (name, schema) in OpenAPI.schemas {
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
        let schema = try #require(OpenAPI.schemas[name]?["properties"]?[field], "\(name).\(field)")
        let check = SchemaCheck(schemas: OpenAPI.schemas)
        #expect(check.mistakes(.string(right), schema) == [])
        #expect(check.mistakes(.string(wrong), schema) != [])
    }

    @Test("the server accepts and refuses the colours and durations that are described so")
    func scenarioTexts() throws {
        let control = try TestControl(try ServerFixture(screens: ["80x60"], clock: .manual))
        let check = SchemaCheck(schemas: OpenAPI.schemas)
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
            let mistakes = check.mistakes(value, Schema.type("Scenario"))
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
        #expect(SchemaCheck(schemas: OpenAPI.schemas).mistakes(value, Schema.type("Input")) != [], "\(event)")
    }

    @Test("the description does not say that input without a receiver has no effect")
    func missedInput() throws {
        let paths = OpenAPI(routes: routes).document["paths"]
        let response = try #require(paths?["/v1/input"]?["post"]?["responses"]?["409"])
        guard case .string(let description)? = response["description"] else {
            Issue.record("\(response)")
            return
        }
        #expect(description.contains("all events were injected"))
        #expect(response["content"]?["application/problem+json"]?["schema"] == Schema.type("Problem"))
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
        let check = SchemaCheck(schemas: OpenAPI.schemas)
        func expect(_ name: String, _ method: String, _ target: String, _ body: [UInt8] = []) throws {
            let answer = try session.send(method, target, body)
            let sent = try JSON(answer.body)
            #expect(check.mistakes(sent, Schema.type(name)) == [], "\(target): \(answer.text)")
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
        let check = SchemaCheck(schemas: OpenAPI.schemas)
        func mistakes(_ text: String) throws -> [String] {
            check.mistakes(try JSON5Document(Array(text.utf8)).decode(JSON.self), Schema.type("Scenario"))
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

/// Any value.
private struct Ignored: Decodable {
    init(from decoder: any Decoder) throws {}
}
