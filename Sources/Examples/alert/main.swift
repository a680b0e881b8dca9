// An alert: above ordinary windows and the status bar; takes the key role, and gives it back when it closes (K5).

import ExampleSupport
import MullionClient
import MullionDrawing

let options = Options(
    "alert", "Shows an alert with two buttons; prints which one was tapped, closes and exits.",
    [
        .init("title", "TEXT", "the title", default: "Delete this picture?"),
        .init("text", "TEXT", "the text below it", default: "This cannot be undone."),
        .init("cancel", "TEXT", "the left button", default: "Cancel"),
        .init("ok", "TEXT", "the right button", default: "Delete"),
    ])

runProgram(options) { stage in
    let window = stage.window("alert", level: .alert) {
        Rect(x: ($0.width - 270) / 2, y: ($0.height - 140) / 2, width: 270, height: 140)
    }
    let hairline = Color(argb: 0xffc8_c8cc)
    window.paint { canvas in
        canvas.fill(canvas.bounds, radius: 14, Color(argb: 0xfff6_f6f8))
        canvas.strokeBorder(canvas.bounds, radius: 14, hairline)
        canvas.text(
            options["title"], in: Rect(x: 16, y: 18, width: 238, height: 26), size: 17, bold: true, .black)
        canvas.text(
            options["text"], in: Rect(x: 16, y: 48, width: 238, height: 22), size: 13, Color(argb: 0xff3c_3c43))
        canvas.stroke(.line(Point(x: 0, y: 95.5), Point(x: 270, y: 95.5)), hairline)
        canvas.stroke(.line(Point(x: 135, y: 96), Point(x: 135, y: 139)), hairline)
    }
    for (index, name) in ["cancel", "ok"].enumerated() {
        let button = Button(options[name]) { canvas, button in
            let plate = canvas.bounds.insetBy(x: 4, y: 4)
            if button.isPressed { canvas.fill(plate, radius: 8, Color(argb: 0xffdd_dde2)) }
            canvas.text(button.title, in: plate, size: 17, bold: name == "ok", Color(argb: 0xff0a_60ff))
        } action: {
            say("tapped \(options[name])")
            window.close()
            stage.finish()
        }
        button.frame = Rect(x: Double(index) * 135, y: 96, width: 135, height: 44)
        window.addSubview(button)
    }
    window.makeKeyAndVisible()
}
