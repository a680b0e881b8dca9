// Input at points of a window, and hit-testing without input: POST /v1/input and GET /v1/hit.

import MullionGeometry
import TestSupport
import Testing
import WindowModel

@testable import ControlAPI
@testable import DisplayServer

@Suite struct WindowPointTests {
    private let fixture: ServerFixture
    private let window: Window.ID

    /// A window of 100 × 50 points at 100,200 of the second screen that is twice as large about its centre: its corner is
    /// at 50,175.
    init() throws {
        fixture = try ServerFixture(screens: ["800x600,kind=builtIn,name=PANEL", "640x480,external,name=TV"])
        let model = fixture.model
        window = try model.createWindow(
            application: model.addApplication(name: "test"), screen: try fixture.server.screen("TV").id,
            options: Window.Options(frame: Rect(x: 100, y: 200, width: 100, height: 50), title: "Editor"))
        try model.setTransform(.scale(x: 2, y: 2), of: window)
        try model.makeKeyAndVisible(window)
    }

    private func inject(_ body: String) throws -> (status: Int, body: String) {
        let answer = try TestControl(fixture).send("POST", "/v1/input", body)
        return (answer.status, answer.body)
    }

    @Test(
        "the points of every type of event can be a window's",
        arguments: [
            #"{"type":"tap","window":1,"x":10,"y":5}"#, #"{"type":"click","window":1,"x":10,"y":5}"#,
            #"{"type":"hover","window":1,"x":10,"y":5}"#,
            #"{"type":"touch","phase":"began","window":1,"x":10,"y":5}"#,
            #"{"type":"touches","window":1,"touches":[{"phase":"began","x":10,"y":5}]}"#,
            #"{"type":"drag","window":1,"from":{"x":10,"y":5},"to":{"x":20,"y":6},"steps":1}"#,
            #"{"type":"scroll","window":1,"x":10,"y":5,"deltaY":1}"#,
            #"{"type":"swipe","window":1,"from":{"x":10,"y":5},"to":{"x":20,"y":6},"steps":1}"#,
            #"{"type":"pinch","window":1,"x":10,"y":5,"scale":2}"#,
            #"{"type":"hover","tool":"pencil","window":1,"x":10,"y":5}"#,
        ])
    func types(event: String) throws {
        let answer = try inject(event)
        #expect(answer.status == 200, "\(answer)")
        #expect(answer.body.contains(#""screen":2,"screenLocation":{"x":70,"y":185},"#), "\(answer)")
    }

    @Test(
        "mullionctl takes window:ID and window:TITLE in place of a screen",
        arguments: [
            "click window:1 10,5", "click window:Editor 10,5", "touch window:Editor 10,5", "hover window:Editor 10,5",
            "drag window:Editor 10,5 20,6 steps=1", "scroll window:Editor 10,5 0,1", "swipe window:1 10,5 20,6 steps=1",
            "pinch window:Editor 10,5 scale=2", "hold window:Editor 10,5",
        ])
    func words(command: String) throws {
        let control = try ControlSession(fixture)
        let words = command.split(separator: " ").map(String.init)
        let answer = try control.mullionctl(["--json", "--allow-miss"] + words)
        #expect(answer.status == 0, "\(answer)")
        #expect(answer.output.contains(#""screenLocation":{"x":70,"y":185}"#), "\(answer)")
        let unknown = try control.mullionctl(words.map { $0.hasPrefix("window:") ? "window:Edtior" : $0 })
        #expect(
            unknown.status == 1 && unknown.output.contains("no window has the id or title \"Edtior\""), "\(unknown)")
    }

    @Test("a drag and a swipe end at points of the window")
    func ends() throws {
        for event in ["drag", "swipe"] {
            var points: [Point] = []
            fixture.server.injector.onStep = { step in
                switch step {
                case .touch(let update, _): points.append(update.point)
                case .touches(let updates, _): points += updates.map(\.point)
                default: break
                }
            }
            let by = event == "swipe" ? #","by":"touch","fingers":1"# : ""
            _ = try inject(
                #"{"type":"\#(event)","window":1,"from":{"x":10,"y":5},"to":{"x":20,"y":6},"steps":1\#(by)}"#)
            #expect(points.first == Point(x: 70, y: 185) && points.last == Point(x: 90, y: 187), "\(event)")
        }
    }

    @Test("in a list, a window's points are those of the moment in which the event occurs")
    func later() throws {
        let client = try fixture.connect("mover")
        let mover = client.window("mover").color(0xffff_0000).frame(0, 0, 100, 100)
        mover.makeKeyAndVisible()
        try fixture.pump()
        let id = try #require(fixture.model.windows.last)
        // Its program moves it when it is touched.
        var points: [Point] = []
        let model = fixture.model
        fixture.server.injector.onStep = { step in
            guard case .touch(let update, _) = step else { return }
            points.append(update.point)
            if update.phase == .ended { try? model.setFrame(Rect(x: 300, y: 40, width: 100, height: 100), of: id) }
        }
        let tap = #"{"type":"tap","window":\#(id.rawValue),"x":10,"y":10}"#
        let answer = try inject("[\(tap),\(tap)]")
        #expect(answer.status == 200, "\(answer)")
        #expect(
            Array(points.suffix(2)) == [Point(x: 310, y: 50), Point(x: 310, y: 50)]
                && points.first == Point(x: 10, y: 10))
    }

    @Test("a list ends with an error where the window of an event is gone; earlier events have happened")
    func gone() throws {
        let model = fixture.model
        var steps = 0
        fixture.server.injector.onStep = { [window] step in
            guard case .touch(let update, _) = step else { return }
            steps += 1
            if update.phase == .ended { try? model.destroyWindow(window) }
        }
        let tap = #"{"type":"tap","window":1,"x":10,"y":10}"#
        let answer = try inject("[\(tap),\(tap)]")
        #expect(answer.status == 422 && answer.body.contains(#""index":1"#), "\(answer)")
        #expect(answer.body.contains("there is no window 1") && steps == 2)
    }

    @Test(
        "what is wrong with a window or its points is said, and nothing is injected",
        arguments: [
            (#"{"type":"tap","window":7,"x":1,"y":1}"#, 422, "there is no window 7"),
            (#"{"type":"tap","window":1,"screen":"TV","x":1,"y":1}"#, 400, "use a window or a screen, not both"),
            (#"{"type":"hover","window":1,"dx":1}"#, 400, "a window needs points in it"),
            (#"{"type":"touch","phase":"ended","window":1}"#, 400, "a window needs points in it"),
            (#"{"type":"key","key":"a","window":1}"#, 400, "window"),
            (#"{"type":"tap","window":"Editor","x":1,"y":1}"#, 400, "window"),
        ])
    func refusals(event: String, status: Int, words: String) throws {
        var steps = 0
        fixture.server.injector.onStep = { _ in steps += 1 }
        let answer = try inject(event)
        #expect(answer.status == status && answer.body.contains(words), "\(answer)")
        #expect(steps == 0)
    }

    @Test("a window on no screen has no points to inject at")
    func waiting() throws {
        try fixture.server.disconnect(try fixture.server.screen("TV").id)
        let answer = try inject(#"{"type":"tap","window":1,"x":1,"y":1}"#)
        #expect(answer.status == 409 && answer.body.contains("is on no screen"), "\(answer)")
        #expect(try TestControl(fixture).send("GET", "/v1/hit?window=1&x=1&y=1").status == 409)
    }

    @Test("H3: a hit test says what would receive a point, and why others would not; it delivers and moves nothing")
    func hitTest() throws {
        let control = try TestControl(fixture)
        var steps = 0
        fixture.server.injector.onStep = { _ in steps += 1 }
        let before = fixture.server.seat.pointer.location
        let hit = try control.send("GET", "/v1/hit?window=1&x=10&y=5")
        #expect(hit.status == 200 && hit.body.contains(#""location":{"x":10,"y":5}"#), "\(hit)")
        #expect(hit.body.contains(#""point":{"x":70,"y":185},"screen":2,"screenName":"TV""#), "\(hit)")
        #expect(hit.body == (try control.send("GET", "/v1/hit?screen=TV&x=70&y=185")).body)
        let miss = try control.send("GET", "/v1/hit?screen=TV&x=0&y=0")
        #expect(
            miss.body.contains(#""reason":"noWindow""#) && miss.body.contains(#""reason":"outsideFrame""#), "\(miss)")
        #expect(!miss.body.contains(#""hit":"#))
        // The main screen, when none is named.
        #expect(try control.send("GET", "/v1/hit?x=1&y=1").body.contains(#""screenName":"PANEL""#))
        #expect(steps == 0 && fixture.server.seat.pointer.location?.point == before?.point)
        for (query, status, words) in [
            ("x=1", 400, "the point needs x and y"), ("x=1&y=a", 400, "y=a is not a number"),
            ("window=1&screen=TV&x=1&y=1", 400, "use a window or a screen, not both"),
            ("window=9&x=1&y=1", 404, "there is no window 9"), ("screen=X&x=1&y=1", 404, "X"),
        ] {
            let answer = try control.send("GET", "/v1/hit?\(query)")
            #expect(answer.status == status && answer.body.contains(words), "\(query): \(answer)")
        }
    }
}
