// The picture of one screen.

import Compositor
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

    /// Rows copied between two looks at the time.
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
    /// What is to be drawn, while it is being collected and compared with what was drawn last.
    private(set) var scene: CapturedScene?
    /// Whether those whose turn it is get the picture that was begun.
    private var isForLooks = false
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
    /// What is drawn is being copied.
    private var copy: (bitmap: Bitmap, rows: Int)?
    /// Whether somebody asked for a bitmap.
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

    /// What is drawn, as a picture of its own; there is one when nothing is left to do after `wantBitmap`.
    var picture: Bitmap? { bitmap }

    func wantBitmap() {
        wantsBitmap = true
        wantsBitmap = isBusy
    }

    /// Draws a scene.
    /// - Parameter isForLooks: whether those whose turn it is get it.
    func begin(_ scene: CapturedScene, isForLooks: Bool) {
        self.scene = scene
        self.isForLooks = isForLooks
        isCursorThere = scene.hasCursor
        renderer.begin(scene.frame)
    }

    /// Collects what is to be drawn.
    /// - Returns: false when time is over before.
    func collect(_ server: DisplayServer, until isOver: () -> Bool) -> Bool {
        scene?.collect(server, until: isOver) ?? true
    }

    /// Finds out what of the scene is new, when it is collected.
    /// - Returns: false when time is over before.
    func compare(until isOver: () -> Bool) -> Bool {
        guard scene?.add(to: renderer, until: isOver) != false, renderer.compare(until: isOver) else { return false }
        guard scene != nil else { return true }
        scene = nil
        if renderer.isDrawing { bitmap = nil }
        if !onlookers.isEmpty {
            let drawn = renderer.damagedRegion
            for onlooker in onlookers { onlooker.didBegin(drawn) }
        }
        if isForLooks, isDue { beginLook() }
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
            guard let look = onlooker.begin(renderer, hasTicked: hasTicked) else { continue }
            self.look = look
            // Its owner's other turns come after everybody else's.
            let own = onlookers.filter { $0.owner == onlooker.owner && $0 !== onlooker }
            onlookers.removeAll { $0.owner == onlooker.owner }
            onlookers += own + [onlooker]
            return
        }
    }

    /// Draws, copies or hands over about so many pixels of what was compared, or fewer when time is over before.
    /// - Returns: whether nothing is left to do.
    func work(maximumPixels: Int, until isOver: () -> Bool = { false }) -> Bool {
        if renderer.isDrawing {
            _ = renderer.draw(maximumPixels: maximumPixels, until: isOver)
        } else if let look {
            if look.take(renderer, maximumPixels: maximumPixels) { self.look = nil }
        } else if wantsBitmap, bitmap == nil {
            copyRows(maximumPixels: maximumPixels, until: isOver)
        }
        if !isBusy { wantsBitmap = false }
        return !isBusy
    }

    private func copyRows(maximumPixels: Int, until isOver: () -> Bool) {
        var (bitmap, row) = copy ?? (Bitmap(unfinished: renderer.width, renderer.height), 0)
        copy = nil
        let end = min(bitmap.height, row + max(1, maximumPixels / max(1, bitmap.width)))
        while row < end {
            let next = min(end, row + Self.rowsAtOnce)
            renderer.copy(row..<next, to: &bitmap)
            row = next
            if isOver() { break }
        }
        if row < bitmap.height { copy = (bitmap, row) } else { self.bitmap = bitmap }
    }
}
