// Unmodified X11 programs: their windows, keys, selections and ends.

import FoundationEssentials
import Glibc
import MullionGeometry
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite(.enabled(if: X11Display.isPossible)) struct X11ProgramTests {
    private let fixture: ServerFixture
    private let display: X11Display

    init() throws {
        fixture = try ServerFixture(screens: ["1000x700,name=A"])
        display = try X11Display(fixture)
    }

    @Test("xterm has a title, takes keys, is moved, resized and closed as it requests")
    func terminal() throws {
        let control = try ControlSession(fixture)
        let file = "\(control.folder)/typed"
        let terminal = try display.xterm("first", "read line; echo \"$line\" > \(file); exec cat")
        let window = try display.shows("first")
        #expect(window.level == 0 && window.frame.origin != .zero)
        try control.type("hello there")
        try control.key("Return")
        try fixture.wait(for: "the text") {
            (try? String(contentsOfFile: file, encoding: .utf8)) == "hello there\n"
        }
        let number = try display.run("xdotool", ["search", "--name", "^first$"]).trimmed
        try display.run("xdotool", ["windowmove", number, "120", "90"])
        try fixture.wait(for: "the move") { display.window("first")?.frame.origin == Point(x: 120, y: 90) }
        try display.run("xdotool", ["windowsize", number, "400", "300"])
        try fixture.wait(for: "the size") { display.window("first")?.frame.size == Size(width: 400, height: 300) }
        // X11 programs believe the same.
        #expect(try display.run("xdotool", ["getwindowgeometry", number]).contains("Position: 120,90"))
        // And when the server moves it.
        try fixture.model.setFrame(Rect(x: 10, y: 20, width: 400, height: 300), of: window.id)
        try fixture.wait(for: "the X server to follow") {
            try display.run("xdotool", ["getwindowgeometry", number]).contains("Position: 10,20")
        }
        try display.run("xdotool", ["set_window", "--name", "renamed", number])
        try fixture.wait(for: "another title") { display.window("renamed") != nil }
        #expect(try control.mullionctl("window", "\(window.id)", "close").status == 0)
        try fixture.wait(for: "its end") { !terminal.isRunning }
        try fixture.wait(for: "its window to go") { fixture.model.windows.isEmpty }
    }

    @Test("states: maximized, full-screen and minimized, requested and shown in _NET_WM_STATE")
    func states() throws {
        let terminal = try display.xterm("states")
        let window = try display.shows("states")
        let number = try display.run("xdotool", ["search", "--name", "^states$"]).trimmed
        func property() throws -> String { try display.run("xprop", ["-id", number, "_NET_WM_STATE", "WM_STATE"]) }
        func request(_ action: String, _ state: String) throws {
            try display.run("wmctrl", ["-i", "-r", number, "-b", "\(action),\(state)"])
        }
        try request("add", "fullscreen")
        try fixture.wait(for: "the full screen") {
            display.window("states")?.frame == Rect(x: 0, y: 0, width: 1000, height: 700)
        }
        try fixture.wait(for: "its state") { try property().contains("_NET_WM_STATE_FULLSCREEN") }
        try request("remove", "fullscreen")
        try fixture.wait(for: "its frame") { display.window("states")?.frame == window.frame }
        try request("add", "maximized_vert,maximized_horz")
        try fixture.wait(for: "maximized") { display.window("states")?.frame.size == Size(width: 1000, height: 700) }
        try request("toggle", "maximized_vert,maximized_horz")
        try fixture.wait(for: "its frame") { display.window("states")?.frame == window.frame }
        try display.run("xdotool", ["windowminimize", number])
        try fixture.wait(for: "minimized") { display.window("states")?.isVisible == false }
        try fixture.wait(for: "its state") { try property().contains("Iconic") }
        try display.run("xdotool", ["windowactivate", number])
        try fixture.wait(for: "shown") { display.window("states")?.isKey == true }
        try fixture.wait(for: "its state") { try !property().contains("Iconic") }
        #expect(terminal.isRunning)
    }

    @Test("the keyboard follows the key window, also among windows of other kinds; the lists name all windows")
    func keyboard() throws {
        let terminals = try (display.xterm("one"), display.xterm("two"))
        try fixture.wait(for: "two windows") {
            display.window("one")?.isVisible == true && display.window("two")?.isVisible == true
        }
        let plain = try TestToplevel.map(try fixture.connect(), fixture)
        func active() throws -> String { try display.run("xdotool", ["getwindowfocus", "getwindowname"]).trimmed }
        for name in ["one", "two", "one"] {
            try fixture.model.makeKey(try #require(display.window(name)).id)
            try fixture.wait(for: "the X server's keyboard on \(name)") { try active() == name }
        }
        try fixture.model.makeKey(
            try #require(
                fixture.model.windows.first { id in
                    ["one", "two"].allSatisfy { display.window($0)?.id != id }
                }))
        try fixture.wait(for: "no active window") {
            try display.run("xprop", ["-root", "_NET_ACTIVE_WINDOW"]).contains("0x0")
        }
        let list = try display.run("xprop", ["-root", "_NET_CLIENT_LIST_STACKING"])
        #expect(list.split(separator: ",").count == 2, "\(list)")
        #expect(terminals.0.isRunning && terminals.1.isRunning && plain.size.0 >= 0)
    }

    @Test(
        "both selections pass in both directions, in one piece and in many",
        .enabled(if: Program.isInstalled("wl-copy")), arguments: ["clipboard", "primary"])
    func selections(selection: String) throws {
        let holder = try display.xterm("key")
        _ = try display.shows("key")
        let folder = try fixture.runtimeDirectory()
        let options = selection == "primary" ? ["--primary"] : []
        let long = String(repeating: "Größe, ñ € 漢 😀\n", count: 30_000)
        for (index, text) in ["kurz: ü", long].enumerated() {
            let file = "\(folder)/text\(index)"
            try text.write(toFile: file, atomically: true, encoding: .utf8)
            // From X11 to Wayland.
            let owner = try display.spawn("xclip", ["-quiet", "-selection", selection, file])
            let first = "\(folder)/first\(index)"
            try fixture.wait(for: "X11's text in Wayland") {
                let reader = try fixture.spawn("sh", ["-c", "wl-paste -n \(options.joined()) > \(first)"])
                try fixture.wait(for: "wl-paste") { !reader.isRunning }
                return (try? String(contentsOfFile: first, encoding: .utf8)) == text
            }
            owner.kill(SIGKILL)
            // From Wayland to X11.
            let changed = "\(text)!"
            try changed.write(toFile: file, atomically: true, encoding: .utf8)
            let copier = try fixture.spawn("sh", ["-c", "exec wl-copy -f -t text/plain \(options.joined()) < \(file)"])
            let second = "\(folder)/second\(index)"
            try fixture.wait(for: "Wayland's text in X11") {
                let script = "timeout 5 xclip -selection \(selection) -o -t UTF8_STRING > \(second)"
                try display.run("sh", ["-c", script])
                return (try? String(contentsOfFile: second, encoding: .utf8)) == changed
            }
            #expect(try display.run("xclip", ["-selection", selection, "-o", "-t", "TARGETS"]).contains("UTF8_STRING"))
            copier.kill(SIGKILL)
        }
        #expect(holder.isRunning)
    }

    @Test(
        "what a Wayland program copies while X11's owner ends stays",
        .enabled(if: Program.isInstalled("xclip")), arguments: ["clipboard", "primary"])
    func ownerEnds(selection: String) throws {
        let holder = try display.xterm("key")
        _ = try display.shows("key")
        let control = try TestDataControl(try fixture.connect("control"))
        var types: String { control.events.last { $0.hasPrefix(selection) } ?? "" }
        for round in 0..<3 {
            let owner = try display.spawn("xclip", ["-quiet", "-selection", selection, "/etc/hostname"])
            try fixture.wait(for: "X11's selection") { types.contains("text/plain") }
            #expect(try fixture.settle() == [])
            let source = control.source(["round/\(round)"])
            control.device.send(
                selection == "primary"
                    ? .setPrimarySelection(source: source.id) : .setSelection(source: source.id))
            try control.client.flush()
            // The X server's manager learns of the end while the server has not yet read what the other one copied.
            owner.kill(SIGKILL)
            let manager = try #require(
                fixture.server.clientsInOrder.first { $0.credentials.pid == display.program.pid })
            var unread = pollfd(fd: manager.transport.socket.rawValue, events: Int16(POLLIN), revents: 0)
            #expect(poll(&unread, 1, 60_000) == 1)
            try fixture.wait(for: "the copy") { types == "\(selection) round/\(round)" }
            #expect(try fixture.settle() == [])
            #expect(types == "\(selection) round/\(round)")
        }
        #expect(holder.isRunning)
    }

    @Test("Xwayland killed: its windows go, and the next program starts another one")
    func killed() throws {
        let first = try display.xterm("first")
        _ = try display.shows("first")
        kill(try #require(display.xwayland), SIGKILL)
        try fixture.wait(for: "the program's end") { !first.isRunning }
        try fixture.wait(for: "no window") { fixture.model.windows.isEmpty }
        let second = try display.xterm("second")
        _ = try display.shows("second")
        #expect(second.isRunning && display.program.isRunning && fixture.model.checkInvariants() == [])
    }

    @Test("mullion-x11 killed or stopped: X11 programs end, others stay, and the display is free again")
    func stopped() throws {
        // A number of its own: other tests take the first free one, and stale ones.
        let number = "\(900 + getpid() % 100)"
        let display = try X11Display(fixture, ["--display", number])
        let plain = try fixture.connect()
        _ = try TestToplevel.map(plain, fixture)
        let terminal = try display.xterm("first")
        try fixture.wait(for: "its window") { display.window("first")?.isVisible == true }
        display.program.kill(SIGKILL)
        try fixture.wait(for: "its end") { !display.program.isRunning }
        try fixture.wait(for: "the program's end") { !terminal.isRunning }
        try fixture.wait(for: "one window") { fixture.model.windows.count == 1 }
        #expect(plain.isOpen)
        // Its lock is stale; its X server may take a moment to go.
        var found: X11Display?
        try fixture.wait(for: "the same display") {
            found = try? X11Display(fixture, ["--display", number])
            return found != nil
        }
        let again = try #require(found)
        let other = try again.xterm("second")
        try fixture.wait(for: "its window") { again.window("second")?.isVisible == true }
        let lock = DisplayLock(number)
        again.program.kill(SIGTERM)
        try fixture.wait(for: "its end") { !again.program.isRunning && !other.isRunning }
        #expect(again.program.exitStatus == 0)
        #expect(lock.isReleased)
        #expect(fixture.model.checkInvariants() == [] && plain.isOpen)
    }

    @Test("two displays have two numbers; one that is taken is refused, and so are other mistakes")
    func numbers() throws {
        let other = try X11Display(fixture)
        #expect(other.name != display.name)
        func refuse(_ arguments: [String], _ environment: [String: String] = [:]) throws -> (Int32?, String) {
            let program = try fixture.spawn("\(Programs.built)/mullion-x11", arguments, environment: environment)
            try fixture.wait(for: "its end") { !program.isRunning }
            return (program.exitStatus, program.readOutput())
        }
        let taken = try refuse(["--display", display.name])
        #expect(taken.0 == 1 && taken.1.contains("display \(display.name) is in use"), "\(taken.1)")
        let wrong = try refuse(["--display", "x"])
        #expect(wrong.0 == 2 && wrong.1.contains("x is not a display; use a number"), "\(wrong.1)")
        let missing = try refuse(["--xwayland", "Xnothing"])
        #expect(missing.0 == 1 && missing.1.contains("Xnothing is not in PATH"), "\(missing.1)")
        let away = try refuse([], ["WAYLAND_DISPLAY": "nowhere"])
        #expect(away.0 == 1 && away.1.contains("cannot connect to"), "\(away.1)")
    }

    @Test("an X server that does not start refuses the programs that wait, and is tried again")
    func broken() throws {
        let other = try X11Display(fixture, ["--xwayland", "/bin/false"])
        for _ in 0..<2 {
            let program = try other.spawn("xprop", ["-root"])
            try fixture.wait(for: "its end") { !program.isRunning }
            #expect(program.exitStatus != 0 && other.program.isRunning)
        }
        #expect(other.program.readOutput().contains("the X server has ended with status 1"))
    }

    @Test("x11 in the configuration: the server runs mullion-x11, starts it again, and ends it")
    func configured() throws {
        let folder = try TemporaryFolder()
        let number = 500 + Int(getpid() % 400)
        try "{ screens: [\"640x480\"], x11: { display: \(number) } }".write(
            toFile: folder.path + "/c", atomically: true, encoding: .utf8)
        let server = try fixture.spawn(
            "\(Programs.built)/mulliond",
            [
                "--config", folder.path + "/c", "--socket", folder.path + "/s", "--control", folder.path + "/control",
                "--state", "none",
            ])
        func works() throws -> Bool {
            let program = try fixture.spawn("xdotool", ["getdisplaygeometry"], environment: ["DISPLAY": ":\(number)"])
            try fixture.wait(for: "xdotool") { !program.isRunning }
            return program.readOutput() == "640 480\n"
        }
        func child() -> pid_t? {
            let children = try? String(
                contentsOfFile: "/proc/\(server.pid)/task/\(server.pid)/children", encoding: .utf8)
            return children?.split(separator: " ").first.flatMap { pid_t($0) }
        }
        try fixture.wait(for: "the display; the server said \(server.readOutput())") { try works() }
        let first = try #require(child())
        kill(first, SIGKILL)
        try fixture.wait(for: "another display") { try child() != first && works() }
        #expect(server.readOutput().contains("x11: mullion-x11 has ended; starting it again in 1 s"))
        let lock = DisplayLock("\(number)")
        server.kill(SIGTERM)
        try fixture.wait(for: "its end") { !server.isRunning }
        try fixture.wait(for: "the display's end") { lock.isReleased }
        #expect(server.exitStatus == 0)
    }

    @Test("mullionctl run --x11: DISPLAY is set, and everything is gone afterwards")
    func privateServer() throws {
        let folder = try TemporaryFolder()
        let script = "xdotool getdisplaygeometry; echo $DISPLAY; xterm -e true; exit 7"
        let program = try Program(
            "\(Programs.built)/mullionctl",
            ["run", "--x11", "--screen", "640x480", "--artifacts", folder.path + "/a", "--", "sh", "-c", script],
            environment: ["TMPDIR": folder.path])
        let lines = program.outputAtEnd().split(separator: "\n")
        #expect(program.exitStatus == 7)
        #expect(lines.first == "640 480", "\(lines)")
        let name = try #require(lines.dropFirst().first)
        #expect(name.hasPrefix(":") && Int(name.dropFirst()) != nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/a").contains("mullion-x11.log"))
    }
}

extension String {
    fileprivate var trimmed: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}
