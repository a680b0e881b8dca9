// A status bar: 24 points across the top, above ordinary windows and below alerts. Touches fall through it.

import ExampleSupport
import MullionClient
import MullionDrawing

let options = Options(
    "status-bar", "Shows a status bar with a name, a clock and a battery. Touches fall through it.",
    [
        .init("name", "TEXT", "the text at the left", default: "Mullion"),
        .init("clock", "TEXT", "the text in the middle", default: "9:41"),
        .init("battery", "PERCENT", "the battery's charge", default: "80"),
    ])
let battery = options.number("battery", 0...100)

runProgram(options) { stage in
    let window = stage.window("status-bar", level: .statusBar) { Rect(x: 0, y: 0, width: $0.width, height: 24) }
    // K4: a status bar never inherits the key role.
    window.canBecomeKey = false
    window.isUserInteractionEnabled = false
    window.backgroundColor = Color(argb: 0xff1c_1c1e)
    window.paint { canvas in
        let (bounds, ink) = (canvas.bounds, Color.white)
        canvas.text(options["name"], in: bounds.insetBy(x: 10, y: 0), size: 12, ink, align: .left)
        canvas.text(options["clock"], in: bounds, size: 12, bold: true, ink)
        let cell = Rect(x: bounds.width - 36, y: 7, width: 23, height: 10)
        canvas.strokeBorder(cell, radius: 2.5, ink)
        canvas.fill(Rect(x: cell.maxX + 1, y: 10, width: 2, height: 4), radius: 1, ink)
        let full = Rect(x: cell.minX + 2, y: cell.minY + 2, width: 19 * battery / 100, height: 6)
        canvas.fill(full, radius: 1, Color(argb: battery < 20 ? 0xffff_3b30 : 0xff34_c759))
        let label = Rect(x: cell.minX - 60, y: 0, width: 54, height: bounds.height)
        canvas.text("\(Int(battery))%", in: label, size: 12, ink, align: .right)
    }
    window.isHidden = false
}
