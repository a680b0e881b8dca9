// Amounts that must not make the server end the connection.

import MullionClient
import TestSupport
import Testing

@MainActor @Suite struct ClientLimitTests {
    @Test("Thousands of views, most of them drawn, are shown by one commit")
    func manyViews() throws {
        let fixture = try ClientFixture()
        let window = Window(fixture.application)
        var failures = 0
        fixture.application.onEvent { if case .drawingFailed = $0 { failures += 1 } }
        for index in 0..<3000 {
            let view = View(frame: Rect(x: Double(index % 800), y: Double(index / 800), width: 1, height: 1))
            view.backgroundColor = .white
            if index < 1500 { view.onDraw = { $0.fill(.white) } }
            window.addSubview(view)
        }
        window.isHidden = false
        #expect(try fixture.screenshot()[599, 3] == 0xffff_ffff && failures == 0)
        // The server tells each object's end while the rest is being sent.
        for view in window.subviews { view.removeFromSuperview() }
        #expect(try fixture.screenshot()[599, 3] == 0xff00_0000)
    }

    @Test("A touchable region of more rectangles than the server takes is cut")
    func regions() throws {
        let fixture = try ClientFixture()
        let window = Window(fixture.application)
        // A grid of bars, which becomes thousands of rectangles; then separate ones.
        let bars = (0..<60).flatMap { index in
            let start = Double(index * 6)
            return [
                Rect(x: start, y: 0, width: 3, height: 400), Rect(x: 0, y: start, width: 400, height: 3),
            ]
        }
        let dots = (0..<3000).map { Rect(x: Double($0 % 300) * 2, y: Double($0 / 300) * 2, width: 1, height: 1) }
        window.isHidden = false
        for region in [bars, dots] {
            window.touchableRegion = region
            try fixture.application.roundTrip()
            try fixture.application.roundTrip()
        }
        var touches = 0
        window.onTouches { _, _ in touches += 1 }
        try fixture.inject(#"{"type":"tap","x":0.5,"y":0.5}"#, #"{"type":"tap","x":1.5,"y":0.5}"#)
        #expect(touches == 2)
    }

    @Test("A hidden window may ask for any number of frames, which all come, when it is shown at the latest")
    func frameCallbacks() throws {
        let fixture = try ClientFixture()
        let window = Window(fixture.application)
        var frames = 0
        for _ in 0..<1100 {
            window.onNextFrame { _ in frames += 1 }
            try fixture.application.flush()
        }
        try fixture.application.roundTrip()
        window.isHidden = false
        try fixture.wait(for: "the frames") { frames == 1100 }
    }
}
