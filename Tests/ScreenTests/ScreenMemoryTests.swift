// S10: a display that is plugged in again is as it was; many displays, and hostile plugs.

import DisplayServer
import FoundationEssentials
import Glibc
import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import Displays

@Suite struct ScreenMemoryTests {
    private func plug(_ fixture: ServerFixture, _ text: String) throws -> Screen {
        let id = try fixture.server.plug(ScreenSpecification(parsing: text))
        return try #require(fixture.model.screen(id))
    }

    /// A folder for state, which is removed after the test.
    private final class Folder {
        private let parent: TemporaryFolder
        var path: String { parent.path + "/state" }
        init() throws { parent = try TemporaryFolder() }
        var file: String { path + "/screens.json" }
        func text() throws -> String { try String(contentsOfFile: file, encoding: .utf8) }
    }

    @Test("S10: the same identity gets its name, mode, orientation, position, scale and mirroring back")
    func replugged() throws {
        let fixture = try ServerFixture(screens: ["800x600"])
        let first = try plug(fixture, "1920x1080,serial=A,external")
        var wanted = first.properties
        wanted.orientation = .landscapeLeft
        wanted.scale = 2
        wanted.position = Point(x: -500, y: 10)
        wanted.mirroring = .off
        wanted.overscan = .none
        wanted.brightness = 0.5
        try fixture.server.change(first.id, to: wanted)
        try fixture.pump()
        try fixture.server.disconnect(first.id)
        let other = try plug(fixture, "1920x1080,serial=B,external")
        #expect(other.name == "EXTERNAL-2", "another display does not take the name of one that may come back")
        let again = try plug(fixture, "1920x1080,serial=A,external")
        #expect(again.id != first.id)
        #expect(again.name == first.name)
        #expect(again.orientation == .landscapeLeft)
        #expect(again.scale == 2)
        #expect(again.position == Point(x: -500, y: 10))
        #expect(again.properties.mirroring == .off)
        #expect(again.properties.overscan == .none)
        #expect(again.properties.brightness == 0.5)
        try fixture.server.disconnect(again.id)
        let given = try plug(fixture, "1920x1080,serial=A,external,scale=1,orientation=portrait")
        #expect(given.scale == 1 && given.orientation == .portrait, "explicit properties override remembered ones")
        #expect(given.position == Point(x: -500, y: 10))
    }

    @Test("S10: displays without serial numbers are distinguished by port, or by order if they have none")
    func noSerial() throws {
        let fixture = try ServerFixture(screens: ["800x600"])
        let left = try plug(fixture, "640x480,port=HDMI-A-1")
        let right = try plug(fixture, "640x480,port=HDMI-A-2")
        #expect(left.name == "HDMI-A-1" && right.name == "HDMI-A-2")
        try fixture.server.rotate(right.id, to: .portraitUpsideDown, duration: 0)
        try fixture.pump()
        try fixture.server.disconnect(left.id)
        try fixture.server.disconnect(right.id)
        #expect(try plug(fixture, "640x480,port=HDMI-A-2").orientation == .portraitUpsideDown)
        #expect(try plug(fixture, "640x480,port=HDMI-A-1").orientation == .portrait)
        let a = try plug(fixture, "320x240")
        let b = try plug(fixture, "320x240")
        #expect((a.name, b.name) == ("EXTERNAL-1", "EXTERNAL-2"))
        try fixture.server.disconnect(b.id)
        #expect(try plug(fixture, "320x240").name == "EXTERNAL-2")
    }

    @Test("S10: the next run of the server remembers plugged screens, and not configured ones")
    func nextRun() throws {
        let folder = try Folder()
        do {
            let fixture = try ServerFixture(screens: [])
            let file = ScreenMemoryKeeper(fixture.server, folder: folder.path)
            try fixture.server.plug(ScreenSpecification(parsing: "800x600"), isConfigured: true)
            let screen = try plug(fixture, "1024x768,serial=7")
            try fixture.server.rotate(screen.id, to: .landscapeRight, duration: 0)
            try fixture.pump()
            file.flush()
            #expect(try folder.text().contains("landscapeRight"))
            #expect(try !folder.text().contains("BUILTIN-1"))
            #expect(access(folder.file + ".new", F_OK) != 0)
        }
        let fixture = try ServerFixture(screens: ["800x600"])
        let file = ScreenMemoryKeeper(fixture.server, folder: folder.path)
        let screen = try plug(fixture, "1024x768,serial=7")
        #expect(screen.name == "EXTERNAL-1" && screen.orientation == .landscapeRight)
        try fixture.server.model.setBrightness(0.25, of: screen.id)
        try fixture.wait(for: "the file to be written without a request") {
            try folder.text().contains("0.25")
        }
        file.flush()
    }

    @Test("S10: a switched-off screen that has made room for another is remembered at its new position")
    func switchedOff() throws {
        let folder = try Folder()
        let fixture = try ServerFixture(screens: ["800x600"])
        let file = ScreenMemoryKeeper(fixture.server, folder: folder.path)
        let screen = try plug(fixture, "640x480,serial=7")
        try fixture.server.switchOff(screen.id)
        try fixture.server.rotate(fixture.mainScreen, to: .landscapeLeft, duration: 0)
        try fixture.pump()
        file.flush()
        #expect(try folder.text().contains("\"x\": 600"))
        try fixture.server.unplug(screen.name)
        #expect(try plug(fixture, "640x480,serial=7").position == Point(x: 600, y: 0))
    }

    @Test(
        "S10: a file that cannot be used is set aside with a warning",
        arguments: [
            "", "not JSON", "{\"version\":2,\"screens\":[]}",
            """
            {"version":1,"screens":[{"name":"X","vendor":"V","model":"M","serial":"","port":"","mode":"1x1","scale":0,
            "orientation":"portrait","flipped":false,"overscan":"scale","mirroring":"off","brightness":1,"x":0,"y":0}]}
            """,
        ])
    func corrupt(contents: String) throws {
        let folder = try Folder()
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        try contents.write(toFile: folder.file, atomically: false, encoding: .utf8)
        let fixture = try ServerFixture(screens: ["800x600"])
        var warnings: [String] = []
        fixture.server.onLog = { level, line in if level == .warning { warnings.append(line) } }
        let file = ScreenMemoryKeeper(fixture.server, folder: folder.path)
        #expect(warnings.count == 1)
        #expect(warnings.first?.contains("set aside") == true)
        #expect(try String(contentsOfFile: folder.file + ".corrupt", encoding: .utf8) == contents)
        _ = try plug(fixture, "640x480,serial=1")
        file.flush()
        #expect(try folder.text().contains("640x480"))
    }

    @Test("S10: a folder that cannot be written to only causes a warning")
    func unwritable() throws {
        let fixture = try ServerFixture(screens: ["800x600"])
        var warnings: [String] = []
        fixture.server.onLog = { level, line in if level == .warning { warnings.append(line) } }
        let file = ScreenMemoryKeeper(fixture.server, folder: "/proc/nowhere/state")
        _ = try plug(fixture, "640x480")
        file.flush()
        #expect(warnings.count == 1)
        #expect(warnings.first?.contains("not remembered") == true)
    }

    @Test("S10: unsaved changes are written when the server ends, even if a write had begun")
    func unfinished() throws {
        let folder = try Folder()
        let fixture = try ServerFixture(screens: ["800x600"])
        var warnings = 0
        fixture.server.onLog = { level, _ in warnings += level == .warning ? 1 : 0 }
        let file = ScreenMemoryKeeper(fixture.server, folder: folder.path)
        // A folder in place of the new file makes the first attempt fail.
        let obstacle = folder.file + ".new"
        try FileManager.default.createDirectory(atPath: obstacle, withIntermediateDirectories: true)
        _ = try plug(fixture, "640x480,serial=1")
        try fixture.wait(for: "the first attempt") { warnings == 1 }
        try #require(rmdir(obstacle) == 0)
        file.flush()
        #expect(try folder.text().contains("640x480"))
        try FileManager.default.removeItem(atPath: folder.file)
        file.flush()
        #expect(access(folder.file, F_OK) != 0, "what was saved is not written again")
    }

    @Test(
        "S1: names that could mean another screen, and texts of more than a line, are refused",
        arguments: [
            "name=7", "name=4294967295", "name=off", "name=auto", "name=automatic", "name=a\nb", "serial=\u{7f}",
            "port=\t", "port=7",
        ])
    func names(text: String) throws {
        let fixture = try ServerFixture(screens: ["800x600"])
        let error = #expect(throws: ModelError.self) { try plug(fixture, "640x480,\(text)") }
        #expect(error?.rule == .s1)
        #expect(["is not a number", "no control characters"].contains { error?.message.contains($0) == true })
        #expect(fixture.model.screens.count == 1)
    }

    @Test("S1: 64 screens at once; one more is refused and changes nothing")
    func many() throws {
        let fixture = try ServerFixture(screens: ["800x600"])
        let client = try fixture.connect()
        for number in 1...63 { _ = try plug(fixture, "640x480,serial=\(number)") }
        try fixture.pump()
        #expect(fixture.model.screens.count == 64)
        #expect(client.screens.count == 64)
        let error = #expect(throws: ModelError.self) { try plug(fixture, "640x480,serial=64") }
        #expect(error?.message.contains("limit reached: 64 screens") == true)
        #expect(fixture.model.screens.count == 64)
        #expect(Set(fixture.model.screens.compactMap { fixture.model.screen($0)?.name }).count == 64)
    }

    @Test("S9: the global of a hostile screen is removed at once, and its name is reused")
    func hostile() throws {
        let fixture = try ServerFixture(screens: ["800x600"])
        let client = try fixture.connect()
        let first = try plug(fixture, "640x480,serial=1,hostile=true")
        try fixture.pump()
        let name = try #require(client.globals.last { $0.interface == "wl_output" }).name
        try fixture.server.disconnect(first.id)
        // The client has not read the withdrawal yet, and binds the name that it knows.
        _ = try client.bind(WlOutput.self, name: name)
        try fixture.pump()
        #expect(client.protocolError?.message.contains("\(name) is not a global") == true)

        let second = try fixture.connect()
        let again = try plug(fixture, "320x240,serial=2,hostile=true")
        try fixture.pump()
        let reused = try #require(second.globals.last { $0.interface == "wl_output" })
        #expect(reused.name == name)
        let output = try second.bind(WlOutput.self, name: reused.name)
        var size: Int32 = 0
        output.onEvent = { if case .mode(_, let width, _, _) = $0 { size = width } }
        try fixture.pump()
        #expect(size == 320 && again.name == "EXTERNAL-2")
    }
}
