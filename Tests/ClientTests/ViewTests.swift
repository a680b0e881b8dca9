// Views of the client library, as they are shown.

import MullionClient
import TestSupport
import Testing

@MainActor @Suite struct ViewTests {
    @Test("C1: a view shows its colour, its drawing and its subviews in front, where its frame is")
    func frames() throws {
        let fixture = try ClientFixture()
        let window = Window(fixture.application)
        window.backgroundColor = Color(argb: 0xff10_2030)
        let panel = View(frame: Rect(x: 100, y: 50, width: 200, height: 100))
        panel.backgroundColor = Color(argb: 0xff40_0000)
        let dot = View(frame: Rect(x: 10, y: 20, width: 30, height: 40))
        dot.onDraw = { pixels in
            pixels.fill(Color(argb: 0xff00_ff00))
            pixels[0, 0] = 0xffff_ffff
        }
        panel.addSubview(dot)
        window.addSubview(panel)
        window.makeKeyAndVisible()
        var shot = try fixture.screenshot()
        #expect(shot[99, 50] == 0xff10_2030)
        #expect(shot[100, 50] == 0xff40_0000)
        #expect(shot[110, 70] == 0xffff_ffff)
        #expect(shot[111, 70] == 0xff00_ff00)
        #expect(shot[139, 109] == 0xff00_ff00)
        #expect(shot[140, 109] == 0xff40_0000)
        panel.frame = panel.frame.offsetBy(x: 5, y: 0)
        panel.isHidden = false
        shot = try fixture.screenshot()
        #expect(shot[100, 50] == 0xff10_2030)
        #expect(shot[115, 70] == 0xffff_ffff)
        panel.isHidden = true
        shot = try fixture.screenshot()
        #expect(shot[115, 70] == 0xff10_2030)
    }

    @Test("W5: a window is put neither inside a window nor inside a view, by any of the ways to do that")
    func windowInside() throws {
        let fixture = try ClientFixture()
        let (window, other, view) = (Window(fixture.application), Window(fixture.application), View())
        window.addSubview(view)
        for parent in [window, view] {
            let ways: [() throws -> Void] = [
                { try parent.addSubview(other) }, { try parent.insertSubview(other, at: 0) },
                { try parent.insertSubview(other, above: view) }, { try parent.insertSubview(other, below: view) },
            ]
            for way in ways {
                let error = #expect(throws: WindowInsideError.self) { try way() }
                #expect(error?.description.hasPrefix("W5 (one role per surface): ") == true)
            }
        }
        #expect(window.subviews.count == 1 && view.subviews.isEmpty && other.superview == nil)
    }

    @Test("A view's alpha and transform apply to its subviews, and clipping cuts them")
    func appearance() throws {
        let fixture = try ClientFixture()
        let window = Window(fixture.application)
        window.backgroundColor = .black
        let panel = View(frame: Rect(x: 100, y: 100, width: 100, height: 50))
        panel.backgroundColor = .white
        panel.alpha = 0.5
        let inner = View(frame: Rect(x: 80, y: 10, width: 40, height: 10))
        inner.backgroundColor = Color(argb: 0xffff_0000)
        panel.addSubview(inner)
        window.addSubview(panel)
        window.makeKeyAndVisible()
        var shot = try fixture.screenshot()
        #expect((0x7e...0x81).contains((shot[110, 110] ?? 0) & 0xff))
        #expect((0x7e...0x81).contains((shot[210, 115] ?? 0) >> 16 & 0xff))
        panel.clipsToBounds = true
        shot = try fixture.screenshot()
        #expect(shot[210, 115] == 0xff00_0000)
        panel.alpha = 1
        // A quarter turn: the view is 50 wide and 100 high about the same centre.
        panel.transform = AffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 0, ty: 0)
        shot = try fixture.screenshot()
        #expect(shot[150, 80] == 0xffff_ffff)
        #expect(shot[105, 125] == 0xff00_0000)
        #expect(shot[160, 165] == 0xffff_0000, "\(String(shot[160, 165] ?? 0, radix: 16))")
    }

    @Test("C1: views are ordered as asked, also after they were shown")
    func order() throws {
        let fixture = try ClientFixture()
        let window = Window(fixture.application)
        let colors: [UInt32] = [0xffff_0000, 0xff00_ff00, 0xff00_00ff]
        let views = colors.map { color in
            let view = View(frame: Rect(x: 0, y: 0, width: 50, height: 50))
            view.backgroundColor = Color(argb: color)
            window.addSubview(view)
            return view
        }
        window.makeKeyAndVisible()
        #expect(try fixture.screenshot()[10, 10] == colors[2])
        window.sendSubviewToBack(views[2])
        #expect(try fixture.screenshot()[10, 10] == colors[1])
        window.bringSubviewToFront(views[0])
        #expect(try fixture.screenshot()[10, 10] == colors[0])
        views[0].removeFromSuperview()
        #expect(try fixture.screenshot()[10, 10] == colors[1])
        window.insertSubview(views[0], above: views[2])
        #expect(window.subviews.map { $0 === views[0] } == [false, true, false])
        #expect(try fixture.screenshot()[10, 10] == colors[1])
    }

    @Test("A view without area shows nothing, wherever it lies, and its subviews outside of it are shown")
    func empty() throws {
        let fixture = try ClientFixture()
        let window = Window(fixture.application)
        window.backgroundColor = .black
        let line = View(frame: Rect(x: 100.5, y: 100.5, width: 0, height: 20))
        line.backgroundColor = .white
        let point = View(frame: Rect(x: 200.5, y: 100.5, width: 0, height: 0))
        point.onDraw = { $0.fill(.white) }
        let dot = View(frame: Rect(x: 0.5, y: 0.5, width: 10, height: 10))
        dot.backgroundColor = Color(argb: 0xff00_ff00)
        point.addSubview(dot)
        for view in [line, point] { window.addSubview(view) }
        var failures = 0
        fixture.application.onEvent { if case .drawingFailed = $0 { failures += 1 } }
        window.makeKeyAndVisible()
        let shot = try fixture.screenshot()
        #expect(failures == 0)
        #expect(shot[100, 105] == 0xff00_0000 && shot[101, 105] == 0xff00_0000 && shot[205, 105] == 0xff00_ff00)
    }
}
