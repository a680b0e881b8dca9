// Input to views: each touch stays with the view where it began (E1).

import Geometry

/// Finds the view of each event and walks the responder chain.
@MainActor final class EventDelivery {
    /// A touch that is down.
    private struct Active {
        let view: View
        /// The recognisers that see it: those of the view and of everything that contains it.
        let recognizers: [GestureRecognizer]
        /// Whether a recogniser has taken it from the view.
        var isTaken = false
    }

    private var active: [Touch.ID: Active] = [:]
    /// The target of the running scroll or transform sequence, by seat.
    private var sequences: [String: View] = [:]

    /// Delivers an event to the views of its windows.
    func deliver(_ event: Event, _ application: Application) {
        switch event.content {
        case .touches(let touches): deliver(touches, event, application)
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
        case .scroll(var scroll):
            scroll.place.view = view(of: scroll.place, scroll.phase, event)
            scroll.place.view.scrolled(scroll, with: event)
        case .transform(var transform):
            transform.place.view = view(of: transform.place, transform.phase, event)
            transform.place.view.transformed(transform, with: event)
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

    private func hit(_ place: EventPlace, _ event: Event) -> View {
        place.window.hitTest(place.location, with: event) ?? place.window
    }

    /// E5: a sequence stays with the view where it began.
    private func view(of place: EventPlace, _ phase: Event.Phase, _ event: Event) -> View {
        if phase == .began {
            let view = hit(place, event)
            sequences[event.seat] = view
            return view
        }
        guard let view = sequences[event.seat], view.window === place.window else { return hit(place, event) }
        if phase == .ended || phase == .cancelled { sequences[event.seat] = nil }
        return view
    }

    // MARK: Touches

    private func deliver(_ touches: [Touch], _ event: Event, _ application: Application) {
        var placed: [Touch] = []
        for var touch in touches {
            if touch.phase == .began {
                let view = hit(touch.place, event)
                active[touch.id] = Active(view: view, recognizers: recognizers(above: view))
            }
            guard let target = active[touch.id] else { continue }
            touch.place.view = target.view
            placed.append(touch)
        }
        let taken = GestureRecognizer.deliver(placed, event) { active[$0.id]?.recognizers ?? [] }
        for touch in placed {
            guard let target = active[touch.id], !target.isTaken else { continue }
            if taken.contains(touch.id) {
                active[touch.id]?.isTaken = true
                if touch.phase != .began { target.view.touchesCancelled([touch], with: event) }
            }
        }
        for (phase, handle) in Self.handlers {
            for (view, part) in groups(placed.filter { $0.phase == phase && active[$0.id]?.isTaken == false }) {
                handle(view, part, event)
            }
        }
        for touch in placed where touch.phase == .ended || touch.phase == .cancelled { active[touch.id] = nil }
    }

    private static let handlers: [(Event.Phase, (View, [Touch], Event) -> Void)] = [
        (.began, { $0.touchesBegan($1, with: $2) }), (.moved, { $0.touchesMoved($1, with: $2) }),
        (.ended, { $0.touchesEnded($1, with: $2) }), (.cancelled, { $0.touchesCancelled($1, with: $2) }),
    ]

    /// The touches of each view, in their order.
    private func groups(_ touches: [Touch]) -> [(view: View, touches: [Touch])] {
        var groups: [(view: View, touches: [Touch])] = []
        for touch in touches {
            if let index = groups.firstIndex(where: { $0.view === touch.view }) {
                groups[index].touches.append(touch)
            } else {
                groups.append((touch.view, [touch]))
            }
        }
        return groups
    }

    private func recognizers(above view: View) -> [GestureRecognizer] {
        var (list, ancestor): ([GestureRecognizer], View?) = ([], view)
        while let current = ancestor {
            list += current.gestureRecognizers
            ancestor = current.superview
        }
        return list
    }
}
