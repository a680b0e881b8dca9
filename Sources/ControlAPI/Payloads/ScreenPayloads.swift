// Screens in JSON (S1).

import DisplayServer
import Displays
import FoundationEssentials
import WindowModel

/// A plugged-in screen.
struct ScreenPayload: Encodable {
    /// Missing while it is switched off; the other fields then have their last values, which will be restored.
    var id: UInt32?
    var enabled: Bool
    var name: String
    var kind: String
    /// S2.
    var main: Bool
    var vendor: String
    var model: String
    var serial: String
    /// The connector, empty when unknown.
    var port: String
    /// "WIDTHxHEIGHT@HERTZ", native pixels.
    var modes: [String]
    var mode: String
    var preferredMode: String
    /// Pixels per point.
    var scale: Double
    var orientation: String
    /// Whether the panel mirrors everything left to right.
    var flipped: Bool
    /// R1: whether a rotation is in progress.
    var rotating: Bool
    var overscan: String
    /// S5: native pixels of the current mode.
    var overscanInsets: InsetsPayload
    /// S7: "automatic", "off" or the name of a screen.
    var mirroring: String
    /// S7: the screen whose picture it currently shows.
    var mirrors: String?
    var brightness: Double
    var maximumFramesPerSecond: Int
    /// In the global layout, points.
    var position: PointPayload
    var interactive: Bool
    /// Pixels, never rotated (S4).
    var nativeSize: SizePayload
    /// Points, following the orientation.
    var bounds: RectPayload
    /// Millimetres.
    var physicalSize: SizePayload
    /// Base64, empty when the display has none.
    var edid: String
    /// The visible windows, front to back.
    var windows: [UInt32]

    init(_ screen: Screen, in model: WindowModel) {
        let properties = screen.properties
        id = screen.isEnabled ? screen.id.rawValue : nil
        enabled = screen.isEnabled
        name = screen.name
        kind = screen.kind.rawValue
        main = model.mainScreen == screen.id
        vendor = properties.vendor
        self.model = properties.model
        serial = properties.serial
        port = properties.port
        modes = properties.modes.map(\.text)
        mode = screen.currentMode.text
        preferredMode = screen.preferredMode.text
        scale = screen.scale
        orientation = screen.orientation.rawValue
        flipped = properties.isFlipped
        rotating = model.isRotating(screen.id)
        overscan = properties.overscan.rawValue
        overscanInsets = InsetsPayload(screen.overscanInsets)
        mirroring = properties.mirroring.text
        mirrors = screen.mirroredScreen.flatMap { model.screen($0)?.name }
        brightness = properties.brightness
        maximumFramesPerSecond = properties.maximumFramesPerSecond
        position = PointPayload(screen.position)
        interactive = screen.isInteractive
        nativeSize = SizePayload(screen.nativeBounds.size)
        bounds = RectPayload(screen.bounds)
        physicalSize = SizePayload(properties.physicalSize)
        edid = Data(properties.edid).base64EncodedString()
        windows = model.windows(on: screen.id).reversed().map(\.rawValue)
    }
}

struct ScreenList: Encodable { var screens: [ScreenPayload] }

/// The body of `POST /v1/screens`.
struct PlugPayload: Decodable, StrictlyDecodable {
    /// A display model; optional if there is an EDID.
    var model: String?
    var name: String?
    var kind: String?
    var serial: String?
    var port: String?
    var hostile: Bool?
    var mode: String?
    var scale: Double?
    var orientation: String?
    var flipped: Bool?
    var overscan: String?
    var mirroring: String?
    var position: Strict<PointPayload>?
    var interactive: Bool?
    /// Base64.
    var edid: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case model, name, kind, serial, port, hostile, mode, scale, orientation, flipped, overscan, mirroring, position
        case interactive, edid
    }
    typealias Keys = CodingKeys

    func specification() throws(ModelError) -> ScreenSpecification {
        var result = try ScreenSpecification(model: model, edid: edid)
        result.name = name
        result.serial = serial
        result.port = port
        result.provokesRaces = hostile ?? false
        result.mode = mode
        result.scale = scale
        result.position = position?.value.point
        result.isInteractive = interactive
        if let kind { try result.set("kind", to: kind) }
        result.isFlipped = flipped
        result.mirroring = mirroring.map { Screen.Mirroring(parsing: $0) }
        if let orientation { try result.set("orientation", to: orientation) }
        if let overscan { try result.set("overscan", to: overscan) }
        return result
    }
}

/// The body of `PATCH /v1/screens/{screen}`.
struct ScreenPatch: Decodable, StrictlyDecodable {
    /// False switches it off: for programs it is unplugged, but it stays the same screen.
    var enabled: Bool?
    var mode: String?
    var scale: Double?
    var orientation: String?
    /// R1: seconds; default: 0.3 for a quarter turn, 0.6 for a half.
    var duration: Double?
    var flipped: Bool?
    var overscan: String?
    var mirroring: String?
    var position: Strict<PointPayload>?
    var brightness: Double?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case enabled, mode, scale, orientation, duration, flipped, overscan, mirroring, position, brightness
    }
    typealias Keys = CodingKeys
}
