// The state that wl_output and zxdg_output_v1 describe.

import MullionWayland
import WindowModel

/// A screen's state in the protocols' integers; equal states need not be sent again.
struct OutputState: Equatable {
    /// The screen in the global layout, in points, rotated like the content (S4).
    struct Logical: Equatable {
        var x: Int32
        var y: Int32
        var width: Int32
        var height: Int32
    }

    let logical: Logical
    /// In millimetres.
    let physicalWidth: Int32
    let physicalHeight: Int32
    let transform: WlOutput.Transform
    /// Native pixels, never rotated, and mHz.
    let width: Int32
    let height: Int32
    let refresh: Int32
    let flags: WlOutput.Mode
    /// Pixels per point, rounded up: scaling down is sharper than scaling up.
    let scale: Int32

    init(_ screen: Screen) {
        let bounds = screen.bounds.size
        logical = Logical(
            x: Int32(clamped: screen.position.x.rounded()), y: Int32(clamped: screen.position.y.rounded()),
            width: Int32(clamped: bounds.width.rounded()), height: Int32(clamped: bounds.height.rounded()))
        physicalWidth = Int32(clamped: screen.properties.physicalSize.width)
        physicalHeight = Int32(clamped: screen.properties.physicalSize.height)
        transform = screen.outputTransform
        let mode = screen.currentMode
        width = Int32(clamping: mode.width)
        height = Int32(clamping: mode.height)
        refresh = Int32(clamping: mode.refresh)
        flags = mode == screen.preferredMode ? [.current, .preferred] : .current
        scale = Int32(clamped: screen.scale.rounded(.up))
    }
}

extension Screen {
    /// The transform from the content to what the panel shows: flipped left to right if set, then rotated
    /// counter-clockwise.
    var outputTransform: WlOutput.Transform {
        switch (orientation, properties.isFlipped) {
        case (.portrait, false): .normal
        case (.landscapeLeft, false): ._90
        case (.portraitUpsideDown, false): ._180
        case (.landscapeRight, false): ._270
        case (.portrait, true): .flipped
        case (.landscapeLeft, true): .flipped90
        case (.portraitUpsideDown, true): .flipped180
        case (.landscapeRight, true): .flipped270
        }
    }
}
