// An ordinary application: one window that fills the screen, with a text field that begins editing when tapped (K7).

import ExampleSupport
import MullionClient
import MullionDrawing

let options = Options(
    "main-window", "Shows a window that fills the screen, with a text field. Tap it to type.",
    [
        .init("title", "TEXT", "the title", default: "Main window"),
        .init("color", "RRGGBB", "the background", default: "2f6f62"),
        .init("key", "yes|no", "whether it becomes key when it is shown", default: "yes"),
    ])
let color = options["color"]
guard color.count == 6, color.allSatisfy(\.isHexDigit), let rgb = UInt32(color, radix: 16) else {
    options.refuse("--color: \"\(color)\" is not a colour; use six hexadecimal digits")
}
guard ["yes", "no"].contains(options["key"]) else {
    options.refuse("--key: \"\(options["key"])\" is not an answer; use yes or no")
}

runProgram(options) { stage in
    let window = stage.window("main-window")
    window.backgroundColor = Color(argb: 0xff00_0000 | rgb)
    window.addGestureRecognizer(TapGestureRecognizer { _ in say("tapped background") })

    let title = View()
    title.paint { $0.text(options["title"], in: $0.bounds, size: 32, bold: true, .white) }
    let field = TextField(placeholder: "Tap to type")
    field.onTap = { say("tapped field") }
    var (text, marked) = ("", "")
    field.onChange = {
        if field.text != text { say("text \(field.text)") }
        if field.markedText != marked { say("marked \(field.markedText)") }
        (text, marked) = (field.text, field.markedText)
    }

    let badge = View(frame: Rect(x: 24, y: 190, width: 110, height: 28))
    badge.paint { canvas in
        let isKey = window.isKeyWindow
        canvas.fill(canvas.bounds, radius: 14, Color(argb: isKey ? 0xff34_c759 : 0xff8e_8e93))
        canvas.text(isKey ? "key" : "not key", in: canvas.bounds, size: 14, bold: true, .white)
    }
    for view in [title, field, badge] { window.addSubview(view) }
    window.onLayout = {
        title.frame = Rect(x: 20, y: 50, width: window.bounds.width - 40, height: 50)
        field.frame = Rect(x: 24, y: 130, width: window.bounds.width - 48, height: 44)
    }
    window.onDidBecomeKey { badge.setNeedsDisplay() }
    window.onDidResignKey {
        field.resignFirstResponder()
        badge.setNeedsDisplay()
    }
    window.onKey { if $0.isPressed, $0.text.isEmpty { say("key \($0.keyCode)") } }
    if options["key"] == "yes" { window.makeKeyAndVisible() } else { window.isHidden = false }
}
