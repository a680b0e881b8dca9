// A pencil: its position in space, and its buttons.

/// What is measured of a pencil, on the screen or above it (UIKit: the attributes of UITouch and
/// UIHoverGestureRecognizer).
public struct Pencil: Hashable, Sendable, Codable {
    /// The end that points at the screen.
    public enum End: UInt8, Hashable, Sendable, Codable { case tip, eraser }

    /// The buttons on its side.
    public struct Buttons: OptionSet, Hashable, Sendable, Codable {
        public let rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }

        public static let primary = Buttons(rawValue: 1)
        public static let secondary = Buttons(rawValue: 2)
        public static let tertiary = Buttons(rawValue: 4)
        public static let all: Buttons = [.primary, .secondary, .tertiary]
    }

    /// 0 (lying) … π/2 (upright), in radians.
    public var altitude: Double
    /// The direction to which it leans: −2π…2π radians, 0 pointing right, clockwise as seen on the screen.
    public var azimuth: Double
    /// The rotation about its own axis: −2π…2π radians, clockwise as seen from its other end.
    public var roll: Double
    /// Above the screen: 0 (about to touch it) … 1 (as far away as is noticed); on the screen 0.
    public var distance: Double
    public var end: End
    /// The pressed buttons.
    public var buttons: Buttons

    public init(
        altitude: Double = .pi / 2, azimuth: Double = 0, roll: Double = 0, distance: Double = 0, end: End = .tip,
        buttons: Buttons = []
    ) {
        self.altitude = altitude
        self.azimuth = azimuth
        self.roll = roll
        self.distance = distance
        self.end = end
        self.buttons = buttons
    }

    /// - Throws: E1 for a number outside the documented range, and for unknown buttons.
    public func validate() throws(ModelError) {
        let turn = -2 * Double.pi...2 * Double.pi
        guard (0...Double.pi / 2).contains(altitude), turn.contains(azimuth), turn.contains(roll) else {
            throw .invalid(
                .e1,
                "a pencil's altitude \(altitude) must be within 0…π/2, and its azimuth \(azimuth) and roll \(roll) "
                    + "within −2π…2π radians")
        }
        guard (0...1).contains(distance) else {
            throw .invalid(.e1, "a pencil's distance \(distance) must be within 0…1")
        }
        guard Buttons.all.contains(buttons) else {
            throw .invalid(.e1, "a pencil's buttons \(buttons.rawValue) have bits beyond \(Buttons.all.rawValue)")
        }
    }
}

extension Event.TouchAttributes {
    /// The same pencil after it was lifted from the screen.
    var lifted: Event.TouchAttributes { Event.TouchAttributes(tool: tool) }

    /// The same pencil on the screen.
    var landed: Event.TouchAttributes {
        guard var pencil = tool.pencil, pencil.distance != 0 else { return self }
        pencil.distance = 0
        var landed = self
        landed.tool = .pencil(pencil)
        return landed
    }
}
