// What zwlr_output_head_v1 tells of a screen.

import Wayland
import WindowModel

/// A screen that is plugged in, in the terms and with the roundings of the wire.
struct OutputHeadState: Equatable, Codable {
    /// What is told once and makes a head another one when it differs.
    struct Display: Equatable, Codable {
        let name: String
        let description: String
        let make: String
        let model: String
        let serialNumber: String
        /// Millimetres.
        let width: Int32
        let height: Int32
        let modes: [Screen.Mode]
        let preferredMode: Screen.Mode
    }

    /// What can be changed.
    struct Setup: Equatable, Codable {
        let mode: Screen.Mode
        /// Points, rounded.
        let x: Int32
        let y: Int32
        let transform: WlOutput.Transform
        let scale: Fixed
    }

    let display: Display
    let isEnabled: Bool
    /// While it is switched off: as it was last, and as it will be again.
    let setup: Setup

    init(_ screen: Screen, isEnabled: Bool) {
        let properties = screen.properties
        display = Display(
            name: screen.name, description: screen.localizedDescription, make: properties.vendor,
            model: properties.model, serialNumber: properties.serial,
            width: Int32(clamped: properties.physicalSize.width),
            height: Int32(clamped: properties.physicalSize.height), modes: properties.modes,
            preferredMode: screen.preferredMode)
        self.isEnabled = isEnabled
        setup = Setup(screen)
    }
}

extension OutputHeadState.Setup {
    init(_ screen: Screen) {
        mode = screen.currentMode
        x = Int32(clamped: screen.position.x.rounded())
        y = Int32(clamped: screen.position.y.rounded())
        transform = screen.outputTransform
        scale = Fixed(rounding: screen.scale)
    }
}
