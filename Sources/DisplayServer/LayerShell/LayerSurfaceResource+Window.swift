// The window of a layer surface.

import MullionGeometry
import MullionWayland
import WindowModel

extension LayerSurfaceResource {
    /// - Parameter output: nil for the main screen. Without any screen (S2) the surface waits for the next one.
    func start(
        _ surface: SurfaceResource, shell: LayerShellResource, layer: LayerState.Layer, namespace: String,
        on output: OutputResource?
    ) {
        self.surface = surface
        self.shell = shell
        pending = LayerState(layer: layer)
        current = pending
        // S9: its screen was unplugged meanwhile.
        if let output, output.screen == nil { return close() }
        guard allows(layer) else { return close() }
        server.logErrors { () throws(ModelError) in
            var options = Window.Options.plain
            options.level = layer.level
            options.keyOnTouch = false
            options.frame = .zero
            options.title = namespace.cut(toBytes: connection.transport.limits.titleBytes)
            setCharge(namespace: options.title)
            let id = try server.model.createWindow(
                application: client.application, screen: output?.screen, options: options)
            window = id
            server.windows[id] = .layer(self)
            try server.model.setCanBecomeKey(false, of: id)
            try server.model.setRoot(surface.node, of: id)
            try server.model.setHidden(false, of: id)
            join(server.model.screen(of: id))
        }
    }

    /// W2: whether the policy allows windows of the layer's level.
    func allows(_ layer: LayerState.Layer) -> Bool {
        do {
            try client.checkLevel(layer.level)
            return true
        } catch {
            server.logRefusal(.policy, client.description, "\(error)", about: client.subject(rule: error.rule))
            return false
        }
    }

    // MARK: Layers

    /// The layers of its screen.
    var layers: ScreenLayers? { screen.flatMap { server.output(of: $0)?.layers } }

    var isVisible: Bool { window.map(server.model.isVisible) ?? false }

    /// Places it among the layers of a screen.
    func join(_ new: Screen.ID?) {
        layers?.remove(self)
        screen = new
        layers?.add(self)
    }

    /// Requests the size, and sets the frame: of the content's size or, before there is any, of the requested one.
    func place(by arrangement: LayerArrangement) {
        guard hasCommittedFirst, let window else { return }
        let wanted = arrangement.size(of: current)
        configure(wanted)
        let frame = arrangement.frame(of: current, size: surface?.size ?? wanted)
        server.logErrors { () throws(ModelError) in try server.model.setFrame(frame, of: window) }
    }

    // MARK: Commit

    /// Applies what the client has set since the last commit.
    func applyState() {
        guard pending != current, let window else { return }
        let old = current
        current = pending
        server.logErrors { () throws(ModelError) in
            if old.layer != current.layer { try server.model.setLevel(current.layer.level, of: window) }
            try updateKeyboard(of: window)
        }
        layers?.setNeedsArrangement()
    }

    /// K4, K7, K8.
    private func updateKeyboard(of window: Window.ID) throws(ModelError) {
        let canBecomeKey = current.keyboard != .none && client.permissions.xdg.contains(.key)
        try server.model.setKeyOnTouch(canBecomeKey, of: window)
        // A window that declines key passes it on as it does when it ends, so it holds it until then.
        if canBecomeKey != server.model.window(window)?.canBecomeKey {
            try server.model.setCanBecomeKey(canBecomeKey, of: window)
        }
        try server.model.setHoldsKey(canBecomeKey && current.holdsKey, of: window)
    }

    /// The client may choose another size than the requested one.
    func followContents(_ surface: SurfaceResource) {
        guard let window, let size = surface.size, size != server.model.frame(of: window)?.size else { return }
        layers?.setNeedsArrangement()
    }

    // MARK: Changes

    /// Called when the window was moved to another screen, or the first one appeared.
    func screenDidChange(_ new: Screen.ID?) {
        guard new != screen else { return }
        join(new)
    }

    /// Called when the window became visible or hidden: a hidden one has no exclusive zone.
    func visibilityDidChange() {
        if current.exclusiveEdge != nil { layers?.setNeedsArrangement() }
    }

    // MARK: Pop-ups

    func add(_ popup: PopupResource) throws(ProtocolError) {
        guard popup.isWithoutParent else {
            throw error(.invalidSurfaceState, "pop-up \(popup.id) has a parent, or was committed without one")
        }
        popup.layer = self
        popups.append(popup)
        if window == nil { popup.dismiss() }
    }

    func popupWasDestroyed(_ popup: PopupResource) { popups.removeAll { $0 === popup } }

    /// C3: dismisses the pop-ups of this surface, the topmost first.
    func dismissPopups() {
        for popup in popups.reversed() { popup.dismiss() }
    }

    // MARK: End

    /// Ends the surface for good: its screen is gone, or it should be closed. The client destroys it, and makes another
    /// one if it wants to.
    package func close() {
        guard !isClosed else { return }
        isClosed = true
        send(ZwlrLayerSurfaceV1.Event.closed)
        endWindow()
    }

    /// W7: destroys the window; the object remains until the client destroys it.
    func endWindow() {
        guard let window else { return }
        dismissPopups()
        // Its pop-ups find the window through this object.
        server.endPopupGrabs(in: window)
        join(nil)
        self.window = nil
        server.windows[window] = nil
        server.captures.windowDidEnd(window)
        server.logErrors { () throws(ModelError) in try server.model.destroyWindow(window) }
    }
}
