// S7: the position of a mirrored picture. The main screen is 500 × 400 points; all numbers are computed by hand.

import MullionGeometry
import Testing
import WindowModel

@Suite struct LetterboxRuleTests {
    /// The mirrored picture on a display: its frame, and the positions of the source's points.
    private func picture(
        _ mode: Screen.Mode, source: (inout ScreenDescription) -> Void = { _ in },
        target: (inout ScreenDescription) -> Void = { _ in }
    ) throws -> (area: Rect, toPixels: AffineTransform) {
        let model = WindowModel()
        var panel = ModelFixture.panel
        source(&panel)
        let screen = try model.connect(panel)
        var wall = ScreenDescription(name: "Wall", modes: [mode])
        target(&wall)
        let id = try model.connect(wall)
        let window = try model.createWindow(application: model.addApplication(), screen: screen)
        try model.setBackgroundColor(.black, of: window)
        try model.setHidden(false, of: window)
        let frame = try #require(model.frame(for: id))
        let layer = try #require(frame.layers.first)
        #expect(frame.pixelWidth == mode.width && frame.pixelHeight == mode.height)
        return (frame.visibleArea, layer.toPixels)
    }

    private func isClose(_ a: AffineTransform, _ b: AffineTransform) -> Bool {
        [a.a - b.a, a.b - b.b, a.c - b.c, a.d - b.d, a.tx - b.tx, a.ty - b.ty].allSatisfy { abs($0) < 1e-9 }
    }

    @Test("S7: a wider display has bars left and right, a taller one above and below, one of the same shape none")
    func shapes() throws {
        let wide = try picture(Screen.Mode(width: 640, height: 480))
        #expect(wide.area == Rect(x: 20, y: 0, width: 600, height: 480))
        #expect(isClose(wide.toPixels, AffineTransform(a: 1.2, b: 0, c: 0, d: 1.2, tx: 20, ty: 0)))
        let high = try picture(Screen.Mode(width: 640, height: 640))
        #expect(high.area == Rect(x: 0, y: 64, width: 640, height: 512))
        #expect(isClose(high.toPixels, AffineTransform(a: 1.28, b: 0, c: 0, d: 1.28, tx: 0, ty: 64)))
        let same = try picture(Screen.Mode(width: 250, height: 200))
        #expect(same.area == Rect(x: 0, y: 0, width: 250, height: 200))
        #expect(isClose(same.toPixels, .scale(x: 0.5, y: 0.5)))
    }

    @Test("S7: the scale of either screen does not matter, and bars end on whole pixels")
    func scales() throws {
        let finer = try picture(Screen.Mode(width: 640, height: 480), target: { $0.scale = 2 })
        #expect(finer.area == Rect(x: 20, y: 0, width: 600, height: 480))
        // 333.3 pixels wide at 83.3: the edges at 83 and 417.
        let rounded = try picture(
            Screen.Mode(width: 500, height: 500),
            source: {
                $0.modes = [Screen.Mode(width: 800, height: 1200)]
                $0.scale = 1.5
            })
        #expect(rounded.area == Rect(x: 83, y: 0, width: 334, height: 500))
    }

    @Test("S7: non-square pixels are compensated on either screen")
    func pixelAspectRatio() throws {
        // 1280 × 480 pixels of half the width look like 640 × 480.
        let narrow = try picture(Screen.Mode(width: 1280, height: 480, pixelAspectRatio: 0.5))
        #expect(narrow.area == Rect(x: 40, y: 0, width: 1200, height: 480))
        #expect(isClose(narrow.toPixels, AffineTransform(a: 2.4, b: 0, c: 0, d: 1.2, tx: 40, ty: 0)))
        // 1000 × 800 pixels of twice the width look like 2000 × 800.
        let broad = try picture(
            Screen.Mode(width: 640, height: 480),
            source: { $0.modes = [Screen.Mode(width: 1000, height: 800, pixelAspectRatio: 2)] })
        #expect(broad.area == Rect(x: 0, y: 112, width: 640, height: 256))
        #expect(isClose(broad.toPixels, AffineTransform(a: 1.28, b: 0, c: 0, d: 0.64, tx: 0, ty: 112)))
    }

    @Test("S7, R1: the picture is upright with a rotated source, a rotated display, or both")
    func turned() throws {
        // 400 × 500 points in 640 × 480.
        let source = try picture(Screen.Mode(width: 640, height: 480), source: { $0.orientation = .landscapeLeft })
        #expect(source.area == Rect(x: 128, y: 0, width: 384, height: 480))
        #expect(isClose(source.toPixels, AffineTransform(a: 0.96, b: 0, c: 0, d: 0.96, tx: 128, ty: 0)))
        // 500 × 400 in 480 × 640: 480 × 384 at y 128; the top of it is at the left of the panel.
        let target = try picture(Screen.Mode(width: 640, height: 480), target: { $0.orientation = .landscapeLeft })
        #expect(target.area == Rect(x: 128, y: 0, width: 384, height: 480))
        #expect(isClose(target.toPixels, AffineTransform(a: 0, b: -0.96, c: 0.96, d: 0, tx: 128, ty: 480)))
        let flipped = try picture(
            Screen.Mode(width: 640, height: 480),
            target: {
                $0.orientation = .landscapeLeft
                $0.isFlipped = true
            })
        #expect(isClose(flipped.toPixels, AffineTransform(a: 0, b: 0.96, c: 0.96, d: 0, tx: 128, ty: 0)))
        // 400 × 500 in 480 × 640: 480 × 600 at y 20.
        let both = try picture(
            Screen.Mode(width: 640, height: 480), source: { $0.orientation = .landscapeRight },
            target: { $0.orientation = .landscapeRight })
        #expect(both.area == Rect(x: 20, y: 0, width: 600, height: 480))
        #expect(isClose(both.toPixels, AffineTransform(a: 0, b: 1.2, c: -1.2, d: 0, tx: 620, ty: 0)))
        // Pixels twice as wide as high are twice as high as wide in this orientation: 480 × 1280.
        let broad = try picture(
            Screen.Mode(width: 640, height: 480, pixelAspectRatio: 2), target: { $0.orientation = .landscapeLeft })
        #expect(broad.area == Rect(x: 224, y: 0, width: 192, height: 480))
    }

    @Test("S7, S5: the picture is within the area that overscan leaves")
    func overscan() throws {
        let insets = Screen.Insets(left: 32, right: 32)
        let areas: [(Screen.Overscan, Rect)] = [
            // 600 pixels at 20, shrunk to nine tenths.
            (.scale, Rect(x: 50, y: 0, width: 540, height: 480)),
            // 500 × 400 in 576 × 480: 576 × 460.8 at y 9.6.
            (.insetBounds, Rect(x: 32, y: 10, width: 576, height: 460)),
            // 600 pixels at 20, without the edges.
            (.none, Rect(x: 32, y: 0, width: 576, height: 480)),
        ]
        for (overscan, area) in areas {
            let place = try picture(
                Screen.Mode(width: 640, height: 480),
                target: {
                    $0.overscan = overscan
                    $0.overscanInsets = insets
                })
            #expect(place.area == area, "\(overscan)")
        }
    }
}
