// The value types of a screen's description.

/// A display mode.
public struct ScreenMode: Hashable, Sendable, CustomStringConvertible {
    /// Pixels across.
    public let width: Int
    /// Pixels down.
    public let height: Int
    /// Refresh rate in mHz.
    public let refresh: Int
    /// A pixel's width divided by its height.
    public let pixelAspectRatio: Double

    /// Such as 1920x1080@60.000.
    public var description: String {
        let fraction = String(1000 + abs(refresh % 1000)).dropFirst()
        return "\(width)x\(height)@\(refresh / 1000).\(fraction)"
    }
}

/// Distances from the four edges, in points.
public struct EdgeInsets: Hashable, Sendable {
    /// From the top.
    public var top = 0.0
    /// From the left.
    public var left = 0.0
    /// From the bottom.
    public var bottom = 0.0
    /// From the right.
    public var right = 0.0
}

extension Screen {
    /// The kind of display (S1).
    public enum Kind: Sendable {
        /// Part of the machine.
        case builtIn
        /// Plugged in.
        case external
    }

    /// Identifies a display; equal identities are the same display (S10).
    public struct Identity: Hashable, Sendable {
        /// The maker.
        public let vendor: String
        /// The model.
        public let model: String
        /// The serial number, possibly empty.
        public let serial: String
    }

    /// Which way up the screen is used (R1).
    public enum Orientation: UInt32, Sendable {
        /// The native orientation of the panel.
        case portrait = 0
        /// Half a turn.
        case portraitUpsideDown = 1
        /// The top of the content is at the left edge of the panel.
        case landscapeLeft = 2
        /// The top of the content is at the right edge of the panel.
        case landscapeRight = 3
    }

    /// What a screen shows while no window is visible on it (S7).
    public enum Mirroring: Hashable, Sendable {
        /// The main screen, if this one is external.
        case automatic
        /// Nothing: it is black.
        case off
        /// The screen of that name.
        case screen(String)
    }

    /// How overscan is compensated (S5).
    public enum OverscanCompensation: UInt32, Sendable {
        /// The framebuffer is shrunk into the insets.
        case scale = 0
        /// The bounds shrink, nothing is scaled.
        case insetBounds = 1
        /// The edges are lost.
        case none = 2
    }
}
