// The X display of a fixture's server.

import FoundationEssentials
import Glibc
import TestSupport
import WindowModel

/// mullion-x11 beside a fixture's server.
final class X11Display {
    static let isPossible = ["Xwayland", "xterm", "xdotool", "wmctrl", "xclip", "xprop"].allSatisfy(Program.isInstalled)

    let program: Program
    /// Such as ":5".
    let name: String
    private let fixture: ServerFixture

    /// - Parameter descriptors: its descriptors from 3 on.
    init(_ fixture: ServerFixture, _ arguments: [String] = [], descriptors: [Int32] = []) throws {
        self.fixture = fixture
        program = try fixture.spawn(
            "\(Programs.built)/mullion-x11", ["--ready-fd", "1"] + arguments, descriptors: descriptors)
        let program = program
        try fixture.wait(for: "a display; it printed: \(program.readOutput())") {
            !program.isRunning || program.readOutput().contains("\n")
        }
        guard let line = program.readOutput().split(separator: "\n").first, line.hasPrefix(":") else {
            throw FixtureError("mullion-x11: \(program.readOutput())")
        }
        name = String(line)
    }

    /// The environment of X11 programs, which must not find the Wayland socket.
    var environment: [String: String] {
        ["DISPLAY": name, "WAYLAND_DISPLAY": "nowhere", "LC_ALL": "C.UTF-8", "NO_AT_BRIDGE": "1"]
    }

    func spawn(_ program: String, _ arguments: [String] = [], _ more: [String: String] = [:]) throws -> Program {
        try fixture.spawn(program, arguments, environment: environment.merging(more) { $1 })
    }

    /// Runs a program to its end.
    @discardableResult
    func run(_ name: String, _ arguments: [String]) throws -> String {
        let program = try spawn(name, arguments)
        try fixture.wait(for: "\(name) \(arguments) to end") { !program.isRunning }
        return program.readOutput()
    }

    /// xterm, which runs a command in a window of 400 by 200 pixels or so.
    func xterm(_ title: String, _ command: String = "exec cat", _ options: [String] = []) throws -> Program {
        try spawn(
            "xterm", ["-fn", "fixed", "-geometry", "60x12", "-T", title] + options + ["-e", "sh", "-c", command])
    }

    func window(_ title: String) -> Window? {
        fixture.model.windows.compactMap { fixture.model.window($0) }.first { $0.title == title }
    }

    /// Waits until a window is shown, and key, for the X server too: keys that are earlier there get lost.
    func shows(_ title: String) throws -> Window {
        try fixture.wait(for: "\(title); \(program.readOutput())") {
            window(title)?.isVisible == true && window(title)?.isKey == true
        }
        _ = try fixture.settle()
        guard let window = window(title) else { throw FixtureError("\(title) is gone") }
        return window
    }

    /// The process of the X server, a child of mullion-x11.
    var xwayland: pid_t? {
        let children = try? String(
            contentsOfFile: "/proc/\(program.pid)/task/\(program.pid)/children", encoding: .utf8)
        return children?.split(separator: " ").first.flatMap { pid_t($0) }
    }
}
