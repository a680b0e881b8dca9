// What people do, in UIKit's terms.

/// What was done at one moment, told as one (UIKit: UIEvent).
public struct Event {
    /// The types of events, with the numbers of UIKit.
    public enum Kind: UInt32, Sendable, CaseIterable {
        /// Fingers, pencils, and the pointer while a button is down (E1).
        case touches = 0
        /// The device is shaken (E3).
        case motion = 1
        /// A command of a remote control (E4).
        case remoteControl = 2
        /// Keys (E3).
        case presses = 3
        /// Scrolling (E5).
        case scroll = 10
        /// The pointer moves with no button down (E5).
        case hover = 11
        /// A gesture on a trackpad (E5).
        case transform = 14
    }

    /// Where in its course something is. After `ended` or `cancelled` nothing more comes of it.
    public enum Phase: UInt32, Sendable, CaseIterable {
        /// It has begun.
        case began = 0
        /// It goes on.
        case moved
        /// It stays where it is while something else changes.
        case stationary
        /// It is over.
        case ended
        /// It was taken away, and means nothing (E2).
        case cancelled
    }

    /// What the event consists of.
    public enum Content {
        /// All touches of the moment in this application's windows, also those that stay where they are.
        case touches([Touch])
        /// A key.
        case press(Press)
        /// A shake.
        case motion(Motion)
        /// A command of a remote control.
        case remoteControl(RemoteCommand)
        /// Scrolling.
        case scroll(Scroll)
        /// Hovering.
        case hover(Hover)
        /// A gesture.
        case transform(Transform)
    }

    /// What the event consists of.
    public let content: Content
    /// The event's number; grows over all events of the server (E9). Parts of one moment have the same.
    public let serial: UInt64
    /// Seconds of the server's monotonic clock, exact to the microsecond (E9).
    public let timestamp: Double
    /// The name of the seat whose hand it was, such as seat0 (K1).
    public let seat: String

    /// The type of the event.
    public var kind: Kind {
        switch content {
        case .touches: .touches
        case .press: .presses
        case .motion: .motion
        case .remoteControl: .remoteControl
        case .scroll: .scroll
        case .hover: .hover
        case .transform: .transform
        }
    }

    /// All its touches; empty for all other kinds (UIKit: allTouches).
    public var touches: [Touch] {
        if case .touches(let touches) = content { touches } else { [] }
    }

    /// Those of one window (UIKit: touches(for:)).
    public func touches(in window: Window) -> [Touch] { touches.filter { $0.window === window } }

    /// The window that gets it; nil for touches, which may be in several, and for a remote control.
    public var window: Window? {
        switch content {
        case .touches, .remoteControl: nil
        case .press(let press): press.window
        case .motion(let motion): motion.window
        case .scroll(let scroll): scroll.place.window
        case .hover(let hover): hover.place.window
        case .transform(let transform): transform.place.window
        }
    }

    /// The same event with the touches of one window alone, or itself.
    func part(for window: Window) -> Event {
        guard case .touches(let touches) = content, touches.contains(where: { $0.window !== window }) else {
            return self
        }
        return Event(content: .touches(self.touches(in: window)), serial: serial, timestamp: timestamp, seat: seat)
    }
}

/// A key at one moment (UIKit: UIPress). What it means depends on the layout: see `Window.onKey`.
public struct Press {
    /// The key window.
    public let window: Window
    /// The evdev code, such as 30 for the key that is A on a US keyboard.
    public let keyCode: UInt32
    /// It went down (`began`), went up (`ended`), or the window is key no longer (`cancelled`).
    public let phase: Event.Phase
}

/// The device is shaken.
public struct Motion {
    /// The key window.
    public let window: Window
    /// `began`, `ended` or `cancelled`.
    public let phase: Event.Phase
}

/// What a remote control says; the numbers are those of UIKit's event subtypes.
public enum RemoteCommand: UInt32, Sendable, CaseIterable {
    /// Play.
    case play = 100
    /// Pause.
    case pause = 101
    /// Stop.
    case stop = 102
    /// Play or pause.
    case togglePlayPause = 103
    /// Go to the next track.
    case nextTrack = 104
    /// Go to the previous track.
    case previousTrack = 105
    /// Begin to go back.
    case beginSeekingBackward = 106
    /// No longer go back.
    case endSeekingBackward = 107
    /// Begin to go forward.
    case beginSeekingForward = 108
    /// No longer go forward.
    case endSeekingForward = 109
}
