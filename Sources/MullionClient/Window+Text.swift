// Text edited in a window: the state sent to input methods, such as on-screen keyboards, and the text they enter.

import Geometry

/// The kind of text being edited, so that a keyboard offers the right keys (UIKit: UIKeyboardType).
public enum TextContentType: UInt32, Sendable, CaseIterable {
    /// Anything.
    case normal = 0
    /// Letters.
    case alphabet
    /// Only digits.
    case digits
    /// A number, with sign and decimal separator.
    case number
    /// A telephone number.
    case phone
    /// A URL.
    case url
    /// An e-mail address.
    case email
    /// A person's name.
    case name
    /// A password, which is hidden and must not be remembered.
    case password
    /// A password of digits, also hidden.
    case pin
    /// A date.
    case date
    /// A time of day.
    case time
    /// A date and a time.
    case dateAndTime
    /// Input to a terminal.
    case terminal
}

extension Window {
    /// The state of the edited text.
    struct Editing {
        /// Nil when no text is edited.
        var contentType: TextContentType?
        var textBeforeCursor: String?
        var cursorRectangle: Rect?
    }

    /// Whether text in this window is being edited: input methods enter text into it while it is key.
    public var isEditing: Bool { editing.contentType != nil }

    /// Begins editing text in this window, which makes it key first (K7, E6). Key events are still delivered to
    /// `onKey`; text from an input method is delivered to `onInsertText`, `onDeleteBackward` and `onMarkedText`.
    public func beginEditing(_ contentType: TextContentType = .normal) {
        guard !isClosed else { return }
        orderedRequest(.beginEditing)
        editing.contentType = contentType
        textDidChange(isNew: true)
    }

    /// Ends `beginEditing`; the window stays key. Does nothing when not editing.
    public func endEditing() {
        guard isEditing else { return }
        editing.contentType = nil
        textDidChange(isNew: true)
    }

    /// The text before the cursor, as far as input methods may know it; nil to hide it. It lets them delete whole
    /// characters and suggest words.
    public var textBeforeCursor: String? {
        get { editing.textBeforeCursor }
        set {
            guard newValue != editing.textBeforeCursor else { return }
            editing.textBeforeCursor = newValue
            textDidChange(isNew: false)
        }
    }

    /// The cursor in points of the window, next to which an input method shows its pop-ups. Nil: unknown.
    public var cursorRectangle: Rect? {
        get { editing.cursorRectangle }
        set {
            guard newValue != editing.cursorRectangle else { return }
            editing.cursorRectangle = newValue
            textDidChange(isNew: false)
        }
    }

    /// Called when an input method inserts text at the cursor (UIKeyInput).
    public var onInsertText: ((String) -> Void)? {
        get { callbacks.insertText }
        set { callbacks.insertText = newValue }
    }
    /// Called when an input method deletes the character before the cursor (UIKeyInput).
    public var onDeleteBackward: (() -> Void)? {
        get { callbacks.deleteBackward }
        set { callbacks.deleteBackward = newValue }
    }
    /// Called when the text being composed at the cursor changes (UITextInput); empty when there is none.
    public var onMarkedText: ((String) -> Void)? {
        get { callbacks.markedText }
        set { callbacks.markedText = newValue }
    }

    private func textDidChange(isNew: Bool) {
        for seat in application.seats.values { seat.textDidChange(in: self, isNew: isNew) }
    }
}
