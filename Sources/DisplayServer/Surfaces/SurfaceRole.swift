// The role of a surface.

import MullionWayland
import WindowModel

/// The kind of a surface's role, as it is called in messages. A surface keeps the kind of its first role (W5).
enum RoleName: String, Codable {
    case window = "a mullion window"
    /// That of a toplevel or a pop-up, before it is constructed.
    case xdgSurface = "an xdg_surface"
    case toplevel = "a toplevel"
    case popup = "a pop-up"
    case subsurface = "a sub-surface"
    case cursor = "a cursor"
    case dragIcon = "a drag-and-drop icon"
    case layerSurface = "a layer surface"
    case lockSurface = "a lock surface"
    case inputPopup = "an input pop-up"
    case x11Window = "the window of an X11 program"
}

/// The role of a surface: window, toplevel, pop-up, sub-surface, cursor.
protocol SurfaceRole: AnyObject {
    static var roleName: RoleName { get }

    /// The earlier roles with which a surface can get this role.
    static var roleNames: [RoleName] { get }

    /// The window that contains the surface, if any.
    var containingWindow: Window.ID? { get }

    /// Checks that a buffer may be attached.
    func willAttach(_ buffer: BufferResource) throws(ProtocolError)

    /// Checks a commit before it is applied.
    func willCommit(_ state: SurfaceState, on surface: SurfaceResource) throws(ProtocolError)

    /// Called after a commit was applied.
    func didCommit(on surface: SurfaceResource) throws(ProtocolError)

    /// Called when the surface is destroyed; the role object may remain, inert.
    func surfaceWillBeDestroyed(_ surface: SurfaceResource)
}

extension SurfaceRole {
    static var roleNames: [RoleName] { [roleName] }
    func willAttach(_ buffer: BufferResource) throws(ProtocolError) {}
    func willCommit(_ state: SurfaceState, on surface: SurfaceResource) throws(ProtocolError) {}
    func didCommit(on surface: SurfaceResource) throws(ProtocolError) {}
}
