// How high a tree is and what it covers: kept with every change, so that no request pays for what is merely there.

import Geometry

extension SurfaceTree {
    /// The levels of the tree under a surface, itself included.
    func height(of index: UInt32) -> Int { 1 + nodes[Int(index)].childHeights.maximum }

    /// What the surface shows together with all that is under it, in its own points.
    /// `isMapped`: its sub-surfaces are shown though it has no content.
    func extent(of index: UInt32, isMapped: Bool = false) -> Box {
        let node = nodes[Int(index)]
        guard node.hasContent else { return isMapped ? node.childBoxes.union : .empty }
        return Box(Rect(origin: .zero, size: node.size)).union(node.childBoxes.union)
    }

    /// A surface was moved, or shows something else: what its parents cover follows.
    mutating func extentDidChange(of index: UInt32) {
        var child = index
        while true {
            let parent = nodes[Int(child)].parent
            guard parent != Self.none else { return }
            let box = extent(of: child).offset(by: nodes[Int(child)].position)
            guard nodes[Int(parent)].childBoxes.set(nodes[Int(child)].place, box) else { return }
            child = parent
        }
    }

    /// A surface has got a parent.
    mutating func measure(_ child: UInt32, under parent: UInt32) {
        nodes[Int(child)].place = nodes[Int(parent)].childBoxes.append(child)
        extentDidChange(of: child)
        heightDidChange(of: child, under: parent, from: 0, to: height(of: child))
    }

    /// A surface leaves its parent.
    mutating func forget(_ child: UInt32, under parent: UInt32) {
        let before = nodes[Int(parent)].childBoxes.union
        if let moved = nodes[Int(parent)].childBoxes.remove(nodes[Int(child)].place) {
            nodes[Int(moved)].place = nodes[Int(child)].place
        }
        if nodes[Int(parent)].childBoxes.union != before { extentDidChange(of: parent) }
        heightDidChange(of: child, under: parent, from: height(of: child), to: 0)
    }

    private mutating func heightDidChange(of child: UInt32, under parent: UInt32, from old: Int, to new: Int) {
        var (parent, old, new) = (parent, old, new)
        while parent != Self.none, old != new {
            let before = height(of: parent)
            nodes[Int(parent)].childHeights.replace(old, with: new)
            (old, new) = (before, height(of: parent))
            parent = nodes[Int(parent)].parent
        }
    }
}
