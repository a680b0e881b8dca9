// Screens in JSON (S1).

import ControlProtocol
import DisplayServer
import Displays
import JSON5
import WindowModel

extension API.Screen {
    init(_ screen: Screen, in model: WindowModel) {
        let properties = screen.properties
        self.init(
            id: screen.isEnabled ? screen.id.rawValue : nil, enabled: screen.isEnabled,
            powered: screen.isPowered, main: model.mainScreen == screen.id,
            vendor: properties.vendor, model: properties.model, modes: properties.modes.map(\.text),
            preferredMode: screen.preferredMode.text, rotating: model.isRotating(screen.id),
            overscanInsets: API.Insets(screen.overscanInsets),
            mirrors: screen.mirroredScreen.flatMap { model.screen($0)?.name },
            maximumFramesPerSecond: properties.maximumFramesPerSecond,
            nativeSize: API.Size(screen.nativeBounds.size), bounds: API.Rect(screen.bounds),
            physicalSize: API.Size(properties.physicalSize), edid: Base64(properties.edid),
            edidRemarks: EDID.remarks(on: properties.edid),
            windows: model.windows(on: screen.id).reversed().map(\.rawValue), name: properties.name,
            kind: API.ScreenKind(rawValue: properties.kind.rawValue), serial: properties.serial,
            port: properties.port, interactive: properties.isInteractive, mode: screen.currentMode.text,
            scale: properties.scale, orientation: API.Orientation(properties.orientation),
            flipped: properties.isFlipped, overscan: API.Overscan(rawValue: properties.overscan.rawValue),
            mirroring: properties.mirroring.text, brightness: properties.brightness,
            position: API.Point(properties.position))
    }
}

/// The body of `POST /v1/screens`.
struct PlugPayload: StrictlyDecodable {
    let specification: ScreenSpecification

    typealias Keys = API.Keys.Plug

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
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

    typealias Keys = API.Keys.ScreenPatch

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        enabled = try container.decodeIfPresent(Bool.self, forKey: .enabled)
        powered = try container.decodeIfPresent(Bool.self, forKey: .powered)
        duration = try container.decodeIfPresent(Double.self, forKey: .duration)
        settings = try ScreenSettings(from: decoder, ScreenProperty.changeable)
    }
}
