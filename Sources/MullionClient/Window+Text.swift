// Text that is edited in a window: what input methods, such as on-screen keyboards, are told and write.

import Geometry

/// What kind of text is edited, so that a keyboard offers the right keys (UIKit: UIKeyboardType).
public enum TextContentType: UInt32, Sendable, CaseIterable {
    /// Anything.
    case normal = 0
    /// Letters.
    case alphabet
    /// Digits alone.
    case digits
    /// A number, with sign and decimal separator.
    case number
    /// A telephone number.
    case phone
    /// The address of a page.
    case url
    /// The address of a mailbox.
    case email
    /// The name of a person.
    case name
    /// A secret that is hidden and not to be remembered.
    case password
    /// A secret of digits, hidden too.
    case pin
    /// A date.
    case date
    /// A time of day.
    case time
    /// A date and a time.
    case dateAndTime
    /// Whatever a terminal takes.
    case terminal
}

extension Window {
    /// What is known of the text.
    struct Editing {
        /// Nil: no text is edited.
        var contentType: TextContentType?
        var textBeforeCursor: String?
        var cursorRectangle: Rect?
    }

    /// Whether text in this window is being edited: input methods write into it while it is key.
    public var isEditing: Bool { editing.contentType != nil }

    /// Says that text in this window is being edited, which makes it key first (K7, E6). Keys come to `onKey` all the
    /// same; what an input method writes comes to `onInsertText`, `onDeleteBackward` and `onMarkedText`.
    public func beginEditing(_ contentType: TextContentType = .normal) {
        guard !isClosed else { return }
        orderedRequest(.beginEditing)
        editing.contentType = contentType
        textDidChange(isNew: true)
    }

    /// Ends what `beginEditing` began; the window stays key. Without it nothing happens.
    public func endEditing() {
        guard isEditing else { return }
        editing.contentType = nil
        textDidChange(isNew: true)
    }

    /// The text before the cursor, as far as input methods may know it; nil: they are told nothing of it. With it they
    /// delete whole characters and suggest words.
    public var textBeforeCursor: String? {
        get { editing.textBeforeCursor }
        set {
            guard newValue != editing.textBeforeCursor else { return }
            editing.textBeforeCursor = newValue
            textDidChange(isNew: false)
        }
    }

    /// The cursor in points of the window; an input method shows its pop-ups beside it. Nil: unknown.
    public var cursorRectangle: Rect? {
        get { editing.cursorRectangle }
        set {
            guard newValue != editing.cursorRectangle else { return }
            editing.cursorRectangle = newValue
            textDidChange(isNew: false)
        }
    }

    /// Called when an input method inserts a text at the cursor (UIKeyInput).
    public var onInsertText: ((String) -> Void)? {
        get { callbacks.insertText }
        set { callbacks.insertText = newValue }
    }
    /// Called when an input method deletes the character before the cursor (UIKeyInput).
    public var onDeleteBackward: (() -> Void)? {
        get { callbacks.deleteBackward }
        set { callbacks.deleteBackward = newValue }
    }
    /// Called when the text changed that an input method is composing at the cursor (UITextInput); empty: none is.
    public var onMarkedText: ((String) -> Void)? {
        get { callbacks.markedText }
        set { callbacks.markedText = newValue }
    }

    private func textDidChange(isNew: Bool) {
        for seat in application.seats.values { seat.textDidChange(in: self, isNew: isNew) }
    }
}
