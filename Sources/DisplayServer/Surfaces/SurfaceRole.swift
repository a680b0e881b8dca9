// What a surface is for.

import Wayland
import WindowModel

/// The role of a surface: window, toplevel, pop-up, sub-surface, cursor. A surface keeps the kind of role it once had (W5).
protocol SurfaceRole: AnyObject {
    /// The object that gives the role, for messages.
    static var roleName: String { get }

    /// What a surface may have been before to get this role again.
    static var roleNames: Set<String> { get }

    /// The window that the surface is part of, when it is.
    var containingWindow: Window.ID? { get }

    /// Checks a commit before anything of it happens.
    func willCommit(_ state: SurfaceState, on surface: SurfaceResource) throws(ProtocolError)

    /// Follows up a commit that has taken effect.
    func didCommit(on surface: SurfaceResource) throws(ProtocolError)

    /// The surface goes; the role object may stay, inert.
    func surfaceWillBeDestroyed(_ surface: SurfaceResource)
}

extension SurfaceRole {
    static var roleNames: Set<String> { [roleName] }
    func willCommit(_ state: SurfaceState, on surface: SurfaceResource) throws(ProtocolError) {}
    func didCommit(on surface: SurfaceResource) throws(ProtocolError) {}
}
