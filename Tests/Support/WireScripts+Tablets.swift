// The sessions of the fuzz corpus that draw.

import MullionWayland

extension WireScripts {
    /// Tablets, their cursors, and what remains of them.
    static func tablets(_ client: TestClient, _ fixture: ServerFixture) throws {
        let tablet = try TestTablet(client)
        client.window("w").color(0xffff_0000).frame(0, 0, 40, 40).show()
        try fixture.pump()
        let cursor = client.surface()
        for tool in tablet.tools {
            tool.send(.setCursor(serial: 0, surface: cursor.id, hotspotX: .min, hotspotY: .max))
            tool.send(.setCursor(serial: .max, surface: nil, hotspotX: 0, hotspotY: 0))
        }
        let second = try TestTablet(client)
        try fixture.pump()
        tablet.seat.send(.destroy)
        for object in second.tablets { object.send(.destroy) }
        for tool in second.tools { tool.send(.destroy) }
        for tool in tablet.tools { tool.send(.destroy) }
        for object in tablet.tablets { object.send(.destroy) }
        second.seat.send(.destroy)
        try fixture.pump()
    }

    /// W5: the cursor of a tool is a window already.
    static func badTabletCursor(_ client: TestClient, _ fixture: ServerFixture) throws {
        let tablet = try TestTablet(client)
        let window = client.window("w")
        try fixture.pump()
        tablet.tools.first?.send(.setCursor(serial: 0, surface: window.surface.id, hotspotX: 0, hotspotY: 0))
    }
}
