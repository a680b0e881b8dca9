// What toplevels of xdg-shell and the windows of X servers have in common.

import MullionGeometry
import MullionWayland
import WindowModel

/// A window of a plain program: of level normal, visible while it has content (V1). The server decides where it is, and
/// its size when it fills a screen or somebody drags its edges; otherwise the program chooses its size.
package class PlainWindow: Resource {
    final var window: Window.ID?
    /// Whether it has content.
    package final var isMapped = false
    final var isMaximized = false
    final var isFullscreen = false
    /// Whether it is hidden because its program or a task bar has minimized it.
    final var isMinimized = false
    /// The screen and the frame to restore when leaving maximized or fullscreen.
    final var normalScreen: Screen.ID?
    @Boxed final var normalFrame: Rect?
    /// Those that an interactive resize respects. Otherwise the client chooses its sizes.
    @Boxed final var limits: SizeLimits?
    /// The interactive resize under way, or the one whose last size has yet to be committed.
    final var resizing: Resizing?
    private(set) final var title = ""
    package private(set) final var applicationID = ""
    /// What task bars and title bars show of it.
    package internal(set) final var icon: ToplevelIcon?
    /// The bar above the window, while it is shown.
    final var titleBar: TitleBar?
    private var charge: MemoryCharge

    init(_ client: Client, id: ObjectID, version: UInt32) throws(ProtocolError) {
        charge = MemoryCharge(to: client.holdings, bytes: MemoryCost.window)
        try super.init(client, id: id, version: version)
    }

    // MARK: Differences between kinds of windows

    /// The client whose window it is.
    var owner: Client { client }
    /// Whether the client expects to be configured.
    var isConfigurable: Bool { false }
    /// Whether the server decorates the window, if it draws decorations at all.
    var leavesDecorations: Bool { false }
    /// Whether task bars list it.
    var isListed: Bool { isMapped }
    /// Whether it has a place already: where it is, or where it will be shown again.
    package var hasPlace: Bool { isMapped }
    /// The serial of the last configure, and of the last one that the client has acknowledged.
    var lastConfigure: UInt32? { nil }
    var acknowledgedConfigure: UInt32? { nil }
    /// What its texts count towards the client's memory, in bytes.
    var textBytes: Int {
        MemoryCost.text(title) + MemoryCost.text(applicationID) + (icon.map { MemoryCost.text($0.name) } ?? 0)
    }
    /// Whether it is shown and fills no screen.
    var hasOwnFrame: Bool { isMapped && !isMaximized && !isFullscreen }
    /// The frame to restore when it stops filling a screen.
    var frameToRestore: Rect? { isMapped ? window.flatMap { server.model.frame(of: $0) } : nil }

    /// Sends the client the size and the states that the window has, or should get.
    func configure(evenIfEqual: Bool) {}
    /// Asks the client to close the window.
    package func requestClose() {}
    /// Called when the window was moved on its screen.
    func popupsFollow() {}
    /// Called when the content has got a size that the client chose.
    func didChooseSize() {}
    /// Called when it became key, or is no longer.
    func keyDidChange() { stateDidChange() }
    /// Called when it became visible or hidden.
    func visibilityDidChange() {
        if let window, server.model.isVisible(window) { isMinimized = false }
    }
    /// Ends the window by force.
    package func remove() { end() }

    // MARK: Life

    /// Creates the window.
    func begin(with surface: SurfaceResource?) {
        server.logErrors { () throws(ModelError) in
            let id = try server.model.createWindow(application: owner.application, options: .plain)
            window = id
            if let surface { try server.model.setRoot(surface.node, of: id) }
            if !may.contains(.key) { try server.model.setCanBecomeKey(false, of: id) }
            try server.model.setHidden(false, of: id)
        }
        if let window { server.windows[window] = .toplevel(self) }
    }

    /// Called when the window is destroyed; the object remains until the client destroys it.
    package func end() {
        guard let window else { return }
        cancelFrameDrags()
        removeTitleBar()
        // Its pop-ups find the window through this object.
        server.endPopupGrabs(in: window)
        self.window = nil
        server.windows[window] = nil
        server.foreignToplevels.didEnd(window)
        server.captures.windowDidEnd(window)
        server.logErrors { () throws(ModelError) in try server.model.destroyWindow(window) }
    }

    /// Called when the client has committed content.
    /// - Parameter geometry: the part of the surface that is the window.
    func show(_ geometry: Rect) {
        guard let window, let frame = server.model.frame(of: window) else { return }
        server.logErrors { () throws(ModelError) in
            let offset = Point(x: -geometry.minX, y: -geometry.minY)
            try server.model.setRootOffset(offset, of: window)
            let origin = isMapped ? self.origin(of: frame, resizedTo: geometry.size) : firstOrigin(geometry.size)
            try server.model.setFrame(Rect(origin: origin, size: geometry.size), of: window)
        }
        didChooseSize()
        if !isMapped { server.foreignToplevels.didChange(window) }
        isMapped = true
        updateTitleBar()
    }

    /// Centred over the parent or, without one, cascaded; completely on the screen if it fits.
    func firstOrigin(_ size: Size) -> Point {
        guard let window, let screen = server.model.screen(of: window), let bounds = contentBounds,
            !isMaximized, !isFullscreen
        else { return contentBounds?.origin ?? .zero }
        if let origin = originOverParent(size) { return origin }
        let step = server.output(of: screen)?.nextCascadeStep(for: window) ?? 1
        func place(_ room: Double) -> Double {
            room <= 0 ? 0 : (Double(step) * 32).truncatingRemainder(dividingBy: room + 1).rounded(.down)
        }
        return Point(
            x: bounds.minX + place(bounds.size.width - size.width),
            y: bounds.minY + place(bounds.size.height - size.height))
    }

    // MARK: State

    /// What the policy allows; anything else is answered with a configure event without that state.
    final var may: XdgPermissions { owner.permissions.xdg }

    final func allows(_ screen: Screen.ID?) -> Bool {
        guard let screen else { return true }
        do {
            try owner.checkScreens(adding: screen)
            return true
        } catch {
            server.logRefusal(.policy, owner.description, "\(error)", about: owner.subject(rule: error.rule))
            return false
        }
    }

    /// As the policy allows. A minimized window is shown.
    final func setMaximized(_ isWanted: Bool) {
        let isAllowed = isWanted && may.contains(.maximize)
        if isAllowed { setMinimized(false) }
        change(maximized: isAllowed, fullscreen: isFullscreen)
    }

    /// As the policy allows. A minimized window is shown.
    /// - Parameter screen: the screen to fill; nil for the current one.
    final func setFullscreen(_ isWanted: Bool, on screen: Screen.ID? = nil) {
        let isAllowed = isWanted && may.contains(.fullscreen) && allows(screen)
        if isAllowed { setMinimized(false) }
        change(maximized: isMaximized, fullscreen: isAllowed, on: isAllowed ? screen : nil)
    }

    /// Hides it, or shows it again: task bars, activation and the control API can do that (V1). What the control API has
    /// hidden stays hidden.
    final func setMinimized(_ isWanted: Bool) {
        guard let window, isWanted ? isMapped && server.model.window(window)?.isHidden == false : isMinimized else {
            return
        }
        isMinimized = isWanted
        server.logErrors { () throws(ModelError) in try server.model.setHidden(isWanted, of: window) }
    }

    /// - Parameter screen: the screen to fill; nil for the current one.
    private func change(maximized: Bool, fullscreen: Bool, on screen: Screen.ID? = nil) {
        cancelFrameDrags()
        let filled = isMaximized || isFullscreen
        let frame = frameToRestore
        isMaximized = maximized
        isFullscreen = fullscreen
        let fills = maximized || fullscreen
        guard let window, let value = server.model.window(window) else { return }
        server.foreignToplevels.didChange(window)
        if fills, !filled {
            normalFrame = frame
            normalScreen = value.screen
        }
        // Back to where it was before it filled a screen, if that screen is still connected.
        let target = fills ? screen : filled ? normalScreen : nil
        if let target, server.model.screen(target) != nil {
            server.logErrors { () throws(ModelError) in try server.model.move(window, to: target) }
        }
        let bounds = contentBounds
        server.logErrors { () throws(ModelError) in
            try server.model.setFillsScreen(fills, of: window, leaving: margins)
            if hasPlace, let target = fills ? bounds : normalFrame {
                try server.model.setFrame(Rect(origin: target.origin, size: value.frame.size), of: window)
            }
        }
        if isConfigurable { configure(evenIfEqual: true) }
        updateTitleBar()
    }

    /// Called when key, screen, frame or the configured decorations changed: configures the client.
    final func stateDidChange() {
        if isConfigurable { configure(evenIfEqual: false) }
        updateTitleBar()
        popupsFollow()
    }

    /// Sets a frame chosen by the server: the position immediately, the size by asking the client.
    package final func requestFrame(_ frame: Rect) {
        normalFrame = frame
        change(maximized: false, fullscreen: false)
    }

    // MARK: Titles

    /// Sets what is known; nil: no change.
    final func describe(title: String? = nil, applicationID: String? = nil) {
        let limit = connection.transport.limits.titleBytes
        self.title = title?.cut(toBytes: limit) ?? self.title
        let oldID = self.applicationID
        self.applicationID = applicationID?.cut(toBytes: limit) ?? oldID
        updateCharge()
        guard let window else { return }
        if self.applicationID != oldID { server.model.applicationIDDidChange(of: window) }
        server.logErrors { () throws(ModelError) in
            try server.model.setTitle(shownTitle, of: window)
        }
        server.foreignToplevels.didChange(window)
        updateTitleBar()
    }

    /// Restores those of another server, which the model knows already.
    final func restore(title: String, applicationID: String) {
        self.title = title
        self.applicationID = applicationID
        updateCharge()
    }

    /// Called when one of its texts has changed.
    final func updateCharge() { charge.bytes = MemoryCost.window + textBytes }

    /// The title of the window: the id of the application as long as the program has set none.
    final var shownTitle: String { title.isEmpty ? applicationID : title }
}
