// An input method's pop-ups and its keyboard grab.

import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct InputPopupTests {
    private static var cursor: ZwpTextInputV3.Request { .setCursorRectangle(x: 10, y: 20, width: 2, height: 16) }

    @Test("C3: while text is edited, a pop-up is shown below the cursor, in front of its window")
    func place() throws {
        let setup = try TextFixture()
        let popup = try setup.method.popup(0xff0000ff, width: 40, height: 30)
        try setup.fixture.pump()
        #expect(try setup.fixture.color(x: 115, y: 140) == 0xff0000, "not yet")
        try setup.enable(Self.cursor)
        // The window is at 100,100; the cursor's lower edge 36 below that.
        #expect(popup.rectangles == ["0,-16 2x16"])
        #expect(try setup.fixture.color(x: 110, y: 136) == 0x0000ff)
        #expect(try setup.fixture.color(x: 149, y: 165) == 0x0000ff)
        #expect(try setup.fixture.color(x: 110, y: 135) == 0xff0000)
        #expect(try setup.fixture.color(x: 150, y: 165) == 0xff0000)
        setup.field.commit(.setCursorRectangle(x: 60, y: 20, width: 2, height: 16))
        #expect(try setup.fixture.color(x: 160, y: 136) == 0x0000ff)
        #expect(try setup.fixture.color(x: 110, y: 136) == 0xff0000)
        #expect(popup.rectangles.count == 1, "the same place relative to the pop-up")
        setup.window.frame(300, 0, 400, 300).commit()
        #expect(try setup.fixture.color(x: 360, y: 36) == 0x0000ff, "it moves with its window")
        setup.field.commit(.disable)
        #expect(try setup.fixture.color(x: 360, y: 36) == 0xff0000)
        #expect(setup.fixture.model.checkInvariants() == [])
    }

    @Test("a pop-up that does not fit below the cursor is placed above it, and as far left as necessary")
    func flip() throws {
        let setup = try TextFixture()
        setup.window.frame(300, 300, 500, 300).commit()
        let popup = try setup.method.popup(0xff0000ff, width: 100, height: 30)
        try setup.enable(.setCursorRectangle(x: 480, y: 280, width: 2, height: 16))
        // The screen ends at 800,600.
        #expect(try setup.fixture.color(x: 700, y: 550) == 0x0000ff)
        #expect(try setup.fixture.color(x: 799, y: 579) == 0x0000ff)
        #expect(try setup.fixture.color(x: 699, y: 579) == 0xff0000)
        #expect(try setup.fixture.color(x: 799, y: 580) == 0xff0000)
        #expect(popup.rectangles.last == "80,30 2x16")
    }

    @Test("H1, E1: touches on a pop-up go to the input method's client, and outside its input region to the window")
    func touches() throws {
        let setup = try TextFixture()
        let below = try TestInput(setup.client)
        let above = try TestInput(setup.typist)
        let popup = try setup.method.popup(0xff0000ff, width: 40, height: 30)
        let region = setup.typist.region([(0, 0, 20, 30)])
        popup.surface.send(.setInputRegion(region: region.id))
        popup.surface.send(.commit)
        try setup.enable(Self.cursor)
        _ = (below.takeEvents(), above.takeEvents())
        try setup.fixture.tap(x: 115, y: 140)
        #expect(above.takeEvents() == ["down 99 \(popup.surface.id) 5.0,4.0", "up 99"])
        #expect(below.takeEvents() == [])
        try setup.fixture.tap(x: 140, y: 140)
        #expect(below.takeEvents() == ["down 99 \(setup.window.surface.id) 40.0,40.0", "up 99"])
        #expect(above.takeEvents() == [])
        // E2: the pop-up disappears under the finger.
        let touch: (Event.Phase) throws -> Void = { phase in
            try setup.fixture.model.touch(
                id: 1, phase: phase, at: Point(x: 115, y: 140), on: setup.fixture.mainScreen,
                time: setup.fixture.server.clock.now)
            try setup.fixture.pump()
        }
        try touch(.began)
        setup.field.commit(.disable)
        try setup.fixture.pump()
        try touch(.ended)
        #expect(above.takeEvents() == ["down 1 \(popup.surface.id) 5.0,4.0", "cancel"])
        #expect(below.takeEvents() == [])
        #expect(setup.fixture.model.keyWindow != nil && setup.client.isOpen && setup.typist.isOpen)
    }

    @Test("a pop-up is removed with its surface, its object, its input method, its window or its client, in any order")
    func endings() throws {
        for ending in ["surface", "popup", "method", "kill", "window", "editor"] {
            let setup = try TextFixture()
            let popup = try setup.method.popup(0xff0000ff, width: 40, height: 30)
            try setup.enable(Self.cursor)
            #expect(try setup.fixture.color(x: 115, y: 140) == 0x0000ff)
            var problems: [String] = []
            setup.fixture.server.onLog = { level, text in if level == .error { problems.append(text) } }
            switch ending {
            case "surface": popup.surface.send(.destroy)
            case "popup": popup.proxy.send(.destroy)
            case "method": setup.method.proxy.send(.destroy)
            case "kill": try setup.typist.kill()
            case "window": setup.window.destroy()
            default: try setup.client.kill()
            }
            #expect(try setup.fixture.color(x: 115, y: 140) != 0x0000ff, "\(ending)")
            if setup.typist.isOpen {
                popup.surface.send(.commit)
                popup.proxy.send(.destroy)
                setup.method.proxy.send(.destroy)
                try setup.fixture.pump()
                #expect(setup.typist.isOpen, "\(ending): \(String(describing: setup.typist.error))")
            }
            #expect(problems == [], "\(ending)")
            #expect(setup.fixture.model.checkInvariants() == [], "\(ending)")
        }
    }

    @Test("E3: a menu that edits text stays open when a suggestion beside it is touched, and closes for other touches")
    func menus() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect("editor")
        let top = try TestToplevel.map(client, fixture)
        let positioner = TestPopup.positioner(client, width: 100, height: 50, x: 10, y: 10)
        let menu = TestPopup(client, parent: top.xdg, positioner: positioner)
        menu.popup.send(.grab(seat: try client.bind(WlSeat.self).id, serial: 0))
        menu.surface.send(.commit)
        try fixture.pump()
        try client.attach(0xff00ff00, width: 100, height: 50, to: menu.surface)
        menu.surface.send(.commit)
        try fixture.pump()
        let field = try TestTextInput(client)
        let method = try TestInputMethod(fixture.connect("typist"))
        try fixture.pump()
        #expect(field.takeLines() == ["enter \(menu.surface.id)"], "the menu has the keyboard")
        field.enable(.setCursorRectangle(x: 4, y: 4, width: 1, height: 10))
        _ = try method.popup(0xff0000ff, width: 20, height: 12)
        try fixture.pump()
        // Finds the suggestion in the picture.
        let picture = try fixture.screenshot()
        let index = try #require(picture.pixels.firstIndex(of: 0xff00_00ff))
        let at = (screen: fixture.mainScreen, x: Double(index % picture.width), y: Double(index / picture.width))
        func touch(_ x: Double, _ y: Double) throws {
            let hit = fixture.model.hitTest(Point(x: x, y: y), on: at.screen)?.surface
            fixture.server.seat.grabs.pressWillBegin(on: hit.flatMap { fixture.server.surfaces[$0] })
            try fixture.pump()
        }
        try touch(at.x + 1, at.y + 1)
        #expect(!menu.isDone)
        try touch(790, 590)
        #expect(menu.isDone)
        #expect(field.takeLines().first == "leave \(menu.surface.id)")
        #expect(fixture.model.checkInvariants() == [])
    }

    @Test("W5: a surface that has a role cannot become a pop-up")
    func roles() throws {
        let setup = try TextFixture()
        let used = setup.typist.window("used")
        let popup = Proxy<ZwpInputPopupSurfaceV2>(setup.typist.connection, version: 1)
        setup.method.proxy.send(.getInputPopupSurface(id: popup.id, surface: used.surface.id))
        try setup.fixture.pump()
        #expect(setup.typist.protocolError?.code == ZwpInputMethodV2.Error.role.rawValue)
        #expect(setup.typist.protocolError?.message.contains("W5") == true)
    }

    // MARK: Keys

    /// Runs `body` while text is edited and the input method has grabbed the keyboard; earlier events are discarded.
    private func grabbed(_ body: (TextFixture, TestInput, TestKeyboardGrab) throws -> Void) throws {
        let setup = try TextFixture()
        let keyboard = try TestInput(setup.client)
        try setup.enable()
        _ = keyboard.takeEvents()
        let grab = setup.method.grab()
        try setup.fixture.pump()
        #expect(grab.takeLines() == ["keymap 1", "repeat 25 600", "modifiers 0"])
        #expect(grab.keymapSize == keyboard.keymapSize && grab.keymapSize > 0)
        try body(setup, keyboard, grab)
        #expect(setup.fixture.model.checkInvariants() == [])
    }

    private func press(_ setup: TextFixture, _ key: UInt32, _ isDown: Bool) throws {
        try setup.fixture.server.seat.keyboard.press(key: key, pressed: isDown)
        try setup.fixture.pump()
    }

    @Test("a grab receives keys and modifiers instead of the key window, until it is released")
    func grab() throws {
        try grabbed { setup, keyboard, grab in
            try press(setup, 42, true)
            try press(setup, 30, true)
            try press(setup, 30, false)
            try press(setup, 42, false)
            #expect(
                grab.takeLines() == ["key 42 1", "modifiers 1", "key 30 1", "key 30 0", "key 42 0", "modifiers 0"])
            #expect(keyboard.takeEvents() == [])
            grab.proxy.send(.release)
            try setup.fixture.press(30)
            #expect(keyboard.takeEvents() == ["key 30 1", "key 30 0"])
            let again = setup.method.grab()
            try setup.fixture.press(30)
            #expect(again.takeLines().suffix(2) == ["key 30 1", "key 30 0"])
        }
    }

    @Test("E3: no key sticks: it is released where it was pressed, whatever happens to the grab in between")
    func noKeySticks() throws {
        try grabbed { setup, keyboard, grab in
            // Pressed under the grab, released after it: the window never receives the key.
            try press(setup, 30, true)
            try press(setup, 42, true)
            grab.proxy.send(.release)
            try setup.fixture.pump()
            #expect(keyboard.takeEvents() == ["modifiers 1"], "but it receives the modifiers")
            try press(setup, 30, false)
            try press(setup, 42, false)
            #expect(keyboard.takeEvents() == ["modifiers 0"])
            // Pressed before the grab, released under it: the window receives the release.
            try press(setup, 42, true)
            let second = setup.method.grab()
            try setup.fixture.pump()
            #expect(second.takeLines() == ["keymap 1", "repeat 25 600", "modifiers 1"])
            try press(setup, 42, false)
            #expect(keyboard.takeEvents() == ["key 42 1", "modifiers 1", "key 42 0", "modifiers 0"])
            #expect(second.takeLines() == ["modifiers 0"])
            // The key window changes with a key down: the key stays down, and the grab keeps it until the release.
            try press(setup, 42, true)
            let other = setup.client.window("other").color(0xff00ff00)
            other.makeKeyAndVisible()
            try setup.fixture.pump()
            #expect(second.takeLines() == ["key 42 1", "modifiers 1"])
            #expect(
                keyboard.takeEvents() == [
                    "leave \(setup.window.surface.id)", "enter \(other.surface.id) []", "modifiers 1",
                ])
            try press(setup, 42, false)
            #expect(second.takeLines() == ["key 42 0", "modifiers 0"])
            second.proxy.send(.release)
            try setup.fixture.pump()
            #expect(keyboard.takeEvents() == ["modifiers 0"])
        }
    }

    @Test("when the client of a grab dies with keys down, the window gets the keyboard back without those keys")
    func grabberDies() throws {
        try grabbed { setup, keyboard, _ in
            try press(setup, 30, true)
            let second = setup.method.grab()
            try setup.fixture.pump()
            #expect(second.lines == [], "one grab at a time")
            try setup.typist.kill()
            try press(setup, 30, false)
            try setup.fixture.press(31)
            #expect(keyboard.takeEvents() == ["key 31 1", "key 31 0"])
        }
    }

    @Test("E3: without a key window keys are dropped, grab or not")
    func noKeyWindow() throws {
        try grabbed { setup, _, grab in
            setup.window.hide()
            try setup.fixture.pump()
            #expect(try setup.fixture.press(30).reason == .noKeyWindow)
            #expect(grab.takeLines() == [])
        }
    }
}
