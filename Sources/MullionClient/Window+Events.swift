// Events of a window.

import Geometry
import Wayland

extension Window {
    /// The window's event callbacks.
    struct Callbacks {
        var didBecomeVisible: (() -> Void)?
        var didBecomeHidden: (() -> Void)?
        var didBecomeKey: (() -> Void)?
        var didResignKey: (() -> Void)?
        var frameDidChange: (() -> Void)?
        var screenDidChange: (() -> Void)?
        var close: (() -> Void)?
        var refused: ((String) -> Void)?
        var event: ((Event) -> Void)?
        var touches: (([Touch], Event) -> Void)?
        var press: ((Press, Event) -> Void)?
        var motion: ((Motion, Event) -> Void)?
        var scroll: ((Scroll, Event) -> Void)?
        var hover: ((Hover, Event) -> Void)?
        var transform: ((Transform, Event) -> Void)?
        var pointer: ((PointerEvent) -> Void)?
        var key: ((KeyEvent) -> Void)?
        var keyboardFocus: ((Bool) -> Void)?
        var insertText: ((String) -> Void)?
        var deleteBackward: (() -> Void)?
        var markedText: ((String) -> Void)?
    }

    /// Called when the window became visible; `isVisible` is already true (V2).
    public var onDidBecomeVisible: (() -> Void)? {
        get { callbacks.didBecomeVisible }
        set { callbacks.didBecomeVisible = newValue }
    }
    /// Called when the window became invisible; `isVisible` is already false (V2).
    public var onDidBecomeHidden: (() -> Void)? {
        get { callbacks.didBecomeHidden }
        set { callbacks.didBecomeHidden = newValue }
    }
    /// Called when the window became key (K2, K3).
    public var onDidBecomeKey: (() -> Void)? {
        get { callbacks.didBecomeKey }
        set { callbacks.didBecomeKey = newValue }
    }
    /// Called when the window resigned key (K2, K5).
    public var onDidResignKey: (() -> Void)? {
        get { callbacks.didResignKey }
        set { callbacks.didResignKey = newValue }
    }
    /// Called when the server changed the frame: by rotation, autoresizing or the control API (R2).
    public var onFrameDidChange: (() -> Void)? {
        get { callbacks.frameDidChange }
        set { callbacks.frameDidChange = newValue }
    }
    /// Called when the window moved to another screen, or to none because its screen was unplugged (S8).
    public var onScreenDidChange: (() -> Void)? {
        get { callbacks.screenDidChange }
        set { callbacks.screenDidChange = newValue }
    }
    /// Called when the window is requested to close; the application decides.
    public var onClose: (() -> Void)? {
        get { callbacks.close }
        set { callbacks.close = newValue }
    }
    /// Called when the server's policy refused a level or a screen, with the reason; nothing has changed.
    public var onRefused: ((String) -> Void)? {
        get { callbacks.refused }
        set { callbacks.refused = newValue }
    }
    /// Called for hovering, clicks and scrolling under the pointer, as in wl_pointer (E5). See `onTouches`, `onHover`
    /// and `onScroll` for UIKit's events.
    public var onPointer: ((PointerEvent) -> Void)? {
        get { callbacks.pointer }
        set { callbacks.pointer = newValue }
    }
    /// Called for keys with the active modifiers, as in wl_keyboard (E3). See `onPress` for UIKit's events.
    public var onKey: ((KeyEvent) -> Void)? {
        get { callbacks.key }
        set { callbacks.key = newValue }
    }
    /// Called when this window gains (true) or loses (false) keyboard focus.
    public var onKeyboardFocusDidChange: ((Bool) -> Void)? {
        get { callbacks.keyboardFocus }
        set { callbacks.keyboardFocus = newValue }
    }

    /// Queues the event; the screen it names is looked up now, while its id is valid.
    func receive(_ event: MullionWindowV1.Event) {
        var screen: Screen?
        if case .screenDidChange(let id?) = event { screen = application.screensByID[id]?.screen }
        application.enqueue { [weak self] in self?.handle(event, screen: screen) }
    }

    private func handle(_ event: MullionWindowV1.Event, screen: Screen?) {
        guard !isClosed else { return }
        switch event {
        case .didBecomeVisible:
            isVisible = true
            sequence = application.nextSequence()
            callbacks.didBecomeVisible?()
            application.onEvent?(.windowDidBecomeVisible(self))
        case .didBecomeHidden:
            isVisible = false
            callbacks.didBecomeHidden?()
            application.onEvent?(.windowDidBecomeHidden(self))
        case .didBecomeKey:
            isKeyWindow = true
            callbacks.didBecomeKey?()
            application.onEvent?(.windowDidBecomeKey(self))
        case .didResignKey:
            isKeyWindow = false
            callbacks.didResignKey?()
            application.onEvent?(.windowDidResignKey(self))
        case .frameDidChange(let x, let y, let width, let height):
            storedFrame = Rect(x: x.double, y: y.double, width: width.double, height: height.double)
            callbacks.frameDidChange?()
            application.onEvent?(.windowFrameDidChange(self))
        case .screenDidChange:
            if isVisible, screen != nil { sequence = application.nextSequence() }
            storedScreen = screen
            callbacks.screenDidChange?()
            application.onEvent?(.windowScreenDidChange(self))
        case .close:
            callbacks.close?()
            application.onEvent?(.windowShouldClose(self))
        case .refused(let reason):
            callbacks.refused?(reason)
        }
    }
}
