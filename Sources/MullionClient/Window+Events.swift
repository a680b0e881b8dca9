// What happens to a window.

import Geometry
import Wayland

extension Window {
    /// Whom the window tells.
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

    /// Called when the window became visible; `isVisible` already reads so (V2).
    public var onDidBecomeVisible: (() -> Void)? {
        get { callbacks.didBecomeVisible }
        set { callbacks.didBecomeVisible = newValue }
    }
    /// Called when the window became invisible; `isVisible` already reads so (V2).
    public var onDidBecomeHidden: (() -> Void)? {
        get { callbacks.didBecomeHidden }
        set { callbacks.didBecomeHidden = newValue }
    }
    /// Called when the window became key (K2, K3).
    public var onDidBecomeKey: (() -> Void)? {
        get { callbacks.didBecomeKey }
        set { callbacks.didBecomeKey = newValue }
    }
    /// Called when the window is key no longer (K2, K5).
    public var onDidResignKey: (() -> Void)? {
        get { callbacks.didResignKey }
        set { callbacks.didResignKey = newValue }
    }
    /// Called when somebody else changed the frame: rotation, autoresizing, the control API (R2).
    public var onFrameDidChange: (() -> Void)? {
        get { callbacks.frameDidChange }
        set { callbacks.frameDidChange = newValue }
    }
    /// Called when the window came to another screen, or to none because its screen was unplugged (S8).
    public var onScreenDidChange: (() -> Void)? {
        get { callbacks.screenDidChange }
        set { callbacks.screenDidChange = newValue }
    }
    /// Called when somebody asks the window to close; the application decides.
    public var onClose: (() -> Void)? {
        get { callbacks.close }
        set { callbacks.close = newValue }
    }
    /// Called when the server's policy refused a level or a screen, with the reason; nothing has changed by it.
    public var onRefused: ((String) -> Void)? {
        get { callbacks.refused }
        set { callbacks.refused = newValue }
    }
    /// Called for hovering, clicks and scrolling under the pointer, as wl_pointer tells them (E5): see `onTouches`,
    /// `onHover` and `onScroll` for UIKit's way.
    public var onPointer: ((PointerEvent) -> Void)? {
        get { callbacks.pointer }
        set { callbacks.pointer = newValue }
    }
    /// Called for keys with the modifiers in force, as wl_keyboard tells them (E3): see `onPress` for UIKit's way.
    public var onKey: ((KeyEvent) -> Void)? {
        get { callbacks.key }
        set { callbacks.key = newValue }
    }
    /// Called when keys begin (true) or cease (false) to come to this window.
    public var onKeyboardFocusDidChange: ((Bool) -> Void)? {
        get { callbacks.keyboardFocus }
        set { callbacks.keyboardFocus = newValue }
    }

    /// Keeps the event for its turn; the screen it names is looked up now, while its number means that screen.
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
