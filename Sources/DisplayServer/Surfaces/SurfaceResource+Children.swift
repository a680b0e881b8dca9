// The sub-surfaces of a surface, and what its next commit does with them (C1).

import Wayland
import WindowModel

extension SurfaceResource {
    func adopt(_ child: SubsurfaceResource) {
        child.indexInParent = children.count
        children.append(child)
        count(child, height: child.surface?.height ?? 0)
    }

    func disown(_ child: SubsurfaceResource) {
        count(child, height: 0)
        let last = children.removeLast()
        if last !== child {
            children[child.indexInParent] = last
            last.indexInParent = child.indexInParent
        }
        waitingChildren.remove(child)
    }

    /// What is under a sub-surface has another height from now on; 0: it goes.
    private func count(_ child: SubsurfaceResource, height new: Int) {
        let before = height
        childHeights.replace(child.heightInParent, with: new)
        child.heightInParent = new
        if height != before, let subsurface { subsurface.parent?.count(subsurface, height: height) }
    }

    /// Lets the parent's next commit carry out a change to its sub-surfaces.
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

    func apply(_ change: SurfaceState.ChildChange) {
        // A sub-surface that went, or whose sibling went, since the request has nothing to be changed any more.
        server.ignore { () throws(ModelError) in
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
                guard let surface = child.surface else { return }
                try server.model.place(surface.node, above: sibling.node)
            case .below(let child, let sibling):
                guard let surface = child.surface else { return }
                try server.model.place(surface.node, below: sibling.node)
            }
        }
    }
}
