// How high the trees under a surface are.

/// Counts the children of a node by the height of what is under them, so that the height of the node is known whichever
/// child comes, goes or grows.
public struct ChildHeights: Equatable {
    /// How many children have the height of the index plus 1; the last is never 0.
    private var counts: [UInt32] = []

    public init() {}

    /// The greatest, 0 without children.
    public var maximum: Int { counts.count }

    /// A child's height became another; 0 stands for no child.
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
