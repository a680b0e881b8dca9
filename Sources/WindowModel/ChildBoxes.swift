// The bounding box of many rectangles that change one at a time.

import MullionGeometry

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
    /// How many boxes are joined into one of the next level.
    private static let fanOut = 8

    /// The child that each box of the first level belongs to.
    private var children: [UInt32] = []
    /// The children's boxes, then their unions by groups, the unions of those, and so on; the last level is one box.
    private var levels: [[Box]] = []

    var union: Box { levels.last?[0] ?? .empty }

    /// - Returns: the child's index.
    mutating func append(_ child: UInt32) -> UInt32 {
        children.append(child)
        var count = children.count
        for level in 0... {
            if level == levels.count { levels.append(level == 0 ? [] : [union]) }
            if levels[level].count < count { levels[level].append(.empty) }
            guard count > 1 else { break }
            count = (count + Self.fanOut - 1) / Self.fanOut
        }
        return UInt32(children.count - 1)
    }

    /// - Returns: the child moved to the freed index, if any.
    mutating func remove(_ place: UInt32) -> UInt32? {
        let last = children.count - 1
        let moved = Int(place) < last ? children[last] : nil
        if let moved {
            children[Int(place)] = moved
            set(place, levels[0][last])
        }
        set(UInt32(last), .empty)
        children.removeLast()
        children.shrink()
        var count = children.count
        for level in levels.indices {
            if levels[level].count > count { levels[level].removeLast() }
            levels[level].shrink()
            if count <= 1 {
                levels.removeLast(levels.count - level - count)
                break
            }
            count = (count + Self.fanOut - 1) / Self.fanOut
        }
        return moved
    }

    /// - Returns: whether the union changed.
    @discardableResult
    mutating func set(_ place: UInt32, _ box: Box) -> Bool {
        var (index, box) = (Int(place), box)
        for level in levels.indices {
            guard levels[level][index] != box else { return false }
            levels[level][index] = box
            index /= Self.fanOut
            box = .empty
            for member in levels[level][(index * Self.fanOut)...].prefix(Self.fanOut) { box = box.union(member) }
        }
        return true
    }
}
