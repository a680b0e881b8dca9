// Seats in the configuration, the control API, foot and GTK (K1).

import FoundationEssentials
import Glibc
import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct SeatProgramTests {
    private static let folder = Programs.built

    @Test("K1: GET /v1/events names the seat whose key window has changed")
    func keyEvents() throws {
        let setup = try SeatFixture()
        let events = try TestControl(setup.fixture).events()
        setup.guests[1].window.hide()
        setup.guests[0].window.resignKey()
        try setup.fixture.pump()
        setup.guests[0].window.makeKey()
        for (event, seat) in [("didResignKey", 1), ("didResignKey", 0), ("didBecomeKey", 0)] {
            let (id, window) = (setup.seats[seat].id, try #require(setup.windowID(seat)))
            let parts = ["\"event\":\"\(event)\"", "\"seat\":\(id)", "\"window\":\(window)"]
            try setup.fixture.wait(for: "\(event) of \(seat)") {
                try events().contains { line in parts.allSatisfy { line.contains($0) } }
            }
        }
    }

    @Test("K1, E3: /v1/keyboard?seat= and mullionctl keyboard seat= show and change one person's keyboard")
    func keyboards() throws {
        let setup = try SeatFixture()
        let control = try ControlSession(setup.fixture)
        func patch(_ body: String, _ query: String = "") throws -> ControlSession.Answer {
            try control.send("PATCH", "/v1/keyboard" + query, Array(body.utf8))
        }
        func layouts() -> [String] { setup.seats.map(\.keyboard.configuration.layout.layout) }
        let answer = try patch(#"{"layout": "de"}"#, "?seat=seat1")
        #expect(answer.status == 200 && answer.text.contains(#""layout":"de""#))
        #expect(layouts() == ["us", "de"] && setup.fixture.server.keyboard.layout.layout == "us")
        #expect(try patch(#"{"layout": "fr"}"#).status == 200)
        #expect(layouts() == ["fr", "de"], "the second has a keyboard of its own")
        #expect(try control.mullionctl("keyboard", "seat=seat1").output == "layout=de rate=25 delay=600\n")
        #expect(try control.mullionctl("keyboard", "seat=seat0", "rate=0").output == "layout=fr rate=0 delay=600\n")
        #expect(try control.mullionctl("keyboard").output == "layout=fr rate=25 delay=600\n")
        for answer in [try patch(#"{"layout": "us"}"#, "?seat=nobody"), try patch(#"{"layout": "zz"}"#, "?seat=seat1")]
        {
            #expect((400..<500).contains(answer.status), "\(answer)")
        }
        #expect(try control.send("GET", "/v1/keyboard?seat=nobody").text.contains("use one of seat0, seat1"))
        let wrong = try control.mullionctl("keyboard", "seat=nobody", "layout=de")
        #expect(wrong.status == 1 && wrong.output.contains("\"nobody\" is not a seat"))
        // No seat uses the default any more, but it is still validated.
        #expect(try patch(#"{"layout": "zz"}"#).text.contains(#"\"zz\" is not a layout"#))
        #expect(layouts() == ["fr", "de"] && setup.seats[0].keyboard.configuration.repeatRate == 0)
    }

    @Test("GET /v1/seats and mullionctl seats list the seats; windows and tree name the seat that they are key for")
    func listed() throws {
        let setup = try SeatFixture()
        let control = try ControlSession(setup.fixture)
        try setup.fixture.server.addSeat(name: "seat2", screens: ["TV"])
        try setup.move(12, 34, by: 1)
        try setup.touch(.began, 1, 1, by: 1)
        try setup.key(30, true, by: 1)
        try setup.fixture.pump()
        let text = try control.send("GET", "/v1/seats").text
        let window = try #require(setup.windowID(1))
        for part in [
            "\"name\":\"seat0\"", "\"screens\":[\"A\"]", "\"name\":\"seat1\"", "\"screens\":[\"B\"]",
            "\"keyWindow\":\(window)", "\"screenName\":\"B\"", "\"x\":12", "\"y\":34", "\"touches\":1",
            "\"keys\":[30]", "\"awaitedScreens\":[\"TV\"]",
        ] {
            #expect(text.contains(part), "\(part) in \(text)")
        }
        let table = try control.mullionctl("seats").output.split(separator: "\n").map { line in
            line.split(separator: " ").joined(separator: " ")
        }
        #expect(
            table.count == 4 && table[2] == "2 seat1 B \(window) B 12,34 1 us" && table[3] == "3 seat2 TV none 0 us")
        #expect(try control.send("GET", "/v1/windows/\(window)").text.contains("\"keySeat\":\"seat1\""))
        let tree = try control.mullionctl("tree").output
        #expect(tree.contains("key of seat1") && tree.contains("key\n"))
    }

    @Test(
        "the section seats: a mistake names its key path and what is allowed, at start and by --check; a valid one serves"
    )
    func configured() throws {
        let fixture = try ServerFixture(screens: [])
        let folder = try fixture.runtimeDirectory() + "/seats"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let config = folder + "/mullion.json5"
        func run(_ seats: String, _ arguments: String...) throws -> Program {
            try Data("{ screens: ['800x600,name=A', '800x600,name=B'], seats: \(seats) }".utf8)
                .write(to: URL(filePath: config))
            return try fixture.spawn("\(Self.folder)/mulliond", ["--config", config] + arguments)
        }
        let mistakes = [
            ("[{ name: 'seat1' }]", "seats[0]: the key \"screens\" is missing"),
            ("[{ name: 'seat1', screens: ['B'], screen: 'B' }]", "seats[0]: unknown key \"screen\"; use one of"),
            (
                "[{ name: 'seat0', screens: ['B'] }]",
                "seats[0]: K1 (one key window per seat): a seat named seat0 already exists"
            ),
            (
                "[{ name: 'seat1', screens: [] }]",
                "seats[0]: K1 (one key window per seat): seat seat1 has no screens"
            ),
            (
                "[{ name: 'a', screens: ['B'] }, { name: 'b', screens: ['B'] }]",
                "seats[1]: K1 (one key window per seat): screen B already belongs to seat a"
            ),
            ("[{ name: 'a', screens: 'B' }]", "seats[0].screens: expected"),
            ("[{ name: 'a', screens: ['B'], keyboard: { layuot: 'de' } }]", "seats[0].keyboard: unknown key"),
            ("[{ name: 'a', screens: ['B'], keyboard: { layout: 'zz' } }]", "\"zz\" is not a layout"),
        ]
        for (seats, message) in mistakes {
            let check = try run(seats, "--check")
            try fixture.wait(for: "its end") { !check.isRunning }
            let said = check.readOutput()
            #expect(check.exitStatus == 1 && said.contains(message), "\(seats): \(said)")
        }
        let bad = try run("[{ name: 'a', screens: ['B'], keyboard: { layout: 'zz' } }]", "--socket", folder + "/no")
        try fixture.wait(for: "its end") { !bad.isRunning }
        let said = bad.readOutput()
        #expect(bad.exitStatus == 1 && said.contains("seats[0]") && said.contains("is not a layout"), "\(said)")
        let control = try ControlSession(fixture)
        let server = try run(
            "[{ name: 'left', screens: ['B'], keyboard: { layout: 'de' } }]", "--socket", folder + "/client",
            "--control", folder + "/control", "--state", "none", "--ready-fd", "1")
        try fixture.wait(for: "the server") { server.readOutput().contains("client") }
        let seats = try control.mullionctl("--control", folder + "/control", "seats").output
        #expect(seats.contains("left") && seats.contains("de"), "\(seats)")
    }

    @Test("foot and GTK 4 take both seats: the second person clicks and types into them")
    func programs() throws {
        let fixture = try ServerFixture(screens: ["800x600,name=A", "800x600,name=B"])
        try fixture.server.addSeat(name: "seat1", screens: ["B"])
        let seats = fixture.server.seats
        let folder = try fixture.runtimeDirectory() + "/programs"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = folder + "/typed"
        try FileManager.default.createDirectory(atPath: folder + "/gtk-4.0", withIntermediateDirectories: true)
        try Data("[Settings]\ngtk-cursor-blink=false\n".utf8)
            .write(to: URL(filePath: folder + "/gtk-4.0/settings.ini"))
        let script = "IFS= read -r x; printf '%s' \"$x\" > \(file).new; mv \(file).new \(file)"
        func start(_ program: String, _ arguments: [String]) throws -> Program {
            let running = try fixture.spawn(
                program, arguments,
                environment: [
                    "GDK_BACKEND": "wayland", "GSETTINGS_BACKEND": "memory",
                    "LC_ALL": "C.UTF-8", "XDG_CONFIG_HOME": folder, "XDG_CACHE_HOME": folder,
                    "NO_AT_BRIDGE": "1",
                ])
            func shown() -> Window.ID? { fixture.model.windows.last { fixture.model.isVisible($0) } }
            try fixture.wait(for: "its window; it said \(running.readOutput())", seconds: 60) { shown() != nil }
            let window = try #require(shown())
            try fixture.model.move(window, to: fixture.model.screens[1])
            try fixture.model.makeKey(window)
            try fixture.wait(for: "\(program) to have the second seat's keyboard") {
                guard let client = seats[1].keyboardSurface?.client else { return false }
                return [seats[0], seats[1]].allSatisfy { !client.seat($0).keyboards.isEmpty }
            }
            return running
        }
        func press(_ keys: UInt32...) throws {
            for key in keys {
                for pressed in [true, false] { try seats[1].keyboard.press(key: key, pressed: pressed) }
            }
            try fixture.pump()
        }
        func click() throws {
            let place = InputEvent.Place(screen: ScreenReference("B"), point: Point(x: 5, y: 5))
            _ = try fixture.server.injector.inject([.click(button: 272, place), .tap(id: 1, place)])
        }
        let foot = try start("foot", ["--config=/dev/null", "sh", "-c", script])
        try click()
        try press(35, 23, 28)
        try fixture.wait(for: "the text") { FileManager.default.contents(atPath: file) != nil }
        #expect(FileManager.default.contents(atPath: file) == Data("hi".utf8))
        try fixture.wait(for: "foot's end") { !foot.isRunning && fixture.server.clientCount == 0 }
        let gtk = try start("gtk4-demo", ["--run=entry_undo"])
        // The cursor does not blink, so that only the text changes.
        var picture = try fixture.screenshot(fixture.model.screens[1])
        try fixture.wait(for: "a stable picture", seconds: 60) {
            let next = try fixture.screenshot(fixture.model.screens[1])
            defer { picture = next }
            return next == picture
        }
        try press(50, 50, 50, 50, 50, 50)
        try fixture.wait(for: "the text; it said \(gtk.readOutput())") {
            try fixture.screenshot(fixture.model.screens[1]) != picture
        }
        #expect(seats[0].keyboardSurface == nil && gtk.isRunning)
    }
}
