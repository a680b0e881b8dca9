// Finds the nearest of many candidates, bit by bit.

/// Candidates with their distances. First all are ranked by what costs little; then the nearest of these by what costs
/// more.
struct Ranking<ID: Comparable> {
    /// How many are ranked by what costs more.
    private static var mostRefined: Int { 64 }

    private var left: ArraySlice<ID>
    private var ranked: [(distance: Double, id: ID)] = []
    private var refined: Int?
    private let least: (ID) -> Double?
    private let exact: (ID) -> Double

    /// - Parameters:
    ///   - least: a lower bound of the distance; nil leaves a candidate out.
    ///   - exact: the distance.
    init(_ all: [ID], least: @escaping (ID) -> Double?, exact: @escaping (ID) -> Double) {
        left = all[...]
        self.least = least
        self.exact = exact
    }

    /// Continues.
    /// - Returns: false if time ran out before that was done.
    mutating func proceed(until isOver: () -> Bool) -> Bool {
        while let id = left.popFirst() {
            if let distance = least(id) { ranked.append((distance, id)) }
            if !left.isEmpty, isOver() { return false }
        }
        if refined == nil {
            ranked.sort(by: <)
            ranked.removeSubrange(min(Self.mostRefined, ranked.count)...)
        }
        for index in (refined ?? 0)..<ranked.count {
            ranked[index].distance = exact(ranked[index].id)
            refined = index + 1
            if index + 1 < ranked.count, isOver() { return false }
        }
        refined = ranked.count
        ranked.sort(by: <)
        return true
    }

    /// Nearest first, once that is done.
    var nearest: [ID] { ranked.map(\.id) }
}

extension Sequence where Element: Comparable {
    /// The least elements in order, without sorting the others.
    func least(_ count: Int) -> [Element] {
        var least: [Element] = []
        for element in self {
            if least.count == count {
                guard let last = least.last, element < last else { continue }
                least.removeLast()
            }
            least.insert(element, at: least.firstIndex { element < $0 } ?? least.endIndex)
        }
        return least
    }
}
