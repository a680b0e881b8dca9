// A banner above everything: status bar, alerts, the on-screen keyboard. A tap closes it.

import ExampleSupport
import MullionClient
import MullionDrawing

let options = Options(
    "banner", "Shows a message above everything else, until it is tapped or its time is over.",
    [
        .init("title", "TEXT", "the first line", default: "Message"),
        .init("text", "TEXT", "the second line", default: "The topmost window of all."),
        .init("seconds", "N", "how long it stays; 0: until it is tapped", default: "0"),
        .init("level", "LEVEL", "its level", default: "9000"),
    ])
let seconds = options.number("seconds", 0...86_400)
let level = options.number("level", -8_388_607...8_388_607)

runProgram(options) { stage in
    let window = try stage.window("banner", level: WindowLevel(level)) {
        Rect(x: 8, y: 6, width: $0.width - 16, height: 64)
    }
    window.paint { canvas in
        canvas.fill(canvas.bounds, radius: 14, Color(argb: 0xf02c_2c2e))
        canvas.fill(Rect(x: 12, y: 12, width: 40, height: 40), radius: 9, Color(argb: 0xff34_c759))
        canvas.fill(Rect(x: 20, y: 21, width: 24, height: 16), radius: 8, .white)
        let tip = Path.line(Point(x: 26, y: 36), Point(x: 24, y: 42))
        canvas.stroke(tip, .white, style: StrokeStyle(width: 3, cap: .round))
        let width = canvas.bounds.width - 76
        let title = Rect(x: 64, y: 10, width: width, height: 22)
        canvas.text(options["title"], in: title, size: 15, bold: true, .white, align: .left)
        let text = Rect(x: 64, y: 33, width: width, height: 20)
        canvas.text(options["text"], in: text, size: 14, Color(argb: 0xffd1_d1d6), align: .left)
    }
    // K4: it must not take keyboard focus.
    window.canBecomeKey = false
    @MainActor func close(_ why: String) {
        guard !window.isClosed else { return }
        say(why)
        window.close()
        stage.finish()
    }
    window.addGestureRecognizer(TapGestureRecognizer { _ in close("tapped") })
    if seconds > 0 { stage.application.after(seconds) { close("banner gone") } }
    window.isHidden = false
}
