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
    /// What the surface's role had changed.
    let changes: RoleChanges?
    /// Nil for a commit that is applied by itself.
    private(set) weak var parent: QueuedCommit?
    /// The commits of sub-surfaces that are applied with it.
    private(set) var parts: [QueuedCommit] = []
    private let charge: MemoryCharge

    init(_ state: SurfaceState, of surface: SurfaceResource) {
        self.surface = surface
        self.state = state
        changes = surface.role?.exchangeChanges(for: nil)
        charge = MemoryCharge(to: surface.client.holdings, bytes: MemoryCost.commit + (changes?.cost ?? 0))
        surface.client.queuedCommits += 1
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
        guard let surface, surface.queue.first === self, state.constraints.time ?? 0 <= now else { return false }
        // A synchronised sub-surface shows its frames with its parent's.
        guard parent != nil || !state.constraints.waitsForBarrier || !surface.hasBarrier else { return false }
        return parts.allSatisfy { $0.surface == nil || $0.isReady(at: now) }
    }

    /// Takes it from the queue of its surface.
    func leave() {
        guard let surface else { return }
        self.surface = nil
        surface.extensions?.queue.removeAll { $0 === self }
        surface.client.queuedCommits -= 1
    }
}
