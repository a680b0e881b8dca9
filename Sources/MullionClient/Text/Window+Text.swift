// Text edited in a window: by its first responder, or by the window itself.

import MullionGeometry

extension Window {
    /// The state of the text edited in the window itself.
    struct Editing {
        /// Nil when no text is edited.
        var contentType: TextContentType?
        var textBeforeCursor: String?
        var caretRectangle: Rect?
    }

    /// Whether text in this window is being edited: keys and input methods enter text into it while it is key.
    public var isEditing: Bool { textResponder != nil }

    /// Begins editing text in the window itself, which makes it key first (K7, E6): `insertText`, `deleteBackward` and
    /// `setMarkedText` are called, and `onInsertText`, `onDeleteBackward` and `onMarkedText`. Views that edit text become
    /// first responder instead.
    public func beginEditing(_ contentType: TextContentType = .normal) {
        guard !isClosed else { return }
        dismissFirstResponder()
        editing.contentType = contentType
        textStateDidChange(isNew: true)
    }

    /// Ends `beginEditing`; the window stays key. Does nothing when not editing.
    public func endEditing() {
        guard editing.contentType != nil else { return }
        editing = Editing()
        textStateDidChange(isNew: true)
    }

    /// Reports the text before the cursor and the area of the cursor, in points of the window, of the text edited in the
    /// window itself; nil hides them from input methods.
    public func setEditedText(beforeCursor text: String?, caretRectangle: Rect? = nil) {
        editing.textBeforeCursor = text
        editing.caretRectangle = caretRectangle
        textStateDidChange(isNew: false)
    }

    /// Who edits text: the first responder, or the window itself.
    var textResponder: Responder? {
        guard let firstResponder else { return editing.contentType == nil ? nil : self }
        return firstResponder.textContentType == nil ? nil : firstResponder
    }

    /// The cursor's area in points of the window.
    var caretInWindow: Rect? {
        guard let responder = textResponder, let rect = responder.caretRectangle else { return nil }
        return (responder as? View).map { $0.convert(rect, to: self) } ?? rect
    }

    func setFirstResponder(_ responder: Responder?) {
        guard responder !== firstResponder else { return }
        let wasEditing = isEditing
        if responder != nil { editing = Editing() }
        firstResponder = responder
        if isEditing || wasEditing { textStateDidChange(isNew: true) }
    }

    /// Ends that there is a first responder, also when it refuses to resign.
    func dismissFirstResponder() {
        firstResponder?.resignFirstResponder()
        setFirstResponder(nil)
    }

    /// - Parameter isNew: whether editing began or ended for certain.
    func textStateDidChange(isNew: Bool) {
        let isNew = isNew || isEditing != wasEditing
        wasEditing = isEditing
        if isNew, isEditing { orderedRequest(.beginEditing) }
        for seat in application.seats.values { seat.textDidChange(in: self, isNew: isNew) }
    }
}
