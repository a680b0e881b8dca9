// Input to views and responders.

import MullionGeometry

/// Finds the view of each event and walks the responder chain.
@MainActor final class EventDelivery {
    /// The touches that are down.
    var touches: [Touch.ID: Contact] = [:]
    /// The running gesture on a trackpad, by seat.
    var transforms: [String: Contact] = [:]
    /// The running scroll sequence, by seat.
    var scrolls: [String: Contact] = [:]
    /// Decides which gestures are recognised.
    let arbiter = GestureArbiter()

    /// Delivers an event to the views of its windows.
    func deliver(_ event: Event, _ application: Application) {
        // A callback before this may have closed the window.
        if let window = event.window, window.isClosed { return }
        switch event.content {
        case .touches(let touches): deliver(touches, event)
        case .press(let press):
            let target = press.window.firstResponder ?? press.window
            perform(press.phase) {
                target.pressesBegan([press], with: event)
            } ended: {
                target.pressesEnded([press], with: event)
            } cancelled: {
                target.pressesCancelled([press], with: event)
            }
        case .motion(let motion):
            let target = motion.window.firstResponder ?? motion.window
            perform(motion.phase) {
                target.motionBegan(motion, with: event)
            } ended: {
                target.motionEnded(motion, with: event)
            } cancelled: {
                target.motionCancelled(motion, with: event)
            }
        case .remoteControl(let command):
            let window = application.allWindows.first { $0.delivered.isKey }
            (window?.firstResponder ?? window ?? application).remoteControlReceived(command, with: event)
        case .scroll(let scroll): deliver(scroll, event)
        case .transform(let transform): deliver(transform, event)
        case .hover(var hover):
            hover.place.view = hit(hover.place, event)
            hover.place.view.hovered(hover, with: event)
        }
    }

    private func perform(
        _ phase: Event.Phase, began: () -> Void, ended: () -> Void, cancelled: () -> Void
    ) {
        switch phase {
        case .began: began()
        case .ended: ended()
        case .cancelled: cancelled()
        case .moved, .stationary: break
        }
    }

    func hit(_ place: EventPlace, _ event: Event) -> View {
        place.window.hitTest(place.location, with: event) ?? place.window
    }
}
