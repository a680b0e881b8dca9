// The pixels that a wait depends on.

import Compositor
import ControlProtocol
import DisplayServer
import EventLoop
import MullionSystem
import WindowModel

/// Draws the screens of a wait's pixel conditions when they may have changed, and only then.
final class PictureWatch {
    /// Whether a condition holds; unknown until a picture is drawn, after which `onChange` is called.
    enum State { case holds, fails, unknown }

    var onChange: (() -> Void)?
    /// The answer at the moment of the picture that fulfilled all conditions, whatever has changed since.
    private(set) var fulfilled: API.Waited?
    private let server: DisplayServer
    private let hashes: ScreenHashes
    private let stills: [(screen: ScreenReference?, time: UInt64, condition: Condition)]
    private let pixels: [(pixel: Expectation.Pixel, condition: Condition)]
    /// Fires when pixels may have stood still for long enough, on the server's clock.
    private var stillTimer: ClockTimer?

    /// A screen that is watched for stillness.
    private struct Watched {
        /// When watching began, in microseconds of the server's clock; 0 with the manual clock.
        var since: UInt64
        /// How many changes had been seen at the first picture since; nil before it.
        var changes: Int?
    }
    private var watched: [Screen.ID: Watched] = [:]
    private var pace: DrawingPace?
    /// The screens of `pixels` at the moment of their last picture.
    private var drawn: [ScreenState]?
    /// The colours that were last seen, in the order of `pixels`; nil outside of the screen.
    private var seen: [UInt32?] = []

    /// A screen, and the number of its picture.
    struct ScreenState: Equatable {
        let screen: Screen.ID
        let number: UInt64
    }

    init(_ conditions: [Condition], on server: DisplayServer, _ hashes: ScreenHashes) {
        self.server = server
        self.hashes = hashes
        stills = conditions.compactMap { condition in
            if case .still(let screen, let time) = condition { (screen, time, condition) } else { nil }
        }
        pixels = conditions.compactMap { condition in
            if case .pixel(let pixel) = condition { (pixel, condition) } else { nil }
        }
        if !pixels.isEmpty { pace = DrawingPace(server.loop) { [weak self] in self?.onChange?() } }
    }

    var hasStills: Bool { !stills.isEmpty }
    var hasPixels: Bool { !pixels.isEmpty }

    /// The screens that are watched, as they are now.
    var screens: [ScreenState] { states(of: stills.map(\.screen) + pixels.map(\.pixel.screen)) }

    /// Whether screens may have changed since their last pictures, and none is on its way.
    var isOutdated: Bool {
        if watched.keys.contains(where: { !hashes.isCurrent($0) && !hashes.isBusy($0) }) { return true }
        guard let drawn, pace?.isBusy == false else { return false }
        return drawn != pixelScreens
    }

    /// Whether its first picture is being drawn, or will be soon.
    var isBeginning: Bool {
        watched.contains { $0.value.changes == nil && hashes.isBusy($0.key) }
            || (seen.isEmpty && pace?.isBusy == true)
    }

    /// Forgets what was seen: another condition does not hold.
    func forget() {
        guard !watched.isEmpty || drawn != nil || !seen.isEmpty else { return }
        watched = [:]
        drawn = nil
        seen = []
        stillTimer = nil
    }

    private var pixelScreens: [ScreenState] { states(of: pixels.map(\.pixel.screen)) }

    private func states(of references: [ScreenReference?]) -> [ScreenState] {
        var states: [ScreenState] = []
        for reference in references {
            guard let id = server.screen(reference)?.id, !states.contains(where: { $0.screen == id }) else { continue }
            states.append(ScreenState(screen: id, number: server.output(of: id)?.pictureNumber ?? 0))
        }
        return states
    }

    // MARK: Stillness

    /// Whether the pixels of all screens have stood still for long enough. A screen that changes faster than it can be
    /// drawn is judged at the moments of its pictures.
    func stillness() -> State {
        guard hasStills else { return .holds }
        let screens = Set(stills.compactMap { server.screen($0.screen)?.id })
        for other in watched.keys where !screens.contains(other) { watched[other] = nil }
        for screen in screens {
            watch(screen)
            if !hashes.isCurrent(screen) { hashes.update(screen) }
        }
        guard let (until, due) = stillTimes else { return .unknown }
        if until >= due { return .holds }
        guard server.clock.now < due else { return .fails }
        let timer = ClockTimer(server.clock, isActivity: false) { [weak self] _, _ in self?.onChange?() }
        timer.arm(at: due)
        stillTimer = timer
        return .fails
    }

    private func watch(_ screen: Screen.ID) {
        let begun = server.clock.mode == .manual ? 0 : server.clock.now
        var state = watched[screen] ?? Watched(since: begun)
        if state.changes == nil, let seen = hashes[screen], seen.time >= state.since || hashes.isCurrent(screen) {
            state.changes = seen.changes
        }
        watched[screen] = state
    }

    /// Until when all pixels are known, and when they will have stood still for long enough if nothing changes; nil
    /// before the first pictures.
    private var stillTimes: (until: UInt64, due: UInt64)? {
        var (until, due) = (server.clock.now, UInt64(0))
        for still in stills {
            guard let screen = server.screen(still.screen)?.id, let since = stillSince(screen),
                let time = hashes[screen]?.time
            else { return nil }
            if !hashes.isCurrent(screen) { until = min(until, time) }
            due = max(due, since + still.time)
        }
        return (until, due)
    }

    /// Since when its pixels have been the same; nil before the first picture.
    private func stillSince(_ screen: Screen.ID) -> UInt64? {
        guard let state = watched[screen], state.changes != nil, let seen = hashes[screen] else { return nil }
        return max(seen.changedAt, state.since)
    }

    // MARK: Colours

    /// Whether all pixels have their colours. That they have is found out later, with the answer in `fulfilled`.
    /// - Parameter moment: called at the moment of a picture, for the answer; nil if the other conditions do not hold.
    func pixels(moment: @escaping () -> API.Waited?) -> State {
        guard let pace else { return .holds }
        // After a match, only the other conditions did not hold.
        let state: State = seen.isEmpty || colorsMatch ? .unknown : .fails
        guard !pace.isBusy, drawn == nil || drawn != pixelScreens, pace.begin() else { return state }
        let places = pixels.map { (screen: server.screen($0.pixel.screen)?.id, x: $0.pixel.x, y: $0.pixel.y) }
        let screens = pixelScreens.map(\.screen)
        var taken: (screens: [ScreenState], answer: API.Waited?) = ([], nil)
        server.captures.capture(screens) { [weak self] in
            if let self { taken = (pixelScreens, moment()) }
        } _: { [weak self] pictures in
            guard let self else { return }
            pace.end()
            seen = places.map { place in
                pictures.first { $0.0 == place.screen }?.1[place.x, place.y].map { $0 & 0xff_ffff }
            }
            note(taken.screens, taken.answer)
            onChange?()
        }
        return state
    }

    private func note(_ screens: [ScreenState], _ answer: API.Waited?) {
        drawn = screens
        guard colorsMatch else { return }
        guard var answer else {
            // Another picture is needed for a moment at which the other conditions hold.
            drawn = nil
            return
        }
        if let pixel = pixels.first?.pixel, let color = seen.first ?? nil {
            answer.pixel = API.WaitedPixel(x: pixel.x, y: pixel.y, color: color.hex)
        }
        fulfilled = answer
    }

    /// Whether all pixels of the screens have stood still for long enough, without drawing them.
    var isStill: Bool { !hasStills || stillTimes.map { $0.until >= $0.due } ?? false }

    private var colorsMatch: Bool {
        zip(pixels, seen).allSatisfy { pixel, color in color.map { pixel.pixel.isLike($0) } ?? false }
    }

    // MARK: Reasons

    /// The conditions that did not hold in the last pictures.
    var unmet: [API.Unmet] {
        let now = server.clock.now
        let moving = stills.compactMap { still -> API.Unmet? in
            guard let screen = server.screen(still.screen)?.id, let since = stillSince(screen) else {
                return API.Unmet(still.condition, "its picture could not be drawn in time", [])
            }
            let until = hashes.isCurrent(screen) ? now : hashes[screen]?.time ?? now
            guard until < since + still.time else { return nil }
            let time = DurationText.rounded(until - min(until, since))
            let count = (hashes[screen]?.changes ?? 0) - (watched[screen]?.changes ?? 0)
            let changes =
                count == 0
                ? "its pixels have stood still for \(time)"
                : "its pixels have changed \(count == 1 ? "once" : "\(count) times"), and stood still for \(time) since"
            let clock = server.clock.mode == .manual ? "; the clock is manual, step it" : ""
            return API.Unmet(still.condition, changes + clock, [])
        }
        guard moving.isEmpty else { return moving }
        guard !seen.isEmpty else {
            return pixels.map { API.Unmet($0.condition, "its picture could not be drawn in time", []) }
        }
        return zip(pixels, seen).compactMap { pixel, color in
            if let color, pixel.pixel.isLike(color) { return nil }
            return API.Unmet(pixel.condition, color: color, of: server.screen(pixel.pixel.screen))
        }
    }
}
