// The picture of one screen.

import Compositor
import Geometry
import WindowModel

/// The picture of one screen that somebody looks at or looked at a moment ago.
final class ScreenCapture {
    /// What there is to be looked at.
    struct View: Hashable, Comparable {
        var screen: Screen.ID
        var hasCursor: Bool

        static func < (a: View, b: View) -> Bool {
            a.screen == b.screen ? !a.hasCursor && b.hasCursor : a.screen < b.screen
        }
    }

    /// Rows copied between two checks of the time.
    private static let rowsAtOnce = 16

    let view: View
    var renderer = Renderer()
    /// Who looks again and again; whose owners have waited longest come first.
    var onlookers: [Onlooker] = []
    /// What gets the picture once it is drawn. There is one at a time: who wants a picture of another moment waits for no
    /// more than this.
    private(set) var look: (any Look)?
    /// Whether it will be drawn after the next tick.
    var isScheduled = false
    /// Whether that tick has passed, and there may be some left who waited for it.
    var hasTicked = false
    /// Whether it was begun for requests that are being served at this moment.
    var isOfRequests = false
    /// The scene to be drawn, until it is compared with the last drawing.
    private(set) var scene: CapturedScene?
    /// Whether onlookers whose turn it is receive this drawing.
    private var isForLooks = false
    /// The state at the moment the scene shows: whether a tick had passed, and the time in microseconds.
    private var moment = (hasTicked: false, time: UInt64(0))
    /// Whether a cursor was in the picture that was drawn last.
    var isCursorThere = false
    /// How the screen's points become pixels. When that changes, nothing is any more where it was seen.
    var toPixels: AffineTransform? {
        didSet {
            if toPixels != oldValue { for onlooker in onlookers { onlooker.forgetAll() } }
        }
    }
    /// What was drawn last, for all who ask for the same moment.
    private var bitmap: Bitmap?
    /// The copy of the framebuffer under way, and how many rows it has.
    private var copy: (bitmap: Bitmap, rows: Int)?
    /// Whether a bitmap of the drawing under way was requested.
    private var wantsBitmap = false
    /// When somebody got a picture last, in microseconds.
    var lastUse: UInt64 = 0

    init(_ view: View) { self.view = view }

    var isBusy: Bool {
        scene != nil || renderer.isDrawing || look != nil || (wantsBitmap && bitmap == nil)
    }

    /// Whether it is somebody's turn.
    var isDue: Bool { onlookers.contains(where: isDue) }
    private func isDue(_ onlooker: Onlooker) -> Bool { onlooker.isInHurry || (hasTicked && onlooker.hasNews) }

    /// A copy of the finished drawing. Available once `wantBitmap` was called and all work is done.
    var picture: Bitmap? { bitmap }

    func wantBitmap() {
        wantsBitmap = true
        wantsBitmap = isBusy
    }

    /// Begins to draw a scene.
    /// - Parameter isForLooks: whether onlookers whose turn it is receive it.
    func begin(_ scene: consuming CapturedScene, at time: UInt64, isForLooks: Bool) {
        self.isForLooks = isForLooks
        moment = (hasTicked, time)
        isCursorThere = scene.hasCursor
        renderer.begin(scene.frame)
        self.scene = scene
        for onlooker in onlookers { onlooker.sceneBegins() }
    }

    /// Continues collecting the scene.
    /// - Returns: false if time ran out before everything was collected.
    func collect(_ server: DisplayServer, until isOver: () -> Bool) -> Bool {
        scene?.collect(server, until: isOver) ?? true
    }

    /// Collects the surfaces of a client that is about to close.
    func collect(_ closing: Client, _ server: DisplayServer) {
        if scene?.isFrozen(closing) == true { scene?.collect(closing, server) }
    }

    /// Continues comparing the collected scene with the last drawing.
    /// - Returns: false if time ran out before that was done.
    func compare(until isOver: () -> Bool) -> Bool {
        guard scene?.add(to: renderer, until: isOver) != false, renderer.compare(until: isOver) else { return false }
        guard scene != nil else { return true }
        scene = nil
        if renderer.isDrawing { bitmap = nil }
        if !onlookers.isEmpty {
            let drawn = renderer.damagedRegion
            for onlooker in onlookers { onlooker.add(drawn) }
        }
        if isForLooks { beginLook() }
        return true
    }

    func forgetBitmap() { bitmap = nil }

    /// Lets go of all pixels; what is drawn next is drawn from the start.
    func forgetPicture() {
        renderer = Renderer()
        bitmap = nil
    }

    /// Lets the first whose turn it is have what is being drawn.
    private func beginLook() {
        for onlooker in onlookers {
            guard let look = onlooker.begin(renderer, hasTicked: moment.hasTicked, at: moment.time) else { continue }
            self.look = look
            // Its owner's other turns come after everybody else's.
            let own = onlookers.filter { $0.owner == onlooker.owner && $0 !== onlooker }
            onlookers.removeAll { $0.owner == onlooker.owner }
            onlookers += own + [onlooker]
            return
        }
    }

    /// Draws, copies or hands over about `maximumPixels` pixels, or fewer if time runs out.
    /// - Returns: whether nothing is left to do.
    func work(maximumPixels: Int, until isOver: () -> Bool = { false }) -> Bool {
        if renderer.isDrawing {
            _ = renderer.draw(maximumPixels: maximumPixels, until: isOver)
        } else if let look {
            if look.take(renderer, maximumPixels: maximumPixels) { self.look = nil }
        } else if wantsBitmap, bitmap == nil {
            copyRows(until: isOver)
        }
        if !isBusy { wantsBitmap = false }
        return !isBusy
    }

    private func copyRows(until isOver: () -> Bool) {
        var (bitmap, row) = copy ?? (Bitmap(unfinished: renderer.width, renderer.height), 0)
        copy = nil
        while row < bitmap.height {
            let next = min(bitmap.height, row + Self.rowsAtOnce)
            renderer.copy(row..<next, to: &bitmap)
            row = next
            if isOver() { break }
        }
        if row < bitmap.height { copy = (bitmap, row) } else { self.bitmap = bitmap }
    }
}
