// Changes requested of a role that wait for a commit.

import MullionGeometry

/// Changes of a surface's role that its next commit applies (C4).
enum RoleChanges {
    /// With the configure event that the client had acknowledged.
    case xdg(
        geometry: Rect?, acknowledged: UInt32?, limits: PlainWindow.SizeLimits?, icon: ToplevelIcon.Change?)
    case layer(LayerState)
    case lock(acknowledged: LockSurfaceResource.Configure?)
    case window([WindowChange], title: String?)

    /// The number of changes that take time to apply: those of a window.
    var count: Int { if case .window(let changes, _) = self { changes.count } else { 0 } }

    /// The memory charged for them, in bytes, in addition to that of a commit.
    var cost: Int {
        switch self {
        case .xdg(_, _, _, let icon): icon?.icon.map { MemoryCost.text($0.name) } ?? 0
        case .layer, .lock: 0
        case .window(let changes, let title):
            changes.count * MemoryCost.change + (title.map(MemoryCost.text) ?? 0)
        }
    }
}

extension XdgSurfaceResource {
    static var beginsWithCommit: Bool { true }

    func exchangeChanges(for changes: RoleChanges?) -> RoleChanges? {
        var toplevel: ToplevelResource?
        if case .toplevel(let object) = part { toplevel = object }
        let old = RoleChanges.xdg(
            geometry: pendingGeometry, acknowledged: serials.acknowledged, limits: toplevel?.pendingLimits,
            icon: toplevel?.extensions?.pendingIcon)
        guard case .xdg(let geometry, let acknowledged, let limits, let icon)? = changes else {
            pendingGeometry = nil
            toplevel?.extensions?.pendingIcon = nil
            return old
        }
        pendingGeometry = geometry
        // A window that was unmapped meanwhile needs a new one.
        if hasCommittedFirst { serials.acknowledged = acknowledged }
        toplevel?.pendingLimits = limits
        if icon != nil || toplevel?.extensions != nil { toplevel?.ownExtensions.pendingIcon = icon }
        return old
    }
}

extension LayerSurfaceResource {
    static var beginsWithCommit: Bool { true }

    func exchangeChanges(for changes: RoleChanges?) -> RoleChanges? {
        let old = RoleChanges.layer(pending)
        if case .layer(let state)? = changes { pending = state }
        return old
    }
}

extension LockSurfaceResource {
    static var beginsWithCommit: Bool { true }

    func exchangeChanges(for changes: RoleChanges?) -> RoleChanges? {
        let old = RoleChanges.lock(acknowledged: acknowledged)
        if case .lock(let configure)? = changes { acknowledged = configure }
        return old
    }
}

extension WindowResource {
    static var beginsWithCommit: Bool { true }

    func exchangeChanges(for changes: RoleChanges?) -> RoleChanges? {
        let old = RoleChanges.window(pending, title: pendingTitle)
        if case .window(let list, let title)? = changes {
            (pending, pendingTitle) = (list, title)
        } else {
            (pending, pendingTitle) = ([], nil)
        }
        return old
    }
}
