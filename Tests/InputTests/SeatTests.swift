// Two people at one server, over sockets: each has a key window, a pointer, fingers and keys of their own (K1).

import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct SeatTests {
    @Test("K1: two people type, touch and point at once, and each program receives its own person's events only")
    func interleaved() throws {
        let setup = try SeatFixture()
        for seat in [0, 1] {
            try setup.touch(.began, 10, 10, by: seat)
            try setup.key(30, true, by: seat)
            try setup.move(20, 20 + Double(seat), by: seat)
        }
        for seat in [1, 0] {
            try setup.button(true, by: seat)
            try setup.touch(.moved, 11, 10, by: seat)
            try setup.key(30, false, by: seat)
            try setup.button(false, by: seat)
            try setup.move(30, 30, by: seat)
            try setup.touch(.ended, 11, 10, by: seat)
        }
        for own in [0, 1] {
            #expect(
                try setup.received(own, by: own) == [
                    "down 1 10.0,10.0", "key 30 1", "pointer enter", "button 272 1", "move 1 11.0,10.0", "key 30 0",
                    "button 272 0", "motion 30.0,30.0", "up 1",
                ])
            #expect(try setup.received(own, by: 1 - own) == [])
        }
    }

    @Test("K1, K5: each seat has a key window of its own, which passes on within the seat's screens only")
    func keyWindows() throws {
        let setup = try SeatFixture()
        let model = setup.fixture.model
        #expect(model.keyWindow == setup.windowID(0) && model.keyWindow(of: setup.seats[1].id) == setup.windowID(1))
        _ = setup.guests.map { $0.client.takeEvents() }
        setup.guests[1].window.hide()
        #expect(try setup.received(1, by: 1) == ["leave"])
        #expect(model.keyWindow == setup.windowID(0) && model.keyWindow(of: setup.seats[1].id) == nil)
        try setup.key(30, true, by: 1)
        try setup.key(30, false, by: 1)
        #expect(try setup.received(0, by: 0) == [] && setup.received(0, by: 1) == [] && setup.received(1, by: 1) == [])
        setup.guests[1].window.makeKeyAndVisible()
        #expect(try setup.received(1, by: 1) == ["enter []"])
        #expect(setup.guests[0].client.takeEvents() == [], "the first seat's key window is not affected")
    }

    @Test("K2: a key that is down when key passes on at one seat stays down; the other seat's keys are not touched")
    func heldKeys() throws {
        let setup = try SeatFixture()
        try setup.key(42, true, by: 0)
        try setup.key(30, true, by: 1)
        let client = setup.guests[0].client
        let second = client.window("second", on: client.screens[0]).color(0xff00_00ff).frame(0, 0, 100, 100)
        second.makeKeyAndVisible()
        #expect(try setup.received(0, by: 0) == ["key 42 1", "leave", "enter [42]"])
        #expect(try setup.received(1, by: 1) == ["key 30 1"])
        try setup.key(30, false, by: 1)
        #expect(try setup.received(1, by: 1) == ["key 30 0"] && setup.received(0, by: 0) == [])
        try setup.key(42, false, by: 0)
        #expect(try setup.received(0, by: 0) == ["key 42 0"] && setup.received(1, by: 1) == [])
    }

    @Test("E2, S9: unplugging a seat's screen ends its fingers, keys and pointer, and no other seat's")
    func unplugged() throws {
        let setup = try SeatFixture()
        for seat in [0, 1] {
            try setup.touch(.began, 10, 10, by: seat)
            try setup.key(30, true, by: seat)
            try setup.move(20, 20, by: seat)
            try setup.button(true, by: seat)
            _ = try setup.received(seat, by: seat)
        }
        try setup.fixture.model.disconnect(setup.screen(1))
        let ends = try setup.received(1, by: 1)
        #expect(Set(ends) == ["cancel", "button 272 0", "pointer leave", "leave"] && ends.count == 4)
        #expect(try setup.received(0, by: 0) == [])
        try setup.touch(.ended, 10, 10, by: 0)
        try setup.key(30, false, by: 0)
        try setup.button(false, by: 0)
        #expect(try setup.received(0, by: 0) == ["up 1", "key 30 0", "button 272 0"])
        #expect(setup.guests.allSatisfy { $0.client.isOpen } && setup.seats[1].pointer.location == nil)
    }

    @Test("a program that binds the first seat only receives nothing from the second, and has no errors")
    func firstSeatOnly() throws {
        let setup = try SeatFixture()
        let old = try setup.fixture.connect("old")
        let reader = try SeatReader(old, 0)
        let window = old.window("old", on: old.screens[1]).color(0xffff_ffff).frame(0, 0, 400, 300).level(9)
        window.makeKeyAndVisible()
        try setup.fixture.pump()
        try setup.touch(.began, 10, 10, by: 1)
        try setup.touch(.ended, 10, 10, by: 1)
        try setup.move(20, 20, by: 1)
        try setup.button(true, by: 1)
        try setup.button(false, by: 1)
        try setup.key(30, true, by: 1)
        try setup.key(30, false, by: 1)
        try setup.fixture.pump()
        #expect(reader.take() == [] && reader.name == "seat0" && old.isOpen)
        #expect(old.takeEvents().last == "old.didBecomeKey", "the window is key all the same")
    }

    @Test("K1: a seat that is added at run time is announced, ends the first one's input on its screens, and works")
    func added() throws {
        let fixture = try ServerFixture(screens: ["800x600,name=A", "800x600,name=B"])
        let client = try fixture.connect()
        let first = try SeatReader(client, 0)
        let window = client.window("w", on: client.screens[1]).color(0xffff_ffff).frame(0, 0, 400, 300)
        window.makeKeyAndVisible()
        try fixture.pump()
        let screen = fixture.model.screens[1]
        try fixture.model.pointerMoved(to: Point(x: 5, y: 5), on: screen, time: fixture.server.clock.now)
        try fixture.model.touch(
            id: 4, phase: .began, at: Point(x: 1, y: 1), on: screen, time: fixture.server.clock.now)
        try fixture.pump()
        #expect(first.take() == ["enter []", "pointer enter", "down 4 1.0,1.0"])
        try fixture.server.addSeat(name: "seat1", screens: ["B"])
        try fixture.pump()
        let ends = first.take()
        #expect(Set(ends) == ["leave", "cancel", "pointer leave"] && ends.count == 3)
        let second = try SeatReader(client, 1)
        try fixture.pump()
        #expect(second.name == "seat1")
        window.makeKey()
        try fixture.pump()
        try fixture.server.seats[1].keyboard.press(key: 30, pressed: true)
        try fixture.tap(x: 3, y: 3, on: screen)
        #expect(second.take() == ["enter []", "key 30 1", "down 99 3.0,3.0", "up 99"] && first.take() == [])
        let refusal = #expect(throws: ModelError.self) {
            try fixture.server.addSeat(name: "seat2", screens: ["B"])
        }
        #expect(refusal?.rule == .k1 && refusal?.message.contains("belongs to seat seat1") == true)
        var keyboard = KeyboardConfiguration()
        keyboard.layout.layout = "zz"
        #expect(throws: ModelError.self) {
            try fixture.server.addSeat(name: "seat2", screens: ["C"], keyboard: keyboard)
        }
        #expect(fixture.server.seats.count == 2 && fixture.model.seats.count == 2, "nothing is half-done")
    }

    @Test("each seat has its keyboard layout; a change of the default affects the seats without a layout of their own")
    func layouts() throws {
        let setup = try SeatFixture()
        let server = setup.fixture.server
        var german = KeyboardConfiguration()
        german.layout.layout = "de"
        let third = try server.addSeat(name: "seat2", screens: ["C"], keyboard: german)
        var french = KeyboardConfiguration()
        french.layout.layout = "fr"
        try server.setKeyboard(french)
        #expect(server.seats.map(\.keyboard.configuration.layout.layout) == ["fr", "fr", "de"])
        #expect(server.seat(third)?.hasOwnKeyboard == true)
        let keymaps = server.seats.prefix(2).map { $0.keyboard.state?.keymap }
        #expect(keymaps[0] != nil && keymaps[0] === keymaps[1], "a layout is compiled once")
        try setup.key(58, true, by: 0)
        try setup.key(58, false, by: 0)
        #expect(server.seats[0].keyboard.state?.modifiers.locked == 2)
        #expect(server.seats[1].keyboard.state?.modifiers.locked == 0, "Caps Lock is one person's")
    }
}
