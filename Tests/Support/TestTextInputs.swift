// Text fields of the earlier versions of text-input, and the events that they receive.

import MullionWayland

/// zwp_text_input_v1 that records a line per event.
public final class TestTextInputV1 {
    public let proxy: Proxy<ZwpTextInputV1>
    public let seat: Proxy<WlSeat>
    private var lines: [String] = []

    public init(_ client: TestClient) throws {
        let manager = try client.bind(ZwpTextInputManagerV1.self)
        seat = try client.bind(WlSeat.self)
        proxy = Proxy(client.connection, version: 1)
        manager.send(.createTextInput(id: proxy.id))
        proxy.onEvent = { [weak self] in self?.heard($0) }
    }

    public func activate(_ surface: Proxy<WlSurface>) { proxy.send(.activate(seat: seat.id, surface: surface.id)) }
    public func deactivate() { proxy.send(.deactivate(seat: seat.id)) }

    /// Takes the events since the last call.
    public func take() -> [String] {
        defer { lines = [] }
        return lines
    }

    private func heard(_ event: ZwpTextInputV1.Event) {
        switch event {
        case .enter(let surface): lines.append("enter \(surface)")
        case .leave: lines.append("leave")
        case .preeditString(let serial, let text, let commit): lines.append("preedit \(serial) \(text)|\(commit)")
        case .preeditStyling(let index, let length, let style):
            lines.append("style \(index) \(length) \(style.rawValue)")
        case .preeditCursor(let index): lines.append("cursor \(index)")
        case .commitString(let serial, let text): lines.append("commit \(serial) \(text)")
        case .deleteSurroundingText(let index, let length): lines.append("delete \(index) \(length)")
        case .modifiersMap, .inputPanelState, .cursorPosition, .keysym, .language, .textDirection:
            lines.append("unexpected")
        }
    }
}

/// zwp_text_input_v2 that records a line per event.
public final class TestTextInputV2 {
    public let proxy: Proxy<ZwpTextInputV2>
    /// Of the last enter.
    public private(set) var serial: UInt32 = 0
    private var lines: [String] = []

    public init(_ client: TestClient) throws {
        let manager = try client.bind(ZwpTextInputManagerV2.self)
        let seat = try client.bind(WlSeat.self)
        proxy = Proxy(client.connection, version: 1)
        manager.send(.getTextInput(id: proxy.id, seat: seat.id))
        manager.send(.destroy)
        proxy.onEvent = { [weak self] in self?.heard($0) }
    }

    /// Sets a state with the serial of the last enter, or another.
    public func update(
        _ state: ZwpTextInputV2.Request..., serial: UInt32? = nil, reason: ZwpTextInputV2.UpdateState = .change
    ) {
        for request in state { proxy.send(request) }
        proxy.send(.updateState(serial: serial ?? self.serial, reason: reason))
    }

    /// Takes the events since the last call.
    public func take() -> [String] {
        defer { lines = [] }
        return lines
    }

    private func heard(_ event: ZwpTextInputV2.Event) {
        switch event {
        case .enter(let serial, let surface):
            self.serial = serial
            lines.append("enter \(surface)")
        case .leave(_, let surface): lines.append("leave \(surface)")
        case .preeditString(let text, let commit): lines.append("preedit \(text)|\(commit)")
        case .preeditStyling(let index, let length, let style):
            lines.append("style \(index) \(length) \(style.rawValue)")
        case .preeditCursor(let index): lines.append("cursor \(index)")
        case .commitString(let text): lines.append("commit \(text)")
        case .deleteSurroundingText(let before, let after): lines.append("delete \(before) \(after)")
        case .inputPanelState, .cursorPosition, .modifiersMap, .keysym, .language, .textDirection,
            .configureSurroundingText, .inputMethodChanged:
            lines.append("unexpected")
        }
    }
}
