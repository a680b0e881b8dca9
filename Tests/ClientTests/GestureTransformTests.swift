// Pinches and rotations, on the screen and on a trackpad.

import MullionClient
import TestSupport
import Testing

@MainActor @Suite struct GestureTransformTests {
    private func close(_ a: Double, _ b: Double, _ tolerance: Double = 0.001) -> Bool { abs(a - b) < tolerance }

    @Test("a pinch measures the distance of the fingers, which may come and go")
    func pinch() throws {
        let fixture = try GestureFixture()
        let pinch = fixture.add(PinchGestureRecognizer(), "pinch")
        try fixture.down(200, 200)
        try fixture.move(210, 200)
        try fixture.down(310, 200, id: 1)
        try fixture.step(10)
        try fixture.move(316, 200, id: 1)
        #expect(fixture.take() == [] && close(pinch.scale, 1.06))
        try fixture.step(10)
        try fixture.move(330, 200, id: 1)
        #expect(fixture.take() == ["pinch began"] && close(pinch.scale, 1.2) && close(pinch.velocity, 10))
        #expect(pinch.numberOfTouches == 2 && pinch.location(in: nil) == Point(x: 270, y: 200))
        pinch.scale = 1
        try fixture.up(330, 200, id: 1)
        // One finger does not pinch, and a second one continues without a jump.
        try fixture.move(250, 250)
        #expect(fixture.take() == [])
        try fixture.down(250, 350, id: 2)
        try fixture.move(250, 300, id: 2)
        #expect(fixture.take() == ["pinch changed"] && close(pinch.scale, 0.5))
        try fixture.touch("ended", [0: (250, 250), 2: (250, 300)])
        #expect(fixture.take() == ["pinch ended"] && pinch.scale == 1)
        try fixture.tap()
        #expect(fixture.take() == [])
    }

    @Test("a rotation measures the turn of the fingers, clockwise, through more than half a turn")
    func rotation() throws {
        let fixture = try GestureFixture()
        var last = 0.0
        fixture.view.addGestureRecognizer(RotationGestureRecognizer { last = $0.rotation })
        try fixture.client.inject(
            #"{"type":"rotate","by":"touch","x":300,"y":250,"rotation":4,"steps":20,"radius":60}"#)
        #expect(close(last, 4, 0.01))
        try fixture.client.inject(
            #"{"type":"rotate","by":"touch","x":300,"y":250,"rotation":-1,"fingers":4,"radius":60}"#)
        #expect(close(last, -1, 0.01))
        last = 0
        try fixture.client.inject(#"{"type":"pinch","by":"touch","x":300,"y":250,"scale":2,"radius":60}"#)
        #expect(last == 0)
    }

    @Test("pinch, rotation and pan recognise simultaneously when they are allowed to, else the first does")
    func together() throws {
        let fixture = try GestureFixture()
        let pan = PanGestureRecognizer()
        let pinch = PinchGestureRecognizer()
        let rotation = RotationGestureRecognizer()
        var (scale, angle, way) = (1.0, 0.0, Point.zero)
        pan.onChange { way = $0.translation(in: nil) }
        pinch.onChange { scale = $0.scale }
        rotation.onChange { angle = $0.rotation }
        for recognizer in [pan, pinch, rotation] as [GestureRecognizer] {
            recognizer.onShouldRecognizeSimultaneously = { _ in true }
            fixture.view.addGestureRecognizer(recognizer)
        }
        let gesture =
            #"{"type":"pinch","by":"touch","x":250,"y":250,"scale":1.5,"rotation":0.5,"deltaX":40,"deltaY":-20,"#
            + #""radius":60}"#
        try fixture.client.inject(gesture)
        #expect(close(scale, 1.5, 0.01) && close(angle, 0.5, 0.01))
        #expect(close(way.x, 40, 0.05) && close(way.y, -20, 0.05))
        #expect(fixture.view.take().last == "cancelled 2")
        for recognizer in [pan, pinch, rotation] as [GestureRecognizer] {
            recognizer.onShouldRecognizeSimultaneously = nil
        }
        (scale, angle, way) = (1, 0, .zero)
        try fixture.client.inject(gesture)
        #expect([scale != 1, angle != 0, way != .zero].filter { $0 }.count == 1)
    }

    @Test("E5: a trackpad drives pinch and rotation at the pointer, and the view loses the gesture")
    func trackpad() throws {
        final class Pad: View {
            var phases: [Event.Phase] = []
            override func transformed(_ transform: Transform, with event: Event) { phases.append(transform.phase) }
        }
        let fixture = try GestureFixture()
        let pad = Pad(frame: fixture.view.bounds)
        fixture.view.addSubview(pad)
        var (scale, angle) = (1.0, 0.0)
        let pinch = PinchGestureRecognizer {
            scale = $0.scale
            #expect($0.numberOfTouches == 0 && $0.location(in: $0.view) == Point(x: 50, y: 60))
        }
        let rotation = RotationGestureRecognizer { angle = $0.rotation }
        rotation.onShouldRecognizeSimultaneously = { $0 === pinch }
        fixture.add(pinch, "pinch")
        fixture.add(rotation, "rotation")
        try fixture.client.inject(
            #"{"type":"pinch","x":150,"y":160,"scale":0.5,"rotation":0.4,"steps":2}"#)
        #expect(close(scale, 0.5) && close(angle, 0.4))
        #expect(
            fixture.take() == [
                "pinch began", "rotation began", "pinch changed", "rotation changed", "pinch ended", "rotation ended",
            ])
        #expect(pad.phases == [.began, .cancelled])
        pad.phases = []
        try fixture.client.inject(#"{"type":"swipe","x":150,"y":160,"phase":"began"}"#)
        try fixture.client.inject(#"{"type":"swipe","phase":"moved","deltaX":30}"#)
        try fixture.client.inject(#"{"type":"swipe","phase":"cancelled"}"#)
        #expect(fixture.take() == [] && pad.phases == [.began, .moved, .cancelled])
        try fixture.client.inject(#"{"type":"pinch","x":150,"y":160,"phase":"began"}"#)
        try fixture.client.inject(#"{"type":"pinch","phase":"moved","scale":2}"#)
        try fixture.client.inject(#"{"type":"pinch","phase":"cancelled"}"#)
        #expect(fixture.take() == ["pinch began", "pinch cancelled"])
    }

    @Test("E5: scrolling is a pan where that is allowed, and else goes to the view")
    func scrolling() throws {
        final class Pad: View {
            var phases: [Event.Phase] = []
            override func scrolled(_ scroll: Scroll, with event: Event) { phases.append(scroll.phase) }
        }
        let fixture = try GestureFixture()
        let pad = Pad(frame: fixture.view.bounds)
        fixture.view.addSubview(pad)
        let pan = PanGestureRecognizer()
        var way = Point.zero
        pan.onChange { way = $0.translation(in: nil) }
        fixture.add(pan, "pan")
        func scroll(_ rest: String) throws { try fixture.client.inject(#"{"type":"scroll",\#(rest)}"#) }
        func fingers() throws {
            try scroll(#""x":150,"y":160,"source":"finger","phase":"began""#)
            try scroll(#""source":"finger","phase":"moved","deltaY":6"#)
            try scroll(#""source":"finger","phase":"moved","deltaY":6"#)
            try scroll(#""source":"finger","phase":"moved","deltaX":-6"#)
            try scroll(#""source":"finger","phase":"ended""#)
        }
        func wheel() throws { try scroll(#""x":150,"y":160,"deltaY":15,"stepsY":120"#) }
        try fingers()
        try wheel()
        #expect(fixture.take() == [] && pad.phases == [.began, .moved, .moved, .moved, .ended, .moved])
        pad.phases = []
        pan.allowedScrollTypesMask = .continuous
        try fingers()
        try wheel()
        #expect(fixture.take() == ["pan began", "pan changed", "pan ended"] && way == Point(x: 6, y: -12))
        #expect(pad.phases == [.began, .moved, .cancelled, .moved])
        pad.phases = []
        pan.allowedScrollTypesMask = .all
        try wheel()
        #expect(fixture.take() == ["pan began", "pan ended"] && way == Point(x: 0, y: -15) && pad.phases == [])
    }
}
