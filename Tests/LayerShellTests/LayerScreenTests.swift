// Layer surfaces and their screens: several, none, unplugged, turned and scaled.

import Displays
import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct LayerScreenTests {
    private func outputs(_ client: TestClient) throws -> [Proxy<WlOutput>] {
        try client.globals.filter { $0.interface == WlOutput.name && !client.removedGlobals.contains($0.name) }
            .map { try client.bind(WlOutput.self, name: $0.name) }
    }

    @Test("each screen has its own surfaces and its own area")
    func several() throws {
        let fixture = try ServerFixture(screens: ["800x600", "400x300,external"])
        let client = try fixture.connect()
        let outputs = try outputs(client)
        let walls = try outputs.map {
            try TestLayerSurface(client, .background, on: $0).set(0, 0, at: .all, zone: 0).map(fixture)
        }
        #expect(walls.map { $0.takeConfigures() } == [["800x600"], ["400x300"]])
        try TestLayerSurface(client, on: outputs[1]).set(0, 20, at: .along, zone: 20).map(fixture)
        #expect(walls.map { $0.takeConfigures() } == [[], ["400x280"]])
        #expect(try (0..<3).map { try fixture.window($0).screen?.rawValue } == [1, 2, 2])
    }

    @Test("S8: a surface is closed when its screen is unplugged, never its client; after a replug it is made anew")
    func unplugged() throws {
        for policy in [Policy.Orphans.keep, .main] {
            let fixture = try ServerFixture(
                screens: ["800x600", "400x300,external,name=B"], policy: Policy(orphans: policy))
            let client = try fixture.connect()
            let outputs = try outputs(client)
            let bar = try TestLayerSurface(client, on: outputs[1]).set(0, 20, at: .along, zone: 20).map(fixture)
            let screen = try #require(fixture.model.screen(named: "B")?.id)
            try fixture.server.disconnect(screen)
            // On the way when the screen was unplugged: ignored.
            bar.set(0, 40, at: .along)
            try bar.draw()
            try client.attach(0xff00ff00, width: 8, height: 8, to: bar.surface)
            bar.commit()
            let late = try TestLayerSurface(client, on: outputs[1]).set(5, 5)
            late.commit()
            try fixture.pump()
            #expect(bar.isClosed && late.isClosed && client.isOpen, "\(String(describing: client.error))")
            #expect(fixture.model.windows.isEmpty)
            bar.destroy()
            late.destroy()
            try fixture.server.plug(ScreenSpecification(parsing: "400x300,external,name=B"))
            try fixture.pump()
            #expect(fixture.model.windows.isEmpty)
            let again = try TestLayerSurface(client, on: self.outputs(client)[1]).set(0, 20, at: .along).map(fixture)
            #expect(again.takeConfigures() == ["400x20"] && client.isOpen)
            #expect(fixture.model.checkInvariants() == [])
        }
    }

    @Test("S2: without any screen a surface waits for the next one")
    func waiting() throws {
        let fixture = try ServerFixture(screens: [])
        let client = try fixture.connect()
        let bar = try TestLayerSurface(client).set(0, 20, at: .along)
        bar.commit()
        try fixture.pump()
        #expect(bar.configures == [] && !bar.isClosed)
        try fixture.server.plug(ScreenSpecification(parsing: "400x300"))
        try fixture.pump()
        #expect(bar.takeConfigures() == ["400x20"])
        try bar.draw()
        try fixture.pump()
        #expect(fixture.frames == ["0,0 400x20"])
    }

    @Test("R2: modes, turns and scales arrange anew; only those whose size changes are configured")
    func changes() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let wall = try TestLayerSurface(client, .background).set(0, 0, at: .all, zone: -1).map(fixture)
        let note = try TestLayerSurface(client).set(100, 40, at: [.top, .right]).map(fixture)
        _ = (wall.takeConfigures(), note.takeConfigures())
        #expect(fixture.frames[1] == "700,0 100x40")
        try fixture.server.rotate(fixture.mainScreen, to: .landscapeLeft, duration: 0)
        try fixture.pump()
        #expect(wall.takeConfigures() == ["600x800"] && note.takeConfigures() == [])
        #expect(fixture.frames[1] == "500,0 100x40")
        try fixture.server.rotate(fixture.mainScreen, to: .landscapeRight, duration: 0)
        try fixture.pump()
        #expect(wall.takeConfigures() == [], "half a turn changes no bounds")
        try fixture.model.setScale(2, of: fixture.mainScreen)
        try fixture.pump()
        #expect(wall.takeConfigures() == ["300x400"] && note.takeConfigures() == [])
        #expect(fixture.frames[1] == "200,0 100x40")
        try wall.draw()
        try fixture.pump()
        #expect(fixture.frames[0] == "0,0 300x400")
    }

    @Test("R3: a client that does not rotate arranges in the portrait screen that it sees; its zone is where it shows")
    func fixed() throws {
        let fixture = try ServerFixture()
        let (client, other) = (try fixture.connect(), try fixture.connect("other"))
        try fixture.server.rotate(fixture.mainScreen, to: .landscapeLeft, duration: 0)
        client.application.send(.setRotationPolicy(policy: .fixed))
        try fixture.pump()
        let bar = try TestLayerSurface(client).set(0, 20, at: .along, zone: 20).map(fixture)
        #expect(bar.takeConfigures() == ["800x20"])
        #expect(fixture.frames == ["0,0 800x20"])
        let toplevel = try TestToplevel.map(other, fixture)
        toplevel.toplevel.send(.setMaximized)
        try fixture.pump()
        #expect(toplevel.size == (580, 800))
        let area = try #require(fixture.server.usableArea(of: fixture.model.windows[1]))
        let shown = try #require(fixture.model.convert(Point(x: 400, y: 10), from: bar.surfaceInModel(fixture)))
        #expect(!area.contains(shown.point))
        let own = try TestLayerSurface(other).set(0, 0, at: .all).map(fixture)
        #expect(own.takeConfigures() == ["580x800"])
    }

    @Test("the control API moves a surface to another screen, where it is arranged; it closes it, but sets no frame")
    func control() throws {
        let fixture = try ServerFixture(screens: ["800x600", "400x300,external,name=B"])
        let client = try fixture.connect()
        let bar = try TestLayerSurface(client).set(0, 20, at: .along, zone: 20).map(fixture)
        _ = bar.takeConfigures()
        let control = try TestControl(fixture)
        let path = "/v1/windows/\(fixture.model.windows[0])"
        let refusal = try control.send("PATCH", path, "{\"frame\": {\"x\": 1, \"y\": 2, \"width\": 3, \"height\": 4}}")
        #expect(refusal.status == 409 && refusal.body.contains("its anchors place"), "\(refusal.body)")
        #expect(try control.send("PATCH", path, "{\"screen\": \"B\"}").status == 200)
        try fixture.pump()
        #expect(bar.takeConfigures() == ["400x20"])
        #expect(fixture.server.output(of: fixture.mainScreen)?.layers.margins == Screen.Insets())
        #expect(try control.send("DELETE", path).status == 202)
        try fixture.pump()
        #expect(bar.isClosed && fixture.model.windows.isEmpty && client.isOpen)
    }
}

extension TestLayerSurface {
    /// The surface of the only window that this client has.
    fileprivate func surfaceInModel(_ fixture: ServerFixture) throws -> Surface.ID {
        guard let root = fixture.model.root(of: fixture.model.windows[0]) else { throw FixtureError("no root") }
        return root
    }
}
