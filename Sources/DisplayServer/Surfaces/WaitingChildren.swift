// The sub-surfaces that wait for their parent's commit.

/// Sub-surfaces in the order in which they began to wait. Removing one takes constant time.
struct WaitingChildren {
    /// Nil for a removed one.
    private var places: [SubsurfaceResource?] = []
    private var gone = 0

    var isEmpty: Bool { places.count == gone }
    var all: [SubsurfaceResource] { places.compactMap { $0 } }

    mutating func append(_ child: SubsurfaceResource) {
        guard child.waitingPlace == nil else { return }
        child.waitingPlace = UInt32(places.count)
        places.append(child)
    }

    /// Does nothing for a sub-surface that does not wait.
    mutating func remove(_ child: SubsurfaceResource) {
        guard let place = child.waitingPlace else { return }
        child.waitingPlace = nil
        places[Int(place)] = nil
        gone += 1
        guard gone * 2 > places.count else { return }
        for case let child? in takeAll() { append(child) }
    }

    /// Removes all children from the list.
    /// - Returns: the children, with nil for each one that was removed earlier.
    mutating func takeAll() -> [SubsurfaceResource?] {
        let children = places
        for case let child? in children { child.waitingPlace = nil }
        self = WaitingChildren()
        return children
    }
}
