// Numbers that no screen has, which must not end the program or its connection.

import MullionClient
import TestSupport
import Testing

@MainActor @Suite struct ExtremeValueTests {
    private func colored(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> View {
        let view = View(frame: Rect(x: x, y: y, width: width, height: height))
        view.backgroundColor = .white
        return view
    }

    @Test("Views far away, of enormous size, or transformed by NaN are not shown")
    func frames() throws {
        let fixture = try ClientFixture()
        let window = Window(fixture.application)
        window.backgroundColor = .black
        window.addSubview(colored(1e10, 0, 10, 10))
        window.addSubview(colored(1e308, 0, 1.7e308, 1e308))
        for number in [Double.nan, .infinity, 1e308] {
            let view = colored(0, 0, 10, 10)
            view.transform = AffineTransform(a: number, b: 0, c: 0, d: number, tx: 0, ty: number)
            window.addSubview(view)
        }
        let row = View(frame: Rect(x: 20, y: 0, width: 1e11, height: 10))
        row.clipsToBounds = true
        let cell = View(frame: Rect(x: -3, y: 0, width: 10, height: 10))
        cell.onDraw = { $0.fill(.white) }
        row.addSubview(cell)
        window.addSubview(row)
        window.isHidden = false
        let shot = try fixture.screenshot()
        #expect(shot[5, 5] == 0xff00_0000 && shot[19, 5] == 0xff00_0000)
        #expect(shot[20, 5] == 0xffff_ffff && shot[26, 5] == 0xffff_ffff && shot[27, 5] == 0xff00_0000)
    }

    @Test("A view with only a colour may be larger than any picture, and costs no memory when it is clipped")
    func color() throws {
        let fixture = try ClientFixture()
        let window = Window(fixture.application)
        var failures = 0
        fixture.application.onEvent { if case .drawingFailed = $0 { failures += 1 } }
        window.addSubview(colored(-10, -10, 100_000, 100_000))
        window.isHidden = false
        let shot = try fixture.screenshot()
        #expect(shot[0, 0] == 0xffff_ffff && shot[799, 599] == 0xffff_ffff && failures == 0)
    }

    @Test("NaN and infinity in rectangles to draw")
    func rectangles() throws {
        let fixture = try ClientFixture()
        let window = Window(fixture.application)
        let view = View(frame: Rect(x: 0, y: 0, width: 10, height: 10))
        var drawn: [Rect] = []
        view.onDraw = { pixels in
            pixels.fill(Rect(x: .nan, y: 0, width: .infinity, height: 1), .white)
            pixels.fill(Rect(x: 0, y: 0, width: .infinity, height: .nan), .white)
            drawn.append(pixels.dirtyRect)
        }
        window.addSubview(view)
        window.isHidden = false
        try fixture.application.roundTrip()
        view.setNeedsDisplay(Rect(x: .nan, y: 0, width: 1, height: 1))
        try fixture.application.roundTrip()
        view.setNeedsDisplay(Rect(x: -.infinity, y: -.infinity, width: .infinity, height: .infinity))
        try fixture.application.roundTrip()
        #expect(drawn == [view.bounds, view.bounds, view.bounds])
    }

    @Test("Windows and screens take any numbers")
    func windows() throws {
        let fixture = try ClientFixture()
        let application = fixture.application
        let window = Window(application)
        window.windowLevel = try WindowLevel(8_388_607)
        window.frame = Rect(x: 1e300, y: -1e300, width: 1e300, height: 1e300)
        window.transform = AffineTransform(a: .infinity, b: .nan, c: 1e300, d: -1e300, tx: .nan, ty: .infinity)
        window.alpha = .nan
        window.isHidden = false
        window.onDraw = { $0.fill(.white) }
        window.addSubview(colored(0, 0, 1e300, 1e300))
        window.touchableRegion = [Rect(x: .nan, y: 0, width: .infinity, height: 3)]
        let screen = try #require(application.mainScreen)
        for scale in [Double.nan, 0, -1, 1e9] { screen.setScale(scale) }
        screen.setBrightness(.infinity)
        screen.setMirroring(.screen("nowhere"))
        try application.roundTrip()
        try application.roundTrip()
        #expect(window.isVisible && window.alpha == 0)
    }
}
