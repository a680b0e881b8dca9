// xdg_toplevel

import Geometry
import MullionWayland
import WindowModel

/// A plain Wayland window: a window of level normal, visible while it has content (V1).
package final class ToplevelResource: Resource {
    var window: Window.ID?
    weak var xdg: XdgSurfaceResource?
    /// Whether it has content.
    package var isMapped = false
    var isMaximized = false
    var isFullscreen = false
    /// Whether it is hidden because its program or a task bar has minimized it.
    var isMinimized = false
    /// The frame to restore when leaving maximized or fullscreen.
    var normalFrame: Rect?
    var normalScreen: Screen.ID?
    /// Those of the next commit (C4).
    var minimumSize = Size.zero
    var maximumSize = Size.zero
    /// Those of the last commit, which an interactive resize respects. Otherwise the client chooses its sizes.
    var limits = SizeLimits()
    /// The interactive resize that it is in, or whose last size is still to be committed.
    var resizing: Resizing?
    var title = ""
    var applicationID = ""
    /// The configuration last sent; an unchanged one is not sent again.
    var sent: Configuration?
    /// The decoration object for the toplevel, if any.
    weak var decoration: DecorationResource?
    /// The bar above the window, while it is shown.
    var titleBar: TitleBar?
    /// The object that declares it a dialog, if any.
    var dialog: DialogResource?
    /// What task bars and title bars show of it.
    package internal(set) var icon: ToplevelIcon?
    /// That of the next commit (C4).
    var pendingIcon: ToplevelIcon.Change?
    /// Those that export it (xdg-foreign).
    var exports: [ExportedResource] = []
    /// Its parent if that is another program's.
    var importedParent: ImportedResource?
    private var charge: MemoryCharge

    struct Configuration: Equatable, Codable {
        var size: Size
        var states: [XdgToplevel.State]
        var bounds: Size
    }

    init(_ client: Client, id: ObjectID, version: UInt32) throws(ProtocolError) {
        charge = MemoryCharge(to: client.holdings, bytes: MemoryCost.window)
        try super.init(client, id: id, version: version)
    }

    func start(_ xdg: XdgSurfaceResource) {
        self.xdg = xdg
        guard let surface = xdg.surface else { return }
        server.logErrors { () throws(ModelError) in
            let id = try server.model.createWindow(application: client.application, options: .plain)
            window = id
            try server.model.setRoot(surface.node, of: id)
            if !may.contains(.key) { try server.model.setCanBecomeKey(false, of: id) }
            try server.model.setHidden(false, of: id)
        }
        if let window { server.windows[window] = .toplevel(self) }
    }

    package override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(XdgToplevel.Request.self, opcode, &reader) {
        case .destroy:
            if let decoration {
                throw decoration.error(.orphaned, "the decoration of toplevel \(id) must be destroyed before it")
            }
            destroy()
        case .setParent(let parent):
            try setParent(connection.resource(parent, as: ToplevelResource.self))
        case .setTitle(let title):
            self.title = title.cut(toBytes: connection.transport.limits.titleBytes)
            updateTitle()
        case .setAppId(let id):
            applicationID = id.cut(toBytes: connection.transport.limits.titleBytes)
            updateTitle()
        case .move(let seat, let serial): try drag(nil, seat, serial)
        case .resize(let seat, let serial, let edges):
            guard let edges = ResizeEdges(edges) else {
                throw ProtocolError(
                    object: id, code: XdgToplevel.Error.invalidResizeEdge.rawValue,
                    message: "\(edges.rawValue) is not a resize edge")
            }
            try drag(edges, seat, serial)
        case .showWindowMenu: break  // The protocol lets a server ignore it; it is not announced as a capability.
        case .setMinimized: setMinimized(true)
        case .setMaxSize(let width, let height):
            maximumSize = try size(width, height)
        case .setMinSize(let width, let height):
            minimumSize = try size(width, height)
        case .setMaximized: setMaximized(true)
        case .unsetMaximized: setMaximized(false)
        case .setFullscreen(let output):
            setFullscreen(true, on: try connection.resource(output, as: OutputResource.self)?.screen)
        case .unsetFullscreen: setFullscreen(false)
        }
    }

    /// What the policy allows; anything else is answered with a configure event without that state.
    private var may: XdgPermissions { client.permissions.xdg }

    func allows(_ screen: Screen.ID?) -> Bool {
        guard let screen else { return true }
        do {
            try client.checkScreens(adding: screen)
            return true
        } catch {
            server.logRefusal(.policy, client.description, "\(error)", about: client.subject(rule: error.rule))
            return false
        }
    }

    package override func willDestroy() {
        end()
        dialog?.toplevel = nil
        dialog = nil
        xdg?.partWasDestroyed()
    }

    /// Called when the window is destroyed; the object remains until the client destroys it.
    package func end() {
        for exported in exports { exported.end() }
        guard let window else { return }
        cancelFrameDrags()
        removeTitleBar()
        // Its pop-ups find the window through this object.
        server.endPopupGrabs(in: window)
        self.window = nil
        server.windows[window] = nil
        server.foreignToplevels.didEnd(window)
        server.logErrors { () throws(ModelError) in try server.model.destroyWindow(window) }
    }

    // MARK: Commit

    /// Checks that the sizes are consistent, whichever was set first; 0 means no maximum.
    func willCommit() throws(ProtocolError) {
        let (least, most) = (minimumSize, maximumSize)
        guard most.width == 0 || least.width <= most.width, most.height == 0 || least.height <= most.height else {
            throw ProtocolError(
                object: id, code: XdgToplevel.Error.invalidSize.rawValue,
                message: "the maximum size \(most) is less than the minimum \(least)")
        }
        limits = SizeLimits(least: least, most: most)
        applyIcon()
    }

    func didCommit() {
        guard let xdg, let window, let frame = server.model.frame(of: window) else { return }
        let geometry = xdg.geometry
        server.logErrors { () throws(ModelError) in
            let offset = Point(x: -geometry.minX, y: -geometry.minY)
            try server.model.setRootOffset(offset, of: window)
            let origin = isMapped ? self.origin(of: frame, resizedTo: geometry.size) : firstOrigin(geometry.size)
            try server.model.setFrame(Rect(origin: origin, size: geometry.size), of: window)
        }
        followSize(of: window)
        if !isMapped { server.foreignToplevels.didChange(window) }
        isMapped = true
        updateTitleBar()
    }

    func didUnmap() {
        cancelFrameDrags()
        isMapped = false
        isMaximized = false
        isFullscreen = false
        setMinimized(false)
        normalFrame = nil
        normalScreen = nil
        sent = nil
        decoration?.toplevelDidUnmap()
        removeTitleBar()
        guard let window else { return }
        server.foreignToplevels.didUnlist(window)
        server.logErrors { () throws(ModelError) in
            try server.model.leaveFamily(window)
            try server.model.setFillsScreen(false, of: window)
        }
    }

    /// Records a size that the client chose itself, so that the old one is not sent again.
    private func followSize(of window: Window.ID) {
        guard normalFrame != nil, !isMaximized, !isFullscreen, xdg?.isUpToDate == true,
            let frame = server.model.frame(of: window)
        else { return }
        normalFrame = frame
        sent?.size = frame.size
    }

    /// Centred over the parent or, without one, cascaded; completely on the screen if it fits.
    private func firstOrigin(_ size: Size) -> Point {
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

    /// As the policy allows.
    func setMaximized(_ isWanted: Bool) {
        change(maximized: isWanted && may.contains(.maximize), fullscreen: isFullscreen)
    }

    /// As the policy allows.
    /// - Parameter screen: the screen to fill; nil for the current one.
    func setFullscreen(_ isWanted: Bool, on screen: Screen.ID? = nil) {
        let isAllowed = isWanted && may.contains(.fullscreen) && allows(screen)
        change(maximized: isMaximized, fullscreen: isAllowed, on: isAllowed ? screen : nil)
    }

    /// Hides it, or shows it again: task bars, activation and the control API can do that (V1). What the control API has
    /// hidden stays hidden.
    func setMinimized(_ isWanted: Bool) {
        guard let window, isWanted ? isMapped && server.model.window(window)?.isHidden == false : isMinimized else {
            return
        }
        isMinimized = isWanted
        server.logErrors { () throws(ModelError) in try server.model.setHidden(isWanted, of: window) }
    }

    func didBecomeVisible() {
        // Unless it was minimized in the same turn.
        if let window, server.model.isVisible(window) { isMinimized = false }
    }

    /// - Parameter screen: the screen to fill; nil for the current one.
    private func change(maximized: Bool, fullscreen: Bool, on screen: Screen.ID? = nil) {
        cancelFrameDrags()
        let filled = isMaximized || isFullscreen
        isMaximized = maximized
        isFullscreen = fullscreen
        let fills = maximized || fullscreen
        guard let window, let value = server.model.window(window) else { return }
        server.foreignToplevels.didChange(window)
        if fills, !filled {
            normalFrame = isMapped ? value.frame : nil
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
            if isMapped, let target = fills ? bounds : normalFrame {
                try server.model.setFrame(Rect(origin: target.origin, size: value.frame.size), of: window)
            }
        }
        if xdg?.hasCommittedFirst == true { configure(evenIfEqual: true) }
        updateTitleBar()
    }

    /// Called when key, screen, frame or the configured decorations changed: configures the client.
    func stateDidChange() {
        if xdg?.hasCommittedFirst == true { configure(evenIfEqual: false) }
        updateTitleBar()
        xdg?.popupsFollow()
    }

    func configure(evenIfEqual: Bool = true) {
        guard let window, let value = server.model.window(window) else { return }
        // S8: a window that waits for its screen keeps its size.
        let bounds = contentBounds?.size ?? sent?.bounds ?? .zero
        var states: [XdgToplevel.State] = []
        if isMaximized { states.append(.maximized) }
        if isFullscreen { states.append(.fullscreen) }
        if value.isKey { states.append(.activated) }
        if isResizing { states.append(.resizing) }
        let size = isMaximized || isFullscreen ? bounds : normalFrame?.size ?? .zero
        let next = Configuration(size: size, states: states, bounds: bounds)
        // Clients of version 3 do not learn the bounds, so that nothing is new for them.
        if version < 4 { sent?.bounds = bounds }
        guard evenIfEqual || next != sent else { return }
        if version >= 5, sent == nil {
            var capabilities: [XdgToplevel.WmCapabilities] = [.minimize]
            if may.contains(.maximize) { capabilities.append(.maximize) }
            if may.contains(.fullscreen) { capabilities.append(.fullscreen) }
            send(XdgToplevel.Event.wmCapabilities(capabilities: Self.bytes(capabilities)))
        }
        if version >= 4, sent?.bounds != bounds {
            send(
                XdgToplevel.Event.configureBounds(
                    width: Int32(clamped: bounds.width), height: Int32(clamped: bounds.height)))
        }
        sent = next
        decoration?.toplevelWillConfigure()
        send(
            XdgToplevel.Event.configure(
                width: Int32(clamped: size.width), height: Int32(clamped: size.height), states: Self.bytes(states)))
        xdg?.sendConfigure()
    }

    /// Answers a request about the decoration together with a configure.
    func decorationWantsConfigure() {
        if xdg?.hasCommittedFirst == true { configure(evenIfEqual: true) }
        updateTitleBar()
    }

    /// Whether there is content, or some is attached for the next commit.
    var hasBuffer: Bool { xdg?.surface.map { $0.hasContents || $0.pending?.attaches == true } ?? false }

    /// Sets a frame chosen by the server: the position immediately, the size by asking the client.
    package func requestFrame(_ frame: Rect) {
        normalFrame = frame
        change(maximized: false, fullscreen: false)
    }

    /// Asks the client to close the window.
    package func requestClose() { send(XdgToplevel.Event.close) }

    /// Called when one of its texts has changed.
    func updateCharge() {
        let icon = [icon?.name, pendingIcon?.icon?.name].reduce(0) { $0 + ($1.map(MemoryCost.text) ?? 0) }
        charge.bytes = MemoryCost.window + MemoryCost.text(title) + MemoryCost.text(applicationID) + icon
    }

    private func updateTitle() {
        updateCharge()
        guard let window else { return }
        server.logErrors { () throws(ModelError) in
            try server.model.setTitle(shownTitle, of: window)
        }
        server.foreignToplevels.didChange(window)
        updateTitleBar()
    }

    /// The title of the window: the id of the application as long as the program has set none.
    var shownTitle: String { title.isEmpty ? applicationID : title }

    private func size(_ width: Int32, _ height: Int32) throws(ProtocolError) -> Size {
        guard width >= 0, height >= 0 else {
            throw ProtocolError(
                object: id, code: XdgToplevel.Error.invalidSize.rawValue,
                message: "the size \(width)x\(height) is negative")
        }
        return Size(width: Double(width), height: Double(height))
    }

    private static func bytes(_ states: [XdgToplevel.State]) -> [UInt8] { littleEndian(states.map(\.rawValue)) }
    private static func bytes(_ capabilities: [XdgToplevel.WmCapabilities]) -> [UInt8] {
        littleEndian(capabilities.map(\.rawValue))
    }
    private static func littleEndian(_ values: [UInt32]) -> [UInt8] {
        values.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
    }
}
