// R3: the distances that programs with fixed rotation receive.

import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct FixedRotationTests {
    @Test(
        "R3: scrolling, gestures and relative motion are in portrait like positions, in both protocols",
        arguments: Screen.Orientation.allCases)
    func distances(orientation: Screen.Orientation) throws {
        let setup = try PointerFixture()
        let model = setup.fixture.model
        setup.client.application.send(.setRotationPolicy(policy: .fixed))
        _ = (try setup.pointer.relative(), try setup.pointer.swipe(), try setup.pointer.pinch())
        let window = try setup.window(0, 0, 800, 600)
        let events = TestEvents(setup.client, window)
        try setup.fixture.server.rotate(setup.fixture.mainScreen, to: orientation, duration: 0)
        try setup.hover(100, 100)
        let start = try #require(setup.pointer.take().last { $0.hasPrefix("motion") || $0.hasPrefix("enter") })
        _ = events.take()
        // Three points to the right and five down, for the person in front of the panel.
        let (x, y, steps): (Double, Double, (x: Int, y: Int)) =
            switch orientation {
            case .portrait: (3, 5, (120, 240))
            case .portraitUpsideDown: (-3, -5, (-120, -240))
            case .landscapeLeft: (5, -3, (240, -120))
            case .landscapeRight: (-5, 3, (-240, 120))
            }
        try setup.hover(by: 3, 5)
        let lines = setup.pointer.take()
        #expect(lines[0] == "relative \(x),\(y)")
        let (from, to) = (try position(start), try position(lines[1]))
        #expect(to - from == Point(x: x, y: y), "positions have always been in portrait")
        _ = events.take()

        for phase in [Event.Phase.began, .ended] {
            try setup.scroll(Event.Scroll(deltaX: 3, deltaY: 5, stepsX: 120, stepsY: 240, source: .wheel), phase)
        }
        let scrolls = setup.pointer.take()
        for line in ["axis 1 \(x)", "axis 0 \(y)", "value120 1 \(steps.x)", "value120 0 \(steps.y)"] {
            #expect(scrolls.count { $0 == line } == 2, "\(line) in \(scrolls)")
        }
        #expect(events.takeItems().allSatisfy { $0[0].contains(" \(x),\(y) \(steps.x),\(steps.y) ") })

        for kind in [Event.TransformGesture.Kind.swipe, .pinch] {
            for phase in [Event.Phase.began, .moved, .ended] {
                let gesture = Event.TransformGesture(kind: kind, deltaX: 3, deltaY: 5, fingers: 3)
                try model.transformGesture(gesture, phase: phase, time: setup.fixture.server.clock.now)
            }
        }
        try setup.fixture.pump()
        let gestures = setup.pointer.take()
        #expect(gestures.contains("swipe \(x),\(y)") && gestures.contains("pinch \(x),\(y) 1.0 0.0"), "\(gestures)")
        let items = events.takeItems()
        #expect(items.count == 6 && items.allSatisfy { $0[0].contains(" 3 1.0 0.0 \(x),\(y) ") }, "\(items)")
    }

    @Test("R3: the least number of steps of a wheel, which has no opposite, becomes the greatest")
    func steps() throws {
        let setup = try PointerFixture()
        setup.client.application.send(.setRotationPolicy(policy: .fixed))
        _ = try setup.window(0, 0, 800, 600)
        try setup.fixture.server.rotate(setup.fixture.mainScreen, to: .portraitUpsideDown, duration: 0)
        try setup.hover(100, 100)
        _ = setup.pointer.take()
        try setup.scroll(Event.Scroll(deltaX: 0, deltaY: 1, stepsY: .min, source: .wheel), .began)
        #expect(setup.pointer.take().contains("value120 0 \(Int32.max)"))
    }

    /// The position in "motion 1.0,2.0" and in "enter 9 1.0,2.0".
    private func position(_ line: String) throws -> Point {
        let numbers = try #require(line.split(separator: " ").last).split(separator: ",").compactMap { Double($0) }
        return Point(x: try #require(numbers.first), y: try #require(numbers.last))
    }
}
