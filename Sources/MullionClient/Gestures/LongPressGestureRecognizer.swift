// Long presses.

import MullionGeometry

/// Recognises fingers that stay down in one place (UIKit: UILongPressGestureRecognizer); continuous. It begins while
/// they are down, changes when one moves, and ends when one is lifted.
open class LongPressGestureRecognizer: GestureRecognizer {
    /// How long the fingers have to stay down, in seconds; initially 0.5.
    public var minimumPressDuration = 0.5
    /// How far a finger may move before that, in points of the screen; initially 10. Afterwards it moves freely.
    public var allowableMovement = 10.0
    /// The number of fingers; initially 1.
    public var numberOfTouchesRequired = 1

    private var starts: [Touch.ID: Point] = [:]

    open override func touchesBegan(_ touches: [Touch], with event: Event) {
        guard !isRunning else {
            for touch in touches { ignore(touch, for: event) }
            return
        }
        for touch in touches { starts[touch.id] = touch.place.locationOnScreen }
        guard starts.count <= numberOfTouchesRequired else {
            state = .failed
            return
        }
        guard starts.count == numberOfTouchesRequired else { return }
        if minimumPressDuration > 0 {
            setDeadline(minimumPressDuration, after: event.timestamp)
        } else {
            state = .began
        }
    }

    open override func touchesMoved(_ touches: [Touch], with event: Event) {
        if isRunning {
            state = .changed
            return
        }
        let isTooFar = touches.contains { touch in
            starts[touch.id].map { (touch.place.locationOnScreen - $0).length > allowableMovement } ?? false
        }
        if isTooFar { state = .failed }
    }

    open override func touchesEnded(_ touches: [Touch], with event: Event) { state = isRunning ? .ended : .failed }

    override func deadlineDidPass() { state = .began }

    open override func reset() { starts = [:] }
}
