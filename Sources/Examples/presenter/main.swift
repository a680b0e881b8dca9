// A presenter: slides on an external screen, controls on the main one. When the external screen is unplugged and
// plugged in again, the server keeps the window and returns it (S8); on another display we open it (S6).

import ExampleSupport
import MullionClient
import MullionDrawing

let options = Options(
    "presenter", "Shows slides on an external screen and the controls for them on the main one.",
    [.init("slides", "N", "the number of slides", default: "5")])
let count = Int(options.number("slides", 1...999))

runProgram(options) { stage in
    let application = stage.application
    var number = 1
    var content: Window?
    /// The display with the slides; the server returns the window to it.
    var contentScreen = ""

    let control = stage.window("control")
    control.paint { canvas in
        canvas.fill(Color(argb: 0xff1c_1c1e))
        let title = Rect(x: 20, y: 60, width: canvas.bounds.width - 40, height: 60)
        canvas.text("Slide \(number) of \(count)", in: title, size: 32, bold: true, .white)
        let isShown = application.screens.contains { $0.name == contentScreen }
        let state = content == nil ? "no external screen" : isShown ? "on \(contentScreen)" : "\(contentScreen) is gone"
        let line = Rect(x: 20, y: 120, width: canvas.bounds.width - 40, height: 30)
        canvas.text(state, in: line, size: 17, Color(argb: isShown ? 0xff34_c759 : 0xffff_9f0a))
    }
    let buttons = [("Previous", -1), ("Next", 1)].map { title, step in
        Button(title) { canvas, button in
            canvas.fill(canvas.bounds, radius: 12, Color(argb: button.isPressed ? 0xff40_9cff : 0xff0a_60ff))
            canvas.text(title, in: canvas.bounds.insetBy(x: 12, y: 0), size: 20, bold: true, .white)
        } action: {
            number = min(max(number + step, 1), count)
            say("slide \(number)")
            control.setNeedsDisplay()
            content?.setNeedsDisplay()
        }
    }
    for button in buttons { control.addSubview(button) }
    control.onLayout = {
        let (width, y) = ((control.bounds.width - 60) / 2, control.bounds.height - 100)
        for (index, button) in buttons.enumerated() {
            button.frame = Rect(x: 20 + Double(index) * (width + 20), y: y, width: width, height: 64)
        }
    }
    control.makeKeyAndVisible()

    @MainActor func makeContent(on screen: Screen) {
        let window = stage.window("content", on: screen)
        window.paint { canvas in
            let hues: [UInt32] = [0xff0b_3d91, 0xff7a_1f5c, 0xff1b_6b45, 0xff8a_4b08, 0xff3c_2a7d]
            canvas.fill(Color(argb: hues[(number - 1) % hues.count]))
            let (bounds, unit) = (canvas.bounds, canvas.bounds.height / 10)
            let title = Rect(x: 0, y: unit * 3, width: bounds.width, height: unit * 3)
            canvas.text("Slide \(number)", in: title, size: unit * 2, bold: true, .white)
            let foot = Rect(x: unit / 2, y: bounds.height - unit, width: bounds.width - unit, height: unit)
            canvas.text("\(number) / \(count)", in: foot, size: unit / 2, .white, align: .right)
        }
        // K4: keyboard focus stays with the controls.
        window.canBecomeKey = false
        window.isHidden = false
        // S8: without a screen it waits for its own, or moves to another one.
        window.onScreenDidChange { present() }
        content = window
    }

    /// Shows the slides on a screen that is not the one of the controls, unless a screen has them.
    @MainActor func present() {
        defer { control.setNeedsDisplay() }
        // S2: the first screen of all is for the controls.
        guard content?.screen == nil, content != nil || control.screen != nil else { return }
        guard let screen = application.screens.first(where: { $0 !== control.screen }) else { return }
        let verb = content == nil ? "on" : screen.name == contentScreen ? "resumed on" : "moved to"
        contentScreen = screen.name
        if let content { content.screen = screen } else { makeContent(on: screen) }
        say("presenting \(verb) \(screen.name)")
    }
    application.onScreenDidConnect { _ in present() }
    application.onScreenDidDisconnect { screen in
        guard screen.name == contentScreen else { return }
        say("presenting paused")
        present()
    }
    present()
    if content == nil { say("waiting for a screen") }
}
