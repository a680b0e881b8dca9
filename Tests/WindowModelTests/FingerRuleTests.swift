// R4: touches arrive where the content is seen, in any orientation and however the picture is transformed.

import MullionGeometry
import Testing
import WindowModel

@Suite struct FingerRuleTests {
    /// A way of showing the content.
    struct Way: CustomTestStringConvertible, Sendable {
        var orientation: Screen.Orientation
        var isFlipped: Bool
        var scale: Double
        var overscan: Screen.Overscan
        var testDescription: String { "\(orientation) \(isFlipped) \(scale) \(overscan)" }

        static var all: [Way] {
            Screen.Orientation.allCases.flatMap { orientation in
                [false, true].flatMap { isFlipped in
                    [1, 1.5, 2].flatMap { scale in
                        Screen.Overscan.allCases.map {
                            Way(orientation: orientation, isFlipped: isFlipped, scale: scale, overscan: $0)
                        }
                    }
                }
            }
        }

        /// The panel edge where the top left of the content is: right, bottom.
        var corner: (isRight: Bool, isBottom: Bool) {
            switch (orientation, isFlipped) {
            case (.portrait, false), (.landscapeLeft, true): (false, false)
            case (.portrait, true), (.landscapeRight, false): (true, false)
            case (.portraitUpsideDown, false), (.landscapeRight, true): (true, true)
            case (.portraitUpsideDown, true), (.landscapeLeft, false): (false, true)
            }
        }
    }

    @Test("R4: a touch hits what is seen under the finger, at the position that is seen", arguments: Way.all)
    func fingers(way: Way) throws {
        let model = WindowModel()
        let description = ScreenDescription(
            name: "TV", modes: [Screen.Mode(width: 1200, height: 600)], scale: way.scale, orientation: way.orientation,
            isFlipped: way.isFlipped, overscan: way.overscan,
            overscanInsets: Screen.Insets(top: 30, left: 60, bottom: 90, right: 120))
        let id = try model.connect(description)
        let screen = try #require(model.screen(id))
        let application = model.addApplication()
        let window = try model.createWindow(
            application: application, options: Window.Options(frame: Rect(x: 0, y: 0, width: 10, height: 20)))
        try model.setBackgroundColor(.black, of: window)
        try model.setHidden(false, of: window)
        // The position of the picture on the panel in pixels, and its scale.
        let isWhole = way.overscan == .none
        let area = isWhole ? screen.nativeBounds : Rect(x: 60, y: 30, width: 1020, height: 480)
        let isShrunk = way.overscan == .scale
        let shrunk = isShrunk ? Size(width: 1020.0 / 1200, height: 480.0 / 600) : Size(width: 1, height: 1)
        let (isRight, isBottom) = way.corner
        // 3 pixels inwards from the corner along x, 6 along y.
        let pixel = Point(x: isRight ? area.maxX - 3 : area.minX + 3, y: isBottom ? area.maxY - 6 : area.minY + 6)
        let along = Size(width: 3 / shrunk.width / way.scale, height: 6 / shrunk.height / way.scale)
        let expected =
            way.orientation.isLandscape
            ? Point(x: along.height, y: along.width) : Point(x: along.width, y: along.height)
        let routing = try model.touch(
            id: 1, phase: .began, at: screen.convertFromPixels(pixel), on: id, time: 1)
        let hit = try #require(routing.hit)
        #expect(hit.window == window)
        #expect(abs(hit.location.x - expected.x) < 1e-6 && abs(hit.location.y - expected.y) < 1e-6)
        // The window is hit exactly where the frame draws it.
        let layer = try #require(model.frame(for: id)?.layers.first)
        let drawn = layer.toPixels.apply(to: Rect(origin: .zero, size: layer.size))
        for (x, y) in [(0.01, 0.01), (0.99, 0.01), (0.01, 0.99), (0.99, 0.99), (-0.01, 0.5), (0.5, 1.01)] {
            let pixel = Point(x: drawn.minX + x * drawn.size.width, y: drawn.minY + y * drawn.size.height)
            let isInside = (0...1).contains(x) && (0...1).contains(y)
            #expect(model.hitTest(screen.convertFromPixels(pixel), on: id)?.window == (isInside ? window : nil))
        }
    }

    @Test("R4: the pointer keeps its position on the panel when the screen is rotated or flipped")
    func pointer() throws {
        let fixture = try ModelFixture()
        let corner = try fixture.shown()
        try fixture.model.pointerMoved(to: Point(x: 30, y: 40), on: fixture.screen, time: 1)
        _ = fixture.model.drainEffects()
        #expect(fixture.model.pointerFocus?.window == corner)
        // At pixel (60, 80) of 1000 × 800.
        func place(_ change: () throws -> Void) throws -> Point? {
            try change()
            _ = fixture.model.drainEffects()
            return fixture.model.pointerLocation?.point
        }
        func turn(_ orientation: Screen.Orientation) throws -> Point? {
            try place { try fixture.model.rotate(fixture.screen, to: orientation, time: 1) }
        }
        #expect(try turn(.landscapeLeft) == Point(x: 360, y: 30))
        #expect(fixture.model.pointerFocus == nil, "E5: another place of the content is under it")
        #expect(try place { try fixture.model.setFlipped(true, of: fixture.screen) } == Point(x: 40, y: 30))
        #expect(
            fixture.model.pointerFocus?.window == corner && fixture.model.pointerFocus?.location == Point(x: 40, y: 30))
        #expect(try turn(.portraitUpsideDown) == Point(x: 30, y: 360))
        #expect(try turn(.landscapeRight) == Point(x: 360, y: 470))
        #expect(try place { try fixture.model.setFlipped(false, of: fixture.screen) } == Point(x: 40, y: 470))
        #expect(try turn(.portrait) == Point(x: 30, y: 40))
        #expect(fixture.model.pointerFocus?.window == corner)
    }
}
