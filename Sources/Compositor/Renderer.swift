// The picture of one observed screen, redrawn only where it changed.

import CMullionPixman
import WindowModel

/// Maintains a framebuffer and updates it from one `Frame` to the next.
///
/// `begin` takes the screen's contents, `compare` finds what changed, `draw` paints that. All work in slices, so that
/// the caller can serve others in between:
///
///     renderer.begin(frame)
///     renderer.add(layer, contents)  // as often as there are more
///     while !renderer.compare(until: { … }) { /* one turn of the event loop */ }
///     while !renderer.draw(maximumPixels: 1 << 20, until: { … }) { /* one turn of the event loop */ }
///     let picture = renderer.bitmap()
///
/// Between calls, nothing runs and only the framebuffer and the list of its layers are kept. If only contents have changed
/// since, `beginAgain` uses that list instead.
public final class Renderer {
    /// What the server knows of a surface: its pixels and what changed in them.
    public typealias Contents = (pixels: any PixelContents, damage: DamageHistory)

    /// The largest framebuffer edge, in pixels; larger frames are clipped.
    public static let maximumEdge = Screen.Mode.maximumEdge
    /// The most pixels of one item drawn at once.
    private static let pixelsAtOnce = 1 << 16
    /// The same for pictures with turned items: reading a part of a row of these may take a system call.
    private static let turnedPixelsAtOnce = 1 << 18
    /// The longest list whose memory is kept for the next picture.
    static let keptCapacity = 64
    /// List entries released between two checks of the time.
    private static let itemsAtOnce = 64

    var framebuffer: PixmanImage?
    var previous: [DrawnLayer] = []
    /// The visible part of the framebuffer; the rest stays black (S5, S7).
    var visibleArea = IntRect.empty
    /// The `visibleArea` for which the positions in `previous` were computed.
    var screenOfPrevious = IntRect.empty
    /// The part of the framebuffer that does not show `previous` yet, in pixels.
    let damage = Region()
    /// What the last comparison found changed, in pixels.
    let changed = Region()
    /// The differences that the current comparison has found so far, hidden or not.
    var changes: [LayerChange] = []
    /// Scratch: what the layers looked at so far do not hide.
    let visible = Region()
    /// The drawing of a part into other memory; nil when there is none.
    var direct: DirectDrawing?
    /// Whether the framebuffer has alpha and is transparent where nothing is drawn, instead of black.
    public let hasAlpha: Bool
    /// The layers added since `begin`; after the comparison, those of the picture before, until they are released. A
    /// short list is reused for the next picture.
    var next: [DrawnLayer] = []
    /// The contents of the layers of `next` or, after the comparison, of `plan`.
    var found: [Contents?] = []
    /// The part of the picture outside of which no layer's contents are in `found`; nil if all are.
    var knownPart: IntRect?
    /// The state of comparing `next` with `previous`; nil when done.
    var comparison: LayerComparison?
    /// Nil when planning is done.
    var plan: Plan?
    /// The steps of the current drawing, front to back; they retain the contents.
    var items: [DrawItem] = []
    /// The damaged pixels not covered by an opaque layer.
    let background = Region()
    /// The rows that are not finished yet.
    var pendingRows: Range<Int32> = 0..<0
    /// Whether there are rows to draw, or lists of a drawing to release.
    private(set) var isUnfinished = false
    /// Whether the framebuffer is new since the last complete comparison, or its visible area is.
    private(set) var isEverythingNew = false
    /// The rows being drawn now: the first of `pendingRows`.
    private var band: Range<Int32> = 0..<0
    /// How many of `items` are drawn in `band`, from the end.
    private var drawnItems = 0
    private var painter = Painter()

    /// The colours of the pictures from the next `begin` on; nil for those of the layers.
    public var colors: ColorTable?
    /// Those of the last drawing.
    private(set) var drawnColors: ColorTable?

    /// How many pixels the last `compare` or `beginAgain` found changed.
    public internal(set) var damagedPixels = 0
    /// How many pixels were written since then, counting repeated writes.
    public internal(set) var paintedPixels = 0

    /// A renderer that has drawn nothing yet.
    /// - Parameter hasAlpha: whether the framebuffer has alpha, premultiplied, and is transparent where nothing is
    ///   drawn; otherwise it is black there.
    public init(hasAlpha: Bool = false) { self.hasAlpha = hasAlpha }

    /// The framebuffer's width in pixels, 0 before the first `begin`.
    public var width: Int { framebuffer?.width ?? 0 }
    /// The framebuffer's height in pixels.
    public var height: Int { framebuffer?.height ?? 0 }
    /// The number of layers in the last compared picture.
    public var layerCount: Int { previous.count }
    /// The length of the longest list that the last picture needed.
    public private(set) var longestList = 0
    /// Whether a drawing is in progress: the framebuffer then shows a mix of old and new.
    public var isDrawing: Bool { comparison == nil && isUnfinished }
    /// The changed part that the last `compare` or `beginAgain` found, in pixels.
    public var damagedRegion: Region { changed.copy() }

    var bounds: IntRect { IntRect(x: 0, y: 0, width: width, height: height) }

    /// Begins a frame, adds all its layers and compares them. `contents` is called once for each surface layer.
    /// - Returns: false if nothing changed and there is nothing to draw.
    public func begin(_ frame: Frame, contents: (Surface.ID) -> Contents?) -> Bool {
        begin(frame)
        for layer in frame.layers {
            if case .surface(let id) = layer.content { add(layer, contents(id)) } else { add(layer, nil) }
        }
        while !compare(until: { false }) {}
        return isDrawing
    }

    /// Begins the next picture; `add` supplies its layers. An unfinished drawing is continued as part of this one.
    public func begin(_ frame: Frame) {
        var isNew = prepareFramebuffer(frame)
        let visible = IntRect(nearest: frame.visibleArea).intersection(bounds)
        if visible != visibleArea {
            visibleArea = visible
            isNew = true
        }
        if colors != drawnColors {
            drawnColors = colors
            isNew = true
        }
        // The undrawn rows of an unfinished drawing remain, and what was postponed.
        if !pendingRows.isEmpty {
            damage.intersect(
                IntRect(minX: 0, minY: pendingRows.lowerBound, maxX: .max, maxY: pendingRows.upperBound))
        }
        changed.removeAll()
        changes.removeAll(keepingCapacity: changes.capacity <= Self.keptCapacity)
        stop()
        pendingRows = 0..<0
        painter = Painter()
        // Growing a long list would copy all of it at once.
        next.reserveCapacity(previous.count)
        found.reserveCapacity(previous.count)
        knownPart = nil
        comparison = LayerComparison()
        if isNew { isEverythingNew = true }
        if isEverythingNew { changed.add(bounds) }
    }

    /// Compares the added layers with those drawn last, and prepares to draw the difference.
    /// - Returns: false if time ran out before that was done and the lists no longer needed were released.
    public func compare(until isOver: () -> Bool) -> Bool {
        guard comparison != nil else { return isDrawing || release(&next, until: isOver) }
        guard goOnComparing(until: isOver) else { return false }
        changed.intersect(bounds)
        damage.intersect(bounds)
        damage.add(changed)
        // When there is nothing to draw, `finish` does not release them.
        if damage.isEmpty, !release(&found, until: isOver) { return false }
        comparison = nil
        isEverythingNew = false
        swap(&previous, &next)
        screenOfPrevious = visibleArea
        longestList = max(previous.count, next.count)
        guard prepareDrawing() else { return release(&next, until: isOver) }
        return true
    }

    /// Prepares to draw the damage.
    /// - Returns: false if there is none.
    func prepareDrawing() -> Bool {
        damagedPixels = changed.area
        paintedPixels = 0
        let extents = damage.extents
        pendingRows = extents.isEmpty ? 0..<0 : extents.minY..<extents.maxY
        isUnfinished = !extents.isEmpty
        if isUnfinished { plan = Plan(remaining: damage.copy(), end: previous.count) }
        return isUnfinished
    }

    /// Discards what the last drawing counted.
    func resetCounts() {
        painter = Painter()
        longestList = previous.count
    }

    /// Draws until about `maximumPixels` pixels are written, `isOver` returns true, or all is done.
    ///
    /// Repeated writes of a pixel count, because the time depends on all layers. Returns true when the drawing is
    /// finished: the framebuffer then shows the whole frame, and the contents are released.
    public func draw(maximumPixels: Int = .max, until isOver: () -> Bool = { false }) -> Bool {
        guard !pendingRows.isEmpty, let framebuffer else { return finish(until: isOver) }
        guard goOnPlanning(until: isOver) else { return false }
        let canvas = Canvas(image: framebuffer, x: 0, y: 0)
        let limit = max(1, maximumPixels)
        let before = painter.painted
        defer { paintedPixels = painter.painted }
        while !pendingRows.isEmpty {
            if band.isEmpty { beginBand(atMost: limit, on: canvas) }
            while drawnItems < items.count {
                painter.draw(items[items.count - 1 - drawnItems], rows: band, on: canvas)
                drawnItems += 1
                if drawnItems < items.count, painter.painted - before >= limit || isOver() { return false }
            }
            if colors != nil { applyColors(to: band) }
            pendingRows = band.upperBound..<pendingRows.upperBound
            (band, drawnItems) = (0..<0, 0)
            if pendingRows.isEmpty { damage.removeAll() }
            if painter.painted - before >= limit || isOver() { break }
        }
        return pendingRows.isEmpty && finish(until: isOver)
    }

    private func beginBand(atMost pixels: Int, on canvas: Canvas) {
        let isTurned = items.contains { if case .surface(let surface) = $0.paint { surface.isTurned } else { false } }
        let most = isTurned ? Self.turnedPixelsAtOnce : Self.pixelsAtOnce
        let count = max(1, min(pixels, most) / max(1, damage.extents.width))
        let rest = Int(pendingRows.upperBound) - Int(pendingRows.lowerBound)
        band = pendingRows.lowerBound..<pendingRows.lowerBound + Int32(min(count, rest))
        painter.fill(background, with: emptyColor, rows: band, on: canvas)
    }

    /// What pixels without a layer show.
    var emptyColor: pixman_color_t { hasAlpha ? pixman_color_t(opacity: 0) : .black }

    /// A copy of the framebuffer; empty before the first `begin`.
    public func bitmap() -> Bitmap {
        var bitmap = Bitmap(unfinished: width, height, hasAlpha: hasAlpha)
        copy(0..<height, to: &bitmap)
        return bitmap
    }

    /// Copies rows of the framebuffer to a bitmap of the same size.
    public func copy(_ rows: Range<Int>, to bitmap: inout Bitmap) {
        precondition((bitmap.width, bitmap.height) == (width, height), "the bitmap has a different size")
        guard let framebuffer, let data = unsafe framebuffer.data else { return }
        unsafe bitmap.setRows(rows, from: data, stride: framebuffer.stride)
    }

    /// The framebuffer in place, for copying parts: a8r8g8b8, or x8r8g8b8 with an undefined unused byte; the stride is
    /// in bytes.
    /// `body` is not called before the first `begin`.
    public func withFramebuffer(_ body: (_ rows: UnsafeRawBufferPointer, _ stride: Int) -> Void) {
        guard let framebuffer, let data = unsafe framebuffer.data else { return }
        unsafe body(UnsafeRawBufferPointer(start: data, count: framebuffer.stride * height), framebuffer.stride)
    }

    /// Leaves the framebuffer as it is; a later drawing draws what it does not show yet. Releases the contents, in steps.
    /// - Returns: false if time ran out before that was done.
    public func postpone(until isOver: () -> Bool) -> Bool {
        pendingRows = 0..<0
        (plan, direct) = (nil, nil)
        return finish(until: isOver)
    }

    private func finish(until isOver: () -> Bool) -> Bool {
        guard release(&items, until: isOver), release(&next, until: isOver), release(&found, until: isOver) else {
            return false
        }
        stop()
        return true
    }

    /// Empties a list in steps, because releasing thousands of buffers takes milliseconds.
    private func release<Element>(_ list: inout [Element], until isOver: () -> Bool) -> Bool {
        while list.count > Self.itemsAtOnce {
            list.removeLast(Self.itemsAtOnce)
            if isOver() { return false }
        }
        list.removeAll(keepingCapacity: list.capacity <= Self.keptCapacity)
        return true
    }

    /// Discards the progress of a drawing.
    private func stop() {
        (plan, direct, isUnfinished) = (nil, nil, false)
        items.removeAll(keepingCapacity: items.capacity <= Self.keptCapacity)
        next.removeAll(keepingCapacity: next.capacity <= Self.keptCapacity)
        found.removeAll(keepingCapacity: found.capacity <= Self.keptCapacity)
        background.removeAll()
        (band, drawnItems) = (0..<0, 0)
    }

    /// Makes a framebuffer of the frame's size; returns whether it is new.
    private func prepareFramebuffer(_ frame: Frame) -> Bool {
        let newWidth = max(0, min(Self.maximumEdge, frame.pixelWidth))
        let newHeight = max(0, min(Self.maximumEdge, frame.pixelHeight))
        let wanted = newWidth > 0 && newHeight > 0 ? (newWidth, newHeight) : (0, 0)
        guard (width, height) != wanted else { return false }
        let format = hasAlpha ? PIXMAN_a8r8g8b8 : PIXMAN_x8r8g8b8
        framebuffer = PixmanImage(format: format, width: newWidth, height: newHeight)
        return true
    }
}
