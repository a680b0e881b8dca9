// Title bars: what the pointer and fingers do on them.

import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct TitleBarInputTests {
    @Test("title bars: a press moves the window, and the client sees nothing of it")
    func move() throws {
        let program = try BarredProgram()
        try program.point(100, 100)
        #expect(program.pointer.take().contains { $0.hasPrefix("enter") })
        try program.point(100, 50)
        #expect(program.pointer.take().filter { $0 != "frame" }.map { $0.prefix(5) } == ["leave"])
        let routing = try program.button(true)
        #expect(routing.hit?.window == program.window, "H3: the bar belongs to the window")
        try program.point(130, 90)
        #expect(try program.frame == Rect(x: 62, y: 100, width: 300, height: 100))
        #expect(try program.bar == Rect(x: 62, y: 72, width: 300, height: 28))
        try program.button(false)
        try program.point(140, 95)
        #expect(try program.frame.origin == Point(x: 62, y: 100))
        #expect(program.pointer.take() == [])
        try program.point(140, 110)
        #expect(program.pointer.take().contains { $0.hasPrefix("enter") })
        #expect(program.closes == 0 && program.model.checkInvariants() == [])
    }

    @Test("title bars: a press makes the window key and brings it to the front (K7)", arguments: [true, false])
    func key(isTouch: Bool) throws {
        let program = try BarredProgram()
        let other = try BarredProgram(program.fixture)
        #expect(program.model.keyWindow == program.window, "K2: another program's window does not take key")
        try program.model.bringToFront(program.window)
        try other.model.bringToFront(other.window)
        #expect(program.model.windows(on: program.fixture.mainScreen).last == other.window)
        if isTouch {
            try program.finger(.began, 35, 40)
            try program.finger(.ended, 35, 40)
            #expect(program.model.windows(on: program.fixture.mainScreen).last == program.window)
            try program.finger(.began, 340, 70)
            try program.finger(.ended, 340, 70)
        } else {
            try program.point(35, 40)
            try program.button(true)
            try program.button(false)
            #expect(program.model.windows(on: program.fixture.mainScreen).last == program.window)
            try program.point(340, 70)
            try program.button(true, code: 0x111)
            try program.button(false, code: 0x111)
        }
        #expect(program.model.windows(on: program.fixture.mainScreen).last == other.window)
        #expect(program.model.keyWindow == other.window && other.toplevel.has(.activated))
        let bars = try (program.fixture.color(x: 35, y: 40), program.fixture.color(x: 340, y: 70))
        #expect(bars == (BarredProgram.otherColor, BarredProgram.keyColor))
        #expect(try program.frame.origin == Point(x: 32, y: 60) && other.frame.origin == Point(x: 64, y: 92))
    }

    @Test("title bars: the close button, released where it was pressed, asks the client to close the window")
    func close() throws {
        let program = try BarredProgram()
        for (code, end, closes) in [
            (0x110, 318.0, 1), (0x110, 300.0, 1), (0x111, 318.0, 1), (0x110, 331.9, 2),
        ] as [(UInt32, Double, Int)] {
            try program.point(318, 46)
            try program.button(true, code: code)
            try program.point(end, 46)
            try program.button(false, code: code)
            #expect(program.closes == closes)
        }
        // Pressed elsewhere.
        try program.point(331, 61)
        try program.button(true)
        try program.point(331, 50)
        try program.button(false)
        #expect(program.closes == 2)
        #expect(try program.frame.origin == Point(x: 32, y: 60), "the button does not move the window")
        #expect(program.model.frame(of: program.window) != nil, "the client decides")
    }

    @Test("title bars: touches move and close as the pointer does, each on its own")
    func touches() throws {
        let program = try BarredProgram()
        let touch = Proxy<WlTouch>(program.client.connection, version: program.pointer.seat.version)
        program.pointer.seat.send(.getTouch(id: touch.id))
        var events = 0
        touch.onEvent = { _ in events += 1 }
        try program.finger(.began, 318, 46, id: 1)
        try program.finger(.began, 100, 40, id: 2)
        try program.finger(.moved, 110, 60, id: 2)
        #expect(try program.frame.origin == Point(x: 42, y: 80))
        try program.finger(.ended, 110, 60, id: 2)
        try program.finger(.ended, 330, 66, id: 1)
        #expect(program.closes == 1, "the button has moved under the finger")
        try program.finger(.began, 330, 66, id: 1)
        try program.finger(.ended, 330, 90, id: 1)
        try program.finger(.began, 330, 66, id: 1)
        try program.finger(.cancelled, 330, 66, id: 1)
        #expect(program.closes == 1)
        #expect(events == 0)
        try program.finger(.began, 100, 100, id: 1)
        #expect(events > 0)
    }

    @Test("title bars: a maximized window is not moved; a press on the bar closes menus")
    func maximizedAndMenus() throws {
        let program = try BarredProgram { $0.toplevel.send(.setMaximized) }
        try program.point(100, 10)
        try program.button(true)
        try program.point(150, 60)
        try program.button(false)
        #expect(try program.frame == Rect(x: 0, y: 28, width: 800, height: 572))
        #expect(program.pointer.take().filter { $0.hasPrefix("button") } == [])
        let positioner = TestPopup.positioner(program.client, width: 40, height: 50)
        let menu = TestPopup(program.client, parent: program.toplevel.xdg, positioner: positioner)
        menu.popup.send(.grab(seat: program.pointer.seat.id, serial: 0))
        menu.surface.send(.commit)
        try program.fixture.pump()
        try program.client.attach(0xffff_0000, width: 40, height: 50, to: menu.surface)
        menu.surface.send(.commit)
        try program.fixture.pump()
        let place = InputEvent.Place(screen: nil, point: Point(x: 100, y: 10))
        _ = try program.fixture.server.injector.inject([.click(button: 0x110, place)])
        try program.fixture.pump()
        #expect(menu.isDone)
    }

    @Test("title bars: a move ends when the bar does, and the pointer is free again", arguments: 0...3)
    func ends(how: Int) throws {
        let program = try BarredProgram()
        try program.point(100, 40)
        try program.button(true)
        switch how {
        case 0: program.fixture.server.decorations = .none
        case 1: program.toplevel.toplevel.send(.setMaximized)
        case 2:
            program.toplevel.surface.send(.attach(buffer: nil, x: 0, y: 0))
            program.toplevel.surface.send(.commit)
        default: program.toplevel.toplevel.send(.setFullscreen(output: nil))
        }
        try program.fixture.pump()
        if how == 1 || how == 3 { try program.follow() }
        let frame = try program.frame
        try program.point(150, 150)
        try program.button(false)
        #expect(try program.frame == frame)
        guard how != 2 else { return }
        _ = program.pointer.take()
        try program.point(100, 120)
        try program.button(true)
        try program.button(false)
        #expect(program.pointer.take().contains("button 272 1"))
        #expect(program.model.checkInvariants() == [])
    }

    @Test("title bars: scrolling and drags over a bar reach nobody; without interaction it lets events through")
    func nobody() throws {
        let program = try BarredProgram()
        try program.point(100, 100)
        try program.point(100, 40)
        _ = program.pointer.take()
        try program.model.scroll(
            Event.Scroll(deltaX: 0, deltaY: 10), phase: nil, time: program.fixture.server.clock.now)
        try program.fixture.pump()
        #expect(program.pointer.take() == [])
        try program.model.setUserInteractionEnabled(false, of: program.window)
        #expect(program.model.hitTest(Point(x: 100, y: 40), on: program.fixture.mainScreen) == nil)
    }
}
