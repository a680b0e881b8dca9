// The sessions of the fuzz corpus that use what toolkits expect of a desktop.

import MullionWayland

extension WireScripts {
    static func surfaceHints(_ client: TestClient, _ fixture: ServerFixture) throws {
        let window = try toplevel(client, fixture)
        let types = try client.bind(WpContentTypeManagerV1.self)
        let controls = try client.bind(WpTearingControlManagerV1.self)
        let type = Proxy<WpContentTypeV1>(client.connection, version: 1)
        let control = Proxy<WpTearingControlV1>(client.connection, version: 1)
        types.send(.getSurfaceContentType(id: type.id, surface: window.surface.id))
        controls.send(.getTearingControl(id: control.id, surface: window.surface.id))
        type.send(.setContentType(contentType: .video))
        control.send(.setPresentationHint(hint: .async))
        window.surface.send(.commit)
        try fixture.pump()
        type.send(.destroy)
        types.send(.destroy)
        controls.send(.destroy)
    }

    static func transientSeat(_ client: TestClient, _ fixture: ServerFixture) throws {
        let manager = try client.bind(ExtTransientSeatManagerV1.self)
        let seats = (0..<2).map { _ in Proxy<ExtTransientSeatV1>(client.connection, version: 1) }
        for seat in seats { manager.send(.create(seat: seat.id)) }
        try fixture.pump()
        seats[0].send(.destroy)
        manager.send(.destroy)
        try fixture.pump()
    }

    static func idle(_ client: TestClient, _ fixture: ServerFixture) throws {
        let seat = try client.seat()
        let notifier = try client.bind(ExtIdleNotifierV1.self)
        let kde = try client.bind(OrgKdeKwinIdle.self)
        let notifications = (0..<2).map { _ in Proxy<ExtIdleNotificationV1>(client.connection, version: 2) }
        notifier.send(.getIdleNotification(id: notifications[0].id, timeout: .max, seat: seat.id))
        notifier.send(.getInputIdleNotification(id: notifications[1].id, timeout: 0, seat: seat.id))
        let timeout = Proxy<OrgKdeKwinIdleTimeout>(client.connection, version: 1)
        kde.send(.getIdleTimeout(id: timeout.id, seat: seat.id, timeout: 5000))
        try fixture.pump()
        timeout.send(.simulateUserActivity)
        try fixture.use(.move(x: 3, y: 3))
        notifier.send(.destroy)
        for notification in notifications { notification.send(.destroy) }
        timeout.send(.release)
        try fixture.pump()
    }

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

    /// Windows with parents, one of which is moved and resized.
    static func dialogs(_ client: TestClient, _ fixture: ServerFixture) throws {
        let pointer = try TestPointer(client)
        let main = try TestToplevel.map(client, fixture, "main", width: 40, height: 30)
        let dialog = try self.dialog(client, fixture, of: main)
        let question = try self.dialog(client, fixture, of: dialog)
        main.toplevel.send(.setMinSize(width: 30, height: 20))
        main.surface.send(.commit)
        try fixture.use(.move(x: 34, y: 34))
        try fixture.use(.press)
        main.toplevel.send(.move(seat: pointer.seat.id, serial: pointer.serials.last ?? 0))
        try fixture.use(.move(x: 10, y: 10))
        try fixture.use(.release)
        try fixture.use(.press)
        main.toplevel.send(
            .resize(seat: pointer.seat.id, serial: pointer.serials.last ?? 0, edges: .topLeft))
        try fixture.use(.move(x: 4, y: 6))
        try client.attach(0xffff_0000, width: main.size.width, height: main.size.height, to: main.surface)
        main.surface.send(.commit)
        try fixture.use(.release)
        question.toplevel.send(.setParent(parent: nil))
        dialog.surface.send(.attach(buffer: nil, x: 0, y: 0))
        dialog.surface.send(.commit)
        question.toplevel.send(.setParent(parent: dialog.toplevel.id))
        question.toplevel.send(.setParent(parent: main.toplevel.id))
        main.toplevel.send(.destroy)
        try fixture.pump()
    }

    /// A toplevel whose parent would be its own child.
    static func badParent(_ client: TestClient, _ fixture: ServerFixture) throws {
        let main = try TestToplevel.map(client, fixture, "main", width: 40, height: 30)
        let dialog = try self.dialog(client, fixture, of: main)
        main.toplevel.send(.setParent(parent: dialog.toplevel.id))
        try fixture.pump()
    }

    private static func dialog(
        _ client: TestClient, _ fixture: ServerFixture, of parent: TestToplevel
    ) throws -> TestToplevel {
        let dialog = client.toplevel("dialog")
        dialog.toplevel.send(.setParent(parent: parent.toplevel.id))
        dialog.surface.send(.commit)
        try fixture.pump()
        try client.attach(0xff00_00ff, width: 20, height: 10, to: dialog.surface)
        dialog.surface.send(.commit)
        try fixture.pump()
        return dialog
    }
}
