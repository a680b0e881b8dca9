// Which of several gestures is recognised, and what cancels them.

import MullionClient
import TestSupport
import Testing

@MainActor @Suite struct GestureArbitrationTests {
    @Test("a single tap that requires a double tap to fail waits for it")
    func doubleTap() throws {
        let fixture = try GestureFixture()
        let single = fixture.add(TapGestureRecognizer(), "single")
        let double = fixture.add(TapGestureRecognizer(), "double")
        double.numberOfTapsRequired = 2
        // Without the requirement both are recognised.
        try fixture.tap()
        try fixture.tap()
        #expect(fixture.take() == ["single ended", "single ended", "double ended"].sorted { $0 > $1 })
        single.require(toFail: double)
        try fixture.tap()
        #expect(fixture.take() == [] && single.state == .possible)
        try fixture.step(100)
        try fixture.tap()
        #expect(fixture.take() == ["double ended"])
        try fixture.tap(210, 200)
        try fixture.step(400)
        #expect(fixture.take() == ["single ended"])
        #expect(fixture.view.take().suffix(2) == ["began", "cancelled"])
        // The second tap comes too late, and is a first one.
        try fixture.tap()
        try fixture.step(340)
        #expect(fixture.take() == [])
        try fixture.step(20)
        try fixture.tap()
        #expect(fixture.take() == ["single ended"])
        try fixture.tap()
        #expect(fixture.take() == ["double ended"])
    }

    @Test("a pan that requires a swipe to fail begins late, with the whole way")
    func swipeBeforePan() throws {
        let fixture = try GestureFixture()
        var way = Point.zero
        let pan = fixture.add(PanGestureRecognizer { way = $0.translation(in: nil) }, "pan")
        let swipe = fixture.add(SwipeGestureRecognizer(), "swipe")
        pan.require(toFail: swipe)
        try fixture.down(200, 200)
        try fixture.move(230, 200)
        #expect(fixture.take() == [])
        try fixture.move(230, 260)
        #expect(fixture.take() == ["pan began"] && way == Point(x: 30, y: 60))
        try fixture.up(230, 260)
        #expect(fixture.take() == ["pan ended"])
        try fixture.down(200, 200)
        try fixture.move(230, 200)
        try fixture.move(260, 200)
        try fixture.up(260, 200)
        #expect(fixture.take() == ["swipe ended"])
    }

    @Test("recognisers that require each other to fail do not wait for ever")
    func circle() throws {
        let fixture = try GestureFixture()
        let one = fixture.add(TapGestureRecognizer(), "one")
        let two = fixture.add(TapGestureRecognizer(), "two")
        one.require(toFail: two)
        two.require(toFail: one)
        for _ in 0..<2 {
            try fixture.tap()
            #expect(fixture.take() == ["two ended"])
        }
    }

    @Test("a long press prevents the tap, and a pan prevents both")
    func usual() throws {
        let fixture = try GestureFixture()
        fixture.add(TapGestureRecognizer(), "tap")
        fixture.add(LongPressGestureRecognizer(), "press")
        fixture.add(PanGestureRecognizer(), "pan")
        try fixture.tap()
        #expect(fixture.take() == ["tap ended"])
        try fixture.down(200, 200)
        try fixture.step(600)
        try fixture.up(200, 200)
        #expect(fixture.take() == ["press began", "press ended"])
        try fixture.down(200, 200)
        try fixture.move(211, 200)
        try fixture.step(600)
        try fixture.up(211, 200)
        #expect(fixture.take() == ["pan began", "pan ended"])
    }

    @Test("the inner view's recogniser wins, unless it cannot prevent the other or both may recognise")
    func nested() throws {
        final class Polite: TapGestureRecognizer {
            override func canPrevent(_ other: GestureRecognizer) -> Bool { false }
        }
        let fixture = try GestureFixture()
        let inner = View(frame: Rect(x: 50, y: 50, width: 100, height: 100))
        fixture.view.addSubview(inner)
        let outerTap = fixture.add(TapGestureRecognizer(), "outer")
        let innerTap = fixture.add(TapGestureRecognizer(), "inner", to: inner)
        try fixture.tap()
        #expect(fixture.take() == ["inner ended"])
        try fixture.tap(120, 120)
        #expect(fixture.take() == ["outer ended"])
        outerTap.onShouldRecognizeSimultaneously = { $0 === innerTap }
        try fixture.tap()
        #expect(fixture.take() == ["inner ended", "outer ended"])
        outerTap.onShouldRecognizeSimultaneously = nil
        inner.removeGestureRecognizer(innerTap)
        fixture.add(Polite(), "polite", to: inner)
        try fixture.tap()
        #expect(fixture.take() == ["polite ended", "outer ended"])
        let choosy = fixture.add(TapGestureRecognizer(), "choosy", to: inner)
        choosy.onShouldBegin = { [unowned choosy] in choosy.location(in: inner).x < 50 }
        choosy.onShouldReceive = { $0.location(in: inner).y < 50 }
        outerTap.isEnabled = false
        try fixture.tap(160, 190)
        #expect(fixture.take().contains("choosy ended"))
        try fixture.tap(160, 210)
        try fixture.tap(240, 190)
        #expect(!fixture.take().contains("choosy ended"))
    }

    @Test("E2: what the server cancels cancels continuous gestures and fails discrete ones")
    func serverCancels() throws {
        let fixture = try GestureFixture()
        let pan = fixture.add(PanGestureRecognizer(), "pan")
        fixture.add(TapGestureRecognizer(), "tap")
        try fixture.down(200, 200)
        try fixture.move(250, 200)
        try fixture.client.request("PATCH", "/windows/\(try fixture.windowID())", #"{"hidden":true}"#)
        try fixture.client.wait(for: "hiding") { !fixture.window.isVisible }
        #expect(fixture.take() == ["pan began", "pan cancelled"] && pan.state == .possible)
        fixture.window.makeKeyAndVisible()
        try fixture.client.application.roundTrip()
        try fixture.touch("cancelled", [0: (250, 200)])
        try fixture.down(200, 200)
        try fixture.touch("cancelled", [0: (200, 200)])
        #expect(fixture.take() == [])
        #expect(fixture.view.take() == ["began", "cancelled", "began", "cancelled"])
        // A recogniser that is disabled in the middle.
        try fixture.down(200, 200)
        try fixture.move(250, 200)
        pan.isEnabled = false
        #expect(fixture.take() == ["pan began", "pan cancelled"])
        try fixture.up(250, 200)
        #expect(fixture.take() == [] && fixture.view.take() == ["began", "cancelled"])
    }

    @Test("views can wait until no gesture is recognised")
    func delays() throws {
        let fixture = try GestureFixture()
        let swipe = fixture.add(SwipeGestureRecognizer(), "swipe")
        swipe.delaysTouchesBegan = true
        try fixture.down(200, 200)
        try fixture.move(220, 200)
        #expect(fixture.view.take() == [])
        try fixture.move(180, 200)
        #expect(fixture.view.take() == ["began", "moved", "moved"])
        try fixture.up(180, 200)
        #expect(fixture.view.take() == ["ended"])
        try fixture.down(200, 200)
        try fixture.move(260, 200)
        try fixture.up(260, 200)
        #expect(fixture.take() == ["swipe ended"] && fixture.view.take() == [])
    }

    @Test("a subclass sees touches, sets its state and is reset")
    func subclass() throws {
        final class Check: GestureRecognizer {
            var calls: [String] = []
            override func touchesBegan(_ touches: [Touch], with event: Event) { calls.append("began \(touches.count)") }
            override func touchesMoved(_ touches: [Touch], with event: Event) {
                calls.append("moved \(numberOfTouches)")
                state = .began
                calls.append("\(state)")
                state = .changed
            }
            override func touchesEnded(_ touches: [Touch], with event: Event) {
                state = .ended
                // Too late.
                state = .failed
            }
            override func reset() { calls.append("reset") }
        }
        let fixture = try GestureFixture()
        let check = fixture.add(Check { check in check.calls.append("action \(check.state)") }, "check")
        try fixture.down(200, 200)
        try fixture.move(201, 200)
        try fixture.up(201, 200)
        #expect(fixture.take() == ["check began", "check changed", "check ended"])
        #expect(
            check.calls == [
                "began 1", "moved 1", "began", "action began", "action changed", "action ended", "reset",
            ])
        #expect(check.state == .possible)
        // Outside of an attempt there is nothing to set.
        check.state = .began
        #expect(check.state == .possible && fixture.take() == [])
    }
}

extension GestureFixture {
    /// The window's number in the control API.
    func windowID() throws -> Int {
        let text = try client.request("GET", "/windows")
        guard let start = text.firstRange(of: "\"id\":")?.upperBound,
            let id = Int(text[start...].prefix { $0.isNumber })
        else { throw FixtureError("no window in \(text)") }
        return id
    }
}
