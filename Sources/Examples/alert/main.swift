// An alert: above ordinary windows and the status bar; takes the key role, and gives it back when it closes (K5).

import ExampleSupport
import MullionClient

let options = Options(
    "alert", "Shows an alert with two buttons; prints which one was tapped, closes and exits.",
    [
        .init("title", "TEXT", "the title", default: "Delete this picture?"),
        .init("text", "TEXT", "the text below it", default: "This cannot be undone."),
        .init("cancel", "TEXT", "the left button", default: "Cancel"),
        .init("ok", "TEXT", "the right button", default: "Delete"),
    ])

runProgram(options) { stage in
    let blue = Color(argb: 0xff0a_60ff)
    let hairline = Color(argb: 0xffc8_c8cc)
    var buttons: Buttons?
    let scene = stage.window("alert", level: .alert) { bounds in
        Rect(x: (bounds.width - 270) / 2, y: (bounds.height - 140) / 2, width: 270, height: 140)
    } paint: { canvas in
        let (width, height) = (canvas.bounds.width, canvas.bounds.height)
        canvas.box(canvas.bounds, radius: 14, Color(argb: 0xfff6_f6f8))
        canvas.outline(canvas.bounds, radius: 14, hairline)
        let title = Rect(x: 16, y: 18, width: width - 32, height: 26)
        canvas.text(options["title"], in: title, size: 17, bold: true, .black)
        let text = Rect(x: 16, y: 48, width: width - 32, height: 22)
        canvas.text(options["text"], in: text, size: 13, Color(argb: 0xff3c_3c43))
        canvas.line(Point(x: 0, y: height - 44.5), Point(x: width, y: height - 44.5), hairline)
        canvas.line(Point(x: width / 2, y: height - 44), Point(x: width / 2, y: height - 1), hairline)
        for (name, rect) in buttons?.areas ?? [] {
            if buttons?.pressed.contains(name) == true {
                canvas.box(rect.insetBy(x: 4, y: 4), radius: 8, Color(argb: 0xffdd_dde2))
            }
            canvas.text(options[name], in: rect.insetBy(x: 8, y: 0), size: 17, bold: name == "ok", blue)
        }
    }
    let taps = Buttons(scene.window)
    taps.areas = [
        ("cancel", Rect(x: 0, y: 96, width: 135, height: 44)), ("ok", Rect(x: 135, y: 96, width: 135, height: 44)),
    ]
    taps.onPress = { scene.repaint() }
    taps.onTap = { name in
        say("tapped \(options[name])")
        scene.window.close()
        stage.application.finish()
    }
    buttons = taps
    scene.repaint()
    scene.window.makeKeyAndVisible()
}
