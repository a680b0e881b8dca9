// grim and wayvnc as Debian ships them: pictures of screens, and remote viewing and control.

import Compositor
import FoundationEssentials
import Glibc
import MullionGeometry
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct ScreencopyProgramTests {
    private let fixture: ServerFixture
    private let client: TestClient

    init() throws {
        fixture = try ServerFixture(screens: [
            "320x240,name=A", "200x100,name=B,mirroring=off,orientation=landscapeLeft",
        ])
        client = try fixture.connect()
    }

    private func window(_ argb: UInt32, on screen: Int = 0) throws -> TestWindow {
        let window = client.window("w", on: client.screens[screen]).color(argb).frame(10, 20, 50, 30)
        window.makeKeyAndVisible()
        try fixture.pump()
        return window
    }

    @Test("S4, R1: grim's pictures have a screenshot's pixels: of one screen, of a part, with and without cursor")
    func grim() throws {
        _ = try (window(0xffff_0000), window(0xff00_ff00, on: 1))
        let folder = try fixture.runtimeDirectory()
        _ = try fixture.server.injector.inject([.hover(.init(screen: nil, point: Point(x: 30, y: 30)))])
        func picture(_ words: String...) throws -> Bitmap {
            let file = folder + "/grim.png"
            defer { unlink(file) }
            let program = try fixture.spawn("grim", words + [file])
            try fixture.wait(for: "grim's end") { !program.isRunning }
            #expect(program.exitStatus == 0, "\(words): \(program.readOutput())")
            return try PNG.decode([UInt8](try Data(contentsOf: URL(filePath: file))))
        }
        func shown(_ index: Int, cursor: Bool = false) throws -> Bitmap {
            var result: Bitmap?
            fixture.server.capture([fixture.model.screens[index]], cursor: cursor) { result = $0.first?.1 }
            try fixture.wait(for: "a screenshot") { result != nil }
            return try #require(result)
        }
        let (bare, seen) = (try shown(0), try shown(0, cursor: true))
        let isSame = try picture("-o", "A") == bare
        let hasCursor = try picture("-c", "-o", "A") == seen && bare != seen
        #expect(isSame && hasCursor)
        let turned = try picture("-o", "B")
        let isTurned = try turned == shown(1).turned(by: 1) || turned == shown(1).turned(by: 3)
        #expect(turned.width == 100 && turned.height == 200 && isTurned)
        #expect(turned[10, 20] == 0xff00_ff00 && turned[59, 49] == 0xff00_ff00)
        #expect(turned[9, 20] == 0xff00_0000 && turned[60, 49] == 0xff00_0000)
        let part = try picture("-g", "5,15 10x10")
        #expect(part.width == 10 && part[4, 5] == 0xff00_0000 && part[5, 5] == 0xffff_0000)
        let all = try picture()
        #expect(all[10, 20] == 0xffff_0000 && all[330, 20] == 0xff00_ff00)
    }

    /// wayvnc for a screen, and a viewer that executes these commands.
    private func startVNC(_ commands: [String], of screen: String = "A") throws -> (server: Program, viewer: Program) {
        let folder = try fixture.runtimeDirectory()
        let socket = "\(folder)/vnc-\(screen)"
        // Newer versions open a second socket, for wayvncctl, whose name is the same for all.
        let own = folder + "/" + screen
        try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
        let server = try fixture.spawn(
            "env",
            ["XDG_RUNTIME_DIR=\(own)", "wayvnc", "--output=\(screen)", "--keyboard=de", "--unix-socket", socket],
            environment: ["HOME": folder, "WAYLAND_DISPLAY": folder + "/wayland-test"])
        try fixture.wait(for: "wayvnc to listen; it said \(server.readOutput())") { access(socket, F_OK) == 0 }
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Programs/vnc_client.py").path
        return (server, try Program("/usr/bin/python3", [file, socket] + commands))
    }

    /// Runs until the viewer has executed this many commands.
    private func wait(
        _ count: Int, _ what: String, _ vnc: (server: Program, viewer: Program), until condition: () -> Bool = { true }
    ) throws {
        do {
            try fixture.wait(for: what) {
                vnc.viewer.readOutput().split(separator: "\n").count >= count && condition()
            }
        } catch {
            throw FixtureError(
                "\(what); the viewer said \(vnc.viewer.readOutput()), wayvnc \(vnc.server.readOutput())")
        }
    }

    @Test("S4, E1, K2: a viewer of wayvnc sees changes, and can click, scroll and type")
    func vnc() throws {
        let window = try window(0xffff_0000)
        let pointer = try TestPointer(client)
        let keyboard = try KeyboardReader(client)
        let commands = [
            "size 320 240", "pixel 10 20 ff0000", "pixel 9 20 000000", "pixel 59 49 123456", "pointer 20 30 0",
            "pointer 20 30 1", "pointer 20 30 0", "pointer 20 30 16", "pointer 20 30 0", "pixel 11 21 00ff00", "key 61",
            "key fc", "pixel 11 21 0000ff",
        ]
        let vnc = try startVNC(commands)
        try wait(3, "the first picture", vnc)
        window.color(0xff12_3456).commit()
        var lines: [String] = []
        try wait(9, "a change to be seen, a click and a notch of the wheel", vnc) {
            lines += pointer.take()
            return lines.contains { $0.hasPrefix("value120 0") }
        }
        #expect(lines.contains("enter \(window.surface.id) 10.0,10.0"), "\(lines)")
        #expect(lines.contains("button 272 1") && lines.contains("button 272 0"), "\(lines)")
        #expect(lines.contains("value120 0 120"), "\(lines)")
        window.color(0xff00_ff00).commit()
        try wait(12, "typing", vnc) { keyboard.text == "aü" }
        window.color(0xff00_00ff).commit()
        try wait(commands.count, "the last picture", vnc)
        try fixture.wait(for: "the viewer's end") { !vnc.viewer.isRunning }
        #expect(vnc.viewer.exitStatus == 0 && vnc.server.isRunning, "\(vnc.viewer.readOutput())")
    }

    @Test("S8: two screens have a wayvnc each; when one is unplugged the other goes on, and a new one shows it again")
    func screens() throws {
        // neatvnc itself crashes now and then, with a null pointer of its own, which says nothing about the server.
        for _ in 0..<2 {
            if try Self().showsTwoScreens() { return }
        }
        #expect(try showsTwoScreens(), "three times, a wayvnc has crashed")
    }

    /// Returns false if a wayvnc was ended by a signal that nobody has sent.
    private func showsTwoScreens() throws -> Bool {
        var started: [Program] = []
        do {
            try showTwoScreens(&started)
            return true
        } catch {
            guard started.contains(where: { $0.exitStatus == -1 }) else { throw error }
            return false
        }
    }

    /// - Parameter started: gets the wayvncs that are to go on.
    private func showTwoScreens(_ started: inout [Program]) throws {
        let (first, second) = (try window(0xffff_0000), try window(0xff00_ff00, on: 1))
        let other = try #require(fixture.model.screen(named: "B"))
        let a = try startVNC(["size 320 240", "pixel 11 21 ff0000", "pixel 11 21 123456", "pixel 11 21 abcdef"])
        // A viewer sees the turned screen upright.
        let b = try startVNC(["size 100 200", "pixel 11 21 00ff00", "pixel 11 21 ffffff"], of: "B")
        started = [a.server, b.server]
        try wait(2, "the first picture of A", a)
        try wait(2, "the first picture of B", b)
        try fixture.server.disconnect(other.id)
        try fixture.wait(for: "B's wayvnc to notice") { b.server.readOutput().contains(" went away") }
        started = [a.server]
        // Newer ones turn to another screen instead of ending.
        b.server.kill(SIGTERM)
        try fixture.wait(for: "the end of B's viewer and wayvnc") { !b.viewer.isRunning && !b.server.isRunning }
        #expect(b.viewer.readOutput().hasSuffix("the server hung up\n"))
        first.color(0xff12_3456).commit()
        try wait(3, "a change on A", a)
        _ = try fixture.server.connect(other.properties)
        let again = try startVNC(["size 100 200", "pixel 11 21 00ff00", "pixel 11 21 0000ff"], of: "B")
        started.append(again.server)
        try wait(2, "the window that returned to B", again)
        first.color(0xffab_cdef).commit()
        second.color(0xff00_00ff).commit()
        try wait(4, "another change on A", a)
        try wait(3, "a change on B", again)
        for vnc in [a, again] where !vnc.server.isRunning {
            throw FixtureError("wayvnc has ended: \(vnc.server.readOutput())")
        }
        #expect(fixture.model.checkInvariants() == [])
    }

    @Test("a viewer of wayvnc stays connected when the server restarts")
    func restart() throws {
        fixture.server.isHandOverPossible = true
        let window = try window(0xffff_0000)
        let vnc = try startVNC(["pixel 10 20 ff0000", "pixel 10 20 00ff00"])
        try wait(1, "the first picture", vnc)
        try fixture.handOver()
        window.color(0xff00_ff00).commit()
        try wait(2, "the picture of the next server", vnc)
        #expect(vnc.server.isRunning)
    }
}
