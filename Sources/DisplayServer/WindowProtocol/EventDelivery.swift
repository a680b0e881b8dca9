// From the model's events to the clients that asked for them.

import WindowModel

/// Hands events to mullion_events_v1, and ends the groups that it keeps open for touches of one moment.
final class EventDelivery {
    // Its owner.
    private unowned let server: DisplayServer
    private var open: [EventsResource] = []

    init(_ server: DisplayServer) { self.server = server }

    /// Comes before wl_seat's objects are told: what a drag is about to take, or an input method, is known by what there
    /// is now.
    func carryOut(_ effect: Effect) {
        // Whatever else is told, is told after the touches.
        if case .deliver(let event) = effect { deliver(event) } else { endGroups() }
    }

    /// Tells those objects of the client that asked.
    private func deliver(_ event: Event) {
        guard let client = server.client(event.application), !client.eventsResources.isEmpty, !isGrabbed(event) else {
            return
        }
        var event = event
        // The press is the drag's now. To the application it is over, as wl_touch.cancel and the pointer's leave say.
        if server.seat(event.seat)?.dragAndDrop.takes(event) == true { event.phase = .cancelled }
        for resource in client.eventsResources where resource.deliver(event) { open.append(resource) }
    }

    /// Nothing more is of the moment.
    func endGroups() {
        guard !open.isEmpty else { return }
        for resource in open { resource.endGroup() }
        open.removeAll(keepingCapacity: true)
    }

    /// An input method takes keys before the key window does; what programs inject goes past it.
    private func isGrabbed(_ event: Event) -> Bool {
        guard case .key = event.detail, event.phase == .began else { return false }
        return server.seat(event.seat)?.keyboard.grabbingPress != nil
    }
}
