// Taps.

import MullionGeometry

/// Recognises one or several taps with one or several fingers (UIKit: UITapGestureRecognizer); discrete.
///
/// Fingers may move up to 45 points and stay down less than 0.75 s; the next tap must begin within less than 0.35 s, up
/// to 45 points away. A recogniser of fewer taps or touches does not prevent one of more: see `require(toFail:)`.
open class TapGestureRecognizer: GestureRecognizer {
    /// How far a finger may move, in points.
    static let allowableMovement = 45.0
    /// How long a tap may last, in seconds.
    static let maximumDuration = 0.75
    /// How long the next tap may take to begin, in seconds.
    static let maximumInterval = 0.35

    /// The number of taps; initially 1.
    public var numberOfTapsRequired = 1
    /// The number of fingers that have to tap together; initially 1.
    public var numberOfTouchesRequired = 1

    private var taps = 0
    /// Where the touches of this tap began, on the screen, in their order, and what they are now.
    private var starts: [(point: Point, touch: Touch)] = []
    private var firstStart: Point?

    open override func touchesBegan(_ touches: [Touch], with event: Event) {
        let liftedSome = starts.count > 0 && activeOfTap.count < starts.count
        if activeOfTap.isEmpty {
            starts = []
            setDeadline(Self.maximumDuration, after: event.timestamp)
        } else if liftedSome {
            // Fingers tap together, not one after another.
            state = .failed
            return
        }
        starts += touches.map { ($0.place.locationOnScreen, $0) }
        guard starts.count <= numberOfTouchesRequired else {
            state = .failed
            return
        }
        guard let start = starts.first?.point else { return }
        if let firstStart, (start - firstStart).length > Self.allowableMovement {
            state = .failed
            return
        }
        firstStart = firstStart ?? start
    }

    open override func touchesMoved(_ touches: [Touch], with event: Event) {
        update(touches)
        if starts.contains(where: { ($0.touch.place.locationOnScreen - $0.point).length > Self.allowableMovement }) {
            state = .failed
        }
    }

    open override func touchesEnded(_ touches: [Touch], with event: Event) {
        update(touches)
        guard activeOfTap.isEmpty else { return }
        guard starts.count == numberOfTouchesRequired else {
            state = .failed
            return
        }
        taps += 1
        guard taps < numberOfTapsRequired else {
            finishedTouches = starts.map(\.touch)
            state = .ended
            return
        }
        setDeadline(Self.maximumInterval, after: event.timestamp)
    }

    override func deadlineDidPass() { state = .failed }

    open override func reset() {
        taps = 0
        starts = []
        firstStart = nil
    }

    /// False for taps that need more taps or more touches than this one.
    open override func canPrevent(_ other: GestureRecognizer) -> Bool {
        guard let other = other as? TapGestureRecognizer else { return true }
        return other.numberOfTapsRequired <= numberOfTapsRequired
            && other.numberOfTouchesRequired <= numberOfTouchesRequired
    }

    /// The touches of this tap that are down.
    private var activeOfTap: [Touch] { starts.lazy.map(\.touch).filter { $0.phase != .ended } }

    private func update(_ touches: [Touch]) {
        for touch in touches {
            if let index = starts.lastIndex(where: { $0.touch.id == touch.id }) { starts[index].touch = touch }
        }
    }
}
