// The profile of mullionctl run, with toolkits and browsers as they are installed.

import FoundationEssentials
import TestSupport
import Testing

@Suite(.serialized) struct RunProfileTests {
    private static let programs = [StoryProgram.gtk3, .gtk, .qt5, .qt, .chromium, .firefox].filter(\.isInstalled)

    /// Each run has a home of its own: what a browser keeps there would be in the next run's picture.
    private func run(_ program: StoryProgram, _ mode: String, options: [String] = []) throws -> FileContents {
        let folder = try TemporaryFolder()
        let home = folder.path + "/home"
        try FileManager.default.createDirectory(atPath: home + "/chrome", withIntermediateDirectories: true)
        if program == .firefox { try Self.prepareFirefox(home) }
        let script = ToolkitProgram.folder + "steady_picture.py"
        let picture = folder.path + "/picture.png"
        let words = ["run", "--clock", "manual", "--screen", "800x600", "--timeout", "300"] + options
        let command = ["/usr/bin/python3", script, picture, mode] + Self.command(program, home: home)
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let run = try Program(
            Programs.shipped + "/mullionctl", words + ["--"] + command,
            environment: [
                "PATH": "\(Programs.shipped):\(path)", "HOME": home, "TMPDIR": folder.path,
                "PYTHONDONTWRITEBYTECODE": "1",
            ])
        let output = run.outputAtEnd()
        try #require(run.exitStatus == 0, "\(program.rawValue): \(output)")
        return FileContents(bytes: FileManager.default.contents(atPath: picture) ?? Data())
    }

    /// Compared as a whole; a failure does not print it.
    private struct FileContents: Equatable, CustomTestStringConvertible {
        let bytes: Data
        var testDescription: String { "\(bytes.count) bytes" }
    }

    private static func command(_ program: StoryProgram, home: String) -> [String] {
        let (python, folder) = ("/usr/bin/python3", ToolkitProgram.folder)
        let page = "file://\(folder)steady_page.html"
        return switch program {
        case .gtk: [python, folder + "gtk_program.py"]
        case .gtk3: [python, folder + "gtk3_program.py", "GTK 3"]
        case .qt: [python, folder + "qt_program.py", "6", "Qt"]
        case .qt5: [python, folder + "qt_program.py", "5", "Qt"]
        case .firefox: ["firefox-esr", "--no-remote", "--profile", home, page]
        // As root it runs without a sandbox only, and warns of that in its window unless it is a test.
        default:
            ["chromium", "--no-sandbox", "--test-type", "--no-first-run", "--user-data-dir=\(home)", "--app=\(page)"]
        }
    }

    /// Without the page of a new profile, and without the address bar, which is drawn one shade lighter at times.
    private static func prepareFirefox(_ home: String) throws {
        let preferences = """
            user_pref("datareporting.policy.firstRunURL", "");
            user_pref("toolkit.legacyUserProfileCustomizations.stylesheets", true);
            """
        try preferences.write(toFile: home + "/user.js", atomically: true, encoding: .utf8)
        try "#navigator-toolbox { display: none }".write(
            toFile: home + "/chrome/userChrome.css", atomically: true, encoding: .utf8)
    }

    @Test(
        "two runs with the manual clock show the same text field, byte for byte, and its caret does not blink",
        arguments: programs)
    func same(program: StoryProgram) throws {
        let first = try run(program, "steady")
        #expect(first.bytes.count > 1000)
        #expect(try first == run(program, "steady"), "\(program.rawValue)")
    }

    @Test("without the profile, carets blink", arguments: programs)
    func blinks(program: StoryProgram) throws {
        _ = try run(program, "changing", options: ["--profile", "none"])
    }
}
