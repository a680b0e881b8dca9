// xdg_toplevel

import MullionGeometry
import MullionWayland
import WindowModel

/// A window of xdg-shell.
package final class ToplevelResource: PlainWindow {
    // Set to nil when that is destroyed, or this one. Not weak, see `SubsurfaceResource`.
    var xdg: XdgSurfaceResource?
    /// Those of the next commit (C4), once the client has set any.
    @Boxed var pendingLimits: SizeLimits?
    /// The configuration last sent; an unchanged one is not sent again.
    var sent: Configuration?
    /// Nil until an extension keeps something with the toplevel.
    private(set) var extensions: ToplevelExtensions?

    struct Configuration: Equatable, Codable {
        var size: Size
        var states: ToplevelStates
        var bounds: Size
    }

    func start(_ xdg: XdgSurfaceResource) {
        self.xdg = xdg
        if let surface = xdg.surface { begin(with: surface) }
    }

    override var isConfigurable: Bool { xdg?.hasCommittedFirst == true }
    override var leavesDecorations: Bool {
        guard let decoration = extensions?.decoration else { return xdg?.surface?.kdeDecoration?.mode == .server }
        return decoration.mode == .serverSide
    }
    override var lastConfigure: UInt32? { xdg?.serials.sent.last }
    override var acknowledgedConfigure: UInt32? { xdg?.serials.acknowledged }
    override var textBytes: Int {
        super.textBytes + (extensions?.pendingIcon?.icon.map { MemoryCost.text($0.name) } ?? 0)
    }

    /// `extensions`, created on first use.
    var ownExtensions: ToplevelExtensions {
        if let extensions { return extensions }
        let new = ToplevelExtensions()
        extensions = new
        return new
    }

    override func popupsFollow() { if let xdg { server.popupsWillFollow(xdg) } }

    package override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(XdgToplevel.Request.self, opcode, &reader) {
        case .destroy:
            if let decoration = extensions?.decoration {
                throw decoration.error(.orphaned, "the decoration of toplevel \(id) must be destroyed before it")
            }
            destroy()
        case .setParent(let parent):
            try setParent(connection.resource(parent, as: ToplevelResource.self))
        case .setTitle(let title):
            describe(title: title)
        case .setAppId(let id):
            describe(applicationID: id)
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
            let most = try size(width, height)
            pendingLimits = SizeLimits(least: pendingLimits?.least ?? .zero, most: most)
        case .setMinSize(let width, let height):
            let least = try size(width, height)
            pendingLimits = SizeLimits(least: least, most: pendingLimits?.most ?? .zero)
        case .setMaximized: setMaximized(true)
        case .unsetMaximized: setMaximized(false)
        case .setFullscreen(let output):
            setFullscreen(true, on: try connection.resource(output, as: OutputResource.self)?.screen)
        case .unsetFullscreen: setFullscreen(false)
        }
    }

    package override func willDestroy() {
        end()
        extensions?.dialog?.toplevel = nil
        extensions?.dialog = nil
        extensions?.decoration?.toplevel = nil
        extensions?.decoration = nil
        xdg?.partWasDestroyed()
        xdg = nil
    }

    package override func end() {
        for exported in extensions?.exports ?? [] { exported.end() }
        extensions?.drag?.detach()
        super.end()
    }

    /// - Parameter edges: those to drag; nil to move.
    private func drag(_ edges: ResizeEdges?, _ seat: ObjectID, _ serial: UInt32) throws(ProtocolError) {
        let seat = try connection.resource(seat, as: SeatResource.self).seat
        guard edges != [] else { return }
        seat.frameDrag.start(self, edges: edges, serial: serial)
    }

    // MARK: Commit

    /// Checks that the sizes are consistent, whichever was set first; 0 means no maximum.
    func willCommit() throws(ProtocolError) {
        if let pendingLimits, pendingLimits != limits {
            let (least, most) = (pendingLimits.least, pendingLimits.most)
            guard most.width == 0 || least.width <= most.width, most.height == 0 || least.height <= most.height else {
                throw ProtocolError(
                    object: id, code: XdgToplevel.Error.invalidSize.rawValue,
                    message: "the maximum size \(most) is less than the minimum \(least)")
            }
        }
    }

    func willApply() {
        if let pendingLimits, pendingLimits != limits { limits = pendingLimits }
        applyIcon()
    }

    func didCommit() {
        if let xdg { show(xdg.geometry) }
        extensions?.drag?.follow()
    }

    func didUnmap() {
        extensions?.drag?.detach()
        cancelFrameDrags()
        isMapped = false
        isMaximized = false
        isFullscreen = false
        setMinimized(false)
        normalFrame = nil
        normalScreen = nil
        sent = nil
        extensions?.decoration?.toplevelDidUnmap()
        removeTitleBar()
        guard let window else { return }
        server.foreignToplevels.didUnlist(window)
        server.logErrors { () throws(ModelError) in
            try server.model.leaveFamily(window)
            try server.model.setFillsScreen(false, of: window)
        }
    }

    /// Records a size that the client chose itself, so that the old one is not sent again.
    override func didChooseSize() {
        guard normalFrame != nil, !isMaximized, !isFullscreen, xdg?.isUpToDate == true, let window,
            let frame = server.model.frame(of: window)
        else { return }
        normalFrame = frame
        sent?.size = frame.size
    }

    // MARK: Configure

    override func configure(evenIfEqual: Bool = true) {
        guard let window, let isKey = server.model.isKey(window) else { return }
        // S8: a window that waits for its screen keeps its size.
        let bounds = filledSize ?? sent?.bounds ?? .zero
        var states: ToplevelStates = []
        if isMaximized { states.insert(.maximized) }
        if isFullscreen { states.insert(.fullscreen) }
        if isKey { states.insert(.activated) }
        if isResizing { states.insert(.resizing) }
        if isSuspended { states.insert(.suspended) }
        let size = isMaximized || isFullscreen ? bounds : normalFrame?.size ?? .zero
        let next = Configuration(size: size, states: states, bounds: bounds)
        // Clients of version 3 do not learn the bounds, so that nothing is new for them.
        if version < 4 { sent?.bounds = bounds }
        guard evenIfEqual || next != sent else { return }
        if version >= 5, sent == nil {
            var capabilities: [XdgToplevel.WmCapabilities] = [.minimize]
            if may.contains(.maximize) { capabilities.append(.maximize) }
            if may.contains(.fullscreen) { capabilities.append(.fullscreen) }
            let values = Self.littleEndian(capabilities.map(\.rawValue))
            send(XdgToplevel.Event.wmCapabilities(capabilities: values))
        }
        if version >= 4, sent?.bounds != bounds {
            send(
                XdgToplevel.Event.configureBounds(
                    width: Int32(clamped: bounds.width), height: Int32(clamped: bounds.height)))
        }
        sent = next
        extensions?.decoration?.toplevelWillConfigure()
        send(
            XdgToplevel.Event.configure(
                width: Int32(clamped: size.width), height: Int32(clamped: size.height),
                states: Self.littleEndian(states.elements.map(\.rawValue))))
        xdg?.sendConfigure()
    }

    override func visibilityDidChange() {
        super.visibilityDidChange()
        if version >= 6 { stateDidChange() }
    }

    /// Whether the client shall know that no screen shows the window (V3). A program that opens is not suspended.
    var isSuspended: Bool {
        guard version >= 6, isMapped, let window else { return false }
        return server.model.visibleScreen(of: window).map { server.outputs[$0]?.isPowered == false } ?? true
    }

    /// Answers a request about the decoration together with a configure.
    func decorationWantsConfigure() {
        if xdg?.hasCommittedFirst == true { configure(evenIfEqual: true) }
        updateTitleBar()
    }

    /// Whether there is content, or some is attached for the next commit.
    var hasBuffer: Bool { xdg?.surface.map { $0.willHaveContents || $0.pending?.attaches == true } ?? false }

    package override func requestClose() { send(XdgToplevel.Event.close) }

    private func size(_ width: Int32, _ height: Int32) throws(ProtocolError) -> Size {
        guard width >= 0, height >= 0 else {
            throw ProtocolError(
                object: id, code: XdgToplevel.Error.invalidSize.rawValue,
                message: "the size \(width)x\(height) is negative")
        }
        return Size(width: Double(width), height: Double(height))
    }

    private static func littleEndian(_ values: [UInt32]) -> [UInt8] {
        values.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
    }
}
