// Hit-testing of views and the responder chain.

import MullionClient
import TestSupport
import Testing

/// A view that records what it is asked to handle.
@MainActor private final class Recorder: View {
    let name: String
    var passesOn = false
    var log: Log
    var isRound = false

    @MainActor final class Log { var lines: [String] = [] }

    init(_ name: String, _ frame: Rect, _ log: Log) {
        self.name = name
        self.log = log
        super.init(frame: frame)
    }

    override func point(inside point: Point, with event: Event?) -> Bool {
        guard isRound else { return super.point(inside: point, with: event) }
        let (x, y) = (point.x - bounds.center.x, point.y - bounds.center.y)
        return x * x + y * y < bounds.width * bounds.width / 4
    }
    private func note(_ what: String, _ touches: [Touch]) {
        for touch in touches {
            let point = touch.location(in: self)
            log.lines.append("\(name) \(what) \(Int(point.x)),\(Int(point.y))")
        }
    }
    override func touchesBegan(_ touches: [Touch], with event: Event) {
        note("began", touches)
        if passesOn { super.touchesBegan(touches, with: event) }
    }
    override func touchesMoved(_ touches: [Touch], with event: Event) { note("moved", touches) }
    override func touchesEnded(_ touches: [Touch], with event: Event) { note("ended", touches) }
    override func touchesCancelled(_ touches: [Touch], with event: Event) { note("cancelled", touches) }
    override func scrolled(_ scroll: Scroll, with event: Event) { log.lines.append("\(name) scrolled") }
}

@MainActor @Suite struct ResponderTests {
    private func touch(_ id: Int, _ phase: String, _ x: Double, _ y: Double) -> String {
        #"{"type": "touch", "id": \#(id), "phase": "\#(phase)", "x": \#(x), "y": \#(y)}"#
    }

    @Test("H1, E1: a touch goes to the frontmost view where it begins, and stays with it")
    func touches() throws {
        let fixture = try ClientFixture()
        let log = Recorder.Log()
        let window = Window(fixture.application)
        let outer = Recorder("outer", Rect(x: 100, y: 100, width: 200, height: 200), log)
        let inner = Recorder("inner", Rect(x: 50, y: 50, width: 100, height: 100), log)
        let cover = Recorder("cover", Rect(x: 150, y: 150, width: 50, height: 50), log)
        outer.addSubview(inner)
        window.addSubview(outer)
        window.addSubview(cover)
        cover.isUserInteractionEnabled = false
        window.makeKeyAndVisible()
        try fixture.inject(touch(1, "began", 160, 160), touch(1, "moved", 10, 10), touch(1, "ended", 10, 10))
        #expect(log.lines == ["inner began 10,10", "inner moved -140,-140", "inner ended -140,-140"])
        log.lines = []
        cover.isUserInteractionEnabled = true
        cover.isRound = true
        // Beside the round view in its square.
        try fixture.inject(touch(1, "began", 151, 151), touch(1, "ended", 151, 151), touch(2, "began", 175, 175))
        #expect(log.lines == ["inner began 1,1", "inner ended 1,1", "cover began 25,25"])
        log.lines = []
        // E2: the view disappears.
        cover.removeFromSuperview()
        #expect(log.lines == ["cover cancelled 25,25"])
        try fixture.inject(touch(2, "moved", 180, 180), touch(2, "ended", 180, 180))
        #expect(log.lines == ["cover cancelled 25,25"])
    }

    /// How steps of several fingers are injected.
    enum Injection: CaseIterable {
        case oneByOne, list, together
    }

    @Test(
        "E1: allTouches has every finger down in the application's windows, however it came",
        arguments: Injection.allCases)
    func allTouches(injection: Injection) throws {
        let fixture = try ClientFixture()
        let (left, right) = (Window(fixture.application), Window(fixture.application))
        var seen: [String] = []
        for (window, x) in [(left, 0.0), (right, 400.0)] {
            window.frame = Rect(x: x, y: 0, width: 400, height: 600)
            window.backgroundColor = .black
            window.makeKeyAndVisible()
        }
        fixture.application.onEvent {
            guard case .event(let event) = $0 else { return }
            let touches = event.touches.sorted { $0.id.number < $1.id.number }
            seen.append(
                touches.map { "\($0.id.number) \($0.phase) \(Int($0.place.locationOnScreen.x))" }.joined(
                    separator: ", "))
        }
        var concerned = 0
        right.onTouches { _, _ in concerned += 1 }
        // Each finger alone, in the order in which it changes.
        let steps: [[(id: Int, phase: String, x: Double)]] = [
            [(1, "began", 10)], [(2, "began", 410)], [(1, "moved", 20)], [(3, "began", 30)], [(2, "ended", 420)],
            [(3, "cancelled", 30)], [(1, "moved", 40)], [(1, "ended", 40)],
        ]
        let texts = steps.map { step in step.map { touch($0.id, $0.phase, $0.x, 10) } }
        switch injection {
        case .oneByOne: for text in texts { try fixture.inject(text[0]) }
        case .list: try fixture.inject(texts.map { $0[0] }.joined(separator: ","))
        case .together:
            for text in texts {
                let finger = text[0].replacing(#""type": "touch", "#, with: "")
                try fixture.inject(#"{"type": "touches", "touches": [\#(finger)]}"#)
            }
        }
        try fixture.application.roundTrip()
        #expect(
            seen == [
                "1 began 10", "1 stationary 10, 2 began 410", "1 moved 20, 2 stationary 410",
                "1 stationary 20, 2 stationary 410, 3 began 30",
                "1 stationary 20, 2 ended 420, 3 stationary 30", "1 stationary 20, 3 cancelled 30", "1 moved 40",
                "1 ended 40",
            ])
        #expect(concerned == 2, "an event about other windows' touches is none for this window")
        // W7: nothing is left of a closed window's touches.
        seen = []
        try fixture.inject(touch(4, "began", 10, 10), touch(5, "began", 410, 10))
        left.close()
        try fixture.inject(touch(5, "moved", 420, 10))
        #expect(seen == ["4 began 10", "4 stationary 10, 5 began 410", "5 moved 420"])
    }

    @Test("Unhandled events go from a view to its superview, the window and the application")
    func chain() throws {
        let fixture = try ClientFixture()
        let log = Recorder.Log()
        let window = Window(fixture.application)
        let outer = Recorder("outer", Rect(x: 0, y: 0, width: 200, height: 200), log)
        let inner = Recorder("inner", Rect(x: 10, y: 20, width: 100, height: 100), log)
        inner.passesOn = true
        outer.addSubview(inner)
        window.rootView = outer
        #expect(outer.frame == window.bounds && outer.autoresizingMask == [.flexibleWidth, .flexibleHeight])
        #expect(inner.next === outer && outer.next === window && window.next === fixture.application)
        window.makeKeyAndVisible()
        try fixture.inject(touch(1, "began", 15, 25), touch(1, "cancelled", 15, 25))
        #expect(log.lines == ["inner began 5,5", "outer began 15,25", "inner cancelled 5,5"])
        log.lines = []
        try fixture.inject(#"{"type": "scroll", "x": 50, "y": 50, "deltaY": 10}"#)
        #expect(Set(log.lines) == ["inner scrolled"])
    }

    @Test("S4: points convert between views, windows, screens and panels, through transforms")
    func conversion() throws {
        let fixture = try ClientFixture(screens: ["800x600", "640x480,external,name=TV,orientation=landscapeLeft"])
        let (main, tv) = (fixture.application.screens[0], fixture.application.screens[1])
        let window = Window(fixture.application, screen: main, frame: Rect(x: 100, y: 50, width: 200, height: 100))
        let view = View(frame: Rect(x: 10, y: 20, width: 30, height: 40))
        window.addSubview(view)
        #expect(view.convert(Point(x: 1, y: 2), to: window) == Point(x: 11, y: 22))
        #expect(view.convert(Point(x: 1, y: 2), to: main) == Point(x: 111, y: 72))
        let square = Rect(x: 110, y: 70, width: 5, height: 5)
        #expect(window.convert(square, from: main) == square.offsetBy(x: -100, y: -50))
        // A quarter turn about the middle of the window, (200, 100) on the screen.
        window.transform = AffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 0, ty: 0)
        #expect(window.convert(Point(x: 200, y: 50), to: main) == Point(x: 200, y: 200))
        #expect(view.convert(view.convert(Point(x: 3, y: 7), to: main), from: main) == Point(x: 3, y: 7))
        let other = Window(fixture.application, screen: tv, frame: Rect(x: 5, y: 6, width: 10, height: 10))
        let there = window.convert(Point(x: 12, y: 34), to: other)
        #expect(other.convert(there, to: window) == Point(x: 12, y: 34))
        #expect(tv.bounds.size == Size(width: 480, height: 640))
        #expect(tv.fixedCoordinateSpace.bounds.size == Size(width: 640, height: 480))
        // The same as the server says.
        for (point, name) in [(Point(x: 0, y: 0), "0"), (Point(x: 480, y: 640), "1"), (Point(x: 7, y: 9), "2")] {
            let answer = try fixture.request(
                "POST", "/convert",
                #"{"point": {"x": \#(point.x), "y": \#(point.y)}, "from": {"screen": "TV"}, "to": {"fixed": "TV"}}"#)
            let fixed = tv.convert(point, to: tv.fixedCoordinateSpace)
            #expect(answer.contains("\"x\":\(Int(fixed.x))"), "\(name): \(answer)")
            #expect(answer.contains("\"y\":\(Int(fixed.y))"), "\(name): \(answer)")
        }
    }

    @Test("C5: a window that does not clip is hit where its views are drawn")
    func outside() throws {
        let fixture = try ClientFixture()
        let log = Recorder.Log()
        let window = Window(fixture.application, frame: Rect(x: 200, y: 200, width: 100, height: 100))
        window.clipsToBounds = false
        let flag = Recorder("flag", Rect(x: -50, y: -50, width: 40, height: 40), log)
        flag.backgroundColor = .white
        window.addSubview(flag)
        window.makeKeyAndVisible()
        #expect(try fixture.screenshot()[160, 160] == 0xffff_ffff)
        try fixture.inject(touch(1, "began", 160, 165), touch(1, "ended", 160, 165))
        #expect(log.lines == ["flag began 10,15", "flag ended 10,15"])
        window.clipsToBounds = true
        log.lines = []
        #expect(try fixture.screenshot()[160, 160] != 0xffff_ffff)
        try fixture.inject(touch(1, "began", 160, 165), touch(1, "ended", 160, 165))
        #expect(log.lines.isEmpty)
    }

    @Test("H2: outside of its touchable region a window lets touches through")
    func region() throws {
        let fixture = try ClientFixture()
        let log = Recorder.Log()
        let (back, front) = (Window(fixture.application), Window(fixture.application))
        back.rootView = Recorder("back", .zero, log)
        front.rootView = Recorder("front", .zero, log)
        front.touchableRegion = [Rect(x: 100, y: 100, width: 10, height: 10)]
        for window in [back, front] { window.isHidden = false }
        try fixture.inject(touch(1, "began", 105, 105), touch(2, "began", 99, 105))
        #expect(log.lines == ["front began 105,105", "back began 99,105"])
    }
}
