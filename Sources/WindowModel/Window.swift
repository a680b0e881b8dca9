// A window (UIKit: UIWindow) as a value.

import MullionGeometry

/// The state of a window at one moment (W1). Coordinates are points of its screen.
public struct Window: Hashable, Sendable, Codable {
    /// Identifies a window; counts up from 1 and is never reused.
    public struct ID: Hashable, Sendable, Codable, Comparable, CustomStringConvertible {
        public let rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }
        public static func < (a: ID, b: ID) -> Bool { a.rawValue < b.rawValue }
        public var description: String { "\(rawValue)" }
    }

    /// W2: well-known levels, and which others there are.
    public enum Level {
        public static let normal = 0.0
        public static let textEffects = 10.0
        public static let statusBar = 1000.0
        public static let alert = 2000.0
        public static let keyboard = 2100.0
        /// L1: of the windows of a lock.
        public static let lock = highest

        /// The highest level; its negative is the lowest.
        public static let highest = 8_388_607.0

        /// Whether it is a multiple of 1/256 within the range: the same for models, clients and the control API.
        public static func isValid(_ level: Double) -> Bool {
            abs(level) <= highest && level * 256 == (level * 256).rounded()
        }

        /// What is wrong with a level that is not valid.
        public static func mistake(_ level: Double) -> String {
            "\(level) is not a level; use a multiple of 1/256 within ±8,388,607"
        }
    }

    /// The options for creating a window.
    public struct Options: Hashable, Sendable {
        /// Nil for the bounds of its screen.
        public var frame: Rect?
        public var level: Double
        public var title: String
        /// C3: true for the extension's windows, false for those of plain Wayland programs.
        public var clipsToBounds: Bool
        /// V1: true for plain Wayland programs: visible only while the root surface has content.
        public var needsContent: Bool
        /// K2, K7: true for plain Wayland programs, which cannot ask for key.
        public var keyOnTouch: Bool
        /// L1: true for the windows of a lock.
        public var isOfLock: Bool

        public init(
            frame: Rect? = nil, level: Double = Level.normal, title: String = "", clipsToBounds: Bool = true,
            needsContent: Bool = false, keyOnTouch: Bool = false, isOfLock: Bool = false
        ) {
            self.frame = frame
            self.level = level
            self.title = title
            self.clipsToBounds = clipsToBounds
            self.needsContent = needsContent
            self.keyOnTouch = keyOnTouch
            self.isOfLock = isOfLock
        }

        /// A window of a plain Wayland program (xdg-shell).
        public static let plain = Options(clipsToBounds: false, needsContent: true, keyOnTouch: true)
    }

    /// What `Effect.windowDidChange` is recorded for.
    public enum Property: String, Hashable, Sendable, CaseIterable {
        case level, hidden, alpha, title, userInteractionEnabled, autoresizing, applicationID
    }

    /// A party's claim to keep interaction with a window disabled (E8).
    public struct InteractionToken: Hashable, Codable, Sendable {
        public let window: ID
        let serial: UInt64
    }

    // In an order that leaves few gaps.
    /// In points of the screen, before `transform`.
    public internal(set) var frame: Rect
    /// W2.
    public internal(set) var level: Double
    /// 0…1.
    public internal(set) var alpha = 1.0
    public internal(set) var title: String
    /// S8: the unplugged screen that it waits for; nil: it has a screen or takes the next one that appears.
    @Boxed public internal(set) var awaitedScreen: Screen.Identity?
    @Boxed public internal(set) var backgroundColor: Color?
    /// Applied about the frame's centre.
    @BoxedUnlessDefault public internal(set) var transform: AffineTransform
    /// R2: what such a window leaves free at the edges, in points; nil: nothing.
    @Boxed public internal(set) var margins: Screen.Insets?
    /// E8: the number of open tokens that disable interaction.
    public internal(set) var interactionDisablers: Int32 = 0
    public let id: ID
    public let application: Application.ID
    public internal(set) var root: Surface.ID?
    /// As requested by the application; see `isVisible` for the result.
    public internal(set) var isHidden = true
    /// V1.
    public internal(set) var isVisible = false
    /// K1.
    public internal(set) var isKey = false
    /// Nil while it waits for a screen (S2, S8).
    public internal(set) var screen: Screen.ID?
    public internal(set) var isUserInteractionEnabled = true
    /// R2: true for maximized and full-screen windows of plain programs, which fill their screen whatever size they
    /// have committed.
    public internal(set) var fillsScreen = false
    /// C3.
    public internal(set) var clipsToBounds: Bool
    /// W3: the window that it is always in front of, such as a dialog's main window.
    public internal(set) var parent: ID?
    /// K4.
    public internal(set) var canBecomeKey = true
    /// V1.
    public let needsContent: Bool
    /// K7.
    public internal(set) var keyOnTouch: Bool
    /// R2.
    public internal(set) var autoresizing: Autoresizing = []
    /// K8: true for a window that holds key while it is visible; otherwise nil, as in the state of an older server.
    var holding: Bool?
    /// L1: true for a window of a lock; otherwise nil, as in the state of an older server.
    var locking: Bool?

    /// E8: whether events can reach the window.
    public var takesInteraction: Bool { isUserInteractionEnabled && interactionDisablers == 0 }

    /// K8: whether it keeps key while it is visible.
    public var holdsKey: Bool { holding == true }

    /// L1: whether it is a window of a lock.
    public var isOfLock: Bool { locking == true }
}
