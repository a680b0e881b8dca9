// The sessions of the fuzz corpus that use what toolkits expect of a desktop.

import Wayland

extension WireScripts {
    static func desktop(_ client: TestClient, _ fixture: ServerFixture) throws {
        let toplevel = client.toplevel("w")
        let decorations = try client.bind(ZxdgDecorationManagerV1.self)
        let decoration = Proxy<ZxdgToplevelDecorationV1>(client.connection, version: 1)
        decorations.send(.getToplevelDecoration(id: decoration.id, toplevel: toplevel.toplevel.id))
        decoration.send(.setMode(mode: .serverSide))
        toplevel.surface.send(.commit)
        try fixture.pump()
        let presentation = try client.bind(WpPresentation.self)
        func watch() {
            let feedback = Proxy<WpPresentationFeedback>(client.connection, version: 1)
            presentation.send(.feedback(surface: toplevel.surface.id, callback: feedback.id))
        }
        watch()
        try client.attach(0xff00ff00, width: 20, height: 10, to: toplevel.surface)
        toplevel.surface.send(.commit)
        watch()
        toplevel.surface.send(.commit)
        watch()
        decoration.send(.unsetMode)
        try fixture.pump()
        let activation = try client.bind(XdgActivationV1.self)
        let token = Proxy<XdgActivationTokenV1>(client.connection, version: 1)
        activation.send(.getActivationToken(id: token.id))
        token.send(.setSurface(surface: toplevel.surface.id))
        token.send(.setAppId(appId: "fuzz"))
        token.send(.commit)
        token.send(.destroy)
        activation.send(.activate(token: "none", surface: toplevel.surface.id))
        let inhibitors = try client.bind(ZwpIdleInhibitManagerV1.self)
        let inhibitor = Proxy<ZwpIdleInhibitorV1>(client.connection, version: 1)
        inhibitors.send(.createInhibitor(id: inhibitor.id, surface: toplevel.surface.id))
        try fixture.pump()
        decoration.send(.destroy)
        toplevel.toplevel.send(.destroy)
        toplevel.xdg.send(.destroy)
        toplevel.surface.send(.destroy)
        inhibitor.send(.destroy)
        try fixture.pump()
    }

    /// The decoration would outlive its toplevel.
    static func badDecoration(_ client: TestClient, _ fixture: ServerFixture) throws {
        let toplevel = client.toplevel("w")
        let decorations = try client.bind(ZxdgDecorationManagerV1.self)
        let decoration = Proxy<ZxdgToplevelDecorationV1>(client.connection, version: 1)
        decorations.send(.getToplevelDecoration(id: decoration.id, toplevel: toplevel.toplevel.id))
        toplevel.toplevel.send(.destroy)
        try fixture.pump()
    }
}
