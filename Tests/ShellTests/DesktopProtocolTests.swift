// What toolkits expect of a desktop: activation, idle inhibition and presentation times.

import MullionWayland
import TestSupport
import Testing
import WindowModel

@Suite struct DesktopProtocolTests {
    /// A toplevel with content.
    private func mapped(_ client: TestClient, _ fixture: ServerFixture, _ name: String) throws -> TestToplevel {
        let toplevel = client.toplevel(name)
        try map(toplevel, client, fixture)
        return toplevel
    }

    private func map(_ toplevel: TestToplevel, _ client: TestClient, _ fixture: ServerFixture) throws {
        toplevel.surface.send(.commit)
        try fixture.pump()
        try client.attach(0xff00ff00, width: 100, height: 80, to: toplevel.surface)
        toplevel.surface.send(.commit)
        try fixture.pump()
    }

    private func window(_ fixture: ServerFixture, _ title: String) throws -> Window {
        try #require(fixture.model.windows.compactMap { fixture.model.window($0) }.first { $0.title == title })
    }

    // MARK: Activation

    private func token(
        _ client: TestClient, _ fixture: ServerFixture, of seat: Proxy<WlSeat>? = nil
    ) throws -> String {
        let activation = try client.bind(XdgActivationV1.self)
        let proxy = Proxy<XdgActivationTokenV1>(client.connection, version: 1)
        var token = ""
        proxy.onEvent = { if case .done(let text) = $0 { token = text } }
        activation.send(.getActivationToken(id: proxy.id))
        proxy.send(.setAppId(appId: "test"))
        if let seat { proxy.send(.setSerial(serial: 0, seat: seat.id)) }
        proxy.send(.commit)
        try fixture.pump()
        proxy.send(.destroy)
        return token
    }

    private func activate(_ toplevel: TestToplevel, _ token: String, _ client: TestClient, _ fixture: ServerFixture)
        throws
    {
        let activation = try client.bind(XdgActivationV1.self)
        activation.send(.activate(token: token, surface: toplevel.surface.id))
        try fixture.pump()
    }

    @Test("K7: a token of the program that has key makes another program's window key and brings it to the front, once")
    func activation() throws {
        let fixture = try ServerFixture()
        let (one, two) = (try fixture.connect("one"), try fixture.connect("two"))
        let (a, b) = (try mapped(one, fixture, "a"), try mapped(two, fixture, "b"))
        try fixture.model.bringToFront(window(fixture, "a").id)
        #expect(try window(fixture, "a").isKey)
        // A program that does not have key cannot pass it on.
        try activate(b, token(two, fixture), two, fixture)
        try activate(b, "", two, fixture)
        try activate(b, "no such token", two, fixture)
        #expect(try window(fixture, "a").isKey)
        let good = try token(one, fixture)
        try activate(b, good, two, fixture)
        #expect(try window(fixture, "b").isKey)
        #expect(fixture.model.windows(on: fixture.mainScreen).last == (try window(fixture, "b").id))
        try fixture.model.makeKey(window(fixture, "a").id)
        try fixture.pump()
        try activate(b, good, two, fixture)
        #expect(try window(fixture, "a").isKey && good.count > 16)
        // K7: if a touch does not make key, a token does not either.
        let late = try token(one, fixture)
        fixture.model.policy.keyOnTouch = false
        try activate(b, late, two, fixture)
        #expect(try window(fixture, "a").isKey)
        #expect(a.has(.activated) && !b.has(.activated))
    }

    @Test("K2, K5: a token outlives the window that had key, but is void once another window is made key")
    func lateActivation() throws {
        let fixture = try ServerFixture()
        let clients = try ["one", "two", "three"].map { try fixture.connect($0) }
        let (a, b) = (try mapped(clients[0], fixture, "a"), try mapped(clients[1], fixture, "b"))
        let c = try mapped(clients[2], fixture, "c")
        let early = try token(clients[0], fixture)
        try fixture.model.makeKey(window(fixture, "c").id)
        try fixture.pump()
        try activate(b, early, clients[1], fixture)
        #expect(c.has(.activated) && !b.has(.activated))
        try fixture.model.makeKey(window(fixture, "a").id)
        try fixture.pump()
        let late = try token(clients[0], fixture)
        a.toplevel.send(.destroy)
        try fixture.pump()
        #expect(try window(fixture, "c").isKey)
        try activate(b, late, clients[1], fixture)
        #expect(try window(fixture, "b").isKey)
    }

    @Test("K8: a token of the program that had key before a launcher decides to which window the launcher returns it")
    func activationBehindLauncher() throws {
        let fixture = try ServerFixture()
        let (one, two) = (try fixture.connect("one"), try fixture.connect("two"))
        let (a, b) = (try mapped(one, fixture, "a"), try mapped(two, fixture, "b"))
        let early = try token(one, fixture)
        let launcher = try TestLayerSurface(fixture.connect("three")).set(100, 30, keyboard: .exclusive).map(fixture)
        #expect(!a.has(.activated))
        try activate(b, early, two, fixture)
        #expect(!b.has(.activated))
        launcher.destroy()
        try fixture.pump()
        #expect(b.has(.activated) && !a.has(.activated))
    }

    @Test("K1, K7: a token is valid only on the seat on which its program has key, and for windows on its screens")
    func activationBySeat() throws {
        let setup = try SeatFixture()
        let (fixture, guests) = (setup.fixture, setup.guests)
        let client = try fixture.connect("started")
        let started = try mapped(client, fixture, "started")
        let id = try window(fixture, "started").id
        try fixture.model.move(id, to: setup.screen(1))
        try fixture.pump()
        func isKey() throws -> Bool { try window(fixture, "started").isKey }
        try activate(started, token(guests[0].client, fixture), client, fixture)
        try activate(started, token(guests[1].client, fixture, of: guests[1].readers[0].seat), client, fixture)
        #expect(try !isKey(), "a program that has key on another seat cannot pass it on here")
        let late = try token(guests[1].client, fixture)
        let good = try token(guests[1].client, fixture, of: guests[1].readers[1].seat)
        // A new key window on the first seat does not affect the second.
        let other = guests[0].client.window("other", on: guests[0].client.screens[0]).color(0xff00_00ff)
        other.makeKeyAndVisible()
        try fixture.pump()
        try activate(started, good, client, fixture)
        #expect(try isKey() && fixture.model.keyWindow(of: fixture.model.seats[1]) == id)
        #expect(fixture.model.keyWindow == fixture.model.windows(on: setup.screen(0)).last)
        guests[1].window.makeKey()
        try fixture.pump()
        try activate(started, late, client, fixture)
        #expect(try !isKey(), "another window has been made key on this seat since")
    }

    @Test("K2: a window that is activated before it is visible becomes key when it becomes visible")
    func activationBeforeShowing() throws {
        let fixture = try ServerFixture()
        let (one, two) = (try fixture.connect("one"), try fixture.connect("two"))
        let a = try mapped(one, fixture, "a")
        let b = two.toplevel("b")
        try activate(b, token(one, fixture), two, fixture)
        #expect(a.has(.activated))
        try map(b, two, fixture)
        #expect(try window(fixture, "b").isKey)
    }

    @Test("after commit a token object accepts only destroy")
    func tokenTwice() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let activation = try client.bind(XdgActivationV1.self)
        let proxy = Proxy<XdgActivationTokenV1>(client.connection, version: 1)
        activation.send(.getActivationToken(id: proxy.id))
        proxy.send(.commit)
        proxy.send(.setAppId(appId: "late"))
        try fixture.pump()
        #expect(client.protocolError?.code == XdgActivationTokenV1.Error.alreadyUsed.rawValue)
    }

    @Test("idle inhibitors are accepted, and can be destroyed before and after their surface")
    func idle() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let manager = try client.bind(ZwpIdleInhibitManagerV1.self)
        let surface = client.surface()
        let inhibitors = (0..<2).map { _ in Proxy<ZwpIdleInhibitorV1>(client.connection, version: 1) }
        for inhibitor in inhibitors { manager.send(.createInhibitor(id: inhibitor.id, surface: surface.id)) }
        inhibitors[0].send(.destroy)
        surface.send(.destroy)
        inhibitors[1].send(.destroy)
        manager.send(.destroy)
        try fixture.pump()
        #expect(client.isOpen)
    }

    // MARK: Presentation

    /// Requests presentation feedback and records the events.
    private final class Audience {
        let presentation: Proxy<WpPresentation>
        let client: TestClient
        var clock: UInt32?
        var events: [String] = []

        init(_ client: TestClient) throws {
            self.client = client
            presentation = try client.bind(WpPresentation.self)
            presentation.onEvent = { [unowned self] in if case .clockId(let id) = $0 { clock = id } }
        }

        func watch(_ name: String, _ surface: Proxy<WlSurface>) {
            let feedback = Proxy<WpPresentationFeedback>(client.connection, version: 1)
            feedback.onEvent = { [unowned self] event in
                switch event {
                case .syncOutput: events.append("\(name) output")
                case .presented(_, let seconds, let nanoseconds, let refresh, _, let frame, let flags):
                    events.append("\(name) \(seconds) \(nanoseconds) \(refresh) \(frame) \(flags.rawValue)")
                case .discarded: events.append("\(name) discarded")
                }
            }
            presentation.send(.feedback(surface: surface.id, callback: feedback.id))
        }
    }

    @Test("S1: presentation times are exactly the screen's ticks; superseded commits are discarded")
    func presentation() throws {
        let fixture = try ServerFixture(screens: ["640x480@50"], clock: .manual)
        let client = try fixture.connect()
        let audience = try Audience(client)
        _ = try client.bind(WlOutput.self)
        let toplevel = try mapped(client, fixture, "w")
        // Draws the state that came with key.
        toplevel.surface.send(.commit)
        try fixture.pump()
        #expect(audience.clock == 1)
        let before = fixture.server.clientCount
        audience.watch("a", toplevel.surface)
        try fixture.pump()
        #expect(try fixture.step(20_000) == 0)
        toplevel.surface.send(.commit)
        try fixture.pump()
        audience.watch("b", toplevel.surface)
        toplevel.surface.send(.commit)
        try fixture.pump()
        #expect(audience.events == ["a discarded"])
        // Requested at 1.02 s: the next ticks, 20 ms apart, are at 1.04 s and, after a pause, at 1.16 s.
        #expect(try fixture.step(20_000) == 1)
        #expect(try fixture.step(105_000) == 0)
        audience.watch("c", toplevel.surface)
        audience.watch("d", toplevel.surface)
        toplevel.surface.send(.commit)
        try fixture.pump()
        #expect(try fixture.step(15_000) == 1)
        #expect(
            audience.events == [
                "a discarded", "b output", "b 1 40000000 20000000 2 1", "c output", "c 1 160000000 20000000 8 1",
                "d output", "d 1 160000000 20000000 8 1",
            ])
        #expect(client.isOpen && fixture.server.clientCount == before)
    }

    @Test("V1: hidden contents are presented once they are shown; feedback without content or surface is discarded")
    func unseen() throws {
        let fixture = try ServerFixture(screens: ["640x480@50"], clock: .manual)
        let client = try fixture.connect()
        let audience = try Audience(client)
        let window = client.window("w").color(0xffff0000).frame(0, 0, 40, 40)
        try client.attach(0xff00ff00, width: 40, height: 40, to: window.surface)
        audience.watch("hidden", window.surface)
        window.commit()
        let bare = client.surface()
        audience.watch("empty", bare)
        bare.send(.commit)
        audience.watch("gone", bare)
        bare.send(.destroy)
        try fixture.pump()
        #expect(audience.events == ["empty discarded", "gone discarded"])
        #expect(try fixture.step(100_000) == 0)
        try fixture.model.setHidden(false, of: self.window(fixture, "w").id)
        try fixture.pump()
        #expect(try fixture.step(20_000) == 1)
        #expect(audience.events.last == "hidden 1 120000000 20000000 6 1")
    }

    @Test("V1: what is hidden or moves to another screen before the tick is presented when it is shown there")
    func movedAway() throws {
        let fixture = try ServerFixture(
            screens: ["640x480@50", "640x480@25,external,name=B,mirroring=off"], clock: .manual)
        let client = try fixture.connect()
        let audience = try Audience(client)
        let window = client.window("w").color(0xffff0000).frame(0, 0, 40, 40)
        window.show()
        try fixture.pump()
        let (id, screens) = try (self.window(fixture, "w").id, fixture.model.screens)
        audience.watch("a", window.surface)
        window.commit()
        try fixture.pump()
        try fixture.model.setHidden(true, of: id)
        _ = try fixture.step(100_000)
        #expect(audience.events.isEmpty, "nobody saw it")
        try fixture.model.setHidden(false, of: id)
        try fixture.pump()
        _ = try fixture.step(20_000)
        #expect(audience.events.count == 1 && audience.events[0].contains(" 20000000 "), "\(audience.events)")
        audience.watch("b", window.surface)
        window.commit()
        try fixture.pump()
        try fixture.model.move(id, to: screens[1])
        try fixture.pump()
        _ = try fixture.step(100_000)
        #expect(audience.events.count == 2 && audience.events[1].contains(" 40000000 "), "\(audience.events)")
    }
}
