// The capture of one view.

import Compositor
import Geometry
import WindowModel

/// The framebuffer of a view that is or was recently captured.
final class Capture {
    /// Rows copied between two checks of the time.
    private static let rowsAtOnce = 16

    let view: CaptureView
    private(set) var renderer: Renderer
    /// The continuous captures of the view, ordered by how long their owners have waited.
    var sessions: [CaptureSession] = []
    /// The request that receives the current drawing. Only one at a time: a request for another moment waits for no
    /// more than this.
    private(set) var request: (any CaptureRequest)?
    /// Whether `request` draws the picture itself.
    private(set) var isDirect = false
    /// Whether the drawing of the current scene was counted.
    private var isCounted = false
    /// The screen after whose next tick it will be drawn.
    var scheduledScreen: Screen.ID?
    /// Whether the view may show other layers, or the same at other places, than when it was last drawn.
    private var hasUndrawnChange = true
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
    /// The transform from the view's points to pixels. When it changes, everything is damaged.
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

    init(_ view: CaptureView) {
        self.view = view
        renderer = Renderer(hasAlpha: view.hasAlpha)
    }

    var isScheduled: Bool { scheduledScreen != nil }

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

    func viewDidChange() {
        hasUndrawnChange = true
        for session in sessions { session.viewDidChange() }
    }

    /// Whether the surface's changes since the last drawing are known to be hidden.
    func hides(_ surface: Surface.ID, _ damage: DamageHistory) -> Bool {
        !hasUndrawnChange && scene == nil && renderer.hides(surface, damage)
    }

    /// Begins to draw a scene.
    /// - Parameter isForRequests: whether requests can receive it.
    func begin(_ scene: consuming CapturedScene, at time: UInt64, isForRequests: Bool) {
        self.isForRequests = isForRequests
        moment = (hasTicked, time)
        hasDrawnCursor = scene.hasCursor
        renderer.begin(scene.frame)
        self.scene = scene
        hasUndrawnChange = false
        isCounted = false
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
        // Several requests share a drawing.
        if !wantsBitmap, let area = request?.directArea, !sessions.contains(where: \.isWaiting) {
            isDirect = renderer.beginDirect(area)
        }
        return true
    }

    func forgetBitmap() { bitmap = nil }

    /// Frees all pixels; the next drawing starts from scratch.
    func forgetPicture() {
        renderer = Renderer(hasAlpha: view.hasAlpha)
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
        if let request, isDirect {
            if request.take(renderer, maximumPixels: maximumPixels) { (self.request, isDirect) = (nil, false) }
        } else if renderer.isDrawing, request == nil, !wantsBitmap {
            // Nobody needs the pixels now, or somebody has drawn them elsewhere.
            _ = renderer.postpone(until: isOver)
        } else if renderer.isDrawing {
            _ = renderer.draw(maximumPixels: maximumPixels, until: isOver)
        } else if let request {
            if request.take(renderer, maximumPixels: maximumPixels) { self.request = nil }
        } else if wantsBitmap, bitmap == nil {
            copyRows(until: isOver)
        }
        if !isBusy { wantsBitmap = false }
        return !isBusy
    }

    /// Whether a drawing that somebody needs has begun since the last call.
    func takeBegunDrawing() -> Bool {
        guard renderer.isDrawing, request != nil || wantsBitmap, !isCounted else { return false }
        isCounted = true
        return true
    }

    private func copyRows(until isOver: () -> Bool) {
        var (bitmap, row) = copy ?? (Bitmap(unfinished: renderer.width, renderer.height, hasAlpha: view.hasAlpha), 0)
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
