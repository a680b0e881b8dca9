// Views in views (C1).

extension View {
    /// Puts the view in front of all others (C1), removing it from its current superview. Does nothing for a view put
    /// inside itself. Ends the program for a window whose type does not say that it is one: a window is never put inside
    /// a window (W5).
    public func addSubview(_ view: View) { insertSubview(view, at: Int.max) }

    /// Inserts the view at this index of `subviews`, counted from the back (C1) and clamped.
    public func insertSubview(_ view: View, at index: Int) {
        guard accepts(view) else { return }
        let (old, new) = (view.window, window)
        if let old, old !== new { view.leave(old) }
        view.detach()
        subviews.insert(view, at: min(max(index, 0), subviews.count))
        view.superview = self
        view.setNeedsUpdate(deep: true)
        new?.viewOrderDidChange()
        if old !== new { view.windowDidChange() }
    }

    /// Puts the view directly in front of its sibling (C1), or in front of all others if that is not a sibling.
    public func insertSubview(_ view: View, above sibling: View) {
        guard view !== sibling, accepts(view) else { return }
        let rest = subviews.filter { $0 !== view }
        insertSubview(view, at: rest.firstIndex { $0 === sibling }.map { $0 + 1 } ?? Int.max)
    }

    /// Puts the view directly behind its sibling (C1), or behind all others if that is not a sibling.
    public func insertSubview(_ view: View, below sibling: View) {
        guard view !== sibling, accepts(view) else { return }
        let rest = subviews.filter { $0 !== view }
        insertSubview(view, at: rest.firstIndex { $0 === sibling } ?? 0)
    }

    /// Moves a subview in front of its siblings.
    public func bringSubviewToFront(_ view: View) {
        if view.superview === self { insertSubview(view, at: Int.max) }
    }

    /// Moves a subview behind its siblings.
    public func sendSubviewToBack(_ view: View) {
        if view.superview === self { insertSubview(view, at: 0) }
    }

    /// Removes the view from its superview; it may be added again anywhere.
    public func removeFromSuperview() {
        guard superview != nil else { return }
        let old = window
        if let old { leave(old) }
        detach()
        old?.viewOrderDidChange()
        windowDidChange()
    }

    /// Whether this view is the other one or contains it.
    public func contains(_ view: View) -> Bool {
        var ancestor: View? = view
        while let current = ancestor {
            if current === self { return true }
            ancestor = current.superview
        }
        return false
    }

    private func accepts(_ view: View) -> Bool {
        precondition(!(view is Window), "\(WindowInsideError())")
        return !view.contains(self)
    }

    /// Gives up what the view and those inside have in a window.
    private func leave(_ window: Window) {
        window.application.eventDelivery.abandon(self)
        if let responder = window.firstResponder as? View, contains(responder) { window.dismissFirstResponder() }
    }

    private func detach() {
        superview?.subviews.removeAll { $0 === self }
        superview?.setNeedsUpdate()
        superview = nil
    }

    /// Called when the view has entered another window or none: its layer belongs to the old one.
    private func windowDidChange() {
        layer?.destroy()
        layer = nil
        setNeedsDisplay()
        setNeedsUpdate(deep: true)
        didMoveToWindow()
        for view in subviews { view.windowDidChange() }
    }
}

extension View {
    // MARK: Windows

    /// Refuses a window, which is never put inside a window (W5).
    /// - Throws: `WindowInsideError`, always.
    public func addSubview(_ window: Window) throws(WindowInsideError) { throw WindowInsideError() }

    /// Refuses a window, which is never put inside a window (W5).
    /// - Throws: `WindowInsideError`, always.
    public func insertSubview(_ window: Window, at index: Int) throws(WindowInsideError) { throw WindowInsideError() }

    /// Refuses a window, which is never put inside a window (W5).
    /// - Throws: `WindowInsideError`, always.
    public func insertSubview(_ window: Window, above sibling: View) throws(WindowInsideError) {
        throw WindowInsideError()
    }

    /// Refuses a window, which is never put inside a window (W5).
    /// - Throws: `WindowInsideError`, always.
    public func insertSubview(_ window: Window, below sibling: View) throws(WindowInsideError) {
        throw WindowInsideError()
    }
}

extension View {
    // MARK: Gestures

    /// Lets a recogniser see the touches that begin from now on in this view and in its subviews; it leaves the view
    /// that it was attached to.
    public func addGestureRecognizer(_ recognizer: GestureRecognizer) {
        recognizer.view?.removeGestureRecognizer(recognizer)
        recognizer.view = self
        gestureRecognizers.append(recognizer)
    }

    /// Detaches a recogniser; it is reset without a further call.
    public func removeGestureRecognizer(_ recognizer: GestureRecognizer) {
        guard recognizer.view === self else { return }
        gestureRecognizers.removeAll { $0 === recognizer }
        recognizer.arbiter?.reset([recognizer])
        recognizer.view = nil
    }
}
