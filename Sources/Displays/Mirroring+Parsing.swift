// Parses and prints a screen's mirroring.

import WindowModel

extension Screen.Mirroring {
    /// In text form, as `init(parsing:)` reads it.
    package var text: String {
        switch self {
        case .automatic: "automatic"
        case .off: "off"
        case .screen(let name): name
        }
    }

    /// `automatic`, `auto`, `off` or a screen's name.
    package init(parsing text: String) {
        switch text {
        case "automatic", "auto": self = .automatic
        case "off": self = .off
        default: self = .screen(text)
        }
    }
}
