// xdg_wm_base, xdg_surface and xdg_toplevel for a server that takes over.

import MullionGeometry
import MullionWayland
import WindowModel

extension WmBaseResource: RestorableGlobal {
    typealias Interface = XdgWmBase
}

extension XdgSurfaceResource: Restorable {
    struct SavedState: ObjectState {
        var surface: ObjectID?
        var base: ObjectID?
        var kind: RoleName?
        var pendingGeometry: Rect?
        var requestedGeometry: Rect?
        var serials: ConfigureSerials
        var hasCommittedFirst: Bool
        var isMapped: Bool

        var variableSize: Int { serials.variableSize }
    }

    static var interfaces: [any WaylandInterface.Type] { [XdgSurface.self] }
    static var restorationPhase: RestorationPhase { .roles }

    func savedState(_ writer: HandOverWriter) -> SavedState {
        SavedState(
            surface: surface?.id, base: base?.id, kind: kind, pendingGeometry: pendingGeometry,
            requestedGeometry: requestedGeometry, serials: serials, hasCommittedFirst: hasCommittedFirst,
            isMapped: isMapped)
    }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        let object = try XdgSurfaceResource(reader.client, id: id, version: version)
        if let surface: SurfaceResource = try reader.resource(state.surface) {
            try surface.setRole(object, errorOn: id, code: 0)
            object.surface = surface
        }
        if let base: WmBaseResource = try reader.resource(state.base) {
            object.base = base
            base.surfaceCount += 1
        }
        object.kind = state.kind
        object.pendingGeometry = state.pendingGeometry
        object.requestedGeometry = state.requestedGeometry
        object.serials = ConfigureSerials(state.serials)
        object.hasCommittedFirst = state.hasCommittedFirst
        object.isMapped = state.isMapped
    }

    /// Restores the toplevel or pop-up of the surface.
    fileprivate func restore(_ new: Part) throws {
        guard part == nil else { throw HandOverError("xdg_surface \(id) has two roles") }
        part = new
    }
}

extension ToplevelResource: Restorable {
    struct SavedState: ObjectState {
        var xdg: ObjectID?
        var window: Window.ID?
        var isMapped: Bool
        var plain: SavedPlainWindow
        var minimumSize: Size
        var maximumSize: Size
        var resizing: Resizing?
        var sent: Configuration?
        var icon: ToplevelIcon.SavedState?
        var pendingIcon: ToplevelIcon.Change.SavedState?

        var variableSize: Int { plain.variableSize + (icon?.size ?? 0) + (pendingIcon?.icon?.size ?? 0) }
    }

    static var interfaces: [any WaylandInterface.Type] { [XdgToplevel.self] }
    static var restorationPhase: RestorationPhase { .windows }

    func savedState(_ writer: HandOverWriter) throws(HandOverError) -> SavedState {
        SavedState(
            xdg: xdg.flatMap { $0.isAlive ? $0.id : nil }, window: window, isMapped: isMapped,
            plain: SavedPlainWindow(self), minimumSize: pendingLimits?.least ?? .zero,
            maximumSize: pendingLimits?.most ?? .zero, resizing: resizing,
            sent: sent, icon: try icon?.savedState(writer),
            pendingIcon: try extensions?.pendingIcon?.savedState(writer))
    }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        let object = try ToplevelResource(reader.client, id: id, version: version)
        if let xdg: XdgSurfaceResource = try reader.resource(state.xdg) {
            object.xdg = xdg
            try xdg.restore(.toplevel(object))
        }
        if let window = state.window {
            try reader.checkWindow(window)
            object.window = window
            reader.server.windows[window] = .toplevel(object)
        }
        object.isMapped = state.isMapped
        object.pendingLimits = PlainWindow.SizeLimits(least: state.minimumSize, most: state.maximumSize)
        // An interactive resize that goes on has ended before.
        if state.resizing?.end != nil { object.resizing = state.resizing }
        object.icon = try state.icon?.icon(reader)
        if let icon = try state.pendingIcon?.change(reader) { object.ownExtensions.pendingIcon = icon }
        state.plain.restore(object)
        object.sent = state.sent
    }
}

extension HandOverReader {
    /// Checks that a window belongs to this client and has no other object.
    func checkWindow(_ id: Window.ID) throws {
        guard server.model.window(id)?.application == client.application, server.windows[id] == nil else {
            throw HandOverError("window \(id) belongs to another client, or has two objects")
        }
    }
}

extension XdgToplevel.State: Codable {}
extension XdgPositioner.ConstraintAdjustment: Codable {}
