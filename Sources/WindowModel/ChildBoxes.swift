// The bounding box of many rectangles that change one at a time.

import Geometry

/// A rectangle stored by its edges, so that a union involves no rounding. An empty one has no position.
struct Box: Equatable {
    /// minX, minY, -maxX, -maxY.
    private var edges: SIMD4<Double>

    static let empty = Box(edges: SIMD4(repeating: .infinity))

    private init(edges: SIMD4<Double>) { self.edges = edges }

    init(_ rect: Rect) {
        guard !rect.isEmpty else {
            self = .empty
            return
        }
        edges = SIMD4(rect.minX, rect.minY, -rect.maxX, -rect.maxY)
    }

    var isEmpty: Bool { self == .empty }

    func union(_ other: Box) -> Box { Box(edges: pointwiseMin(edges, other.edges)) }

    func offset(by point: Point) -> Box { Box(edges: edges + SIMD4(point.x, point.y, -point.x, -point.y)) }

    /// Nil when empty.
    var rect: Rect? {
        guard !isEmpty else { return nil }
        return Rect(x: edges[0], y: edges[1], width: -edges[2] - edges[0], height: -edges[3] - edges[1])
    }
}

/// The bounding box of a node's children. Changing one child takes logarithmic time.
struct ChildBoxes {
    /// The child that each box belongs to.
    private var children: [UInt32] = []
    /// A binary tree: the boxes from `capacity` on are the children's; each one before is the union of the two at twice
    /// its index.
    private var boxes: [Box] = []

    private var capacity: Int { boxes.count / 2 }

    var union: Box { boxes.isEmpty ? .empty : boxes[1] }

    /// - Returns: the child's index.
    mutating func append(_ child: UInt32) -> UInt32 {
        if children.count == capacity { resize(to: max(1, capacity * 2)) }
        children.append(child)
        return UInt32(children.count - 1)
    }

    /// - Returns: the child moved to the freed index, if any.
    mutating func remove(_ place: UInt32) -> UInt32? {
        let last = children.count - 1
        let moved = Int(place) < last ? children[last] : nil
        if let moved {
            children[Int(place)] = moved
            set(place, boxes[capacity + last])
        }
        set(UInt32(last), .empty)
        children.removeLast()
        if children.isEmpty {
            self = ChildBoxes()
        } else if children.count < capacity / 4 {
            resize(to: capacity / 2)
        }
        return moved
    }

    /// - Returns: whether the union changed.
    @discardableResult
    mutating func set(_ place: UInt32, _ box: Box) -> Bool {
        var index = capacity + Int(place)
        guard boxes[index] != box else { return false }
        boxes[index] = box
        while index > 1 {
            index /= 2
            let union = boxes[2 * index].union(boxes[2 * index + 1])
            guard union != boxes[index] else { return false }
            boxes[index] = union
        }
        return true
    }

    private mutating func resize(to new: Int) {
        let kept = boxes[capacity...].prefix(children.count)
        var larger = [Box](repeating: .empty, count: 2 * new)
        larger.replaceSubrange(new..<new + kept.count, with: kept)
        for index in stride(from: new - 1, to: 0, by: -1) {
            larger[index] = larger[2 * index].union(larger[2 * index + 1])
        }
        boxes = larger
    }
}
