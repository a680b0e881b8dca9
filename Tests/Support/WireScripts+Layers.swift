// Sessions with layer surfaces.

import MullionWayland

extension WireScripts {
    /// A wallpaper, a panel with a menu, and a launcher.
    static func layers(_ client: TestClient, _ fixture: ServerFixture) throws {
        let output = try client.bind(WlOutput.self)
        let wall = try TestLayerSurface(client, .background, on: output).set(0, 0, at: .all, zone: -1).map(fixture)
        let bar = try TestLayerSurface(client).set(0, 8, at: .along, zone: 8, margin: (1, 2, 3, 4)).map(fixture)
        let launcher = try TestLayerSurface(client, .overlay).set(30, 20, keyboard: .exclusive).map(fixture)
        let positioner = TestPopup.positioner(client, width: 20, height: 16, x: 4, y: 8)
        let menu = TestPopup(client, parent: nil, positioner: positioner)
        bar.layer.send(.getPopup(popup: menu.popup.id))
        menu.surface.send(.commit)
        try fixture.pump()
        try client.attach(0xff00ffff, width: 20, height: 16, to: menu.surface)
        menu.surface.send(.commit)
        launcher.layer.send(.setLayer(layer: .bottom))
        launcher.set(40, 20, at: [.bottom, .right], keyboard: .onDemand).commit()
        try fixture.pump()
        try launcher.draw()
        bar.surface.send(.attach(buffer: nil, x: 0, y: 0))
        bar.commit()
        try fixture.pump()
        menu.destroy()
        try bar.map(fixture)
        wall.surface.send(.destroy)
        wall.set(1, 1).layer.send(.destroy)
        launcher.destroy()
        try fixture.pump()
    }

    /// Numbers that overflow 32 bits when they are added, and an anchor that names no edge.
    static func badLayer(_ client: TestClient, _ fixture: ServerFixture) throws {
        for number in [Int32.max, .min] {
            let panel = try TestLayerSurface(client).set(
                UInt32(Int32.max), 1, at: .top, zone: number, margin: (number, number, number, number))
            panel.commit()
            try fixture.pump()
            try client.attach(0xff00ff00, width: 4, height: 4, to: panel.surface)
            panel.commit()
            try fixture.pump()
        }
        try TestLayerSurface(client).layer.send(.setAnchor(anchor: .init(rawValue: 99)))
        try fixture.pump()
    }
}
