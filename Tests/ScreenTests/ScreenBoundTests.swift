// S1 at its limits: numbers and names that a screen can have, and who is notified of a change.

import DisplayServer
import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import Displays

@Suite struct ScreenBoundTests {
    private static let mode = Screen.Mode(width: 640, height: 480)

    private func description(_ change: (inout ScreenDescription) -> Void) -> ScreenDescription {
        var result = ScreenDescription(name: "S", modes: [Self.mode])
        change(&result)
        return result
    }

    @Test("S1: values that no protocol can carry are refused, and the server continues")
    func bounds() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        _ = try client.bind(WlOutput.self)
        let changes: [(inout ScreenDescription) -> Void] = [
            { $0.position = Point(x: 1e10, y: 0) }, { $0.position = Point(x: 0, y: -8_388_608) },
            { $0.position = Point(x: .nan, y: 0) }, { $0.scale = 1e12 }, { $0.scale = 64.1 }, { $0.scale = 1 / 65 },
            { $0.scale = .nan }, { $0.modes = [Screen.Mode(width: 640, height: 480, refresh: 100_000_001)] },
            { $0.maximumFramesPerSecond = 100_001 }, { $0.maximumFramesPerSecond = .max },
            { $0.physicalSize = Size(width: 1e6 + 1, height: 0) }, { $0.physicalSize = Size(width: .nan, height: 0) },
        ]
        for (index, change) in changes.enumerated() {
            let error = #expect(throws: ModelError.self, "number \(index)") {
                try fixture.server.connect(description(change))
            }
            #expect(error?.rule == .s1)
        }
        let screen = fixture.mainScreen
        #expect(throws: ModelError.self) { try fixture.model.setPosition(Point(x: 1e10, y: 0), of: screen) }
        #expect(throws: ModelError.self) { try fixture.model.setScale(1e12, of: screen) }
        try fixture.pump()
        #expect(client.isOpen && fixture.model.screens == [screen])
    }

    @Test("S1: the largest possible numbers reach a client unchanged")
    func extremes() throws {
        let fixture = try ServerFixture(screens: [])
        let client = try fixture.connect()
        var geometry: [Int32] = []
        for sign in [-1.0, 1.0] {
            let id = try fixture.server.connect(
                description {
                    $0.modes = [
                        Screen.Mode(width: 16_384, height: 4096, refresh: 100_000_000),
                        Screen.Mode(width: 65_535, height: 65_535, refresh: 100_000_000),
                    ]
                    $0.position = Point(x: sign * 8_388_607, y: sign * 8_388_607)
                    $0.scale = sign < 0 ? 1 / 64 : 64
                    $0.maximumFramesPerSecond = 100_000
                    $0.physicalSize = Size(width: 1e6, height: 1e6)
                })
            try fixture.pump()
            let output = try client.bind(WlOutput.self, name: client.screens.last?.globalName)
            output.onEvent = { event in
                if case .geometry(let x, let y, let width, let height, _, _, _, _) = event {
                    geometry = [x, y, width, height]
                }
            }
            try fixture.pump()
            let place = Int32(sign * 8_388_607)
            #expect(geometry == [place, place, 1_000_000, 1_000_000])
            #expect(client.screens.last?.currentMode.refresh == 100_000_000)
            let width: Double = sign < 0 ? 16_384 * 64 : 16_384 / 64
            #expect(client.screens.last?.bounds.width == width.rounded(toParts: 256))
            try fixture.server.disconnect(id)
        }
        #expect(client.isOpen)
    }

    /// Modes of which there can be no picture: too many pixels, or too long an edge.
    private static let tooLarge = [(8193, 8192), (16_385, 16), (65_535, 65_535)].map {
        Screen.Mode(width: $0.0, height: $0.1)
    }

    @Test("S3: a mode of which there could be no picture is never current, however it is set", arguments: tooLarge)
    func drawable(mode: Screen.Mode) throws {
        let fixture = try ServerFixture(screens: [])
        let control = try TestControl(fixture)
        func isRefused(_ change: () throws(ModelError) -> Void) -> Bool {
            do throws(ModelError) {
                try change()
                return false
            } catch {
                return error.kind == .notAllowed && error.rule == .s3 && error.message.contains("67108864")
                    && error.message.contains("16384")
            }
        }
        // Plugged by its size, as a model with other modes, and by the API.
        #expect(isRefused { () throws(ModelError) in try fixture.server.plug(ScreenSpecification(model: mode.text)) })
        #expect(
            isRefused { () throws(ModelError) in
                try fixture.server.connect(description { ($0.modes, $0.currentMode) = ([Self.mode, mode], mode) })
            })
        let answer = try control.send("POST", "/v1/screens", "{\"model\":\"\(mode.text)\"}")
        #expect(answer.status == 409 && answer.body.contains("67108864"), "\(answer)")
        #expect(fixture.model.screens.isEmpty)
        // Available, and the highest: the highest that can be drawn is the default.
        let id = try fixture.server.connect(description { ($0.modes, $0.preferredMode) = ([Self.mode, mode], mode) })
        #expect(fixture.model.screen(id)?.currentMode == Self.mode)
        #expect(isRefused { () throws(ModelError) in try fixture.model.setMode(mode, of: id) })
        #expect(isRefused { () throws(ModelError) in try fixture.model.setMode(mode, scale: 2, of: id) })
        #expect(
            isRefused { () throws(ModelError) in
                var wanted = try fixture.server.pluggedScreen("S").properties
                wanted.currentMode = mode
                try fixture.server.change(id, to: wanted)
            })
        let change = try control.send("PATCH", "/v1/screens/S", "{\"mode\":\"\(mode.text)\"}")
        #expect(change.status == 409 && change.body.contains("67108864"), "\(change)")
        // Switched on in that mode, and by output management.
        try fixture.server.switchOff(id)
        #expect(
            isRefused { () throws(ModelError) in
                let screen = try fixture.server.pluggedScreen("S")
                var properties = screen.properties
                properties.currentMode = mode
                try fixture.server.apply([ScreenSetting(screen: screen, isEnabled: true, properties: properties)])
            })
        try fixture.server.switchOn("S")
        #expect(fixture.model.screen(named: "S")?.currentMode == Self.mode)
        #expect(fixture.model.checkInvariants() == [])
    }

    @Test("S3: the largest modes that can be drawn are pictured", arguments: ["8192x8192", "16384x4096", "1x16384"])
    func largest(mode: String) throws {
        let fixture = try ServerFixture(screens: [mode])
        let picture = try fixture.screenshot()
        #expect("\(picture.width)x\(picture.height)" == mode)
    }

    @Test("one picture of screens that are too far apart is refused with the bound; each can still be pictured")
    func farApart() throws {
        let fixture = try ServerFixture(screens: ["640x480", "640x480,position=100000+0,scale=2"])
        let control = try TestControl(fixture)
        for path in ["/v1/screenshot.png", "/v1/capture?joined=true"] {
            let answer = try control.send("GET", path)
            #expect(answer.status == 409 && answer.body.contains("67108864"), "\(answer)")
        }
        for screen in fixture.model.screens {
            #expect(try control.send("GET", "/v1/screens/\(screen)/screenshot.png").status == 200)
        }
        let closer = try control.send(
            "PATCH", "/v1/screens/\(fixture.model.screens[1])", "{\"position\":{\"x\":640,\"y\":0}}")
        #expect(closer.status == 200, "\(closer)")
        #expect(try control.send("GET", "/v1/screenshot.png").status == 200)
    }

    @Test("S1: names of a screen have a maximum length, and no NUL, which no client could read")
    func names() throws {
        let fixture = try ServerFixture()
        let long = String(repeating: "é", count: 128)
        let changes: [(inout ScreenDescription) -> Void] = [
            { $0.name = long }, { $0.vendor = long }, { $0.model = long }, { $0.serial = long }, { $0.serial = "a\0b" },
        ]
        for change in changes {
            let error = #expect(throws: ModelError.self) { try fixture.server.connect(description(change)) }
            #expect(error?.message.contains("255") == true)
        }
        try fixture.server.connect(description { $0.name = String(long.dropLast()) + "x" })
        #expect(fixture.model.screens.count == 2)
    }

    @Test("S1: a new position or brightness is sent to every client, once a turn, and is not a mode change")
    func properties() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let output = try client.bind(WlOutput.self)
        var received: [String] = []
        output.onEvent = { event in
            switch event {
            case .geometry(let x, let y, _, _, _, _, _, _): received.append("geometry \(x),\(y)")
            case .done: received.append("done")
            default: break
            }
        }
        try fixture.pump()
        let listed = try #require(client.screens.first).proxy
        let before = listed.onEvent
        listed.onEvent = { event in
            switch event {
            case .position(let x, let y): received.append("position \(x.double),\(y.double)")
            case .brightness(let value): received.append("brightness \(value)")
            case .done: received.append("screen done")
            default: break
            }
            before?(event)
        }
        received = []
        let screen = fixture.mainScreen
        try fixture.model.setPosition(Point(x: 30, y: 40), of: screen)
        try fixture.model.setBrightness(0, of: screen)
        try fixture.pump()
        #expect(received == ["geometry 30,40", "done", "position 30.0,40.0", "brightness 0", "screen done"])
        #expect(client.takeEvents() == [], "S6: the mode is the same")
        received = []
        try fixture.model.setPosition(Point(x: 30, y: 40), of: screen)
        try fixture.model.setBrightness(0, of: screen)
        try fixture.pump()
        #expect(received == [])
    }

    @Test("S6: mode and scale together are one change, and each window's frame changes once")
    func together() throws {
        let fixture = try ServerFixture(screens: [])
        let id = try fixture.server.connect(
            description { $0.modes = [Screen.Mode(width: 1280, height: 960), Self.mode] })
        let client = try fixture.connect()
        client.window("w").color(0xffff0000).show()
        try fixture.pump()
        _ = client.takeEvents()
        try fixture.model.setMode(Self.mode, scale: 2, of: id)
        try fixture.pump()
        #expect(client.takeEvents() == ["modeDidChange 640x480", "w.frameDidChange"])
        #expect(client.screens.last?.bounds.width == 320)
    }

    @Test("S3: a mode is found by its text in the same way for a display model and a screen")
    func modes() throws {
        let fixture = try ServerFixture()
        var model = ScreenSpecification(model: "1024x768@75")
        model.mode = "1024x768@60"
        let error = #expect(throws: ModelError.self) { try fixture.server.plug(model) }
        #expect(
            error?.message == "1024x768@60 is not a mode of display model 1024x768@75; use one of 1024x768@75")
        model.mode = "1024x768"
        let id = try fixture.server.plug(model)
        #expect(fixture.model.screen(id)?.currentMode.refresh == 75_000)
    }
}

extension Double {
    /// Rounded to the nearest 1 / `parts`.
    fileprivate func rounded(toParts parts: Double) -> Double { (self * parts).rounded() / parts }
}
