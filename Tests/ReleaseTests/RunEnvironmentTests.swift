// The environment of a command in mullionctl run.

import FoundationEssentials
import Glibc
import TestSupport
import Testing

@Suite(.startsShippedServer) struct RunEnvironmentTests {
    /// What a person's session has.
    private static let callers = [
        "DISPLAY": ":7", "GDK_BACKEND": "x11", "QT_QPA_PLATFORM": "xcb", "SWAYSOCK": "/proc/nowhere",
        "GTK_IM_MODULE": "ibus", "SESSION_MANAGER": "local/desk", "XDG_CURRENT_DESKTOP": "GNOME",
        "DBUS_SESSION_BUS_ADDRESS": "unix:path=/proc/nowhere", "LC_TIME": "de_DE.UTF-8", "LANGUAGE": "de",
        "TZ": "Europe/Berlin", "XDG_CONFIG_HOME": "/proc/nowhere", "GTK_THEME": "Other",
        "SAL_USE_VCLPLUGIN": "gen", "MOZ_DISABLE_WAYLAND": "1", "ECORE_EVAS_ENGINE": "x11", "ELM_DISPLAY": "x11",
        "FONTCONFIG_SYSROOT": "/proc/nowhere", "GTK_DEBUG": "interactive", "GTK_PATH": "/proc/nowhere",
        "GTK2_MODULES": "none", "GSK_RENDERER": "gl", "QT_QUICK_BACKEND": "rhi", "QT_QUICK_CONTROLS_STYLE": "Material",
        "ADW_DEBUG_COLOR_SCHEME": "prefer-dark", "GSETTINGS_SCHEMA_DIR": "/proc/nowhere",
        "QT_PLUGIN_PATH": "/proc/nowhere",
    ]
    /// What the profile removes.
    private static let looks = [
        "GTK_THEME", "FONTCONFIG_SYSROOT", "GTK_DEBUG", "GTK_PATH", "GTK2_MODULES", "QT_QUICK_CONTROLS_STYLE",
        "ADW_DEBUG_COLOR_SCHEME",
    ]

    /// The variables of a command, and the folder in which the run was.
    private func variables(
        _ options: [String], path: String = "/usr/bin:/bin", command: [String] = ["/usr/bin/env"]
    ) throws -> (values: [String: String], folder: String) {
        let folder = try TemporaryFolder()
        let program = try Program(
            Programs.shipped + "/mullionctl", ["run"] + options + ["--"] + command,
            environment: Self.callers.merging(["TMPDIR": folder.path, "PATH": path]) { $1 })
        let output = program.outputAtEnd()
        try #require(program.exitStatus == 0, "\(output)")
        var values: [String: String] = [:]
        for line in output.split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { values[String(parts[0])] = String(parts[1]) }
        }
        return (values, folder.path)
    }

    @Test("the command sees this server only; --env sets variables, or keeps the caller's")
    func servers() throws {
        let (values, folder) = try variables(["--env", "GREETING=a=b", "--env", "SWAYSOCK", "--env", "UNSET"])
        #expect(values["WAYLAND_DISPLAY"] == "wayland-0" && values["XDG_RUNTIME_DIR"]?.hasPrefix(folder) == true)
        let foreign = [
            "DISPLAY", "GDK_BACKEND", "GTK_IM_MODULE", "SESSION_MANAGER", "XDG_CURRENT_DESKTOP", "SAL_USE_VCLPLUGIN",
            "MOZ_DISABLE_WAYLAND", "ECORE_EVAS_ENGINE", "ELM_DISPLAY",
        ]
        for name in foreign { #expect(values[name] == nil, "\(name)") }
        #expect(values["QT_QPA_PLATFORM"] == "wayland")
        #expect(values["GREETING"] == "a=b" && values["SWAYSOCK"] == "/proc/nowhere" && values["UNSET"] == nil)
    }

    @Test("the runtime directory is absolute, whatever TMPDIR is")
    func relativeFolder() throws {
        let folder = try TemporaryFolder()
        let script = "cd $PARENT && TMPDIR=. exec $CTL run -- sh -c 'cd / && cd $XDG_RUNTIME_DIR && pwd'"
        let program = try Program(
            "sh", ["-c", script], environment: ["PARENT": folder.path, "CTL": Programs.shipped + "/mullionctl"])
        let output = program.outputAtEnd()
        #expect(program.exitStatus == 0 && output.hasPrefix(folder.path + "/mullion-"), "\(output)")
    }

    @Test("the profile: language, time zone, and folders of the run; --env prevails")
    func profile() throws {
        let (values, folder) = try variables(["--env", "TZ=Asia/Tokyo", "--env", "XDG_DATA_HOME=/data"])
        #expect(values["LANG"] == "C.UTF-8" && values["LC_TIME"] == nil && values["LANGUAGE"] == nil)
        #expect(values["TZ"] == "Asia/Tokyo" && values["XDG_DATA_HOME"] == "/data")
        for name in Self.looks { #expect(values[name] == nil, "\(name)") }
        #expect(values["GSK_RENDERER"] == "cairo" && values["QT_QUICK_BACKEND"] == "software")
        // Programs that run from where they were built need these.
        #expect(values["GSETTINGS_SCHEMA_DIR"] == "/proc/nowhere" && values["QT_PLUGIN_PATH"] == "/proc/nowhere")
        for name in ["XDG_CONFIG_HOME", "XDG_STATE_HOME", "FONTCONFIG_FILE"] {
            #expect(values[name]?.hasPrefix(folder) == true, "\(name)")
        }
        #expect(values["XDG_CONFIG_DIRS"]?.hasSuffix(":/etc/xdg") == true)
        // Without the accessibility bus, no program looks for it.
        #expect(values["NO_AT_BRIDGE"] == "1" && values["ACCESSIBILITY_ENABLED"] == nil)
    }

    @Test("--profile none: these are the caller's")
    func noProfile() throws {
        let (values, _) = try variables(["--profile", "none"])
        let others = ["DBUS_SESSION_BUS_ADDRESS", "LC_TIME", "LANGUAGE", "TZ", "XDG_CONFIG_HOME", "GSK_RENDERER"]
        for name in others + Self.looks {
            #expect(values[name] == Self.callers[name], "\(name)")
        }
        #expect(values["DISPLAY"] == nil && values["FONTCONFIG_FILE"] == nil)
    }

    @Test(
        "GSettings are those of the profile, with a configuration of the program's own, too",
        .enabled(if: Program.isInstalled("gsettings")),
        arguments: ["", "GSETTINGS_BACKEND=memory", "XDG_CONFIG_HOME=/proc/nowhere"])
    func settings(variable: String) throws {
        let command =
            "for key in cursor-blink enable-animations font-name; do echo "
            + "$key=$(\(variable) gsettings get org.gnome.desktop.interface $key); done"
        let (values, _) = try variables([], command: ["sh", "-c", command])
        #expect(values == ["cursor-blink": "false", "enable-animations": "false", "font-name": "'Sans 10'"])
    }

    @Test("fonts are DejaVu, whatever the family is called", .enabled(if: Program.isInstalled("fc-match")))
    func fonts() throws {
        let command =
            "for name in Sans serif mono monospace Nowhere; do "
            + "echo $name=$(fc-match -f '%{family} %{hinting} %{antialias} %{rgba}' $name); done"
        let (values, _) = try variables([], command: ["sh", "-c", command])
        #expect(values["Sans"] == "DejaVu Sans False True 5" && values["Nowhere"] == values["Sans"])
        #expect(values["serif"] == "DejaVu Serif False True 5")
        #expect(values["mono"] == "DejaVu Sans Mono False True 5" && values["monospace"] == values["mono"])
    }

    @Test(
        "a D-Bus session of the run's own starts no service, and the accessibility bus only where it is asked for",
        .enabled(if: ["dbus-daemon", "dbus-send"].allSatisfy(Program.isInstalled) && Self.hasAccessibility),
        arguments: [false, true])
    func buses(accessibility: Bool) throws {
        let command =
            "env; echo services=$(dbus-send --session --print-reply --dest=org.freedesktop.DBus / "
            + "org.freedesktop.DBus.ListActivatableNames | tail -n +2 | grep -o '[a-z]*[.][A-Za-z0-9.]*')"
        let (values, folder) = try variables(
            accessibility ? ["--accessibility"] : [], command: ["sh", "-c", command])
        #expect(values["DBUS_SESSION_BUS_ADDRESS"]?.hasPrefix("unix:path=\(folder)/") == true)
        #expect(values["ACCESSIBILITY_ENABLED"] == (accessibility ? "1" : nil))
        #expect(values["NO_AT_BRIDGE"] == (accessibility ? nil : "1"))
        #expect(values["services"] == "org.freedesktop.DBus" + (accessibility ? " org.a11y.Bus" : ""))
    }

    static let hasAccessibility = access("/usr/share/dbus-1/services/org.a11y.Bus.service", R_OK) == 0

    @Test("without dbus-daemon: no session, and no accessibility bus")
    func noBus() throws {
        #expect(try variables([], path: "/proc/nowhere").values["DBUS_SESSION_BUS_ADDRESS"] == "disabled:")
        let program = try Program(
            Programs.shipped + "/mullionctl", ["run", "--accessibility", "--", "/usr/bin/env"],
            environment: ["PATH": "/proc/nowhere"])
        let message = "--accessibility: dbus-daemon is not installed; use apt-get install dbus\n"
        #expect(program.outputAtEnd() == "mullionctl: " + message && program.exitStatus == 125)
    }
}
