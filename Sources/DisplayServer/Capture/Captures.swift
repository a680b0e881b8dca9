// Captures screens, windows and cursors, once for screenshots or continuously.

import Compositor
import EventLoop
import MullionWayland
import WindowModel

/// Draws views on demand. A drawing is done in slices, one per turn of the loop, so that other clients are served in
/// between; it shows the state of the moment when it began.
package final class Captures {
    /// Pixels drawn between two checks of the time: a fraction of a millisecond. Direct drawing copies each once.
    private static let (slice, directSlice) = (1 << 18, 1 << 20)
    /// The most of them in one turn.
    private static let slicesAtOnce = 8
    /// The most pixels that are drawn without waiting for another turn of the loop, which costs more.
    private static let smallPicture = 1 << 14
    /// How long an unused framebuffer is kept, in microseconds.
    private static let keep: UInt64 = 2_000_000

    unowned let server: DisplayServer
    var captures: [CaptureView: Capture] = [:]
    private var jobs: [CaptureJob] = []
    /// Screenshots of views that are already being drawn for another moment. They are all taken at the next moment, and
    /// those of one view share its drawing.
    private var deferredScreenshots: [() -> Void] = []
    /// Whether all captures that begin now are of the same moment.
    private var isTakingDeferred = false
    /// Fires for the next slice.
    private var timer: Timer?
    /// Fires for requests that need not wait for a tick.
    private var requestTimer: Timer?
    private var cleaner: Timer?
    /// The clients' objects that announce sizes and positions.
    var watchers = CaptureWatchers()
    /// The number of pixels alone does not determine the duration of a slice.
    private let stopwatch = Stopwatch()
    private var barriers: [CaptureBarrier] = []

    init(_ server: DisplayServer) {
        self.server = server
        timer = Timer(server.loop) { [unowned self] _, _ in drawSlice() }
        requestTimer = Timer(server.loop) { [unowned self] _, _ in showAll() }
        cleaner = Timer(server.loop) { [unowned self] _, now in clean(now) }
    }

    /// Whether changes of contents have to be reported at all.
    var hasSessions = false

    /// Whether something is being drawn, or will be without stepping the time.
    var isBusy: Bool {
        !jobs.isEmpty || !deferredScreenshots.isEmpty || requestTimer?.isArmed == true
            || (server.clock.mode == .real && captures.values.contains(where: \.isScheduled))
    }

    /// The number of framebuffers in memory.
    package var framebufferCount: Int { captures.values.count { $0.renderer.width > 0 } }

    // MARK: Screenshots

    /// Draws screens as they are at one moment, and delivers their pictures. The moment is now or, when one of the
    /// screens is already being drawn, the end of that drawing. A screen unplugged while being drawn shows its previous
    /// state.
    /// - Parameter moment: called at that moment, before anything can change; the model's state then matches the
    ///   pictures.
    package func capture(
        _ ids: [Screen.ID], cursor: Bool = false, moment: @escaping () -> Void = {},
        _ body: @escaping ([(Screen.ID, Bitmap)]) -> Void
    ) {
        let views = ids.map { CaptureView.screen($0, cursor: cursor) }
        capture(views, moment: moment) { pictures in
            body(zip(ids, pictures).compactMap { id, picture in picture.map { (id, $0) } })
        }
    }

    /// Draws a window by itself, visible or not, in pixels of its screen's scale; its picture has alpha.
    /// - Parameters:
    ///   - withPopups: whether the picture extends to the pop-ups outside the window's bounds.
    ///   - body: gets nil when there is no picture: the window is gone, empty or too large.
    package func capture(
        _ window: Window.ID, withPopups: Bool, cursor: Bool = false, moment: @escaping () -> Void = {},
        _ body: @escaping (Bitmap?) -> Void
    ) {
        let view = CaptureView(subject: .window(window, withPopups: withPopups), hasCursor: cursor)
        capture([view], moment: moment) { body($0[0]) }
    }

    /// - Parameter body: gets a picture for each view, nil for a view that shows nothing.
    private func capture(
        _ views: [CaptureView], moment: @escaping () -> Void, _ body: @escaping ([Bitmap?]) -> Void
    ) {
        server.deliverAndFlush()
        var wanted = views.compactMap { capture(of: $0) }
        // Drawing everything at once would keep every client waiting.
        if wanted.contains(where: { $0.isBusy && !isOfThisMoment($0) }) {
            deferredScreenshots.append { [unowned self] in capture(views, moment: moment, body) }
            return
        }
        // The same view may be requested twice.
        wanted.removeAll { capture in
            let isBegun = capture.scene != nil || isOfThisMoment(capture)
            return !isBegun && !begin(capture, isForRequests: isTakingDeferred)
        }
        for capture in wanted {
            capture.wantBitmap()
            countDrawing(of: capture)
        }
        moment()
        var pictures: [CaptureView: Bitmap] = [:]
        // Take each picture as soon as it is drawn: a later moment of one view may be requested while another view is
        // still being drawn.
        func take(_ capture: Capture) { pictures[capture.view] = capture.picture }
        for capture in wanted where !capture.isBusy {
            take(capture)
            capture.lastUse = server.loop.now
        }
        start(wanted.filter(\.isBusy), didDraw: take) { body(views.map { pictures[$0] }) }
    }

    private func isOfThisMoment(_ capture: Capture) -> Bool { isTakingDeferred && capture.isDeferred }

    /// Takes the screenshots that waited for a drawing. Those that have to wait for another one wait again.
    private func takeDeferredScreenshots() {
        guard !deferredScreenshots.isEmpty else { return }
        server.deliverAndFlush()
        let waiting = deferredScreenshots
        deferredScreenshots = []
        isTakingDeferred = true
        for screenshot in waiting { screenshot() }
        isTakingDeferred = false
        for capture in captures.values { capture.isDeferred = false }
    }

    /// Calls `body` as soon as nothing is being drawn that began before, with the contents of that time.
    func afterCurrentDrawings(_ body: @escaping () -> Void) {
        let left = jobs.flatMap(\.remaining).filter(\.isBusy)
        guard !left.isEmpty else { return body() }
        barriers.append(CaptureBarrier(left, body))
    }

    private func passBarriers(_ drawn: Capture) {
        for barrier in barriers { barrier.remaining.removeAll { $0 === drawn } }
        let passed = barriers.filter { $0.remaining.isEmpty }
        barriers.removeAll { $0.remaining.isEmpty }
        for barrier in passed { barrier.body() }
    }

    // MARK: Continuous captures

    /// Keeps a screen's picture up to date, at most once per refresh, until it is unplugged; calls `body` after each
    /// drawing.
    @discardableResult
    func watch(
        _ id: Screen.ID, cursor: Bool = false, _ body: @escaping (Renderer) -> Void = { _ in }
    ) -> CaptureSession {
        let session = CaptureSession(of: .screen(id, cursor: cursor), area: .everything, owner: self)
        add(ContinuousCapture(self, of: session, body), of: session)
        return session
    }

    /// Adds a request. It is served after the next tick at which something has changed or, if it
    /// does not wait for changes, in the next turn of the loop.
    func add(_ request: any CaptureRequest, of session: CaptureSession) {
        guard !session.hasEnded, let capture = capture(of: session.view) else { return request.fail() }
        if !capture.sessions.contains(where: { $0 === session }) { capture.sessions.append(session) }
        hasSessions = true
        session.add(request)
        if session.hasImmediateRequest { requestTimer?.arm(at: server.loop.now) }
        if session.hasReportableChange { schedule(capture) }
    }

    /// Cancels a request.
    /// - Parameter damage: the damage that it began with and did not deliver.
    func remove(_ request: any CaptureRequest, of session: CaptureSession, damage: Region?) {
        session.remove(request)
        guard let capture = captures[session.view] else { return }
        if let damage { session.restore(damage) }
        if session.hasReportableChange { schedule(capture) }
        scheduleCleaning()
    }

    /// Ends these sessions.
    func endSessions(_ ended: [CaptureSession]) {
        for session in ended { session.hasEnded = true }
        for view in Set(ended.map(\.view)) { captures[view]?.sessions.removeAll(where: \.hasEnded) }
        hasSessions = captures.values.contains { !$0.sessions.isEmpty }
        scheduleCleaning()
    }

    /// Ends all requests: those that have begun with their pictures, the others without.
    func endRequests() {
        // Captures of unplugged screens are only in jobs.
        for capture in jobs.flatMap(\.remaining)
        where capture.isBusy && (capture.request != nil || capture.scene != nil) {
            finish(capture)
        }
        for capture in captures.values {
            for session in capture.sessions { session.fail() }
        }
        // Only screenshots remain, and their callers no longer wait.
        let left = barriers
        barriers = []
        for barrier in left { barrier.body() }
    }

    func schedule(_ capture: Capture) {
        guard !capture.isScheduled, let screen = server.pacingScreen(of: capture.view),
            let output = server.output(of: screen)
        else { return }
        capture.scheduledScreen = screen
        output.clock.afterNextTick { [weak self, weak capture] in
            guard let self, let capture, captures[capture.view] === capture else { return }
            capture.scheduledScreen = nil
            capture.hasTicked = true
            show(capture)
        }
    }

    private func showAll() {
        takeDeferredScreenshots()
        server.deliverAndFlush()
        for capture in captures.values.sorted(by: { $0.view < $1.view }) { show(capture) }
    }

    /// Draws a view for the requests whose turn it is. All others wait meanwhile.
    private func show(_ capture: Capture) {
        guard !capture.isBusy else { return }
        if capture.isDue {
            begin(capture, isForRequests: true)
            if capture.scene == nil, capture.isBusy, capture.renderer.damagedPixels <= Self.smallPicture {
                work(on: capture, maximumPixels: Self.smallPicture)
                scheduleCleaning()
            }
            if capture.isBusy { start([capture]) {} }
        }
        if capture.scene == nil { capture.hasTicked = capture.hasTicked && capture.isDue }
    }

    // MARK: Drawing

    /// Nil for a screen or a window that does not exist.
    private func capture(of view: CaptureView) -> Capture? {
        if let capture = captures[view] { return capture }
        switch view.subject {
        case .screen(let id): guard server.model.screen(id) != nil else { return nil }
        case .window(let id, _):
            guard server.model.frame(of: id) != nil else { return nil }
            server.model.setWatched(true, id)
        case .cursor(let id, _): guard server.seat(id) != nil else { return nil }
        }
        let capture = Capture(view)
        captures[view] = capture
        return capture
    }

    /// Removes a view that is no longer captured.
    private func forget(_ view: CaptureView) {
        captures[view] = nil
        guard let window = view.window, !CaptureView.all(of: window).contains(where: { captures[$0] != nil })
        else { return }
        server.model.setWatched(false, window)
    }

    /// Fixes the view's current contents for drawing.
    /// - Returns: false if there are none.
    @discardableResult
    private func begin(_ capture: Capture, isForRequests: Bool) -> Bool {
        capture.renderer.colors = capture.view.screen.flatMap { server.output(of: $0)?.gamma?.table }
        // An ordinary scene is collected and compared within this turn.
        stopwatch.start(microseconds: server.turnTime / 8)
        if capture.beginAgain(server, isForRequests: isForRequests) {
            capture.isDeferred = isTakingDeferred
            didCompare(capture)
            return true
        }
        guard let scene = CapturedScene(capture.view, expected: capture.renderer.layerCount, server) else {
            return false
        }
        capture.toPixels = server.toPixels(of: capture.view)
        capture.begin(consume scene, at: server.clock.now, isForRequests: isForRequests)
        capture.isDeferred = isTakingDeferred
        _ = goOnBeginning(capture, until: isTimeOver)
        return true
    }

    /// Collects the scene and compares it with the last drawing.
    /// - Returns: false if time ran out first.
    func goOnBeginning(_ capture: Capture, until isOver: () -> Bool) -> Bool {
        guard capture.scene != nil else { return true }
        guard capture.collect(server, until: isOver), capture.compare(until: isOver) else { return false }
        didCompare(capture)
        return true
    }

    private func didCompare(_ capture: Capture) {
        countDrawing(of: capture)
        // Requests added during the comparison did not schedule a tick, because no change was known.
        if capture.sessions.contains(where: \.hasReportableChange) { schedule(capture) }
    }

    private func isTimeOver() -> Bool {
        stopwatch.expectMore()
        return stopwatch.isOver
    }

    /// Called before a frozen client closes: collects its surfaces while they exist.
    func frozenClientWillClose(_ client: Client) {
        for capture in jobs.flatMap(\.remaining) { capture.collect(client, server) }
    }

    private func start(
        _ captures: [Capture], didDraw: @escaping (Capture) -> Void = { _ in },
        _ finish: @escaping () -> Void
    ) {
        guard !captures.isEmpty else { return end(finish) }
        jobs.append(CaptureJob(captures, didDraw: didDraw, finish: finish))
        timer?.arm(at: server.loop.now)
    }

    private func drawSlice() {
        // Collect first, because clients are frozen until that is done.
        let collecting = jobs.lazy.flatMap(\.remaining).first { $0.scene?.isCollected == false }
        guard let capture = collecting ?? jobs.first?.remaining.first else { return }
        server.work.begin("drawing a picture")
        // A screen of ordinary size is copied in one turn.
        stopwatch.start(microseconds: capture.isDirect ? server.turnTime : sliceTime)
        if goOnBeginning(capture, until: isTimeOver) {
            work(on: capture, maximumPixels: capture.isDirect ? Self.directSlice : Self.slice)
        }
        if !jobs.isEmpty { timer?.arm(at: server.loop.now) }
    }

    /// How long a drawing may occupy a turn, in microseconds: as long as the clients did in the turn before, so that it
    /// makes progress while they are busy, and otherwise so short that they hardly notice it.
    private var sliceTime: UInt64 {
        min(max(server.turns.usedBefore, server.turnTime / 8), server.turnTime / 2)
    }

    private func work(on capture: Capture, maximumPixels: Int) {
        // A turn of the loop costs more than a small part of a picture.
        for _ in 0..<Self.slicesAtOnce {
            guard !capture.work(maximumPixels: maximumPixels, until: isTimeOver) else { return didFinish(capture) }
            if isTimeOver() { return }
        }
    }

    private func countDrawing(of capture: Capture) {
        if capture.takeBegunDrawing() { server.counters.framesDrawn &+= 1 }
    }

    private func finish(_ capture: Capture) {
        _ = goOnBeginning(capture) { false }
        while !capture.work(maximumPixels: .max) {}
        didFinish(capture)
    }

    private func didFinish(_ capture: Capture) {
        capture.lastUse = server.loop.now
        server.memoryTrim.pictureEnds(layers: capture.renderer.longestList)
        for job in jobs where job.remaining.contains(where: { $0 === capture }) {
            job.remaining.removeAll { $0 === capture }
            job.didDraw(capture)
        }
        let done = jobs.filter { $0.remaining.isEmpty }
        jobs.removeAll { $0.remaining.isEmpty }
        for job in done { end(job.finish) }
        if !barriers.isEmpty { passBarriers(capture) }
        capture.hasTicked = capture.hasTicked && capture.isDue
        if capture.isDue || !deferredScreenshots.isEmpty { requestTimer?.arm(at: server.loop.now) }
    }

    private func end(_ finish: () -> Void) {
        finish()
        scheduleCleaning()
    }

    private func scheduleCleaning() {
        guard let cleaner, !cleaner.isArmed else { return }
        cleaner.arm(at: server.loop.now + Self.keep)
    }

    /// Frees framebuffers that no capture waits for and that have not been used for a while.
    private func clean(_ now: UInt64) {
        var isLeft = false
        for capture in captures.values where capture.lastUse + Self.keep <= now { capture.forgetBitmap() }
        for (view, capture) in captures where !capture.isBusy && !capture.sessions.contains(where: \.isWaiting) {
            guard capture.lastUse + Self.keep <= now else {
                isLeft = true
                continue
            }
            server.memoryTrim.pictureEnds(layers: capture.renderer.layerCount)
            if capture.sessions.isEmpty { forget(view) } else { capture.forgetPicture() }
        }
        if isLeft { scheduleCleaning() }
    }
}
