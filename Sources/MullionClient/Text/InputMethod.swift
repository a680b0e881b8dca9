// Entering text into other programs, for on-screen keyboards and input methods.

import MullionWayland

/// Enters text into the text field edited in the key window of any program (UIKit: UITextDocumentProxy).
///
/// Requires the rights `view` and `inject`. The server allows one at a time.
@MainActor public final class InputMethod {
    /// Whether a text field is being edited; otherwise all text is dropped.
    public private(set) var isActive = false
    /// The kind of text being edited.
    public private(set) var contentType = TextContentType.normal
    /// The text before the cursor; nil when the program does not provide it.
    public private(set) var textBeforeCursor: String?
    /// Whether another input method is already active, which disables this one.
    public private(set) var isUnavailable = false
    private let observers = Observers<Void>()

    private let proxy: Proxy<ZwpInputMethodV2>
    private var dones: UInt32 = 0
    private var next = State()

    /// State received since the last done.
    private struct State {
        var isActive = false
        var contentType = TextContentType.normal
        var textBeforeCursor: String?
    }

    /// Nil when the server does not let this program inject, or has no seat.
    public init?(_ application: Application) {
        guard let seat = application.seats.min(by: { $0.key < $1.key })?.value,
            let manager = application.globals.bindOptional(ZwpInputMethodManagerV2.self)
        else { return nil }
        proxy = Proxy(application.connection, version: manager.version)
        manager.send(.getInputMethod(seat: seat.proxy.id, inputMethod: proxy.id))
        manager.send(.destroy)
        proxy.onEvent = { [weak self, unowned application] event in
            application.enqueue { [weak self] in self?.handle(event) }
        }
    }

    isolated deinit { proxy.send(.destroy) }

    /// Calls `body` when any of the above changes.
    @discardableResult
    public func onChange(_ body: @escaping () -> Void) -> Observation { observers.add(body) }

    // MARK: Writing

    /// Inserts text at the cursor. A terminal receives carriage returns for line feeds, as its return key sends them.
    public func insertText(_ text: String) {
        guard isActive else { return }
        let isTerminal = contentType == .terminal
        let scalars = text.unicodeScalars.lazy.filter { $0.value != 0 }.map { isTerminal && $0 == "\n" ? "\r" : $0 }
        var rest = Array(scalars)[...]
        while !rest.isEmpty {
            // No more than fits into a message.
            proxy.send(.commitString(text: String(String.UnicodeScalarView(rest.prefix(900)))))
            proxy.send(.commit(serial: dones))
            rest = rest.dropFirst(900)
        }
        textBeforeCursor?.append(text)
    }

    /// Deletes the character before the cursor. A terminal receives what its backspace key sends.
    public func deleteBackward() {
        guard isActive else { return }
        if contentType == .terminal { return insertText("\u{7f}") }
        var bytes = 1
        if textBeforeCursor != nil {
            guard let last = textBeforeCursor?.popLast() else { return }
            bytes = last.utf8.count
        }
        proxy.send(.deleteSurroundingText(beforeLength: UInt32(bytes), afterLength: 0))
        proxy.send(.commit(serial: dones))
    }

    /// Shows text being composed at the cursor, replacing the previous one; empty removes it.
    public func setMarkedText(_ text: String) {
        guard isActive else { return }
        let text = text.forWire
        let end = Int32(text.utf8.count)
        proxy.send(.setPreeditString(text: text, cursorBegin: end, cursorEnd: end))
        proxy.send(.commit(serial: dones))
    }

    // MARK: Events

    private func handle(_ event: ZwpInputMethodV2.Event) {
        switch event {
        case .activate: next = State(isActive: true)
        case .deactivate: next = State()
        case .surroundingText(let text, let cursor, _):
            next.textBeforeCursor = String(decoding: text.utf8.prefix(Int(cursor)), as: UTF8.self)
        case .textChangeCause: break
        case .contentType(_, let purpose): next.contentType = TextContentType(rawValue: purpose.rawValue) ?? .normal
        case .done:
            dones &+= 1
            (isActive, contentType, textBeforeCursor) = (next.isActive, next.contentType, next.textBeforeCursor)
            observers.notify(())
        case .unavailable:
            isUnavailable = true
            observers.notify(())
        }
    }
}
