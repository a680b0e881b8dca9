// The wl_shm pixel formats that pixman can read in place.

import CMullionPixman

/// A wl_shm format by its code: `argb8888` is 0, `xrgb8888` 1, all others are DRM four-character codes.
///
/// Alpha is premultiplied, as wl_shm requires.
public enum PixelFormat: UInt32, CaseIterable, Codable, Sendable {
    case argb8888 = 0
    case xrgb8888 = 1
    case abgr8888 = 0x3432_4241
    case xbgr8888 = 0x3432_4258
    case bgra8888 = 0x3432_4142
    case bgrx8888 = 0x3432_5842
    case rgba8888 = 0x3432_4152
    case rgbx8888 = 0x3432_5852
    case rgb888 = 0x3432_4752
    case bgr888 = 0x3432_4742
    case rgb565 = 0x3631_4752
    case bgr565 = 0x3631_4742
    case argb1555 = 0x3531_5241
    case xrgb1555 = 0x3531_5258
    case argb4444 = 0x3231_5241
    case xrgb4444 = 0x3231_5258
    case argb2101010 = 0x3033_5241
    case xrgb2101010 = 0x3033_5258
    case abgr2101010 = 0x3033_4241
    case xbgr2101010 = 0x3033_4258

    /// The size of a pixel in memory.
    public var bytesPerPixel: Int {
        switch self {
        case .rgb888, .bgr888: 3
        case .rgb565, .bgr565, .argb1555, .xrgb1555, .argb4444, .xrgb4444: 2
        default: 4
        }
    }

    /// Whether pixels can be translucent; without alpha the whole surface is opaque.
    public var hasAlpha: Bool {
        switch self {
        case .argb8888, .abgr8888, .bgra8888, .rgba8888, .argb1555, .argb4444, .argb2101010, .abgr2101010: true
        default: false
        }
    }

    /// pixman's name for the same memory layout (both name the bits of a little-endian number).
    var pixmanCode: pixman_format_code_t {
        switch self {
        case .argb8888: PIXMAN_a8r8g8b8
        case .xrgb8888: PIXMAN_x8r8g8b8
        case .abgr8888: PIXMAN_a8b8g8r8
        case .xbgr8888: PIXMAN_x8b8g8r8
        case .bgra8888: PIXMAN_b8g8r8a8
        case .bgrx8888: PIXMAN_b8g8r8x8
        case .rgba8888: PIXMAN_r8g8b8a8
        case .rgbx8888: PIXMAN_r8g8b8x8
        case .rgb888: PIXMAN_r8g8b8
        case .bgr888: PIXMAN_b8g8r8
        case .rgb565: PIXMAN_r5g6b5
        case .bgr565: PIXMAN_b5g6r5
        case .argb1555: PIXMAN_a1r5g5b5
        case .xrgb1555: PIXMAN_x1r5g5b5
        case .argb4444: PIXMAN_a4r4g4b4
        case .xrgb4444: PIXMAN_x4r4g4b4
        case .argb2101010: PIXMAN_a2r10g10b10
        case .xrgb2101010: PIXMAN_x2r10g10b10
        case .abgr2101010: PIXMAN_a2b10g10r10
        case .xbgr2101010: PIXMAN_x2b10g10r10
        }
    }
}
