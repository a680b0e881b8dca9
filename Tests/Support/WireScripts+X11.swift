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
