// Each recogniser, by itself.

import MullionClient
import TestSupport
import Testing

@MainActor @Suite struct GestureTests {
    @Test("a tap is recognised when the finger is lifted, where it was; the view loses the touch")
    func tap() throws {
        let fixture = try GestureFixture()
        var places: [Point] = []
        let tap = fixture.add(
            TapGestureRecognizer { tap in
                places = [tap.location(in: tap.view), tap.location(in: nil), tap.location(ofTouch: 0, in: tap.view)]
                #expect(tap.numberOfTouches == 1 && tap.buttonMask == [])
            }, "tap")
        try fixture.down(210, 220)
        #expect(tap.state == .possible && fixture.log == [])
        try fixture.move(212, 220)
        try fixture.up(212, 220)
        #expect(fixture.take() == ["tap ended"])
        #expect(places == [Point(x: 112, y: 120), Point(x: 212, y: 220), Point(x: 112, y: 120)])
        #expect(tap.state == .possible)
        #expect(fixture.view.take() == ["began", "moved", "cancelled"])
        tap.cancelsTouchesInView = false
        try fixture.tap()
        #expect(fixture.take() == ["tap ended"])
        #expect(fixture.view.take() == ["began", "ended"])
    }

    @Test("a tap fails when the finger moves away, stays too long, or gets company")
    func noTap() throws {
        let fixture = try GestureFixture()
        let tap = fixture.add(TapGestureRecognizer(), "tap")
        try fixture.down(200, 200)
        try fixture.move(246, 200)
        try fixture.up(200, 200)
        #expect(fixture.view.take() == ["began", "moved", "ended"])
        try fixture.down(200, 200)
        try fixture.step(760)
        try fixture.up(200, 200)
        try fixture.down(200, 200)
        try fixture.down(300, 200, id: 1)
        try fixture.up(200, 200)
        try fixture.up(300, 200, id: 1)
        #expect(fixture.log == [])
        // It is ready for the next one, even while another finger is down that made it fail.
        try fixture.down(300, 200, id: 1)
        try fixture.move(400, 200, id: 1)
        try fixture.tap()
        #expect(fixture.take() == ["tap ended"] && tap.state == .possible)
        tap.isEnabled = false
        try fixture.tap()
        #expect(fixture.log == [])
    }

    @Test("several taps and several fingers are counted, and the time between taps is judged by the events")
    func counts() throws {
        let fixture = try GestureFixture()
        let double = fixture.add(TapGestureRecognizer(), "double")
        double.numberOfTapsRequired = 2
        let pair = fixture.add(TapGestureRecognizer(), "pair")
        pair.numberOfTouchesRequired = 2
        try fixture.tap()
        #expect(fixture.view.take() == ["began"], "the end of the touch is delayed")
        try fixture.step(340)
        try fixture.tap()
        #expect(fixture.take() == ["double ended"])
        #expect(fixture.view.take() == ["began", "cancelled 2"])
        try fixture.tap()
        try fixture.step(360)
        #expect(fixture.view.take() == ["began", "ended"], "the recogniser has failed without another event")
        try fixture.tap()
        try fixture.step(100)
        // Too far away.
        try fixture.tap(300, 300)
        #expect(fixture.take() == [])
        try fixture.step(400)
        try fixture.touch("began", [0: (200, 200), 1: (260, 200)])
        try fixture.up(200, 200)
        try fixture.up(260, 200, id: 1)
        #expect(fixture.take() == ["pair ended"])
        // One after the other is no pair.
        try fixture.tap()
        try fixture.tap(260, 200, id: 1)
        #expect(!fixture.take().contains("pair ended"))
    }

    @Test(
        "a long press begins while the finger is down, changes, and ends; it fails when the finger moves or is lifted")
    func longPress() throws {
        let fixture = try GestureFixture()
        let press = fixture.add(LongPressGestureRecognizer(), "press")
        try fixture.down(200, 200)
        try fixture.step(480)
        #expect(fixture.take() == [])
        try fixture.step(40)
        #expect(fixture.take() == ["press began"] && press.state == .began)
        try fixture.move(300, 200)
        try fixture.up(300, 200)
        #expect(fixture.take() == ["press changed", "press ended"])
        #expect(fixture.view.take() == ["began", "cancelled"])
        try fixture.down(200, 200)
        try fixture.move(211, 200)
        try fixture.step(600)
        try fixture.up(211, 200)
        try fixture.down(200, 200)
        try fixture.step(490)
        try fixture.up(200, 200)
        #expect(fixture.take() == [])
        press.minimumPressDuration = 0
        try fixture.down(200, 200)
        #expect(fixture.take() == ["press began"])
        // No recogniser waits for a frame now.
        try fixture.clock("until", "idle", "limit=50ms")
    }

    @Test("a pan has a translation and a velocity, in any space, and can be set back")
    func pan() throws {
        let fixture = try GestureFixture()
        var translations: [Point] = []
        var lastVelocity: Point?
        let pan = fixture.add(
            PanGestureRecognizer { pan in
                translations.append(pan.translation(in: pan.view))
                lastVelocity = pan.velocity(in: nil)
                if pan.state == .began { pan.setTranslation(.zero, in: pan.view) }
            }, "pan")
        fixture.view.transform = .scale(x: 2, y: 2)
        try fixture.down(200, 200)
        try fixture.step(10)
        try fixture.move(206, 200)
        #expect(fixture.log == [] && pan.translation(in: nil) == Point(x: 6, y: 0))
        try fixture.step(10)
        try fixture.move(212, 208)
        #expect(fixture.take() == ["pan began"])
        #expect((pan.velocity(in: nil) - Point(x: 600, y: 400)).isDust)
        #expect((pan.velocity(in: fixture.view) - Point(x: 300, y: 200)).isDust)
        try fixture.step(10)
        try fixture.move(222, 218)
        #expect(pan.location(in: nil) == Point(x: 222, y: 218))
        try fixture.step(200)
        try fixture.up(222, 218)
        #expect(fixture.take() == ["pan changed", "pan ended"])
        #expect(translations == [Point(x: 6, y: 4), Point(x: 5, y: 5), Point(x: 5, y: 5)])
        #expect(lastVelocity == .zero, "the finger rested before it was lifted")
        #expect(fixture.view.take() == ["began", "moved", "cancelled"])
    }

    @Test("a dragged view stays under the finger")
    func drag() throws {
        let fixture = try GestureFixture()
        let view = fixture.view
        view.addGestureRecognizer(
            PanGestureRecognizer { [unowned view] pan in
                view.center = view.center + pan.translation(in: view.superview)
                pan.setTranslation(.zero, in: view.superview)
            })
        try fixture.client.inject(#"{"type":"drag","from":{"x":150,"y":150},"to":{"x":250,"y":190}}"#)
        #expect(view.frame.origin == Point(x: 200, y: 140))
        // The pointer with its primary button is a finger, too; its others are not.
        try fixture.client.inject(
            #"{"type":"drag","by":"pointer","from":{"x":250,"y":190},"to":{"x":150,"y":150}}"#)
        #expect(view.frame.origin == Point(x: 100, y: 100))
        try fixture.client.inject(
            #"{"type":"drag","by":"pointer","button":"right","from":{"x":150,"y":150},"to":{"x":250,"y":190}}"#)
        #expect(view.frame.origin == Point(x: 100, y: 100))
        let menu = fixture.add(TapGestureRecognizer { #expect($0.buttonMask == .secondary) }, "menu")
        menu.buttonMaskRequired = .secondary
        try fixture.client.inject(#"{"type":"click","x":150,"y":150}"#)
        #expect(fixture.take() == [])
        try fixture.client.inject(#"{"type":"click","button":"right","x":150,"y":150}"#)
        #expect(fixture.take() == ["menu ended"])
    }

    @Test("a swipe needs its direction, its speed and its number of fingers")
    func swipe() throws {
        let fixture = try GestureFixture()
        let swipe = fixture.add(SwipeGestureRecognizer(), "swipe")
        try fixture.down(200, 200)
        try fixture.move(230, 205)
        #expect(fixture.log == [])
        try fixture.move(255, 210)
        #expect(fixture.take() == ["swipe ended"], "it is recognised before the finger is lifted")
        try fixture.move(300, 210)
        try fixture.up(300, 210)
        #expect(fixture.take() == [] && fixture.view.take() == ["began", "moved", "cancelled"])
        // Back, aside, too slow.
        for place in [(189.0, 200.0), (220.0, 260.0)] {
            try fixture.down(200, 200)
            try fixture.move(place.0, place.1)
            try fixture.move(300, 200)
            try fixture.up(300, 200)
        }
        try fixture.down(200, 200)
        try fixture.step(520)
        try fixture.move(300, 200)
        try fixture.up(300, 200)
        #expect(fixture.take() == [])
        swipe.direction = [.up, .down]
        swipe.numberOfTouchesRequired = 2
        try fixture.touch("began", [0: (200, 300), 1: (240, 300)])
        try fixture.touch("moved", [0: (200, 240), 1: (240, 240)])
        #expect(fixture.take() == ["swipe ended"])
        try fixture.touch("ended", [0: (200, 240), 1: (240, 240)])
        try fixture.down(200, 300)
        try fixture.move(200, 240)
        try fixture.up(200, 240)
        #expect(fixture.take() == [])
    }
}

extension Point {
    fileprivate var isDust: Bool { abs(x) < 1e-6 && abs(y) < 1e-6 }
}
