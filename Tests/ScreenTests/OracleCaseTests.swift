// The cases in which an independent oracle of the rules once disagreed with the server: screens and keys.

import MullionWayland
import TestSupport
import Testing

@Suite struct OracleCaseTests {
    @Test("K2, K7: a plain window that gets content while its screen is away takes no key when the screen returns")
    func contentWhileAway() throws {
        let oracle = try OracleFixture("800x600,name=PANEL", "640x480,external,name=TV")
        let starter = try oracle.connect("starter")
        let starterInput = try TestInput(starter)
        let early = try TestToplevel.map(starter, oracle.fixture, "early")
        let late = starter.toplevel("late")
        late.surface.send(.commit)
        try oracle.fixture.pump()
        for title in ["early", "late"] { try oracle.patch(title, #"{"screen": "TV"}"#) }
        try oracle.unplug("TV")
        try starter.attach(0xff00_ff00, width: 50, height: 50, to: late.surface)
        late.surface.send(.commit)
        let typist = try oracle.connect("typist")
        let typistInput = try TestInput(typist)
        typist.window("editor").color(0xff00_00ff).makeKeyAndVisible()
        try oracle.fixture.pump()
        #expect(try oracle.windows().filter(\.visible).map(\.title) == ["editor"])
        _ = starterInput.takeEvents()

        try oracle.plug("TV")
        #expect(try oracle.windows().allSatisfy(\.visible))
        #expect(try oracle.windows().filter(\.key).map(\.title) == ["editor"])
        _ = typistInput.takeEvents()
        #expect(try oracle.inject(#""type": "key", "key": "a""#).outcome == "editor")
        #expect(typistInput.takeEvents() == ["key 30 1", "key 30 0"])
        #expect(starterInput.takeEvents() == [] && !late.has(.activated) && !early.has(.activated))
    }

    @Test("K7: the only plain window returns with its screen, and what is typed arrives")
    func onlyWindowReturns() throws {
        let oracle = try OracleFixture("800x600,name=PANEL")
        let client = try oracle.connect("terminal")
        let input = try TestInput(client)
        let terminal = try TestToplevel.map(client, oracle.fixture, "terminal")
        for _ in 0..<2 {
            try oracle.unplug("PANEL")
            #expect(try !oracle.window("terminal").key && !terminal.has(.activated))
            #expect(try oracle.inject(#""type": "key", "key": "a""#).outcome == "noKeyWindow")
            try oracle.plug("PANEL", "800x600")
            _ = input.takeEvents()
            #expect(try oracle.inject(#""type": "key", "key": "a""#).outcome == "terminal")
            #expect(input.takeEvents() == ["key 30 1", "key 30 0"] && terminal.has(.activated))
        }
    }

    @Test("S2: a server starts without a screen; clients connect, claim, and get their windows when one appears")
    func noScreenAtFirst() throws {
        let oracle = try OracleFixture()
        #expect(try oracle.screens().isEmpty)
        let client = try oracle.connect("client")
        #expect(client.screens.isEmpty && client.mainScreens == [nil])
        client.window("sign").color(0xffff_0000).makeKeyAndVisible()
        let program = try oracle.connect("program")
        let plain = program.toplevel("plain")
        plain.surface.send(.commit)
        try oracle.fixture.pump()
        try program.attach(0xff00_ff00, width: 100, height: 50, to: plain.surface)
        plain.surface.send(.commit)
        try oracle.fixture.pump()
        #expect(try oracle.windows().map(\.visible) == [false, false] && client.takeEvents() == [])

        try oracle.plug("WALL")
        #expect(try oracle.windows().map(\.visible) == [true, true])
        #expect(
            client.takeEvents().filter { $0.hasPrefix("sign.did") } == ["sign.didBecomeVisible", "sign.didBecomeKey"])
        #expect(try oracle.window("sign").frame == .init(x: 0, y: 0, width: 640, height: 480))
        #expect(try oracle.fixture.color(x: 639, y: 479) == 0xff0000)
    }

    @Test("S2: clients are told which screen is main, before and after it is plugged in again")
    func mainScreen() throws {
        let oracle = try OracleFixture("800x600,kind=builtIn,name=PANEL", "640x480,external,name=TV")
        let client = try oracle.connect("client")
        func listed() throws -> [String] { try oracle.screens().map { ($0.main ? "main " : "") + $0.name } }
        #expect(try listed() == ["main PANEL", "TV"])
        try oracle.unplug("PANEL")
        #expect(try listed() == ["main TV"])
        try oracle.send("POST", "screens", #"{"model": "800x600", "kind": "builtIn", "name": "PANEL"}"#)
        #expect(try listed() == ["main PANEL", "TV"], "the built-in one, although it connected last")
        try oracle.plug("WALL")
        #expect(try oracle.connect("late").mainScreens == ["PANEL"])
        for name in ["PANEL", "TV", "WALL"] { try oracle.unplug(name) }
        #expect(client.mainScreens == ["PANEL", "TV", "PANEL", "TV", "WALL", nil])
    }

    @Test("R3: a program with fixed rotation sees one portrait screen, frames and touches included")
    func fixedRotation() throws {
        let oracle = try OracleFixture("800x600,name=PANEL")
        let (fixed, turning) = (try oracle.connect("fixed"), try oracle.connect("turning"))
        fixed.application.send(.setRotationPolicy(policy: .fixed))
        let window = fixed.window("w").color(0xffff_0000).frame(10, 20, 100, 50)
        window.window.send(.setAutoresizing(mask: [.width, .height, .leftMargin]))
        window.show()
        let (events, input) = (TestEvents(fixed, window), try TestInput(fixed))
        try oracle.fixture.pump()
        #expect(try oracle.fixture.color(x: 10, y: 20) == 0xff0000)
        _ = fixed.takeEvents()

        try oracle.send("PATCH", "screens/PANEL", #"{"orientation": "landscapeLeft", "duration": 0}"#)
        let (seen, real) = (try #require(fixed.screens.first), try #require(turning.screens.first))
        #expect(real.bounds == (600, 800) && real.orientation == .landscapeLeft)
        #expect(seen.bounds == (800, 600) && seen.orientation == .portrait)
        #expect(try oracle.window("w").frame == .init(x: 10, y: 20, width: 100, height: 50))
        #expect(!fixed.takeEvents().contains("w.frameDidChange"))
        #expect(try oracle.fixture.color(x: 109, y: 69) == 0xff0000 && oracle.fixture.color(x: 110, y: 69) == 0)

        // The panel's point 30,50 with its left edge up: 50 points from the right, 30 from the top.
        #expect(try oracle.inject(#""type": "tap", "x": 550, "y": 30"#).outcome == "w")
        let surface = window.surface.id
        #expect(input.takeEvents() == ["down 0 \(surface) 20.0,30.0", "up 0"])
        let items = ["began", "ended"].map { ["w touch 0 \($0) direct 20.0,30.0 PANEL 30.0,50.0"] }
        #expect(events.takeItems() == items)
    }

    /// A window at 100,150 of 300 × 150 points on a screen of 800 × 600: the parts of a row are 100, 300 and 400 points,
    /// those of a column 150, 150 and 300. A quarter turn takes 200 points from the row and gives 200 to the column.
    private static let masks: [(mask: MullionWindowV1.Autoresizing, frame: [Double])] = [
        ([], [100, 150, 300, 150]),
        ([.leftMargin], [-100, 150, 300, 150]),
        ([.width], [100, 150, 100, 150]),
        ([.rightMargin], [100, 150, 300, 150]),
        ([.topMargin], [100, 350, 300, 150]),
        ([.height], [100, 150, 300, 350]),
        ([.bottomMargin], [100, 150, 300, 150]),
        // 100 and 300 lose 50 and 150; 100 and 400 lose 40 and 160.
        ([.leftMargin, .width], [50, 150, 150, 150]),
        ([.leftMargin, .rightMargin], [60, 150, 300, 150]),
        // 150 and 150 gain 100 each.
        ([.topMargin, .height], [100, 250, 300, 250]),
        // 100, 300 and 400 lose 25, 75 and 100; 150, 150 and 300 gain 50, 50 and 100.
        (
            [.leftMargin, .width, .rightMargin, .topMargin, .height, .bottomMargin], [75, 200, 225, 200]
        ),
    ]

    @Test("R2: all six autoresizing bits share what was gained or lost, in proportion to what they have")
    func autoresizing() throws {
        let oracle = try OracleFixture("800x600,name=PANEL")
        let client = try oracle.connect("client")
        let windows = Self.masks.indices.map { client.window("\($0)").color(0xffff_0000).frame(100, 150, 300, 150) }
        for (window, (mask, _)) in zip(windows, Self.masks) {
            window.window.send(.setAutoresizing(mask: mask))
            window.show()
        }
        try oracle.fixture.pump()
        try oracle.send("PATCH", "screens/PANEL", #"{"orientation": "landscapeRight", "duration": 0}"#)
        for (window, (mask, frame)) in zip(windows, Self.masks) {
            let listed = try oracle.window(window.name).frame
            #expect([listed.x, listed.y, listed.width, listed.height] == frame, "mask \(mask.rawValue)")
            let told = window.frame.map { [$0.x, $0.y, $0.width, $0.height] }
            #expect(told == (frame == [100, 150, 300, 150] ? nil : frame), "mask \(mask.rawValue)")
        }
        // A half turn changes no bounds, and so no frame.
        _ = client.takeEvents()
        try oracle.send("PATCH", "screens/PANEL", #"{"orientation": "landscapeLeft", "duration": 0}"#)
        #expect(!client.takeEvents().contains { $0.hasSuffix("frameDidChange") })
    }

    @Test("S6: a change of scale, overscan or position is no mode change")
    func noModeChange() throws {
        let oracle = try OracleFixture("tv-1080p,name=TV")
        let client = try oracle.connect("client")
        let screen = try #require(client.screens.first)
        let full = client.window("full").color(0xffff_0000)
        full.show()
        let plain = try TestToplevel.map(client, oracle.fixture, "plain")
        plain.toplevel.send(.setMaximized)
        try oracle.fixture.pump()
        _ = client.takeEvents()
        let events = try oracle.control.events()
        func change(_ body: String, _ width: Double, _ height: Double) throws -> [String] {
            try oracle.send("PATCH", "screens/TV", "{\(body)}")
            #expect(screen.bounds == (width, height), "\(body)")
            #expect(plain.size == (Int32(width), Int32(height)), "\(body)")
            #expect(full.frame.map { [$0.width, $0.height] } == [width, height], "\(body)")
            return client.takeEvents()
        }
        #expect(try change(#""scale": 2"#, 960, 540) == ["full.frameDidChange"])
        // 5 % of overscan: 48 and 27 pixels at each side.
        #expect(try change(#""overscan": "insetBounds""#, 912, 513) == ["full.frameDidChange"])
        #expect(try change(#""position": {"x": 700, "y": 30}"#, 912, 513) == [])
        #expect(try !events().contains { $0.contains("modeDidChange") })
        // The same share of fewer pixels.
        #expect(try change(#""mode": "1280x720""#, 608, 342) == ["modeDidChange 1280x720", "full.frameDidChange"])
        #expect(try events().count { $0.contains("modeDidChange") } == 1)
    }

    @Test("S6: rotation, mode or scale move the automatic neighbours, and never one whose position was set")
    func neighbours() throws {
        let oracle = try OracleFixture("tv-1080p,name=A", "640x480,external,name=B", "640x480,external,name=C")
        try oracle.plug("SET", "640x480", #", "position": {"x": 0, "y": 5000}"#)
        let client = try oracle.connect("client")
        let output = try client.bind(WlOutput.self, name: #require(client.screens.first { $0.name == "B" }).globalName)
        var told: [Int32] = []
        output.onEvent = { if case .geometry(let x, _, _, _, _, _, _, _) = $0 { told.append(x) } }
        func places() throws -> [String] { try oracle.screens().map { "\($0.name) \($0.position.x),\($0.position.y)" } }
        func places(after body: String) throws -> [String] {
            try oracle.send("PATCH", "screens/A", "{\(body)}")
            return try places()
        }
        func expected(_ b: Double, _ c: Double) -> [String] {
            ["A 0.0,0.0", "B \(b),0.0", "C \(c),0.0", "SET 0.0,5000.0"]
        }
        #expect(try places() == expected(1920, 2560))
        #expect(try places(after: #""orientation": "landscapeLeft", "duration": 0"#) == expected(1080, 1720))
        #expect(try places(after: #""orientation": "portrait", "duration": 0"#) == expected(1920, 2560))
        #expect(try places(after: #""mode": "1280x720""#) == expected(1280, 1920))
        #expect(try places(after: #""scale": 2"#) == expected(640, 1280))
        #expect(told == [1920, 1080, 1920, 1280, 640])
        // Somebody sets the position of B to what it is: from now on it stays, and the others go to the right of it.
        try oracle.send("PATCH", "screens/B", #"{"position": {"x": 640, "y": 0}}"#)
        let around = ["A 1280.0,0.0", "B 640.0,0.0", "C 2560.0,0.0", "SET 0.0,5000.0"]
        #expect(try places(after: #""scale": 1"#) == around)
    }
}
