// S4: conversions between windows, screens, their fixed coordinate spaces and the global layout.

import Glibc
import MullionGeometry
import Testing
import WindowModel

@Suite struct ConversionRuleTests {
    @Test("S4: every conversion leads where arithmetic by hand does", arguments: Screen.Orientation.allCases)
    func byHand(orientation: Screen.Orientation) throws {
        let fixture = try ModelFixture()
        let (model, screen) = (fixture.model, fixture.screen)
        let wall = try model.connect(ModelFixture.wall)
        try model.setPosition(Point(x: 2000, y: 100), of: wall)
        // 500 × 400 points.
        try model.rotate(screen, to: orientation, time: 1)
        let window = try fixture.shown(x: 50, y: 20)
        let other = try fixture.shown(x: 7, y: 9, on: wall)
        func check(_ point: Point, _ from: CoordinateSpace, _ to: CoordinateSpace, _ expected: Point) throws {
            #expect(try model.convert(point, from: from, to: to) == expected)
            #expect(try model.convert(expected, from: to, to: from) == point)
        }
        let corners: [Screen.Orientation: (fixed: Point, rect: Rect)] = [
            .portrait: (Point(x: 1, y: 2), Rect(x: 1, y: 2, width: 30, height: 40)),
            .portraitUpsideDown: (Point(x: 499, y: 398), Rect(x: 469, y: 358, width: 30, height: 40)),
            .landscapeLeft: (Point(x: 2, y: 399), Rect(x: 2, y: 369, width: 40, height: 30)),
            .landscapeRight: (Point(x: 498, y: 1), Rect(x: 458, y: 1, width: 40, height: 30)),
        ]
        let (fixed, turned) = try #require(corners[orientation])
        try check(Point(x: 1, y: 2), .screen(screen), .fixed(screen), fixed)
        let rect = Rect(x: 1, y: 2, width: 30, height: 40)
        #expect(try model.convert(rect, from: .screen(screen), to: .fixed(screen)) == turned)
        #expect(try model.convert(turned, from: .fixed(screen), to: .screen(screen)) == rect)
        try check(Point(x: 1, y: 2), .window(window), .screen(screen), Point(x: 51, y: 22))
        try check(Point(x: 1, y: 2), .screen(screen), .window(window), Point(x: -49, y: -18))
        try check(Point(x: 1, y: 2), .window(window), .window(other), Point(x: 44 - 2000, y: 13 - 100))
        try check(Point(x: 1, y: 2), .window(other), .layout, Point(x: 2008, y: 111))
        try check(Point(x: 1, y: 2), .layout, .layout, Point(x: 1, y: 2))
        // Twice as large about the centre of its frame, and a quarter turn.
        try model.setTransform(AffineTransform(a: 0, b: 2, c: -2, d: 0, tx: 1, ty: 0), of: window)
        try check(Point(x: 50, y: 50), .window(window), .screen(screen), Point(x: 101, y: 70))
        try check(.zero, .window(window), .screen(screen), Point(x: 201, y: -30))
        let small = Rect(x: 0, y: 0, width: 10, height: 20)
        let large = Rect(x: 161, y: -30, width: 40, height: 20)
        #expect(try model.convert(small, from: .window(window), to: .screen(screen)) == large)
        #expect(try model.convert(large, from: .screen(screen), to: .window(window)) == small)
    }

    @Test(
        "S4: at an angle a rectangle becomes its bounding box; positions of applications with fixed rotation are turned"
    )
    func angles() throws {
        let fixture = try ModelFixture()
        let window = try fixture.shown(x: 0, y: 0)
        let eighth = AffineTransform(a: 0.5, b: 0.5, c: -0.5, d: 0.5, tx: 0, ty: 0)
        try fixture.model.setTransform(eighth, of: window)
        let all = Rect(x: 0, y: 0, width: 100, height: 100)
        let model = fixture.model
        #expect(try model.convert(all, from: .window(window), to: .screen(fixture.screen)) == all)
        let half = Rect(x: 0, y: 0, width: 100, height: 50)
        #expect(
            try model.convert(half, from: .window(window), to: .layout) == Rect(x: 25, y: 0, width: 75, height: 75))
        try model.setTransform(.identity, of: window)
        try model.setRotationPolicy(.fixed, of: fixture.app)
        try model.rotate(fixture.screen, to: .landscapeLeft, time: 1)
        let point = Point(x: 10, y: 20)
        #expect(try model.convert(point, from: .window(window), to: .fixed(fixture.screen)) == point)
        #expect(try model.convert(point, from: .window(window), to: .screen(fixture.screen)) == Point(x: 380, y: 10))
    }

    @Test("S4: what cannot be converted is refused with the reason")
    func refusals() throws {
        let fixture = try ModelFixture()
        let model = fixture.model
        let wall = try model.connect(ModelFixture.wall)
        let (window, waiting) = (try fixture.shown(), try fixture.shown(on: wall))
        try model.disconnect(wall)
        let gone = try fixture.shown()
        try model.destroyWindow(gone)
        func reason(_ from: CoordinateSpace, _ to: CoordinateSpace, x: Double = 0) -> ModelError? {
            let point = refusal { _ = try model.convert(Point(x: x, y: 0), from: from, to: to) }
            let rect = refusal { _ = try model.convert(Rect(x: x, y: 0, width: 1, height: 1), from: from, to: to) }
            #expect(point == rect)
            return point
        }
        #expect(reason(.window(gone), .window(gone))?.kind == .unknownWindow)
        #expect(reason(.layout, .screen(wall))?.kind == .unknownScreen)
        #expect(reason(.fixed(wall), .layout)?.kind == .unknownScreen)
        for (from, to) in [(waiting, window), (window, waiting)] {
            let error = reason(.window(from), .window(to))
            #expect(error?.kind == .notAllowed && error?.message.contains("window \(waiting) is on no screen") == true)
        }
        #expect(reason(.window(waiting), .window(waiting)) == nil)
        try model.setTransform(.scale(x: 1, y: 0), of: window)
        let degenerate = reason(.layout, .window(window))
        #expect(degenerate?.rule == .s4 && degenerate?.message.contains("degenerate") == true)
        #expect(reason(.window(window), .layout) == nil, "it is drawn as a line, where every point of it has its place")
        try model.setTransform(.scale(x: 1000, y: 1000), of: window)
        #expect(reason(.window(window), .layout, x: .greatestFiniteMagnitude)?.kind == .invalidValue)
    }

    @Test(
        "S4: a round trip between any two spaces is exact, through transforms too", arguments: 0..<30 as Range<UInt64>)
    func roundTrips(seed: UInt64) throws {
        var world = try RandomWorld(seed: seed)
        for _ in 0..<2_000 {
            let (from, to) = (world.space(), world.space())
            let (point, rect) = (world.point(), world.rect())
            let there = try world.model.convert(point, from: from, to: to)
            let back = try world.model.convert(there, from: to, to: from)
            #expect(back == point, "seed \(seed): \(from) → \(to), there \(there)")
            let detour = try world.model.convert(
                world.model.convert(point, from: from, to: .layout), from: .layout, to: to)
            #expect(abs(detour.x - there.x) < 1e-4 && abs(detour.y - there.y) < 1e-4, "\(from) → \(to)")
            guard world.isUpright(from), world.isUpright(to) else { continue }
            let box = try world.model.convert(rect, from: from, to: to)
            #expect(try world.model.convert(box, from: to, to: from) == rect, "seed \(seed): \(from) → \(to), \(box)")
        }
    }
}

/// Screens and windows with positions, scales, turns and transforms that no binary fraction describes.
private struct RandomWorld {
    let model = WindowModel()
    private var random: SplitMix64
    private var spaces = [CoordinateSpace.layout]
    private var tilted: Set<CoordinateSpace> = []

    init(seed: UInt64) throws {
        random = SplitMix64(seed: seed)
        let applications = [model.addApplication(), model.addApplication()]
        try model.setRotationPolicy(.fixed, of: applications[1])
        for number in 0..<3 {
            var screen = ScreenDescription(
                name: "\(number)", kind: .external, modes: [Screen.Mode(width: 1000 + random.below(3000), height: 777)],
                scale: random.pick([1, 1.1, 1.5, 2, 3]) ?? 1)
            screen.orientation = random.pick(Screen.Orientation.allCases) ?? .portrait
            screen.overscan = random.pick(Screen.Overscan.allCases) ?? .none
            screen.overscanInsets = Screen.Insets(top: 7, left: 13, bottom: 1, right: 31)
            let id = try model.connect(screen)
            try model.setPosition(Point(x: decimal(), y: decimal()), of: id)
            spaces += [.screen(id), .fixed(id)]
            for _ in 0..<4 {
                let frame = Rect(x: decimal(), y: decimal(), width: abs(decimal()), height: abs(decimal()))
                let window = try model.createWindow(
                    application: random.pick(applications) ?? applications[0], screen: id,
                    options: Window.Options(frame: frame))
                let transform = transform()
                try model.setTransform(transform, of: window)
                spaces.append(.window(window))
                if !transform.isAxisAligned { tilted.insert(.window(window)) }
            }
        }
    }

    /// A tenth of a point is no binary fraction.
    private mutating func decimal() -> Double { Double(random.below(60_001) - 30_000) / 10 }

    private mutating func transform() -> AffineTransform {
        let angle = Double(random.below(360)) * .pi / 180
        func turn(_ angle: Double) -> AffineTransform {
            AffineTransform(a: cos(angle), b: sin(angle), c: -sin(angle), d: cos(angle), tx: 0, ty: 0)
        }
        let scales = [0.1, 1 / 3.0, 0.7, 1, 1.3, 10]
        let sign = random.chance(50) ? 1.0 : -1
        let stretched = AffineTransform.scale(x: random.pick(scales) ?? 1, y: sign * (random.pick(scales) ?? 1))
        let shift = AffineTransform.translation(x: decimal(), y: decimal())
        switch random.below(4) {
        case 0: return .identity
        case 1: return stretched.then(shift)
        case 2: return stretched.then(AffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 0, ty: 0)).then(shift)
        // Stretched at an angle: sheared.
        default: return turn(angle).then(stretched).then(turn(angle / 3)).then(shift)
        }
    }

    mutating func space() -> CoordinateSpace { random.pick(spaces) ?? .layout }

    func isUpright(_ space: CoordinateSpace) -> Bool { !tilted.contains(space) }

    /// A multiple of 1/65536.
    private mutating func coordinate(within limit: Int) -> Double {
        Double(random.below(limit * 131_072 + 1) - limit * 65_536) / 65_536
    }

    mutating func point() -> Point {
        let limit = random.pick([10, 4_000, 1_000_000]) ?? 10
        return Point(x: coordinate(within: limit), y: coordinate(within: limit))
    }

    /// Small enough for its edges to be within ±1,000,000 in each space.
    mutating func rect() -> Rect {
        Rect(
            x: coordinate(within: 4_000), y: coordinate(within: 4_000), width: abs(coordinate(within: 4_000)),
            height: abs(coordinate(within: 4_000)))
    }
}
