// The order and positions of sub-surfaces (C1).

import MullionGeometry

extension WindowModel {
    /// C1: adds a surface on top of `parent`'s sub-surfaces. Throws W5 when it has another role or a parent, C1 when
    /// the tree would contain itself or be deeper than 64.
    public func addSubsurface(_ id: Surface.ID, to parent: Surface.ID) throws(ModelError) {
        let (child, parent) = (try index(id), try index(parent))
        try adopt(child, parent)
        surfaces.link(child, under: parent, behind: SurfaceTree.none, isBelow: false)
        treeDidChange(at: parent)
    }

    /// C1: like `addSubsurface`, with `index` of the sub-surfaces above the parent's content behind it. A sub-surface
    /// of the same parent is moved.
    public func insert(_ id: Surface.ID, in parent: Surface.ID, at index: Int) throws(ModelError) {
        let (child, parent) = (try self.index(id), try self.index(parent))
        let moves = surfaces.nodes[Int(child)].parent == parent
        let isCounted = moves && !surfaces.nodes[Int(child)].isBelow
        let count = surfaces.countAbove(parent) - (isCounted ? 1 : 0)
        guard (0...count).contains(index) else {
            throw .invalid(.c1, "index \(index) is outside 0…\(count), the sub-surfaces above the parent's content")
        }
        if moves { surfaces.unlink(child) } else { try adopt(child, parent) }
        surfaces.link(child, under: parent, behind: surfaces.childAbove(parent, at: index), isBelow: false)
        treeDidChange(at: parent)
    }

    /// C1: puts a sub-surface directly in front of a sibling, or of its parent's own content.
    public func place(_ id: Surface.ID, above reference: Surface.ID) throws(ModelError) {
        let (child, other, parent) = try siblings(id, reference)
        if other == parent {
            surfaces.unlink(child)
            surfaces.link(child, under: parent, behind: surfaces.firstAbove(parent), isBelow: false)
        } else {
            let isBelow = surfaces.nodes[Int(other)].isBelow
            surfaces.unlink(child)
            surfaces.link(child, under: parent, behind: surfaces.nodes[Int(other)].next, isBelow: isBelow)
        }
        treeDidChange(at: parent)
    }

    /// C1: puts a sub-surface directly behind a sibling, or behind its parent's own content.
    public func place(_ id: Surface.ID, below reference: Surface.ID) throws(ModelError) {
        let (child, other, parent) = try siblings(id, reference)
        surfaces.unlink(child)
        if other == parent {
            surfaces.link(child, under: parent, behind: surfaces.firstAbove(parent), isBelow: true)
        } else {
            let isBelow = surfaces.nodes[Int(other)].isBelow
            surfaces.link(child, under: parent, behind: other, isBelow: isBelow)
        }
        treeDidChange(at: parent)
    }

    /// Moves a sub-surface in its parent's points, or a pop-up in its window's. Throws W5 for any other surface.
    public func setPosition(_ id: Surface.ID, _ position: Point) throws(ModelError) {
        let index = try index(id)
        try Self.validate(position: position)
        guard surfaces.nodes[Int(index)].role == .subsurface || surfaces.nodes[Int(index)].role == .popup else {
            throw .role("only sub-surfaces and pop-ups have a position of their own")
        }
        guard position != surfaces.nodes[Int(index)].position else { return }
        surfaces.nodes[Int(index)].position = position
        surfaces.extentDidChange(of: index)
        treeDidChange(at: index)
    }

    /// Removes a sub-surface from its parent; it keeps its role (W5) and can be added again. Does nothing without a
    /// parent.
    public func removeFromParent(_ id: Surface.ID) throws(ModelError) {
        let index = try index(id)
        guard surfaces.nodes[Int(index)].parent != SurfaceTree.none else { return }
        cancelSequences(inTree: index)
        detachSubsurface(index)
    }

    func detachSubsurface(_ index: UInt32) {
        let parent = surfaces.nodes[Int(index)].parent
        guard parent != SurfaceTree.none else { return }
        surfaces.unlink(index)
        treeDidChange(at: parent)
    }

    /// Checks that `child` can be added to `parent`, and gives it its role.
    private func adopt(_ child: UInt32, _ parent: UInt32) throws(ModelError) {
        try take(.subsurface, child)
        guard !surfaces.isInside(parent, child) else {
            throw .notAllowed(.c1, "a surface cannot contain itself; use a parent outside its tree")
        }
        guard surfaces.depth(of: parent) + surfaces.height(of: child) <= SurfaceTree.maximumDepth else {
            throw .notAllowed(.c1, "surface trees are at most \(SurfaceTree.maximumDepth) deep")
        }
        surfaces.nodes[Int(child)].role = .subsurface
    }

    private func siblings(
        _ id: Surface.ID, _ reference: Surface.ID
    ) throws(ModelError) -> (child: UInt32, other: UInt32, parent: UInt32) {
        let (child, other) = (try index(id), try index(reference))
        let parent = surfaces.nodes[Int(child)].parent
        guard parent != SurfaceTree.none, child != other,
            other == parent || surfaces.nodes[Int(other)].parent == parent
        else {
            throw .notAllowed(.c1, "the reference is not a sibling or the parent of the sub-surface")
        }
        return (child, other, parent)
    }

    private func treeDidChange(at index: UInt32) {
        guard let window = surfaces.window(of: index) else { return overlayDidChange(at: index) }
        didChange(window)
    }
}
