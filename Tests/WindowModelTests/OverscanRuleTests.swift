// S5: the part hidden by a display's edges, and its compensation. All numbers are computed by hand.

import MullionGeometry
import Testing
import WindowModel

@Suite struct OverscanRuleTests {
    private static let large = Screen.Mode(width: 1000, height: 500)
    private static let small = Screen.Mode(width: 500, height: 250)
    private static let odd = Screen.Mode(width: 333, height: 251)

    /// 2 pixels to a point; 10, 20, 30 and 40 pixels of the large mode are hidden.
    private func television(_ change: (inout ScreenDescription) -> Void = { _ in }) -> ScreenDescription {
        var result = ScreenDescription(
            name: "TV", modes: [Self.large, Self.small, Self.odd], scale: 2,
            overscanInsets: Screen.Insets(top: 10, left: 20, bottom: 30, right: 40))
        change(&result)
        return result
    }

    private func screen(_ change: (inout ScreenDescription) -> Void) throws -> Screen {
        let model = WindowModel()
        return try #require(try model.screen(model.connect(television(change))))
    }

    private func check(_ screen: Screen, bounds: Size, pixels: [(Point, Point)]) {
        #expect(screen.bounds == Rect(origin: .zero, size: bounds))
        for (point, pixel) in pixels {
            #expect(screen.convertToPixels(point) == pixel, "\(point)")
            #expect(screen.convertFromPixels(pixel) == point, "\(pixel)")
        }
    }

    @Test("S5: scale shrinks the whole framebuffer into the visible area; the bounds stay")
    func scale() throws {
        let screen = try screen { $0.overscan = .scale }
        check(
            screen, bounds: Size(width: 500, height: 250),
            pixels: [
                (.zero, Point(x: 20, y: 10)), (Point(x: 500, y: 250), Point(x: 960, y: 470)),
                (Point(x: 250, y: 125), Point(x: 490, y: 240)),
            ])
    }

    @Test("S5: with insetBounds the bounds are the visible area; nothing is scaled")
    func insetBounds() throws {
        let screen = try screen { $0.overscan = .insetBounds }
        check(
            screen, bounds: Size(width: 470, height: 230),
            pixels: [
                (.zero, Point(x: 20, y: 10)), (Point(x: 470, y: 230), Point(x: 960, y: 470)),
                (Point(x: 100, y: 100), Point(x: 220, y: 210)),
            ])
        #expect(screen.fixedBounds == screen.bounds)
        #expect(screen.nativeBounds.size == Size(width: 1000, height: 500))
    }

    @Test("S5: with none the bounds stay and the edges are lost")
    func none() throws {
        let screen = try screen { $0.overscan = .none }
        check(
            screen, bounds: Size(width: 500, height: 250),
            pixels: [(.zero, .zero), (Point(x: 500, y: 250), Point(x: 1000, y: 500))])
    }

    @Test("S5: the visible area does not depend on the compensation; other modes lose the same share, in whole pixels")
    func visibleArea() throws {
        let seen: [(Screen.Mode, Rect)] = [
            (Self.large, Rect(x: 20, y: 10, width: 940, height: 460)),
            (Self.small, Rect(x: 10, y: 5, width: 470, height: 230)),
            // 6.66, 5.02, 13.32 and 15.06 pixels.
            (Self.odd, Rect(x: 7, y: 5, width: 313, height: 231)),
        ]
        for overscan in Screen.Overscan.allCases {
            let model = WindowModel()
            let id = try model.connect(television { $0.overscan = overscan })
            for (mode, area) in seen {
                try model.setMode(mode, of: id)
                #expect(model.screen(id)?.visibleArea == area)
                #expect(model.frame(for: id)?.visibleArea == area)
                let inset = Rect(x: 0, y: 0, width: area.size.width / 2, height: area.size.height / 2)
                let whole = Rect(x: 0, y: 0, width: Double(mode.width) / 2, height: Double(mode.height) / 2)
                #expect(model.screen(id)?.bounds == (overscan == .insetBounds ? inset : whole))
            }
        }
    }

    @Test("S5: clients receive the insets in points, following the orientation")
    func insetsInPoints() throws {
        let expected: [(Screen.Orientation, Bool, Screen.Insets)] = [
            (.portrait, false, Screen.Insets(top: 5, left: 10, bottom: 15, right: 20)),
            (.portraitUpsideDown, false, Screen.Insets(top: 15, left: 20, bottom: 5, right: 10)),
            // The panel's left edge is up: 20 pixels are hidden at the top.
            (.landscapeLeft, false, Screen.Insets(top: 10, left: 15, bottom: 20, right: 5)),
            (.landscapeRight, false, Screen.Insets(top: 20, left: 5, bottom: 10, right: 15)),
            (.portrait, true, Screen.Insets(top: 5, left: 20, bottom: 15, right: 10)),
            (.landscapeRight, true, Screen.Insets(top: 20, left: 15, bottom: 10, right: 5)),
        ]
        for (orientation, isFlipped, insets) in expected {
            let screen = try screen {
                $0.overscan = .none
                $0.orientation = orientation
                $0.isFlipped = isFlipped
            }
            #expect(screen.overscanCompensationInsets == insets, "\(orientation) \(isFlipped)")
            // Computed differently: the corners of the visible area in points.
            let a = screen.convertFromPixels(Point(x: 20, y: 10))
            let b = screen.convertFromPixels(Point(x: 960, y: 470))
            let size = screen.bounds.size
            #expect(min(a.x, b.x) == insets.left && max(a.x, b.x) == size.width - insets.right)
            #expect(min(a.y, b.y) == insets.top && max(a.y, b.y) == size.height - insets.bottom)
        }
    }

    @Test("S5, R2: a new compensation is notified once, before the frames of windows that filled the screen")
    func changing() throws {
        let fixture = try ModelFixture()
        let id = try fixture.model.connect(television())
        let full = try fixture.model.createWindow(application: fixture.app, screen: id)
        let small = try fixture.shown(x: 450, on: id)
        _ = fixture.effects()
        try fixture.model.setOverscan(.insetBounds, of: id)
        #expect(fixture.effects() == [.screenPropertiesDidChange(id), .frameDidChange(full, fixture.app)])
        #expect(fixture.model.window(full)?.frame == Rect(x: 0, y: 0, width: 470, height: 230))
        #expect(fixture.model.window(small)?.frame.minX == 450)
        #expect(fixture.model.hitTest(Point(x: 469, y: 50), on: id)?.window == small)
        #expect(fixture.model.hitTest(Point(x: 470, y: 50), on: id) == nil, "W6: beyond the bounds")
        try fixture.model.setOverscan(.insetBounds, of: id)
        #expect(fixture.effects() == [])
    }

    @Test("S5: insets that leave nothing, or are not numbers, are refused")
    func refusals() throws {
        let impossible = [
            Screen.Insets(left: 500, right: 500), Screen.Insets(top: 500), Screen.Insets(top: -1),
            Screen.Insets(left: .nan), Screen.Insets(bottom: .infinity),
        ]
        for insets in impossible {
            #expect(refusal { _ = try screen { $0.overscanInsets = insets } }?.rule == .s5, "\(insets)")
        }
        _ = try screen { $0.overscanInsets = Screen.Insets(left: 500, right: 499) }
    }
}
