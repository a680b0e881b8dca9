// The sub-surfaces of a surface, and how its next commit changes them (C1).

import MullionWayland
import WindowModel

/// The sub-surfaces of a surface that has, or had, any.
final class SurfaceFamily {
    /// Shown or not, unordered.
    var children: [SubsurfaceResource] = []
    var heights = ChildHeights()
    /// Those whose cached state waits for the surface's commit.
    var waiting = WaitingChildren()
}

extension SurfaceResource {
    /// The sub-surfaces, shown or not, unordered.
    var children: [SubsurfaceResource] { family?.children ?? [] }

    func adopt(_ child: SubsurfaceResource) {
        let family = family ?? SurfaceFamily()
        self.family = family
        child.indexInParent = UInt32(family.children.count)
        family.children.append(child)
        count(child, height: child.surface?.height ?? 0)
    }

    func disown(_ child: SubsurfaceResource) {
        count(child, height: 0)
        guard let family else { return }
        let last = family.children.removeLast()
        family.children.shrink()
        if last !== child {
            family.children[Int(child.indexInParent)] = last
            last.indexInParent = child.indexInParent
        }
        family.waiting.remove(child)
    }

    /// Updates the height of a sub-surface's tree; 0 removes it.
    private func count(_ child: SubsurfaceResource, height new: Int) {
        let before = height
        family?.heights.replace(Int(child.heightInParent), with: new)
        child.heightInParent = UInt32(new)
        if height != before, let subsurface { subsurface.parent?.count(subsurface, height: height) }
    }

    /// Defers a change to the sub-surfaces to the parent's next commit.
    func requestChild(_ request: SurfaceState.ChildChange) throws(ProtocolError) {
        guard isAlive else { return }
        let state = change
        try checkLimit(state.children.count + 1)
        state.append(request, of: client)
    }

    func checkLimit(_ changes: Int) throws(ProtocolError) {
        let limit = connection.transport.limits.surfaces
        guard changes <= limit else {
            throw ProtocolError(
                .noMemory, object: id, message: "limit reached: \(limit) changes to sub-surfaces before a commit")
        }
    }

    /// Whether sub-surfaces of this surface can be placed beside another one. It may have lost its role since the request.
    private func isSibling(_ surface: SurfaceResource) -> Bool {
        surface === self || surface.subsurface?.parent === self
    }

    func apply(_ change: SurfaceState.ChildChange) {
        // The sub-surface, or its sibling, may have been destroyed since the request.
        server.logErrors { () throws(ModelError) in
            switch change {
            case .add(let child):
                guard let surface = child.surface else { return }
                try server.model.addSubsurface(surface.node, to: node)
                try server.model.setPosition(surface.node, child.position)
                surface.updateEnteredScreen()
                server.scheduleFrame(for: surface)
            case .position(let child, let position):
                guard let surface = child.surface else { return }
                try server.model.setPosition(surface.node, position)
            case .above(let child, let sibling):
                guard let surface = child.surface, isSibling(sibling) else { return }
                try server.model.place(surface.node, above: sibling.node)
            case .below(let child, let sibling):
                guard let surface = child.surface, isSibling(sibling) else { return }
                try server.model.place(surface.node, below: sibling.node)
            }
        }
    }
}
