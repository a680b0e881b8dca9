// A screen (UIKit: UIScreen) as a value; its coordinate spaces are in Screen+Coordinates.swift.

import MullionGeometry

/// The state of a plugged-in screen at one moment (S1).
public struct Screen: Hashable, Sendable, Codable {
    /// Identifies a screen while it is connected; counts up from 1 and is never reused (S1).
    public struct ID: Hashable, Sendable, Codable, Comparable, CustomStringConvertible {
        public let rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }
        public static func < (a: ID, b: ID) -> Bool { a.rawValue < b.rawValue }
        public var description: String { "\(rawValue)" }
    }

    /// Built into the device, or plugged in.
    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable { case builtIn, external }

    /// How the panel is held; the names are UIKit's interface orientations.
    public enum Orientation: String, Hashable, Sendable, Codable, CaseIterable {
        /// The panel's own top is up.
        case portrait
        /// The panel's bottom is up.
        case portraitUpsideDown
        /// The panel's left edge is up.
        case landscapeLeft
        /// The panel's right edge is up.
        case landscapeRight

        /// Whether width and height are swapped relative to the native panel.
        public var isLandscape: Bool { self == .landscapeLeft || self == .landscapeRight }
    }

    /// S7: what a screen shows while no window is visible on it. The main screen mirrors only when configured
    /// explicitly.
    public enum Mirroring: Hashable, Sendable, Codable {
        /// The main screen, if this one is external.
        case automatic
        /// Nothing: an empty screen is black.
        case off
        /// The screen of that name, while it is connected.
        case screen(String)
    }

    /// S5: how to compensate for a television that hides the edges of its picture.
    public enum Overscan: String, Hashable, Sendable, Codable, CaseIterable {
        /// The whole framebuffer is shrunk into the visible part.
        case scale
        /// The bounds cover the visible part; nothing is scaled.
        case insetBounds
        /// The bounds stay; the edges are lost.
        case none
    }

    /// Distances from the four edges.
    public struct Insets: Hashable, Sendable, Codable {
        public var top: Double
        public var left: Double
        public var bottom: Double
        public var right: Double

        public init(top: Double = 0, left: Double = 0, bottom: Double = 0, right: Double = 0) {
            self.top = top
            self.left = left
            self.bottom = bottom
            self.right = right
        }

        var isValid: Bool {
            [top, left, bottom, right].allSatisfy { $0.isFinite && $0 >= 0 }
        }
    }

    /// A way to drive the panel (S1).
    public struct Mode: Hashable, Sendable, Codable, CustomStringConvertible {
        /// Native pixels.
        public var width: Int
        public var height: Int
        /// In mHz: 60 Hz is 60,000.
        public var refresh: Int
        /// A pixel's width divided by its height.
        public var pixelAspectRatio: Double

        public init(width: Int, height: Int, refresh: Int = 60_000, pixelAspectRatio: Double = 1) {
            self.width = width
            self.height = height
            self.refresh = refresh
            self.pixelAspectRatio = pixelAspectRatio
        }

        public var description: String { "\(width)x\(height)@\(Double(refresh) / 1000)" }

        /// The highest rate that fits into every protocol that describes screens, in mHz.
        static let maximumRefresh = 100_000_000

        /// S1: whether a screen can have this mode.
        package var isPossible: Bool {
            (1...65_535).contains(width) && (1...65_535).contains(height)
                && (1...Self.maximumRefresh).contains(refresh) && pixelAspectRatio > 0 && pixelAspectRatio.isFinite
        }

        /// The longest edge of a picture, in pixels.
        public static let maximumEdge = 16_384
        /// The most pixels of a picture: 64 Mi (more than four 4K screens side by side).
        public static let maximumPixels = 1 << 26

        /// Whether there can be a picture of a screen in this mode.
        package var isDrawable: Bool {
            max(width, height) <= Self.maximumEdge && width * height <= Self.maximumPixels
        }
    }

    /// Identifies a screen when it is plugged in again (S8).
    public struct Identity: Hashable, Sendable, Codable {
        public var vendor: String
        public var model: String
        public var serial: String
        public var name: String

        public init(vendor: String, model: String, serial: String, name: String) {
            self.vendor = vendor
            self.model = model
            self.serial = serial
            self.name = name
        }
    }

    public let id: ID
    /// The description it was connected with, including later changes.
    public internal(set) var properties: ScreenDescription
    /// S3: always one of `properties.modes`.
    public internal(set) var currentMode: Mode
    /// S3: what the display recommends.
    public internal(set) var preferredMode: Mode

    /// True while it saves power; otherwise nil, as in the state of an older server.
    var isDark: Bool?

    /// False while it is switched off: plugged in, but unplugged as far as applications can tell.
    public internal(set) var isEnabled = true

    public var name: String { properties.name }
    public var kind: Kind { properties.kind }
    public var identity: Identity { properties.identity }
    /// S7: the screen whose picture it currently shows; nil for its own.
    public internal(set) var mirroredScreen: ID?
    /// Pixels per point.
    public var scale: Double { properties.scale }
    public var orientation: Orientation { properties.orientation }
    public var isInteractive: Bool { properties.isInteractive }
    /// Whether it has power: without, it is connected and takes input, but its picture is black.
    public var isPowered: Bool { isDark != true }
    /// The top left corner in the global layout, in points.
    public var position: Point { properties.position }
}
