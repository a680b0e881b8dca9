// What mullionctl prints of names and titles, which programs choose.

import MullionGeometry
import TestSupport
import Testing
import WindowModel

@testable import ControlAPI
@testable import DisplayServer

@Suite struct PrintedTextTests {
    /// Begins lines that look like mullionctl's own, and has what controls terminals.
    private static let title = "x\nmullionctl: forged\t\u{1b}[2J\u{9b}31m\u{202e}y"

    @Test(
        "titles and names neither begin lines of their own nor control the terminal, in whatever they are quoted",
        arguments: [
            "windows", "window 1", "tree", "wait window title=other timeout=0s", "wait gone title=/x/ timeout=0s",
            "wait window title=/x/", "wait application other timeout=0s", "wait client pid=1 timeout=0s",
            "click BUILTIN-1 150,220", "click BUILTIN-1 5,5", "click --json BUILTIN-1 5,5",
            "touch BUILTIN-1 5,5 --wait",
            "status", "seats", "screens",
        ])
    func words(command: String) throws {
        let fixture = try ServerFixture(screens: ["800x600"])
        let model = fixture.model
        for (x, isEnabled) in [(100.0, true), (0.0, false)] {
            let window = try model.createWindow(
                application: model.addApplication(name: Self.title),
                options: Window.Options(frame: Rect(x: x, y: x, width: 90, height: 200), title: Self.title))
            try model.setUserInteractionEnabled(isEnabled, of: window)
            try model.setHidden(false, of: window)
        }
        let control = try ControlSession(fixture)
        let output = try control.mullionctl(command.split(separator: " ").map(String.init)).output
        #expect(!output.isEmpty)
        for line in output.split(separator: "\n") {
            #expect(!line.hasPrefix("mullionctl: forged"), "\(output)")
            #expect(!line.unicodeScalars.contains { "\t\u{1b}\u{9b}\u{202e}".unicodeScalars.contains($0) }, "\(output)")
        }
    }
}
