// The role of a surface.

import MullionWayland
import WindowModel

/// The role of a surface: window, toplevel, pop-up, sub-surface, cursor. A surface keeps the kind of its first role
/// (W5).
protocol SurfaceRole: AnyObject {
    /// The name of the role, for messages.
    static var roleName: String { get }

    /// The earlier roles with which a surface can get this role.
    static var roleNames: Set<String> { get }

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
    static var roleNames: Set<String> { [roleName] }
    func willAttach(_ buffer: BufferResource) throws(ProtocolError) {}
    func willCommit(_ state: SurfaceState, on surface: SurfaceResource) throws(ProtocolError) {}
    func didCommit(on surface: SurfaceResource) throws(ProtocolError) {}
}
