// What an extension adds to the double-buffered state of a surface.

import MullionWayland

/// The pending state of one extension of wl_surface, applied by a commit. It is in the extension's folder and listed in
/// `SurfaceExtensionStates`; no other code refers to it.
protocol SurfaceExtensionState {
    /// The part that survives a restart of the server.
    associatedtype SavedState: ObjectState

    /// Adds the state of a later commit (C4).
    mutating func merge(_ later: Self)

    /// Drops the state, which no commit will apply.
    mutating func discard()

    /// Called before the commit's buffer is applied to the surface.
    /// - Throws: the client's error; nothing of the commit is applied then.
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
