// Input events, in UIKit's terms.

/// The input of one moment (UIKit: UIEvent).
public struct Event: Sendable {
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
        /// The pointer moves with no button down, or a pencil above the screen (E5).
        case hover = 11
        /// A gesture on a trackpad (E5).
        case transform = 14
    }

    /// The phase of a touch, press, motion or gesture. Nothing follows `ended` or `cancelled`.
    public enum Phase: UInt32, Sendable, CaseIterable {
        /// It has begun.
        case began = 0
        /// It continues or changes.
        case moved
        /// It is unchanged while something else changes.
        case stationary
        /// It is over.
        case ended
        /// It was aborted and must be undone (E2).
        case cancelled
    }

    /// The content of an event.
    public enum Content: Sendable {
        /// All touches of the seat that are down in this application's windows, or have just ended there (E1). Those that
        /// have not changed are stationary.
        case touches([Touch])
        /// A key.
        case press(Press)
        /// A shake.
        case motion(Motion)
        /// A remote-control command.
        case remoteControl(RemoteCommand)
        /// Scrolling.
        case scroll(Scroll)
        /// Hovering.
        case hover(Hover)
        /// A gesture.
        case transform(Transform)
    }

    /// The content of the event.
    public let content: Content
    /// The event's number, ascending across all events of the server (E9). Parts of one moment share it.
    public let serial: UInt64
    /// Seconds of the server's monotonic clock, exact to the microsecond (E9).
    public let timestamp: Double
    /// The name of the seat the input came from, such as seat0 (K1).
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

    /// The touches of one window (UIKit: touches(for:)).
    @MainActor public func touches(in window: Window) -> [Touch] { touches.filter { $0.window === window } }

    /// The window that receives it; nil for touches, which may be in several, and for remote control.
    @MainActor public var window: Window? {
        switch content {
        case .touches, .remoteControl: nil
        case .press(let press): press.window
        case .motion(let motion): motion.window
        case .scroll(let scroll): scroll.place.window
        case .hover(let hover): hover.place.window
        case .transform(let transform): transform.place.window
        }
    }

    /// The event reduced to the touches of one window; any other event unchanged.
    @MainActor func part(for window: Window) -> Event {
        guard case .touches(let touches) = content, touches.contains(where: { $0.window !== window }) else {
            return self
        }
        return Event(content: .touches(self.touches(in: window)), serial: serial, timestamp: timestamp, seat: seat)
    }
}

/// A key at one moment (UIKit: UIPress).
public struct Press: Sendable {
    /// The key window.
    public let window: Window
    /// The key with the characters that it types.
    public let key: Key
    /// The key was pressed (`began`) or released (`ended`), or the window resigned key (`cancelled`).
    public let phase: Event.Phase
}

/// The device is shaken.
public struct Motion: Sendable {
    /// The key window.
    public let window: Window
    /// `began`, `ended` or `cancelled`.
    public let phase: Event.Phase
}

/// A remote-control command; the raw values are UIKit's event subtypes.
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
    /// Begin to rewind.
    case beginSeekingBackward = 106
    /// Stop rewinding.
    case endSeekingBackward = 107
    /// Begin to fast-forward.
    case beginSeekingForward = 108
    /// Stop fast-forwarding.
    case endSeekingForward = 109
}
