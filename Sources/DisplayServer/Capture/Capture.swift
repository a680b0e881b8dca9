// The capture of one view.

import Compositor
import MullionGeometry
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
    /// The most changed surfaces that are remembered.
    private static let maximumSurfaces = 8
    /// The surfaces whose contents may have changed since the view was last drawn; nil if it may also show other layers,
    /// or the same at other places.
    private(set) var changedSurfaces: [Surface.ID]?
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
    /// The most layers of cursors that are remembered.
    private static let maximumCursorLayers = 16
    /// The layers of cursors in the last drawing; nil if there were many.
    private var drawnCursor: [Layer]? = []
    /// Whether the last drawing contained a cursor.
    var hasDrawnCursor: Bool { drawnCursor?.isEmpty != true }
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

    /// - Parameter surface: the one whose contents are all that has changed; nil if more has.
    func viewDidChange(contentsOf surface: Surface.ID?) {
        if let surface, let known = changedSurfaces {
            if !known.contains(surface) {
                if known.count < Self.maximumSurfaces {
                    changedSurfaces?.append(surface)
                } else {
                    changedSurfaces = nil
                }
            }
        } else {
            changedSurfaces = nil
        }
        for session in sessions { session.viewDidChange() }
    }

    /// Whether the surface's changes since the last drawing are known to be hidden.
    func hides(_ surface: Surface.ID, _ damage: DamageHistory) -> Bool {
        changedSurfaces?.isEmpty == true && scene == nil && renderer.hides(surface, damage)
    }

    /// Begins to draw a scene.
    /// - Parameter isForRequests: whether requests can receive it.
    func begin(_ scene: consuming CapturedScene, at time: UInt64, isForRequests: Bool) {
        drawnCursor = scene.cursorCount <= Self.maximumCursorLayers ? scene.cursorLayers : nil
        renderer.begin(scene.frame)
        self.scene = scene
        didBegin(at: time, isForRequests: isForRequests)
    }

    /// Begins to draw the layers of the last drawing again, with their current contents, if nothing else has changed.
    /// - Returns: false if a scene has to be collected; nothing was begun then.
    func beginAgain(_ server: DisplayServer, isForRequests: Bool) -> Bool {
        // The model may have changes that were not delivered yet. Where a window and the cursor are, and what the cursor
        // looks like, is not always reported.
        guard var changedSurfaces, !server.model.hasEffects, !server.model.hasChangedWindows,
            view.screen != nil ? hasSameCursor(server) : hasSamePlaces(server)
        else { return false }
        for case .surface(let id) in drawnCursor?.lazy.map(\.content) ?? [] { changedSurfaces.append(id) }
        guard renderer.beginAgain(changedSurfaces, contents: { CapturedScene.contents(of: $0, server) }) else {
            return false
        }
        didBegin(at: server.clock.now, isForRequests: isForRequests)
        didCompare()
        return true
    }

    /// Whether the picture of a window has the same scale as the last drawing, and the cursor at the same place.
    func hasSamePlaces(_ server: DisplayServer) -> Bool {
        toPixels == server.toPixels(of: view) && hasSameCursor(server)
    }

    /// Whether the cursor is where the last drawing has it.
    private func hasSameCursor(_ server: DisplayServer) -> Bool {
        drawnCursor.map { $0 == server.shownCursorLayers(in: view) } ?? false
    }

    private func didBegin(at time: UInt64, isForRequests: Bool) {
        self.isForRequests = isForRequests
        moment = (hasTicked, time)
        if changedSurfaces == nil { changedSurfaces = [] } else { changedSurfaces?.removeAll(keepingCapacity: true) }
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
        didCompare()
        return true
    }

    private func didCompare() {
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
            guard sessions.count > 1 else { return }
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
