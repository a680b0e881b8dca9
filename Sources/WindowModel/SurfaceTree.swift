// All surfaces of the model in one array of slots; trees are links between slots.

import MullionGeometry

struct SurfaceTree {
    /// The index that means no slot.
    static let none = UInt32.max
    /// C1: deeper trees are refused, which bounds the recursion below.
    static let maximumDepth = 64

    struct Node {
        var generation: UInt32 = 0
        var parent = SurfaceTree.none
        var firstChild = SurfaceTree.none
        var lastChild = SurfaceTree.none
        /// The sibling behind; in a free slot, the next free one.
        var previous = SurfaceTree.none
        /// The sibling in front.
        var next = SurfaceTree.none
        var childCount: UInt32 = 0
        /// How many of the children are below the node's own content.
        var belowCount: UInt32 = 0
        /// The backmost child above the node's own content.
        var firstAbove = SurfaceTree.none
        /// This node's index in the boxes of the parent's `measures`.
        var place: UInt32 = 0
        var role = Surface.Role.none
        var isAlive = false
        var hasContent = false
        /// C1: whether it is under its parent's own content. Those children come first in the list.
        var isBelow = false
        var position = Point.zero
        var size = Size.zero
        /// H1: nil for everything.
        var inputRegion: [Rect]?
        /// Set for a root surface or a pop-up.
        var window: WindowNode?
        /// Nil for most nodes, which have no children.
        var measures: ChildMeasures?
    }

    final class ChildMeasures {
        var heights = ChildHeights()
        /// The extents of the children, in the node's points.
        var boxes = ChildBoxes()
    }

    private(set) var firstFree = SurfaceTree.none
    private(set) var count = 0
    var nodes: [Node] = []

    init() {}

    /// Restores a tree. `free` lists the slots to reuse, the next one first.
    init(restoring nodes: [Node], free: [UInt32]) {
        self.nodes = nodes
        count = nodes.count(where: \.isAlive)
        for index in free.reversed() {
            self.nodes[Int(index)].previous = firstFree
            firstFree = index
        }
    }

    /// The slots to reuse, the next one first.
    var free: [UInt32] {
        Array(sequence(first: firstFree) { nodes[Int($0)].previous }.prefix { $0 != Self.none })
    }

    mutating func create() -> Surface.ID {
        count += 1
        guard firstFree != Self.none else {
            nodes.append(Node(isAlive: true))
            return Surface.ID(index: UInt32(nodes.count - 1), generation: 0)
        }
        let index = firstFree
        firstFree = nodes[Int(index)].previous
        let generation = nodes[Int(index)].generation
        nodes[Int(index)] = Node(generation: generation, isAlive: true)
        return Surface.ID(index: index, generation: generation)
    }

    /// Frees a slot without links.
    mutating func free(_ index: UInt32) {
        let generation = nodes[Int(index)].generation
        count -= 1
        // A slot whose generations are used up is never used again: ids are unique for ever.
        guard generation < .max else {
            nodes[Int(index)] = Node(generation: generation)
            return
        }
        nodes[Int(index)] = Node(generation: generation + 1, previous: firstFree)
        firstFree = index
    }

    func index(_ id: Surface.ID) -> UInt32? {
        guard id.index < nodes.count, nodes[Int(id.index)].isAlive,
            nodes[Int(id.index)].generation == id.generation
        else { return nil }
        return id.index
    }

    func id(_ index: UInt32) -> Surface.ID {
        Surface.ID(index: index, generation: nodes[Int(index)].generation)
    }

    /// The root of the tree that contains a surface.
    func top(of index: UInt32) -> UInt32 {
        var top = index
        while nodes[Int(top)].parent != Self.none { top = nodes[Int(top)].parent }
        return top
    }

    func window(of index: UInt32) -> WindowNode? { nodes[Int(top(of: index))].window }

    /// Whether `index` is `ancestor` or under it.
    func isInside(_ index: UInt32, _ ancestor: UInt32) -> Bool {
        var node = index
        while node != Self.none {
            if node == ancestor { return true }
            node = nodes[Int(node)].parent
        }
        return false
    }

    /// The position of the surface's origin in its window.
    func offset(of index: UInt32) -> Point {
        var offset = Point.zero
        var node = index
        while node != Self.none {
            offset = offset + nodes[Int(node)].position
            node = nodes[Int(node)].parent
        }
        return offset
    }

    func depth(of index: UInt32) -> Int {
        var depth = 0
        var node = index
        while node != Self.none {
            depth += 1
            node = nodes[Int(node)].parent
        }
        return depth
    }
}
