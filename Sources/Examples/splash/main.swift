// A splash: covers the screen from a level above ordinary windows, and closes after some time.

import ExampleSupport
import MullionClient
import MullionDrawing

let options = Options(
    "splash", "Covers the screen with a splash for some seconds, then exits.",
    [
        .init("seconds", "N", "how long it stays", default: "3"),
        .init("level", "LEVEL", "its level, above 0", default: "1"),
        .init("name", "TEXT", "the name on it", default: "Mullion"),
    ])
let seconds = options.number("seconds", 0...3600)
let level = options.number("level", -8_388_607...8_388_607)

runProgram(options) { stage in
    let window = try stage.window("splash", level: WindowLevel(level))
    window.canBecomeKey = false
    window.paint { canvas in
        let (bounds, middle) = (canvas.bounds, canvas.bounds.center)
        let colors = [Color(argb: 0xff1f_4e8c), Color(argb: 0xff0b_1d3a)]
        canvas.fill(.linear(colors, from: .zero, to: Point(x: 0, y: bounds.height)))
        // A mullion: the bars that divide a window.
        let logo = Rect(x: middle.x - 40, y: middle.y - 90, width: 80, height: 80)
        canvas.fill(logo, radius: 10, .white)
        for (column, row) in [(0.0, 0.0), (1, 0), (0, 1), (1, 1)] {
            let pane = Rect(x: logo.minX + 8 + column * 34, y: logo.minY + 8 + row * 34, width: 30, height: 30)
            canvas.fill(pane, radius: 3, Color(argb: 0xff5a_b0ff))
        }
        let name = Rect(x: 0, y: middle.y, width: bounds.width, height: 40)
        canvas.text(options["name"], in: name, size: 28, bold: true, .white)
    }
    // The progress bar grows by its frame alone: nothing is drawn again.
    let bar = View(frame: Rect(x: 0, y: 0, width: 160, height: 6))
    bar.backgroundColor = Color(argb: 0x40ff_ffff)
    let progress = View(frame: Rect(x: 0, y: 0, width: 0, height: 6))
    progress.backgroundColor = .white
    bar.addSubview(progress)
    window.addSubview(bar)
    window.onLayout = { bar.center = Point(x: window.bounds.center.x, y: window.bounds.center.y + 63) }
    var start: Double?
    _ = DisplayLink(window) { link in
        start = start ?? link.timestamp
        let share = seconds > 0 ? min(1, (link.timestamp - (start ?? 0)) / seconds) : 1
        progress.frame.size.width = (160 * share).rounded()
    }
    window.isHidden = false
    // Uses a timer, not frames: without a screen there are none.
    stage.application.after(seconds) {
        window.close()
        say("splash gone")
        stage.finish()
    }
}
