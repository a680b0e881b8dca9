// Pinches.

import MullionGeometry

/// Recognises two or more fingers that move apart or together, on the screen or on a trackpad (UIKit:
/// UIPinchGestureRecognizer); continuous. It begins when the distance between two fingers has changed by 8 points, or
/// by 5 % on a trackpad, changes as long as two are down, and ends when all are lifted.
open class PinchGestureRecognizer: GestureRecognizer {
    /// How much the distance between two fingers changes before a pinch begins, in points of the screen.
    static let threshold = 8.0
    /// How much the scale changes before a pinch on a trackpad begins.
    static let scaleThreshold = 0.05

    /// The growth of the distance between the fingers since the first two were down, or since it was set; initially 1.
    /// Set it to 1 after it was applied.
    public var scale = 1.0

    /// The velocity of the scale, per second, measured over the last 0.1 s.
    public var velocity: Double { meter.speed.x }

    private var motion = TouchMotion()
    /// How much the distance between two fingers has grown, in points of the screen.
    private var growth = 0.0
    /// The scale since the first two fingers were down.
    private var whole = 1.0
    private var meter = Speedometer()

    open override func touchesBegan(_ touches: [Touch], with event: Event) { follow(event) }

    open override func touchesMoved(_ touches: [Touch], with event: Event) {
        follow(event)
        guard activeTouches.count > 1 else { return }
        if isRunning {
            state = .changed
        } else if abs(growth) >= Self.threshold {
            state = .began
        }
    }

    open override func touchesEnded(_ touches: [Touch], with event: Event) {
        follow(event)
        if activeTouches.isEmpty { state = isRunning ? .ended : .failed }
    }

    private func follow(_ event: Event) {
        let change = motion.update(activeTouches)
        growth += 2 * change.radius * (1 - 1 / change.scale)
        if activeTouches.count > 1 { grow(change.scale, event) } else { meter.forget(before: event.timestamp) }
    }

    private func grow(_ factor: Double, _ event: Event) {
        scale *= factor
        whole *= factor
        meter.add(Point(x: whole, y: 0), at: event.timestamp)
    }

    override func accepts(_ contact: Contact) -> Bool {
        contact.transform == nil ? super.accepts(contact) : contacts.isEmpty
    }

    override func sequenceChanged(_ contact: Contact, with event: Event) {
        guard let transform = contact.transform else { return }
        if transform.phase == .cancelled { return touchesCancelled([], with: event) }
        if transform.scale > 0 { grow(transform.scale / whole, event) }
        if transform.phase == .ended {
            state = isRunning ? .ended : .failed
        } else if isRunning {
            state = .changed
        } else if abs(whole - 1) >= Self.scaleThreshold {
            state = .began
        }
    }

    open override func reset() {
        motion = TouchMotion()
        (scale, whole, growth) = (1, 1, 0)
        meter = Speedometer()
    }
}
