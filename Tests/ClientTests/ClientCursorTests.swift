// Cursors of the client library, as they are shown.

import MullionClient
import TestSupport
import Testing

@MainActor @Suite struct ClientCursorTests {
    private static let white: UInt32 = 0xffff_ffff
    private static let black: UInt32 = 0xff00_0000
    private static let red: UInt32 = 0xffff_0000
    private static let gray: UInt32 = 0xff80_8080

    /// A window with a view at 100,100, and the pointer somewhere.
    private func window(_ fixture: ClientFixture) -> (window: Window, view: View) {
        let window = Window(fixture.application)
        window.backgroundColor = Color(argb: Self.gray)
        let view = View(frame: Rect(x: 100, y: 100, width: 100, height: 100))
        window.addSubview(view)
        window.makeKeyAndVisible()
        return (window, view)
    }

    private func hover(_ fixture: ClientFixture, _ x: Int, _ y: Int) throws {
        try fixture.inject(#"{"type": "hover", "x": \#(x), "y": \#(y)}"#)
    }

    @Test("The view under the pointer decides which cursor is shown; without one it is that of the superview")
    func inherited() throws {
        let fixture = try ClientFixture()
        let (window, view) = window(fixture)
        var draws = 0
        let square = Cursor(size: Size(width: 6, height: 4), hotSpot: Point(x: 3, y: 2)) { pixels in
            draws += 1
            pixels.fill(Color(argb: Self.red))
        }
        try hover(fixture, 150, 150)
        // The server's own.
        #expect(try fixture.screenshot(withCursor: true)[151, 153] == Self.black)
        view.cursor = square
        var shot = try fixture.screenshot(withCursor: true)
        #expect(shot[147, 148] == Self.red && shot[152, 151] == Self.red)
        #expect(shot[146, 148] == Self.gray && shot[153, 151] == Self.gray && shot[150, 152] == Self.gray)
        // Where no view has one, an arrow is shown again.
        try hover(fixture, 50, 50)
        shot = try fixture.screenshot(withCursor: true)
        #expect(shot[50, 50] == Self.white && shot[51, 53] == Self.black && shot[49, 50] == Self.gray)
        let inner = View(frame: Rect(x: 0, y: 0, width: 20, height: 20))
        view.addSubview(inner)
        try hover(fixture, 110, 110)
        #expect(try fixture.screenshot(withCursor: true)[107, 108] == Self.red)
        inner.cursor = .hidden
        shot = try fixture.screenshot(withCursor: true)
        #expect(shot == (try fixture.screenshot()))
        // The view moves away under the pointer.
        inner.frame = Rect(x: 50, y: 50, width: 20, height: 20)
        try fixture.application.roundTrip()
        #expect(try fixture.screenshot(withCursor: true)[107, 108] == Self.red)
        window.cursor = .crosshair
        view.cursor = nil
        shot = try fixture.screenshot(withCursor: true)
        #expect(shot[110, 110] == Self.black && shot[104, 110] == Self.black && shot[103, 110] == Self.white)
        // One surface, drawn once.
        view.cursor = square
        #expect(try fixture.screenshot(withCursor: true)[107, 108] == Self.red)
        #expect(draws == 1)
    }

    @Test("A cursor is drawn with the pixels of the screen, and follows when the scale changes")
    func scales() throws {
        let fixture = try ClientFixture(screens: ["800x600,name=A"])
        let (_, view) = window(fixture)
        view.cursor = .iBeam
        try hover(fixture, 150, 150)
        #expect(try fixture.screenshot(withCursor: true)[150, 150] == Self.black)
        try fixture.request("PATCH", "/screens/A", #"{"scale": 2}"#)
        try fixture.application.roundTrip()
        try hover(fixture, 150, 150)
        let shot = try fixture.screenshot(withCursor: true)
        #expect(shot[300, 300] == Self.black && shot[301, 301] == Self.black)
        #expect(shot[299, 300] == Self.white && shot[302, 300] == Self.white && shot[297, 300] == Self.gray)
    }

    @Test("Cursors that nobody has any more give their surfaces back")
    func released() throws {
        let fixture = try ClientFixture()
        let (_, view) = window(fixture)
        try hover(fixture, 150, 150)
        func surfaces() throws -> String {
            let list = try fixture.request("GET", "/applications")
            return String(list.split(separator: "\"surfaces\":").last?.prefix { $0.isNumber } ?? "")
        }
        view.cursor = Cursor(size: Size(width: 4, height: 4), hotSpot: .zero) { $0.fill(.white) }
        try fixture.application.roundTrip()
        let before = try surfaces()
        for _ in 0..<10 {
            view.cursor = Cursor(size: Size(width: 4, height: 4), hotSpot: .zero) { $0.fill(.white) }
            try fixture.application.roundTrip()
        }
        try hover(fixture, 151, 151)
        #expect(try surfaces() == before && !before.isEmpty)
    }
}
