// Accounting, in bytes, of what the server holds for clients and users.

import MullionWayland
import TestSupport
import Testing

@testable import DisplayServer

@Suite struct MemoryAccountTests {
    @Test("userBytes: at the limit the user's largest client is disconnected, whether or not it made the request")
    func userBytes() throws {
        var limits = Limits()
        limits.userBytes = 400_000
        let fixture = try ServerFixture(limits: limits)
        let clients = try (0..<3).map { try fixture.connect("\($0)") }
        for _ in 0..<200 { _ = clients[1].surface() }
        for _ in 0..<150 { _ = clients[0].surface() }
        try fixture.pump()
        for _ in 0..<100 where clients[1].isOpen {
            _ = clients[2].surface()
            try fixture.pump()
        }
        #expect(
            clients[1].protocolError?.message.contains("(policy.limits.userBytes), and this is the largest") == true)
        #expect(clients[0].isOpen && clients[2].isOpen && fixture.server.clientCount == 2)
    }

    @Test("a client's account returns to zero when it has destroyed its objects")
    func memoryUse() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let holder = try #require(fixture.server.clients.values.first)
        try fixture.pump()
        let before = holder.memoryUse
        let parent = client.surface()
        let child = client.surface()
        let subsurface = Proxy<WlSubsurface>(client.connection, version: 1)
        client.subcompositor.send(.getSubsurface(id: subsurface.id, surface: child.id, parent: parent.id))
        for x in 0..<Int32(50) { subsurface.send(.setPosition(x: x, y: 0)) }
        let region = client.region([(x: 0, y: 0, width: 1, height: 1), (x: 2, y: 2, width: 1, height: 1)])
        for surface in [parent, child] {
            surface.send(.setInputRegion(region: region.id))
            surface.send(.setOpaqueRegion(region: region.id))
        }
        child.send(.commit)
        try fixture.pump()
        // Two surfaces of the same region share it.
        let rectangles = 2 * (MemoryCost.rectangle + MemoryCost.keptRectangle)
        #expect(holder.holdings.bytes == 51 * MemoryCost.change + rectangles)
        parent.send(.commit)
        try fixture.pump()
        #expect(holder.holdings.bytes == rectangles)
        region.send(.destroy)
        try fixture.pump()
        #expect(holder.holdings.bytes == 2 * MemoryCost.keptRectangle)
        subsurface.send(.destroy)
        for surface in [parent, child] { surface.send(.destroy) }
        let toplevel = client.toplevel("title")
        try fixture.pump()
        #expect(holder.holdings.bytes > MemoryCost.window)
        toplevel.toplevel.send(.destroy)
        toplevel.xdg.send(.destroy)
        toplevel.surface.send(.destroy)
        try fixture.pump()
        #expect(holder.holdings.bytes == 0)
        // Ids that were used once have a small permanent cost.
        #expect(holder.memoryUse - before < 1000)
    }
}
