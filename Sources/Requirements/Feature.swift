// What Mullion can do, and what each of that needs: the one table.

/// Something that needs more than Mullion itself.
package struct Feature: Sendable {
    /// What a feature needs.
    package struct Need: Sendable {
        package let requirement: Requirement
        /// What is lost without it, and what else helps than a package.
        package let without: String
        /// Whether the feature is lost as a whole.
        package let isVital: Bool
    }

    /// For command lines and programs; it does not change.
    package let name: String
    /// For people.
    package let summary: String
    /// Whether it is always wanted.
    package let isEssential: Bool
    /// Files of the programs that use it, as patterns of paths, see glob(7): where there is none of them, it is not wanted.
    /// Empty: they cannot be recognised.
    package let users: [String]
    package let needs: [Need]

    fileprivate init(
        _ name: String, _ summary: String, isEssential: Bool = false, users: [String] = [], _ needs: Need...
    ) {
        (self.name, self.summary, self.isEssential) = (name, summary, isEssential)
        (self.users, self.needs) = (users, needs)
    }
}

extension Feature.Need {
    /// Without it, there is no such feature.
    fileprivate static func needs(_ requirement: Requirement, without: String) -> Self {
        Self(requirement: requirement, without: without, isVital: true)
    }

    /// Without it, the feature works, but less well.
    fileprivate static func prefers(_ requirement: Requirement, without: String) -> Self {
        Self(requirement: requirement, without: without, isVital: false)
    }
}

extension Feature {
    /// All of them, in the order in which they are listed.
    package static let all: [Feature] = [
        Feature(
            "server", "a server of its own for each test, and keyboards", isEssential: true,
            .needs(.mulliond, without: "mullionctl run starts no server; put mulliond next to mullionctl, or in PATH"),
            .needs(.temporaryFolder, without: "mullionctl run does not start; set TMPDIR to a writable folder"),
            .needs(.processes, without: "what a run leaves behind is not found, nor are programs' names; mount proc"),
            .needs(.keyboards, without: "keyboards have no keys: nothing can be typed")),
        Feature(
            "pictures", "screenshots and comparisons", isEssential: true,
            .needs(.compression, without: "no screenshots"),
            .needs(.libpng, without: "pictures are not compared with saved ones"),
            .prefers(.isal, without: "screenshots are compressed by zlib, which takes four to ten times as long")),
        Feature(
            "text", "the text of programs", isEssential: true,
            .needs(.fonts, without: "programs show boxes instead of letters"),
            .prefers(.dejavu, without: "text does not look as in other runs, which have these fonts")),
        Feature(
            "x11", "X11 programs: mullionctl run --x11, mullion-x11",
            .needs(.mullionX11, without: "no X11 programs; put mullion-x11 next to mullionctl, or in PATH"),
            .needs(.xwayland, without: "no X11 programs")),
        Feature(
            "widgets", "widgets by role and name: mullionctl run --accessibility",
            .needs(.dbusDaemon, without: "no bus on which programs describe their widgets"),
            .needs(.accessibilityBus, without: "no bus on which programs describe their widgets"),
            .needs(.libsystemd, without: "mullionctl cannot speak D-Bus")),
        Feature(
            "dbus", "a D-Bus session for the programs in mullionctl run",
            .needs(.dbusDaemon, without: "programs in mullionctl run have no session")),
        Feature(
            "video", "mullionctl record",
            .needs(.ffmpeg, without: "no videos"),
            .prefers(.vp9, without: "no .webm; use another ffmpeg"),
            .prefers(.h264, without: "no .mp4; use another ffmpeg, on Fedora and RHEL that of RPM Fusion")),
        Feature(
            "titles", "titles in the title bars that the server draws",
            .needs(.cairo, without: "title bars show no titles"), .needs(.fonts, without: "title bars show no titles")),
        Feature(
            "vendors", "the names of displays' manufacturers",
            .needs(.vendors, without: "displays plugged in by EDID have three letters instead of a manufacturer")),
        Feature(
            "service", "mulliond as a service of systemd", users: ["/run/systemd/system"],
            .needs(.libsystemd, without: "mulliond takes no sockets of systemd, and does not say when it is ready")),
        Feature(
            "gtk", "GTK programs that look the same in every run",
            users: libraries("libgtk-3.so.0") + libraries("libgtk-4.so.1"),
            .prefers(.schemas, without: "carets of programs with a configuration folder of their own blink"),
            .prefers(.schemaCompiler, without: "carets of programs with a configuration folder of their own blink")),
        Feature(
            "qt5", "Qt 5 programs", users: libraries("libQt5Gui.so.5"),
            .needs(.qt5Plugin, without: "Qt 5 programs do not start, or need X11")),
        Feature(
            "qt6", "Qt 6 programs", users: libraries("libQt6Gui.so.6"),
            .needs(.qt6Plugin, without: "Qt 6 programs do not start, or need X11")),
        Feature(
            "opengl", "programs that draw with OpenGL", users: libraries("libEGL.so.1") + libraries("libGL.so.1"),
            .needs(.openGL, without: "programs with OpenGL do not start on machines without a GPU")),
        Feature(
            "vulkan", "programs that draw with Vulkan", users: libraries("libvulkan.so.1"),
            .needs(.vulkan, without: "programs with Vulkan do not start on machines without a GPU")),
    ]

    /// Where distributions have a library.
    private static func libraries(_ name: String) -> [String] { ["/usr/lib*/\(name)", "/usr/lib/*/\(name)"] }
}
