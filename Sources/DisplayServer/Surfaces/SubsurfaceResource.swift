// wl_subsurface

import MullionGeometry
import MullionWayland
import WindowModel

/// A surface inside another: its position, its order among its siblings (C1), and whether its commits wait for the
/// parent's.
final class SubsurfaceResource: Resource, SurfaceRole {
    static let roleName = RoleName.subsurface

    var isSynchronized = true
    /// The index in the parent's list of children.
    var indexInParent: UInt32 = 0
    /// The height that the parent has recorded for this surface.
    var heightInParent: UInt32 = 0
    /// The index in the parent's list of children waiting for its commit, if this one waits.
    var waitingPlace: UInt32?
    /// In the parent's points, as requested; takes effect with the parent's next commit.
    var offset: (x: Int32, y: Int32) = (0, 0)
    // Set to nil when either is destroyed (`surfaceWillBeDestroyed`, `parentWillBeDestroyed`). Not weak: a weak
    // reference makes every other reference to a surface several times as costly.
    var surface: SurfaceResource?
    var parent: SurfaceResource?

    /// `offset` as the window model has it.
    var position: Point { Point(x: Double(offset.x), y: Double(offset.y)) }

    func start(surface: SurfaceResource, parent: SurfaceResource, errorOn object: ObjectID) throws(ProtocolError) {
        try surface.setRole(self, errorOn: object, code: WlSubcompositor.Error.badSurface.rawValue)
        self.surface = surface
        self.parent = parent
        parent.adopt(self)
        try parent.requestChild(.add(self))
        surface.updatePreferences()
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(WlSubsurface.Request.self, opcode, &reader) {
        case .destroy: destroy()
        case .setPosition(let x, let y):
            offset = (x, y)
            try parent?.requestChild(.position(self, position))
        case .placeAbove(let sibling):
            guard let (parent, sibling) = try place(sibling) else { return }
            try parent.requestChild(.above(self, sibling))
        case .placeBelow(let sibling):
            guard let (parent, sibling) = try place(sibling) else { return }
            try parent.requestChild(.below(self, sibling))
        case .setSync: isSynchronized = true
        case .setDesync:
            let wasSynchronized = isEffectivelySynchronized
            isSynchronized = false
            if wasSynchronized, !isEffectivelySynchronized { try surface?.applyAllCached() }
        }
    }

    override var mayGoLater: Bool { true }

    override func willDestroy() {
        let surface = surface
        leaveParent()
        // Pending requests for this object are void, whatever happens to the surface.
        self.surface = nil
        surface?.clearRole()
        if let surface { detach(surface) }
    }

    /// Called when the parent is destroyed; the sub-surface is no longer shown.
    func parentWillBeDestroyed() {
        parent = nil
        surface?.updateEnteredScreen()
    }

    /// Whether commits are cached, because this sub-surface or one of its ancestors is synchronised.
    var isEffectivelySynchronized: Bool {
        var current: SubsurfaceResource? = self
        while let subsurface = current {
            if subsurface.isSynchronized { return true }
            current = subsurface.parent?.subsurface
        }
        return false
    }

    var containingWindow: Window.ID? { parent?.window }

    func surfaceWillBeDestroyed(_ surface: SurfaceResource) {
        detach(surface)
        self.surface = nil
        leaveParent()
    }

    private func leaveParent() {
        parent?.disown(self)
        parent = nil
    }

    private func detach(_ surface: SurfaceResource) {
        server.logErrors { () throws(ModelError) in try server.model.removeFromParent(surface.node) }
        surface.updateEnteredScreen()
    }

    /// C1: the parent, and the sibling or again the parent. Nil when the surface or its parent is gone: the object does
    /// nothing more.
    private func place(_ id: ObjectID) throws(ProtocolError) -> (parent: SurfaceResource, sibling: SurfaceResource)? {
        let other = try connection.resource(id, as: SurfaceResource.self)
        guard let surface, let parent else { return nil }
        guard other !== surface, other === parent || other.subsurface?.parent === parent else {
            throw ProtocolError(
                object: self.id, code: WlSubsurface.Error.badSurface.rawValue,
                message: "\(Rule.c1): surface \(id) is neither the parent nor another sub-surface of it")
        }
        return (parent, other)
    }
}
