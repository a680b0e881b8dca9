// Input for an application's windows.

import MullionWayland

extension Application {
    /// Delivers an event: to the callbacks of its windows, then to recognisers and responders.
    func deliver(_ event: Event) {
        var windows: [Window] = []
        if let window = event.window { windows = [window] }
        for touch in event.touches where touch.isConcerned && !windows.contains(where: { $0 === touch.window }) {
            windows.append(touch.window)
        }
        for window in windows where !window.isClosed { window.notify(.event(event.part(for: window)), nil) }
        eventDelivery.deliver(event, self)
        observers.notify(.event(event))
    }
}
