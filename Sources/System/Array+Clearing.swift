// Emptying short arrays.

extension Array {
    /// Removes all elements and keeps the memory. For short arrays: up to about a dozen elements, removing them one by
    /// one is cheaper than `removeAll(keepingCapacity:)`, which replaces a range.
    @inlinable
    package mutating func clear() {
        while !isEmpty { removeLast() }
    }
}
