// Types of displays, and the defaults for each.

/// The type of a display, which determines defaults.
public enum DisplayType: String, Sendable, CaseIterable {
    case phone, tablet, laptop, monitor, television, projector, signage

    /// Whether it receives touches (S1): televisions, projectors and signage only show.
    var isInteractive: Bool {
        switch self {
        case .phone, .tablet, .laptop, .monitor: true
        case .television, .projector, .signage: false
        }
    }

    /// The usual connector of such a display.
    var connector: DisplayModel.Connector {
        switch self {
        case .phone, .tablet: .dsi
        case .laptop: .embeddedDisplayPort
        case .monitor: .displayPort
        case .television, .projector, .signage: .hdmi
        }
    }
}

extension DisplayModel {
    /// The display's connector, as named by the kernel.
    public enum Connector: String, Sendable, CaseIterable {
        case hdmi = "HDMI-A"
        case displayPort = "DP"
        case embeddedDisplayPort = "eDP"
        case dvi = "DVI-D"
        case dsi = "DSI"
        case lvds = "LVDS"

        /// EDID's code of the digital interface; 0 if it has none.
        var code: UInt8 {
            switch self {
            case .dvi: 1
            case .hdmi: 2
            case .displayPort, .embeddedDisplayPort: 5
            case .dsi, .lvds: 0
            }
        }

        /// DisplayID's code of the digital interface.
        var displayIDCode: UInt8 {
            switch self {
            case .lvds: 1
            case .dvi: 4
            case .hdmi: 7
            case .displayPort, .embeddedDisplayPort: 10
            // Proprietary.
            case .dsi: 11
            }
        }
    }
}
