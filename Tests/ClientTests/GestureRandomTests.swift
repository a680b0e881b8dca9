// Random fingers, views and recognisers.

import MullionClient
import TestSupport
import Testing

@MainActor @Suite struct GestureRandomTests {
    /// Checks the calls of one recogniser.
    @MainActor private final class Witness {
        var isRunning = false
        var count = 0

        func see(_ recognizer: GestureRecognizer, _ isContinuous: Bool) {
            count += 1
            switch recognizer.state {
            // A reset without a call may have ended the previous one.
            case .began: isRunning = true
            case .changed: #expect(isRunning)
            case .ended, .cancelled:
                #expect(isRunning == isContinuous)
                isRunning = false
            case .possible, .failed: Issue.record("an action for \(recognizer.state)")
            }
        }
    }

    /// A view whose touches have to begin before they go on, and to end once.
    private final class Strict: View {
        var down: [Touch.ID] = []
        override func touchesBegan(_ touches: [Touch], with event: Event) {
            for touch in touches {
                #expect(!down.contains(touch.id))
                down.append(touch.id)
            }
        }
        override func touchesMoved(_ touches: [Touch], with event: Event) {
            #expect(touches.allSatisfy { down.contains($0.id) })
        }
        override func touchesEnded(_ touches: [Touch], with event: Event) { end(touches) }
        override func touchesCancelled(_ touches: [Touch], with event: Event) { end(touches) }
        private func end(_ touches: [Touch]) {
            for touch in touches {
                #expect(down.contains(touch.id))
                down.removeAll { $0 == touch.id }
            }
        }
    }

    @Test("whatever happens, actions come in order and views get each touch once", arguments: [1, 2, 3] as [UInt64])
    func random(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let fixture = try GestureFixture()
        var views: [Strict] = []
        var witnesses: [Witness] = []
        var recognizers: [GestureRecognizer] = []
        var place: View = fixture.window
        for index in 0..<4 {
            let view = Strict(frame: Rect(x: 10, y: 10, width: 500 - Double(index) * 60, height: 400))
            place.addSubview(view)
            views.append(view)
            place = view
            let all = [
                TapGestureRecognizer(), LongPressGestureRecognizer(), PanGestureRecognizer(), PinchGestureRecognizer(),
                RotationGestureRecognizer(), SwipeGestureRecognizer(), TapGestureRecognizer(),
            ]
            (all[0] as? TapGestureRecognizer)?.numberOfTapsRequired = 2
            all.last?.require(toFail: all[0])
            all[2].require(toFail: all[5])
            all[5].delaysTouchesBegan = index == 1
            for recognizer in all {
                let witness = Witness()
                let isContinuous = !(recognizer is TapGestureRecognizer || recognizer is SwipeGestureRecognizer)
                recognizer.onChange { witness.see($0, isContinuous) }
                if Bool.random(using: &random) { recognizer.onShouldRecognizeSimultaneously = { _ in true } }
                if Int.random(in: 0..<4, using: &random) == 0 { recognizer.cancelsTouchesInView = false }
                view.addGestureRecognizer(recognizer)
                witnesses.append(witness)
            }
            recognizers += all
        }
        // Some actions disturb what is going on.
        recognizers[8].onChange { _ in views[2].isHidden.toggle() }
        recognizers[9].onChange { [unowned fixture] _ in _ = try? fixture.client.application.dispatch(timeout: 0) }
        recognizers[16].onChange { _ in views[3].removeFromSuperview() }
        var fingers: [Int: (Double, Double)] = [:]
        for _ in 0..<250 {
            let finger = Int.random(in: 0..<3, using: &random)
            let spot = (
                Double(Int.random(in: 5..<560, using: &random)), Double(Int.random(in: 5..<430, using: &random))
            )
            switch Int.random(in: 0..<20, using: &random) {
            case 0: views[Int.random(in: 0..<4, using: &random)].isHidden.toggle()
            case 1: views[2].addSubview(views[3])
            case 2: recognizers.randomElement(using: &random)?.isEnabled.toggle()
            case 3: try fixture.step(Int.random(in: 1...800, using: &random))
            case 4 where fingers[finger] != nil:
                try fixture.touch("cancelled", [finger: spot])
                fingers[finger] = nil
            case 5...9:
                if let place = fingers[finger] {
                    try fixture.touch("ended", [finger: place])
                    fingers[finger] = nil
                } else {
                    try fixture.tap(spot.0, spot.1, id: finger)
                }
            default:
                if let old = fingers[finger] {
                    let near = (old.0 + (spot.0 - 280) / 8, old.1 + (spot.1 - 215) / 8)
                    try fixture.touch("moved", [finger: near])
                    fingers[finger] = near
                } else {
                    try fixture.touch("began", [finger: spot])
                    fingers[finger] = spot
                }
            }
        }
        for (finger, place) in fingers { try fixture.touch("ended", [finger: place]) }
        try fixture.clock("until", "idle")
        try fixture.client.application.roundTrip()
        #expect(recognizers.allSatisfy { $0.state == .possible && $0.numberOfTouches == 0 })
        #expect(views.allSatisfy { $0.down.isEmpty })
        #expect(witnesses.contains { $0.count > 0 })
    }
}
