// The height and extent of trees, updated with every change, so that requests need not walk the whole tree.

import MullionGeometry

extension SurfaceTree {
    /// The number of levels in a surface's tree, including itself.
    func height(of index: UInt32) -> Int { 1 + (nodes[Int(index)].measures?.heights.maximum ?? 0) }

    /// The bounding box of a surface and its tree, in its own points.
    /// - Parameter isMapped: whether its sub-surfaces are shown even without content.
    func extent(of index: UInt32, isMapped: Bool = false) -> Box {
        let index = Int(index)
        guard isMapped || nodes[index].hasContent else { return .empty }
        let children = nodes[index].measures?.boxes.union ?? .empty
        guard nodes[index].hasContent else { return children }
        return Box(Rect(origin: .zero, size: nodes[index].size)).union(children)
    }

    /// Updates the parents' extents after a surface was moved or changed its size.
    mutating func extentDidChange(of index: UInt32) {
        var child = index
        while true {
            let parent = nodes[Int(child)].parent
            guard parent != Self.none else { return }
            let box = extent(of: child).offset(by: nodes[Int(child)].position)
            guard nodes[Int(parent)].measures?.boxes.set(nodes[Int(child)].place, box) == true else { return }
            child = parent
        }
    }

    /// Updates the measures of a surface's new parent.
    mutating func measure(_ child: UInt32, under parent: UInt32) {
        let measures = nodes[Int(parent)].measures ?? ChildMeasures()
        nodes[Int(parent)].measures = measures
        nodes[Int(child)].place = measures.boxes.append(child)
        extentDidChange(of: child)
        heightDidChange(of: child, under: parent, from: 0, to: height(of: child))
    }

    /// Updates the measures of the parent that a surface leaves.
    mutating func forget(_ child: UInt32, under parent: UInt32) {
        guard let measures = nodes[Int(parent)].measures else { return }
        let before = measures.boxes.union
        if let moved = measures.boxes.remove(nodes[Int(child)].place) {
            nodes[Int(moved)].place = nodes[Int(child)].place
        }
        if measures.boxes.union != before { extentDidChange(of: parent) }
        heightDidChange(of: child, under: parent, from: height(of: child), to: 0)
    }

    private mutating func heightDidChange(of child: UInt32, under parent: UInt32, from old: Int, to new: Int) {
        var (parent, old, new) = (parent, old, new)
        while parent != Self.none, old != new {
            let before = height(of: parent)
            nodes[Int(parent)].measures?.heights.replace(old, with: new)
            (old, new) = (before, height(of: parent))
            parent = nodes[Int(parent)].parent
        }
    }
}
