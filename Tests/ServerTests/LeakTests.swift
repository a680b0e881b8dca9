// What is let go of is gone: clients, and the server itself.

import TestSupport
import Testing
import Wayland
import WindowModel

@testable import DisplayServer

@Suite struct LeakTests {
    @Test("W7: a client that ends leaves none of its objects in memory", arguments: WireScripts.all.map(\.name))
    func client(name: String) throws {
        guard let script = WireScripts.all.first(where: { $0.name == name })?.script else { return }
        let (fixture, _) = try ServerFixture.withWitness()
        let client = try fixture.connect("leaving")
        let known = Set(fixture.server.clients.keys)
        weak let object = fixture.server.clients.values.max { $0.application < $1.application }
        try script(client, fixture)
        try fixture.pump()
        struct Weak { weak let surface: SurfaceResource? }
        let surfaces = fixture.server.surfaces.all.filter { $0.connection === object }.map { Weak(surface: $0) }
        if client.isOpen { try client.kill() }
        try fixture.pump()
        #expect(known.count == 2 && fixture.server.clientCount == 1)
        #expect(object == nil)
        // A frame clock lets go of those that waited at its next tick.
        try fixture.wait(for: "the surfaces to go") { surfaces.allSatisfy { $0.surface == nil } }
    }

    @Test("S9: nothing is kept of screens that went, and their names still bind to inert objects")
    func globals() throws {
        let fixture = try ServerFixture()
        let before = fixture.server.globals.count
        for number in 0..<1000 {
            let hostile = number.isMultiple(of: 2) ? ",hostile=true" : ""
            let id = try fixture.server.plug(ScreenSpecification(parsing: "640x480,external" + hostile))
            try fixture.server.disconnect(id)
        }
        #expect(fixture.server.globals.count <= before + 1, "a hostile screen's name waits to be another's")
        let client = try fixture.connect()
        let last = try #require(client.globals.map(\.name).max())
        // Announced are those before the storm; the last hostile screen's name is the first after them.
        #expect(client.globals.count == before)
        for name in (last + 2)...(last + 500) { _ = try client.bind(WlOutput.self, name: name) }
        try fixture.pump()
        #expect(client.protocolError == nil && client.isOpen)
        _ = try client.bind(WlOutput.self, name: last + 502)
        try fixture.pump()
        #expect(client.protocolError?.message.contains("no global \(last + 502)") == true)
    }

    @Test("a server that is let go of is gone, with its loop")
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
