// The moves that turn one order of windows into another.

/// Compares two orders, bottom to top.
enum StackOrder {
    struct Move<Item: Equatable>: Equatable {
        let item: Item
        /// The item directly below it; nil: it becomes the lowest.
        let above: Item?
    }

    /// The fewest moves that give `new`, to be made in this order. Items that are only in `old` are gone already.
    static func moves<Item: Hashable>(from old: [Item], to new: [Item]) -> [Move<Item>] {
        guard old != new else { return [] }
        let places = Dictionary(old.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        let staying = longestIncreasing(new.map { places[$0] })
        return new.indices.filter { !staying.contains($0) }.map { index in
            Move(item: new[index], above: index == 0 ? nil : new[index - 1])
        }
    }

    /// The indices of a longest increasing subsequence of the numbers that are not nil.
    private static func longestIncreasing(_ numbers: [Int?]) -> Set<Int> {
        // The index of the least last number of a subsequence of each length, and what precedes each number in one.
        var ends: [Int] = []
        var previous = [Int?](repeating: nil, count: numbers.count)
        for (index, number) in numbers.enumerated() {
            guard let number else { continue }
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if numbers[ends[middle]] ?? 0 < number { low = middle + 1 } else { high = middle }
            }
            previous[index] = low == 0 ? nil : ends[low - 1]
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var result: Set<Int> = []
        var next = ends.last
        while let index = next {
            result.insert(index)
            next = previous[index]
        }
        return result
    }
}
