// The order in which a server that takes over restores objects.

/// The objects of all clients are restored phase by phase, so that the objects to which others refer already exist.
enum RestorationPhase: Int, CaseIterable {
    /// Globals, outputs, regions, pools, data sources: objects that refer to no others.
    case independent
    /// Buffers, and objects that describe parts of an output.
    case buffers
    /// Surfaces, which refer to buffers, and heads, which refer to modes.
    case surfaces
    /// Roles and extensions of surfaces.
    case roles
    /// Toplevels and pop-ups, which refer to an xdg_surface. Seats get their focus after this phase.
    case windows
    /// Objects of a seat.
    case devices
    /// Objects that refer to a window, a device or a source: decorations, constraints, grabs and offers.
    case dependents

    /// After it the windows of all clients exist, but no device that would be notified of the focus.
    static let lastBeforeFocus = windows
}
