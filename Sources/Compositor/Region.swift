// A set of unit squares stored as sorted rectangles: wl_region, opaque regions, damage.

import CMullionPixman

/// A set of unit squares with 32-bit coordinates (`pixman_region32`). A reference type: copy it to keep it.
///
/// Client-supplied numbers cannot trap or overflow: rectangles are clamped to 32 bits.
@safe public final class Region: Equatable {
    /// Allocated separately, because pixman reads and writes the same region in one call.
    private let raw = UnsafeMutablePointer<pixman_region32_t>.allocate(capacity: 1)

    /// An empty region.
    public init() {
        unsafe pixman_region32_init(raw)
    }

    /// The squares of one rectangle.
    public init(_ rect: IntRect) {
        if rect.isEmpty {
            unsafe pixman_region32_init(raw)
        } else {
            var box = rect.box
            unsafe pixman_region32_init_with_extents(raw, &box)
        }
    }

    deinit {
        unsafe pixman_region32_fini(raw)
        unsafe raw.deallocate()
    }

    /// An independent copy.
    public func copy() -> Region {
        let result = Region()
        unsafe pixman_region32_copy(result.raw, raw)
        return result
    }

    /// Whether the region is empty.
    public var isEmpty: Bool { unsafe pixman_region32_not_empty(raw) == 0 }

    /// The bounding box, `.empty` for an empty region.
    public var extents: IntRect {
        guard !isEmpty else { return .empty }
        return unsafe IntRect(pixman_region32_extents(raw).pointee)
    }

    /// The number of rectangles in the representation, for limits.
    public var rectangleCount: Int { unsafe Int(pixman_region32_n_rects(raw)) }

    /// The disjoint rectangles of the region, top to bottom, then left to right.
    public var rectangles: [IntRect] {
        var result: [IntRect] = []
        result.reserveCapacity(rectangleCount)
        forEachRectangle { result.append($0) }
        return result
    }

    /// The number of squares inside, clamped to `Int`.
    public var area: Int {
        var sum = 0
        forEachRectangle { rect in
            let (next, over) = sum.addingReportingOverflow(rect.area)
            sum = over ? .max : next
        }
        return sum
    }

    /// Whether the square at (x, y) is inside.
    public func contains(x: Int, y: Int) -> Bool {
        guard let x = Int32(exactly: x), let y = Int32(exactly: y) else { return false }
        return unsafe pixman_region32_contains_point(raw, x, y, nil) != 0
    }

    /// Whether the whole rectangle is inside; an empty one always is.
    public func contains(_ rect: IntRect) -> Bool {
        guard !rect.isEmpty else { return true }
        var box = rect.box
        return unsafe pixman_region32_contains_rectangle(raw, &box) == PIXMAN_REGION_IN
    }

    /// Adds the squares of a rectangle (wl_region.add).
    public func add(_ rect: IntRect) {
        guard !rect.isEmpty else { return }
        unsafe withRaw(rect) { unsafe pixman_region32_union(raw, raw, $0) }
    }

    /// Adds another region.
    public func add(_ other: Region) {
        unsafe pixman_region32_union(raw, raw, other.raw)
    }

    /// Removes the squares of a rectangle (wl_region.subtract).
    public func subtract(_ rect: IntRect) {
        guard !rect.isEmpty else { return }
        unsafe withRaw(rect) { unsafe pixman_region32_subtract(raw, raw, $0) }
    }

    /// Removes another region.
    public func subtract(_ other: Region) {
        guard other !== self else { return removeAll() }
        unsafe pixman_region32_subtract(raw, raw, other.raw)
    }

    /// Intersects with a rectangle.
    public func intersect(_ rect: IntRect) {
        guard !rect.isEmpty else { return removeAll() }
        unsafe withRaw(rect) { unsafe pixman_region32_intersect(raw, raw, $0) }
    }

    /// The intersection with a rectangle, as a new region.
    public func intersection(_ rect: IntRect) -> Region {
        let result = Region()
        if !rect.isEmpty { unsafe withRaw(rect) { unsafe pixman_region32_intersect(result.raw, raw, $0) } }
        return result
    }

    /// Intersects with another region.
    public func intersect(_ other: Region) {
        unsafe pixman_region32_intersect(raw, raw, other.raw)
    }

    /// Makes it empty.
    public func removeAll() {
        unsafe pixman_region32_clear(raw)
    }

    /// Calls `body` with each rectangle, in the order of `rectangles`, without allocating.
    /// `body` must not change the region.
    public func forEachRectangle(_ body: (IntRect) -> Void) {
        var count: Int32 = 0
        guard let boxes = unsafe pixman_region32_rectangles(raw, &count) else { return }
        for index in 0..<Int(count) {
            let rect = unsafe IntRect(boxes[index])
            if !rect.isEmpty { body(rect) }
        }
    }

    public static func == (a: Region, b: Region) -> Bool {
        unsafe a === b || pixman_region32_equal(a.raw, b.raw) != 0
    }

    private func withRaw(_ rect: IntRect, _ body: (UnsafePointer<pixman_region32_t>) -> pixman_bool_t) {
        var box = rect.box
        var single = unsafe pixman_region32_t()
        // Never init_rect: it adds the width to x in 32 bits.
        unsafe pixman_region32_init_with_extents(&single, &box)
        _ = unsafe body(&single)
        unsafe pixman_region32_fini(&single)
    }
}
