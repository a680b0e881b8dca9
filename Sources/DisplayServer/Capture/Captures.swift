// Pixels for those who look: screenshots, and screens that somebody watches.

import Compositor
import EventLoop
import WindowModel

/// Draws screens when, and only when, somebody wants their pixels. A drawing is done in slices, a turn of the loop for
/// each, so that other clients are served in between; it shows the state of the moment when it began.
final class Captures {
    /// Pixels drawn before others get their turn: a fraction of a millisecond.
    private static let slice = 1 << 18
    /// How long a framebuffer is kept after somebody looked, in microseconds.
    private static let keep: UInt64 = 2_000_000

    private unowned let server: DisplayServer
    private var screens: [Screen.ID: ScreenCapture] = [:]
    private var jobs: [Job] = []
    private var timer: Timer?
    private var cleaner: Timer?
    private var watchers = 0

    /// What is to be drawn, and who waits for it.
    private final class Job {
        var remaining: [ScreenCapture]
        /// Runs when a screen of it is drawn, before anything else can be drawn there.
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
        cleaner = Timer(server.loop) { [unowned self] _, now in clean(now) }
    }

    /// Whether changes of contents have to be reported at all.
    var isAnyoneLooking: Bool { watchers > 0 }

    /// Whether something is being drawn, or will be without anybody stepping the time.
    var isBusy: Bool { !jobs.isEmpty || (server.clock.mode == .real && screens.values.contains(where: \.isScheduled)) }

    // MARK: Screenshots

    /// Draws screens as they are at this moment, all at the same one, and hands over their pictures. A screen that is
    /// unplugged before the drawing is done still shows what it did.
    /// - Parameter moment: runs once what is to be drawn is fixed and before anything can change: what the model says
    ///   there belongs to the pictures.
    func capture(
        _ ids: [Screen.ID], cursor: Bool = false, moment: () -> Void = {},
        _ body: @escaping ([(Screen.ID, Bitmap)]) -> Void
    ) {
        server.settle()
        let wanted = ids.compactMap { id in capture(of: id) }
        for capture in wanted { begin(capture, cursor: cursor) }
        moment()
        var pictures: [Screen.ID: Bitmap] = [:]
        // Each is copied as soon as it is drawn: somebody may ask for a later moment of one screen while another of
        // this moment is still being drawn.
        func take(_ capture: ScreenCapture) { pictures[capture.screen] = capture.renderer.bitmap() }
        for capture in wanted where !capture.renderer.isDrawing { take(capture) }
        start(wanted.filter(\.renderer.isDrawing), didDraw: take) { [unowned self] in
            body(ids.compactMap { id in pictures[id].map { (id, $0) } })
            cleaner?.arm(at: server.loop.now + Self.keep)
        }
    }

    // MARK: Watching

    /// Keeps a screen's picture up to date, once a refresh at most, until `unwatch`; `body` runs after each drawing.
    func watch(_ id: Screen.ID, cursor: Bool = false, _ body: @escaping (Renderer) -> Void) {
        guard let capture = capture(of: id) else { return }
        watchers += capture.onDraw == nil ? 1 : 0
        capture.onDraw = body
        capture.watchesCursor = cursor
        screenChanged(id)
    }

    func unwatch(_ id: Screen.ID) {
        guard let capture = screens[id], capture.onDraw != nil else { return }
        capture.onDraw = nil
        watchers -= 1
        cleaner?.arm(at: server.loop.now + Self.keep)
    }

    /// Something on the screen changed: who watches it sees it after the next tick.
    func screenChanged(_ id: Screen.ID) {
        guard watchers > 0, let capture = screens[id], capture.onDraw != nil, !capture.isScheduled else { return }
        capture.isScheduled = true
        server.output(of: id)?.clock.afterNextTick { [weak self, weak capture] in
            guard let self, let capture, screens[id] === capture else { return }
            capture.isScheduled = false
            begin(capture, cursor: capture.watchesCursor)
            start(capture.renderer.isDrawing ? [capture] : []) { [weak capture] in
                guard let capture else { return }
                capture.onDraw?(capture.renderer)
            }
        }
    }

    /// The cursor moved or looks different: those who watch it where it was or is see it after the next tick.
    func cursorDidChange() {
        guard watchers > 0 else { return }
        for capture in screens.values where capture.onDraw != nil && capture.watchesCursor {
            if capture.hasCursor || !server.cursorLayers(on: capture.screen).isEmpty {
                screenChanged(capture.screen)
            }
        }
    }

    func screenDidDisconnect(_ id: Screen.ID) {
        unwatch(id)
        guard let capture = screens.removeValue(forKey: id) else { return }
        if capture.renderer.isDrawing { finish(capture) }
    }

    // MARK: Drawing

    private func capture(of id: Screen.ID) -> ScreenCapture? {
        if let capture = screens[id] { return capture }
        guard server.model.screen(id) != nil else { return nil }
        let capture = ScreenCapture(screen: id)
        screens[id] = capture
        return capture
    }

    /// Fixes what the screen shows now as what is to be drawn.
    private func begin(_ capture: ScreenCapture, cursor showsCursor: Bool) {
        // A drawing under way belongs to an earlier moment, for which somebody waits.
        if capture.renderer.isDrawing { finish(capture) }
        guard var frame = server.model.frame(for: capture.screen) else { return }
        let cursorLayers = showsCursor ? server.cursorLayers(on: capture.screen) : []
        capture.hasCursor = !cursorLayers.isEmpty
        frame.layers += cursorLayers
        _ = capture.renderer.begin(frame) { id in
            if id == Cursor.arrowID { return (server.arrow, DamageHistory()) }
            guard let surface = server.surfaces[id], let contents = surface.contents else { return nil }
            return (contents, surface.damage)
        }
    }

    private func start(
        _ captures: [ScreenCapture], didDraw: @escaping (ScreenCapture) -> Void = { _ in },
        _ finish: @escaping () -> Void
    ) {
        guard !captures.isEmpty else { return finish() }
        jobs.append(Job(captures, didDraw: didDraw, finish: finish))
        timer?.arm(at: server.loop.now)
    }

    private func drawSlice() {
        guard let job = jobs.first, let capture = job.remaining.first else { return }
        if capture.renderer.draw(maximumPixels: Self.slice) { didFinish(capture) }
        if !jobs.isEmpty { timer?.arm(at: server.loop.now) }
    }

    private func finish(_ capture: ScreenCapture) {
        while !capture.renderer.draw(maximumPixels: .max) {}
        didFinish(capture)
    }

    private func didFinish(_ capture: ScreenCapture) {
        server.counters.framesDrawn &+= 1
        for job in jobs where job.remaining.contains(where: { $0 === capture }) {
            job.remaining.removeAll { $0 === capture }
            job.didDraw(capture)
        }
        let done = jobs.filter(\.remaining.isEmpty)
        jobs.removeAll(where: \.remaining.isEmpty)
        for job in done { job.finish() }
    }

    private func clean(_ now: UInt64) {
        screens = screens.filter { $0.value.onDraw != nil || $0.value.renderer.isDrawing }
    }
}

/// The picture of one screen that somebody looks at or looked at a moment ago.
final class ScreenCapture {
    let screen: Screen.ID
    let renderer = Renderer()
    /// Set while somebody watches.
    var onDraw: ((Renderer) -> Void)?
    var isScheduled = false
    /// Whether who watches sees the cursor too.
    var watchesCursor = false
    /// Whether the cursor was in the picture when it was drawn last.
    var hasCursor = false

    init(screen: Screen.ID) { self.screen = screen }
}
