// The pending state of a surface.

import Compositor
import MullionGeometry
import MullionWayland
import WindowModel

/// Requested changes of one surface, waiting for its commit (C4), or for the parent's (synchronised sub-surfaces). The
/// server keeps a few empty states, so that an idle surface holds none and a commit allocates none.
final class SurfaceState {
    enum Attachment {
        case unchanged
        case removed
        case buffer(BufferResource)
    }

    enum RegionChange {
        case unchanged
        /// Back to the default: nothing opaque, input everywhere.
        case unset
        case region(KeptRegion)
    }

    /// A change to the sub-surfaces, in order of request.
    enum ChildChange {
        case add(SubsurfaceResource)
        case position(SubsurfaceResource, Point)
        case above(SubsurfaceResource, SurfaceResource)
        case below(SubsurfaceResource, SurfaceResource)
    }

    var attachment = Attachment.unchanged
    var surfaceDamage = IntRect.empty
    var bufferDamage = IntRect.empty
    var opaque = RegionChange.unchanged
    var input = RegionChange.unchanged
    var scale: Int32?
    var transform: BufferTransform?
    /// The distance by which the content moves, in points (wl_surface.offset).
    var offset = Point.zero
    var frameCallbacks = FrameCallbacks.none
    var extensions: SurfaceExtensionStates?
    private var childChanges: ChildChanges?

    /// Changes to the sub-surfaces, and what they cost the client.
    private final class ChildChanges {
        private(set) var list: [ChildChange] = []
        /// The memory charged to the client for the list; nil while that is empty.
        private var charge: MemoryCharge?

        func append(_ change: ChildChange, of client: Client) {
            list.append(change)
            if charge == nil { charge = MemoryCharge(to: client.holdings) }
            charge?.bytes = list.count * MemoryCost.change
        }

        func append(_ others: ChildChanges) {
            if charge == nil { charge = others.charge.take() }
            list += others.list
            charge?.bytes = list.count * MemoryCost.change
        }

        /// Puts earlier changes in front.
        func prepend(_ others: ChildChanges) {
            others.append(self)
            list = others.list
            charge = others.charge.take()
        }

        func removeAll() {
            guard !list.isEmpty else { return }
            list.removeAll(keepingCapacity: list.count <= 16)
            charge = nil
        }
    }

    var children: [ChildChange] { childChanges?.list ?? [] }

    /// `extensions`, created on first use.
    var ownExtensions: SurfaceExtensionStates {
        if let extensions { return extensions }
        let new = SurfaceExtensionStates()
        extensions = new
        return new
    }

    /// Whether the commit attaches a buffer; nil when it does not change the attachment.
    var attaches: Bool? {
        switch attachment {
        case .unchanged: nil
        case .removed: false
        case .buffer: true
        }
    }

    /// Adds a change to the sub-surfaces of a surface of that client.
    func append(_ change: ChildChange, of client: Client) {
        let changes = childChanges ?? ChildChanges()
        childChanges = changes
        changes.append(change, of: client)
    }

    /// Adds the changes to sub-surfaces of an earlier state that is dropped.
    func takeChildren(from dropped: SurfaceState) {
        guard let earlier = dropped.childChanges.take() else { return }
        guard let later = childChanges else {
            childChanges = earlier
            return
        }
        later.prepend(earlier)
    }

    /// Merges a later state into this one.
    func merge(_ later: SurfaceState) {
        if case .unchanged = later.attachment {
        } else {
            // Committed, but it will never be shown.
            if case .buffer(let old) = attachment { old.releaseIfUnused(unless: later.attachment) }
            attachment = later.attachment
        }
        surfaceDamage = surfaceDamage.union(later.surfaceDamage)
        bufferDamage = bufferDamage.union(later.bufferDamage)
        if case .unchanged = later.opaque {} else { opaque = later.opaque }
        if case .unchanged = later.input {} else { input = later.input }
        scale = later.scale ?? scale
        transform = later.transform ?? transform
        offset = offset + later.offset
        frameCallbacks.append(later.frameCallbacks)
        // A commit without feedbacks replaces the feedbacks of an earlier one, too.
        if extensions != nil || later.extensions != nil {
            ownExtensions.merge(later.extensions ?? SurfaceExtensionStates())
        }
        guard let laterChanges = later.childChanges else { return }
        if let childChanges { childChanges.append(laterChanges) } else { swap(&self.childChanges, &later.childChanges) }
    }

    func reset() {
        attachment = .unchanged
        surfaceDamage = .empty
        bufferDamage = .empty
        opaque = .unchanged
        input = .unchanged
        scale = nil
        transform = nil
        offset = .zero
        frameCallbacks = .none
        extensions = nil
        childChanges?.removeAll()
    }
}

/// Empty states for reuse.
final class SurfaceStatePool {
    private var free: [SurfaceState] = []

    func take() -> SurfaceState { free.popLast() ?? SurfaceState() }

    func give(back state: SurfaceState) {
        guard free.count < 32 else { return }
        state.reset()
        free.append(state)
    }
}
