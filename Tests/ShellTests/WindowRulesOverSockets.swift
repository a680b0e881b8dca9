// The window experiments of the rules, through client connections, with exact pixels.

import MullionWayland
import TestSupport
import Testing

@Suite struct WindowRulesOverSockets {
    static let red: UInt32 = 0xffff0000
    static let green: UInt32 = 0xff00ff00
    static let blue: UInt32 = 0xff0000ff
    static let colors: [UInt32] = [red, green, blue]

    private func three(_ client: TestClient) -> [TestWindow] {
        (0..<3).map { client.window("w\($0 + 1)").color(Self.colors[$0]).frame(100, 100, 200, 200).commit() }
    }

    @Test("W3: created 1, 2, 3 and shown 3, 2, 1: w1 is in front")
    func shownInReverse() throws {
        let fixture = try ServerFixture()
        let windows = three(try fixture.connect())
        for window in windows.reversed() { window.show() }
        #expect(try fixture.color(x: 200, y: 200) == 0xff0000)
    }

    @Test("W3: shown 1, 2, 3: w3 is in front, by hidden=false and by makeKeyAndVisible alike")
    func shownInOrder() throws {
        for makesKey in [false, true] {
            let fixture = try ServerFixture()
            let client = try fixture.connect()
            let windows = three(client)
            for window in windows { if makesKey { window.makeKeyAndVisible() } else { window.show() } }
            #expect(try fixture.color(x: 200, y: 200) == 0x0000ff)
            #expect(client.events.contains("w3.didBecomeKey") == makesKey)
        }
    }

    @Test("W3: level 9999 covers all, whenever it is shown", arguments: 0..<3)
    func highLevel(position: Int) throws {
        let fixture = try ServerFixture()
        let windows = three(try fixture.connect())
        windows[position].level(9999)
        for window in windows { window.show() }
        #expect(try fixture.color(x: 200, y: 200) == Self.colors[position] & 0xffffff)
    }

    @Test("W3: setting the same level again, makeKey and a frame change do not reorder; a new level does")
    func whatReorders() throws {
        let fixture = try ServerFixture()
        let windows = three(try fixture.connect())
        for window in windows { window.show() }
        windows[0].level(0).frame(100, 100, 210, 210).makeKey()
        #expect(try fixture.color(x: 200, y: 200) == 0x0000ff)
        windows[0].level(1).commit()
        #expect(try fixture.color(x: 200, y: 200) == 0xff0000)
        windows[0].level(0).commit()
        #expect(try fixture.color(x: 200, y: 200) == 0xff0000)
    }

    @Test("W2: negative and fractional levels order windows too")
    func levels() throws {
        let fixture = try ServerFixture()
        let windows = three(try fixture.connect())
        for window in windows { window.show() }
        windows[2].level(-0.5).commit()
        windows[1].level(-1).commit()
        #expect(try fixture.color(x: 200, y: 200) == 0xff0000)
        windows[0].hide()
        #expect(try fixture.color(x: 200, y: 200) == 0x0000ff)
    }

    @Test("K5: an alert closes and the progress bar at 1000 inherits key, not the main window: the classic trap")
    func trap() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let main = client.window("main").color(Self.red)
        let progress = client.window("progress").color(Self.green).level(1000)
        let alert = client.window("alert").color(Self.blue).level(2000)
        main.makeKeyAndVisible()
        progress.show()
        alert.makeKeyAndVisible()
        try fixture.pump()
        #expect(
            client.takeEvents() == [
                "main.didBecomeVisible", "main.didBecomeKey", "progress.didBecomeVisible", "alert.didBecomeVisible",
                "main.didResignKey", "alert.didBecomeKey",
            ])
        alert.hide()
        try fixture.pump()
        #expect(client.takeEvents() == ["alert.didBecomeHidden", "alert.didResignKey", "progress.didBecomeKey"])
    }

    @Test("K5: the same application's windows inherit first, then others'; W7: a broken connection hides first")
    func inheritance() throws {
        let fixture = try ServerFixture()
        let one = try fixture.connect("one")
        let other = try fixture.connect("other")
        let low = one.window("low").color(Self.red)
        let alert = one.window("alert").color(Self.green).level(2000)
        let high = other.window("high").color(Self.blue).level(3000)
        low.show()
        high.show()
        alert.makeKeyAndVisible()
        try fixture.pump()
        _ = (one.takeEvents(), other.takeEvents())
        alert.destroy()
        try fixture.pump()
        #expect(one.takeEvents() == ["low.didBecomeKey"])
        #expect(other.takeEvents() == [])
        try one.kill()
        #expect(other.takeEvents() == ["high.didBecomeKey"])
        #expect(fixture.model.windows.count == 1)
        #expect(fixture.model.checkInvariants() == [])
    }

    @Test("K4: a window that declines never becomes key, by request or by inheritance")
    func declines() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let shy = client.window("shy").color(Self.red)
        shy.window.send(.setCanBecomeKey(can: 0))
        shy.makeKeyAndVisible()
        let other = client.window("other").color(Self.green)
        other.makeKeyAndVisible()
        other.hide()
        try fixture.pump()
        #expect(!client.events.contains("shy.didBecomeKey"))
        #expect(fixture.model.keyWindow == nil)
    }

    @Test("K6: resignKey gives key away, never back to itself")
    func resign() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let a = client.window("a").color(Self.red)
        let b = client.window("b").color(Self.green)
        a.makeKeyAndVisible()
        b.makeKeyAndVisible()
        try fixture.pump()
        _ = client.takeEvents()
        b.resignKey()
        try fixture.pump()
        #expect(client.takeEvents() == ["b.didResignKey", "a.didBecomeKey"])
        a.hide()
        b.hide()
        try fixture.pump()
        _ = client.takeEvents()
        let alone = client.window("alone").color(Self.blue)
        alone.makeKeyAndVisible()
        alone.resignKey()
        try fixture.pump()
        #expect(client.takeEvents() == ["alone.didBecomeVisible", "alone.didBecomeKey", "alone.didResignKey"])
    }

    @Test("C4: nothing of a change set shows before its commit, and all of it shows at once")
    func commits() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let window = client.window("w").color(Self.red).frame(0, 0, 100, 100)
        window.show()
        #expect(try fixture.color(x: 50, y: 50) == 0xff0000)
        window.color(Self.green).frame(200, 0, 100, 100)
        #expect(try fixture.color(x: 50, y: 50) == 0xff0000)
        #expect(try fixture.color(x: 250, y: 50) == 0)
        window.commit()
        #expect(try fixture.color(x: 50, y: 50) == 0)
        #expect(try fixture.color(x: 250, y: 50) == 0x00ff00)
    }

    @Test("C4: a window that is hidden and shown in one commit was hidden: both are notified, and it loses key")
    func hiddenAndShown() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let (heir, window) = (client.window("heir").color(Self.red), client.window("w").color(Self.green))
        heir.show()
        window.makeKeyAndVisible()
        try fixture.pump()
        _ = client.takeEvents()
        window.window.send(.setHidden(hidden: 1))
        window.window.send(.setHidden(hidden: 0))
        window.commit()
        try fixture.pump()
        let events = client.takeEvents()
        let expected = [
            "w.didBecomeHidden", "w.didResignKey", "heir.didBecomeKey", "w.didBecomeVisible",
        ]
        #expect(events.filter(expected.contains) == expected, "\(events)")
        #expect(fixture.model.keyWindow == fixture.model.windows[0])
    }

    @Test("C1: sub-surfaces on top, below the root's content, reordered; C3: clipped to the frame")
    func subsurfaces() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let window = client.window("w").frame(10, 10, 100, 100)
        try client.attach(0xffff0000, width: 50, height: 50, to: window.surface)
        func child(_ argb: UInt32, x: Int32, y: Int32) throws -> TestSubsurface {
            try TestSubsurface(client, of: window.surface, argb: argb, x: x, y: y, width: 60, height: 60)
        }
        let green = try child(0xff00ff00, x: 20, y: 20)
        let blue = try child(0xff0000ff, x: 40, y: 40)
        window.show()
        #expect(try fixture.color(x: 10 + 5, y: 10 + 5) == 0xff0000)
        #expect(try fixture.color(x: 10 + 30, y: 10 + 30) == 0x00ff00)
        #expect(try fixture.color(x: 10 + 60, y: 10 + 60) == 0x0000ff)
        #expect(try fixture.color(x: 10 + 99, y: 10 + 99) == 0x0000ff)
        #expect(try fixture.color(x: 10 + 100, y: 10 + 60) == 0, "C3: the window clips")
        green.subsurface.send(.placeAbove(sibling: blue.surface.id))
        #expect(try fixture.color(x: 10 + 60, y: 10 + 60) == 0x0000ff, "C4: the parent has not committed")
        window.commit()
        #expect(try fixture.color(x: 10 + 60, y: 10 + 60) == 0x00ff00)
        green.subsurface.send(.placeBelow(sibling: window.surface.id))
        window.commit()
        #expect(try fixture.color(x: 10 + 30, y: 10 + 30) == 0xff0000, "below the root's content")
        #expect(try fixture.color(x: 10 + 70, y: 10 + 30) == 0x00ff00)
    }

    @Test("W5: a window is never put inside a window: a protocol error that names the rule")
    func roles() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let outer = client.window("outer").commit()
        let inner = client.window("inner").commit()
        _ = TestSubsurface(bare: client, surface: inner.surface, parent: outer.surface)
        try fixture.pump()
        #expect(client.protocolError?.message.contains("W5") == true)
        #expect(fixture.model.windows.isEmpty)
    }

    @Test("W6: frames partly outside the screen are clipped; W1: alpha blends; a transform turns about the centre")
    func looks() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let window = client.window("w").color(0xffff0000).frame(-50, -50, 100, 100)
        window.show()
        #expect(try fixture.color(x: 49, y: 49) == 0xff0000)
        #expect(try fixture.color(x: 50, y: 50) == 0)
        window.window.send(.setAlpha(alpha: UInt32.max / 2))
        window.commit()
        #expect([0x7f0000, 0x800000].contains(try fixture.color(x: 10, y: 10)))
        window.window.send(.setAlpha(alpha: .max))
        window.frame(100, 100, 200, 100)
        // A quarter turn: the 200×100 frame about (200, 150) covers x 150…250, y 50…250.
        window.window.send(
            .setTransform(a: 0, b: 65536, c: -65536, d: 0, tx: Fixed(rounding: 0), ty: Fixed(rounding: 0)))
        window.commit()
        #expect(try fixture.color(x: 200, y: 60) == 0xff0000)
        #expect(try fixture.color(x: 110, y: 150) == 0)
    }

    @Test("W6: a negative size is refused, and the error says why")
    func negativeSize() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        client.window("w").frame(0, 0, -1, 10)
        try fixture.pump()
        #expect(client.protocolError?.message.contains("W6") == true)
    }
}
