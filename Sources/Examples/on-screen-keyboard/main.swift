// An on-screen keyboard: above alerts, and never key, so that the window it types into stays key (K4). Enters text as
// an input method if the server allows it.

import ExampleSupport
import MullionClient
import MullionDrawing

let options = Options(
    "on-screen-keyboard", "Shows a keyboard at the bottom of the screen, which types into the key window.",
    [.init("height", "POINTS", "its height", default: "216")])
let height = options.number("height", 80...2000)

/// The rows; each key has its width in multiples of a key.
let rows: [[(name: String, width: Double)]] = [
    "qwertyuiop".map { (String($0), 1) },
    "asdfghjkl".map { (String($0), 1) },
    [("shift", 1.5)] + "zxcvbnm".map { (String($0), 1) } + [("delete", 1.5)],
    [("123", 2), ("space", 5), ("return", 3)],
]

runProgram(options) { stage in
    let window = stage.window("on-screen-keyboard", level: .keyboard) {
        Rect(x: 0, y: $0.height - min(height, $0.height), width: $0.width, height: min(height, $0.height))
    }
    window.canBecomeKey = false
    window.backgroundColor = Color(argb: 0xffce_d2d9)

    // Nil without the rights to view and inject: keys are only printed then.
    let inputMethod = InputMethod(stage.application)
    inputMethod?.onChange { [unowned inputMethod] in
        guard let inputMethod else { return }
        say(inputMethod.isUnavailable ? "unavailable" : inputMethod.isActive ? "active" : "inactive")
    }
    var isShifted = false
    @MainActor func type(_ name: String) {
        say("key \(name)")
        switch name {
        case "shift": isShifted.toggle()
        case "delete": inputMethod?.deleteBackward()
        case "return": inputMethod?.insertText("\n")
        case "space": inputMethod?.insertText(" ")
        case "123": break
        default:
            inputMethod?.insertText(isShifted ? name.uppercased() : name)
            isShifted = false
        }
        for key in window.subviews { key.setNeedsDisplay() }
    }
    @MainActor func paint(_ canvas: Canvas, _ key: Button) {
        let isBlue = key.isPressed || (key.title == "shift" && isShifted)
        let isLetter = key.title.count == 1
        let color: UInt32 = isBlue ? 0xff0a_84ff : isLetter || key.title == "space" ? 0xffff_ffff : 0xffab_b1bc
        let cap = canvas.bounds.insetBy(x: 3, y: 5)
        canvas.fill(cap.offsetBy(x: 0, y: 1), radius: 5, Color(argb: 0xff88_8a8e))
        canvas.fill(cap, radius: 5, Color(argb: color))
        let label = isShifted && isLetter ? key.title.uppercased() : key.title
        canvas.text(label, in: cap.insetBy(x: 4, y: 0), size: isLetter ? 22 : 15, isBlue ? .white : .black)
    }
    let keys = rows.map { row in
        row.map { key in (Button(key.name, paint: paint) { type(key.name) }, key.width) }
    }
    for (key, _) in keys.joined() { window.addSubview(key) }
    window.onLayout = {
        let (unit, rowHeight) = (window.bounds.width / 10, window.bounds.height / Double(rows.count))
        for (index, row) in keys.enumerated() {
            var x = (window.bounds.width - unit * row.reduce(0) { $0 + $1.1 }) / 2
            for (key, width) in row {
                key.frame = Rect(x: x, y: Double(index) * rowHeight, width: width * unit, height: rowHeight)
                x += width * unit
            }
        }
    }
    window.isHidden = false
}
