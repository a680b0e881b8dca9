// The pending state of a surface.

import Compositor
import Geometry
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
    var frameCallbacks: [ObjectID] = []
    var extensions: SurfaceExtensionStates?
    private(set) var children: [ChildChange] = []
    /// The memory charged to the client for `children`; nil before the first change.
    private var charge: MemoryCharge?

    /// What extensions change, from now on.
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
        children.append(change)
        if charge == nil { charge = MemoryCharge(to: client.holdings) }
        charge?.bytes = children.count * MemoryCost.change
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
        frameCallbacks += later.frameCallbacks
        // A commit without feedbacks replaces the feedbacks of an earlier one, too.
        if extensions != nil || later.extensions != nil {
            ownExtensions.merge(later.extensions ?? SurfaceExtensionStates())
        }
        guard !later.children.isEmpty else { return }
        children += later.children
        if charge == nil { charge = later.charge.take() }
        charge?.bytes = children.count * MemoryCost.change
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
        if !frameCallbacks.isEmpty { frameCallbacks = [] }
        extensions = nil
        guard !children.isEmpty else { return }
        children.removeAll(keepingCapacity: children.count <= 16)
        charge = nil
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
