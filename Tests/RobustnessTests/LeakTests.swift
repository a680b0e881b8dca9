// Clients, and the server itself, are deallocated once released.

import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer
@testable import Displays

@Suite struct LeakTests {
    @Test("W7: a client that disconnects leaves none of its objects in memory", arguments: WireScripts.all.map(\.name))
    func client(name: String) throws {
        guard let script = WireScripts.all.first(where: { $0.name == name })?.script else { return }
        let (fixture, _) = try ServerFixture.withWitness()
        let client = try fixture.connect("leaving")
        let known = Set(fixture.server.clients.keys)
        weak let object = fixture.server.clients.values.max { $0.application < $1.application }
        try script(client, fixture)
        try fixture.pump()
        let surfaces = fixture.server.surfaces.all.filter { $0.connection === object }.map { WeakSurface(surface: $0) }
        if client.isOpen { try client.kill() }
        try fixture.pump()
        #expect(known.count == 2 && fixture.server.clientCount == 1)
        #expect(object == nil)
        // A frame that is being drawn retains what it draws.
        try fixture.wait(for: "the surfaces to go") { surfaces.allSatisfy { $0.surface == nil } }
    }

    private struct WeakSurface { weak let surface: SurfaceResource? }

    @Test(
        "W7: with the manual clock, surfaces waiting for a frame go with their clients; S9: so does a screen's clock"
    )
    func frames() throws {
        let screens = ["64x48,external,name=A", "64x48,external,name=B"]
        let fixture = try ServerFixture(screens: screens, clock: .manual)
        let screen = fixture.mainScreen
        weak let clock = fixture.server.outputs[screen]?.clock
        let staying = try fixture.connect("staying")
        let kept = try waitingWindow(of: staying)
        try fixture.pump()
        var surfaces: [WeakSurface] = []
        for number in 0..<20 {
            let client = try fixture.connect("leaving")
            let windows = try (0..<3).map { _ in try waitingWindow(of: client) }
            try fixture.pump()
            let object = fixture.server.clients.values.max { $0.application < $1.application }
            #expect(object?.framesAwaited == 3)
            surfaces += fixture.server.surfaces.all.filter { $0.client === object }.map { WeakSurface(surface: $0) }
            if number.isMultiple(of: 2) {
                for window in windows { window.destroy() }
                try fixture.pump()
                #expect(object?.framesAwaited == 0)
            }
            try client.kill()
        }
        try fixture.pump()
        #expect(fixture.server.clientCount == 1 && surfaces.count == 60)
        #expect(surfaces.allSatisfy { $0.surface == nil })
        try fixture.server.disconnect(screen)
        try fixture.pump()
        #expect(clock == nil && staying.isOpen)
        kept.destroy()
        try fixture.step(1_000_000)
        #expect(staying.isOpen && fixture.server.surfaces.all.isEmpty)
    }

    private func waitingWindow(of client: TestClient) throws -> TestWindow {
        let window = client.window("w").color(0xff00_ff00).frame(0, 0, 10, 10)
        window.surface.send(.frame(callback: Proxy<WlCallback>(client.connection, version: 1).id))
        window.show()
        return window
    }

    @Test("a server that has handed over is freed, with its clients")
    func handOver() throws {
        let fixture = try ServerFixture.handingOver()
        let client = try fixture.connect()
        client.window("w").color(0xff00_ff00).frame(0, 0, 10, 10).show()
        _ = try fixture.screenshot()
        weak let server = fixture.server
        weak let object = fixture.server.clients.values.first
        #expect(object != nil)
        try fixture.handOver()
        try fixture.pump()
        #expect(server == nil && object == nil && client.isOpen)
    }

    @Test("S9: nothing is kept of unplugged screens, and their global names still bind to inert objects")
    func globals() throws {
        let fixture = try ServerFixture()
        let before = fixture.server.globals.count
        let first = try fixture.connect("first")
        let announced = first.globals.count
        fixture.detach(first)
        for number in 0..<1000 {
            let hostile = number.isMultiple(of: 2) ? ",hostile=true" : ""
            let id = try fixture.server.plug(ScreenSpecification(parsing: "640x480,external" + hostile))
            try fixture.server.disconnect(id)
        }
        #expect(fixture.server.globals.count <= before + 1, "the name of a hostile screen is kept for reuse")
        let client = try fixture.connect()
        let last = try #require(client.globals.map(\.name).max())
        // Only the globals from before the loop are announced; the next name is that of the last hostile screen.
        #expect(client.globals.count == announced)
        for name in (last + 2)...(last + 500) { _ = try client.bind(WlOutput.self, name: name) }
        try fixture.pump()
        #expect(client.protocolError == nil && client.isOpen)
        _ = try client.bind(WlOutput.self, name: last + 502)
        try fixture.pump()
        #expect(client.protocolError?.message.contains("\(last + 502) is not a global") == true)
    }

    @Test("a released server is freed, with its event loop")
    func server() throws {
        weak var server: DisplayServer?
        weak var model: WindowModel?
        weak var connection: ClientConnection?
        do {
            let (fixture, client) = try ServerFixture.withWitness()
            _ = try fixture.screenshot()
            server = fixture.server
            model = fixture.model
            connection = client.connection
        }
        #expect(server == nil && model == nil && connection == nil)
    }
}
