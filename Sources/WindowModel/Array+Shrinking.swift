// Memory of arrays that were once much longer.

extension Array {
    /// Gives memory back when less than a quarter of it is used, and leaves room for twice as many elements. Called after
    /// each removal, it takes constant time on average.
    package mutating func shrink() {
        guard capacity > Swift.max(16, count * 4) else { return }
        var smaller: [Element] = []
        smaller.reserveCapacity(count * 2)
        smaller += self
        self = smaller
    }
}
