// A draggable round button above everything. Its window covers the screen, its input region only the button, so that
// all other touches fall through (H2).

import ExampleSupport
import MullionClient

let options = Options(
    "floating-button", "Shows a round button above everything, to drag and to tap. Other touches fall through.",
    [
        .init("size", "POINTS", "the diameter", default: "64"),
        .init("x", "FRACTION", "initial horizontal position", default: "0.85"),
        .init("y", "FRACTION", "initial vertical position", default: "0.7"),
    ])
let diameter = options.number("size", 16...512).rounded()
let start = Point(x: options.number("x", 0...1), y: options.number("y", 0...1))
let level = try WindowLevel(9999)

/// The button and the finger that holds it.
final class FloatingButton {
    private let window: Window
    private let view: View
    private var origin = Point.zero
    private var isPlaced = false
    private var grip: (id: Touch.ID, offset: Point, hasMoved: Bool)?

    init(_ window: Window) {
        self.window = window
        view = View(window.application)
        // The window receives the touches, not the view: its coordinates do not move with the button.
        view.setTouchable([])
        window.addSubview(view)
        // For fingers and the pointer: a click is a touch.
        window.onTouches = { [unowned self] touches, _ in
            for touch in touches { follow(touch) }
        }
    }

    private func follow(_ touch: Touch) {
        switch touch.phase {
        case .began where touch.tool == .indirectPointer && touch.buttons != 1: break
        case .began: grab(touch.id, touch.location)
        case .moved: drag(touch.id, touch.location)
        case .stationary: break
        case .ended, .cancelled: drop(touch.id)
        }
    }

    /// Draws the button and positions it inside the window.
    func layout() {
        // S2: without a screen the window has no size yet.
        guard window.frame.width > 0 else { return }
        if !isPlaced { origin = Point(x: start.x * window.frame.width, y: start.y * window.frame.height) }
        isPlaced = true
        view.paint(Size(width: diameter, height: diameter)) { canvas in
            let middle = canvas.bounds.center
            canvas.circle(middle, radius: diameter / 2, Color(argb: 0x6000_0000))
            canvas.circle(middle, radius: diameter / 2 - 2, Color(argb: grip == nil ? 0xf0ff_9500 : 0xf0ff_b340))
            let arm = diameter / 5
            let (left, right) = (Point(x: middle.x - arm, y: middle.y), Point(x: middle.x + arm, y: middle.y))
            let (top, bottom) = (Point(x: middle.x, y: middle.y - arm), Point(x: middle.x, y: middle.y + arm))
            canvas.line(left, right, width: diameter / 12, .white)
            canvas.line(top, bottom, width: diameter / 12, .white)
        }
        move(to: origin)
    }

    private func move(to point: Point) {
        origin.x = max(0, min(point.x, window.frame.width - diameter)).rounded()
        origin.y = max(0, min(point.y, window.frame.height - diameter)).rounded()
        view.position = origin
        window.setTouchable([Rect(x: origin.x, y: origin.y, width: diameter, height: diameter)])
    }

    private func grab(_ id: Touch.ID, _ location: Point) {
        guard grip == nil else { return }
        grip = (id, location - origin, false)
        say("grabbed")
        layout()
    }

    private func drag(_ id: Touch.ID, _ location: Point) {
        guard let grip, grip.id == id else { return }
        let target = location - grip.offset
        // A finger is never quite still: a movement within four points is a tap.
        guard grip.hasMoved || abs(target.x - origin.x) + abs(target.y - origin.y) > 4 else { return }
        self.grip?.hasMoved = true
        move(to: target)
    }

    private func drop(_ id: Touch.ID) {
        guard let grip, grip.id == id else { return }
        self.grip = nil
        say(grip.hasMoved ? "moved to \(Int(origin.x)),\(Int(origin.y))" : "tapped")
        layout()
    }
}

runProgram(options) { stage in
    let scene = stage.window("floating-button", level: level) { $0 }
    scene.window.canBecomeKey = false
    scene.window.autoresizing = [.width, .height]
    let button = FloatingButton(scene.window)
    scene.onLayout = { button.layout() }
    scene.window.isHidden = false
}
