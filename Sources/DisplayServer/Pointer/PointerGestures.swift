// Converts the model's gestures to those of pointer-gestures-unstable-v1.

import MullionWayland
import WindowModel

/// Wayland's kinds of gestures.
enum PointerGestureKind: String, Codable {
    case swipe, pinch, hold

    /// The only place that maps the model's gestures. A rotation is a pinch, and a single finger can only hold, because
    /// moving it moves the pointer.
    init(_ gesture: Event.TransformGesture) {
        switch gesture.kind {
        case _ where gesture.fingers <= 1: self = .hold
        case .pinch, .rotate: self = .pinch
        case .swipe: self = .swipe
        }
    }
}

/// Sends the running gesture to the client where it began (E5); there is only one at a time.
final class PointerGestures {
    private struct Running {
        var kind: PointerGestureKind
        /// The window's application.
        var application: Application.ID
        /// The surface's client, which differs for an input method's pop-up.
        var client: Application.ID
        /// The rotation since the beginning as last sent, in radians.
        var rotation = 0.0
    }

    private unowned let seat: ServerSeat
    private var running: Running?

    init(_ seat: ServerSeat) { self.seat = seat }

    /// - Parameter hasEntered: whether the pointer has entered the surface; otherwise no gesture begins there.
    /// - Returns: whether the client has an object for it.
    func deliver(
        _ gesture: Event.TransformGesture, _ event: Event, to surface: SurfaceResource?, hasEntered: Bool
    ) -> Bool {
        var isSent = false
        let time = UInt32(truncatingIfNeeded: event.timestamp / 1000)
        switch event.phase {
        case .began:
            guard let surface, surface.isAlive, hasEntered else { return false }
            let kind = PointerGestureKind(gesture)
            running = Running(
                kind: kind, application: event.application, client: surface.client.application)
            let serial = seat.nextSerial()
            for object in surface.client.seat(seat).gestures where object.kind == kind {
                object.begin(on: surface, fingers: UInt32(gesture.fingers), serial, time)
                isSent = true
            }
        case .moved, .stationary:
            guard let before = running, before.application == event.application,
                case .transform(let seen)? = seat.server.client(before.client)?.seen(event).detail
            else { return false }
            running?.rotation = gesture.rotation
            forEachObject {
                $0.update(seen, turnedBy: gesture.rotation - before.rotation, time)
                isSent = true
            }
        case .ended, .cancelled:
            guard running?.application == event.application else { return false }
            let serial = seat.nextSerial()
            forEachObject {
                $0.end(isCancelled: event.phase == .cancelled, serial, time)
                isSent = true
            }
            running = nil
        }
        return isSent
    }

    /// Calls `body` for the objects that were sent the beginning.
    private func forEachObject(_ body: (PointerGestureResource) -> Void) {
        guard let client = running.flatMap({ seat.server.client($0.client) }) else { return }
        for object in client.seat(seat).gestures where object.isRunning { body(object) }
    }
}
