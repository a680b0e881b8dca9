// A commit that waits to be applied.

import WindowModel

/// A commit that waits for a frame or for a time, or because an earlier one of its surface does.
///
/// The commits of synchronised sub-surfaces that it will apply wait with it, each as well in the queue of its own surface:
/// what these commit later, desynchronised, is applied after it.
final class QueuedCommit {
    /// Nil once the commit was applied or dropped.
    var surface: SurfaceResource?
    let state: SurfaceState
    /// The surface's role when it was committed.
    private weak var role: (any SurfaceRole)?
    /// What the role had changed.
    let changes: RoleChanges?
    /// Nil for a commit that is applied by itself.
    private(set) weak var parent: QueuedCommit?
    /// The commits of sub-surfaces that are applied with it.
    private(set) var parts: [QueuedCommit] = []
    private let charge: MemoryCharge

    init(_ state: SurfaceState, of surface: SurfaceResource) {
        self.surface = surface
        self.state = state
        role = surface.role
        changes = role?.exchangeChanges(for: nil)
        weight = 1 + state.children.count + (changes?.count ?? 0)
        charge = MemoryCharge(to: surface.client.holdings, bytes: MemoryCost.commit + (changes?.cost ?? 0))
        surface.client.queuedCommits += weight
    }

    /// What it adds to the number of commits that wait: each change in it can take as long as another commit.
    private let weight: Int

    /// The weight of all that is applied with it.
    var work: Int { parts.reduce(weight) { $0 + $1.work } }

    /// Whether the surface's current role takes part when it is applied: the role for which it was committed, or a later
    /// one that does not begin with a commit of its own.
    var isOfRole: Bool {
        guard let current = surface?.role, current !== role else { return true }
        return role == nil && !type(of: current).beginsWithCommit
    }

    func add(_ part: QueuedCommit) {
        part.parent = self
        parts.append(part)
    }

    /// The commit of the desynchronised surface with which it is applied, or itself.
    var root: QueuedCommit { parent?.root ?? self }

    /// The surfaces of its parts, those of the parts' own parts first.
    var partSurfaces: [SurfaceResource] {
        parts.flatMap { part in part.surface.map { part.partSurfaces + [$0] } ?? [] }
    }

    /// When the last of its parts is due; 0 without any constraint.
    var time: UInt64 { parts.reduce(state.constraints.time ?? 0) { $1.surface == nil ? $0 : max($0, $1.time) } }

    /// Whether all of it is next in its queue and need not wait.
    func isReady(at now: UInt64) -> Bool {
        guard let surface, surface.queue.first === self,
            state.constraints.allow(surface, isPart: parent != nil, at: now)
        else { return false }
        return parts.allSatisfy { $0.surface == nil || $0.isReady(at: now) }
    }

    /// Takes it from the queue of its surface.
    func leave() {
        guard let surface else { return }
        self.surface = nil
        if surface.queue.first === self {
            surface.extensions?.queue.removeFirst()
        } else {
            surface.extensions?.queue.removeAll { $0 === self }
        }
        surface.client.queuedCommits -= weight
    }
}
