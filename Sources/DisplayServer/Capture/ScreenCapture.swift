// The capture of one screen.

import Compositor
import Geometry
import WindowModel

/// The framebuffer of a screen that is or was recently captured.
final class ScreenCapture {
    /// The subject of a capture.
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
    /// The continuous captures of the screen, ordered by how long their owners have waited.
    var sessions: [CaptureSession] = []
    /// The request that receives the current drawing. Only one at a time: a request for another moment waits for no
    /// more than this.
    private(set) var request: (any CaptureRequest)?
    /// Whether it will be drawn after the next tick.
    var isScheduled = false
    /// Whether that tick has passed, and requests that waited for it may remain.
    var hasTicked = false
    /// Whether it was begun for the screenshots being taken now.
    var isDeferred = false
    /// The scene to draw, until it is compared with the last drawing.
    private(set) var scene: CapturedScene?
    /// Whether requests can receive this drawing.
    private var isForRequests = false
    /// The state at the moment of the scene: whether a tick had passed, and the time in microseconds.
    private var moment = (hasTicked: false, time: UInt64(0))
    /// Whether the last drawing contained a cursor.
    var hasDrawnCursor = false
    /// The transform from the screen's points to pixels. When it changes, everything is damaged.
    var toPixels: AffineTransform? {
        didSet {
            if toPixels != oldValue { for session in sessions { session.damageAll() } }
        }
    }
    /// A copy of the last drawing, shared by all screenshots of that moment.
    private var bitmap: Bitmap?
    /// The unfinished copy of the framebuffer, and its number of rows.
    private var copy: (bitmap: Bitmap, rows: Int)?
    /// Whether a bitmap of the current drawing was requested.
    private var wantsBitmap = false
    /// When a picture was last delivered, in microseconds.
    var lastUse: UInt64 = 0

    init(_ view: View) { self.view = view }

    var isBusy: Bool {
        scene != nil || renderer.isDrawing || request != nil || (wantsBitmap && bitmap == nil)
    }

    /// Whether any request can be served.
    var isDue: Bool { sessions.contains(where: isDue) }
    private func isDue(_ session: CaptureSession) -> Bool {
        session.hasImmediateRequest || (hasTicked && session.hasReportableChange)
    }

    /// A copy of the finished drawing. Available once `wantBitmap` was called and all work is done.
    var picture: Bitmap? { bitmap }

    func wantBitmap() {
        wantsBitmap = true
        wantsBitmap = isBusy
    }

    /// Begins to draw a scene.
    /// - Parameter isForRequests: whether requests can receive it.
    func begin(_ scene: consuming CapturedScene, at time: UInt64, isForRequests: Bool) {
        self.isForRequests = isForRequests
        moment = (hasTicked, time)
        hasDrawnCursor = scene.hasCursor
        renderer.begin(scene.frame)
        self.scene = scene
        for session in sessions { session.sceneBegins() }
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
        if !sessions.isEmpty {
            let drawn = renderer.damagedRegion
            for session in sessions { session.add(drawn) }
        }
        if isForRequests { beginRequest() }
        return true
    }

    func forgetBitmap() { bitmap = nil }

    /// Frees all pixels; the next drawing starts from scratch.
    func forgetPicture() {
        renderer = Renderer()
        bitmap = nil
    }

    /// Begins the first request that can be served with the current drawing.
    private func beginRequest() {
        for session in sessions {
            guard let request = session.begin(renderer, hasTicked: moment.hasTicked, at: moment.time) else { continue }
            self.request = request
            // The owner's other sessions queue up behind those of other owners.
            let own = sessions.filter { $0.owner == session.owner && $0 !== session }
            sessions.removeAll { $0.owner == session.owner }
            sessions += own + [session]
            return
        }
    }

    /// Draws, copies or delivers about `maximumPixels` pixels, or fewer if time runs out.
    /// - Returns: whether everything is done.
    func work(maximumPixels: Int, until isOver: () -> Bool = { false }) -> Bool {
        if renderer.isDrawing {
            _ = renderer.draw(maximumPixels: maximumPixels, until: isOver)
        } else if let request {
            if request.take(renderer, maximumPixels: maximumPixels) { self.request = nil }
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
