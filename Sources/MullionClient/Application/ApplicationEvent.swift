// What happens to an application.

/// Everything that happens to an application, its screens and its windows: `Application.notifications`.
public enum ApplicationEvent: Sendable {
    /// A screen was plugged in (S6).
    case screenDidConnect(Screen)
    /// A screen was unplugged (S6, S8).
    case screenDidDisconnect(Screen)
    /// Another screen became the main one, or none is left (S2).
    case mainScreenDidChange(Screen?)
    /// A screen's current mode changed (S6).
    case screenModeDidChange(Screen)
    /// A screen is about to rotate; its properties are still the old ones. The duration is in seconds (R1).
    case screenOrientationWillChange(Screen, from: Screen.Orientation, to: Screen.Orientation, duration: Double)
    /// A screen has rotated (R1).
    case screenOrientationDidChange(Screen, from: Screen.Orientation, to: Screen.Orientation)
    /// A change of a screen that this application requested was not allowed or not possible.
    case screenChangeWasRefused(Screen, reason: String)
    /// Something about a screen changed.
    case screenDidChange(Screen)
    /// A window became visible (V2).
    case windowDidBecomeVisible(Window)
    /// A window became invisible (V2).
    case windowDidBecomeHidden(Window)
    /// A window became key (K2).
    case windowDidBecomeKey(Window)
    /// A window resigned key (K2).
    case windowDidResignKey(Window)
    /// A window's frame was changed by the server (R2).
    case windowFrameDidChange(Window)
    /// A window moved to another screen or to none (S8).
    case windowScreenDidChange(Window)
    /// The server's policy refused a window's level or screen; nothing has changed.
    case windowChangeWasRefused(Window, reason: String)
    /// A view could not be drawn, and keeps its last picture.
    case drawingFailed(View, SurfaceError)
    /// A window was requested to close.
    case windowShouldClose(Window)
    /// The server has closed a window, because somebody destroyed it through the control API.
    case windowDidClose(Window)
    /// Input to a window with a callback for it, or from a remote control.
    case event(Event)
    /// The pointer did something (E5).
    case pointer(PointerEvent)
    /// A key was pressed or released (E3).
    case key(KeyEvent)
    /// A window gained or lost keyboard focus.
    case keyboardFocusDidChange(Window, Bool)
}

extension Application {
    /// Everything that happens to the application, its screens and windows, as a sequence that ends with the
    /// connection.
    public var notifications: AsyncStream<ApplicationEvent> { observers.stream() }

    /// Calls `body` for everything that happens, after the callbacks of the window or screen concerned.
    @discardableResult
    public func onEvent(_ body: @escaping (ApplicationEvent) -> Void) -> Observation { observers.add(body) }

    /// Calls `body` when a screen is plugged in; screens that were connected before are not announced (S6).
    @discardableResult
    public func onScreenDidConnect(_ body: @escaping (Screen) -> Void) -> Observation {
        onEvent { if case .screenDidConnect(let screen) = $0 { body(screen) } }
    }

    /// Calls `body` when a screen is unplugged; it is no longer in `screens` (S6). Its windows are kept (S8).
    @discardableResult
    public func onScreenDidDisconnect(_ body: @escaping (Screen) -> Void) -> Observation {
        onEvent { if case .screenDidDisconnect(let screen) = $0 { body(screen) } }
    }

    /// Calls `body` when another screen has become the main one, or none is left; `mainScreen` and `screens` are
    /// already new (S2).
    @discardableResult
    public func onMainScreenDidChange(_ body: @escaping (Screen?) -> Void) -> Observation {
        onEvent { if case .mainScreenDidChange(let screen) = $0 { body(screen) } }
    }

    /// Calls `body` for remote-control commands (E4); see `beginReceivingRemoteControlEvents()`.
    @discardableResult
    public func onRemoteControl(_ body: @escaping (RemoteCommand, Event) -> Void) -> Observation {
        onEvent {
            if case .event(let event) = $0, case .remoteControl(let command) = event.content { body(command, event) }
        }
    }
}
