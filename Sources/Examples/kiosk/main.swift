// A kiosk in a café: guests order on the main screen, and a second screen shows whose turn it is.

import MullionClient
import MullionDrawing

let application = try Application(name: "kiosk")

let main = Window(application)
main.title = "order"
main.backgroundColor = Color(argb: 0xfff5_efe6)
main.makeKeyAndVisible()

/// A line of text to edit: a tap begins editing, keys and input methods enter the text.
final class TextField: View {
    var text = "" {
        didSet {
            setNeedsDisplay()
            textDidChange()
        }
    }
    var markedText = "" { didSet { setNeedsDisplay() } }
    var onReturn: (() -> Void)?

    override var canBecomeFirstResponder: Bool { true }
    override var textContentType: TextContentType? { .name }
    override var textBeforeCursor: String? { text }

    override func insertText(_ new: String) { if new == "\n" { onReturn?() } else { text += new } }
    override func deleteBackward() { text = String(text.dropLast()) }
    override func setMarkedText(_ new: String) { markedText = new }

    override func draw(_ pixels: PixelBuffer) {
        let canvas = Canvas(pixels)
        var shown = Text(text, font: .system(24), verticalAlignment: .center)
        shown.runs.append(.init(markedText, font: .system(24), isUnderlined: true))
        let layout = TextLayout(shown, in: bounds.insetBy(x: 12, y: 0))
        let caret = layout.caretRect(for: shown.string.endIndex)
        canvas.fill(bounds, radius: 8, .white)
        canvas.draw(layout)
        canvas.fill(Rect(x: caret.minX, y: caret.minY, width: 2, height: caret.height), Color(argb: 0xff0a_84ff))
    }
}

let form = View(frame: Rect(x: main.bounds.center.x - 180, y: 80, width: 360, height: 128))
form.autoresizingMask = [.flexibleLeftMargin, .flexibleRightMargin]
let field = TextField(frame: Rect(x: 0, y: 0, width: 360, height: 54))
field.addGestureRecognizer(TapGestureRecognizer { _ in field.becomeFirstResponder() })
form.addSubview(field)
main.addSubview(form)

/// Those who wait, first come, first served.
var names: [String] = []

let board = Window(application)
board.title = "board"
board.canBecomeKey = false
board.paint { canvas in
    canvas.fill(Color(argb: 0xff2b_1d12))
    let height = canvas.bounds.height / 8
    for (index, name) in names.prefix(7).enumerated() {
        let width = canvas.bounds.width - 2 * height
        let line = Rect(x: height, y: (Double(index) + 0.5) * height, width: width, height: height)
        canvas.text("\(index + 1)  \(name)", in: line, size: height / 2, .white, align: .left)
    }
}

@MainActor func showBoard() {
    guard board.isHidden || board.screen == nil else { return }
    guard let screen = application.screens.first(where: { $0 !== main.screen }) else { return }
    board.screen = screen
    board.frame = screen.bounds
    board.isHidden = false
}

showBoard()
application.onScreenDidConnect { _ in showBoard() }
board.onScreenDidChange { showBoard() }

let status = Window(application, frame: Rect(x: 0, y: 0, width: main.bounds.width, height: 28))
status.title = "status"
status.windowLevel = .statusBar
status.autoresizingMask = [.flexibleWidth, .flexibleBottomMargin]
status.canBecomeKey = false
status.isUserInteractionEnabled = false
status.backgroundColor = .black
status.paint { canvas in
    let area = canvas.bounds.insetBy(x: 10, y: 0)
    canvas.text("Café Mullion", in: area, size: 14, .white, align: .left)
    canvas.text("\(names.count) waiting", in: area, size: 14, .white, align: .right)
}
status.isHidden = false

/// A label to tap.
final class Button: View {
    init(_ title: String, frame: Rect, action: @escaping () -> Void) {
        super.init(frame: frame)
        paint { canvas in
            canvas.fill(canvas.bounds, radius: 12, Color(argb: 0xff8a_4b08))
            canvas.text(title, in: canvas.bounds, size: 20, bold: true, .white)
        }
        addGestureRecognizer(TapGestureRecognizer { _ in action() })
    }
}

/// Shows an alert until one of its buttons is tapped.
/// - Returns: the title of that button.
@MainActor func ask(_ question: String, _ answers: String...) async -> String? {
    let alert = Window(application, screen: main.screen, frame: Rect(x: 0, y: 0, width: 320, height: 140))
    alert.center = main.bounds.center
    alert.autoresizingMask = [.flexibleLeftMargin, .flexibleRightMargin, .flexibleTopMargin, .flexibleBottomMargin]
    alert.title = "alert"
    alert.windowLevel = .alert
    alert.paint { canvas in
        canvas.fill(canvas.bounds, radius: 16, .white)
        canvas.text(question, in: Rect(x: 16, y: 16, width: 288, height: 44), size: 20, .black)
    }
    let (taps, tap) = AsyncStream<String>.makeStream()
    let width = 304 / Double(answers.count) - 16
    for (index, answer) in answers.enumerated() {
        let frame = Rect(x: 16 + Double(index) * (width + 16), y: 76, width: width, height: 48)
        alert.addSubview(Button(answer, frame: frame) { tap.yield(answer) })
    }
    alert.makeKeyAndVisible()
    defer { alert.close() }
    for await answer in taps { return answer }
    return nil
}

@MainActor func order() {
    let name = field.text
    Task {
        guard await ask("A coffee for \(name)?", "Cancel", "Order") == "Order" else { return }
        field.text = ""
        names.append(name)
        for window in [board, status] { window.setNeedsDisplay() }
        try await Task.sleep(for: .seconds(60))
        names.removeFirst()
        for window in [board, status] { window.setNeedsDisplay() }
    }
}

form.addSubview(Button("Order", frame: Rect(x: 0, y: 74, width: 360, height: 54), action: order))
field.onReturn = order

let corner = Point(x: main.bounds.maxX - 88, y: main.bounds.maxY - 88)
let help = Window(application, frame: Rect(origin: corner, size: Size(width: 64, height: 64)))
help.title = "help"
help.windowLevel = .statusBar + 1
help.autoresizingMask = [.flexibleLeftMargin, .flexibleTopMargin]
help.canBecomeKey = false
help.paint { canvas in
    canvas.fill(.circle(canvas.bounds.center, radius: 32), Color(argb: 0xff0a_84ff))
    canvas.text("?", in: canvas.bounds, size: 32, bold: true, .white)
}
var grip = Point.zero
help.addGestureRecognizer(
    PanGestureRecognizer { pan in
        if pan.state == .began { grip = help.frame.origin }
        help.frame.origin = grip + pan.translation(in: nil)
    })
help.addGestureRecognizer(
    TapGestureRecognizer { _ in
        Task { _ = await ask("Somebody is coming.", "Thank you") }
    })
help.isHidden = false

try application.run()
