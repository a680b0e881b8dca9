// Delivers the model's events to the clients that requested them.

import WindowModel

/// Passes events to mullion_events_v1, and ends the groups left open for simultaneous touches.
final class EventDelivery {
    // The owner.
    private unowned let server: DisplayServer
    private var open: [EventsResource] = []

    init(_ server: DisplayServer) { self.server = server }

    /// Sends the event to the client's objects that requested it.
    func deliver(_ event: Event, takenBy grab: Grab?) {
        guard let client = server.client(event.application), !client.eventsResources.isEmpty else { return }
        var event = event
        switch grab {
        // The drag has taken the press. For the application it is cancelled, as in wl_touch.cancel and the pointer's
        // leave.
        case .drag, .frame: event.phase = .cancelled
        case .inputMethod, .titleBars: return
        case .implicit, .popups, nil: break
        }
        for resource in client.eventsResources where resource.deliver(event) { open.append(resource) }
    }

    /// Ends the open groups of touches.
    func endGroups() {
        guard !open.isEmpty else { return }
        for resource in open { resource.endGroup() }
        open.removeAll(keepingCapacity: true)
    }
}
