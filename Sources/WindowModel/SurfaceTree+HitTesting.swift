// Finds the surface under a point (H1, C1).

import MullionGeometry

extension SurfaceTree {
    /// The frontmost surface of a tree that receives events at the point, given in the points of the surface at
    /// `index`.
    /// - Parameter area: whether the surface also counts where it has no content, for its window.
    func hit(_ index: UInt32, _ point: Point, area: Bool = false, isMapped: Bool = false) -> (UInt32, Point)? {
        guard isMapped || nodes[Int(index)].hasContent else { return nil }
        var child = nodes[Int(index)].lastChild
        while child != Self.none, !nodes[Int(child)].isBelow {
            if let found = hit(child, point - nodes[Int(child)].position) { return found }
            child = nodes[Int(child)].previous
        }
        if area || covers(index, point), takesInput(index, point) { return (index, point) }
        while child != Self.none {
            if let found = hit(child, point - nodes[Int(child)].position) { return found }
            child = nodes[Int(child)].previous
        }
        return nil
    }

    /// Whether any surface of the tree shows something at the point, even if it does not receive events there.
    func shows(_ index: UInt32, _ point: Point, isMapped: Bool = false) -> Bool {
        guard isMapped || nodes[Int(index)].hasContent else { return false }
        if covers(index, point) { return true }
        var child = nodes[Int(index)].firstChild
        while child != Self.none {
            if shows(child, point - nodes[Int(child)].position) { return true }
            child = nodes[Int(child)].next
        }
        return false
    }

    private func covers(_ index: UInt32, _ point: Point) -> Bool {
        nodes[Int(index)].hasContent && Rect(origin: .zero, size: nodes[Int(index)].size).contains(point)
    }

    private func takesInput(_ index: UInt32, _ point: Point) -> Bool {
        guard let region = nodes[Int(index)].inputRegion else { return true }
        return region.contains { $0.contains(point) }
    }
}
