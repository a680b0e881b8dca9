// In which order a server that takes over makes objects again.

/// The objects of all clients are made phase by phase, so that those exist that an object refers to.
enum RestorationPhase: Int, CaseIterable {
    /// Globals, outputs, regions, pools, data sources: what refers to no other object.
    case independent
    /// Buffers, and what describes an output in parts.
    case buffers
    /// Surfaces, which refer to buffers, and heads, which refer to modes.
    case surfaces
    /// Roles and extensions of surfaces.
    case roles
    /// Toplevels and pop-ups, which refer to an xdg_surface. Once they exist seats get their focus.
    case windows
    /// What clients have of a seat.
    case devices
    /// What belongs to a window, a device or a source: decorations, constraints, grabs and offers.
    case dependents

    /// Windows of all clients exist after it, and no device that would be notified of the focus.
    static let lastBeforeFocus = windows
}
