// The environment of the programs in a private server.

import Glibc
import MullionSystem

/// Variables that lead to the private server, and to no other display.
struct RunEnvironment {
    /// What selects another display, another desktop, or how to reach one.
    private static let foreign = [
        "DISPLAY", "XAUTHORITY", "WINDOWID", "WAYLAND_SOCKET", "GDK_BACKEND", "QT_QPA_PLATFORM", "SDL_VIDEODRIVER",
        "SDL_VIDEO_DRIVER", "CLUTTER_BACKEND", "WINIT_UNIX_BACKEND", "EGL_PLATFORM", "MOZ_ENABLE_WAYLAND",
        "MOZ_DISABLE_WAYLAND", "SAL_USE_VCLPLUGIN", "ECORE_EVAS_ENGINE", "ELM_DISPLAY", "ELM_ENGINE",
        "ELECTRON_OZONE_PLATFORM_HINT", "GDK_SCALE", "GDK_DPI_SCALE", "QT_SCALE_FACTOR", "QT_SCREEN_SCALE_FACTORS",
        "QT_SCALE_FACTOR_ROUNDING_POLICY", "QT_AUTO_SCREEN_SCALE_FACTOR", "QT_ENABLE_HIGHDPI_SCALING",
        "QT_WAYLAND_FORCE_DPI", "QT_WAYLAND_SHELL_INTEGRATION", "QT_WAYLAND_DISABLE_WINDOWDECORATION",
        "QT_QPA_PLATFORMTHEME", "XDG_CURRENT_DESKTOP", "XDG_SESSION_DESKTOP", "DESKTOP_SESSION",
        "GNOME_DESKTOP_SESSION_ID", "GNOME_SETUP_DISPLAY", "KDE_FULL_SESSION", "KDE_SESSION_UID",
        "KDE_SESSION_VERSION", "MATE_DESKTOP_SESSION_ID", "SESSION_MANAGER", "XDG_SESSION_CLASS", "XDG_SESSION_ID",
        "XDG_SESSION_PATH", "XDG_SEAT", "XDG_SEAT_PATH", "XDG_VTNR", "SWAYSOCK", "I3SOCK", "NIRI_SOCKET",
        "WAYFIRE_SOCKET", "HYPRLAND_INSTANCE_SIGNATURE", "DESKTOP_STARTUP_ID", "DESKTOP_AUTOSTART_ID",
        "XDG_ACTIVATION_TOKEN", "GTK_IM_MODULE", "QT_IM_MODULE", "QT_IM_MODULES", "SDL_IM_MODULE", "GLFW_IM_MODULE",
        "CLUTTER_IM_MODULE", "XMODIFIERS",
    ]
    /// What leads to other buses, and says whether to use the one of accessibility.
    private static let buses = [
        "AT_SPI_BUS_ADDRESS", "DBUS_STARTER_ADDRESS", "DBUS_STARTER_BUS_TYPE", "NO_AT_BRIDGE", "GTK_A11Y",
    ]
    /// What makes toolkits describe their widgets, before a client is connected to the bus.
    private static let accessibility = [
        "QT_ACCESSIBILITY": "1", "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1", "GNOME_ACCESSIBILITY": "1",
        "ACCESSIBILITY_ENABLED": "1",
    ]
    /// Without the accessibility bus, GTK warns of its absence.
    private static let noAccessibility = ["NO_AT_BRIDGE": "1", "GTK_A11Y": "none"]

    /// Whether this process is part of a run whose programs describe their widgets.
    static var hasAccessibility: Bool { Terminal.variable("ACCESSIBILITY_ENABLED") == "1" }

    /// Whether this process is part of a run without them.
    static var lacksAccessibility: Bool { noAccessibility.allSatisfy { Terminal.variable($0.key) == $0.value } }

    private(set) var variables: [String: String]

    /// - Parameters:
    ///   - folder: the runtime directory.
    ///   - plan: its variables: NAME=VALUE sets one, NAME keeps the caller's.
    ///   - bus: the address of the D-Bus session; nil: none.
    ///   - display: what X11 programs connect to; nil: nothing.
    init(folder: String, socket: String, _ plan: RunPlan, profile: TestProfile?, bus: String?, display: String?) {
        let callers = ChildProcess.environment
        variables = callers
        for name in Self.foreign { variables[name] = nil }
        variables["XDG_RUNTIME_DIR"] = folder
        variables["WAYLAND_DISPLAY"] = socket
        Self.setToolkits(&variables, display: display)
        variables[RunNote.variable] = plan.artifacts == nil ? nil : PrivateServer.notes(folder)
        variables[WrittenGoldens.variable] = PrivateServer.goldens(folder)
        profile?.apply(to: &variables)
        apply(bus: bus, plan)
        for word in plan.environment {
            let (name, value) = Values.pair(word)
            variables[name] = value ?? callers[name]
        }
    }

    /// The environment of a program on a running server: the caller's, if that leads there already.
    /// - Parameters:
    ///   - socket: the name or path of the clients' socket.
    ///   - control: the path of the control socket.
    ///   - display: what X11 programs connect to; nil: nothing.
    static func variables(socket: String, control: String, display: String?) -> [String: String] {
        var variables = ChildProcess.environment
        let folder = variables["XDG_RUNTIME_DIR"] ?? ""
        // A server has both sockets in its runtime directory, unless it is a service, which has the paths of both.
        let parts = control.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
        let beside = parts.joined(separator: "/") + "/" + socket
        let path = socket.hasPrefix("/") ? socket : unsafe access(beside, F_OK) == 0 ? beside : "\(folder)/\(socket)"
        let callers = variables["WAYLAND_DISPLAY"].map { $0.hasPrefix("/") ? $0 : "\(folder)/\($0)" }
        guard !socket.isEmpty, callers != path || variables["WAYLAND_SOCKET"] != nil else { return variables }
        for name in foreign { variables[name] = nil }
        variables["WAYLAND_DISPLAY"] = path
        setToolkits(&variables, display: display)
        return variables
    }

    private static func setToolkits(_ variables: inout [String: String], display: String?) {
        variables["XDG_SESSION_TYPE"] = "wayland"
        // These prefer X11 otherwise, or where it works.
        variables["MOZ_ENABLE_WAYLAND"] = "1"
        variables["ELECTRON_OZONE_PLATFORM_HINT"] = "auto"
        variables["QT_QPA_PLATFORM"] = display == nil ? "wayland" : "wayland;xcb"
        if display != nil { variables["SDL_VIDEODRIVER"] = "wayland,x11" }
        variables["DISPLAY"] = display
    }

    private mutating func apply(bus: String?, _ plan: RunPlan) {
        guard plan.hasBus else { return }
        for name in Self.buses { variables[name] = nil }
        // Otherwise it would use the caller's session.
        variables["DBUS_SESSION_BUS_ADDRESS"] = bus ?? "disabled:"
        variables.merge(plan.accessibility ? Self.accessibility : Self.noAccessibility) { $1 }
    }
}
