// X11 programs that a test types into, on screens that it changes.

import Displays
import FoundationEssentials
import Glibc
import MullionGeometry
import TestSupport
import Testing
import WindowModel

/// A server with an X display, and the terminals on it.
final class X11Desk {
    static let isPossible = X11Display.isPossible && Program.isInstalled("xrandr")

    let fixture: ServerFixture
    let display: X11Display
    private let folder: TemporaryFolder
    private var terminals: [String: Program] = [:]

    init(_ fixture: ServerFixture) throws {
        self.fixture = fixture
        folder = try TemporaryFolder()
        display = try X11Display(fixture)
    }

    // MARK: Screens

    func plug(_ text: String) throws { try fixture.server.plug(ScreenSpecification(parsing: text)) }

    /// The sizes and positions of the outputs that X11 programs see, in their order.
    func outputs() throws -> [String] {
        try display.run("xrandr", ["--current"]).split(separator: "\n").filter { $0.contains(" connected ") }
            .compactMap { line in line.split(separator: " ").first { $0.contains("+") }.map(String.init) }
    }

    /// Waits until X11 programs see these outputs.
    func waits(for expected: [String]) throws {
        var seen: [String] = []
        do {
            try fixture.wait(for: "outputs") {
                seen = try outputs()
                return seen == expected
            }
        } catch {
            throw FixtureError("\(error): \(expected); X11 programs see \(seen)")
        }
    }

    // MARK: Terminals

    /// A terminal that is key, and whose program writes a line into a file when it has read it.
    @discardableResult
    func terminal(_ title: String) throws -> Program {
        let program = try display.xterm(title, "exec cat > \(folder.path)/\(title)")
        terminals[title] = program
        _ = try display.shows(title)
        return program
    }

    /// Types letters into the key window, and expects that this terminal reads them.
    func types(_ letters: String, into title: String) throws {
        try fixture.wait(for: "\(title) to be key") { display.window(title)?.isKey == true }
        let stuck = try fixture.settle()
        #expect(stuck == [])
        let keys: [Character: UInt32] = ["a": 30, "s": 31, "d": 32, "f": 33]
        for key in letters.compactMap({ keys[$0] }) + [28] { try fixture.press(key) }
        let file = "\(folder.path)/\(title)"
        var text = ""
        do {
            try fixture.wait(for: letters) {
                text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
                return text.hasSuffix("\(letters)\n")
            }
        } catch {
            throw FixtureError("\(error); \(title) read \(text)")
        }
    }

    /// The X server's number of a window.
    func number(_ title: String) throws -> String {
        let numbers = try display.run("xdotool", ["search", "--name", "^\(title)$"]).split(separator: "\n")
        return String(try #require(numbers.first))
    }

    /// Where the X server has a window.
    func position(_ number: String) throws -> String? {
        try display.run("xdotool", ["getwindowgeometry", number]).split(separator: "\n")
            .first { $0.contains("Position: ") }?.split(separator: " ").dropFirst().first.map(String.init)
    }

    /// The name of a window's screen.
    func screen(_ title: String) -> String? {
        display.window(title)?.screen.flatMap { fixture.model.screen($0)?.name }
    }
}
