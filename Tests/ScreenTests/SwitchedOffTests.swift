// Screens that are switched off: gone for programs, and still the same screens.

import DisplayServer
import FoundationEssentials
import Glibc
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import Displays

@Suite struct SwitchedOffTests {
    private func configure(_ setup: OutputFixture, on: [String], off: [String]) throws -> String {
        let configuration = setup.manager.configuration()
        for name in on { configuration.enable(try setup.manager.head(name)) }
        for name in off { configuration.disable(try setup.manager.head(name)) }
        configuration.proxy.send(.apply)
        try setup.fixture.pump()
        return configuration.answer
    }

    @Test("S8, S9: switched off, its output is withdrawn and its windows wait; on again, it has the same windows")
    func offAndOn() throws {
        let setup = try OutputFixture()
        let before = try setup.screen("TV")
        let tv = try #require(setup.client.screens.first { $0.name == "TV" })
        let window = setup.client.window("w", on: tv).color(0xffff0000).frame(10, 10, 50, 50)
        window.makeKeyAndVisible()
        try setup.fixture.pump()
        _ = setup.client.takeEvents()
        _ = setup.manager.takeLines()
        #expect(try configure(setup, on: ["PANEL"], off: ["TV"]) == "succeeded")
        #expect(setup.manager.takeLines() == ["succeeded", "TV enabled 0", "done"])
        #expect(setup.client.removedGlobals == [tv.globalName] && !tv.isConnected)
        let gone = setup.client.takeEvents()
        #expect(gone.first == "didDisconnect")
        #expect(
            gone.filter { $0.hasPrefix("w.") } == ["w.didBecomeHidden", "w.didResignKey", "w.screenDidChange(nil)"])
        #expect(setup.fixture.model.screen(named: "TV") == nil)
        // A manager that is bound now receives it too.
        let late = try TestOutputManager(setup.client)
        try setup.fixture.pump()
        #expect(
            late.takeLines().suffix(5) == [
                "TV enabled 0", "TV position 800,0", "TV transform 0", "TV scale 1.33203125", "done",
            ])
        #expect(try configure(setup, on: ["PANEL", "TV"], off: []) == "succeeded")
        #expect(setup.manager.takeLines() == ["succeeded", "TV enabled 1", "TV mode 800x600@60000!", "done"])
        let after = try setup.screen("TV")
        #expect(after.id != before.id && after.properties == before.properties)
        #expect(setup.client.takeEvents().contains("w.screenDidChange(TV)"))
        #expect(try setup.fixture.color(x: 40, y: 40, on: after.id) == 0xff0000)
        #expect(setup.fixture.model.checkInvariants() == [])
    }

    @Test("S2: all screens can be off; one that is switched on can be changed in the same step")
    func allOff() throws {
        let setup = try OutputFixture()
        #expect(try configure(setup, on: [], off: ["PANEL", "TV"]) == "succeeded")
        #expect(setup.fixture.model.screens.isEmpty)
        _ = setup.client.takeEvents()
        let configuration = setup.manager.configuration()
        configuration.disable(try setup.manager.head("PANEL"))
        configuration.enable(
            try setup.manager.head("TV"), .setCustomMode(width: 640, height: 480, refresh: 59_940),
            .setTransform(transform: ._180))
        configuration.proxy.send(.apply)
        try setup.fixture.pump()
        #expect(configuration.answer == "succeeded")
        let tv = try setup.screen("TV")
        #expect(tv.currentMode == OutputFixture.modes[2] && tv.orientation == .portraitUpsideDown)
        #expect(setup.client.takeEvents() == ["didConnect"], "with the new properties from the start")
        #expect(setup.fixture.model.mainScreen == tv.id)
        try setup.fixture.server.switchOn("PANEL")
        #expect(try setup.fixture.model.mainScreen == setup.screen("PANEL").id)
    }

    @Test("S1: the name of a screen that is off stays taken until it is unplugged; chosen names avoid it")
    func names() throws {
        let fixture = try ServerFixture(screens: ["800x600", "640x480"])
        try fixture.server.switchOff(fixture.model.screens[1])
        for text in ["640x480,name=EXTERNAL-1", "320x200,name=EXTERNAL-1"] {
            let error = #expect(throws: ModelError.self) {
                try fixture.server.plug(ScreenSpecification(parsing: text))
            }
            #expect(error?.message.contains("switched off") == true)
        }
        #expect(throws: ModelError.self) {
            try fixture.server.connect(ScreenDescription(name: "EXTERNAL-1", modes: OutputFixture.modes))
        }
        let other = try fixture.server.plug(ScreenSpecification(parsing: "640x480"))
        #expect(fixture.model.screen(other)?.name == "EXTERNAL-2")
        #expect(fixture.model.screen(other)?.position.x == 1440, "its position is kept")
        #expect(throws: ModelError.self) { try fixture.server.switchOn("EXTERNAL-2") }
        #expect(throws: ModelError.self) { try fixture.server.switchOff(Screen.ID(rawValue: 2)) }
        #expect(fixture.model.screens.count == 2)
    }

    @Test("S1: the options of a plug are kept while the screen is off, across a hand-over and after a crash")
    func plugOptions() throws {
        let fixture = try ServerFixture.handingOver(screens: ["800x600"])
        let specification = try ScreenSpecification(parsing: "640x480,name=TV,scale=2")
        let tv = try fixture.server.plug(specification, isConfigured: true)
        let hostile = try fixture.server.plug(ScreenSpecification(parsing: "640x480,name=WALL,hostile=true"))
        try fixture.server.switchOff(tv)
        try fixture.server.switchOff(hostile)
        try fixture.handOver()
        func check(_ server: DisplayServer) throws {
            #expect(server.model.pluggedScreens.map(\.isEnabled) == [true, false, false])
            #expect(server.plugOptions(of: "TV") == PlugOptions(isConfigured: true))
            #expect(server.plugOptions(of: "WALL") == PlugOptions(provokesRaces: true))
            try server.switchOn("TV")
            #expect(server.model.screen(named: "TV")?.scale == 2)
            #expect(server.plugOptions(of: "TV") == PlugOptions(isConfigured: true))
            try server.unplug("WALL")
            #expect(server.plugOptions(of: "WALL") == PlugOptions())
            #expect(server.model.checkInvariants() == [])
        }
        let memory = try #require(fixture.server.pluggedScreensFile())
        try check(fixture.server)
        let other = try ServerFixture(screens: [])
        try other.server.plugScreens(keptIn: memory.release())
        try check(other.server)
    }

    @Test("S7: a screen that mirrors one that is off can be changed and switched on again")
    func mirroring() throws {
        let setup = try OutputFixture()
        let tv = try setup.screen("TV").id
        try setup.fixture.model.setMirroring(.screen("PANEL"), of: tv)
        try setup.fixture.pump()
        #expect(try configure(setup, on: ["TV"], off: ["PANEL"]) == "succeeded")
        #expect(try setup.screen("TV").mirroredScreen == nil)
        let configuration = setup.manager.configuration()
        configuration.enable(try setup.manager.head("TV"), .setPosition(x: 7, y: 7))
        configuration.disable(try setup.manager.head("PANEL"))
        configuration.proxy.send(.apply)
        try setup.fixture.pump()
        #expect(configuration.answer == "succeeded")
        #expect(try configure(setup, on: ["TV", "PANEL"], off: []) == "succeeded")
        #expect(try setup.screen("TV").mirroredScreen == setup.screen("PANEL").id)
    }

    // MARK: The control API

    private static let folder = Programs.built

    @Test("mullionctl switches screens off and on, lists them, and unplugs them when they are off")
    func control() throws {
        let fixture = try ServerFixture(screens: [])
        let folder = try fixture.runtimeDirectory() + "/off"
        mkdir(folder, 0o700)
        defer { rmdir(folder) }
        let server = try fixture.spawn(
            "\(Self.folder)/mulliond",
            [
                "--socket", "\(folder)/socket", "--control", "\(folder)/control", "--state", "none", "--ready-fd", "1",
                "--screen", "800x600", "--screen", "640x480,name=TV,scale=2",
            ])
        try fixture.wait(for: "the server") { server.readOutput().contains("socket") }
        func control(_ words: String..., status: Int32 = 0) throws -> String {
            let program = try fixture.spawn("\(Self.folder)/mullionctl", ["--control", "\(folder)/control"] + words)
            try fixture.wait(for: "its end") { !program.isRunning }
            #expect(program.exitStatus == status, "\(words): \(program.readOutput())")
            return program.readOutput()
        }
        #expect(try control("off", "TV") == "")
        let listed = try control("screens").split(separator: "\n").map(String.init)
        #expect(listed.count == 3 && listed[1].contains("main") && listed[2].hasSuffix("off"), "\(listed)")
        let json = try control("--json", "screens")
        #expect(json.contains(#""enabled":false"#) && json.contains(#""enabled":true"#))
        #expect(json.components(separatedBy: #""id":"#).count == 2, "one that is off has none")
        #expect(try control("off", "TV") == "", "it is off already")
        #expect(try control("scale", "TV", "1", status: 1).contains("switched off"))
        #expect(try control("screenshot", "TV", "-o", "/dev/null", status: 1).contains("switched off"))
        #expect(try control("plug", "640x480", "name=TV", status: 1).contains("switched off"))
        #expect(try control("off", "NONE", status: 1).contains("NONE"))
        #expect(try control("on", "TV") == "")
        #expect(try !control("screens").contains("off"))
        #expect(try control("off", "TV") == "")
        #expect(try control("unplug", "TV") == "")
        #expect(try control("on", "TV", status: 1).contains("no screen"))
        #expect(try control("plug", "640x480", "name=TV").contains("TV"))
        server.kill(SIGTERM)
        try fixture.wait(for: "the server's end") { !server.isRunning }
    }
}
