// UIKit-style input, enabled by setting a callback.

import Wayland

extension Application {
    /// Called for remote-control commands, whichever window is key (E4). The application receives them while this is
    /// set (UIKit: beginReceivingRemoteControlEvents).
    public var onRemoteControl: ((RemoteCommand, Event) -> Void)? {
        get { remoteControl }
        set {
            let (had, has) = (remoteControl != nil, newValue != nil)
            remoteControl = newValue
            guard had != has else { return }
            eventReceiver.proxy.send(has ? .beginReceivingRemoteControlEvents : .endReceivingRemoteControlEvents)
        }
    }

    /// Delivers an event to the callbacks of its windows.
    func deliver(_ event: Event) {
        var windows: [Window] = []
        if let window = event.window { windows = [window] }
        for touch in event.touches where !windows.contains(where: { $0 === touch.window }) {
            windows.append(touch.window)
        }
        if case .remoteControl(let command) = event.content { remoteControl?(command, event) }
        for window in windows where !window.isClosed { window.deliver(event.part(for: window)) }
        onEvent?(.event(event))
    }
}

extension Window {
    /// Called for touches that began in this window, wherever they move. Contains all active touches, each with its
    /// phase (E1).
    public var onTouches: (([Touch], Event) -> Void)? {
        get { callbacks.touches }
        set { callbacks.touches = newValue; updateEventTypes() }
    }
    /// Called for keys while the window is key (E3).
    public var onPress: ((Press, Event) -> Void)? {
        get { callbacks.press }
        set { callbacks.press = newValue; updateEventTypes() }
    }
    /// Called when the device is shaken while the window is key (E3).
    public var onMotion: ((Motion, Event) -> Void)? {
        get { callbacks.motion }
        set { callbacks.motion = newValue; updateEventTypes() }
    }
    /// Called for scrolling that began under the pointer (E5).
    public var onScroll: ((Scroll, Event) -> Void)? {
        get { callbacks.scroll }
        set { callbacks.scroll = newValue; updateEventTypes() }
    }
    /// Called when the pointer enters, moves and leaves with no button down (E5).
    public var onHover: ((Hover, Event) -> Void)? {
        get { callbacks.hover }
        set { callbacks.hover = newValue; updateEventTypes() }
    }
    /// Called for gestures that began under the pointer (E5).
    public var onTransform: ((Transform, Event) -> Void)? {
        get { callbacks.transform }
        set { callbacks.transform = newValue; updateEventTypes() }
    }
    /// Called for every event of the window, before the callback of its kind (UIKit: sendEvent). An event with touches
    /// in several windows is reduced to this window's touches.
    public var onEvent: ((Event) -> Void)? {
        get { callbacks.event }
        set { callbacks.event = newValue; updateEventTypes() }
    }

    fileprivate func deliver(_ event: Event) {
        callbacks.event?(event)
        switch event.content {
        case .touches(let touches): callbacks.touches?(touches, event)
        case .press(let press): callbacks.press?(press, event)
        case .motion(let motion): callbacks.motion?(motion, event)
        case .scroll(let scroll): callbacks.scroll?(scroll, event)
        case .hover(let hover): callbacks.hover?(hover, event)
        case .transform(let transform): callbacks.transform?(transform, event)
        case .remoteControl: break
        }
    }

    /// Requests the event types for which callbacks are set, and no others.
    private func updateEventTypes() {
        var types: MullionEventsV1.EventTypes = []
        if callbacks.touches != nil { types.insert(.touches) }
        if callbacks.press != nil { types.insert(.presses) }
        if callbacks.motion != nil { types.insert(.motion) }
        if callbacks.scroll != nil { types.insert(.scroll) }
        if callbacks.hover != nil { types.insert(.hover) }
        if callbacks.transform != nil { types.insert(.transform) }
        if callbacks.event != nil { types = [.touches, .presses, .motion, .scroll, .hover, .transform] }
        guard !isClosed, types != eventTypes else { return }
        eventTypes = types
        application.eventReceiver.proxy.send(.setTypes(window: role.id, types: types))
    }
}
