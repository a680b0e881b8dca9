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

    /// Whether the role's requests take effect with a commit, so that it has nothing to do with earlier commits.
    static var beginsWithCommit: Bool { get }

    /// The window that contains the surface, if any.
    var containingWindow: Window.ID? { get }

    /// Checks that a buffer may be attached.
    func willAttach(_ buffer: BufferResource) throws(ProtocolError)

    /// Checks a commit, which may be applied later.
    func willCommit(_ state: SurfaceState, on surface: SurfaceResource) throws(ProtocolError)

    /// Exchanges what the role's requests have changed since the last commit, which the next one applies.
    /// - Parameter changes: those of a commit that waited, to be applied now; nil to let these wait with a commit.
    func exchangeChanges(for changes: RoleChanges?) -> RoleChanges?

    /// Called before a commit is applied.
    func willApply(_ state: SurfaceState, to surface: SurfaceResource)

    /// Called after a commit was applied.
    func didCommit(on surface: SurfaceResource) throws(ProtocolError)

    /// Called when the surface is destroyed; the role object may remain, inert.
    func surfaceWillBeDestroyed(_ surface: SurfaceResource)
}

extension SurfaceRole {
    static var roleNames: [RoleName] { [roleName] }
    static var beginsWithCommit: Bool { false }
    func willAttach(_ buffer: BufferResource) throws(ProtocolError) {}
    func willCommit(_ state: SurfaceState, on surface: SurfaceResource) throws(ProtocolError) {}
    func exchangeChanges(for changes: RoleChanges?) -> RoleChanges? { nil }
    func willApply(_ state: SurfaceState, to surface: SurfaceResource) {}
    func didCommit(on surface: SurfaceResource) throws(ProtocolError) {}
}
