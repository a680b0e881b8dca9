// Unmodified programs of the distribution, for tests in which screens come and go.

import FoundationEssentials
import Glibc
import MullionWayland
import TestSupport
import WindowModel

@testable import DisplayServer

/// A home folder for programs, so that the user's own files are neither read nor written.
final class GuestHome {
    private let folder: TemporaryFolder
    var path: String { folder.path }

    init() throws { folder = try TemporaryFolder() }

    /// Writes a file, and creates its folders.
    func write(_ text: String, to name: String) throws {
        let folder = path + "/" + name.prefix(upTo: name.lastIndex(of: "/") ?? name.startIndex)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try text.write(toFile: path + "/" + name, atomically: false, encoding: .utf8)
    }
}

/// A program with its one window on a fixture's server.
final class Guest {
    /// The program to start.
    enum Kind: String, CaseIterable {
        case gtk = "gtk4-demo-application"
        case foot
        case flower = "weston-flower"
        case terminal = "weston-terminal"
        /// Draws continuously, and binds no screen.
        case simpleShm = "weston-simple-shm"

        fileprivate func arguments(fillsScreen: Bool) -> [String] {
            switch self {
            case .foot:
                ["--config=/dev/null", "--override=cursor.blink=no", "--log-level=warning", "--log-colorize=never"]
                    + (fillsScreen ? ["--fullscreen"] : []) + ["cat"]
            case .terminal: ["--shell=/bin/cat"] + (fillsScreen ? ["--fullscreen"] : [])
            case .gtk, .flower, .simpleShm: []
            }
        }
    }

    let kind: Kind
    let window: Window.ID
    private let program: Program
    private let fixture: ServerFixture
    // Removed after the program, which writes there, has ended.
    private let home: GuestHome

    /// Starts the program and waits for its window.
    /// - Parameter fillsScreen: whether it is fullscreen; supported by the GTK program, foot and the terminal.
    init(_ kind: Kind, on fixture: ServerFixture, fillsScreen: Bool = false) throws {
        self.kind = kind
        self.fixture = fixture
        let home = try GuestHome()
        self.home = home
        if kind == .gtk, fillsScreen {
            try home.write("[org/gtk/Demo4]\nfullscreen=true\n", to: "config/glib-2.0/settings/keyfile")
        }
        let program = try fixture.spawn(
            kind.rawValue, kind.arguments(fillsScreen: fillsScreen),
            environment: [
                "HOME": home.path, "XDG_CONFIG_HOME": home.path + "/config", "XDG_CACHE_HOME": home.path + "/cache",
                "XDG_DATA_HOME": home.path + "/data", "LC_ALL": "C.UTF-8",
                // No accessibility bus, no settings service.
                "GDK_BACKEND": "wayland", "GTK_A11Y": "none", "GSETTINGS_BACKEND": "keyfile",
            ])
        self.program = program
        var found: Window.ID?
        try fixture.wait(for: "\(kind.rawValue) to be visible; it printed: \(program.readOutput())", seconds: 60) {
            found = Self.windows(of: program, on: fixture).first { fixture.model.isVisible($0) }
            return found != nil || !program.isRunning
        }
        guard let found else { throw FixtureError("\(kind.rawValue) ended: \(program.readOutput())") }
        window = found
    }

    private static func client(of program: Program, on fixture: ServerFixture) -> Client? {
        fixture.server.clients.values.first { $0.credentials.pid == program.pid }
    }

    private static func windows(of program: Program, on fixture: ServerFixture) -> [Window.ID] {
        guard let client = client(of: program, on: fixture) else { return [] }
        return fixture.model.windows.filter { fixture.model.application(of: $0) == client.application }
    }

    var client: Client? { Self.client(of: program, on: fixture) }
    var isRunning: Bool { program.isRunning }
    /// The number of its objects on the server, without those that programs never destroy: wl_output and zxdg_output_v1
    /// of removed screens (GTK 4, weston), and a pool with a buffer for every change of size (GTK 4).
    var objectCount: Int {
        guard let client else { return 0 }
        let left = client.resources(of: Resource.self).count {
            $0 is OutputResource || $0 is XdgOutputResource || $0 is ShmPoolResource || $0 is BufferResource
        }
        return client.objectCount - left
    }
    /// Its output, which is empty unless something is wrong. A line that foot prints after some frames of one size,
    /// because the server reads its buffers in place, is left out.
    var complaints: String {
        program.readOutput().split(separator: "\n", omittingEmptySubsequences: false)
            .filter { !$0.contains("compositor is not releasing buffers immediately") }.joined(separator: "\n")
    }
    /// A description of how it ended; nil while it runs and is connected.
    var end: String? {
        if let status = program.exitStatus { return "\(kind.rawValue) ended with \(status): \(complaints)" }
        return client == nil ? "\(kind.rawValue) lost its connection: \(complaints)" : nil
    }

    /// Whether it has read all its events, has bound exactly the connected screens, and has drawn its last configure.
    var hasCaughtUp: Bool {
        guard let client, client.transport.isFlushed, client.transport.unreadBytes == 0 else { return false }
        let bound = Set(client.outputs.compactMap(\.screen))
        guard kind == .simpleShm || bound == Set(fixture.model.screens) else { return false }
        return fixture.server.surfaces.all.allSatisfy { $0.client !== client || $0.openConfigure == nil }
    }
}
