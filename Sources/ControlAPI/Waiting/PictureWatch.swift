// The pixels that a wait depends on.

import Compositor
import DisplayServer
import EventLoop
import System
import WindowModel

extension Bitmap {
    /// Equal pictures have equal ones, and others practically never.
    fileprivate var contentHash: Int {
        var hasher = Hasher()
        hasher.combine(width)
        unsafe pixels.withUnsafeBytes { bytes in unsafe hasher.combine(bytes: bytes) }
        return hasher.finalize()
    }
}

/// Draws the screens of a wait's pixel conditions when they may have changed, and only then.
final class PictureWatch {
    /// Whether a condition holds; unknown until a picture is drawn or time has passed, after which `onChange` is called.
    enum State { case holds, fails, unknown }

    /// The least time between two drawings, in microseconds of real time: half a frame of 60 Hz.
    private static let pause: UInt64 = 8000

    var onChange: (() -> Void)?
    /// The answer at the moment of the picture that fulfilled the conditions.
    private(set) var answer: WaitAnswer?
    private(set) var isDrawing = false
    private let server: DisplayServer
    private let worker: Worker
    private let stills: [(screen: ScreenReference?, time: UInt64, condition: Condition)]
    private let pixels: [(pixel: Expectation.Pixel, condition: Condition)]
    /// Fires when pixels may have stood still for long enough, on the server's clock.
    private var stillTimer: ClockTimer?
    private var pauseTimer: Timer?
    private var drawnAt: UInt64 = 0

    /// A screen that is watched for stillness.
    private struct Watched {
        var hash: Int
        /// When its pixels last changed, or when watching began, in microseconds of the server's clock.
        var since: UInt64
        var changes = 0
    }
    private var watched: [Screen.ID: Watched] = [:]
    /// `DisplayServer.frameNumber` of the last pictures: while that is the same, so are the pixels.
    private var watchedFrame: UInt64?
    private var pixelFrame: UInt64?
    /// The colours that were last seen, in the order of `pixels`; nil outside of the screen.
    private var seen: [UInt32?] = []

    init(_ conditions: [Condition], on server: DisplayServer, worker: Worker) {
        self.server = server
        self.worker = worker
        stills = conditions.compactMap { condition in
            if case .still(let screen, let time) = condition { (screen, time, condition) } else { nil }
        }
        pixels = conditions.compactMap { condition in
            if case .pixel(let pixel) = condition { (pixel, condition) } else { nil }
        }
    }

    /// Whether there are newer pictures than those that were looked at.
    var isOutdated: Bool {
        guard !isDrawing else { return false }
        return [watchedFrame, pixelFrame].contains { $0 != nil && $0 != server.frameNumber }
    }

    /// Forgets what was seen: another condition does not hold.
    func forget() {
        watched = [:]
        (watchedFrame, pixelFrame, answer) = (nil, nil, nil)
        seen = []
        stillTimer = nil
        pauseTimer = nil
    }

    // MARK: Stillness

    /// Whether the pixels of all screens have stood still for long enough.
    func stillness() -> State {
        guard !stills.isEmpty else { return .holds }
        guard !isDrawing else { return .unknown }
        let screens = stills.compactMap { server.screen($0.screen)?.id }
        guard watchedFrame == server.frameNumber, screens.allSatisfy({ watched[$0] != nil }) else {
            drawStills(Array(Set(screens)).sorted { $0.rawValue < $1.rawValue })
            return .unknown
        }
        let due = zip(stills, screens).map { still, screen in (watched[screen]?.since ?? 0) + still.time }.max() ?? 0
        if server.clock.now >= due { return .holds }
        let timer = ClockTimer(server.clock, isActivity: false) { [weak self] _, _ in self?.onChange?() }
        timer.arm(at: due)
        stillTimer = timer
        return .fails
    }

    private func drawStills(_ screens: [Screen.ID]) {
        guard mayDraw() else { return }
        var moment = (frame: UInt64(0), time: UInt64(0))
        let done = server.loop.completion(of: [(Screen.ID, Int)].self) { [weak self] hashes in
            guard let self else { return }
            isDrawing = false
            watchedFrame = moment.frame
            for (screen, hash) in hashes { note(hash, of: screen, at: moment.time) }
            onChange?()
        }
        server.captures.capture(screens) { [server] in
            moment = (server.frameNumber, server.clock.now)
        } _: { [worker] pictures in
            worker.perform { done(pictures.map { ($0.0, $0.1.contentHash) }) }
        }
    }

    private func note(_ hash: Int, of screen: Screen.ID, at time: UInt64) {
        guard let old = watched[screen] else {
            // Manual time stands still during the wait: what has passed before counts.
            let since = server.clock.mode == .manual ? server.output(of: screen)?.lastChange ?? time : time
            watched[screen] = Watched(hash: hash, since: since)
            return
        }
        guard old.hash != hash else { return }
        watched[screen] = Watched(hash: hash, since: time, changes: old.changes + 1)
    }

    // MARK: Colours

    /// Whether all pixels have their colours.
    /// - Parameter moment: called at the moment of a picture, for the answer; nil if the other conditions do not hold.
    func pixels(moment: @escaping () -> WaitAnswer?) -> State {
        guard !pixels.isEmpty else { return .holds }
        guard !isDrawing else { return .unknown }
        if pixelFrame == server.frameNumber {
            return answer != nil && colorsMatch ? .holds : .fails
        }
        guard mayDraw() else { return .unknown }
        let places = pixels.map { (screen: server.screen($0.pixel.screen)?.id, x: $0.pixel.x, y: $0.pixel.y) }
        let screens = Array(Set(places.compactMap(\.screen))).sorted { $0.rawValue < $1.rawValue }
        var taken: (frame: UInt64, answer: WaitAnswer?) = (0, nil)
        server.captures.capture(screens) { [server] in
            taken = (server.frameNumber, moment())
        } _: { [weak self] pictures in
            guard let self else { return }
            isDrawing = false
            let colors = places.map { place in
                pictures.first { $0.0 == place.screen }?.1[place.x, place.y].map { $0 & 0xff_ffff }
            }
            (pixelFrame, seen) = (taken.frame, colors)
            answer = taken.answer
            if let place = places.first, let color = colors.first ?? nil {
                answer?.pixel = WaitAnswer.Pixel(x: place.x, y: place.y, color: color.hex)
            }
            onChange?()
        }
        return .unknown
    }

    private var colorsMatch: Bool {
        zip(pixels, seen).allSatisfy { pixel, color in color.map { pixel.pixel.isLike($0) } ?? false }
    }

    /// Begins a drawing, unless the last one was just now.
    private func mayDraw() -> Bool {
        let now = server.loop.now
        guard drawnAt == 0 || now >= drawnAt + Self.pause else {
            let timer = Timer(server.loop) { [weak self] _, _ in self?.onChange?() }
            timer.arm(at: drawnAt + Self.pause)
            pauseTimer = timer
            return false
        }
        drawnAt = now
        isDrawing = true
        return true
    }

    // MARK: What there was instead

    /// The conditions that did not hold when they were last looked at.
    var unmet: [Unmet] {
        let now = server.clock.now
        let moving = stills.compactMap { still -> Unmet? in
            guard let screen = server.screen(still.screen), let state = watched[screen.id] else {
                return Unmet(still.condition, "its picture could not be drawn in time", [])
            }
            guard now < state.since + still.time || watchedFrame != server.frameNumber else { return nil }
            let time = DurationText.text(now - min(now, state.since))
            let changes =
                state.changes == 0
                ? "its pixels have stood still for \(time)"
                : "its pixels have changed \(state.changes) times, and stood still for \(time) since"
            let clock = server.clock.mode == .manual ? "; the clock is manual, step it" : ""
            return Unmet(still.condition, changes + clock, [])
        }
        guard moving.isEmpty else { return moving }
        guard !seen.isEmpty else {
            return pixels.map { Unmet($0.condition, "its picture could not be drawn in time", []) }
        }
        return zip(pixels, seen).compactMap { pixel, color in
            if let color, pixel.pixel.isLike(color) { return nil }
            return Unmet(pixel.condition, color: color, of: server.screen(pixel.pixel.screen))
        }
    }
}
