// S4 in the control API and in mullionctl: POST /v1/convert.

import MullionGeometry
import TestSupport
import Testing
import WindowModel

@testable import ControlAPI
@testable import DisplayServer

@Suite struct ConversionTests {
    private let fixture: ServerFixture
    private let window: Window.ID

    /// PANEL is 400 × 300 points, turned; on it a window of 100 × 50 that is twice as large about its centre. TV is to
    /// the right of it.
    init() throws {
        fixture = try ServerFixture(screens: ["800x600,kind=builtIn,name=PANEL", "640x480,external,name=TV"])
        let model = fixture.model
        try model.setScale(2, of: fixture.mainScreen)
        try model.rotate(fixture.mainScreen, to: .landscapeLeft, duration: 0, time: 1)
        try model.setPosition(Point(x: 1000, y: 10), of: try fixture.server.screen("TV").id)
        window = try model.createWindow(
            application: model.addApplication(name: "test"), screen: fixture.mainScreen,
            options: Window.Options(frame: Rect(x: 100, y: 200, width: 100, height: 50)))
        try model.setTransform(.scale(x: 2, y: 2), of: window)
    }

    @Test(
        "S4: POST /v1/convert converts a point, points and a rectangle between all kinds of spaces",
        arguments: [
            (#""point":{"x":0,"y":0},"from":{"window":1},"to":{"screen":"PANEL"}"#, #""point":{"x":50,"y":175}"#),
            (#""point":{"x":0.1,"y":0},"from":{"window":1},"to":{"fixed":"PANEL"}"#, #""point":{"x":175,"y":249.8}"#),
            (#""point":{"x":0,"y":0},"from":{"fixed":1},"to":{"screen":1}"#, #""point":{"x":300,"y":0}"#),
            (#""point":{"x":-5,"y":7},"from":{"screen":"TV"},"to":"layout""#, #""point":{"x":995,"y":17}"#),
            (#""point":{"x":1050,"y":175},"from":"layout","to":{"window":1}"#, #""point":{"x":500,"y":0}"#),
            (
                #""points":[{"x":0,"y":0},{"x":50,"y":25}],"from":{"window":1},"to":{"screen":"TV"}"#,
                #""points":[{"x":-950,"y":165},{"x":-850,"y":215}]"#
            ),
            (#""points":[],"from":"layout","to":"layout""#, #""points":[]"#),
            (
                #""rect":{"x":0,"y":0,"width":100,"height":50},"from":{"window":1},"to":{"fixed":"PANEL"}"#,
                #""rect":{"height":200,"width":100,"x":175,"y":50}"#
            ),
        ])
    func conversions(request: String, expected: String) throws {
        let answer = try TestControl(fixture).send("POST", "/v1/convert", "{\(request)}")
        #expect(answer.status == 200 && answer.body == "{\(expected)}\n", "\(answer)")
    }

    @Test("S4: a long list is converted in order; a body has at most 64 KiB")
    func lists() throws {
        let control = try TestControl(fixture)
        func points(_ count: Int, x: Int) -> String {
            (0..<count).map { "{\"x\":\($0 + x),\"y\":1}" }.joined(separator: ",")
        }
        let answer = try control.send(
            "POST", "/v1/convert", "{\"points\":[\(points(1000, x: 0))],\"from\":{\"screen\":\"TV\"},\"to\":\"layout\"}"
        )
        #expect(
            answer.body == "{\"points\":[\(points(1000, x: 1000).replacing("\"y\":1}", with: "\"y\":11}"))]}\n")
        let long = try control.send(
            "POST", "/v1/convert", "{\"points\":[\(points(6000, x: 0))],\"from\":\"layout\",\"to\":\"layout\"}")
        #expect(long.status == 413)
        #expect(try control.send("GET", "/v1/convert").status == 405)
    }

    @Test(
        "S4: wrong requests are refused with the reason",
        arguments: [
            (#""from":"layout","to":"layout""#, 400, "0 of point, points and rect"),
            (#""point":{"x":1,"y":1},"points":[],"from":"layout","to":"layout""#, 400, "2 of point, points and rect"),
            (#""point":{"x":1},"from":"layout","to":"layout""#, 400, "y"),
            (#""point":{"x":1,"y":1,"z":1},"from":"layout","to":"layout""#, 400, "unknown key"),
            (#""points":[{"x":1,"y":1,"z":1}],"from":"layout","to":"layout""#, 400, "unknown key"),
            (#""rect":{"x":1,"y":1},"from":"layout","to":"layout""#, 400, "width"),
            (#""point":{"x":1e999,"y":1},"from":"layout","to":"layout""#, 400, #""pointer":"/point/x""#),
            (#""point":{"x":null,"y":1},"from":"layout","to":"layout""#, 400, "null"),
            (#""point":{"x":1,"y":1},"from":"layout""#, 400, "to"),
            (#""point":{"x":1,"y":1},"from":"layout","to":"layout","via":"TV""#, 400, "via"),
            (#""point":{"x":1,"y":1},"from":"TV","to":"layout""#, 400, #"\"TV\" is not a coordinate space; use"#),
            (#""point":{"x":1,"y":1},"from":{},"to":"layout""#, 400, "with 0 fields"),
            (#""point":{"x":1,"y":1},"from":{"screen":1,"window":1},"to":"layout""#, 400, "with 2 fields"),
            (#""point":{"x":1,"y":1},"from":{"display":1},"to":"layout""#, 400, "fixed, screen, window"),
            (#""point":{"x":1,"y":1},"from":{"window":"one"},"to":"layout""#, 400, "window"),
            (#""point":{"x":1,"y":1},"from":{"window":-1},"to":"layout""#, 400, "expected a whole number"),
            (#""point":{"x":1,"y":1},"from":{"window":4294967296},"to":"layout""#, 400, "expected a whole number"),
            (#""point":{'x':1,"y":1},"from":"layout","to":"layout""#, 400, "JSON"),
            (#""point":{"x":1,"y":1},"from":{"screen":"FM"},"to":"layout""#, 422, #"there is no screen \"FM\""#),
            (#""point":{"x":1,"y":1},"from":"layout","to":{"window":99}"#, 422, "there is no window 99"),
            (#""rect":{"x":1,"y":1,"width":-1,"height":1},"from":"layout","to":"layout""#, 422, "negative"),
            (#""point":{"x":1.5e308,"y":1},"from":{"window":1},"to":"layout""#, 422, "not finite"),
        ])
    func refusals(request: String, status: Int, reason: String) throws {
        let answer = try TestControl(fixture).send("POST", "/v1/convert", "{\(request)}")
        #expect(answer.status == status && answer.body.contains(reason), "\(answer)")
    }

    @Test("S4: a window without a screen and a degenerate transform are conflicts")
    func conflicts() throws {
        let control = try TestControl(fixture)
        func convert(to space: String) throws -> (status: Int, body: String) {
            try control.send(
                "POST", "/v1/convert", #"{"point":{"x":1,"y":1},"from":{"screen":"TV"},"to":\#(space)}"#)
        }
        try fixture.model.setTransform(.scale(x: 0, y: 1), of: window)
        let degenerate = try convert(to: #"{"window":1}"#)
        #expect(degenerate.status == 409 && degenerate.body.contains("degenerate"))
        #expect(degenerate.body.contains(#""rule":"S4""#))
        try fixture.server.disconnect(fixture.mainScreen)
        let waiting = try convert(to: #"{"window":1}"#)
        #expect(waiting.status == 409 && waiting.body.contains("window 1 is on no screen"))
    }

    @Test("S4: mullionctl convert prints what a shell can use, with all digits")
    func command() throws {
        let control = try ControlSession(fixture)
        func output(_ words: String...) throws -> String { try control.mullionctl(["convert"] + words).output }
        #expect(try output("0,0", "from=window:1", "to=screen:PANEL") == "50,175\n")
        #expect(try output("0,0", "50,25", "from=window:1", "to=screen:TV") == "-950,165\n-850,215\n")
        #expect(try output("from=window:1", "to=fixed:1", "0,0,100,50") == "175,50,100,200\n")
        #expect(try output("-0.5,0.00390625", "from=screen:TV", "to=layout") == "999.5,10.00390625\n")
        #expect(
            try control.mullionctl("--json", "convert", "1,2", "from=layout", "to=layout").output
                == "{\"point\":{\"x\":1,\"y\":2}}\n")
        try fixture.model.setTransform(AffineTransform(a: 0.8, b: 0.6, c: -0.6, d: 0.8, tx: 0.1, ty: 0), of: window)
        let there = try output("1.1,2.2", "from=screen:TV", "to=window:1").dropLast()
        let exact = try output("7.25,-3.5", "from=screen:TV", "to=window:1").dropLast()
        #expect(try output("\(exact)", "from=window:1", "to=screen:TV") == "7.25,-3.5\n", "\(exact)")
        let digits = try output("\(there)", "from=window:1", "to=screen:TV").split { ",\n".contains($0) }
        let numbers = digits.compactMap { Double($0) }
        #expect(numbers.count == 2 && abs(numbers[0] - 1.1) < 1e-5 && abs(numbers[1] - 2.2) < 1e-5)
    }

    @Test(
        "mullionctl convert explains what is wrong",
        arguments: [
            ([], 2, "from=SPACE is missing"), (["1,2", "from=layout"], 2, "to=SPACE is missing"),
            (["from=layout", "to=layout"], 2, "x,y is missing"),
            (["1,2", "1,2,3,4", "from=layout", "to=layout"], 2, "a rectangle is converted alone"),
            (["1,2,3,4", "1,2,3,4", "from=layout", "to=layout"], 2, "a rectangle is converted alone"),
            (["1;2", "from=layout", "to=layout"], 2, "use x,y or x,y,width,height"),
            (["1,2", "from=layout", "to=layout", "to=layout"], 2, "to is given twice"),
            (["1,2", "from=layout", "form=layout"], 2, "did you mean from?"),
            (["1,2", "from=7", "to=layout"], 2, "\"7\" is not a space; use window:ID, screen:SCREEN"),
            (["1,2", "from=window:A", "to=layout"], 1, "from: no window has the id or title \"A\""),
            (["1,2", "from=window:-1", "to=layout"], 2, "from=window:-1: \"-1\" is not the id of a window"),
            (["1,2", "from=window:9", "to=layout"], 1, "there is no window 9, or it was closed"),
        ] as [([String], Int32, String)])
    func mistakes(words: [String], status: Int32, message: String) throws {
        let answer = try ControlSession(fixture).mullionctl(["convert"] + words)
        #expect(answer.status == status && answer.output.contains(message), "\(answer.output)")
    }

    @Test("POST /v1/convert needs the right to view, and no more")
    func rights() throws {
        let routes = try TestControl(fixture).control.router.routes
        #expect(routes.first { $0.name == "POST /v1/convert" }?.rights == .view)
    }
}
