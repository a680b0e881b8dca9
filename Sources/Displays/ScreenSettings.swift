// Settings of a screen.

import MullionGeometry
import WindowModel

/// Values for some properties of a screen; nil leaves a property as it is, or unspecified. `ScreenProperty` says how
/// they are written.
public struct ScreenSettings: Sendable, Equatable {
    /// Stable, unique.
    public var name: String?
    public var kind: Screen.Kind?
    public var serial: String?
    /// The connector, which is also the default name of the screen.
    public var port: String?
    /// "WIDTHxHEIGHT[@HERTZ][~N:D]".
    public var mode: String?
    public var scale: Double?
    public var orientation: Screen.Orientation?
    public var isFlipped: Bool?
    public var overscan: Screen.Overscan?
    public var mirroring: Screen.Mirroring?
    public var brightness: Double?
    public var position: Point?
    public var isInteractive: Bool?

    public init() {}

    /// The values that a screen of this description has, of all properties or of some.
    package init(_ screen: ScreenDescription, _ properties: [ScreenProperty] = ScreenProperty.all) {
        for property in properties { property.copy(from: screen, to: &self) }
    }

    /// Changes a description. Throws S3 when the display does not have the mode; `owner` names the display in the
    /// message.
    package func apply(to screen: inout ScreenDescription, of owner: String) throws(ModelError) {
        for property in ScreenProperty.all { try property.apply(self, to: &screen, of: owner) }
    }
}
