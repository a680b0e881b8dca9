// The state of a screen that zwlr_output_head_v1 describes.

import MullionWayland
import WindowModel

/// A plugged-in screen, in the wire's units and precision.
struct OutputHeadState: Equatable, Codable {
    /// The constant properties: when they change, the head is replaced by a new one.
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

    /// The configurable properties.
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
    /// While it is switched off: its last setup, which will be restored.
    let setup: Setup

    init(_ screen: Screen) {
        let properties = screen.properties
        display = Display(
            name: screen.name, description: screen.localizedDescription, make: screen.make,
            model: properties.model, serialNumber: properties.serial,
            width: Int32(clamped: properties.physicalSize.width),
            height: Int32(clamped: properties.physicalSize.height), modes: properties.modes,
            preferredMode: screen.preferredMode)
        isEnabled = screen.isEnabled
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
