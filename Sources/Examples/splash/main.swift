// A splash: covers the screen from a level above ordinary windows, and closes after some time.

import ExampleSupport
import MullionClient

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
    let deep = Color(argb: 0xff0b_1d3a)
    let window = try stage.window("splash", level: WindowLevel(level)) {
        $0
    } paint: { canvas in
        canvas.fill(from: Color(argb: 0xff1f_4e8c), to: deep)
        let middle = canvas.bounds.center
        // A mullion: the bars that divide a window.
        let logo = Rect(x: middle.x - 40, y: middle.y - 90, width: 80, height: 80)
        canvas.box(logo, radius: 10, .white)
        for (column, row) in [(0.0, 0.0), (1, 0), (0, 1), (1, 1)] {
            let pane = Rect(x: logo.minX + 8 + column * 34, y: logo.minY + 8 + row * 34, width: 30, height: 30)
            canvas.box(pane, radius: 3, Color(argb: 0xff5a_b0ff))
        }
        let name = Rect(x: 0, y: middle.y, width: canvas.bounds.width, height: 40)
        canvas.text(options["name"], in: name, size: 28, bold: true, .white)
    }
    let splash = window.window
    splash.canBecomeKey = false
    splash.autoresizing = [.width, .height]
    splash.backgroundColor = deep

    // The progress bar is a separate view, so that only its few pixels are redrawn on each frame.
    let bar = View(stage.application)
    splash.addSubview(bar)
    var first: Double?
    func paint(_ progress: Double) {
        bar.paint(Size(width: 160, height: 6)) { canvas in
            canvas.box(canvas.bounds, radius: 3, Color(argb: 0x40ff_ffff))
            let done = Rect(x: 0, y: 0, width: 160 * progress, height: 6)
            if progress > 0 { canvas.box(done, radius: 3, .white) }
        }
    }
    func nextFrame() {
        bar.onNextFrame { now in
            let start = first ?? now
            first = start
            paint(seconds > 0 ? min(1, (now - start) / seconds) : 1)
            nextFrame()
        }
    }
    window.onLayout = {
        let middle = splash.bounds.center
        bar.position = Point(x: middle.x - 80, y: middle.y + 60)
    }
    paint(0)
    nextFrame()
    splash.isHidden = false
    // Uses a timer, not frames: without a screen there are none.
    stage.application.after(seconds) {
        splash.close()
        say("splash gone")
        stage.application.finish()
    }
}
