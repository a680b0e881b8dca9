// The sessions of the fuzz corpus that list windows.

import MullionWayland

extension WireScripts {
    static func foreignToplevels(_ client: TestClient, _ fixture: ServerFixture) throws {
        let bar = try TestForeignToplevels(wlr: client)
        let list = try TestForeignToplevels(ext: client)
        try bar.bindOutputs()
        let window = try toplevel(client, fixture)
        window.toplevel.send(.setAppId(appId: "fuzz"))
        try fixture.pump()
        let seat = try client.seat()
        if let handle = bar.all.last?.wlr {
            handle.send(.activate(seat: seat.id))
            handle.send(.setMaximized)
            handle.send(.setRectangle(surface: window.surface.id, x: 1, y: 2, width: 3, height: 4))
            handle.send(.setMinimized)
            try fixture.pump()
            handle.send(.unsetMinimized)
            handle.send(.unsetMaximized)
            handle.send(.setFullscreen(output: nil))
            handle.send(.unsetFullscreen)
            handle.send(.close)
        }
        try fixture.pump()
        window.surface.send(.attach(buffer: nil, x: 0, y: 0))
        window.surface.send(.commit)
        try fixture.pump()
        bar.manager?.send(.stop)
        list.list?.send(.stop)
        list.list?.send(.destroy)
        bar.all.last?.wlr?.send(.setMaximized)
        bar.all.last?.wlr?.send(.destroy)
    }

    static func badForeignToplevel(_ client: TestClient, _ fixture: ServerFixture) throws {
        let bar = try TestForeignToplevels(wlr: client)
        let window = try toplevel(client, fixture)
        bar.all.last?.wlr?.send(.setRectangle(surface: window.surface.id, x: 0, y: 0, width: -1, height: .min))
    }
}
