// A model of display, from the monitor library or the configuration.

import MullionGeometry
import WindowModel

/// A display model that can be plugged in by name, described as in a data sheet (S1).
public struct DisplayModel: Sendable, Equatable {
    /// The name used to plug it in.
    public var name: String
    /// A description for people.
    public var summary: String?
    public var type: DisplayType?
    public var vendor: String
    /// The product's name.
    public var model: String
    /// The default serial number of displays of this model.
    public var serial: String?
    /// The vendor's PNP id, three letters; nil: derived from the vendor's name.
    public var pnp: String?
    /// Native pixels, at least one.
    public var modes: [Screen.Mode]
    /// One of `modes`; default: the first.
    public var preferredMode: Screen.Mode?
    /// Pixels per point.
    public var scale: Double?
    /// Visible area in millimetres.
    public var physicalSize: PhysicalSize?
    public var overscan: OverscanInsets?
    /// Nil: the default for `type`.
    public var interactive: Bool?
    public var maximumFramesPerSecond: Int?
    public var kind: Screen.Kind?
    /// Nil: the default for `type`.
    public var connector: Connector?
    /// The default port, such as "HDMI-A-1", which is also the default name of the screen.
    public var port: String?
    /// The display's own EDID; nil: generated from the other properties.
    public var edid: [UInt8]?

    public struct PhysicalSize: Codable, Sendable, Equatable {
        public var width: Double
        public var height: Double
    }

    /// The part hidden by the display's edges, in native pixels of the preferred mode (S5).
    public struct OverscanInsets: Codable, Sendable, Equatable {
        public var top: Double
        public var left: Double
        public var bottom: Double
        public var right: Double
    }

    /// A plain display.
    init(name: String, vendor: String, model: String, modes: [Screen.Mode]) {
        self.name = name
        self.vendor = vendor
        self.model = model
        self.modes = modes
    }

    /// A display known only by its EDID. Throws S1 when the bytes are invalid.
    init(name: String, edid bytes: [UInt8]) throws(ModelError) {
        self.init(name: name, vendor: "", model: "", modes: [])
        try adopt(edid: bytes)
    }

    /// Takes modes, size and identity (vendor, model and serial number) from an EDID. Throws S1 for invalid bytes.
    mutating func adopt(edid bytes: [UInt8]) throws(ModelError) {
        let read: EDID
        do {
            read = try EDID.parse(bytes)
        } catch {
            throw ModelError(kind: .invalidValue, rule: .s1, message: "edid: \(error)")
        }
        edid = bytes
        vendor = read.vendor
        model = read.product
        serial = read.serial.isEmpty ? nil : read.serial
        pnp = nil
        modes = read.modes
        preferredMode = read.preferredMode
        let size = read.physicalSize
        physicalSize = size.isEmpty ? nil : PhysicalSize(width: size.width, height: size.height)
    }

    /// The description of a screen of this model, with default settings.
    public func description(named screenName: String) throws(ModelError) -> ScreenDescription {
        guard !modes.isEmpty else {
            throw ModelError(kind: .invalidValue, rule: .s1, message: "display model \(name) has no modes")
        }
        let insets = overscan.map { Screen.Insets(top: $0.top, left: $0.left, bottom: $0.bottom, right: $0.right) }
        return ScreenDescription(
            name: screenName, kind: kind ?? .external, vendor: vendor, model: model, serial: serial ?? "",
            port: port ?? "", edid: edidBytes, modes: modes, preferredMode: preferredMode ?? modes.first,
            scale: scale ?? 1,
            overscanInsets: insets ?? Screen.Insets(), maximumFramesPerSecond: effectiveFramesPerSecond,
            isInteractive: isInteractive,
            physicalSize: physicalSize.map { Size(width: $0.width, height: $0.height) } ?? .zero)
    }

    // MARK: Defaults

    /// The given EDID, otherwise a generated one.
    package var edidBytes: [UInt8] { edid ?? EDID.generate(for: self) }

    package var isInteractive: Bool { interactive ?? (type ?? .monitor).isInteractive }

    package var effectiveConnector: Connector { connector ?? (type ?? .monitor).connector }

    package var effectiveFramesPerSecond: Int {
        maximumFramesPerSecond ?? modes.map { ($0.refresh + 999) / 1000 }.max() ?? 60
    }
}
