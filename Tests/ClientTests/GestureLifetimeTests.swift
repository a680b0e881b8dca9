// Several fingers, and views that go in the middle.

import MullionClient
import TestSupport
import Testing

@MainActor @Suite struct GestureLifetimeTests {
    @Test("a recogniser sees the touches of all views inside its view")
    func severalViews() throws {
        let fixture = try GestureFixture()
        let left = TouchLog(frame: Rect(x: 0, y: 0, width: 200, height: 300))
        let right = TouchLog(frame: Rect(x: 200, y: 0, width: 200, height: 300))
        fixture.view.addSubview(left)
        fixture.view.addSubview(right)
        let pan = fixture.add(PanGestureRecognizer(), "pan")
        pan.minimumNumberOfTouches = 2
        try fixture.down(200, 200)
        try fixture.move(230, 200)
        #expect(fixture.take() == [])
        try fixture.down(400, 200, id: 1)
        try fixture.touch("moved", [0: (250, 200), 1: (420, 200)])
        #expect(fixture.take() == ["pan began"])
        #expect(pan.translation(in: nil) == Point(x: 20, y: 0) && pan.numberOfTouches == 2)
        #expect(pan.location(ofTouch: 1, in: right) == Point(x: 120, y: 100))
        #expect(left.take() == ["began", "moved", "cancelled"] && right.take() == ["began", "cancelled"])
        // A finger that joins belongs to the gesture.
        try fixture.down(300, 300, id: 2)
        #expect(pan.numberOfTouches == 3 && left.take() == [] && right.take() == [])
        try fixture.touch("ended", [0: (250, 200), 1: (420, 200)])
        #expect(fixture.take() == [])
        try fixture.up(300, 300, id: 2)
        #expect(fixture.take() == ["pan ended"])
    }

    @Test("pans in two views do not disturb each other, and a finger too many is ignored")
    func independent() throws {
        let fixture = try GestureFixture()
        let other = TouchLog(frame: Rect(x: 550, y: 100, width: 200, height: 300))
        fixture.window.addSubview(other)
        let first = fixture.add(PanGestureRecognizer(), "first")
        first.maximumNumberOfTouches = 1
        fixture.add(PanGestureRecognizer(), "second", to: other)
        try fixture.down(200, 200)
        try fixture.move(230, 200)
        try fixture.down(600, 200, id: 1)
        try fixture.move(600, 240, id: 1)
        #expect(fixture.take() == ["first began", "second began"])
        try fixture.down(300, 300, id: 2)
        try fixture.move(400, 300, id: 2)
        #expect(fixture.take() == [] && first.translation(in: nil) == Point(x: 30, y: 0))
        #expect(fixture.view.take() == ["began", "cancelled", "began", "moved"])
        try fixture.up(230, 200)
        // A second pan while another finger is down.
        try fixture.down(200, 200)
        try fixture.move(220, 200)
        #expect(fixture.take() == ["first ended", "first began"])
        #expect(first.translation(in: nil) == Point(x: 20, y: 0))
        try fixture.up(600, 240, id: 1)
        try fixture.up(220, 200)
        try fixture.up(400, 300, id: 2)
        #expect(fixture.take() == ["second ended", "first ended"])
    }

    @Test("E2: a view that is removed or hidden loses its touches once, and its recognisers are reset without a call")
    func removal() throws {
        let fixture = try GestureFixture()
        let inner = TouchLog(frame: Rect(x: 50, y: 50, width: 100, height: 100))
        fixture.view.addSubview(inner)
        let innerPan = fixture.add(PanGestureRecognizer(), "inner", to: inner)
        innerPan.cancelsTouchesInView = false
        let outer = fixture.add(PanGestureRecognizer(), "outer")
        outer.onShouldRecognizeSimultaneously = { _ in true }
        outer.cancelsTouchesInView = false
        for hides in [false, true] {
            try fixture.down(200, 200)
            try fixture.move(220, 200)
            #expect(fixture.take() == ["inner began", "outer began"])
            if hides { inner.isHidden = true } else { inner.removeFromSuperview() }
            #expect(inner.take() == ["began", "moved", "cancelled"] && innerPan.state == .possible)
            // The touch goes to no view, but the container still follows the finger.
            try fixture.move(240, 200)
            try fixture.up(240, 200)
            #expect(fixture.take() == ["outer changed", "outer ended"])
            #expect(inner.take() == [] && fixture.view.take() == [])
            fixture.view.addSubview(inner)
        }
        inner.isHidden = false
        // A handler that removes its view gets no more of the event.
        inner.onCall = { [unowned inner] in if $0 == "ended" { inner.removeFromSuperview() } }
        try fixture.tap()
        #expect(inner.take() == ["began", "ended"])
    }

    @Test("a window that its program hides resets its recognisers without a call, and its views lose the touch")
    func hiddenWindow() throws {
        let fixture = try GestureFixture()
        let pan = fixture.add(PanGestureRecognizer(), "pan")
        pan.cancelsTouchesInView = false
        try fixture.down(200, 200)
        try fixture.move(220, 200)
        fixture.window.isHidden = true
        #expect(fixture.take() == ["pan began"] && pan.state == .possible)
        try fixture.client.application.roundTrip()
        #expect(fixture.take() == [] && fixture.view.take() == ["began", "moved", "cancelled"])
        // A callback that closes the window leaves nothing behind.
        fixture.window.isHidden = false
        try fixture.client.application.roundTrip()
        try fixture.touch("cancelled", [0: (220, 200)])
        fixture.window.onInput { [unowned fixture] _ in fixture.window.close() }
        try fixture.tap()
        #expect(fixture.take() == [] && fixture.view.take() == [])
    }

    @Test("an action may remove its view, close the window, or add recognisers")
    func actions() throws {
        let fixture = try GestureFixture()
        let tap = fixture.add(TapGestureRecognizer(), "tap")
        let remove = tap.onChange { [unowned fixture] tap in
            tap.view?.removeFromSuperview()
            fixture.note("removed \(tap.state)")
        }
        try fixture.tap()
        #expect(fixture.take() == ["tap ended", "removed ended"])
        #expect(fixture.view.take() == ["began", "cancelled"])
        remove.cancel()
        fixture.window.addSubview(fixture.view)
        let pan = fixture.add(PanGestureRecognizer(), "pan")
        pan.onChange { [unowned fixture] pan in
            guard pan.state == .changed else { return }
            fixture.add(PanGestureRecognizer(), "new")
            fixture.window.close()
        }
        try fixture.down(200, 200)
        try fixture.move(220, 200)
        try fixture.move(240, 200)
        try fixture.touch("cancelled", [0: (240, 200)])
        #expect(fixture.take() == ["pan began", "pan changed"] && pan.state == .possible)
    }

    @Test("E9: an action may dispatch; what is left of its event comes before the next one")
    func dispatching() throws {
        let fixture = try GestureFixture()
        fixture.view.onCall = { [unowned fixture] in fixture.note("view \($0)") }
        let pan = fixture.add(PanGestureRecognizer(), "pan")
        pan.onChange { [unowned fixture] pan in
            guard pan.state == .began else { return }
            do {
                try fixture.client.inject(
                    #"{"type":"touch","phase":"moved","x":240,"y":200}"#,
                    #"{"type":"touch","phase":"ended","x":240,"y":200}"#, #"{"type":"tap","x":300,"y":200}"#)
            } catch {
                Issue.record(error)
            }
            fixture.note("outer \(pan.state)")
        }
        try fixture.down(200, 200)
        try fixture.move(220, 200)
        #expect(
            fixture.take() == [
                "view began", "pan began", "view cancelled", "pan changed", "pan ended", "view began", "view ended",
                "outer began",
            ])
    }

    @Test("nothing of a gesture is left when its window is closed while a tap waits for the next one")
    func closing() throws {
        let fixture = try GestureFixture()
        let single = fixture.add(TapGestureRecognizer(), "single")
        let double = fixture.add(TapGestureRecognizer(), "double")
        double.numberOfTapsRequired = 2
        single.require(toFail: double)
        try fixture.tap()
        fixture.window.close()
        try fixture.step(400)
        #expect(fixture.take() == [])
        #expect(fixture.view.take() == ["began", "cancelled"])
        // And without a clock to step: real time.
        let real = try ClientFixture()
        let window = Window(real.application)
        window.makeKeyAndVisible()
        try real.application.roundTrip()
        var isPressed = false
        window.addGestureRecognizer(LongPressGestureRecognizer { if $0.state == .began { isPressed = true } })
        try real.inject(#"{"type":"touch","phase":"began","x":10,"y":10}"#)
        try real.wait(for: "the long press") { isPressed }
    }
}
