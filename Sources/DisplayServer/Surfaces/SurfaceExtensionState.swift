// What an extension adds to the double-buffered state of a surface.

import Wayland

/// What a commit changes for one extension of wl_surface. It lies in the extension's folder, and is listed in
/// `SurfaceExtensionStates`: nothing else has to know it.
protocol SurfaceExtensionState {
    /// What of it outlasts a restart of the server.
    associatedtype SavedState: ObjectState

    /// Adds the state of a later commit (C4).
    mutating func merge(_ later: Self)

    /// Drops a state that no commit will apply.
    mutating func discard()

    /// Goes back to no change, so that a later commit can use the memory.
    mutating func reset()

    /// Called before the surface takes on the buffer of the same commit.
    /// - Throws: the client's error; nothing else of the commit is applied then.
    func willApplyContents(to surface: SurfaceResource) throws(ProtocolError)

    /// Called when the surface has the contents, the regions and the sub-surfaces of the commit.
    func didApplyContents(to surface: SurfaceResource)

    var savedState: SavedState { get }
    init(_ saved: SavedState, for client: Client)
}

extension SurfaceExtensionState {
    mutating func discard() {}
    func willApplyContents(to surface: SurfaceResource) throws(ProtocolError) {}
    func didApplyContents(to surface: SurfaceResource) {}
}
