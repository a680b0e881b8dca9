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
    /// When somebody got a picture last, in microseconds.
    var lastUse: UInt64 = 0

    init(_ view: View) { self.view = view }

    var isBusy: Bool { renderer.isDrawing || look != nil }

    /// Whether it is somebody's turn.
    var isDue: Bool { onlookers.contains(where: isDue) }
    private func isDue(_ onlooker: Onlooker) -> Bool { onlooker.isInHurry || (hasTicked && onlooker.hasNews) }

    /// What is drawn, as a picture of its own.
    func picture() -> Bitmap {
        if let bitmap { return bitmap }
        let new = renderer.bitmap()
        bitmap = new
        return new
    }

    /// What is shown now is being drawn.
    /// - Parameter isChanged: whether it is something else than was drawn last.
    func didBegin(isChanged: Bool) {
        if isChanged { bitmap = nil }
        guard !onlookers.isEmpty else { return }
        let drawn = renderer.damagedRegion
        for onlooker in onlookers { onlooker.didBegin(drawn) }
    }

    func forgetBitmap() { bitmap = nil }

    /// Lets go of all pixels; what is drawn next is drawn from the start.
    func forgetPicture() {
        renderer = Renderer()
        bitmap = nil
    }

    /// Lets the first whose turn it is have what is being drawn.
    func beginLook() {
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

    /// Draws or hands over about so many pixels, or fewer when time is over before.
    /// - Returns: whether nothing is left to do.
    func work(maximumPixels: Int, until isOver: () -> Bool = { false }) -> Bool {
        if renderer.isDrawing {
            _ = renderer.draw(maximumPixels: maximumPixels, until: isOver)
        } else if let look, look.take(renderer, maximumPixels: maximumPixels) {
            self.look = nil
        }
        return !isBusy
    }
}
