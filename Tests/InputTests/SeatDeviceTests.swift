// What belongs to one seat: selections, drags, pop-up grabs, cursors, locks, and what programs inject (K1).

import Compositor
import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct SeatDeviceTests {
    @Test("K1: what one person copies or selects the other cannot paste")
    func selections() throws {
        let setup = try SeatFixture()
        let clipboards = try setup.guests.map { guest in
            try [0, 1].map { try TestDataDevice(guest.client, seat: $0) }
        }
        let primaries = try [0, 1].map { try TestPrimary(setup.guests[$0].client, seat: $0) }
        try setup.fixture.pump()
        for own in [0, 1] {
            let source = clipboards[own][own].source(["text/\(own)"], actions: nil)
            clipboards[own][own].device.send(.setSelection(source: source.id, serial: 0))
            // It does not have the other seat's keyboard, so this is ignored.
            let foreign = clipboards[own][1 - own].source(["text/foreign"], actions: nil)
            clipboards[own][1 - own].device.send(.setSelection(source: foreign.id, serial: 0))
        }
        try setup.fixture.pump()
        for own in [0, 1] {
            let offered = clipboards[own].map { device in device.selection.flatMap { device.types[$0.id] } }
            #expect(offered[own] == ["text/\(own)"] && offered[1 - own] == nil)
            #expect(clipboards[own][1 - own].takeEvents() == ["source cancelled"])
            #expect(clipboards[own][own].takeEvents() == [])
            #expect(primaries[own].events == ["selection nil"])
        }
        try setup.guests[0].client.kill()
        #expect(clipboards[1][1].takeEvents() == [] && setup.seats[1].selections.clipboard.source != nil)
        #expect(setup.seats[0].selections.clipboard.source == nil)
    }

    @Test("K1: while one person drags, the other clicks and drags as well; a serial is valid for its own seat only")
    func drags() throws {
        let setup = try SeatFixture()
        let devices = try setup.guests.map { guest in
            try [0, 1].map { try TestDataDevice(guest.client, seat: $0) }
        }
        for seat in [0, 1] {
            try setup.move(10, 10, by: seat)
            try setup.button(true, by: seat)
        }
        try setup.fixture.pump()
        let press = devices[0][0].press
        #expect(press != 0 && devices[1][1].press != 0)
        devices[0][1].startDrag(devices[0][1].source(), from: setup.guests[0].window.surface, serial: press)
        try setup.fixture.pump()
        #expect(!setup.seats[1].dragAndDrop.isActive && !setup.seats[0].dragAndDrop.isActive)
        devices[0][0].startDrag(devices[0][0].source(), from: setup.guests[0].window.surface)
        try setup.fixture.pump()
        #expect(setup.seats[0].dragAndDrop.isActive && !setup.seats[1].dragAndDrop.isActive)
        _ = devices.map { $0.map { $0.takeEvents() } }
        _ = try setup.received(1, by: 1)
        try setup.move(20, 10, by: 0)
        try setup.button(false, by: 1)
        try setup.move(12, 10, by: 1)
        try setup.button(true, by: 1)
        #expect(try setup.received(1, by: 1) == ["button 272 0", "motion 12.0,10.0", "button 272 1"])
        #expect(devices[0][0].takeEvents() == ["motion 20.0,10.0"] && devices[1][0].takeEvents() == [])
        devices[1][1].startDrag(devices[1][1].source(), from: setup.guests[1].window.surface)
        try setup.fixture.pump()
        #expect(setup.seats.allSatisfy { $0.dragAndDrop.isActive })
        devices[1][1].answer("text/plain")
        try setup.fixture.pump()
        try setup.button(false, by: 1)
        try setup.fixture.pump()
        #expect(devices[1][1].takeEvents().contains("drop") && setup.seats[0].dragAndDrop.isActive)
        #expect(devices[0][0].takeEvents() == [] && devices.joined().allSatisfy { $0.client.isOpen })
    }

    @Test("K1: a selection is set by the serial of an event of its own seat, not by one of the other person's")
    func foreignSerials() throws {
        let setup = try SeatFixture()
        let client = setup.guests[0].client
        let second = client.window("second", on: client.screens[1]).color(0xff00_00ff).frame(0, 0, 400, 300)
        second.makeKeyAndVisible()
        try setup.fixture.pump()
        let devices = try [0, 1].map { try TestDataDevice(client, seat: $0) }
        try setup.fixture.pump()
        for seat in [0, 1] { try setup.touch(.began, 10, 10, by: seat) }
        try setup.fixture.pump()
        for seat in [1, 0] {
            for (serial, events) in [(devices[1 - seat].press, ["source cancelled"]), (devices[seat].press, [])] {
                _ = devices[seat].takeEvents()
                let source = devices[seat].source(["text/\(seat)"], actions: nil)
                devices[seat].device.send(.setSelection(source: source.id, serial: serial))
                try setup.fixture.pump()
                #expect(devices[seat].takeEvents() == events)
                #expect((setup.seats[seat].selections.clipboard.source == nil) == !events.isEmpty)
            }
        }
        #expect(devices[0].press != devices[1].press && client.isOpen)
    }

    @Test("E3: a menu with a grab stays open when the other person presses, and closes when its own person does")
    func popupGrab() throws {
        let setup = try SeatFixture()
        let client = setup.guests[1].client
        let top = try TestToplevel.map(client, setup.fixture)
        let window = try #require(setup.fixture.model.windows.last)
        try setup.fixture.model.move(window, to: setup.screen(1))
        try setup.fixture.model.makeKey(window)
        try setup.fixture.pump()
        func open(grabBy seat: Int) throws -> TestPopup {
            let popup = TestPopup(
                client, parent: top.xdg, positioner: TestPopup.positioner(client, width: 20, height: 20))
            popup.popup.send(.grab(seat: setup.guests[1].readers[seat].seat.id, serial: 0))
            popup.surface.send(.commit)
            try setup.fixture.pump()
            try client.attach(0xff00_0000, width: 20, height: 20, to: popup.surface)
            popup.surface.send(.commit)
            try setup.fixture.pump()
            return popup
        }
        let foreign = try open(grabBy: 0)
        #expect(foreign.isDone, "the window is not the other seat's key window")
        foreign.destroy()
        let popup = try open(grabBy: 1)
        #expect(!popup.isDone)
        func tap(_ screen: String) throws {
            let place = InputEvent.Place(screen: ScreenReference(screen), point: Point(x: 790, y: 590))
            _ = try setup.fixture.server.injector.inject([.tap(id: 3, place), .click(button: 272, place)])
            try setup.fixture.pump()
        }
        try tap("A")
        #expect(!popup.isDone)
        try tap("B")
        #expect(popup.isDone)
    }

    @Test("E5: cursors and locks are per seat; both pointers can be constrained to one surface, each by its own lock")
    func pointers() throws {
        let setup = try SeatFixture()
        let surface = setup.guests[0].window.surface
        let client = setup.guests[0].client
        let pointers = try [0, 1].map { try TestPointer(client, seat: $0) }
        for seat in [0, 1] { try setup.move(10, 10, by: seat) }
        try setup.fixture.pump()
        _ = pointers.map { $0.take() }
        _ = try pointers[0].lock(surface)
        _ = try pointers[1].confine(surface)
        try setup.fixture.pump()
        #expect(pointers[0].take() == ["locked"] && pointers[1].take() == [] && client.isOpen)
        #expect(setup.seats[0].pointer.constraint != nil && setup.seats[1].pointer.constraint == nil)
        // The confinement becomes active when the window is on the other seat's screen.
        let window = try #require(setup.windowID(0))
        try setup.fixture.model.move(window, to: setup.screen(1))
        try setup.fixture.model.setLevel(9, of: window)
        try setup.fixture.pump()
        #expect(pointers[0].take().contains("unlocked") && pointers[1].take().contains("confined"))
        _ = try pointers[1].confine(surface)
        try setup.fixture.pump()
        #expect(client.protocolError?.message.contains("has a lock or confinement") == true)
    }

    @Test("E5: each pointer has the cursor that its own client set; a cursor surface has one pointer at a time")
    func cursors() throws {
        let setup = try SeatFixture()
        let images = try setup.guests.enumerated().map { index, guest in
            let image = guest.client.surface()
            try guest.client.attach(0xff00_0010 + UInt32(index), width: 8, height: 8, to: image)
            image.send(.commit)
            return image
        }
        for seat in [0, 1] { try setup.move(100, 100, by: seat) }
        try setup.fixture.pump()
        for own in [0, 1] {
            let reader = setup.guests[own].readers[own]
            reader.pointer.send(
                .setCursor(serial: reader.enterSerial, surface: images[own].id, hotspotX: 0, hotspotY: 0))
        }
        try setup.fixture.pump()
        func color(_ seat: Int) throws -> UInt32? {
            var pictures: [Bitmap] = []
            setup.fixture.server.capture([setup.screen(seat)], cursor: true) { pictures = $0.map(\.1) }
            try setup.fixture.wait(for: "a picture") { !pictures.isEmpty }
            return pictures[0][103, 103].map { $0 & 0xffffff }
        }
        #expect(try [color(0), color(1)] == [0x10, 0x11])
    }

    @Test("E9: a virtual pointer acts for the seat that it names, or whose output it has, within that seat's screens")
    func virtualPointers() throws {
        let setup = try SeatFixture()
        let program = try setup.fixture.connect("program")
        let manager = try program.bind(ZwlrVirtualPointerManagerV1.self)
        func mouse(_ request: (ObjectID) -> ZwlrVirtualPointerManagerV1.Request) -> Proxy<ZwlrVirtualPointerV1> {
            let mouse = Proxy<ZwlrVirtualPointerV1>(program.connection, version: manager.version)
            manager.send(request(mouse.id))
            return mouse
        }
        let second = try program.seat(1)
        let outputs = program.globals.filter { $0.interface == WlOutput.name }.map(\.name)
        let output = try program.bind(WlOutput.self, name: outputs[1])
        let mice = [
            mouse { .createVirtualPointer(seat: second.id, id: $0) },
            mouse { .createVirtualPointerWithOutput(seat: nil, output: output.id, id: $0) },
        ]
        for mouse in mice {
            mouse.send(.motionAbsolute(time: 0, x: 1, y: 1, xExtent: 8, yExtent: 6))
            mouse.send(.button(time: 0, button: 272, state: .pressed))
            mouse.send(.motion(time: 0, dx: Fixed(rounding: -5000), dy: Fixed(rounding: 0)))
            mouse.send(.button(time: 0, button: 272, state: .released))
            mouse.send(.frame)
            #expect(
                try setup.received(1, by: 1).filter { $0 != "pointer enter" && $0 != "motion 100.0,100.0" }
                    == ["button 272 1", "motion 0.0,100.0", "button 272 0"])
        }
        #expect(setup.seats[1].pointer.location?.screen == setup.screen(1))
        #expect(try setup.received(0, by: 0) == [] && setup.seats[0].pointer.location == nil && program.isOpen)
    }

    @Test("K7: text fields and input methods are per seat: an input method writes into its own person's field")
    func text() throws {
        let setup = try SeatFixture()
        let fields = try setup.guests.map { guest in
            try [0, 1].map { try TestTextInput(guest.client, seat: guest.readers[$0].seat) }
        }
        let typist = try setup.fixture.connect("typist")
        let methods = try [0, 1].map { try TestInputMethod(typist, seat: typist.seat($0)) }
        try setup.fixture.pump()
        for own in [0, 1] {
            #expect(fields[own][own].takeLines().count == 1 && fields[own][1 - own].takeLines() == [])
            fields[own][own].enable()
        }
        try setup.fixture.pump()
        for own in [0, 1] { methods[own].commit(.commitString(text: "for \(own)")) }
        try setup.fixture.pump()
        for own in [0, 1] {
            #expect(methods[own].takeLines() == ["activate", "done"])
            #expect(fields[own][own].text == "for \(own)" && fields[own][1 - own].text.isEmpty)
        }
        fields[0][0].commit(.disable)
        let grab = methods[1].grab()
        try setup.fixture.pump()
        #expect(methods[0].takeLines() == ["deactivate", "done"] && methods[1].takeLines() == [])
        for seat in [0, 1] { try setup.key(30, true, by: seat) }
        #expect(try setup.received(0, by: 0) == ["key 30 1"] && setup.received(1, by: 1) == [])
        #expect(grab.lines.contains { $0.hasPrefix("key 30 1") })
    }
}
