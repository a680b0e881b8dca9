// A presenter: slides on an external screen, controls on the main one. When the external screen is unplugged and
// plugged in again, the server keeps the window and returns it (S8); on another display we open it (S6).

import ExampleSupport
import MullionClient

let options = Options(
    "presenter", "Shows slides on an external screen and the controls for them on the main one.",
    [.init("slides", "N", "the number of slides", default: "5")])
let count = Int(options.number("slides", 1...999))

/// The slides, and the windows that show and turn them.
final class Presenter {
    private let stage: Stage
    private let count: Int
    private var number = 1
    private var content: Scene?
    /// The display with the slides; the server returns the window to it.
    private var contentScreen = ""
    private var control: Scene?
    private var buttons: Buttons?

    init(_ stage: Stage, slides: Int) {
        self.stage = stage
        count = slides
    }

    func start() {
        let control = stage.window("control", level: .normal) {
            $0
        } paint: { [unowned self] canvas in
            paintControl(canvas)
        }
        let buttons = Buttons(control.window)
        buttons.onPress = { control.repaint() }
        buttons.onTap = { [unowned self] in turn($0 == "Next" ? 1 : -1) }
        control.window.autoresizing = [.width, .height]
        self.buttons = buttons
        self.control = control
        stage.onSize(control) { size in
            let (width, y) = ((size.width - 60) / 2, size.height - 100)
            buttons.areas = [
                ("Previous", Rect(x: 20, y: y, width: width, height: 64)),
                ("Next", Rect(x: 40 + width, y: y, width: width, height: 64)),
            ]
        }
        control.window.makeKeyAndVisible()

        stage.application.onScreenDidConnect = { [unowned self] in screenCame($0) }
        stage.application.onScreenDidDisconnect = { [unowned self] screen in
            guard screen.name == contentScreen else { return }
            say("presenting paused")
            self.control?.repaint()
        }
        if let screen = stage.application.screens.first(where: { $0 !== control.window.screen }) { present(on: screen) }
        if content == nil { say("waiting for a screen") }
    }

    private func screenCame(_ screen: Screen) {
        guard screen !== control?.window.screen, screen.kind == .external || content == nil else { return }
        if content == nil {
            // S2: the first screen of all is for the controls.
            if control?.window.screen == nil, stage.application.screens.count == 1 { return }
            present(on: screen)
        } else if screen.name == contentScreen {
            // S8: the server returns the window.
            say("presenting resumed on \(screen.name)")
        } else if content?.window.screen == nil {
            contentScreen = screen.name
            content?.window.screen = screen
            content?.update()
            say("presenting moved to \(screen.name)")
        }
        control?.repaint()
    }

    private func present(on screen: Screen) {
        let scene = stage.window("content", level: .normal, on: screen) {
            $0
        } paint: { [unowned self] in
            paintSlide($0)
        }
        // K4: keyboard focus stays with the controls.
        scene.window.canBecomeKey = false
        scene.window.autoresizing = [.width, .height]
        scene.window.isHidden = false
        content = scene
        contentScreen = screen.name
        say("presenting on \(screen.name)")
        control?.repaint()
    }

    private func turn(_ step: Int) {
        number = min(max(number + step, 1), count)
        say("slide \(number)")
        content?.repaint()
        control?.repaint()
    }

    private func paintSlide(_ canvas: Canvas) {
        let hues: [UInt32] = [0xff0b_3d91, 0xff7a_1f5c, 0xff1b_6b45, 0xff8a_4b08, 0xff3c_2a7d]
        canvas.fill(Color(argb: hues[(number - 1) % hues.count]))
        let (bounds, unit) = (canvas.bounds, canvas.bounds.height / 10)
        let title = Rect(x: 0, y: unit * 3, width: bounds.width, height: unit * 3)
        canvas.text("Slide \(number)", in: title, size: unit * 2, bold: true, .white)
        let foot = Rect(x: unit / 2, y: bounds.height - unit, width: bounds.width - unit, height: unit)
        canvas.text("\(number) / \(count)", in: foot, size: unit / 2, .white, align: .right)
    }

    private func paintControl(_ canvas: Canvas) {
        canvas.fill(Color(argb: 0xff1c_1c1e))
        let width = canvas.bounds.width
        let title = Rect(x: 20, y: 60, width: width - 40, height: 60)
        canvas.text("Slide \(number) of \(count)", in: title, size: 32, bold: true, .white)
        let isShown = stage.application.screens.contains { $0.name == contentScreen }
        let state = content == nil ? "no external screen" : isShown ? "on \(contentScreen)" : "\(contentScreen) is gone"
        let line = Rect(x: 20, y: 120, width: width - 40, height: 30)
        canvas.text(state, in: line, size: 17, Color(argb: isShown ? 0xff34_c759 : 0xffff_9f0a))
        for (name, rect) in buttons?.areas ?? [] {
            let isPressed = buttons?.pressed.contains(name) == true
            canvas.box(rect, radius: 12, Color(argb: isPressed ? 0xff40_9cff : 0xff0a_60ff))
            canvas.text(name, in: rect.insetBy(x: 12, y: 0), size: 20, bold: true, .white)
        }
    }
}

runProgram(options) { stage in
    let presenter = Presenter(stage, slides: count)
    stage.keep(presenter)
    presenter.start()
}
