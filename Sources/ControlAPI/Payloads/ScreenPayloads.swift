// Screens in JSON (S1).

import DisplayServer
import Displays
import JSON5
import WindowModel

/// A plugged-in screen: the properties of `ScreenProperty`, and what follows from its display and its state.
struct ScreenPayload: Encodable {
    var settings: ScreenSettings
    var facts: Facts

    struct Facts: Encodable {
        /// Missing while it is switched off; the other fields then have their last values, which will be restored.
        var id: UInt32?
        var enabled: Bool
        /// Whether it has power: without, its picture is black.
        var powered: Bool
        /// S2.
        var main: Bool
        var vendor: String
        var model: String
        /// "WIDTHxHEIGHT@HERTZ", native pixels.
        var modes: [String]
        var preferredMode: String
        /// R1: whether a rotation is in progress.
        var rotating: Bool
        /// S5: native pixels of the current mode.
        var overscanInsets: InsetsPayload
        /// S7: the screen whose picture it currently shows.
        var mirrors: String?
        var maximumFramesPerSecond: Int
        /// Pixels, never rotated (S4).
        var nativeSize: SizePayload
        /// Points, following the orientation.
        var bounds: RectPayload
        /// Millimetres.
        var physicalSize: SizePayload
        /// Base64, empty when the display has none.
        var edid: String
        /// The parts of the EDID that were skipped, and why.
        var edidRemarks: [String]
        /// The visible windows, front to back.
        var windows: [UInt32]
    }

    init(_ screen: Screen, in model: WindowModel) {
        let properties = screen.properties
        settings = ScreenSettings(screen.properties)
        facts = Facts(
            id: screen.isEnabled ? screen.id.rawValue : nil, enabled: screen.isEnabled,
            powered: screen.isPowered, main: model.mainScreen == screen.id,
            vendor: properties.vendor, model: properties.model, modes: properties.modes.map(\.text),
            preferredMode: screen.preferredMode.text, rotating: model.isRotating(screen.id),
            overscanInsets: InsetsPayload(screen.overscanInsets),
            mirrors: screen.mirroredScreen.flatMap { model.screen($0)?.name },
            maximumFramesPerSecond: properties.maximumFramesPerSecond,
            nativeSize: SizePayload(screen.nativeBounds.size), bounds: RectPayload(screen.bounds),
            physicalSize: SizePayload(properties.physicalSize), edid: Base64(properties.edid).text,
            edidRemarks: EDID.remarks(on: properties.edid),
            windows: model.windows(on: screen.id).reversed().map(\.rawValue))
    }

    func encode(to encoder: any Encoder) throws {
        try facts.encode(to: encoder)
        try settings.encode(to: encoder)
    }
}

struct ScreenList: Encodable { var screens: [ScreenPayload] }

/// The body of `POST /v1/screens`.
struct PlugPayload: StrictlyDecodable {
    let specification: ScreenSpecification

    /// `model` is a display model, optional if there is an EDID, in base64.
    private enum Own: String, CodingKey, CaseIterable { case model, edid, hostile }

    struct Keys: TableKey {
        static let names = Own.allCases.map(\.rawValue) + ScreenProperty.all.map(\.name)
        let stringValue: String
        init(_ name: String) { stringValue = name }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Own.self)
        var result = try ScreenSpecification(
            model: try container.decodeIfPresent(String.self, forKey: .model),
            edid: try container.decodeIfPresent(String.self, forKey: .edid))
        result.provokesRaces = try container.decodeIfPresent(Bool.self, forKey: .hostile) ?? false
        result.settings = try ScreenSettings(from: decoder)
        specification = result
    }
}

/// The body of `PATCH /v1/screens/{screen}`.
struct ScreenPatch: StrictlyDecodable {
    /// False switches it off: for programs it is unplugged, but it stays the same screen.
    var enabled: Bool?
    /// False turns its power off: its picture is black, nothing else changes.
    var powered: Bool?
    /// R1: seconds; default: 0.3 for a quarter turn, 0.6 for a half.
    var duration: Double?
    var settings: ScreenSettings

    private enum Own: String, CodingKey, CaseIterable { case enabled, powered, duration }

    struct Keys: TableKey {
        static let names = Own.allCases.map(\.rawValue) + ScreenProperty.changeable.map(\.name)
        let stringValue: String
        init(_ name: String) { stringValue = name }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Own.self)
        enabled = try container.decodeIfPresent(Bool.self, forKey: .enabled)
        powered = try container.decodeIfPresent(Bool.self, forKey: .powered)
        duration = try container.decodeIfPresent(Double.self, forKey: .duration)
        settings = try ScreenSettings(from: decoder, ScreenProperty.changeable)
    }
}
