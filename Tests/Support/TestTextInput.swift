// Text fields and input methods of test clients, and the events that they receive.

import MullionWayland

/// zwp_text_input_v3 that records a line per event.
public final class TestTextInput {
    public let proxy: Proxy<ZwpTextInputV3>
    public private(set) var lines: [String] = []
    /// The contents of a text field: everything that was inserted.
    public private(set) var text = ""

    public init(_ client: TestClient, seat: Proxy<WlSeat>? = nil) throws {
        let manager = try client.bind(ZwpTextInputManagerV3.self)
        let seat = try seat ?? client.bind(WlSeat.self)
        proxy = Proxy(client.connection, version: 1)
        manager.send(.getTextInput(id: proxy.id, seat: seat.id))
        manager.send(.destroy)
        proxy.onEvent = { [weak self] event in
            guard let self else { return }
            switch event {
            case .enter(let surface): lines.append("enter \(surface)")
            case .leave(let surface): lines.append("leave \(surface)")
            case .preeditString(let text, let begin, let end): lines.append("preedit \(text ?? "-") \(begin)…\(end)")
            case .commitString(let text):
                lines.append("commit \(text ?? "-")")
                self.text += text ?? ""
            case .deleteSurroundingText(let before, let after): lines.append("delete \(before) \(after)")
            case .done(let serial): lines.append("done \(serial)")
            }
        }
    }

    /// Enables the field with a state, at once.
    public func enable(_ state: ZwpTextInputV3.Request...) {
        proxy.send(.enable)
        for request in state { proxy.send(request) }
        proxy.send(.commit)
    }

    /// Sends requests and commits them.
    public func commit(_ state: ZwpTextInputV3.Request...) {
        for request in state { proxy.send(request) }
        proxy.send(.commit)
    }

    /// Takes the events since the last call.
    public func takeLines() -> [String] {
        defer { lines = [] }
        return lines
    }
}

/// zwp_input_method_v2 that records a line per event.
public final class TestInputMethod {
    public let proxy: Proxy<ZwpInputMethodV2>
    public private(set) var lines: [String] = []
    /// The number of done events so far.
    public private(set) var serial: UInt32 = 0
    private let client: TestClient

    public init(_ client: TestClient, seat: Proxy<WlSeat>? = nil) throws {
        self.client = client
        let manager = try client.bind(ZwpInputMethodManagerV2.self)
        let seat = try seat ?? client.bind(WlSeat.self)
        proxy = Proxy(client.connection, version: 1)
        manager.send(.getInputMethod(seat: seat.id, inputMethod: proxy.id))
        manager.send(.destroy)
        proxy.onEvent = { [weak self] event in
            guard let self else { return }
            switch event {
            case .activate: lines.append("activate")
            case .deactivate: lines.append("deactivate")
            case .surroundingText(let text, let cursor, let anchor): lines.append("text \(text) \(cursor) \(anchor)")
            case .textChangeCause(let cause): lines.append("cause \(cause.rawValue)")
            case .contentType(let hint, let purpose): lines.append("type \(hint.rawValue) \(purpose.rawValue)")
            case .done:
                serial += 1
                lines.append("done")
            case .unavailable: lines.append("unavailable")
            }
        }
    }

    /// Sends requests and commits them with the last serial, or another.
    public func commit(_ requests: ZwpInputMethodV2.Request..., serial: UInt32? = nil) {
        for request in requests { proxy.send(request) }
        proxy.send(.commit(serial: serial ?? self.serial))
    }

    /// Takes the events since the last call.
    public func takeLines() -> [String] {
        defer { lines = [] }
        return lines
    }

    /// A pop-up of one colour beside the cursor.
    public func popup(_ argb: UInt32, width: Int32, height: Int32) throws -> TestInputPopup {
        let popup = TestInputPopup(client, self)
        try client.attach(argb, width: width, height: height, to: popup.surface)
        popup.surface.send(.commit)
        return popup
    }

    /// Takes the keys.
    public func grab() -> TestKeyboardGrab { TestKeyboardGrab(client, self) }
}

/// zwp_input_popup_surface_v2 with its surface.
public final class TestInputPopup {
    public let surface: Proxy<WlSurface>
    public let proxy: Proxy<ZwpInputPopupSurfaceV2>
    /// Every position of the cursor that was sent, in the pop-up's coordinates.
    public private(set) var rectangles: [String] = []

    init(_ client: TestClient, _ method: TestInputMethod) {
        surface = client.surface()
        proxy = Proxy(client.connection, version: 1)
        method.proxy.send(.getInputPopupSurface(id: proxy.id, surface: surface.id))
        proxy.onEvent = { [weak self] event in
            if case .textInputRectangle(let x, let y, let width, let height) = event {
                self?.rectangles.append("\(x),\(y) \(width)x\(height)")
            }
        }
    }
}

/// zwp_input_method_keyboard_grab_v2 that records a line per event.
public final class TestKeyboardGrab {
    public let proxy: Proxy<ZwpInputMethodKeyboardGrabV2>
    public private(set) var lines: [String] = []
    public private(set) var keymapSize: UInt32 = 0

    init(_ client: TestClient, _ method: TestInputMethod) {
        proxy = Proxy(client.connection, version: 1)
        method.proxy.send(.grabKeyboard(keyboard: proxy.id))
        proxy.onEvent = { [weak self] event in
            guard let self else { return }
            switch event {
            case .keymap(let format, _, let size):
                keymapSize = size
                lines.append("keymap \(format.rawValue)")
            case .key(_, _, let key, let state): lines.append("key \(key) \(state.rawValue)")
            case .modifiers(_, let depressed, _, _, _): lines.append("modifiers \(depressed)")
            case .repeatInfo(let rate, let delay): lines.append("repeat \(rate) \(delay)")
            }
        }
    }

    /// Takes the events since the last call.
    public func takeLines() -> [String] {
        defer { lines = [] }
        return lines
    }
}
