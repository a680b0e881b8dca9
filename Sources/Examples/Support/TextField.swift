// A line of text to edit.

import MullionClient
import MullionDrawing

/// A text field: a tap puts the cursor, keys and input methods enter text there.
public final class TextField: View {
    /// The text.
    public private(set) var text = ""
    /// Called when the text has changed, and when the text being composed has.
    public var onChange: (() -> Void)?
    /// Called when the field was tapped.
    public var onTap: (() -> Void)?
    /// The text being composed by an input method.
    public private(set) var markedText = ""
    /// The cursor's distance from the start of the text, in characters.
    private var insertionIndex = 0
    private let placeholder: String

    /// A field that shows a hint while it is empty and not edited.
    public init(placeholder: String) {
        self.placeholder = placeholder
        super.init()
        addGestureRecognizer(TapGestureRecognizer { [unowned self] tap in placeCursor(tap.location(in: self)) })
    }

    private var before: String { String(text.prefix(insertionIndex)) }
    private var layout: TextLayout {
        let isHint = text.isEmpty && markedText.isEmpty && !isFirstResponder
        let ink: Color = isHint ? Color(argb: 0xff8e_8e93) : .black
        var shown = Text(isHint ? placeholder : before, font: .system(18), color: ink)
        shown.runs.append(.init(markedText, font: .system(18), isUnderlined: true))
        shown.runs.append(.init(String(text.dropFirst(insertionIndex)), font: .system(18)))
        shown.verticalAlignment = .center
        shown.maximumLines = 1
        return TextLayout(shown, in: bounds.insetBy(x: 12, y: 0))
    }

    private func placeCursor(_ point: Point) {
        // K7: a touch does not make the window key; editing does.
        becomeFirstResponder()
        let layout = layout
        let index = layout.closestIndex(to: point)
        insertionIndex = min(layout.text.string.distance(from: layout.text.string.startIndex, to: index), text.count)
        didChange()
        onTap?()
    }

    private func didChange() {
        setNeedsDisplay()
        textDidChange()
        onChange?()
    }

    public override func draw(_ pixels: PixelBuffer) {
        let canvas = Canvas(pixels)
        canvas.fill(bounds, radius: 8, .white)
        canvas.draw(layout)
        guard isFirstResponder, let caret = caretRectangle else { return }
        canvas.strokeBorder(bounds, radius: 8, Color(argb: 0xff0a_84ff), width: 3)
        canvas.fill(Rect(x: caret.minX, y: caret.minY, width: 2, height: caret.height), Color(argb: 0xff0a_84ff))
    }

    public override var canBecomeFirstResponder: Bool { true }

    @discardableResult
    public override func becomeFirstResponder() -> Bool {
        setNeedsDisplay()
        return super.becomeFirstResponder()
    }

    @discardableResult
    public override func resignFirstResponder() -> Bool {
        setNeedsDisplay()
        return super.resignFirstResponder()
    }

    public override var textContentType: TextContentType? { .normal }
    public override var textBeforeCursor: String? { before }
    public override var caretRectangle: Rect? {
        let layout = layout
        let string = layout.text.string
        let distance = insertionIndex + markedText.count
        let index = string.index(string.startIndex, offsetBy: distance, limitedBy: string.endIndex)
        return layout.caretRect(for: index ?? string.endIndex)
    }

    public override func insertText(_ new: String) {
        text = before + new + text.dropFirst(insertionIndex)
        insertionIndex += new.count
        didChange()
    }

    public override func deleteBackward() {
        guard insertionIndex > 0 else { return }
        text = String(before.dropLast() + text.dropFirst(insertionIndex))
        insertionIndex -= 1
        didChange()
    }

    public override func setMarkedText(_ text: String) {
        markedText = text
        didChange()
    }

    public override func pressesBegan(_ presses: [Press], with event: Event) {
        switch presses.first?.key.keysym {
        case 0xff51: insertionIndex = max(0, insertionIndex - 1)
        case 0xff53: insertionIndex = min(text.count, insertionIndex + 1)
        case 0xff50: insertionIndex = 0
        case 0xff57: insertionIndex = text.count
        default: return super.pressesBegan(presses, with: event)
        }
        didChange()
    }
}
