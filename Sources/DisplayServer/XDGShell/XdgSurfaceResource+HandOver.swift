// xdg_surface and its parts for a server that takes over.

import Geometry
import Wayland
import WindowModel

extension XdgSurfaceResource: HandedOver {
    struct Record: Codable {
        var surface: ObjectID?
        var base: ObjectID?
        var kind: Kind?
        var pendingGeometry: Rect?
        var requestedGeometry: Rect?
        var sentSerials: [UInt32]
        var forgotten: UInt32?
        var acknowledged: UInt32?
        var uncommitted: UInt32?
        var hasCommittedFirst: Bool
        var isMapped: Bool

        func make(_ id: ObjectID, _ version: UInt32, _ reader: HandOverReader) throws {
            let object = try XdgSurfaceResource(reader.client, id: id, version: version)
            if let surface: SurfaceResource = try reader.resource(surface) {
                try surface.setRole(object, errorOn: id, code: 0)
                object.surface = surface
            }
            if let base: WmBaseResource = try reader.resource(base) {
                object.base = base
                base.surfaceCount += 1
            }
            object.kind = kind
            object.pendingGeometry = pendingGeometry
            object.requestedGeometry = requestedGeometry
            object.sentSerials = sentSerials.suffix(64)
            object.forgotten = forgotten
            object.acknowledged = acknowledged
            object.uncommitted = uncommitted
            object.hasCommittedFirst = hasCommittedFirst
            object.isMapped = isMapped
        }
    }

    func record(in writer: HandOverWriter) -> ObjectRecord.State {
        .xdgSurface(
            Record(
                surface: surface?.id, base: base?.id, kind: kind, pendingGeometry: pendingGeometry,
                requestedGeometry: requestedGeometry, sentSerials: sentSerials, forgotten: forgotten,
                acknowledged: acknowledged, uncommitted: uncommitted, hasCommittedFirst: hasCommittedFirst,
                isMapped: isMapped))
    }

    /// Gives the surface its part again.
    fileprivate func restore(_ new: Part) throws {
        guard part == nil else { throw HandOver.Refusal("xdg_surface \(id) is two things") }
        part = new
    }
}

extension ToplevelResource: HandedOver {
    struct Record: Codable {
        var xdg: ObjectID?
        var window: Window.ID?
        var isMapped: Bool
        var isMaximized: Bool
        var isFullscreen: Bool
        var normalFrame: Rect?
        var normalScreen: Screen.ID?
        var minimumSize: Size
        var maximumSize: Size
        var title: String
        var applicationID: String
        var sent: Configuration?

        func make(_ id: ObjectID, _ version: UInt32, _ reader: HandOverReader) throws {
            let object = try ToplevelResource(reader.client, id: id, version: version)
            if let xdg: XdgSurfaceResource = try reader.resource(xdg) {
                object.xdg = xdg
                try xdg.restore(.toplevel(object))
            }
            if let window {
                try reader.checkWindow(window)
                object.window = window
                reader.server.windows[window] = .toplevel(object)
            }
            object.isMapped = isMapped
            object.isMaximized = isMaximized
            object.isFullscreen = isFullscreen
            object.normalFrame = normalFrame
            object.normalScreen = normalScreen
            object.minimumSize = minimumSize
            object.maximumSize = maximumSize
            object.title = title
            object.applicationID = applicationID
            object.sent = sent
        }
    }

    func record(in writer: HandOverWriter) -> ObjectRecord.State {
        .toplevel(
            Record(
                xdg: xdg.flatMap { $0.isAlive ? $0.id : nil }, window: window, isMapped: isMapped,
                isMaximized: isMaximized, isFullscreen: isFullscreen, normalFrame: normalFrame,
                normalScreen: normalScreen, minimumSize: minimumSize, maximumSize: maximumSize, title: title,
                applicationID: applicationID, sent: sent))
    }
}

extension HandOverReader {
    /// A window of this client that nothing else stands for.
    func checkWindow(_ id: Window.ID) throws {
        guard server.model.window(id)?.application == client.application, server.windows[id] == nil else {
            throw HandOver.Refusal("window \(id) is another's, or twice")
        }
    }
}

extension XdgToplevel.State: Codable {}
extension XdgPositioner.ConstraintAdjustment: Codable {}
