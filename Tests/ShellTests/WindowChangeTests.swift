// What a client is told of its windows when somebody else changes them: W1, W3, W4, S8, S9.

import DisplayServer
import Displays
import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@Suite struct WindowChangeTests {
    private struct Fixture {
        let fixture: ServerFixture
        let control: TestControl
        let client: TestClient
        let window: TestWindow
        let id: Window.ID

        init() throws {
            fixture = try ServerFixture()
            control = try TestControl(fixture)
            client = try fixture.connect()
            window = client.window("w").color(0xffff0000).frame(10, 10, 100, 100)
            window.show()
            try fixture.pump()
            id = try #require(fixture.model.windows.first)
            _ = client.takeEvents()
        }

        func patch(_ body: String) throws {
            let answer = try control.send("PATCH", "/v1/windows/\(id)", body)
            guard answer.status == 200 else { throw FixtureError(answer.body) }
            try fixture.pump()
        }
    }

    /// The bodies of PATCH that change a property and change it back, the client's request to change it, and its events.
    private static var changes: [(bodies: [String], request: MullionWindowV1.Request, events: [String])] {
        [
            (
                ["{\"level\":7.5}", "{\"level\":0}"], .setLevel(level: Fixed(rounding: 9)),
                ["w.level 7.5", "w.level 0.0"]
            ),
            (
                ["{\"hidden\":true}", "{\"hidden\":false}"], .setHidden(hidden: 1),
                ["w.hidden 1", "w.didBecomeHidden", "w.hidden 0", "w.didBecomeVisible"]
            ),
            (["{\"alpha\":0.2}", "{\"alpha\":1}"], .setAlpha(alpha: 7), ["w.alpha 858993459", "w.alpha 4294967295"]),
            (["{\"title\":\"Grüße\"}", "{\"title\":\"w\"}"], .setTitle(title: "own"), ["w.title Grüße", "w.title w"]),
            (
                ["{\"userInteractionEnabled\":false}", "{\"userInteractionEnabled\":true}"],
                .setUserInteractionEnabled(enabled: 0), ["w.interaction 0", "w.interaction 1"]
            ),
            (
                ["{\"autoresizing\":[\"width\",\"bottomMargin\"]}", "{\"autoresizing\":[]}"],
                .setAutoresizing(mask: .height), ["w.autoresizing 34", "w.autoresizing 0"]
            ),
            (
                [
                    "{\"frame\":{\"x\":1,\"y\":2,\"width\":3,\"height\":4}}",
                    "{\"frame\":{\"x\":10,\"y\":10,\"width\":100,\"height\":100}}",
                ],
                .setFrame(
                    x: Fixed(rounding: 5), y: Fixed(rounding: 6), width: Fixed(rounding: 7), height: Fixed(rounding: 8)),
                ["w.frameDidChange", "w.frameDidChange"]
            ),
        ]
    }

    @Test(
        "W1: a property changed through the control API is sent once; what the client sets itself is not",
        arguments: 0..<7)
    func properties(index: Int) throws {
        let setup = try Fixture()
        let (bodies, request, events) = Self.changes[index]
        for body in bodies {
            try setup.patch(body)
            try setup.patch(body)
        }
        #expect(setup.client.takeEvents() == events)
        setup.window.window.send(request)
        setup.window.commit()
        try setup.fixture.pump()
        #expect(setup.client.takeEvents().filter { $0 != "w.didBecomeHidden" } == [])
        try setup.patch(bodies[1])
        #expect(setup.client.takeEvents() == Array(events[(events.count / 2)...]))
    }

    @Test("W1: of several changes in one turn a client is told the last value only, and nothing if it is its own")
    func turns() throws {
        let setup = try Fixture()
        let model = setup.fixture.model
        for level in 1...5 { try model.setLevel(Double(level), of: setup.id) }
        try model.setAlpha(0.5, of: setup.id)
        try model.setAlpha(1, of: setup.id)
        try setup.fixture.pump()
        #expect(setup.client.takeEvents() == ["w.level 5.0"])
    }

    @Test("C4: the number of commits tells whether a change came before or after the client's own request")
    func crossing() throws {
        let setup = try Fixture()
        let before = setup.window.commits
        try setup.patch("{\"level\": 1}")
        let known = setup.window.commits
        #expect(known == before + 1, "the commit that showed it")
        // Both requests cross: the server handles the client's last, and the client must not believe the other.
        setup.window.level(3).commit()
        setup.window.commit()
        try setup.fixture.model.setLevel(2, of: setup.id)
        setup.fixture.server.deliverAndFlush()
        try setup.fixture.pump()
        #expect(setup.client.takeEvents() == ["w.level 1.0", "w.level 2.0"])
        #expect(setup.window.commits == known, "set in a later commit than that, so the level is 3")
        #expect(setup.fixture.model.window(setup.id)?.level == 3)
        try setup.patch("{\"level\": 4}")
        #expect(setup.client.takeEvents() == ["w.level 4.0"] && setup.window.commits == known + 2)
    }

    @Test(
        "W3, W4: from the events a client knows the order of its windows at any time, hidden ones too", arguments: 1...4
    )
    func order(seed: UInt64) throws {
        let fixture = try ServerFixture(screens: ["800x600", "640x480,external,name=WALL"])
        var random = SeededRandom(seed: seed)
        let clients = [try fixture.connect("0"), try fixture.connect("1")]
        var windows: [(client: Int, window: TestWindow)] = []
        for step in 0..<120 {
            let (client, choice) = (Int.random(in: 0...1, using: &random), Int.random(in: 0..<12, using: &random))
            let id = fixture.model.windows.randomElement(using: &random)
            let own = windows.randomElement(using: &random)?.window
            if windows.count < 4 || (choice == 0 && windows.count < 10) {
                let window = clients[client].window(
                    "\(client).\(step)", on: clients[client].screens.randomElement(using: &random))
                windows.append((client, window.color(0xffff0000).commit()))
            }
            switch choice {
            case 1: own?.show()
            case 2: own?.makeKeyAndVisible()
            case 3: own?.level(Double.random(in: 0...1, using: &random).rounded()).commit()
            case 4: own?.hide()
            case 5: try id.map { try fixture.model.bringToFront($0) }
            case 6: try id.map { try fixture.model.setLevel(1, of: $0) }
            case 7: try id.map { try fixture.model.setHidden(false, of: $0) }
            case 8: try id.map { try fixture.model.move($0, to: fixture.model.screens.randomElement(using: &random)) }
            case 9: try fixture.model.screen(named: "WALL").map { try fixture.server.disconnect($0.id) }
            case 10 where fixture.model.screens.count == 1:
                try fixture.server.plug(ScreenSpecification(parsing: "640x480,external,name=WALL"))
            default: break
            }
            // What the server changed and what clients requested cross.
            if step % 3 > 0 { continue }
            try fixture.pump()
            for (index, client) in clients.enumerated() {
                let names = fixture.model.windows.compactMap { fixture.model.window($0) }
                    .filter { $0.title.hasPrefix("\(index).") }
                let known = names.sorted { a, b in
                    (a.level, client.raised.lastIndex(of: a.title) ?? -1)
                        < (b.level, client.raised.lastIndex(of: b.title) ?? -1)
                }
                guard let application = known.first?.application else { continue }
                #expect(known.map(\.id) == fixture.model.windows(of: application), "step \(step), \(choice)")
            }
        }
    }

    @Test("S9: moving to a screen that was unplugged meanwhile is answered with the screen that the window is on")
    func lostScreen() throws {
        let setup = try Fixture()
        let wall = try setup.fixture.server.plug(ScreenSpecification(parsing: "640x480,external,name=WALL"))
        try setup.fixture.pump()
        let screen = try #require(setup.client.screens.last)
        setup.window.window.send(.setScreen(screen: screen.proxy.id))
        setup.window.commit()
        try setup.fixture.server.disconnect(wall)
        let late = setup.client.window("late", on: screen)
        try setup.fixture.pump()
        let name = try #require(setup.client.screens.first).name
        let moves = setup.client.takeEvents().filter { $0.contains(".screenDidChange") }
        #expect(moves == ["w.screenDidChange(\(name))", "late.screenDidChange(nil)"])
        late.destroy()
    }

    @Test("S2: moving to the main screen is answered with that screen, even if the window is on it")
    func mainScreen() throws {
        let setup = try Fixture()
        try setup.fixture.server.plug(ScreenSpecification(parsing: "640x480,external,name=WALL"))
        try setup.fixture.pump()
        let name = try #require(setup.client.screens.first).name
        _ = setup.client.takeEvents()
        setup.window.window.send(.setScreen(screen: nil))
        setup.window.commit()
        try setup.fixture.pump()
        #expect(setup.client.takeEvents() == ["w.screenDidChange(\(name))"])
        setup.window.window.send(.setScreen(screen: setup.client.screens.last?.proxy.id))
        setup.window.window.send(.setScreen(screen: nil))
        setup.window.commit()
        try setup.fixture.pump()
        #expect(
            setup.client.takeEvents().filter { $0.contains(".screenDidChange") }.last == "w.screenDidChange(\(name))")
    }

    @Test("W1: a server that takes over knows what its clients know")
    func handOver() throws {
        let fixture = try ServerFixture.handingOver()
        let client = try fixture.connect()
        let window = client.window("w").color(0xffff0000).level(3)
        window.show()
        try fixture.pump()
        let id = try #require(fixture.model.windows.first)
        try fixture.model.setAlpha(0.2, of: id)
        try fixture.pump()
        #expect(client.takeEvents() == ["w.didBecomeVisible", "w.alpha 858993459"])
        let (commits, raised) = (window.commits, client.raised)
        try fixture.handOver()
        try fixture.pump()
        #expect(client.takeEvents() == [] && client.raised == raised)
        try fixture.model.setLevel(3, of: id)
        try fixture.model.setAlpha(0.2, of: id)
        try fixture.model.setTitle("w", of: id)
        window.window.send(.setAlpha(alpha: 0))
        window.commit()
        try fixture.pump()
        #expect(client.takeEvents() == [])
        // The values that a new window has are no exception.
        try fixture.model.setLevel(0, of: id)
        try fixture.model.setTitle("", of: id)
        try fixture.pump()
        #expect(client.takeEvents() == ["w.level 0.0", "w.title "])
        #expect(window.commits == commits + 1)
    }

    @Test("a client that uses version 1 of the protocol is sent none of the events that version lacks")
    func oldVersion() throws {
        let setup = try Fixture()
        let application = try setup.client.bind(MullionApplicationV1.self, version: 1)
        let surface = setup.client.surface()
        let window = Proxy<MullionWindowV1>(setup.client.connection, version: 1)
        application.send(.createWindow(id: window.id, surface: surface.id, screen: nil))
        var events: [String] = []
        window.onEvent = { events.append("\($0)") }
        window.send(.setHidden(hidden: 0))
        surface.send(.commit)
        try setup.fixture.pump()
        let id = try #require(setup.fixture.model.windows.last)
        let body = "{\"level\": 1, \"alpha\": 0, \"title\": \"t\", \"hidden\": true}"
        #expect(try setup.control.send("PATCH", "/v1/windows/\(id)", body).status == 200)
        try setup.fixture.pump()
        #expect(events == ["didBecomeVisible", "didBecomeHidden"] && setup.client.isOpen)
    }

    @Test("a title that does not fit into a message of Wayland is cut for the client, and one with NUL refused")
    func titles() throws {
        let setup = try Fixture()
        try setup.patch("{\"title\": \"\(String(repeating: "ü", count: 2048))\"}")
        #expect(setup.client.takeEvents() == ["w.title " + String(repeating: "ü", count: 2040)])
        let answer = try setup.control.send("PATCH", "/v1/windows/\(setup.id)", "{\"title\": \"a\\u0000b\"}")
        #expect(answer.status == 422 && answer.body.contains("NUL"), "\(answer.body)")
        #expect(setup.client.isOpen && setup.client.takeEvents() == [])
    }
}
