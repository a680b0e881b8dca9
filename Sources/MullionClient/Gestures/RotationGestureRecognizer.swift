// Rotations.

import MullionGeometry

/// Recognises two or more fingers that turn around their middle, on the screen or on a trackpad (UIKit:
/// UIRotationGestureRecognizer); continuous. It begins when they have turned by 0.1 radians, changes as long as two are
/// down, and ends when all are lifted.
open class RotationGestureRecognizer: GestureRecognizer {
    /// How far the fingers turn before a rotation begins, in radians.
    static let threshold = 0.1

    /// The turn since the first two fingers were down, or since it was set, in radians, clockwise; initially 0. Set it
    /// to 0 after it was applied.
    public var rotation = 0.0

    /// The velocity in radians per second, clockwise, measured over the last 0.1 s.
    public var velocity: Double { meter.speed.x }

    private var motion = TouchMotion()
    /// The turn since the first two fingers were down.
    private var whole = 0.0
    private var meter = Speedometer()

    open override func touchesBegan(_ touches: [Touch], with event: Event) { follow(event) }

    open override func touchesMoved(_ touches: [Touch], with event: Event) {
        follow(event)
        guard activeTouches.count > 1 else { return }
        if isRunning {
            state = .changed
        } else if abs(whole) >= Self.threshold {
            state = .began
        }
    }

    open override func touchesEnded(_ touches: [Touch], with event: Event) {
        follow(event)
        if activeTouches.isEmpty { state = isRunning ? .ended : .failed }
    }

    private func follow(_ event: Event) {
        let change = motion.update(activeTouches)
        if activeTouches.count > 1 { turn(change.rotation, event) } else { meter.forget(before: event.timestamp) }
    }

    private func turn(_ angle: Double, _ event: Event) {
        rotation += angle
        whole += angle
        meter.add(Point(x: whole, y: 0), at: event.timestamp)
    }

    override func accepts(_ contact: Contact) -> Bool {
        contact.transform == nil ? super.accepts(contact) : contacts.isEmpty
    }

    override func sequenceChanged(_ contact: Contact, with event: Event) {
        guard let transform = contact.transform else { return }
        if transform.phase == .cancelled { return touchesCancelled([], with: event) }
        turn(transform.rotation - whole, event)
        if transform.phase == .ended {
            state = isRunning ? .ended : .failed
        } else if isRunning {
            state = .changed
        } else if abs(whole) >= Self.threshold {
            state = .began
        }
    }

    open override func reset() {
        motion = TouchMotion()
        (rotation, whole) = (0, 0)
        meter = Speedometer()
    }
}
