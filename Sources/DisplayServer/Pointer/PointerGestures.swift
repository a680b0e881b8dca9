// The model's gestures as those of pointer-gestures-unstable-v1.

import Wayland
import WindowModel

/// How Wayland sorts gestures.
enum PointerGestureKind: String, Codable {
    case swipe, pinch, hold

    /// The one place that says which of the model's gestures is which. To turn is to pinch, and a finger alone can only
    /// hold: when it moves, the pointer does.
    init(_ gesture: Event.TransformGesture) {
        switch gesture.kind {
        case _ where gesture.fingers <= 1: self = .hold
        case .pinch, .rotate: self = .pinch
        case .swipe: self = .swipe
        }
    }
}

/// Tells the running gesture to the client where it began (E5); there is one at a time.
final class PointerGestures {
    private struct Running {
        var kind: PointerGestureKind
        /// Of the window.
        var application: Application.ID
        /// Of the surface, which in an input method's pop-up is another.
        var client: Application.ID
        /// Radians since it began, as told last.
        var rotation = 0.0
    }

    private unowned let seat: ServerSeat
    private var running: Running?

    init(_ seat: ServerSeat) { self.seat = seat }

    /// - Parameter hasEntered: whether the pointer has entered the surface; else a gesture does not begin there.
    func deliver(
        _ gesture: Event.TransformGesture, _ event: Event, to surface: SurfaceResource?, hasEntered: Bool
    ) {
        let time = UInt32(truncatingIfNeeded: event.timestamp / 1000)
        switch event.phase {
        case .began:
            guard let surface, surface.isAlive, hasEntered else { return }
            let kind = PointerGestureKind(gesture)
            running = Running(
                kind: kind, application: event.application, client: surface.client.application)
            let serial = seat.nextSerial()
            for object in surface.client.seat(seat).gestures where object.kind == kind {
                object.begin(on: surface, fingers: UInt32(gesture.fingers), serial, time)
            }
        case .moved, .stationary:
            guard let before = running, before.application == event.application else { return }
            running?.rotation = gesture.rotation
            forEachObject { $0.update(gesture, turnedBy: gesture.rotation - before.rotation, time) }
        case .ended, .cancelled:
            guard running?.application == event.application else { return }
            let serial = seat.nextSerial()
            forEachObject { $0.end(isCancelled: event.phase == .cancelled, serial, time) }
            running = nil
        }
    }

    /// The objects that were told of the beginning.
    private func forEachObject(_ body: (PointerGestureResource) -> Void) {
        guard let client = running.flatMap({ seat.server.client($0.client) }) else { return }
        for object in client.seat(seat).gestures where object.isRunning { body(object) }
    }
}
