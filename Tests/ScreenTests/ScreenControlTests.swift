// mullion_screen_v1's requests: who may make them, what is refused, and that a refusal changes nothing.

import DisplayServer
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import Displays

@Suite struct ScreenControlTests {
    private let fixture: ServerFixture
    private let client: TestClient
    private let other: TestClient

    init() throws {
        fixture = try ServerFixture(screens: ["800x600"])
        client = try fixture.connect("first")
        other = try fixture.connect("second")
        try fixture.server.connect(
            ScreenDescription(
                name: "TV",
                modes: [
                    Screen.Mode(width: 640, height: 480), Screen.Mode(width: 640, height: 480, refresh: 75_000),
                    Screen.Mode(width: 320, height: 240),
                ], preferredMode: Screen.Mode(width: 640, height: 480, refresh: 75_000),
                overscanInsets: Screen.Insets(top: 8, left: 16, bottom: 0, right: 0)))
        try fixture.pump()
        _ = (client.takeEvents(), other.takeEvents())
    }

    private var television: Screen {
        get throws { try #require(fixture.model.screen(named: "TV")) }
    }

    private func screen(_ client: TestClient, _ index: Int = 1) -> Proxy<MullionScreenV1> {
        client.screens[index].proxy
    }

    private func show(_ client: TestClient, _ index: Int = 1) throws {
        client.window("w", on: client.screens[index]).color(0xffff0000).show()
        try fixture.pump()
        _ = client.takeEvents()
    }

    /// Sends a request that must be refused with a message that contains these words, and change nothing.
    private func expectRefusal(
        _ words: String, to client: TestClient, _ request: MullionScreenV1.Request, _ index: Int = 1,
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        let before = fixture.model.screens.compactMap { fixture.model.screen($0) }
        _ = client.takeEvents()
        screen(client, index).send(request)
        try fixture.pump()
        let received = client.takeEvents()
        let isRefused = received.count == 1 && received[0].hasPrefix("refused: ") && received[0].contains(words)
        #expect(isRefused, "\(received)", sourceLocation: location)
        #expect(fixture.model.screens.compactMap { fixture.model.screen($0) } == before, sourceLocation: location)
        #expect(client.isOpen, sourceLocation: location)
    }

    @Test("S1: by default a screen can be changed only by the one application with visible windows on it")
    func owner() throws {
        try expectRefusal("visible window", to: client, .setScale(scale: Fixed(rounding: 2)))
        try show(client)
        screen(client).send(.setScale(scale: Fixed(rounding: 2)))
        try fixture.pump()
        #expect(try television.scale == 2)
        #expect(client.takeEvents() == ["w.frameDidChange"])
        try expectRefusal("visible window", to: other, .setScale(scale: Fixed(rounding: 1)))
        try show(other)
        try expectRefusal("another application", to: client, .setScale(scale: Fixed(rounding: 1)))
        try expectRefusal("another application", to: other, .setScale(scale: Fixed(rounding: 1)))
        try expectRefusal("visible window", to: client, .setBrightness(brightness: 0), 0)
    }

    @Test("S1: the policy can allow every application, or none")
    func policies() throws {
        fixture.server.screenControl = .everyone
        screen(other).send(.setBrightness(brightness: 0))
        screen(other).send(.setMode(width: 640, height: 480, refresh: 60_000))
        try fixture.pump()
        #expect(try television.properties.brightness == 0 && television.currentMode.refresh == 60_000)
        #expect(other.takeEvents() == ["modeDidChange 640x480"])
        fixture.server.screenControl = .nobody
        try show(client)
        let requests: [MullionScreenV1.Request] = [
            .setMode(width: 320, height: 240, refresh: 0), .setScale(scale: Fixed(rounding: 2)),
            .setOrientation(orientation: .landscapeLeft), .setOverscan(compensation: .none),
            .setBrightness(brightness: 7), .setMirroring(mirroring: .off, name: nil),
        ]
        for request in requests { try expectRefusal("no application", to: client, request) }
    }

    @Test("S3, S5, S7, R1: allowed changes are made as by the control API")
    func changes() throws {
        fixture.server.screenControl = .everyone
        let tv = client.screens[1]
        #expect(tv.mirrors == "BUILTIN-1")
        tv.proxy.send(.setMode(width: 320, height: 240, refresh: 0))
        tv.proxy.send(.setOverscan(compensation: .insetBounds))
        tv.proxy.send(.setMirroring(mirroring: .off, name: nil))
        try fixture.pump()
        // In the mode of half the size, half of 16 and 8 pixels are lost.
        #expect(tv.bounds.width == 312 && tv.bounds.height == 236)
        #expect(tv.mirrors == nil && client.takeEvents() == ["modeDidChange 320x240"])
        tv.proxy.send(.setMirroring(mirroring: .screen, name: "BUILTIN-1"))
        tv.proxy.send(.setOrientation(orientation: .landscapeRight))
        try fixture.pump()
        #expect(tv.mirrors == "BUILTIN-1" && tv.bounds.width == 236 && tv.orientation == .landscapeRight)
        #expect(client.takeEvents() == ["willChange 0 3 300 reads 0"])
        #expect(other.takeEvents() == ["modeDidChange 320x240", "willChange 0 3 300 reads 0"])
    }

    @Test("S3, S5: the insets are sent in points, in the screen's orientation")
    func insets() throws {
        fixture.server.screenControl = .everyone
        var received: [[Double]] = []
        let proxy = screen(client)
        let before = proxy.onEvent
        proxy.onEvent = { event in
            if case .overscan(_, let top, let left, let bottom, let right) = event {
                received.append([top.double, left.double, bottom.double, right.double])
            }
            before?(event)
        }
        proxy.send(.setScale(scale: Fixed(rounding: 2)))
        proxy.send(.setOrientation(orientation: .landscapeLeft))
        try fixture.pump()
        // The panel's left edge, which hides 16 pixels, is up; its top is at the right.
        #expect(received.last == [8, 0, 0, 4])
    }

    @Test("S3, S7: impossible requests are refused with a list of possible values, and change nothing")
    func impossible() throws {
        fixture.server.screenControl = .everyone
        try expectRefusal(
            "320x240", to: client, .setMode(width: 640, height: 480, refresh: 50_000))
        try expectRefusal("not a mode", to: client, .setMode(width: -1, height: .min, refresh: .max))
        try expectRefusal("1/64", to: client, .setScale(scale: Fixed(rounding: 65)))
        try expectRefusal("1/64", to: client, .setScale(scale: Fixed(rounding: -1)))
        try expectRefusal("mirror itself", to: client, .setMirroring(mirroring: .screen, name: "TV"))
        try expectRefusal("BUILTIN-1, TV", to: client, .setMirroring(mirroring: .screen, name: "Radio"))
        try expectRefusal("not a connected screen", to: client, .setMirroring(mirroring: .screen, name: nil))
        try expectRefusal(
            "BUILTIN-1 cannot mirror TV, which mirrors BUILTIN-1", to: client,
            .setMirroring(mirroring: .screen, name: "TV"), 0)
    }

    @Test("S7: while the screen that it mirrors by name is unplugged, a screen's other properties can be changed")
    func waiting() throws {
        try fixture.server.plug(ScreenSpecification(parsing: "640x480,external,name=WALL,mirroring=TV"))
        try fixture.server.disconnect(television.id)
        let wall = try #require(fixture.model.screen(named: "WALL"))
        var wanted = wall.properties
        wanted.brightness = 0.5
        try fixture.server.change(wall.id, to: wanted)
        #expect(fixture.model.screen(wall.id)?.properties == wanted)
        wanted.mirroring = .screen("Radio")
        wanted.scale = 2
        let error = #expect(throws: ModelError.self) { try fixture.server.change(wall.id, to: wanted) }
        #expect(error?.rule == .s7 && fixture.model.screen(wall.id)?.scale == 1, "nothing is half done")
    }

    @Test("S1: numbers outside of an enum end the connection, and the error lists the valid ones", arguments: 0..<3)
    func invalid(which: Int) throws {
        let (request, words): (MullionScreenV1.Request, String) = [
            (.setOrientation(orientation: MullionScreenV1.Orientation(rawValue: 4)), "0 to 3"),
            (.setOverscan(compensation: MullionScreenV1.Overscan(rawValue: 3)), "inset_bounds (1)"),
            (.setMirroring(mirroring: MullionScreenV1.Mirroring(rawValue: 9), name: nil), "automatic (0)"),
        ][which]
        screen(client).send(request)
        try fixture.pump()
        #expect(client.protocolError?.code == MullionScreenV1.Error.invalidValue.rawValue)
        #expect(client.protocolError?.message.contains(words) == true)
        #expect(other.isOpen)
    }

    @Test("S9: requests on an unplugged screen change nothing and get no reply, plugged in again or not")
    func inert() throws {
        fixture.server.screenControl = .everyone
        let stale = client.screens[1].proxy
        try fixture.server.disconnect(television.id)
        try fixture.server.plug(ScreenSpecification(parsing: "640x480,external,name=TV"))
        let before = fixture.model.screens.compactMap { fixture.model.screen($0) }
        // The client has not read the withdrawal yet.
        let requests: [MullionScreenV1.Request] = [
            .setMode(width: 1, height: 1, refresh: 0), .setScale(scale: Fixed(rounding: 2)),
            .setOrientation(orientation: .landscapeLeft), .setOverscan(compensation: .none),
            .setBrightness(brightness: 7), .setMirroring(mirroring: .off, name: nil),
            .setMirroring(mirroring: .screen, name: "Radio"),
        ]
        for _ in 0..<2 {
            for request in requests { stale.send(request) }
            try fixture.pump()
        }
        #expect(client.takeEvents() == ["didDisconnect", "didConnect"] && client.isOpen)
        #expect(fixture.model.screens.compactMap { fixture.model.screen($0) } == before)
        stale.send(.destroy)
        try fixture.pump()
        #expect(client.isOpen)
    }
}
