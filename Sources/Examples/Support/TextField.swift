// A line of text to edit.

import MullionClient
import MullionDrawing

/// A text field: a tap puts the cursor, keys and input methods enter text there. The return key ends editing, Control
/// with X, C and V moves the text to the pasteboard and from there.
public final class TextField: View {
    /// The text before and after the cursor. A character that is typed may become one with those around it.
    private var (before, after) = ("", "")
    /// The text.
    public var text: String { before + after }
    /// Called when the text has changed, and when the text being composed has.
    public var onChange: (() -> Void)?
    /// Called when the field was tapped.
    public var onTap: (() -> Void)?
    /// The text being composed by an input method.
    public private(set) var markedText = ""
    private let placeholder: String

    /// A field that shows a hint while it is empty and not edited.
    public init(placeholder: String) {
        self.placeholder = placeholder
        super.init()
        addGestureRecognizer(TapGestureRecognizer { [unowned self] tap in placeCursor(tap.location(in: self)) })
    }

    // MARK: Appearance

    private var area: Rect { bounds.insetBy(x: 12, y: 0) }
    /// The text on one line, moved so far that the cursor is inside of the field.
    private var layout: TextLayout {
        let isHint = text.isEmpty && markedText.isEmpty && !isFirstResponder
        let ink: Color = isHint ? Color(argb: 0xff8e_8e93) : .black
        var shown = Text(isHint ? placeholder : before, font: .system(18), color: ink)
        shown.runs.append(.init(markedText, font: .system(18), isUnderlined: true))
        shown.runs.append(.init(after, font: .system(18)))
        shown.verticalAlignment = .center
        var line = area
        line.size.width = max(line.width, shown.size().width.rounded(.up))
        line.origin.x -= max(0, caret(in: TextLayout(shown, in: line)).maxX - area.maxX)
        return TextLayout(shown, in: line)
    }

    private func caret(in layout: TextLayout) -> Rect {
        let string = layout.text.string
        let distance = before.utf8.count + markedText.utf8.count
        let end = string.endIndex
        return layout.caretRect(for: string.utf8.index(string.startIndex, offsetBy: distance, limitedBy: end) ?? end)
    }

    public override func draw(_ pixels: PixelBuffer) {
        let canvas = Canvas(pixels)
        canvas.fill(bounds, radius: 8, .white)
        let layout = layout
        canvas.saved {
            canvas.clip(to: bounds.insetBy(x: 6, y: 0))
            canvas.draw(layout)
        }
        guard isFirstResponder else { return }
        let (caret, blue) = (caret(in: layout), Color(argb: 0xff0a_84ff))
        canvas.strokeBorder(bounds, radius: 8, blue, width: 3)
        canvas.fill(Rect(x: caret.minX, y: caret.minY, width: 2, height: caret.height), blue)
    }

    // MARK: Editing

    private func placeCursor(_ point: Point) {
        // K7: a touch does not make the window key; editing does.
        becomeFirstResponder()
        // What is being composed has its place.
        if markedText.isEmpty {
            let layout = layout
            let (string, index) = (layout.text.string, layout.closestIndex(to: point))
            (before, after) = (String(string[..<index]), String(string[index...]))
        }
        didChange()
        onTap?()
    }

    private func didChange() {
        setNeedsDisplay()
        textDidChange()
        onChange?()
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
    public override var caretRectangle: Rect? { caret(in: layout) }

    public override func insertText(_ new: String) {
        guard new != "\n" else {
            resignFirstResponder()
            return
        }
        before += new.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).joined(separator: " ")
        didChange()
    }

    public override func deleteBackward() {
        if before.popLast() != nil { didChange() }
    }

    public override func setMarkedText(_ text: String) {
        markedText = text
        didChange()
    }

    public override func pressesBegan(_ presses: [Press], with event: Event) {
        guard let key = presses.first?.key else { return }
        switch (key.keysym, key.modifierFlags.contains(.control)) {
        case (0xff51, _): if let last = before.popLast() { after = String(last) + after }
        case (0xff53, _):
            before += after.prefix(1)
            after = String(after.dropFirst())
        case (0xff50, _): (before, after) = ("", text)
        case (0xff57, _): (before, after) = (text, "")
        case (0xffff, _): after = String(after.dropFirst())
        case (0x63, true): window?.application.pasteboard.string = text
        case (0x78, true):
            window?.application.pasteboard.string = text
            (before, after) = ("", "")
        case (0x76, true): Task { if let text = await window?.application.pasteboard.loadString() { insertText(text) } }
        default: return super.pressesBegan(presses, with: event)
        }
        didChange()
    }
}
