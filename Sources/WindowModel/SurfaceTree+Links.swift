// Links surfaces to their parents (C1).

extension SurfaceTree {
    /// Inserts `child`, which has no parent, directly behind `sibling`, or in front of all when that is `none`.
    mutating func link(_ child: UInt32, under parent: UInt32, behind sibling: UInt32, isBelow: Bool) {
        chain(child, under: parent, behind: sibling, isBelow: isBelow)
        measure(child, under: parent)
    }

    /// Like `link`, but does not update the parents' heights and extents.
    mutating func chain(_ child: UInt32, under parent: UInt32, behind sibling: UInt32, isBelow: Bool) {
        let previous = sibling == Self.none ? nodes[Int(parent)].lastChild : nodes[Int(sibling)].previous
        nodes[Int(child)].parent = parent
        nodes[Int(child)].isBelow = isBelow
        nodes[Int(child)].previous = previous
        nodes[Int(child)].next = sibling
        if previous == Self.none {
            nodes[Int(parent)].firstChild = child
        } else {
            nodes[Int(previous)].next = child
        }
        if sibling == Self.none {
            nodes[Int(parent)].lastChild = child
        } else {
            nodes[Int(sibling)].previous = child
        }
        nodes[Int(parent)].childCount += 1
        if isBelow {
            nodes[Int(parent)].belowCount += 1
        } else if sibling == nodes[Int(parent)].firstAbove {
            nodes[Int(parent)].firstAbove = child
        }
    }

    mutating func unlink(_ child: UInt32) {
        let parent = nodes[Int(child)].parent
        guard parent != Self.none else { return }
        forget(child, under: parent)
        let previous = nodes[Int(child)].previous
        let next = nodes[Int(child)].next
        if previous == Self.none {
            nodes[Int(parent)].firstChild = next
        } else {
            nodes[Int(previous)].next = next
        }
        if next == Self.none {
            nodes[Int(parent)].lastChild = previous
        } else {
            nodes[Int(next)].previous = previous
        }
        if nodes[Int(parent)].firstAbove == child { nodes[Int(parent)].firstAbove = next }
        nodes[Int(parent)].childCount -= 1
        if nodes[Int(child)].isBelow { nodes[Int(parent)].belowCount -= 1 }
        nodes[Int(child)].parent = Self.none
        nodes[Int(child)].previous = Self.none
        nodes[Int(child)].next = Self.none
        nodes[Int(child)].isBelow = false
    }

    /// The backmost child above the parent's own content, or `none`.
    func firstAbove(_ parent: UInt32) -> UInt32 { nodes[Int(parent)].firstAbove }

    /// How many children are above the parent's own content.
    func countAbove(_ parent: UInt32) -> Int {
        Int(nodes[Int(parent)].childCount - nodes[Int(parent)].belowCount)
    }

    /// The child above the parent's content that has `index` siblings behind it, `none` at the end. Walks from the
    /// nearer end.
    func childAbove(_ parent: UInt32, at index: Int) -> UInt32 {
        let count = countAbove(parent)
        guard index < count else { return Self.none }
        if index > count / 2 {
            var child = nodes[Int(parent)].lastChild
            for _ in index + 1..<count { child = nodes[Int(child)].previous }
            return child
        }
        var child = firstAbove(parent)
        for _ in 0..<index { child = nodes[Int(child)].next }
        return child
    }
}
