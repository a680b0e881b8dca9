// The model's internal record of a screen: its value, the order of its visible windows and their hit boxes.

import MullionGeometry

final class ScreenNode {
    var value: Screen { didSet { bounds = value.bounds } }
    /// `value.bounds`, computed once per change.
    private(set) var bounds: Rect
    /// The visible windows, back to front (W3).
    private(set) var order: [Entry] = []
    /// How many of `order` are windows of plain programs.
    private(set) var plainCount = 0
    /// For each of `order`, a box that contains everything that can be hit: (minX, minY, -maxX, -maxY) in the screen's
    /// points, rounded outwards. A separate compact array, so that ten thousand can be skipped in microseconds.
    private(set) var boxes: [SIMD4<Float>] = []
    var needsDisplay = true
    /// K1: the seat the screen belongs to; nil once unplugged. The model retains the seat.
    unowned var seat: SeatNode?
    /// R1: the rotation in progress.
    var rotation: Rotation?

    struct Rotation {
        let from: Screen.Orientation
        /// In microseconds.
        let deadline: UInt64
    }

    /// An element of the window order.
    struct Entry {
        /// The window's stacking level.
        let level: Double
        let entry: WindowNode.Entry
        let window: WindowNode
    }

    /// A box that contains no point.
    static let unhittable = SIMD4<Float>(repeating: .infinity)

    init(_ value: Screen) {
        self.value = value
        bounds = value.bounds
    }

    var id: Screen.ID { value.id }

    /// Inserts a window according to its stacking level and entry.
    func insert(_ window: WindowNode) {
        let index = position(level: window.stackingLevel, entry: window.entry)
        order.insert(Entry(level: window.stackingLevel, entry: window.entry, window: window), at: index)
        boxes.insert(Self.unhittable, at: index)
        if window.value.needsContent { plainCount += 1 }
    }

    /// Removes a window; its stacking level and entry must be unchanged since it was inserted.
    /// - Returns: whether it was there.
    @discardableResult
    func remove(_ window: WindowNode) -> Bool {
        guard let index = index(of: window) else { return false }
        order.remove(at: index)
        boxes.remove(at: index)
        if window.value.needsContent { plainCount -= 1 }
        return true
    }

    /// Removes all windows, when the screen is unplugged.
    func removeAll() {
        order = []
        boxes = []
        plainCount = 0
    }

    func setBox(_ box: SIMD4<Float>, of window: WindowNode) {
        guard let index = index(of: window) else { return }
        boxes[index] = box
    }

    func index(of window: WindowNode) -> Int? {
        let index = position(level: window.stackingLevel, entry: window.entry)
        return index < order.count && order[index].window === window ? index : nil
    }

    /// The first index that is not behind the given level and entry.
    private func position(level: Double, entry: WindowNode.Entry) -> Int {
        var low = 0
        var high = order.count
        // Most windows enter at the very front.
        if let last = order.last, (last.level, last.entry) < (level, entry) { return high }
        while low < high {
            let middle = (low + high) / 2
            if (order[middle].level, order[middle].entry) < (level, entry) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The hit box of a rectangle in the screen's points.
    static func box(_ r: Rect) -> SIMD4<Float> {
        SIMD4(down(r.minX), down(r.minY), down(-r.maxX), down(-r.maxY))
    }

    /// The frontmost index behind `below` whose box contains the point.
    func nextBox(holding point: Point, below: Int) -> Int? {
        let probe = SIMD4(-Self.down(-point.x), -Self.down(-point.y), -Self.down(point.x), -Self.down(point.y))
        return unsafe boxes.withUnsafeBufferPointer { boxes in
            var index = below
            while index > 0 {
                index -= 1
                if unsafe all(probe .>= boxes[index]) { return index }
            }
            return nil
        }
    }

    /// Rounds down to a `Float`.
    private static func down(_ value: Double) -> Float {
        let result = Float(value)
        return Double(result) > value ? result.nextDown : result
    }
}
