// Text from input methods for the focused window.

import MullionWayland

/// The text input of a seat: enabled while the focused window edits text.
@MainActor final class TextInput {
    private unowned let application: Application
    private let proxy: Proxy<ZwpTextInputV3>
    private weak var window: Window?
    /// Who edits the text, and shows the marked text.
    private weak var responder: Responder?
    private var isEnabled = false
    /// The marked text shown in the window, and the state received since the last done.
    private var marked = ""
    private var newMarked = ""
    private var insertion = ""
    private var deletion: UInt32 = 0

    /// Nil when the server does not support text input.
    init?(_ application: Application, seat: Proxy<WlSeat>) {
        guard let manager = application.globals.bindOptional(ZwpTextInputManagerV3.self) else { return nil }
        self.application = application
        proxy = Proxy(application.connection, version: manager.version)
        manager.send(.getTextInput(id: proxy.id, seat: seat.id))
        manager.send(.destroy)
        proxy.onEvent = { [weak self] event in self?.receive(event) }
    }

    func release() { proxy.send(.destroy) }

    /// - Parameter isNew: whether editing began or ended; otherwise only the state of the text changed.
    func textDidChange(in window: Window, isNew: Bool) {
        guard window === self.window, isNew || isEnabled else { return }
        if isNew { start() }
        describe()
    }

    // MARK: State

    private func start() {
        let enables = window?.isEditing == true
        guard enables || isEnabled else { return }
        // Enabling again drops the text being composed.
        if isEnabled { mark("") }
        responder = window?.textResponder
        isEnabled = enables
        proxy.send(enables ? .enable : .disable)
        if !enables { proxy.send(.commit) }
    }

    private func describe() {
        guard isEnabled, let window, let responder = window.textResponder, let type = responder.textContentType
        else { return }
        let isSecret = type == .password || type == .pin
        proxy.send(
            .setContentType(
                hint: isSecret ? [.hiddenText, .sensitiveData] : .none,
                purpose: ZwpTextInputV3.ContentPurpose(rawValue: type.rawValue)))
        if let text = responder.textBeforeCursor?.lastForWire {
            let end = Int32(text.utf8.count)
            proxy.send(.setSurroundingText(text: text, cursor: end, anchor: end))
        }
        if let rect = window.caretInWindow {
            proxy.send(
                .setCursorRectangle(
                    x: wholePoints(rect.minX), y: wholePoints(rect.minY), width: wholePoints(rect.width),
                    height: wholePoints(rect.height)))
        }
        proxy.send(.commit)
    }

    // MARK: Events

    private func receive(_ event: ZwpTextInputV3.Event) {
        var entered: Window?
        if case .enter(let id) = event { entered = application.surfaces[id]?.window }
        application.enqueue { [weak self] in self?.handle(event, entered) }
    }

    private func handle(_ event: ZwpTextInputV3.Event, _ entered: Window?) {
        switch event {
        case .enter:
            window = entered
            isEnabled = false
            if window?.isEditing == true {
                start()
                describe()
            }
        case .leave:
            mark("")
            window = nil
            isEnabled = false
        case .preeditString(let text, _, _): newMarked = text ?? ""
        case .commitString(let text): insertion = text ?? ""
        case .deleteSurroundingText(let before, _): deletion = before
        case .done: apply()
        }
    }

    /// Applies changes in the protocol's order: marked text is removed, then deletion, insertion, and the new marked
    /// text.
    private func apply() {
        let (deletes, text, newMark) = (deletedCharacters, insertion, newMarked)
        (deletion, insertion, newMarked) = (0, "", "")
        guard let window, isEnabled, !window.isClosed, let responder = window.textResponder else { return }
        if deletes > 0 || !text.isEmpty { mark("") }
        for _ in 0..<deletes { responder.deleteBackward() }
        if !text.isEmpty { responder.insertText(text) }
        mark(newMark)
    }

    /// How many characters the deleted bytes are; one when the surrounding text is unknown.
    private var deletedCharacters: Int {
        guard deletion > 0, let text = window?.textResponder?.textBeforeCursor else { return deletion > 0 ? 1 : 0 }
        var (rest, bytes, count) = (text[...], Int(deletion), 0)
        while bytes > 0, let last = rest.popLast() {
            bytes -= last.utf8.count
            count += 1
        }
        return count
    }

    private func mark(_ text: String) {
        guard text != marked else { return }
        marked = text
        responder?.setMarkedText(text)
    }
}

extension String {
    /// The end of the text, made valid for the wire like `forWire`.
    fileprivate var lastForWire: String {
        String(String.UnicodeScalarView(unicodeScalars.filter { $0.value != 0 }.suffix(900)))
    }
}
