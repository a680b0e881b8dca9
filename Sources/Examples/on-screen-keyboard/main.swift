// An on-screen keyboard: above alerts, and never key, so that the window it types into stays key (K4). Enters text as
// an input method if the server allows it.

import ExampleSupport
import MullionClient

let options = Options(
    "on-screen-keyboard", "Shows a keyboard along the bottom of the screen, which types into the key window.",
    [.init("height", "POINTS", "its height", default: "216")])
let height = options.number("height", 80...2000)

/// The rows; each key has its width in multiples of a key.
let rows: [[(name: String, width: Double)]] = [
    "qwertyuiop".map { (String($0), 1) },
    "asdfghjkl".map { (String($0), 1) },
    [("shift", 1.5)] + "zxcvbnm".map { (String($0), 1) } + [("delete", 1.5)],
    [("123", 2), ("space", 5), ("return", 3)],
]

/// The positions of the keys on a keyboard of that size.
@MainActor func areas(_ size: Size) -> [(name: String, rect: Rect)] {
    let (unit, rowHeight) = (size.width / 10, size.height / Double(rows.count))
    var result: [(name: String, rect: Rect)] = []
    for (index, row) in rows.enumerated() {
        var x = (size.width - unit * row.reduce(0) { $0 + $1.width }) / 2
        for key in row {
            let cell = Rect(x: x, y: Double(index) * rowHeight, width: key.width * unit, height: rowHeight)
            result.append((key.name, cell))
            x += key.width * unit
        }
    }
    return result
}

runProgram(options) { stage in
    var keys: Buttons?
    var isShifted = false
    let scene = stage.window("on-screen-keyboard", level: .keyboard) { bounds in
        let height = min(height, bounds.height)
        return Rect(x: 0, y: bounds.height - height, width: bounds.width, height: height)
    } paint: { canvas in
        canvas.fill(Color(argb: 0xffce_d2d9))
        for (name, cell) in keys?.areas ?? [] {
            let isPressed = keys?.pressed.contains(name) == true || (name == "shift" && isShifted)
            let cap = cell.insetBy(x: 3, y: 5)
            let plain = name.count == 1 || name == "space"
            let color: UInt32 = isPressed ? 0xff0a_84ff : plain ? 0xffff_ffff : 0xffab_b1bc
            canvas.box(
                Rect(x: cap.minX, y: cap.minY + 1, width: cap.width, height: cap.height), radius: 5,
                Color(argb: 0xff88_8a8e))
            canvas.box(cap, radius: 5, Color(argb: color))
            let size = name.count == 1 ? 22.0 : 15
            let label = isShifted && name.count == 1 ? name.uppercased() : name
            canvas.text(label, in: cap.insetBy(x: 4, y: 0), size: size, isPressed ? .white : .black)
        }
    }
    scene.window.canBecomeKey = false
    scene.window.autoresizing = [.width, .topMargin]
    let taps = Buttons(scene.window)
    taps.onPress = { scene.repaint() }
    // Nil without the right to inject: keys are only printed then.
    let inputMethod = InputMethod(stage.application)
    inputMethod?.onChange = { [unowned inputMethod] in
        guard let inputMethod else { return }
        say(inputMethod.isUnavailable ? "unavailable" : inputMethod.isActive ? "active" : "inactive")
    }
    taps.onTap = { name in
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
        scene.repaint()
    }
    keys = taps
    stage.onSize(scene) { taps.areas = areas($0) }
    scene.window.isHidden = false
}
