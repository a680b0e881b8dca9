// The examples in other languages than Swift, built and run as their first lines say.

import DisplayServer
import FoundationEssentials
import MullionGeometry
import MullionSystem
import TestSupport
import Testing
import WindowModel

@testable import Displays

@Suite struct LanguageExampleTests {
    enum Language: String, CaseIterable, Sendable {
        case c, python

        /// What its source is called.
        var file: String { self == .c ? "two-screens.c" : "two-screens.py" }

        var canBuild: Bool {
            switch self {
            case .c: Program.isInstalled("cc") && Program.isInstalled("wayland-scanner")
            case .python: ProtocolDescription.hasPywayland
            }
        }

        var source: String {
            get throws {
                try String(
                    contentsOfFile: "\(ProtocolDescription.package)/Sources/Examples/\(rawValue)/\(file)",
                    encoding: .utf8)
            }
        }

        /// The commands in its first lines; the last one runs it.
        var commands: [String] {
            get throws {
                let comment = self == .c ? "//     " : "#     "
                return try source.split(separator: "\n").filter { $0.hasPrefix(comment) }
                    .map { String($0.dropFirst(comment.count)) }
            }
        }
    }

    /// An example in a folder of its own.
    private struct Example {
        let folder: TemporaryFolder
        let command: [String]

        init(_ language: Language) throws {
            folder = try TemporaryFolder()
            try language.source.write(
                toFile: "\(folder.path)/\(language.file)", atomically: true, encoding: .utf8)
            // As Config/install writes it.
            try "Name: x\nDescription: x\nVersion: 1\npkgdatadir=\(ProtocolDescription.folder)\n".write(
                toFile: folder.path + "/mullion-protocols.pc", atomically: true, encoding: .utf8)
            let commands = try language.commands
            // Tests use no network: Config/test has installed pywayland elsewhere.
            let build = commands.dropLast().filter { !$0.contains(" pip ") }
            let script = "PKG_CONFIG_PATH=$PWD; export PKG_CONFIG_PATH\n" + build.joined(separator: "\n")
            _ = try ProtocolDescription.run(script, in: folder)
            command = try #require(commands.last).split(separator: " ").map(String.init)
        }

        func start(on fixture: ServerFixture, _ environment: [String: String] = [:]) throws -> Program {
            let python = ["PYTHONPATH": ProtocolDescription.pywayland, "PYTHONDONTWRITEBYTECODE": "1"]
            return try fixture.spawn(
                "env", ["-C", folder.path] + command, environment: python.merging(environment) { $1 })
        }
    }

    @Test(
        "C, Python: a key window at level 2000, and one on the second screen, whenever there is one",
        arguments: Language.allCases.filter(\.canBuild))
    func twoScreens(language: Language) throws {
        let fixture = try ServerFixture()
        let example = try Example(language)
        defer { withExtendedLifetime(example) {} }
        let program = try example.start(on: fixture)
        func window(_ title: String) -> Window? {
            fixture.model.windows.compactMap { fixture.model.window($0) }.first { $0.title == title }
        }
        func waits(for line: String) throws {
            do {
                try fixture.wait(for: line) { program.readOutput().contains(line + "\n") }
            } catch {
                throw FixtureError("\(error); it printed: \(program.readOutput())")
            }
        }
        func plug(_ screen: String) throws { try fixture.server.plug(ScreenSpecification(parsing: screen)) }

        try waits(for: "alert did_become_visible\nalert did_become_key")
        let alert = try #require(window("alert"))
        #expect(alert.level == 2000 && alert.isKey && alert.frame == Rect(x: 40, y: 40, width: 320, height: 160))
        #expect(try fixture.color(x: 100, y: 100) == 0xfff0c0)
        #expect(fixture.model.application(alert.application)?.name == "two-screens")
        #expect(window("sign") == nil)
        try fixture.tap(x: 100, y: 120)
        try waits(for: "alert touch 99 ended at 60,80")
        try fixture.press(30)
        try waits(for: "alert press key 30 began\nalert press key 30 ended")

        // A second screen, unplugged and plugged in again (S8), and then another one.
        let tv = "1024x768,external,name=TV"
        try plug(tv)
        try waits(for: "screen TV\nsign came_to_front\nsign did_become_visible")
        #expect(try fixture.color(x: 1000, y: 700, on: fixture.model.screens[1]) == 0x0b3d91)
        #expect(try #require(window("alert")).isKey)
        try fixture.server.disconnect(fixture.model.screens[1])
        try waits(for: "sign screen_did_change none")
        try plug(tv)
        try waits(for: "sign screen_did_change TV")
        try fixture.wait(for: "the sign") { window("sign")?.isVisible == true }
        try fixture.server.disconnect(fixture.model.screens[1])
        try plug("640x480,external,name=PROJECTOR")
        try waits(for: "sign screen_did_change PROJECTOR")
        try fixture.wait(for: "the sign to fill it") { window("sign")?.frame.size == Size(width: 640, height: 480) }
        try fixture.server.rotate(fixture.model.screens[1], to: .landscapeLeft)
        try waits(
            for: language == .c ? "sign frame_did_change 0 0 480 640" : "sign frame_did_change 0.0 0.0 480.0 640.0")

        // It ends when it is asked to close, or with the server.
        guard case .window(let object) = fixture.server.windows[alert.id] else { throw FixtureError("no window") }
        object.requestClose()
        try fixture.wait(for: "its end") { !program.isRunning }
        #expect(program.exitStatus == 0, "\(program.readOutput())")
        #expect(program.readOutput().hasSuffix("alert close\n"))
    }

    @Test(
        "C, Python: without a server, with one that ends, and with one that is not mulliond, they say so",
        arguments: Language.allCases.filter(\.canBuild))
    func mistakes(language: Language) throws {
        let fixture = try ServerFixture()
        let example = try Example(language)
        defer { withExtendedLifetime(example) {} }
        func output(_ program: Program) throws -> String {
            try fixture.wait(for: "its end") { !program.isRunning }
            #expect(program.exitStatus == 1)
            return program.readOutput()
        }
        let lonely = try output(try example.start(on: fixture, ["WAYLAND_DISPLAY": "nowhere"]))
        #expect(lonely.contains("start mulliond or set WAYLAND_DISPLAY to its socket"), "\(lonely)")

        if Program.isInstalled("weston") {
            let folder = try fixture.runtimeDirectory()
            let weston = try fixture.spawn(
                "weston", ["--backend=headless-backend.so", "--socket=weston", "--no-config", "--log=\(folder)/log"])
            try fixture.wait(for: "weston") { (try? UnixSocket.connect(to: folder + "/weston")) != nil }
            let foreign = try output(try example.start(on: fixture, ["WAYLAND_DISPLAY": "weston"]))
            #expect(foreign == "two-screens: this server is not mulliond: it lacks mullion_application_v1\n")
            #expect(weston.isRunning, "\(weston.readOutput())")
        }

        let program = try example.start(on: fixture)
        try fixture.wait(for: "its window") { program.readOutput().contains("did_become_key") }
        fixture.server.stop()
        #expect(try output(program).contains("two-screens: the connection ended: "))
    }

    @Test("mullion-protocol(7) and the page of the examples have their commands", arguments: Language.allCases)
    func commands(language: Language) throws {
        let commands = try language.commands
        #expect(commands.count > 3)
        for name in ["Sources/Examples/README.md", "Config/man/mullion-protocol.7"] {
            let text = try String(contentsOfFile: "\(ProtocolDescription.package)/\(name)", encoding: .utf8)
                .replacing("\\-", with: "-").replacing("\\&", with: "")
            let lines = Set(text.split(separator: "\n").map { $0.trimmingPrefix { $0 == " " } })
            for command in commands { #expect(lines.contains(command[...]), "\(name): \(command)") }
        }
    }
}
