// Display models in JSON.

import DisplayServer
import Displays
import JSON5
import WindowModel

struct DisplayList: Encodable { var displays: [DisplayPayload] }

/// A display model with all properties of its screens, including defaults.
struct DisplayPayload: Encodable {
    var name: String
    var summary: String?
    var type: String?
    var vendor: String
    var model: String
    var serial: String?
    /// Three letters.
    var pnp: String
    /// "WIDTHxHEIGHT@HERTZ[~N:D]", native pixels.
    var modes: [String]
    var preferredMode: String
    /// Pixels per point.
    var scale: Double
    /// Millimetres; nil when unknown.
    var physicalSize: DisplayModel.PhysicalSize?
    /// Native pixels (S5).
    var overscan: DisplayModel.OverscanInsets?
    var interactive: Bool
    var maximumFramesPerSecond: Int
    /// Nil: built in if it is the first screen, else external.
    var kind: String?
    var connector: String
    /// Such as "HDMI-A-1".
    var port: String?
    /// Base64.
    var edid: String

    init(_ display: DisplayModel) {
        name = display.name
        summary = display.summary
        type = display.type?.rawValue
        vendor = display.vendor
        model = display.model
        serial = display.serial
        let bytes = display.edidBytes
        pnp = (try? EDID.parse(bytes).vendor) ?? EDID.pnpID(of: display.vendor)
        modes = display.modes.map(\.text)
        preferredMode = (display.preferredMode ?? display.modes.first)?.text ?? ""
        scale = display.scale ?? 1
        physicalSize = display.physicalSize
        overscan = display.overscan
        interactive = display.isInteractive
        maximumFramesPerSecond = display.effectiveFramesPerSecond
        kind = display.kind?.rawValue
        connector = display.effectiveConnector.rawValue
        port = display.port
        edid = Base64(bytes).text
    }
}
