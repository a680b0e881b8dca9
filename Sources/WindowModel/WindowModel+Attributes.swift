// The attributes of a window (W1). Setting the current value again changes nothing and records no effect.

import MullionGeometry

extension WindowModel {
    /// W6: in points of the window's screen; may lie outside it. Does not reorder (W3).
    public func setFrame(_ frame: Rect, of id: Window.ID) throws(ModelError) {
        let window = try node(id)
        try Self.validate(frame: frame)
        window.takesBounds = false
        applyFrame(frame, to: window)
    }

    /// V1: asks for the window to be shown or hidden.
    public func setHidden(_ isHidden: Bool, of id: Window.ID) throws(ModelError) {
        let window = try node(id)
        guard isHidden else { return show(window) }
        guard !window.value.isHidden else { return }
        let wanted = window.wantsVisible
        window.value.isHidden = true
        record(.hidden, of: window)
        visibilityDidChange(window, wanted: wanted)
    }

    func show(_ window: WindowNode) {
        guard window.value.isHidden else { return }
        let wanted = window.wantsVisible
        window.value.isHidden = false
        record(.hidden, of: window)
        visibilityDidChange(window, wanted: wanted)
    }

    /// 0…1; does not affect visibility (V1).
    public func setAlpha(_ alpha: Double, of id: Window.ID) throws(ModelError) {
        let window = try node(id)
        guard (0...1).contains(alpha) else { throw .invalid(.w1, "alpha \(alpha) must be within 0…1") }
        guard alpha != window.value.alpha else { return }
        window.value.alpha = alpha
        record(.alpha, of: window)
        didChange(window)
    }

    /// C2; nil: none. Components 0…1.
    public func setBackgroundColor(_ color: Color?, of id: Window.ID) throws(ModelError) {
        let window = try node(id)
        if let color {
            guard [color.red, color.green, color.blue, color.alpha].allSatisfy((0...1).contains) else {
                throw .invalid(.w1, "the components of a colour must be within 0…1")
            }
        }
        guard color != window.value.backgroundColor else { return }
        window.value.backgroundColor = color
        didChange(window)
    }

    /// Applied about the frame's centre; must be finite. A window with a degenerate one shows nothing and is never hit
    /// (H1).
    public func setTransform(_ transform: AffineTransform, of id: Window.ID) throws(ModelError) {
        let window = try node(id)
        guard transform.isFinite else { throw .invalid(.w1, "a transform must be finite") }
        guard transform != window.value.transform else { return }
        window.value.transform = transform
        didChange(window)
    }

    /// E8: when false, events fall through to the windows behind.
    public func setUserInteractionEnabled(_ isEnabled: Bool, of id: Window.ID) throws(ModelError) {
        let window = try node(id)
        guard isEnabled != window.value.isUserInteractionEnabled else { return }
        window.value.isUserInteractionEnabled = isEnabled
        record(.userInteractionEnabled, of: window)
        didChange(window)
    }

    /// E8: disables interaction until the token is passed to `enableInteraction`; may be called by several parties.
    public func disableInteraction(_ id: Window.ID) throws(ModelError) -> Window.InteractionToken {
        let window = try node(id)
        let serial = nextToken()
        let tookInteraction = window.value.takesInteraction
        window.disablers.append(serial)
        window.value.interactionDisablers += 1
        if tookInteraction { record(.userInteractionEnabled, of: window) }
        didChange(window)
        return Window.InteractionToken(window: id, serial: serial)
    }

    /// E8: gives a token back.
    public func enableInteraction(_ token: Window.InteractionToken) throws(ModelError) {
        let window = try node(token.window)
        guard let index = window.disablers.firstIndex(of: token.serial) else {
            throw .notAllowed(.e8, "this token of window \(token.window) was already released")
        }
        window.disablers.remove(at: index)
        window.value.interactionDisablers -= 1
        if window.value.takesInteraction { record(.userInteractionEnabled, of: window) }
        didChange(window)
    }

    /// R2: which parts change when the screen's bounds change.
    public func setAutoresizing(_ autoresizing: Window.Autoresizing, of id: Window.ID) throws(ModelError) {
        let window = try node(id)
        guard autoresizing != window.value.autoresizing else { return }
        window.value.autoresizing = autoresizing
        record(.autoresizing, of: window)
    }

    /// R2: whether the window gets the screen's bounds when these change, whatever its frame is.
    /// - Parameter margins: what it leaves free at the edges, in points: for its title bar, or for panels.
    public func setFillsScreen(
        _ fillsScreen: Bool, of id: Window.ID, leaving margins: Screen.Insets = Screen.Insets()
    ) throws(ModelError) {
        let window = try node(id)
        try Self.validate(margins: margins)
        window.value.fillsScreen = fillsScreen
        window.value.margins = fillsScreen && margins != Screen.Insets() ? margins : nil
    }

    static func validate(margins: Screen.Insets) throws(ModelError) {
        guard margins.isValid else { throw .invalid(.r2, "a window's margins must be finite and not negative") }
    }

    /// C3.
    public func setClipsToBounds(_ clips: Bool, of id: Window.ID) throws(ModelError) {
        let window = try node(id)
        guard clips != window.value.clipsToBounds else { return }
        window.value.clipsToBounds = clips
        didChange(window)
    }

    /// The window's title in lists.
    public func setTitle(_ title: String, of id: Window.ID) throws(ModelError) {
        let window = try node(id)
        guard title != window.value.title else { return }
        window.value.title = title
        record(.title, of: window)
    }

    /// Records that the program gave the window another application id, which the model does not keep.
    public func applicationIDDidChange(of id: Window.ID) {
        if let window = windowNodes[id] { record(.applicationID, of: window) }
    }

    func record(_ property: Window.Property, of window: WindowNode) {
        record(.windowDidChange(window.id, window.value.application, property))
    }

    func applyFrame(_ frame: Rect, to window: WindowNode) {
        window.takesBounds = false
        guard frame != window.value.frame else { return }
        window.value.frame = frame
        record(.frameDidChange(window.id, window.value.application))
        didChange(window)
    }

    /// Called when the window's appearance or hit area has changed.
    func didChange(_ window: WindowNode) {
        if window.isWatched { changedWatchedWindows.insert(window.id) }
        guard window.value.isVisible else {
            hiddenWindowsChanged = true
            return
        }
        markBox(window)
        changed(window.screen)
    }
}
