// A draggable round button above everything. Its window covers the screen, its input region only the button, so that
// all other touches fall through (H2).

import ExampleSupport
import MullionClient
import MullionDrawing

let options = Options(
    "floating-button", "Shows a button above everything, to drag and to tap. Other touches fall through.",
    [
        .init("size", "POINTS", "the diameter", default: "64"),
        .init("x", "FRACTION", "initial horizontal position", default: "0.85"),
        .init("y", "FRACTION", "initial vertical position", default: "0.7"),
    ])
let diameter = options.number("size", 16...512).rounded()
let start = Point(x: options.number("x", 0...1), y: options.number("y", 0...1))

runProgram(options) { stage in
    let window = try stage.window("floating-button", level: WindowLevel(9999))
    window.canBecomeKey = false
    window.touchableRegion = []

    let button = View(frame: Rect(x: 0, y: 0, width: diameter, height: diameter))
    var isHeld = false
    button.paint { canvas in
        let (middle, arm) = (canvas.bounds.center, diameter / 5)
        canvas.fill(.circle(middle, radius: diameter / 2), Color(argb: 0x6000_0000))
        canvas.fill(.circle(middle, radius: diameter / 2 - 2), Color(argb: isHeld ? 0xf0ff_b340 : 0xf0ff_9500))
        var plus = Path.line(Point(x: middle.x - arm, y: middle.y), Point(x: middle.x + arm, y: middle.y))
        plus.append(.line(Point(x: middle.x, y: middle.y - arm), Point(x: middle.x, y: middle.y + arm)))
        canvas.stroke(plus, .white, style: StrokeStyle(width: diameter / 12, cap: .round))
    }
    window.addSubview(button)

    @MainActor func move(to point: Point) {
        let room = Size(width: window.bounds.width - diameter, height: window.bounds.height - diameter)
        button.frame.origin = Point(
            x: max(0, min(point.x, room.width)).rounded(), y: max(0, min(point.y, room.height)).rounded())
        window.touchableRegion = [button.frame]
    }
    var isPlaced = false
    window.onLayout = {
        // S2: without a screen the window has no size yet.
        guard !window.bounds.isEmpty else { return }
        let place = Point(x: start.x * window.bounds.width, y: start.y * window.bounds.height)
        move(to: isPlaced ? button.frame.origin : place)
        isPlaced = true
    }

    var grip = Point.zero
    button.addGestureRecognizer(
        PanGestureRecognizer { pan in
            if pan.state == .began { grip = button.frame.origin }
            move(to: grip + pan.translation(in: window))
            if pan.state == .ended { say("moved to \(Int(button.frame.minX)),\(Int(button.frame.minY))") }
            isHeld = pan.state == .began || pan.state == .changed
            button.setNeedsDisplay()
        })
    button.addGestureRecognizer(TapGestureRecognizer { _ in say("tapped") })
    window.isHidden = false
}
