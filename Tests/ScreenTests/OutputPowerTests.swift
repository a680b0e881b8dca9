// zwlr_output_power_v1: screens without power are black and tick for nobody.

import DisplayServer
import MullionWayland
import TestSupport
import Testing
import WindowModel

/// A control, with the modes that its client received.
private final class Power {
    let proxy: Proxy<ZwlrOutputPowerV1>
    private(set) var events: [String] = []

    init(_ client: TestClient, on output: Proxy<WlOutput>) throws {
        let manager = try client.bind(ZwlrOutputPowerManagerV1.self)
        proxy = Proxy(client.connection, version: 1)
        manager.send(.getOutputPower(id: proxy.id, output: output.id))
        manager.send(.destroy)
        proxy.onEvent = { [weak self] event in
            switch event {
            case .mode(let mode): self?.events.append(mode == .on ? "on" : "off")
            case .failed: self?.events.append("failed")
            }
        }
    }
}

@Suite struct OutputPowerTests {
    /// Requests a callback with the next commit.
    private func requestFrame(_ client: TestClient, _ surface: Proxy<WlSurface>, _ done: @escaping () -> Void) {
        let callback = Proxy<WlCallback>(client.connection, version: 1)
        callback.onEvent = { _ in done() }
        surface.send(.frame(callback: callback.id))
    }

    @Test("S1: off, a screen is black but keeps its windows and its output; all controls receive the mode")
    func off() throws {
        let fixture = try ServerFixture.handingOver()
        let (client, other) = (try fixture.connect(), try fixture.connect("other"))
        let window = client.window("w").color(0xffff0000).frame(0, 0, 800, 600)
        window.makeKeyAndVisible()
        try fixture.pump()
        let (first, second) = (
            try Power(client, on: try client.bind(WlOutput.self)), try Power(other, on: try other.bind(WlOutput.self))
        )
        try fixture.pump()
        #expect(first.events == ["on"] && second.events == ["on"])
        _ = client.takeEvents()
        let copies = try TestScreencopy(client)
        let output = try client.bind(WlOutput.self)
        let before = copies.frame(of: output)
        try fixture.pump()
        try before.copy(waiting: true)
        try fixture.wait(for: "the first copy") { before.isReady }
        let frame = copies.frame(of: output, cursor: true)
        try fixture.pump()
        try frame.copy()
        first.proxy.send(.setMode(mode: .off))
        first.proxy.send(.setMode(mode: .off))
        try fixture.pump()
        #expect(first.events == ["on", "off"] && second.events == ["on", "off"])
        #expect(try fixture.screenshot().pixels.allSatisfy { $0 == 0xff00_0000 })
        // A viewer that waits for changes sees it too.
        let dark = copies.frame(of: output)
        try fixture.pump()
        try dark.copy(waiting: true)
        try fixture.wait(for: "the black copy") { dark.isReady }
        #expect(try dark.pixels().allSatisfy { $0 == 0 })
        #expect(client.takeEvents().filter { $0.hasPrefix("w.") } == [] && client.removedGlobals == [])
        #expect(try fixture.tap(x: 10, y: 10).hit != nil)
        // It stays so without a control, and over a restart.
        first.proxy.send(.destroy)
        try fixture.pump()
        try fixture.handOver()
        try fixture.pump()
        #expect(try fixture.color(x: 5, y: 5) == 0 && second.events == ["on", "off"])
        second.proxy.send(.setMode(mode: .on))
        try fixture.pump()
        #expect(try fixture.color(x: 5, y: 5) == 0xff0000 && second.events == ["on", "off", "on"])
        #expect(fixture.model.checkInvariants() == [])
    }

    @Test("off, no frame callback is sent at its rate; they come when it is on, or the window is on another screen")
    func frames() throws {
        let fixture = try ServerFixture(screens: ["800x600", "400x300,external,name=B"], clock: .manual)
        let client = try fixture.connect()
        let windows = ["a", "b"].map { client.window($0).frame(0, 0, 10, 10) }
        for window in windows {
            try client.attach(0xffff0000, width: 10, height: 10, to: window.surface)
            window.show()
        }
        let power = try Power(client, on: try client.bind(WlOutput.self))
        power.proxy.send(.setMode(mode: .off))
        try fixture.pump()
        var done: [String] = []
        for (window, name) in zip(windows, ["a", "b"]) {
            requestFrame(client, window.surface) { done.append(name) }
            window.commit()
        }
        try fixture.pump()
        // V3: one would come each second.
        try fixture.step(800_000)
        try fixture.pump()
        #expect(done == [])
        // Nothing is due: a settled server waits for nobody.
        #expect(try fixture.settle() == [])
        try fixture.model.move(fixture.model.windows[1], to: fixture.model.screens[1])
        try fixture.pump()
        try fixture.step(100_000)
        try fixture.pump()
        #expect(done == ["b"])
        power.proxy.send(.setMode(mode: .on))
        try fixture.pump()
        try fixture.step(50_000)
        try fixture.pump()
        #expect(done == ["b", "a"])
    }

    @Test("an unplugged screen's control fails, and a mode that does not exist is the client's error")
    func ends() throws {
        let fixture = try ServerFixture(screens: ["800x600", "400x300,external,name=B"])
        let client = try fixture.connect()
        let names = client.globals.filter { $0.interface == WlOutput.name }.map(\.name)
        let output = try client.bind(WlOutput.self, name: names[1])
        let power = try Power(client, on: output)
        power.proxy.send(.setMode(mode: .off))
        try fixture.pump()
        let screen = try #require(fixture.model.screen(named: "B"))
        #expect(!screen.isPowered)
        try fixture.server.disconnect(screen.id)
        try fixture.pump()
        let late = try Power(client, on: output)
        power.proxy.send(.setMode(mode: .on))
        try fixture.pump()
        #expect(power.events == ["on", "off", "failed"] && late.events == ["failed"] && client.isOpen)
        let again = try fixture.server.connect(screen.properties)
        #expect(fixture.model.screen(again)?.isPowered == true)
        late.proxy.send(.setMode(mode: .init(rawValue: 2)))
        try fixture.pump()
        #expect(client.protocolError?.code == 1)
    }

    @Test("without the right administer there is no control")
    func right() throws {
        let fixture = try ServerFixture()
        fixture.server.peerPolicy = PeerPolicy(rules: [PeerRule(rights: [.view, .capture, .inject, .clipboard, .lock])])
        let names = try fixture.connect().globals.map(\.interface)
        #expect(!names.contains(ZwlrOutputPowerManagerV1.name))
    }

    @Test("the control API shows the power and changes it")
    func api() throws {
        let fixture = try ServerFixture()
        let control = try TestControl(fixture)
        #expect(try control.send("GET", "/v1/screens/1").body.contains("\"powered\":true"))
        let client = try fixture.connect()
        let power = try Power(client, on: try client.bind(WlOutput.self))
        #expect(try control.send("PATCH", "/v1/screens/1", "{\"powered\": false}").body.contains("\"powered\":false"))
        try fixture.pump()
        #expect(power.events == ["on", "off"])
        #expect(try control.send("PATCH", "/v1/screens/1", "{\"powered\": true, \"enabled\": false}").status == 409)
    }
}
