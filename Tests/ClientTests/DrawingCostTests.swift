// What drawing costs: nothing is drawn that has not changed.

import MullionClient
import TestSupport
import Testing

@MainActor @Suite struct DrawingCostTests {
    /// A view that counts how often it is drawn, and where.
    private final class Counter: View {
        var drawn: [Rect] = []
        override func draw(_ pixels: PixelBuffer) {
            drawn.append(pixels.dirtyRect)
            pixels.fill(Color(argb: drawn.count == 1 ? 0xffff_0000 : 0xff00_ff00))
        }
    }

    @Test("Moving, reordering and covering views draws nothing again; a dirty rectangle draws itself only")
    func damage() throws {
        let fixture = try ClientFixture()
        let window = Window(fixture.application)
        let view = Counter(frame: Rect(x: 10, y: 10, width: 100, height: 100))
        let cover = View(frame: Rect(x: 0, y: 0, width: 20, height: 20))
        cover.backgroundColor = .white
        for view in [view, cover] { window.addSubview(view) }
        window.isHidden = false
        try fixture.application.roundTrip()
        #expect(view.drawn == [view.bounds])
        view.center = Point(x: 200, y: 200)
        window.commit()
        window.bringSubviewToFront(view)
        window.commit()
        window.title = "title"
        window.commit()
        #expect(view.drawn.count == 1)
        view.setNeedsDisplay(Rect(x: 10, y: 20, width: 5, height: 5))
        view.setNeedsDisplay(Rect(x: 20, y: 20, width: 5, height: 5))
        let shot = try fixture.screenshot()
        #expect(view.drawn.dropFirst() == [Rect(x: 10, y: 20, width: 15, height: 5)])
        #expect(shot[160, 170] == 0xff00_ff00 && shot[159, 170] == 0xffff_0000 && shot[160, 169] == 0xffff_0000)
        // Transformed, the picture is kept, too.
        view.transform = .scale(x: 2, y: 2)
        window.commit()
        let count = view.drawn.count
        view.transform = .scale(x: 3, y: 3)
        view.alpha = 0.5
        window.commit()
        #expect(view.drawn.count == count)
        view.frame.size = Size(width: 50, height: 50)
        window.commit()
        #expect(view.drawn.last == Rect(x: 0, y: 0, width: 50, height: 50))
    }

    @Test("C2: what shows only colours needs no memory")
    func colours() throws {
        let fixture = try ClientFixture()
        let window = Window(fixture.application)
        window.backgroundColor = .black
        let view = View(frame: Rect(x: 0, y: 0, width: 400, height: 300))
        view.backgroundColor = .white
        window.addSubview(view)
        window.isHidden = false
        #expect(try fixture.screenshot()[399, 299] == 0xffff_ffff)
        let tree = try fixture.request("GET", "/metrics")
        let pools = tree.split(separator: "\n").filter { $0.contains("pool") || $0.contains("shm") }
        #expect(pools.allSatisfy { $0.hasPrefix("#") || $0.hasSuffix(" 0") }, "\(pools)")
    }

    @Test("Without changes there is no commit, and the loop waits")
    func idle() throws {
        let fixture = try ClientFixture()
        let window = Window(fixture.application)
        window.rootView = Counter()
        window.isHidden = false
        try fixture.application.roundTrip()
        try fixture.wait(for: "quiet") { try !fixture.application.dispatch(timeout: 0) }
        func requests() throws -> [Substring] {
            try fixture.request("GET", "/metrics").split(separator: "\n").filter {
                $0.hasPrefix("mullion_requests_total")
            }
        }
        let before = try requests()
        for _ in 0..<20 { try fixture.application.dispatch(timeout: 0) }
        #expect(try !before.isEmpty && requests() == before)
    }

    @Test("A display link runs at the screen's rate while it is shown, and stops when it is invalidated")
    func displayLink() throws {
        let fixture = try ClientFixture()
        let window = Window(fixture.application)
        window.backgroundColor = .white
        var times: [Double] = []
        let link = DisplayLink(window) { times.append($0.timestamp) }
        window.isHidden = false
        try fixture.wait(for: "frames") { times.count >= 5 }
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
        link.isPaused = true
        try fixture.wait(for: "the last frame") { try !fixture.application.dispatch(timeout: 50) }
        let count = times.count
        link.isPaused = false
        try fixture.wait(for: "more frames") { times.count > count }
        link.invalidate()
        try fixture.wait(for: "the end") { try !fixture.application.dispatch(timeout: 50) }
    }
}
