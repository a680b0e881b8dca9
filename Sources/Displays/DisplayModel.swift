// A kind of monitor, from the monitor library or the configuration.

import Geometry
import WindowModel

/// A display that can be plugged in by name: what its maker would write into its data sheet (S1).
public struct DisplayModel: Sendable, Equatable {
    /// The name by which it is plugged in.
    public var name: String
    /// What it is, for people.
    public var summary: String?
    public var type: DisplayType?
    public var vendor: String
    /// The product's name.
    public var model: String
    /// The serial number of every display of this model that is not given another.
    public var serial: String?
    /// The vendor's PNP id, three letters; nil: made from the vendor's name.
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
    /// Nil: as `type` has it.
    public var interactive: Bool?
    public var maximumFramesPerSecond: Int?
    public var kind: Screen.Kind?
    /// Nil: as `type` has it.
    public var connector: Connector?
    /// Where it is plugged in unless something else is asked for, as "HDMI-A-1"; a screen without a name is called so.
    public var port: String?
    /// The display's own EDID; nil: one is generated from all this.
    public var edid: [UInt8]?

    public struct PhysicalSize: Codable, Sendable, Equatable {
        public var width: Double
        public var height: Double
    }

    /// What the display's edges hide, in native pixels of the preferred mode (S5).
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

    /// A display of which nothing is known but its EDID. Throws S1 with what is wrong with the bytes.
    init(name: String, edid bytes: [UInt8]) throws(ModelError) {
        self.init(name: name, vendor: "", model: "", modes: [])
        try adopt(edid: bytes)
    }

    /// Takes modes, size and identity (vendor, model and serial number) from an EDID. Throws S1 for bytes that are
    /// none, or that tell no mode.
    mutating func adopt(edid bytes: [UInt8]) throws(ModelError) {
        let read: EDID
        do {
            read = try EDID.parse(bytes)
        } catch {
            throw ModelError(kind: .invalidValue, rule: .s1, message: "edid: \(error)")
        }
        guard !read.modes.isEmpty else {
            throw ModelError(kind: .invalidValue, rule: .s1, message: "edid: it tells no progressive mode")
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

    /// The screen that such a display is, with nothing chosen yet but its own preferences.
    public func description(named screenName: String) throws(ModelError) -> ScreenDescription {
        guard let first = modes.first else {
            throw ModelError(kind: .invalidValue, rule: .s1, message: "display model \(name) has no modes")
        }
        let preferred = preferredMode ?? first
        let insets = overscan.map { Screen.Insets(top: $0.top, left: $0.left, bottom: $0.bottom, right: $0.right) }
        return ScreenDescription(
            name: screenName, kind: kind ?? .external, vendor: vendor, model: model, serial: serial ?? "",
            port: port ?? "", edid: edidBytes, modes: modes, preferredMode: preferred, currentMode: preferred,
            scale: scale ?? 1,
            overscanInsets: insets ?? Screen.Insets(), maximumFramesPerSecond: effectiveFramesPerSecond,
            isInteractive: isInteractive,
            physicalSize: physicalSize.map { Size(width: $0.width, height: $0.height) } ?? .zero)
    }

    // MARK: What is not said

    /// The EDID that was given, else the one that follows from the rest.
    package var edidBytes: [UInt8] { edid ?? EDID.generate(for: self) }

    package var isInteractive: Bool { interactive ?? (type ?? .monitor).isInteractive }

    package var effectiveConnector: Connector { connector ?? (type ?? .monitor).connector }

    package var effectiveFramesPerSecond: Int {
        maximumFramesPerSecond ?? modes.map { ($0.refresh + 999) / 1000 }.max() ?? 60
    }
}
