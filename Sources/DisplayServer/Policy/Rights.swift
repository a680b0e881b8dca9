// The rights of peers.

/// What a peer may do beyond showing its own windows.
public struct Rights: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Reading the server's state: screens, windows, applications, events.
    public static let view = Rights(rawValue: 1)
    /// Reading the pixels of screens and of other applications' windows.
    public static let capture = Rights(rawValue: 2)
    /// Injecting input: touches, keys, the pointer.
    public static let inject = Rights(rawValue: 4)
    /// Changing screens and other applications' windows.
    public static let administer = Rights(rawValue: 8)
    /// Reading and replacing the clipboards and primary selections of all seats.
    public static let clipboard = Rights(rawValue: 16)
    /// Locking the server, and reserving input.
    public static let lock = Rights(rawValue: 32)

    public static let all: Rights = [.view, .capture, .inject, .administer, .clipboard, .lock]

    /// As the configuration calls them.
    package static let names: KeyValuePairs<String, Rights> = [
        "view": .view, "capture": .capture, "inject": .inject, "administer": .administer,
        "clipboard": .clipboard, "lock": .lock,
    ]

    /// The names of the rights in the set.
    package var names: [String] { Self.names.filter { contains($0.value) }.map(\.key) }

    /// For messages: "view and capture".
    package var text: String {
        names.isEmpty ? "nothing" : names.joined(separator: " and ")
    }
}

/// What a peer's plain Wayland programs (xdg-shell, wlr-layer-shell) may do.
public struct XdgPermissions: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Having windows; without it there is neither xdg_wm_base nor zwlr_layer_shell_v1.
    public static let windows = XdgPermissions(rawValue: 1)
    public static let maximize = XdgPermissions(rawValue: 2)
    public static let fullscreen = XdgPermissions(rawValue: 4)
    /// K4: becoming key.
    public static let key = XdgPermissions(rawValue: 8)
    /// Grabbing the input for a pop-up until it is dismissed.
    public static let grab = XdgPermissions(rawValue: 16)

    public static let all: XdgPermissions = [.windows, .maximize, .fullscreen, .key, .grab]

    /// The names in the configuration.
    package static let names: KeyValuePairs<String, XdgPermissions> = [
        "windows": .windows, "maximize": .maximize, "fullscreen": .fullscreen, "key": .key, "grab": .grab,
    ]
}
