// Windows programs in Wine, which shows windows through X11.

import FoundationEssentials
import Glibc
import MullionGeometry
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

private let hasWine: Bool = {
    let isInstalled = Program.isInstalled("wine") && Program.isInstalled("wineserver")
    if !isInstalled { print("Skipped: wine is not installed; apt-get install wine, or Config/test") }
    return isInstalled
}()

@Suite(.enabled(if: X11Display.isPossible && hasWine)) struct WineProgramTests {
    private let fixture: ServerFixture
    private let control: ControlSession
    private let display: X11Display
    private let environment: [String: String]

    init() throws {
        fixture = try ServerFixture(screens: ["1200x800,name=A"])
        control = try ControlSession(fixture)
        display = try X11Display(fixture)
        let folder = control.folder
        environment = [
            "HOME": folder, "WINEPREFIX": "\(folder)/prefix", "WINEDEBUG": "-all",
            // Neither .NET nor a browser, which it would offer to download, nor entries in menus.
            "WINEDLLOVERRIDES": "mscoree,mshtml,winemenubuilder.exe=", "DBUS_SESSION_BUS_ADDRESS": "disabled:",
        ]
    }

    private func wine(_ arguments: String...) throws -> Program { try display.spawn("wine", arguments, environment) }

    /// Waits until Wine's own processes have ended, because their files are removed after the test.
    private func end() throws {
        let server = try display.spawn("wineserver", ["--kill", "--wait"], environment)
        try fixture.wait(for: "the end of Wine") { !server.isRunning }
    }

    private var visible: [Window] {
        fixture.model.windows.compactMap { fixture.model.window($0) }.filter(\.isVisible)
    }

    /// Waits for a visible window besides others.
    private func appears(_ what: String, besides others: [Window.ID]) throws -> Window {
        // Wine shows a window of its own while it makes its files for the first time.
        func found() -> Window? { visible.first { !others.contains($0.id) && $0.title != "Wine" } }
        try fixture.wait(for: what, seconds: 120) { found() != nil }
        #expect(try fixture.settle() == [])
        return try #require(found())
    }

    private func click(_ x: Double, _ y: Double, in window: Window.ID) throws {
        let origin = try #require(fixture.model.window(window)).frame.origin
        try control.inject(#"{"type": "click", "x": \#(origin.x + x), "y": \#(origin.y + y)}"#)
    }

    private func waits(for text: String, in file: String) throws {
        var read: String?
        do {
            try fixture.wait(for: text) {
                read = try? String(contentsOfFile: file, encoding: .utf8)
                return read == text
            }
        } catch {
            throw FixtureError("\(file) has \(read ?? "nothing"), not \(text)")
        }
    }

    @Test("notepad has a title, menus and dialogs where it believes itself to be, takes text, saves it and ends")
    func notepad() throws {
        defer { try? end() }
        let file = "\(control.folder)/note.txt"
        // With a byte order mark, which keeps it UTF-8.
        try "\u{feff}first".write(toFile: file, atomically: true, encoding: .utf8)
        let program = try wine("notepad", "Z:\(file)")
        let main = try appears("notepad", besides: [])
        try fixture.wait(for: "its title") { fixture.model.window(main.id)?.title == "note.txt - Notepad" }
        #expect(main.isKey)
        try fixture.model.setFrame(Rect(origin: Point(x: 300, y: 200), size: main.frame.size), of: main.id)
        #expect(try fixture.settle() == [])
        try click(200, 200, in: main.id)
        try control.key("ctrl+End")
        // As many characters that the layout lacks as Wine has keys for.
        let text = " wörld €äüßéèçñøåπЖж“”…–漢"
        try control.type(text)
        // The menu File, below its title.
        try click(15, 10, in: main.id)
        let menu = try appears("a menu", besides: [main.id])
        #expect(menu.frame.minX == 300 && abs(menu.frame.minY - 220) <= 4, "\(menu.frame)")
        #expect(!menu.isKey && fixture.model.window(main.id)?.isKey == true)
        try control.key("Escape", "Escape")
        try fixture.wait(for: "the menu to close") { visible.map(\.id) == [main.id] }
        // A dialog of the program's, which takes the keys and gives them back.
        try control.key("ctrl+f")
        let find = try appears("a dialog", besides: [main.id])
        #expect(find.title == "Find" && find.parent == main.id && find.isKey)
        let frame = try #require(fixture.model.window(main.id)).frame
        #expect(frame.contains(find.frame.center), "\(find.frame)")
        try control.key("Escape")
        try fixture.wait(for: "the dialog to close") {
            visible.map(\.id) == [main.id] && fixture.model.window(main.id)?.isKey == true
        }
        #expect(try control.mullionctl("window", "\(main.id)", "close").status == 0)
        // It asks whether to save; Return presses Yes.
        let question = try appears("a question", besides: [main.id])
        #expect(question.title == "Notepad" && question.parent == main.id && question.isKey)
        try control.key("Return")
        try fixture.wait(for: "its end") { !program.isRunning }
        try waits(for: "first\(text)", in: file)
        try fixture.wait(for: "its windows to go") { fixture.model.windows.isEmpty }
    }

    @Test("winecfg shows its pages, opens a list and a dialog, and ends")
    func configuration() throws {
        defer { try? end() }
        let program = try wine("winecfg")
        let main = try appears("winecfg", besides: [])
        #expect(main.title == "Wine configuration" && main.isKey)
        // The list of versions of Windows is in its lower part, and extends beyond it.
        try click(300, 372, in: main.id)
        let list = try appears("a list", besides: [main.id])
        #expect(!list.isKey && main.frame.contains(list.frame.origin), "\(list.frame)")
        #expect(list.frame.minY > main.frame.center.y && list.frame.maxX < main.frame.maxX, "\(list.frame)")
        // A click on another part of the program closes it.
        try click(main.frame.size.width / 2, 5, in: main.id)
        try fixture.wait(for: "the list to close") { visible.map(\.id) == [main.id] }
        // The button that adds an application opens a dialog for files.
        try click(135, 341, in: main.id)
        let dialog = try appears("a dialog", besides: [main.id])
        #expect(dialog.parent == main.id && dialog.isKey && dialog.title == "Select an executable file")
        try control.key("Escape")
        try fixture.wait(for: "the dialog to close") {
            visible.map(\.id) == [main.id] && fixture.model.window(main.id)?.isKey == true
        }
        #expect(try control.mullionctl("window", "\(main.id)", "close").status == 0)
        try fixture.wait(for: "its end") { !program.isRunning }
        try fixture.wait(for: "its windows to go") { fixture.model.windows.isEmpty }
    }
}
