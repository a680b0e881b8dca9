// Sessions of a manager of X11 programs.

import MullionWayland

extension WireScripts {
    /// A window, its dialog and its menu in all states, on an X server that ends.
    static func x11(_ client: TestClient, _ fixture: ServerFixture) throws {
        let x11 = try TestX11(fixture, client)
        x11.global.send(.setDisplay(name: ":1"))
        let main = try x11.map("main", at: (4, 4), 40, 30) {
            $0.proxy.send(.setAppId(appId: "Main"))
            $0.proxy.send(.setSizeLimits(minWidth: 10, minHeight: 10, maxWidth: 90, maxHeight: 60))
        }
        let dialog = try x11.map("dialog", .dialog, 20, 10) { $0.proxy.send(.setParent(parent: main.proxy.id)) }
        let menu = try x11.map("menu", .unmanaged, at: (10, 10), 8, 8, color: 0xffff_0000)
        main.proxy.send(.setState(mask: .maximized, states: .maximized))
        try fixture.pump()
        try main.draw(main.configured?.width ?? 1, main.configured?.height ?? 1)
        main.proxy.send(.setState(mask: [.maximized, .fullscreen], states: .fullscreen))
        try fixture.pump()
        main.proxy.send(.setState(mask: [.fullscreen, .minimized], states: .minimized))
        try fixture.pump()
        main.proxy.send(.activate)
        main.proxy.send(.raise)
        main.proxy.send(.beginMove)
        main.proxy.send(.beginResize(edges: 10))
        main.setFrame((-8, 30), 50, 20)
        try fixture.pump()
        try main.draw(50, 20)
        menu.setFrame((100, 8), 9, 9)
        dialog.proxy.send(.setKind(kind: .normal))
        dialog.proxy.send(.setParent(parent: nil))
        dialog.proxy.send(.setAcceptsFocus(acceptsFocus: 0))
        dialog.proxy.send(.setDecorated(isDecorated: 0))
        dialog.proxy.send(.setSurface(surface: 0))
        try fixture.pump()
        dialog.proxy.send(.setSurfaceSerial(serialLo: 1, serialHi: 2))
        menu.destroy()
        try fixture.pump()
        let other = x11.window("other")
        other.proxy.send(.setSurface(surface: main.surface.id.rawValue))
        try fixture.pump()
        main.destroy()
        try fixture.pump()
        x11.server.send(.destroy)
        dialog.destroy()
        other.destroy()
        x11.global.send(.destroy)
        try fixture.pump()
    }

    /// Drags of an X11 program over a plain window, and of that over the X11 program's. When the session is replayed there
    /// is no X server to press in, nor an offer.
    static func x11Drags(_ client: TestClient, _ fixture: ServerFixture) throws {
        let x11 = try TestX11(fixture, client)
        let device = try TestDataDevice(client)
        x11.server.send(.receiveDrags(device: device.device.id))
        _ = try x11.map("x", at: (0, 0), 40, 40)
        let icon = try x11.map("icon", .dragIcon, at: (50, 10), 8, 8)
        let plain = client.window("plain").color(0xff00_00ff).frame(50, 0, 40, 40)
        plain.show()
        try fixture.pump()
        try fixture.use(.move(x: 10, y: 10))
        try fixture.use(.press)
        let drag = TestX11Drag(x11)
        drag.proxy.send(.setSource(source: device.source().id))
        try fixture.use(.move(x: 60, y: 10))
        try fixture.use(.release)
        drag.proxy.send(.drop)
        try fixture.pump()
        drag.proxy.send(.setSource(source: nil))
        drag.proxy.send(.destroy)
        try fixture.use(.press)
        device.startDrag(device.source(), from: plain.surface)
        try fixture.use(.move(x: 10, y: 10))
        try fixture.use(.release)
        icon.destroy()
        device.device.send(.release)
        x11.server.send(.destroy)
        try fixture.pump()
    }

    /// Numbers that overflow 32 bits when they are added, and a kind that does not exist.
    static func badX11(_ client: TestClient, _ fixture: ServerFixture) throws {
        let x11 = try TestX11(fixture, client)
        let window = try x11.map("extreme", at: (.max, .min), .max, .max) {
            $0.proxy.send(.setSizeLimits(minWidth: .max, minHeight: .max, maxWidth: .min, maxHeight: .max))
        }
        let menu = try x11.map("menu", .unmanaged, at: (.min, .max), .max, .min)
        menu.setFrame((.max, .max), .max, .max)
        window.setFrame(nil, .max, .max)
        try fixture.pump()
        window.proxy.send(.setKind(kind: .init(rawValue: 99)))
        try fixture.pump()
    }
}
