// Captures screens, once for screenshots or continuously.

import Compositor
import EventLoop
import MullionWayland
import WindowModel

/// Draws screens on demand. A drawing is done in slices, one per turn of the loop, so that other clients are served in
/// between; it shows the state of the moment when it began.
package final class Captures {
    /// Pixels drawn per slice: a fraction of a millisecond.
    private static let slice = 1 << 18
    /// How long an unused framebuffer is kept, in microseconds.
    private static let keep: UInt64 = 2_000_000

    private unowned let server: DisplayServer
    private var captures: [ScreenCapture.View: ScreenCapture] = [:]
    private var jobs: [Job] = []
    /// Screenshots of screens that are already being drawn for another moment. They are all taken at the next moment,
    /// and those of one screen share its drawing.
    private var deferredScreenshots: [() -> Void] = []
    /// Whether all captures that begin now are of the same moment.
    private var isTakingDeferred = false
    /// Fires for the next slice.
    private var timer: Timer?
    /// Fires for requests that need not wait for a tick.
    private var requestTimer: Timer?
    private var cleaner: Timer?
    /// The number of pixels alone does not determine the duration of a slice.
    private let stopwatch = Stopwatch()

    private var barriers: [Barrier] = []

    /// What to call when all of these drawings are done.
    private final class Barrier {
        var remaining: [ScreenCapture]
        let body: () -> Void
        init(_ remaining: [ScreenCapture], _ body: @escaping () -> Void) {
            self.remaining = remaining
            self.body = body
        }
    }

    /// Captures to be drawn, and what to call then.
    private final class Job {
        var remaining: [ScreenCapture]
        /// Called when one of its screens is drawn, before anything else can be drawn there.
        let didDraw: (ScreenCapture) -> Void
        let finish: () -> Void
        init(
            _ remaining: [ScreenCapture], didDraw: @escaping (ScreenCapture) -> Void, finish: @escaping () -> Void
        ) {
            self.remaining = remaining
            self.didDraw = didDraw
            self.finish = finish
        }
    }

    init(_ server: DisplayServer) {
        self.server = server
        timer = Timer(server.loop) { [unowned self] _, _ in drawSlice() }
        requestTimer = Timer(server.loop) { [unowned self] _, _ in showAll() }
        cleaner = Timer(server.loop) { [unowned self] _, now in clean(now) }
    }

    /// Whether changes of contents have to be reported at all.
    private(set) var hasSessions = false

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
        server.deliverAndFlush()
        let wanted = ids.compactMap { capture(of: ScreenCapture.View(screen: $0, hasCursor: cursor)) }
        // Drawing everything at once would keep every client waiting.
        if wanted.contains(where: { $0.isBusy && !isOfThisMoment($0) }) {
            deferredScreenshots.append { [unowned self] in capture(ids, cursor: cursor, moment: moment, body) }
            return
        }
        for capture in wanted {
            // The same screen may be requested twice.
            if capture.scene == nil, !isOfThisMoment(capture) { begin(capture, isForRequests: isTakingDeferred) }
            capture.wantBitmap()
        }
        moment()
        var pictures: [Screen.ID: Bitmap] = [:]
        // Take each picture as soon as it is drawn: a later moment of one screen may be requested while another screen
        // is still being drawn.
        func take(_ capture: ScreenCapture) { pictures[capture.view.screen] = capture.picture }
        for capture in wanted where !capture.isBusy {
            take(capture)
            capture.lastUse = server.loop.now
        }
        start(wanted.filter(\.isBusy), didDraw: take) {
            body(ids.compactMap { id in pictures[id].map { (id, $0) } })
        }
    }

    private func isOfThisMoment(_ capture: ScreenCapture) -> Bool { isTakingDeferred && capture.isDeferred }

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
        barriers.append(Barrier(left, body))
    }

    private func passBarriers(_ drawn: ScreenCapture) {
        for barrier in barriers { barrier.remaining.removeAll { $0 === drawn } }
        let passed = barriers.filter(\.remaining.isEmpty)
        barriers.removeAll(where: \.remaining.isEmpty)
        for barrier in passed { barrier.body() }
    }

    // MARK: Continuous captures

    /// Keeps a screen's picture up to date, at most once per refresh, until it is unplugged; calls `body` after each
    /// drawing.
    @discardableResult
    func watch(
        _ id: Screen.ID, cursor: Bool = false, _ body: @escaping (Renderer) -> Void = { _ in }
    ) -> CaptureSession {
        let view = ScreenCapture.View(screen: id, hasCursor: cursor)
        let session = CaptureSession(of: view, area: .everything, owner: self)
        add(ContinuousCapture(self, of: session, body), of: session)
        return session
    }

    /// Adds a request for a connected screen. It is served after the next tick at which something has changed or, if it
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

    /// Called when something on the screen changed; requests that wait for that are served after the next tick.
    func screenChanged(_ id: Screen.ID) {
        for hasCursor in [false, true] {
            if let capture = captures[ScreenCapture.View(screen: id, hasCursor: hasCursor)] { didChange(capture) }
        }
    }

    /// Called when the cursor moved or changed: affects captures that show it at its old or new position.
    func cursorDidChange() {
        guard hasSessions else { return }
        for capture in captures.values where capture.view.hasCursor && !capture.sessions.isEmpty {
            if capture.hasDrawnCursor || !server.cursorLayers(on: capture.view.screen).isEmpty { didChange(capture) }
        }
    }

    func screenDidDisconnect(_ id: Screen.ID) {
        for hasCursor in [false, true] {
            guard let capture = captures.removeValue(forKey: ScreenCapture.View(screen: id, hasCursor: hasCursor))
            else { continue }
            // The request that has begun, or begins here, still receives the screen's last contents.
            _ = goOnBeginning(capture) { false }
            for session in capture.sessions { session.fail() }
        }
        hasSessions = captures.values.contains { !$0.sessions.isEmpty }
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
        // What is left are screenshots, which nobody receives.
        let left = barriers
        barriers = []
        for barrier in left { barrier.body() }
    }

    private func didChange(_ capture: ScreenCapture) {
        for session in capture.sessions { session.screenDidChange() }
        if capture.sessions.contains(where: \.hasReportableChange) { schedule(capture) }
    }

    private func schedule(_ capture: ScreenCapture) {
        guard !capture.isScheduled, let output = server.output(of: capture.view.screen) else { return }
        capture.isScheduled = true
        output.clock.afterNextTick { [weak self, weak capture] in
            guard let self, let capture, captures[capture.view] === capture else { return }
            capture.isScheduled = false
            capture.hasTicked = true
            show(capture)
        }
    }

    private func showAll() {
        takeDeferredScreenshots()
        server.deliverAndFlush()
        for capture in captures.values.sorted(by: { $0.view < $1.view }) { show(capture) }
    }

    /// Draws a screen for the requests whose turn it is. All others wait meanwhile.
    private func show(_ capture: ScreenCapture) {
        guard !capture.isBusy else { return }
        if capture.isDue {
            begin(capture, isForRequests: true)
            if capture.isBusy { start([capture]) {} }
        }
        if capture.scene == nil { capture.hasTicked = capture.hasTicked && capture.isDue }
    }

    // MARK: Drawing

    private func capture(of view: ScreenCapture.View) -> ScreenCapture? {
        if let capture = captures[view] { return capture }
        guard server.model.screen(view.screen) != nil else { return nil }
        let capture = ScreenCapture(view)
        captures[view] = capture
        return capture
    }

    /// Fixes the screen's current contents for drawing.
    private func begin(_ capture: ScreenCapture, isForRequests: Bool) {
        guard let scene = CapturedScene(capture.view, expected: capture.renderer.layerCount, server) else { return }
        capture.toPixels = server.model.screen(capture.view.screen)?.toPixels
        capture.renderer.colors = server.output(of: capture.view.screen)?.gamma?.table
        capture.begin(consume scene, at: server.clock.now, isForRequests: isForRequests)
        capture.isDeferred = isTakingDeferred
        // An ordinary scene is collected and compared within this turn.
        stopwatch.start(microseconds: server.turnTime / 8)
        _ = goOnBeginning(capture, until: isTimeOver)
    }

    /// Collects the scene and compares it with the last drawing.
    /// - Returns: false if time ran out first.
    private func goOnBeginning(_ capture: ScreenCapture, until isOver: () -> Bool) -> Bool {
        guard capture.scene != nil else { return true }
        guard capture.collect(server, until: isOver), capture.compare(until: isOver) else { return false }
        if capture.renderer.isDrawing { server.counters.framesDrawn &+= 1 }
        // Requests added during the comparison did not schedule a tick, because no change was known.
        if capture.sessions.contains(where: \.hasReportableChange) { schedule(capture) }
        return true
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
        _ captures: [ScreenCapture], didDraw: @escaping (ScreenCapture) -> Void = { _ in },
        _ finish: @escaping () -> Void
    ) {
        guard !captures.isEmpty else { return end(finish) }
        jobs.append(Job(captures, didDraw: didDraw, finish: finish))
        timer?.arm(at: server.loop.now)
    }

    private func drawSlice() {
        // Collect first, because clients are frozen until that is done.
        let collecting = jobs.lazy.flatMap(\.remaining).first { $0.scene?.isCollected == false }
        guard let capture = collecting ?? jobs.first?.remaining.first else { return }
        server.work.begin("drawing a picture")
        stopwatch.start(microseconds: server.turnTime / 2)
        if goOnBeginning(capture, until: isTimeOver),
            capture.work(maximumPixels: Self.slice, until: isTimeOver)
        {
            didFinish(capture)
        }
        if !jobs.isEmpty { timer?.arm(at: server.loop.now) }
    }

    private func finish(_ capture: ScreenCapture) {
        _ = goOnBeginning(capture) { false }
        while !capture.work(maximumPixels: .max) {}
        didFinish(capture)
    }

    private func didFinish(_ capture: ScreenCapture) {
        capture.lastUse = server.loop.now
        for job in jobs where job.remaining.contains(where: { $0 === capture }) {
            job.remaining.removeAll { $0 === capture }
            job.didDraw(capture)
        }
        let done = jobs.filter(\.remaining.isEmpty)
        jobs.removeAll(where: \.remaining.isEmpty)
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
            if capture.lastUse + Self.keep > now {
                isLeft = true
            } else if capture.sessions.isEmpty {
                captures[view] = nil
            } else {
                capture.forgetPicture()
            }
        }
        if isLeft { scheduleCleaning() }
    }
}
