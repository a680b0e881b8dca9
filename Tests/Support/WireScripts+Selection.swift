// The sessions of the fuzz corpus that select and drag.

import MullionWayland

extension WireScripts {
    static func primarySelection(_ client: TestClient, _ fixture: ServerFixture) throws {
        let primary = try TestPrimary(client)
        let window = client.window("w").color(0xffff0000)
        window.makeKeyAndVisible()
        try fixture.pump()
        let sources = (0..<2).map { primary.source(["text/plain", "fuzz/\($0)"]) }
        primary.device.send(.setSelection(source: sources[0].id, serial: 0))
        try fixture.pump()
        primary.selection?.send(.receive(mimeType: "text/plain", fd: try client.memoryFile(words: 1, filledWith: 0)))
        primary.selection?.send(.destroy)
        primary.device.send(.setSelection(source: sources[1].id, serial: 0))
        sources[0].send(.destroy)
        window.resignKey()
        window.makeKey()
        try fixture.pump()
        primary.device.send(.setSelection(source: nil, serial: 0))
        sources[1].send(.destroy)
        primary.device.send(.destroy)
        primary.manager.send(.destroy)
    }

    static func dataControl(_ client: TestClient, _ fixture: ServerFixture) throws {
        for name in TestDataControl.Name.allCases {
            let control = try TestDataControl(client, name)
            control.copy(["text/plain", "fuzz/\(name)"])
            let primary = control.source(["text/plain"])
            control.device.send(.setPrimarySelection(source: primary.id))
            try fixture.pump()
            for offer in [control.clipboard, control.primary] {
                let memory = try client.memoryFile(words: 1, filledWith: 0)
                offer?.send(.receive(mimeType: "text/plain", fd: memory))
            }
            control.clipboard?.send(.destroy)
            primary.send(.destroy)
            control.device.send(.setSelection(source: nil))
            try fixture.pump()
            control.device.send(.destroy)
            control.manager.send(.destroy)
        }
    }

    static func badDataControl(_ client: TestClient, _ fixture: ServerFixture) throws {
        let control = try TestDataControl(client, .wlr)
        let source = control.copy(["text/plain"])
        control.device.send(.setPrimarySelection(source: source.id))
    }

    /// Two windows of one program, and a drag from the left one over the right one.
    private static func begin(
        _ client: TestClient, _ fixture: ServerFixture, actions: WlDataDeviceManager.DndAction
    ) throws -> (data: TestDataDevice, source: Proxy<WlDataSource>, icon: Proxy<WlSurface>) {
        let data = try TestDataDevice(client)
        let left = client.window("left").color(0xffff0000).frame(0, 0, 40, 40)
        let right = client.window("right").color(0xff0000ff).frame(40, 0, 40, 40)
        left.show()
        right.show()
        try fixture.use(.move(x: 10, y: 10))
        try fixture.use(.press)
        let icon = client.surface()
        try client.attach(0xffffff00, width: 8, height: 8, to: icon)
        icon.send(.commit)
        let source = data.source(["text/plain", "fuzz/drag"], actions: actions)
        data.startDrag(source, from: left.surface, icon: icon)
        try fixture.pump()
        data.drag?.send(.destroy)
        try fixture.use(.move(x: 50, y: 20))
        data.drag?.send(.receive(mimeType: "fuzz/drag", fd: try client.memoryFile(words: 1, filledWith: 0)))
        return (data, source, icon)
    }

    static func drag(_ client: TestClient, _ fixture: ServerFixture) throws {
        let (data, source, icon) = try begin(client, fixture, actions: [.copy, .move])
        data.answer("text/plain", [.copy, .move], preferred: .move)
        icon.send(.offset(x: 3, y: -3))
        icon.send(.commit)
        try fixture.use(.move(x: 52, y: 20))
        data.answer("fuzz/drag", [.copy], preferred: .none)
        try fixture.pump()
        try fixture.use(.release)
        data.drag?.send(.receive(mimeType: "text/plain", fd: try client.memoryFile(words: 1, filledWith: 0)))
        data.drag?.send(.finish)
        data.drag?.send(.destroy)
        source.send(.destroy)
        icon.send(.destroy)
        try fixture.pump()
        // Once more, without a source, and abandoned.
        try fixture.use(.press)
        let surface = client.surface()
        data.startDrag(nil, from: surface)
        try fixture.use(.move(x: 10, y: 10))
        data.device.send(.release)
        surface.send(.destroy)
        try fixture.use(.release)
    }

    static func dragAsk(_ client: TestClient, _ fixture: ServerFixture) throws {
        let (data, source, icon) = try begin(client, fixture, actions: [.copy, .ask])
        data.answer("text/plain", [.copy, .ask], preferred: .ask)
        try fixture.pump()
        try fixture.use(.release)
        icon.send(.attach(buffer: nil, x: 0, y: 0))
        icon.send(.commit)
        data.answer("text/plain", [.copy], preferred: .copy)
        data.drag?.send(.finish)
        try fixture.pump()
        data.drag?.send(.destroy)
        source.send(.destroy)
    }

    static func badFinish(_ client: TestClient, _ fixture: ServerFixture) throws {
        let (data, _, _) = try begin(client, fixture, actions: [.copy])
        data.drag?.send(.finish)
    }

    /// A window is torn off, attached again, and dropped.
    static func windowDrag(_ client: TestClient, _ fixture: ServerFixture) throws {
        let data = try TestDataDevice(client)
        let main = try toplevel(client, fixture)
        let manager = try client.bind(XdgToplevelDragManagerV1.self)
        try fixture.use(.move(x: 40, y: 40))
        try fixture.use(.press)
        let source = data.source(actions: [.copy])
        let drag = Proxy<XdgToplevelDragV1>(client.connection, version: 1)
        manager.send(.getXdgToplevelDrag(id: drag.id, dataSource: source.id))
        manager.send(.destroy)
        data.startDrag(source, from: main.surface)
        let tab = client.toplevel("tab")
        drag.send(.attach(toplevel: tab.toplevel.id, xOffset: 3, yOffset: -4))
        tab.surface.send(.commit)
        try fixture.pump()
        try client.attach(0xff00_00ff, width: 20, height: 10, to: tab.surface)
        tab.surface.send(.commit)
        try fixture.use(.move(x: 50, y: 30))
        data.answer("text/plain")
        tab.surface.send(.attach(buffer: nil, x: 0, y: 0))
        tab.surface.send(.commit)
        try fixture.pump()
        drag.send(.attach(toplevel: main.toplevel.id, xOffset: .max, yOffset: .min))
        try fixture.use(.move(x: 51, y: 30))
        main.toplevel.send(.destroy)
        main.xdg.send(.destroy)
        try fixture.use(.release)
        drag.send(.destroy)
        source.send(.destroy)
    }

    /// The object of a drag that has not begun is destroyed.
    static func badWindowDrag(_ client: TestClient, _ fixture: ServerFixture) throws {
        let data = try TestDataDevice(client)
        let manager = try client.bind(XdgToplevelDragManagerV1.self)
        let drag = Proxy<XdgToplevelDragV1>(client.connection, version: 1)
        manager.send(.getXdgToplevelDrag(id: drag.id, dataSource: data.source().id))
        try fixture.pump()
        drag.send(.attach(toplevel: client.toplevel("t").toplevel.id, xOffset: 0, yOffset: 0))
        drag.send(.destroy)
    }
}
