// Transforming, fading and clipping a view's picture with pixman.

import CMullionPixman
import MullionGeometry

enum PixmanImage {
    /// An image of premultiplied ARGB in memory that outlives the call.
    static func with(
        _ memory: UnsafeMutableRawBufferPointer, _ width: Int, _ height: Int, _ body: (OpaquePointer) -> Void
    ) {
        let bits = unsafe memory.baseAddress?.assumingMemoryBound(to: UInt32.self)
        guard
            let image = unsafe pixman_image_create_bits(
                PIXMAN_a8r8g8b8, Int32(width), Int32(height), bits, Int32(width * 4))
        else { return }
        unsafe body(image)
        unsafe pixman_image_unref(image)
    }

    /// Draws one image into another one.
    /// - Parameters:
    ///   - toTarget: from pixels of the source to pixels of the target.
    ///   - clip: in pixels of the target; nil: none.
    static func draw(
        _ source: OpaquePointer, into target: OpaquePointer, size: Size, _ toTarget: AffineTransform, alpha: Double,
        clip: Rect?
    ) {
        guard let inverse = toTarget.inverse else { return }
        var matrix = pixman_f_transform()
        matrix.m = (
            (inverse.a, inverse.c, inverse.tx), (inverse.b, inverse.d, inverse.ty), (0, 0, 1)
        )
        var fixed = pixman_transform()
        guard unsafe pixman_transform_from_pixman_f_transform(&fixed, &matrix) != 0 else { return }
        unsafe pixman_image_set_transform(source, &fixed)
        let isWhole =
            toTarget.a == 1 && toTarget.d == 1 && toTarget.b == 0 && toTarget.c == 0
            && toTarget.tx.rounded() == toTarget.tx && toTarget.ty.rounded() == toTarget.ty
        unsafe pixman_image_set_filter(source, isWhole ? PIXMAN_FILTER_NEAREST : PIXMAN_FILTER_BILINEAR, nil, 0)
        if let clip {
            var region = unsafe pixman_region32_t()
            let (left, top) = (Int32(clip.minX.rounded()), Int32(clip.minY.rounded()))
            let (right, bottom) = (Int32(clip.maxX.rounded()), Int32(clip.maxY.rounded()))
            unsafe pixman_region32_init_rect(
                &region, left, top, UInt32(max(0, right - left)), UInt32(max(0, bottom - top)))
            unsafe pixman_image_set_clip_region32(target, &region)
            unsafe pixman_region32_fini(&region)
        }
        var opacity = pixman_color_t(red: 0, green: 0, blue: 0, alpha: UInt16((alpha * 65_535).rounded()))
        let mask = unsafe alpha < 1 ? pixman_image_create_solid_fill(&opacity) : nil
        unsafe pixman_image_composite32(
            PIXMAN_OP_OVER, source, mask, target, 0, 0, 0, 0, 0, 0, Int32(size.width), Int32(size.height))
        if let mask = unsafe mask { unsafe pixman_image_unref(mask) }
    }
}

/// The picture of a view that is shown transformed, faded or clipped, before that.
@MainActor @safe final class BackingStore {
    let width: Int
    let height: Int
    let scale: Double
    private let memory: UnsafeMutableRawBufferPointer

    init(width: Int, height: Int, scale: Double) {
        (self.width, self.height, self.scale) = (width, height, scale)
        unsafe memory = .allocate(byteCount: width * height * 4, alignment: 16)
        unsafe memory.initializeMemory(as: UInt8.self, repeating: 0)
    }

    isolated deinit { unsafe memory.deallocate() }

    func pixels(bounds: Rect, dirtyRect: Rect) -> PixelBuffer {
        unsafe PixelBuffer(
            bytes: memory, width: width, height: height, scale: scale, bounds: bounds, dirtyRect: dirtyRect)
    }

    func withImage(_ body: (OpaquePointer) -> Void) { unsafe PixmanImage.with(memory, width, height, body) }
}
