// wlr-randr and kanshi as Debian ships them.

import DisplayServer
import FoundationEssentials
import Glibc
import MullionGeometry
import TestSupport
import Testing
import WindowModel

@testable import Displays

@Suite struct OutputProgramTests {
    private let setup: OutputFixture
    private var fixture: ServerFixture { setup.fixture }

    init() throws { setup = try OutputFixture() }

    private func randr(_ words: String..., status: Int32 = 0) throws -> String {
        let program = try fixture.spawn("wlr-randr", words)
        try fixture.wait(for: "its end") { !program.isRunning }
        #expect(program.exitStatus == status, "\(words): \(program.readOutput())")
        return program.readOutput()
    }

    @Test("S1: wlr-randr lists screens, their modes and the current ones")
    func list() throws {
        let text = try randr()
        for words in [
            "PANEL", "TV", "Example Television 0042 (TV)", "1020x570 mm", "640x480 px, 59.939999 Hz",
            "800x600 px, 60.000000 Hz", "preferred", "current", "Enabled: yes", "Position: 800,0", "Scale: 1.332",
            "Transform: normal",
        ] {
            #expect(text.contains(words), "\(words) in \(text)")
        }
    }

    @Test("S3: wlr-randr sets modes by name and by numbers, and fails for modes that do not exist")
    func modes() throws {
        _ = try randr("--output", "TV", "--mode", "640x480@59.94Hz")
        #expect(try setup.screen("TV").currentMode == OutputFixture.modes[2])
        _ = try randr("--output", "TV", "--mode", "800x600")
        #expect(try setup.screen("TV").currentMode == OutputFixture.modes[0])
        _ = try randr("--output", "TV", "--custom-mode", "640x480@59.94Hz")
        #expect(try setup.screen("TV").currentMode == OutputFixture.modes[2])
        let before = try setup.screen("TV")
        #expect(try randr("--output", "TV", "--custom-mode", "1024x768", status: 1).contains("failed"))
        #expect(try setup.screen("TV") == before)
    }

    @Test("S1, R1: wlr-randr scales, positions, rotates and flips, several screens in one call")
    func properties() throws {
        _ = try randr(
            "--output", "TV", "--scale", "1.5", "--pos", "12,-34", "--transform", "90",
            "--output", "PANEL", "--pos", "0,0", "--transform", "flipped-270")
        let (tv, panel) = (try setup.screen("TV"), try setup.screen("PANEL"))
        #expect(tv.scale == 1.5 && tv.position == Point(x: 12, y: -34))
        #expect(tv.orientation == .landscapeLeft && !tv.properties.isFlipped)
        #expect(panel.orientation == .landscapeRight && panel.properties.isFlipped)
        #expect(panel.scale == 1 && panel.position == .zero)
        #expect(setup.client.events.contains("willChange 0 2 300 reads 0"))
        #expect(try randr().contains("Transform: flipped-270"))
        try fixture.wait(for: "the end of both turns") {
            setup.client.events.count { $0.hasPrefix("didChange") } == 2
        }
    }

    @Test("S8, S9: wlr-randr switches a screen off and on")
    func offAndOn() throws {
        let before = try setup.screen("TV").properties
        _ = try randr("--output", "TV", "--off")
        #expect(fixture.model.screen(named: "TV") == nil && !setup.client.removedGlobals.isEmpty)
        #expect(try randr().contains("Enabled: no"))
        _ = try randr("--output", "TV", "--on")
        #expect(try setup.screen("TV").properties == before)
        _ = try randr("--output", "TV", "--off", "--output", "PANEL", "--pos", "1,2")
        #expect(fixture.model.screens.count == 1)
        #expect(try setup.screen("PANEL").position == Point(x: 1, y: 2))
    }

    @Test("kanshi knows a monitor plugged in by its EDID by the name that sway and wlroots give it")
    func kanshiByName() throws {
        let folder = try fixture.runtimeDirectory()
        let configuration = folder + "/kanshi.conf"
        try Data(
            """
            profile {
                output PANEL enable
                output TV enable
                output "Dell Inc. DELL U2415 7MT0167B2YNL" enable scale 2
            }

            """.utf8
        ).write(to: URL(filePath: configuration))
        let program = try fixture.spawn("kanshi", ["--config", configuration])
        defer { program.kill(SIGKILL) }
        var display = DisplayModel(
            name: "x", vendor: "DEL", model: "DELL U2415", modes: [Screen.Mode(width: 640, height: 480)])
        display.serial = "7MT0167B2YNL"
        let edid = Data(EDID.generate(for: display)).base64EncodedString()
        try fixture.server.plug(ScreenSpecification(parsing: "edid=\(edid),name=DP-1"))
        try fixture.wait(for: "its scale; kanshi said \(program.readOutput())") { try setup.screen("DP-1").scale == 2 }
    }

    @Test("S6: kanshi applies the profile for the connected screens as they are plugged and unplugged")
    func kanshi() throws {
        let folder = try fixture.runtimeDirectory()
        let configuration = folder + "/kanshi.conf"
        try Data(
            """
            profile alone {
                output PANEL enable mode 640x480@59.94Hz position 0,0
            }
            profile docked {
                output PANEL disable
                output "Example Television 0042" enable mode 800x600 position 0,0 scale 2 transform 270
            }
            profile desk {
                output PANEL enable scale 1.5 position 0,0
                output "Example Television 0042" enable mode 800x600 position 0,100 transform normal
                output DESK enable mode 640x480 position 50,60 transform flipped-90
            }

            """.utf8
        ).write(to: URL(filePath: configuration))
        let program = try fixture.spawn("kanshi", ["--config", configuration])
        defer {
            program.kill(SIGKILL)
            for file in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            where file.contains("kanshi") {
                unlink(folder + "/" + file)
            }
        }
        func wait(_ what: String, until condition: () throws -> Bool) throws {
            try fixture.wait(for: "\(what); kanshi said \(program.readOutput())", until: condition)
        }
        try wait("docked: the panel off, the television turned") {
            let tv = try setup.screen("TV")
            return fixture.model.screen(named: "PANEL") == nil && tv.orientation == .landscapeRight && tv.scale == 2
        }
        try fixture.server.connect(ScreenDescription(name: "DESK", modes: OutputFixture.modes))
        try wait("desk: all three, each in its place") {
            let (tv, third) = (try setup.screen("TV"), try setup.screen("DESK"))
            return fixture.model.screen(named: "PANEL")?.scale == 1.5 && third.position == Point(x: 50, y: 60)
                && tv.orientation == .portrait
        }
        #expect(try setup.screen("DESK").orientation == .landscapeLeft)
        #expect(try setup.screen("DESK").properties.isFlipped)
        #expect(try setup.screen("TV").position == Point(x: 0, y: 100))
        try fixture.server.disconnect(setup.screen("DESK").id)
        try fixture.server.disconnect(setup.screen("TV").id)
        try wait("alone: the panel in another mode") {
            fixture.model.screen(named: "PANEL")?.currentMode == OutputFixture.modes[2]
        }
        #expect(program.isRunning)
    }
}
