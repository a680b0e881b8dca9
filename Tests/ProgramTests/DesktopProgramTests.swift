// The programs of a small desktop: notifications, a keyboard, a launcher, and what chooses regions and arranges screens.

import FoundationEssentials
import MullionGeometry
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct DesktopProgramTests {
    private let fixture: ServerFixture
    private let control: ControlSession

    init() throws {
        fixture = try ServerFixture(screens: ["800x600,name=A", "1000x700,external,name=B"])
        control = try ControlSession(fixture)
    }

    /// Whether a program is installed; if not, prints which package has it.
    private static func has(_ program: String, of package: String) -> Bool {
        let isInstalled = Program.isInstalled(program)
        if !isInstalled { print("Skipped: \(program) is not installed; apt-get install \(package), or Config/test") }
        return isInstalled
    }

    private func start(_ name: String, _ arguments: [String] = []) throws -> Program {
        var environment = ToolkitProgram.environment
        for name in ["HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"] {
            environment[name] = control.folder
        }
        return try fixture.spawn(name, arguments, environment: environment)
    }

    /// The visible window with this title or application, once there is one.
    private func window(_ what: String, of program: Program, _ isWanted: (Window) -> Bool) throws -> Window {
        var found: Window?
        do {
            try fixture.wait(for: what) {
                found = fixture.model.windows.compactMap { fixture.model.window($0) }.first {
                    $0.isVisible && isWanted($0)
                }
                return found != nil
            }
        } catch {
            throw FixtureError("\(error); it said: \(program.readOutput())")
        }
        return try #require(found)
    }

    /// The end of a program without a fault.
    private func end(_ program: Program) throws -> String {
        do {
            try fixture.wait(for: "its end") { !program.isRunning }
        } catch {
            throw FixtureError("\(error); it said: \(program.readOutput())")
        }
        #expect(program.exitStatus == 0, "\(program.readOutput())")
        return program.readOutput()
    }

    private func click(_ point: Point) throws {
        try control.inject(#"{"type": "click", "x": \#(point.x), "y": \#(point.y)}"#)
    }

    @Test(
        "mako shows a notification in front of everything, and a click dismisses it",
        .enabled(if: has("mako", of: "mako-notifier") && has("notify-send", of: "libnotify-bin")))
    func notification() throws {
        let folder = control.folder + "/mako"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try "layer=overlay\nbackground-color=#336699\noutput=A\n"
            .write(toFile: folder + "/config", atomically: true, encoding: .utf8)
        let alert = try fixture.connect().window("alert").color(0xffff_0000)
        alert.makeKeyAndVisible()
        try fixture.pump()
        let key = fixture.model.keyWindow
        // The bus starts mako. It ends with notify-send, which waits until the notification is dismissed.
        let program = try start(
            "dbus-run-session", ["--", "notify-send", "--wait", "--expire-time=0", "Mullion", "A notification"])
        let shown = try window("the notification", of: program) { $0.level == 2000 }
        let bounds = try #require(fixture.model.screenBounds(of: shown.id))
        #expect(shown.frame.maxX == bounds.maxX && shown.frame.minY == bounds.minY && !shown.isKey, "\(shown.frame)")
        let center = shown.frame.center
        try fixture.wait(for: "its colour") {
            let picture = try fixture.screenshot()
            return picture.pixels.contains(0xff33_6699)
        }
        #expect(key != nil && fixture.model.keyWindow == key)
        try click(center)
        _ = try end(program)
        try fixture.wait(for: "mako's end") { fixture.server.clientCount == 1 }
    }

    @Test(
        "a key that is touched on wvkbd is typed into the key window, and windows leave the keyboard free",
        .enabled(if: has("wvkbd-mobintl", of: "wvkbd")))
    func keyboard() throws {
        let client = try fixture.connect()
        let reader = try KeyboardReader(client)
        let toplevel = try TestToplevel.map(client, fixture)
        toplevel.toplevel.send(.setMaximized)
        let program = try start("wvkbd-mobintl", ["-L", "240", "-l", "simple", "--landscape-layers", "simple"])
        let keyboard = try window("the keyboard", of: program) { $0.frame.size.height == 240 && $0.level > 0 }
        #expect(keyboard.frame.maxY == 600 && !keyboard.canBecomeKey)
        try fixture.wait(for: "a smaller window") { toplevel.size == (800, 360) }
        // The first key of the first row with letters.
        let row = keyboard.frame.size.height / 5
        let point = Point(x: keyboard.frame.minX + 40, y: keyboard.frame.minY + row * 0.5)
        try control.inject(#"{"type": "touch", "phase": "began", "id": 1, "x": \#(point.x), "y": \#(point.y)}"#)
        try control.inject(#"{"type": "touch", "phase": "ended", "id": 1}"#)
        do {
            try fixture.wait(for: "a letter") { !reader.text.isEmpty }
        } catch {
            throw FixtureError("\(error); it said: \(program.readOutput())")
        }
        #expect(reader.text == "q")
        program.kill(9)
        try fixture.wait(for: "the whole screen") { toplevel.size == (800, 600) }
    }

    @Test("fuzzel has the keys while it is open, and prints the choice", .enabled(if: has("fuzzel", of: "fuzzel")))
    func launcher() throws {
        let reader = try KeyboardReader(fixture.connect())
        let command = "printf 'alpha\\nbeta\\ngamma\\n' | fuzzel --dmenu --output=A --selection-color=336699ff"
        let program = try start("sh", ["-c", command])
        _ = try window("its window", of: program) { $0.isKey }
        // It reads the lines in a thread of its own; only a line that can be chosen has this colour.
        try fixture.wait(for: "its lines") { try fixture.screenshot().pixels.contains(0xff33_6699) }
        try control.type("be")
        try control.key("Return")
        let output = try end(program)
        #expect(output.hasSuffix("beta\n"), "\(output)")
        #expect(reader.text.isEmpty)
        let cancelled = try start("sh", ["-c", "echo alpha | fuzzel --dmenu --output=A"])
        _ = try window("its window", of: cancelled) { $0.isKey }
        try control.key("Escape")
        try fixture.wait(for: "its end") { !cancelled.isRunning }
        #expect(cancelled.exitStatus != 0 && fixture.model.windows.isEmpty)
    }

    @Test(
        "slurp prints the region that the pointer drew, on the second screen too",
        .enabled(if: has("slurp", of: "slurp")))
    func region() throws {
        for (index, id) in fixture.model.screens.enumerated() {
            let program = try start("slurp")
            _ = try window("its window", of: program) { $0.screen == id }
            #expect(try fixture.settle() == [])
            let way = #""from": {"x": 30, "y": 40}, "to": {"x": 130, "y": 100}"#
            try control.inject(#"{"type": "drag", "by": "pointer", "screen": \#(id.rawValue), \#(way)}"#)
            let origin = try #require(fixture.model.screen(id)).position
            // It includes the pixels of both ends.
            let region = try end(program)
            #expect(region == "\(30 + Int(origin.x)),40 101x61\n", "screen \(index)")
        }
        let program = try start("slurp")
        _ = try window("its window", of: program) { $0.screen == fixture.mainScreen }
        try control.key("Escape")
        try fixture.wait(for: "its end") { !program.isRunning }
        #expect(program.readOutput().contains("cancelled") && program.exitStatus == 1)
    }

    @Test("S1: wdisplays scales a screen, and shows all of them", .enabled(if: has("wdisplays", of: "wdisplays")))
    func arrangement() throws {
        let program = try start("wdisplays")
        let main = try window("its window", of: program) { $0.title == "wdisplays" }
        // It writes the names on the screens.
        try fixture.wait(for: "its labels") {
            Set(fixture.model.windows.filter { $0 != main.id }.compactMap { fixture.model.screen(of: $0) }).count == 2
        }
        let frame = try #require(fixture.model.window(main.id)).frame
        let apply = Point(x: frame.maxX - 45, y: frame.minY + 24)
        func pixels() throws -> [UInt32?] {
            let picture = try fixture.screenshot()
            return (-20...20).map { picture[Int(apply.x) + $0, Int(apply.y)] }
        }
        let titleBar = try pixels()
        // From the list of screens to the second one's scale.
        try control.key("Tab", "Tab", "Tab", "Tab", "ctrl+a")
        try control.type("2")
        try control.key("Tab")
        do {
            // A change brings the button.
            try fixture.wait(for: "the button") { try pixels() != titleBar }
            try click(apply)
            try fixture.wait(for: "the scale") { fixture.model.screen(named: "B")?.properties.scale == 2 }
        } catch {
            throw FixtureError("\(error); it said: \(program.readOutput())")
        }
        #expect(fixture.model.screen(named: "A")?.properties.scale == 1)
        let answer = try control.send("DELETE", "/v1/windows/\(main.id)")
        #expect(answer.status == 202)
        _ = try end(program)
    }

    @Test(
        "nothing wakes a server whose desktop is at rest: panel, wallpaper, notification and keyboard on two screens",
        .enabled(
            if: has("waybar", of: "waybar") && has("swaybg", of: "swaybg") && has("mako", of: "mako-notifier")
                && has("wvkbd-mobintl", of: "wvkbd") && has("notify-send", of: "libnotify-bin")))
    func atRest() throws {
        let fixture = try ServerFixture(screens: ["1200x800", "1000x700,external"], clock: .manual)
        let folder = try fixture.runtimeDirectory()
        let configuration = """
            { "layer": "top", "height": 40, "modules-left": ["custom/label"], "custom/label": { "format": "label" } }
            """
        try configuration.write(toFile: folder + "/waybar", atomically: true, encoding: .utf8)
        let commands = [
            ["waybar", "-c", folder + "/waybar", "-s", "/dev/null"], ["swaybg", "-c", "#336699"],
            ["notify-send", "--wait", "--expire-time=0", "Mullion", "A notification"],
            ["wvkbd-mobintl", "-L", "200"],
        ]
        let bus = try SessionBus(fixture, home: folder)
        let programs = try commands.map { command in
            var environment = ToolkitProgram.environment
            environment["HOME"] = folder
            environment["DBUS_SESSION_BUS_ADDRESS"] = bus.address
            return try fixture.spawn(command[0], Array(command.dropFirst()), environment: environment)
        }
        try fixture.wait(for: "six windows; it said \(programs.map { $0.readOutput() })") {
            try fixture.step(20_000)
            return fixture.model.windows.count { fixture.model.isVisible($0) } == 6
        }
        // Until all have drawn what they wanted to.
        try fixture.wait(for: "rest") { try fixture.settle() == [] && fixture.step(1_000_000) == 0 }
        // A day in which no timer of the server is due.
        let due = try fixture.step(86_400_000_000)
        #expect(due == 0)
        let running = programs.count { $0.isRunning }
        #expect(running == programs.count)
    }
}
