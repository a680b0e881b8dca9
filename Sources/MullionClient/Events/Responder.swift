// The responder chain.

import MullionGeometry

/// An object that handles events: a view, a window or the application (UIKit: UIResponder).
///
/// Every method that handles an event passes it on to `next` unless it is overridden. The chain leads from a view to
/// its superview, from the outermost view to the window, and from there to the application.
@MainActor open class Responder {
    /// A responder without a successor.
    public init() {}

    /// The next responder of the chain; nil at its end.
    open var next: Responder? { nil }

    // MARK: Touches

    /// Touches began in the view (E1).
    open func touchesBegan(_ touches: [Touch], with event: Event) { next?.touchesBegan(touches, with: event) }
    /// Touches that began in the view moved, or changed in force or buttons (E1).
    open func touchesMoved(_ touches: [Touch], with event: Event) { next?.touchesMoved(touches, with: event) }
    /// Touches that began in the view ended (E1).
    open func touchesEnded(_ touches: [Touch], with event: Event) { next?.touchesEnded(touches, with: event) }
    /// Touches were aborted, by the server (E2) or because a gesture was recognised; undo what they began.
    open func touchesCancelled(_ touches: [Touch], with event: Event) { next?.touchesCancelled(touches, with: event) }

    // MARK: Keys, shaking and remote control

    /// A key was pressed while the window is key (E3). The first responder comes first.
    open func pressesBegan(_ presses: [Press], with event: Event) { next?.pressesBegan(presses, with: event) }
    /// A key was released (E3).
    open func pressesEnded(_ presses: [Press], with event: Event) { next?.pressesEnded(presses, with: event) }
    /// The window resigned key while a key was down (E2).
    open func pressesCancelled(_ presses: [Press], with event: Event) { next?.pressesCancelled(presses, with: event) }
    /// Shaking began while the window is key (E3).
    open func motionBegan(_ motion: Motion, with event: Event) { next?.motionBegan(motion, with: event) }
    /// Shaking ended (E3).
    open func motionEnded(_ motion: Motion, with event: Event) { next?.motionEnded(motion, with: event) }
    /// Shaking was aborted.
    open func motionCancelled(_ motion: Motion, with event: Event) { next?.motionCancelled(motion, with: event) }
    /// A remote-control command arrived; see `Application.beginReceivingRemoteControlEvents()` (E4).
    open func remoteControlReceived(_ command: RemoteCommand, with event: Event) {
        next?.remoteControlReceived(command, with: event)
    }

    // MARK: The pointer

    /// The wheel or the trackpad scrolls over the view (E5).
    open func scrolled(_ scroll: Scroll, with event: Event) { next?.scrolled(scroll, with: event) }
    /// The pointer moves over the view with no button down (E5).
    open func hovered(_ hover: Hover, with event: Event) { next?.hovered(hover, with: event) }
    /// A gesture on the trackpad over the view (E5).
    open func transformed(_ transform: Transform, with event: Event) { next?.transformed(transform, with: event) }

    // MARK: The first responder

    /// Whether this object may become the first responder, which receives keys before all others; initially false.
    open var canBecomeFirstResponder: Bool { false }

    /// The window whose first responder this object can be.
    var responderWindow: Window? { nil }

    /// Whether this object is the first responder of its window.
    public var isFirstResponder: Bool { responderWindow.map { $0.firstResponder === self } ?? false }

    /// Makes this object the first responder of its window. An object that edits text, which has a `textContentType`,
    /// makes its window key by that (K7, E6), and input methods enter their text into it.
    /// - Returns: false, without effect, when it is in no window, may not become it, or the first responder refuses to
    ///   resign.
    @discardableResult
    open func becomeFirstResponder() -> Bool {
        guard canBecomeFirstResponder, let window = responderWindow, !window.isClosed else { return false }
        if window.firstResponder === self { return true }
        if let current = window.firstResponder, !current.resignFirstResponder() { return false }
        window.setFirstResponder(self)
        return true
    }

    /// Ends being the first responder.
    /// - Returns: whether this object is not the first responder now; an override may refuse by returning false.
    @discardableResult
    open func resignFirstResponder() -> Bool {
        if isFirstResponder { responderWindow?.setFirstResponder(nil) }
        return true
    }

    // MARK: Text

    /// The kind of text that this object edits while it is the first responder; nil (initially): none.
    open var textContentType: TextContentType? { nil }
    /// The text before the cursor, as far as input methods may know it; nil hides it. With it they delete whole
    /// characters and suggest words.
    open var textBeforeCursor: String? { nil }
    /// The area of the cursor, in points of this view, beside which an input method may show candidates.
    open var caretRectangle: Rect? { nil }

    /// Inserts text at the cursor (UIKit: UIKeyInput). It comes from keys, with dead keys and the compose key applied,
    /// or from an input method. The return key inserts "\n", the tabulator "\t".
    open func insertText(_ text: String) {}
    /// Deletes the character before the cursor (UIKit: UIKeyInput).
    open func deleteBackward() {}
    /// Shows text that is being composed at the cursor, instead of the previous one; empty removes it (UIKit:
    /// UITextInput).
    open func setMarkedText(_ text: String) {}

    /// Reports that `textBeforeCursor`, `caretRectangle` or `textContentType` has changed. The first responder begins to
    /// edit when its content type is no longer nil, and ends when it is nil again.
    public func textDidChange() {
        guard let window = responderWindow, window.firstResponder === self || window.textResponder === self else {
            return
        }
        window.textStateDidChange(isNew: false)
    }
}

/// Responders are equal when they are the same object.
extension Responder: Hashable {
    /// Whether both are the same object.
    public nonisolated static func == (a: Responder, b: Responder) -> Bool { a === b }
    /// Hashes the object's identity.
    public nonisolated func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
