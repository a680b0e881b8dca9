// What features need that is not part of Mullion, and the packages of distributions that have it.

import MullionSystem

/// A program, a library or data: the one place of its name, of how it is found, and of its packages.
package struct Requirement: Equatable, Sendable {
    /// A sign that it is there.
    package enum Sign: Equatable, Sendable {
        /// A library that can be loaded.
        case library(String)
        /// A program in PATH.
        case program(String)
        /// One of Mullion's programs, beside this one or in PATH.
        case companion(String)
        /// An encoder of FFmpeg's.
        case encoder(String)
        /// A file with a path of this pattern, see glob(7).
        case file(String)
        /// A file in one of the folders of XDG_DATA_DIRS.
        case data(String)
        /// A folder for temporary files, short enough for the paths of sockets in it.
        case temporaryFolder
    }

    /// Names of packages in the families of distributions. Each must be right in all releases that are supported.
    package struct Packages: Equatable, Sendable {
        let debian, fedora, arch: [String]

        init(debian: String, fedora: String, arch: String) {
            (self.debian, self.fedora, self.arch) = ([debian], [fedora], [arch])
        }

        init(_ everywhere: String) { self.init(debian: everywhere, fedora: everywhere, arch: everywhere) }

        init(debian: [String], fedora: [String], arch: [String]) {
            (self.debian, self.fedora, self.arch) = (debian, fedora, arch)
        }

        package subscript(family: Distribution.Family) -> [String] {
            switch family {
            case .debian: debian
            case .fedora: fedora
            case .arch: arch
            }
        }
    }

    /// For programs; it does not change.
    package let name: String
    /// For people.
    package let title: String
    /// One of these is enough.
    package let signs: [Sign]
    /// Nil: no package of a distribution has it.
    package let packages: Packages?

    init(_ name: String, _ title: String, _ signs: Sign..., packages: Packages? = nil) {
        self.init(name, title, anyOf: signs, packages: packages)
    }

    private init(_ name: String, _ title: String, anyOf signs: [Sign], packages: Packages?) {
        (self.name, self.title, self.signs, self.packages) = (name, title, signs, packages)
    }
}

extension Requirement {
    /// All of them, in no special order.
    package static let all: [Requirement] = [
        mulliond, mullionX11, processes, temporaryFolder, keyboards, compression, isal, libpng, fonts, dejavu, xwayland,
        dbusDaemon, accessibilityBus, libsystemd, ffmpeg, vp9, h264, cairo, vendors, schemas, schemaCompiler, qt5Plugin,
        qt6Plugin, openGL, vulkan,
    ]

    // MARK: The server

    package static let mulliond = Requirement("mulliond", "mulliond", .companion("mulliond"))
    package static let processes = Requirement("proc", "/proc", .file("/proc/self/exe"))
    package static let temporaryFolder = Requirement("temporary-folder", "a folder with a short path", .temporaryFolder)
    package static let keyboards = Requirement(
        "xkb-data", "XKB's data",
        anyOf: [
            Machine.variable("XKB_CONFIG_ROOT") ?? "/usr/share/X11/xkb", ExecutableFile.dataFolder.map { $0 + "/xkb" },
        ].compactMap { $0.map { .file($0 + "/rules/evdev") } },
        packages: Packages(debian: "xkb-data", fedora: "xkeyboard-config", arch: "xkeyboard-config"))
    package static let libsystemd = Requirement(
        "libsystemd", "libsystemd", .library("libsystemd.so.0"),
        packages: Packages(debian: "libsystemd0", fedora: "systemd-libs", arch: "systemd-libs"))
    package static let vendors = Requirement(
        "hwdata", "hwdata", .file("/usr/share/hwdata/pnp.ids"), packages: Packages("hwdata"))

    // MARK: Pictures

    package static let compression = Requirement(
        "zlib", "zlib", .library("libz.so.1"), .library("libisal.so.2"),
        packages: Packages(debian: "zlib1g", fedora: "zlib", arch: "zlib"))
    package static let isal = Requirement(
        "isa-l", "ISA-L", .library("libisal.so.2"),
        packages: Packages(debian: "libisal2", fedora: "isa-l", arch: "isa-l"))
    // In newer releases of Debian and Ubuntu, libpng16-16t64 provides this name.
    package static let libpng = Requirement(
        "libpng", "libpng", .library("libpng16.so.16"),
        packages: Packages(debian: "libpng16-16", fedora: "libpng", arch: "libpng"))
    package static let cairo = Requirement(
        "cairo", "cairo", .library("libcairo.so.2"),
        packages: Packages(debian: "libcairo2", fedora: "cairo", arch: "cairo"))
    package static let ffmpeg = Requirement(
        "ffmpeg", "FFmpeg", .program("ffmpeg"),
        packages: Packages(debian: "ffmpeg", fedora: "ffmpeg-free", arch: "ffmpeg"))
    package static let vp9 = Requirement("vp9", "FFmpeg with libvpx", .encoder("libvpx-vp9"))
    package static let h264 = Requirement("h264", "FFmpeg with libx264", .encoder("libx264"))

    // MARK: Programs

    /// Where fonts are, for programs in mullionctl run too.
    package static let fontFolders =
        ["/usr/share/fonts", "/usr/local/share/fonts"] + (ExecutableFile.dataFolder.map { [$0 + "/fonts"] } ?? [])
    private static let dejavuPackages = Packages(
        debian: ["fonts-dejavu-core"], fedora: ["dejavu-sans-fonts", "dejavu-sans-mono-fonts", "dejavu-serif-fonts"],
        arch: ["ttf-dejavu"])
    package static let fonts = Requirement("fonts", "fonts", fonts: "*.[ot]t[cf]")
    package static let dejavu = Requirement("dejavu", "DejaVu fonts", fonts: "DejaVuSans.ttf")

    package static let dbusDaemon = Requirement(
        "dbus-daemon", "dbus-daemon", .program("dbus-daemon"),
        // Ubuntu 22.04 has no package dbus-daemon.
        packages: Packages(debian: "dbus", fedora: "dbus-daemon", arch: "dbus"))
    package static let accessibilityBus = Requirement(
        "at-spi2-core", "the accessibility bus", .data("dbus-1/services/org.a11y.Bus.service"),
        packages: Packages("at-spi2-core"))
    package static let mullionX11 = Requirement("mullion-x11", "mullion-x11", .companion("mullion-x11"))
    package static let xwayland = Requirement(
        "xwayland", "Xwayland", .program("Xwayland"),
        packages: Packages(debian: "xwayland", fedora: "xorg-x11-server-Xwayland", arch: "xorg-xwayland"))

    // MARK: Toolkits

    package static let schemas = Requirement(
        "gsettings-desktop-schemas", "GSettings' schemas",
        .data("glib-2.0/schemas/org.gnome.desktop.interface.gschema.xml"),
        packages: Packages("gsettings-desktop-schemas"))
    /// GLib installs it for package managers, outside of PATH, on Debian.
    package static let schemaCompiler = Requirement(
        "glib-compile-schemas", "glib-compile-schemas", .program("glib-compile-schemas"),
        .file("/usr/lib/*/glib-2.0/glib-compile-schemas"),
        packages: Packages(debian: "libglib2.0-bin", fedora: "glib2", arch: "glib2"))
    package static let qt5Plugin = Requirement(
        "qt5-wayland", "Qt 5's plugin for Wayland", .file("/usr/lib*/qt5/plugins/platforms/libqwayland*.so"),
        .file("/usr/lib/*/qt5/plugins/platforms/libqwayland*.so"),
        .file("/usr/lib/qt/plugins/platforms/libqwayland*.so"),
        packages: Packages(debian: "qtwayland5", fedora: "qt5-qtwayland", arch: "qt5-wayland"))
    package static let qt6Plugin = Requirement(
        "qt6-wayland", "Qt 6's plugin for Wayland", .file("/usr/lib*/qt6/plugins/platforms/libqwayland*.so"),
        .file("/usr/lib/*/qt6/plugins/platforms/libqwayland*.so"),
        packages: Packages(debian: "qt6-wayland", fedora: "qt6-qtwayland", arch: "qt6-wayland"))
    package static let openGL = Requirement(
        "llvmpipe", "Mesa's OpenGL without a GPU", .file("/usr/lib*/dri/swrast_dri.so"),
        .file("/usr/lib/*/dri/swrast_dri.so"), .file("/usr/lib*/libgallium-*.so"), .file("/usr/lib/*/libgallium-*.so"),
        packages: Packages(debian: "libgl1-mesa-dri", fedora: "mesa-dri-drivers", arch: "mesa"))
    package static let vulkan = Requirement(
        "lavapipe", "Mesa's Vulkan without a GPU", .file("/usr/share/vulkan/icd.d/lvp_icd*.json"),
        packages: Packages(debian: "mesa-vulkan-drivers", fedora: "mesa-vulkan-drivers", arch: "vulkan-swrast"))

    /// - Parameter pattern: of a font's file, which may be in folders of folders.
    private init(_ name: String, _ title: String, fonts pattern: String) {
        let paths = Self.fontFolders.flatMap { folder in ["", "*/", "*/*/"].map { "\(folder)/\($0)\(pattern)" } }
        self.init(name, title, anyOf: paths.map { .file($0) }, packages: Self.dejavuPackages)
    }
}
