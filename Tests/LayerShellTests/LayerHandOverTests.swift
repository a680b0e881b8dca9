// Layer surfaces survive a restart of the server.

import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct LayerHandOverTests {
    @Test("panels, their zones, the key that they hold and their pop-ups are the same after a restart, without events")
    func restart() throws {
        let fixture = try ServerFixture.handingOver()
        let (client, other) = (try fixture.connect(), try fixture.connect("other"))
        let wall = try TestLayerSurface(client, .background).set(0, 0, at: .all, zone: -1).map(fixture)
        let toplevel = try TestToplevel.map(other, fixture)
        toplevel.toplevel.send(.setMaximized)
        let bar = try TestLayerSurface(client).set(0, 30, at: .along, zone: 30).map(fixture)
        let launcher = try TestLayerSurface(other, .overlay).set(100, 40, keyboard: .exclusive).map(fixture)
        let unmapped = try TestLayerSurface(client).set(0, 50, at: .along)
        let popup = TestPopup(
            client, parent: nil, positioner: TestPopup.positioner(client, width: 20, height: 20, x: 50, y: 20))
        bar.layer.send(.getPopup(popup: popup.popup.id))
        popup.surface.send(.commit)
        try fixture.pump()
        try client.attach(0xffff00ff, width: 20, height: 20, to: popup.surface)
        popup.surface.send(.commit)
        try fixture.pump()
        let (before, pictures) = (fixture.model.snapshot(), try fixture.pictures())
        let counts = (wall.configures.count, bar.configures.count, launcher.configures.count, toplevel.configures)
        try fixture.handOver()
        try fixture.pump()
        #expect(fixture.model.snapshot() == before)
        #expect(try fixture.pictures() == pictures)
        #expect(
            counts == (wall.configures.count, bar.configures.count, launcher.configures.count, toplevel.configures))
        #expect(client.isOpen && other.isOpen)
        // Everything goes on: the zone, the key, the first commit, the pop-up.
        bar.set(0, 40, at: .along, zone: 40).commit()
        unmapped.commit()
        launcher.destroy()
        try fixture.pump()
        #expect(bar.configures.last == "800x40" && unmapped.configures == ["800x50"])
        #expect(toplevel.size == (800, 560))
        #expect(fixture.model.keyWindow == fixture.model.windows[1])
        bar.destroy()
        try fixture.pump()
        #expect(popup.isDone && client.isOpen && toplevel.size == (800, 600))
        #expect(fixture.model.checkInvariants() == [])
    }
}
