// Display models in JSON.

import ControlProtocol
import DisplayServer
import Displays
import JSON5
import WindowModel

extension API.Display {
    /// A display model with all properties of its screens, including defaults.
    init(_ display: DisplayModel) {
        let bytes = display.edidBytes
        self.init(
            name: display.name, summary: display.summary, type: display.type?.rawValue, vendor: display.vendor,
            model: display.model, serial: display.serial,
            pnp: (try? EDID.parse(bytes).vendor) ?? EDID.pnpID(of: display.vendor), modes: display.modes.map(\.text),
            preferredMode: (display.preferredMode ?? display.modes.first)?.text ?? "", scale: display.scale ?? 1,
            physicalSize: display.physicalSize.map { API.Size(width: $0.width, height: $0.height) },
            overscan: display.overscan.map {
                API.Insets(top: $0.top, left: $0.left, bottom: $0.bottom, right: $0.right)
            },
            interactive: display.isInteractive, maximumFramesPerSecond: display.effectiveFramesPerSecond,
            kind: display.kind.map { API.ScreenKind(rawValue: $0.rawValue) },
            connector: display.effectiveConnector.rawValue, port: display.port, edid: Base64(bytes))
    }
}
