// S4 in the control API: POST /v1/convert.

import Geometry
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
            (#""point":{"x":1e999,"y":1},"from":"layout","to":"layout""#, 400, ""),
            (#""point":{"x":null,"y":1},"from":"layout","to":"layout""#, 400, "null"),
            (#""point":{"x":1,"y":1},"from":"layout""#, 400, "to"),
            (#""point":{"x":1,"y":1},"from":"layout","to":"layout","via":"TV""#, 400, "via"),
            (#""point":{"x":1,"y":1},"from":"TV","to":"layout""#, 400, #"\"TV\" is not a coordinate space; use"#),
            (#""point":{"x":1,"y":1},"from":{},"to":"layout""#, 400, "with 0 fields"),
            (#""point":{"x":1,"y":1},"from":{"screen":1,"window":1},"to":"layout""#, 400, "with 2 fields"),
            (#""point":{"x":1,"y":1},"from":{"display":1},"to":"layout""#, 400, "fixed, screen, window"),
            (#""point":{"x":1,"y":1},"from":{"window":"one"},"to":"layout""#, 400, "window"),
            (#""point":{"x":1,"y":1},"from":{"screen":"FM"},"to":"layout""#, 422, #"there is no screen \"FM\""#),
            (#""point":{"x":1,"y":1},"from":"layout","to":{"window":99}"#, 422, "window 99 does not exist"),
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

    @Test("POST /v1/convert needs the right to view, and no more")
    func rights() throws {
        let routes = try TestControl(fixture).control.router.routes
        #expect(routes.first { $0.name == "POST /v1/convert" }?.rights == .view)
    }
}
