// The heights of the trees under a surface.

/// Counts a node's children by the height of their trees, so that the node's height can be updated when a child is
/// added, removed or changes.
public struct ChildHeights: Equatable {
    /// The number of children whose height is the index plus 1; the last one is never 0.
    private var counts: [UInt32] = []

    public init() {}

    /// The greatest height, 0 without children.
    public var maximum: Int { counts.count }

    /// Records a change of a child's height; 0 means no child.
    public mutating func replace(_ old: Int, with new: Int) {
        guard old != new else { return }
        if new > 0 {
            while counts.count < new { counts.append(0) }
            counts[new - 1] += 1
        }
        if old > 0 {
            counts[old - 1] -= 1
            while counts.last == 0 { counts.removeLast() }
        }
    }
}
