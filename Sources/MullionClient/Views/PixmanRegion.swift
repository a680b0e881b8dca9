// How many rectangles a region needs.

import CMullionPixman

/// A set of points made of rectangles that do not overlap.
@safe struct PixmanRegion: ~Copyable {
    private var region = unsafe pixman_region32_t()

    init() { unsafe pixman_region32_init(&region) }

    deinit {
        var region = unsafe region
        unsafe pixman_region32_fini(&region)
    }

    /// Adds a rectangle, unless the region needed more rectangles than that with it.
    /// - Returns: whether it was added.
    mutating func add(x: Int32, y: Int32, width: Int32, height: Int32, atMost limit: Int32) -> Bool {
        var new = unsafe pixman_region32_t()
        unsafe pixman_region32_init(&new)
        unsafe pixman_region32_union_rect(&new, &region, x, y, UInt32(width), UInt32(height))
        let fits = unsafe pixman_region32_n_rects(&new) <= limit
        if fits { unsafe swap(&region, &new) }
        unsafe pixman_region32_fini(&new)
        return fits
    }
}
