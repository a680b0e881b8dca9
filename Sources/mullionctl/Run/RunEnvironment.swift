// The environment of the programs in a private server.

/// Variables that lead to the private server, and to no other display.
struct RunEnvironment {
    /// What selects another display, another desktop, or how to reach one.
    private static let foreign = [
        "DISPLAY", "XAUTHORITY", "WINDOWID", "WAYLAND_SOCKET", "GDK_BACKEND", "QT_QPA_PLATFORM", "SDL_VIDEODRIVER",
        "SDL_VIDEO_DRIVER", "CLUTTER_BACKEND", "EGL_PLATFORM", "MOZ_ENABLE_WAYLAND", "ELECTRON_OZONE_PLATFORM_HINT",
        "GDK_SCALE", "GDK_DPI_SCALE", "QT_SCALE_FACTOR", "QT_SCREEN_SCALE_FACTORS", "QT_WAYLAND_FORCE_DPI",
        "XDG_CURRENT_DESKTOP", "XDG_SESSION_DESKTOP", "DESKTOP_SESSION", "GNOME_DESKTOP_SESSION_ID", "KDE_FULL_SESSION",
        "XDG_SESSION_ID", "XDG_SEAT", "XDG_VTNR", "SWAYSOCK", "I3SOCK", "DESKTOP_STARTUP_ID", "XDG_ACTIVATION_TOKEN",
    ]

    var variables: [String: String]

    /// - Parameters:
    ///   - folder: the runtime directory.
    ///   - display: what X11 programs connect to; nil: nothing.
    ///   - own: NAME=VALUE sets a variable, NAME keeps the caller's.
    init(folder: String, socket: String, display: String?, own: [String]) {
        let callers = Process.environment
        variables = callers
        for name in Self.foreign { variables[name] = nil }
        variables["XDG_RUNTIME_DIR"] = folder
        variables["XDG_SESSION_TYPE"] = "wayland"
        variables["WAYLAND_DISPLAY"] = socket
        // Both prefer X11 otherwise, or where it works.
        variables["MOZ_ENABLE_WAYLAND"] = "1"
        variables["QT_QPA_PLATFORM"] = display == nil ? "wayland" : "wayland;xcb"
        variables["DISPLAY"] = display
        for word in own {
            let (name, value) = Values.pair(word)
            variables[name] = value ?? callers[name]
        }
    }
}
