// What happens to a window.

import MullionGeometry
import MullionWayland

/// What happens to a window.
public enum WindowEvent: Sendable {
    /// It became visible; `isVisible` is already true (V2).
    case didBecomeVisible
    /// It became invisible; `isVisible` is already false (V2).
    case didBecomeHidden
    /// It became key (K2, K3).
    case didBecomeKey
    /// It resigned key (K2, K5).
    case didResignKey
    /// The server changed its frame: by rotation, autoresizing or the control API (R2).
    case frameDidChange
    /// Somebody else changed its level, visibility, opacity, title, interaction, autoresizing or place in the order,
    /// through the control API for example; the properties are already new.
    case propertiesDidChange
    /// It moved to another screen, or to none because its screen was unplugged (S8).
    case screenDidChange
    /// It is requested to close; the application decides.
    case shouldClose
    /// The server has closed it, because somebody destroyed it through the control API; `isClosed` is already true.
    case didClose
    /// The server's policy refused a level or a screen; nothing has changed.
    case changeWasRefused(reason: String)
    /// Input to the window, reduced to its own touches.
    case event(Event)
    /// The pointer, as in wl_pointer (E5).
    case pointer(PointerEvent)
    /// A key with the text that it enters, as in wl_keyboard (E3).
    case key(KeyEvent)
    /// It gained (true) or lost (false) keyboard focus.
    case keyboardFocusDidChange(Bool)
    /// Text was entered into the window itself.
    case insertText(String)
    /// The character before the cursor of the text in the window itself was deleted.
    case deleteBackward
    /// The text being composed at the cursor of the window itself changed; empty when there is none.
    case markedText(String)
}

extension Window {
    /// What happens to the window, as a sequence that ends when it is closed.
    public var events: AsyncStream<WindowEvent> { observers.stream() }

    /// Calls `body` for everything that happens to the window, before the callbacks for one kind of event that were
    /// added later.
    @discardableResult
    public func onEvent(_ body: @escaping (WindowEvent) -> Void) -> Observation { observers.add(body) }

    /// Calls `body` when the window became visible; `isVisible` is already true (V2).
    @discardableResult
    public func onDidBecomeVisible(_ body: @escaping () -> Void) -> Observation {
        onEvent { if case .didBecomeVisible = $0 { body() } }
    }

    /// Calls `body` when the window became invisible; `isVisible` is already false (V2).
    @discardableResult
    public func onDidBecomeHidden(_ body: @escaping () -> Void) -> Observation {
        onEvent { if case .didBecomeHidden = $0 { body() } }
    }

    /// Calls `body` when the window became key (K2, K3).
    @discardableResult
    public func onDidBecomeKey(_ body: @escaping () -> Void) -> Observation {
        onEvent { if case .didBecomeKey = $0 { body() } }
    }

    /// Calls `body` when the window resigned key (K2, K5).
    @discardableResult
    public func onDidResignKey(_ body: @escaping () -> Void) -> Observation {
        onEvent { if case .didResignKey = $0 { body() } }
    }

    /// Calls `body` when the server changed the frame: by rotation, autoresizing or the control API (R2).
    @discardableResult
    public func onFrameDidChange(_ body: @escaping () -> Void) -> Observation {
        onEvent { if case .frameDidChange = $0 { body() } }
    }

    /// Calls `body` when the window moved to another screen, or to none (S8).
    @discardableResult
    public func onScreenDidChange(_ body: @escaping () -> Void) -> Observation {
        onEvent { if case .screenDidChange = $0 { body() } }
    }

    /// Calls `body` when the window is requested to close; the application decides.
    @discardableResult
    public func onClose(_ body: @escaping () -> Void) -> Observation {
        onEvent { if case .shouldClose = $0 { body() } }
    }

    /// Calls `body` when the server has closed the window, because somebody destroyed it through the control API;
    /// `isClosed` is already true. Not called for `close()`.
    @discardableResult
    public func onDidClose(_ body: @escaping () -> Void) -> Observation {
        onEvent { if case .didClose = $0 { body() } }
    }

    /// Calls `body` when the server's policy refused a level or a screen, with the reason; nothing has changed.
    @discardableResult
    public func onRefused(_ body: @escaping (String) -> Void) -> Observation {
        onEvent { if case .changeWasRefused(let value) = $0 { body(value) } }
    }

    /// Calls `body` for all input to the window, before its views and recognisers get it (UIKit: sendEvent).
    @discardableResult
    public func onInput(_ body: @escaping (Event) -> Void) -> Observation {
        onEvent { if case .event(let value) = $0 { body(value) } }
    }

    /// Calls `body` for the pointer, as in wl_pointer (E5); see `onInput` for UIKit's events.
    @discardableResult
    public func onPointer(_ body: @escaping (PointerEvent) -> Void) -> Observation {
        onEvent { if case .pointer(let value) = $0 { body(value) } }
    }

    /// Calls `body` for keys with the text that they enter, as in wl_keyboard (E3).
    @discardableResult
    public func onKey(_ body: @escaping (KeyEvent) -> Void) -> Observation {
        onEvent { if case .key(let value) = $0 { body(value) } }
    }

    /// Calls `body` when this window gains (true) or loses (false) keyboard focus.
    @discardableResult
    public func onKeyboardFocusDidChange(_ body: @escaping (Bool) -> Void) -> Observation {
        onEvent { if case .keyboardFocusDidChange(let value) = $0 { body(value) } }
    }

    /// Calls `body` with text entered into the window itself, while it edits text: see `beginEditing`.
    @discardableResult
    public func onInsertText(_ body: @escaping (String) -> Void) -> Observation {
        onEvent { if case .insertText(let value) = $0 { body(value) } }
    }

    /// Calls `body` when the character before the cursor is deleted, while the window itself edits text.
    @discardableResult
    public func onDeleteBackward(_ body: @escaping () -> Void) -> Observation {
        onEvent { if case .deleteBackward = $0 { body() } }
    }

    /// Calls `body` when the text being composed at the cursor changes, while the window itself edits text.
    @discardableResult
    public func onMarkedText(_ body: @escaping (String) -> Void) -> Observation {
        onEvent { if case .markedText(let value) = $0 { body(value) } }
    }

    /// Calls `body` for touches that began in this window, wherever they move. Contains all active touches, each with
    /// its phase (E1).
    @discardableResult
    public func onTouches(_ body: @escaping ([Touch], Event) -> Void) -> Observation {
        onInput { if case .touches(let touches) = $0.content { body(touches, $0) } }
    }

    /// Reports to the window's callbacks, then to the application's.
    func notify(_ event: WindowEvent, _ whole: ApplicationEvent?) {
        observers.notify(event)
        if let whole { application.observers.notify(whole) }
    }

    /// Queues the event; the screen it names is looked up now, while its id is valid.
    func receive(_ event: MullionWindowV1.Event) {
        var screen: Screen?
        var sequence = 0
        switch event {
        case .screenDidChange(let id?): screen = application.screensByID[id]?.screen
        case .didBecomeVisible: reported.isVisible = true
        case .didBecomeHidden: reported.isVisible = false
        case .didBecomeKey: reported.isKey = true
        case .didResignKey: reported.isKey = false
        case .cameToFront:
            sequence = application.nextSequence()
            reported.sequence = sequence
        default: break
        }
        application.enqueue { [weak self] in self?.handle(event, screen: screen, sequence: sequence) }
    }

    private func handle(_ event: MullionWindowV1.Event, screen: Screen?, sequence: Int) {
        guard !isClosed else { return }
        switch event {
        case .didBecomeVisible:
            delivered.isVisible = true
            notify(.didBecomeVisible, .windowDidBecomeVisible(self))
        case .didBecomeHidden:
            delivered.isVisible = false
            application.eventDelivery.arbiter.reset { $0.window === self }
            notify(.didBecomeHidden, .windowDidBecomeHidden(self))
        case .didBecomeKey:
            delivered.isKey = true
            becomeKey()
            notify(.didBecomeKey, .windowDidBecomeKey(self))
        case .didResignKey:
            delivered.isKey = false
            resignKey()
            notify(.didResignKey, .windowDidResignKey(self))
        case .frameDidChange(let x, let y, let width, let height):
            let frame = Rect(x: x.double, y: y.double, width: width.double, height: height.double)
            takesBounds = false
            guard receive(.frame, { replaceFrame(frame) }) else { return }
            notify(.frameDidChange, .windowFrameDidChange(self))
        case .screenDidChange:
            guard receive(.screen, { storedScreen = screen }) else { return }
            screenScaleMayHaveChanged()
            notify(.screenDidChange, .windowScreenDidChange(self))
        case .destroyed:
            destroy()
            notify(.didClose, .windowDidClose(self))
            observers.finish()
        case .close:
            notify(.shouldClose, .windowShouldClose(self))
        case .refused(let reason):
            notify(.changeWasRefused(reason: reason), .windowChangeWasRefused(self, reason: reason))
        case .committed(let commits):
            requests.appliedCommits = commits
        case .cameToFront:
            delivered.sequence = sequence
            wasCreated()
            notify(.propertiesDidChange, nil)
        case .levelDidChange(let value):
            receive(.level) { storedLevel = WindowLevel(rawValue: value.double) ?? storedLevel }
        case .hiddenDidChange(let value): receive(.hidden) { isHiddenWish = value == 1 }
        case .alphaDidChange(let value):
            // Nine digits: what was sent as 0.25 reads so.
            receive(.alpha) { alpha = (Double(value) / Double(UInt32.max) * 1e9).rounded() / 1e9 }
        case .titleDidChange(let value): receive(.title) { storedTitle = value }
        case .userInteractionEnabledDidChange(let value):
            receive(.interaction) { isUserInteractionEnabled = value == 1 }
        case .autoresizingDidChange(let mask):
            receive(.autoresizing) { autoresizingMask = AutoresizingMask(rawValue: UInt8(mask.rawValue & 63)) }
        }
    }

    /// Called when the server has created the window: on the screen that was the main one by then if none was given, with
    /// the bounds that the screen had by then. One that was unplugged is no screen (S9), which the server has said.
    private func wasCreated() {
        guard case .requested(let given) = requests.creation else { return }
        requests.creation = .done
        let screen = given == nil ? application.mainScreen : given?.isConnected == true ? given : nil
        if given == nil, !requests.wasRequested(.screen), storedScreen !== screen {
            storedScreen = screen
            screenScaleMayHaveChanged()
            notify(.screenDidChange, .windowScreenDidChange(self))
        }
        guard !requests.wasRequested(.frame) else { return }
        // Without a screen, it has the bounds of the one requested since.
        let first = screen ?? (requests.wasRequested(.screen) ? storedScreen : nil)
        takesBounds = first == nil
        let frame = Rect(origin: .zero, size: first?.bounds.size ?? .zero)
        if storedFrame != frame {
            replaceFrame(frame)
            notify(.frameDidChange, .windowFrameDidChange(self))
        }
    }

    /// Sets a property to a value from the server, unless a request of this program comes after it.
    /// - Returns: whether it was set.
    @discardableResult
    private func receive(_ property: Property, _ set: () -> Void) -> Bool {
        guard requests.isSettled(property) else { return false }
        requests.beginReceiving()
        set()
        requests.endReceiving()
        if property != .frame, property != .screen { notify(.propertiesDidChange, nil) }
        return true
    }
}
