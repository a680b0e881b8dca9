// Delivers the model's events to the clients that requested them.

import WindowModel

/// Passes events to mullion_events_v1, and ends the groups left open for simultaneous touches.
final class EventDelivery {
    // The owner.
    private unowned let server: DisplayServer
    private var open: [EventsResource] = []

    init(_ server: DisplayServer) { self.server = server }

    /// Sends the event to the client's objects that requested it.
    /// - Returns: whether any has.
    func deliver(_ event: Event, takenBy grab: Grab?) -> Bool {
        guard let client = server.client(event.application), !client.eventsResources.isEmpty else { return false }
        var event = event
        switch grab {
        // The drag has taken the press. For the application it is cancelled, as in wl_touch.cancel and the pointer's
        // leave.
        case .drag, .frame: event.phase = .cancelled
        case .inputMethod, .titleBars: return false
        case .implicit, .popups, nil: break
        }
        var isRequested = false
        for resource in client.eventsResources {
            switch resource.deliver(event) {
            case .notRequested: continue
            case .sent: break
            case .groupBegun: open.append(resource)
            }
            isRequested = true
        }
        return isRequested
    }

    /// Ends the open groups of touches.
    func endGroups() {
        guard !open.isEmpty else { return }
        for resource in open { resource.endGroup() }
        open.removeAll(keepingCapacity: true)
    }
}
