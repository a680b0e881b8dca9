// An ordinary application: one window that fills the screen, with a text field that begins editing when tapped (K7).

import ExampleSupport
import MullionClient

let options = Options(
    "main-window", "Shows a window that fills the screen, with a text field. Tap it to type.",
    [
        .init("title", "TEXT", "the title", default: "Main window"),
        .init("color", "RRGGBB", "the background", default: "2f6f62"),
        .init("key", "yes|no", "whether it becomes key when it is shown", default: "yes"),
    ])
guard let rgb = UInt32(options["color"], radix: 16), rgb <= 0xff_ffff else {
    options.refuse("--color must be six hexadecimal digits")
}
guard ["yes", "no"].contains(options["key"]) else { options.refuse("--key must be yes or no") }

/// The characters of a US keyboard's keys, by evdev code: plain and with shift.
let letters: [UInt32: (Character, Character)] = {
    let rows: [(UInt32, String, String)] = [
        (2, "1234567890-=", "!@#$%^&*()_+"), (16, "qwertyuiop[]", "QWERTYUIOP{}"),
        (30, "asdfghjkl;'", "ASDFGHJKL:\""), (44, "zxcvbnm,./", "ZXCVBNM<>?"), (57, " ", " "),
    ]
    var result: [UInt32: (Character, Character)] = [:]
    for (first, plain, shifted) in rows {
        for (offset, pair) in zip(plain, shifted).enumerated() { result[first + UInt32(offset)] = pair }
    }
    return result
}()

runProgram(options) { stage in
    let background = Color(argb: 0xff00_0000 | rgb)
    // The typed text, and the text being composed.
    var (text, marked, isEditing) = ("", "", false)
    var field = Rect.zero
    let scene = stage.window("main-window", level: .normal) {
        $0
    } paint: { canvas in
        let width = canvas.bounds.width
        canvas.fill(background)
        let title = Rect(x: 20, y: 50, width: width - 40, height: 50)
        canvas.text(options["title"], in: title, size: 32, bold: true, .white)
        field = Rect(x: 24, y: 130, width: max(0, width - 48), height: 44)
        canvas.box(field, radius: 8, .white)
        if isEditing { canvas.outline(field, radius: 8, width: 3, Color(argb: 0xff0a_84ff)) }
        let inside = field.insetBy(x: 12, y: 0)
        let hint = text.isEmpty && !isEditing
        canvas.text(
            hint ? "Tap to type" : text + marked + (isEditing ? "|" : ""), in: inside, size: 18,
            hint ? Color(argb: 0xff8e_8e93) : .black, align: .left)
    }
    let window = scene.window
    window.backgroundColor = background
    window.autoresizing = [.width, .height]

    // A separate view shows whether the window is key.
    let badge = View(stage.application)
    badge.position = Point(x: 24, y: 190)
    badge.setTouchable([])
    window.addSubview(badge)
    func showKey() {
        let isKey = window.isKeyWindow
        badge.paint(Size(width: 110, height: 28)) { canvas in
            canvas.box(canvas.bounds, radius: 14, Color(argb: isKey ? 0xff34_c759 : 0xff8e_8e93))
            canvas.text(isKey ? "key" : "not key", in: canvas.bounds, size: 14, bold: true, .white)
        }
    }
    scene.onLayout = showKey
    window.onDidBecomeKey = showKey
    window.onDidResignKey = {
        isEditing = false
        window.endEditing()
        scene.repaint()
    }

    let taps = Buttons(window)
    stage.onSize(scene) { taps.areas = [("field", field), ("background", Rect(origin: .zero, size: $0))] }
    taps.onTap = { name in
        say("tapped \(name)")
        guard name == "field" else { return }
        // K7: a touch does not make the window key; editing does.
        isEditing = true
        window.textBeforeCursor = text
        window.beginEditing()
        scene.repaint()
    }
    func textDidChange() {
        // Tells the keyboard which characters its delete key deletes.
        window.textBeforeCursor = text
        say("text \(text)")
        scene.repaint()
    }
    window.onInsertText = { new in
        text += new
        textDidChange()
    }
    window.onDeleteBackward = {
        text = String(text.dropLast())
        textDidChange()
    }
    window.onMarkedText = { new in
        marked = new
        say("marked \(new)")
        scene.repaint()
    }
    window.onKey = { key in
        // Shift alone (42, 54) types nothing.
        guard key.isPressed, key.keyCode != 42, key.keyCode != 54 else { return }
        if key.keyCode == 14 {
            text = String(text.dropLast())
        } else if let pair = letters[key.keyCode] {
            text.append(key.modifiers.effective & 1 != 0 ? pair.1 : pair.0)
        } else {
            return say("key \(key.keyCode)")
        }
        textDidChange()
    }
    if options["key"] == "yes" { window.makeKeyAndVisible() } else { window.isHidden = false }
}
