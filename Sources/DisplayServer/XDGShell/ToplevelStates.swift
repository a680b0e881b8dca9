// The states of an xdg_toplevel.

import MullionWayland

/// The states that a configure event of a toplevel lists.
struct ToplevelStates: OptionSet, Codable {
    let rawValue: UInt8

    static let maximized = ToplevelStates(rawValue: 1)
    static let fullscreen = ToplevelStates(rawValue: 2)
    static let activated = ToplevelStates(rawValue: 4)
    static let resizing = ToplevelStates(rawValue: 8)
    static let suspended = ToplevelStates(rawValue: 16)

    private static let all: [(ToplevelStates, XdgToplevel.State)] = [
        (.maximized, .maximized), (.fullscreen, .fullscreen), (.activated, .activated), (.resizing, .resizing),
        (.suspended, .suspended),
    ]

    /// In the order of the event.
    var elements: [XdgToplevel.State] { Self.all.filter { contains($0.0) }.map(\.1) }

    init(rawValue: UInt8) { self.rawValue = rawValue }

    // Servers hand them over as a list.
    init(from decoder: any Decoder) throws {
        let elements = try [XdgToplevel.State](from: decoder)
        self.init(Self.all.filter { elements.contains($0.1) }.map(\.0))
    }

    func encode(to encoder: any Encoder) throws { try elements.encode(to: encoder) }
}
