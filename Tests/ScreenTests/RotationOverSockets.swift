// R1–R3 through client connections: which events are sent, in which order, and when.

import DisplayServer
import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import Displays

@Suite struct RotationOverSockets {
    @Test("R1, R2: at will the old orientation is current; then come the state, the frames, and did after 0.3 s")
    func order() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let full = client.window("full").color(0xffff0000)
        full.show()
        client.window("small").color(0xff00ff00).frame(10, 20, 30, 40).show()
        try fixture.pump()
        let screen = try #require(client.screens.first)
        var received: [String] = []
        let before = screen.proxy.onEvent
        screen.proxy.onEvent = { event in
            if case .done = event { client.events.append("state \(screen.orientation.rawValue)") }
            before?(event)
        }
        let output = try client.bind(WlOutput.self)
        try fixture.pump()
        output.onEvent = { event in
            if case .geometry(_, _, _, _, _, _, _, let transform) = event { received.append("\(transform)") }
            if case .done = event { received.append("done") }
        }
        _ = client.takeEvents()
        let start = fixture.loop.now
        try fixture.server.rotate(fixture.mainScreen, to: .landscapeLeft)
        try fixture.pump()
        #expect(client.takeEvents() == ["willChange 0 2 300 reads 0", "state 2", "full.frameDidChange"])
        #expect(full.frame.map { [$0.x, $0.y, $0.width, $0.height] } == [0, 0, 600, 800])
        #expect(screen.bounds.width == 600 && screen.bounds.height == 800)
        #expect(received == ["\(WlOutput.Transform._90)", "done"])
        try fixture.wait(for: "the end of the turn") { !client.events.isEmpty }
        #expect(client.takeEvents() == ["didChange 0 2 reads 2"])
        #expect(fixture.loop.now - start >= 300_000)
        // A half turn leaves the bounds as they are, and a client that turns again at once receives each end.
        try fixture.server.rotate(fixture.mainScreen, to: .landscapeRight)
        try fixture.server.rotate(fixture.mainScreen, to: .portrait, duration: 1000)
        try fixture.wait(for: "the end of the turn") { client.events.last?.hasPrefix("didChange 3") == true }
        #expect(
            client.takeEvents() == [
                "willChange 2 3 600 reads 2", "state 3", "didChange 2 3 reads 3", "willChange 3 0 1 reads 3", "state 0",
                "full.frameDidChange", "didChange 3 0 reads 0",
            ])
    }

    @Test("R2: maximized and fullscreen programs receive the new size between will and did", arguments: [false, true])
    func plainPrograms(isFullscreen: Bool) throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let toplevel = try TestToplevel.map(client, fixture)
        if isFullscreen {
            toplevel.toplevel.send(.setFullscreen(output: nil))
        } else {
            toplevel.toplevel.send(.setMaximized)
        }
        try fixture.pump()
        #expect(toplevel.size == (800, 600))
        try client.attach(0xffff0000, width: 800, height: 600, to: toplevel.surface)
        toplevel.surface.send(.commit)
        try fixture.pump()
        _ = client.takeEvents()
        let configures = toplevel.configures
        toplevel.xdg.onEvent = { [weak toplevel] event in
            guard case .configure(let serial) = event, let toplevel else { return }
            client.events.append("configure \(toplevel.size.width)x\(toplevel.size.height)")
            toplevel.xdg.send(.ackConfigure(serial: serial))
        }
        try fixture.server.rotate(fixture.mainScreen, to: .landscapeRight)
        try fixture.wait(for: "the end of the turn") { client.events.last?.hasPrefix("didChange") == true }
        #expect(
            client.takeEvents() == ["willChange 0 3 300 reads 0", "configure 600x800", "didChange 0 3 reads 3"])
        #expect(toplevel.has(isFullscreen ? .fullscreen : .maximized) && toplevel.configures == configures)
    }

    @Test("R1, S6: screens are plugged and unplugged during a turn; an unplugged one never completes it")
    func plugging() throws {
        let fixture = try ServerFixture(screens: ["800x600", "640x480,external,name=TV"])
        let client = try fixture.connect()
        let tv = client.screens[1]
        // Sent while the screen turns, also to clients that connect meanwhile.
        try fixture.server.rotate(fixture.model.screens[1], to: .landscapeLeft, duration: 50_000)
        try fixture.server.rotate(fixture.mainScreen, to: .portraitUpsideDown, duration: 100_000)
        let late = try fixture.connect("late")
        #expect(late.screens.map(\.orientation) == [.portraitUpsideDown, .landscapeLeft])
        try fixture.server.disconnect(fixture.model.screens[1])
        try fixture.server.plug(ScreenSpecification(parsing: "640x480,external,name=TV"))
        try fixture.wait(for: "the end of the turn") { client.events.last?.hasPrefix("didChange") == true }
        #expect(
            client.takeEvents() == [
                "willChange 0 2 50 reads 0", "willChange 0 1 100 reads 0", "didDisconnect", "didConnect",
                "didChange 0 1 reads 1",
            ])
        #expect(late.takeEvents() == ["didDisconnect", "didConnect", "didChange 0 1 reads 1"])
        #expect(!tv.isConnected && client.screens.last?.name == "TV")
        #expect(client.screens.last?.orientation == .landscapeLeft, "S10: the orientation it had before")
        #expect(fixture.model.screen(named: "TV").map { fixture.model.isRotating($0.id) } == false)
        #expect(fixture.model.checkInvariants() == [])
    }

    @Test("R3: an application that asks to be turned keeps its portrait frames and touches")
    func fixed() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        client.application.send(.setRotationPolicy(policy: .fixed))
        let input = try TestInput(client)
        let window = client.window("w").color(0xffff0000).frame(0, 0, 100, 50)
        window.show()
        try fixture.server.rotate(fixture.mainScreen, to: .landscapeLeft, duration: 0)
        try fixture.pump()
        _ = client.takeEvents()
        #expect(try fixture.color(x: 99, y: 49) == 0xff0000)
        #expect(try fixture.color(x: 100, y: 49) == 0 && fixture.color(x: 99, y: 50) == 0)
        // The panel's pixel (90, 10), with the left edge up.
        #expect(try fixture.tap(x: 590, y: 90).hit?.location == Point(x: 90, y: 10))
        #expect(input.takeEvents().first == "down 99 \(window.surface.id) 90.0,10.0")
        client.application.send(.setRotationPolicy(policy: .rotating))
        try fixture.pump()
        #expect(try fixture.tap(x: 90, y: 10).hit?.location == Point(x: 90, y: 10))
        #expect(client.takeEvents() == [], "the frame is the same, in another coordinate space")
        client.application.send(.setRotationPolicy(policy: MullionApplicationV1.RotationPolicy(rawValue: 2)))
        try fixture.pump()
        #expect(client.protocolError?.code == MullionApplicationV1.Error.invalidValue.rawValue)
        #expect(client.protocolError?.message.contains("rotating (0) or fixed (1)") == true)
    }

    @Test("R3: an application that is not turned sees one portrait screen: state, outputs, touches and gestures")
    func consistent() throws {
        let fixture = try ServerFixture(screens: ["800x600,scale=2,name=A"])
        let client = try fixture.connect()
        client.application.send(.setRotationPolicy(policy: .fixed))
        var outputs: [String] = []
        let output = try client.bind(WlOutput.self)
        output.onEvent = { event in
            if case .geometry(_, _, _, _, _, _, _, let transform) = event { outputs.append("\(transform)") }
        }
        let manager = try client.bind(ZxdgOutputManagerV1.self)
        let logical = Proxy<ZxdgOutputV1>(client.connection, version: manager.version)
        logical.onEvent = { event in
            if case .logicalSize(let width, let height) = event { outputs.append("\(width)x\(height)") }
        }
        manager.send(.getXdgOutput(id: logical.id, output: output.id))
        let window = client.window("w").color(0xffff0000)
        window.window.send(.setAutoresizing(mask: [.width, .height, .leftMargin]))
        window.frame(10, 20, 300, 200).show()
        let events = TestEvents(client, window)
        try fixture.pump()
        let portrait = outputs
        #expect(portrait == ["\(WlOutput.Transform.normal)", "400x300"])
        _ = client.takeEvents()
        try fixture.server.rotate(fixture.mainScreen, to: .landscapeLeft, duration: 0)
        try fixture.pump()
        #expect(client.takeEvents() == ["willChange 0 2 0 reads 0", "didChange 0 2 reads 0"], "sent, but no effect")
        #expect(outputs == portrait)
        let screen = try #require(client.screens.first)
        #expect(screen.orientation == .portrait && screen.bounds == (400, 300))
        #expect(fixture.model.frame(of: fixture.model.windows[0]) == Rect(x: 10, y: 20, width: 300, height: 200))
        // The point 30,50 of the panel, whose left edge is up: 250 points of the screen from the left.
        let point = Point(x: 250, y: 30)
        let pencil = Event.TouchAttributes(
            majorRadius: 4, orientation: .pi, tool: .pencil(altitude: 1, azimuth: .pi))
        for phase in [Event.Phase.began, .ended] {
            try fixture.model.touch(
                id: 1, phase: phase, at: point, on: fixture.mainScreen, attributes: pencil, time: 1)
        }
        try fixture.model.pointerMoved(to: point, on: fixture.mainScreen, time: 2)
        let swipe = Event.TransformGesture(kind: .swipe, deltaX: 3, deltaY: 5)
        for phase in [Event.Phase.began, .ended] {
            try fixture.model.transformGesture(swipe, phase: phase, time: 3)
        }
        try fixture.pump()
        let items = events.takeItems().flatMap(\.self)
        #expect(items.allSatisfy { $0.contains("20.0,30.0 A 30.0,50.0") || $0.contains("shape") }, "\(items)")
        #expect(items.contains { $0.hasPrefix("w touch 1 began pencil") })
        #expect(items.contains { $0.contains("5.0,-3.0") }, "\(items)")
        #expect(items.contains { $0.contains("shape") && $0.contains("1.5") }, "\(items)")
        client.application.send(.setRotationPolicy(policy: .rotating))
        try fixture.pump()
        #expect(screen.orientation == .landscapeLeft && screen.bounds == (300, 400))
        #expect(outputs.suffix(2) == ["\(WlOutput.Transform._90)", "300x400"])
    }

    @Test("E2: a turn cancels the touches on the screen for their clients, once")
    func touches() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let input = try TestInput(client)
        let window = client.window("w").color(0xffff0000)
        window.show()
        try fixture.pump()
        func touch(_ phase: Event.Phase) throws {
            try fixture.model.touch(
                id: 1, phase: phase, at: Point(x: 50, y: 60), on: fixture.mainScreen, time: fixture.loop.now)
            try fixture.pump()
        }
        try touch(.began)
        try fixture.server.rotate(fixture.mainScreen, to: .landscapeLeft)
        try touch(.moved)
        try touch(.ended)
        #expect(input.takeEvents() == ["down 1 \(window.surface.id) 50.0,60.0", "cancel"])
    }
}
