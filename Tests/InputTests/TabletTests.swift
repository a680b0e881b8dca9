// Pencils as tools of a tablet: zwp_tablet_v2.

import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct TabletTests {
    private let fixture: ServerFixture
    private let client: TestClient
    private let window: TestWindow
    private let tablet: TestTablet
    private let touch: TouchReader
    private let control: ControlSession
    private var surface: ObjectID { window.surface.id }

    /// A window at 100,0 of a client with a tablet and wl_touch.
    init() throws {
        fixture = try ServerFixture.handingOver()
        client = try fixture.connect("painter")
        tablet = try TestTablet(client)
        touch = try TouchReader(client)
        window = client.window("canvas").color(0xffff_ffff).frame(100, 0, 300, 200)
        window.show()
        try fixture.pump()
        control = try ControlSession(fixture)
    }

    /// The lines that the tools receive for injected events.
    @discardableResult
    private func draw(_ events: String...) throws -> [String] {
        let answer = try control.send("POST", "/v1/input", Array("[\(events.joined(separator: ", "))]".utf8))
        guard answer.status == 200 else { throw FixtureError(answer.text) }
        try fixture.pump()
        return tablet.take()
    }

    @Test("a tablet has a pen and an eraser with the same serial, and what they measure")
    func description() {
        let able = ["can 1", "can 2", "can 3", "can 4", "done"]
        #expect(
            tablet.description == ["tablet Mullion pencil", "done", "pen 320", "serial 0 1"] + able
                + ["eraser 321", "serial 0 1"] + able)
        #expect(tablet.tablets.count == 1 && tablet.tools.count == 2)
    }

    @Test("E1: a touch of a pencil is a tool that is near, down, up and gone; wl_touch receives nothing of it")
    func drawing() throws {
        let began = try draw(
            #"{"type": "touch", "phase": "began", "x": 110, "y": 20, "tool": "pencil", "force": 0.25, "altitude": 0.785398}"#
        )
        #expect(
            began == [
                "pen in \(surface)", "distance 0", "tilt 45.0,0.0", "rotation 0.0", "pressure 16384", "at 10.0,20.0",
                "pen down", "frame",
            ])
        #expect(
            try draw(#"{"type": "touch", "phase": "moved", "x": 500, "y": 30, "force": 1, "azimuth": 1.570796}"#) == [
                "tilt 0.0,45.0", "pressure 65535", "at 400.0,30.0", "frame",
            ])
        #expect(
            try draw(#"{"type": "touch", "phase": "moved", "roll": -1.570796, "buttons": ["primary", "tertiary"]}"#)
                == [
                    "rotation 270.0", "button 331 1", "button 329 1", "frame",
                ])
        #expect(
            try draw(#"{"type": "touch", "phase": "ended"}"#) == [
                "pen up", "button 331 0", "button 329 0", "pen out", "frame",
            ])
        #expect(touch.take() == [])
        // A tap without measurements, with the other end.
        #expect(
            try draw(#"{"type": "tap", "x": 110, "y": 20, "tool": "eraser"}"#) == [
                "eraser in \(surface)", "distance 0", "tilt 0.0,0.0", "rotation 0.0", "pressure 32768", "at 10.0,20.0",
                "eraser down", "frame", "eraser up", "eraser out", "frame",
            ])
        // Fingers are touches.
        #expect(try draw(#"{"type": "tap", "x": 110, "y": 20}"#) == [])
        #expect(touch.take() == ["down 0 on \(surface) 10.0,20.0", "frame", "up 0", "frame"])
    }

    @Test(
        "E5: a pencil above the screen is near, with its distance; it lands, lifts and goes without leaving in between")
    func hovering() throws {
        #expect(
            try draw(#"{"type": "hover", "tool": "pencil", "x": 150, "y": 50, "distance": 1}"#) == [
                "pen in \(surface)", "distance 65535", "tilt 0.0,0.0", "rotation 0.0", "pressure 0", "at 50.0,50.0",
                "frame",
            ])
        #expect(
            try draw(#"{"type": "hover", "tool": "pencil", "buttons": ["secondary"]}"#) == ["button 332 1", "frame"])
        #expect(
            try draw(#"{"type": "touch", "phase": "began", "x": 151, "y": 50}"#) == [
                "distance 0", "pressure 32768", "at 51.0,50.0", "pen down", "frame",
            ])
        #expect(try draw(#"{"type": "touch", "phase": "ended"}"#) == ["pen up", "pressure 0", "frame"])
        #expect(
            try draw(#"{"type": "hover", "tool": "pencil", "phase": "ended"}"#) == ["button 332 0", "pen out", "frame"])
        #expect(touch.take() == [])
        // Between windows nothing is near.
        #expect(try draw(#"{"type": "hover", "tool": "pencil", "x": 10, "y": 50}"#) == [])
        #expect(try draw(#"{"type": "hover", "tool": "pencil", "x": 110, "y": 50}"#).first == "pen in \(surface)")
        #expect(try draw(#"{"type": "hover", "tool": "pencil", "x": 10, "y": 50}"#) == ["pen out", "frame"])
    }

    @Test("E1: a second pencil is a touch; the other end is the other tool; a client without tablet has touches only")
    func several() throws {
        let plain = try fixture.connect("plain")
        let reader = try TouchReader(plain)
        let other = plain.window("plain").color(0xff00_00ff).frame(500, 0, 100, 100)
        other.show()
        try fixture.pump()
        try draw(
            #"{"type": "hover", "id": 4, "tool": "pencil", "x": 510, "y": 10}"#,
            #"{"type": "hover", "id": 4, "tool": "pencil", "phase": "ended"}"#,
            #"{"type": "tap", "id": 4, "x": 510, "y": 10, "tool": "pencil"}"#)
        #expect(reader.take() == ["down 4 on \(other.surface.id) 10.0,10.0", "frame", "up 4", "frame"])
        try draw(#"{"type": "touch", "phase": "began", "id": 1, "x": 110, "y": 20, "tool": "pencil"}"#)
        #expect(try draw(#"{"type": "touch", "phase": "began", "id": 2, "x": 120, "y": 20, "tool": "pencil"}"#) == [])
        #expect(touch.take() == ["down 2 on \(surface) 20.0,20.0", "frame"])
        let eraser = try draw(
            #"{"type": "touch", "phase": "began", "id": 3, "x": 130, "y": 20, "tool": "eraser", "altitude": 0}"#)
        #expect(eraser.contains("eraser down") && eraser.contains("tilt 90.0,0.0"))
        // wl_touch.cancel is for touches only.
        try draw(#"{"type": "touch", "phase": "cancelled", "id": 2}"#)
        #expect(touch.take() == ["cancel"])
        let moved = try draw(#"{"type": "touch", "phase": "moved", "id": 1, "x": 111, "y": 20}"#)
        #expect(moved == ["at 11.0,20.0", "frame"], "\(moved)")
    }

    @Test("E2: a hidden or destroyed window's tool goes up and out; a window that comes under the pencil has it")
    func cancelling() throws {
        try draw(#"{"type": "touch", "phase": "began", "x": 110, "y": 20, "tool": "pencil"}"#)
        window.hide()
        try fixture.pump()
        #expect(tablet.take() == ["pen up", "pen out", "frame"])
        #expect(try draw(#"{"type": "touch", "phase": "ended"}"#) == [])
        try draw(#"{"type": "hover", "tool": "pencil", "x": 150, "y": 50}"#)
        window.show()
        try fixture.pump()
        #expect(tablet.take().first == "pen in \(surface)")
        window.destroy()
        try fixture.pump()
        #expect(tablet.take() == ["pen out", "frame"] && client.isOpen)
    }

    @Test("an object made while a pencil is near is notified of it, unless the pencil is down")
    func lateObjects() throws {
        try draw(#"{"type": "hover", "tool": "pencil", "x": 150, "y": 50, "buttons": ["primary"]}"#)
        let second = try TestTablet(client)
        try fixture.pump()
        #expect(
            second.take() == [
                "pen in \(surface)", "distance 0", "tilt 0.0,0.0", "rotation 0.0", "at 50.0,50.0", "button 331 1",
                "frame",
            ])
        try draw(#"{"type": "touch", "phase": "began"}"#)
        _ = second.take()
        let third = try TestTablet(client)
        try fixture.pump()
        try draw(#"{"type": "touch", "phase": "ended"}"#)
        #expect(second.take() == ["pen up", "pressure 0", "frame"] && third.take() == [])
        // Destroyed objects receive nothing, and those without a tablet cannot be near.
        second.tools[0].send(.destroy)
        third.tablets[0].send(.destroy)
        third.seat.send(.destroy)
        try draw(#"{"type": "hover", "tool": "pencil", "phase": "ended"}"#)
        try draw(#"{"type": "hover", "tool": "pencil", "x": 150, "y": 50}"#)
        #expect(second.take() == [] && third.take() == [] && client.isOpen)
    }

    @Test("E1: a drag takes the pencil that began it")
    func dragging() throws {
        let device = try TestDataDevice(client)
        try draw(#"{"type": "touch", "phase": "began", "x": 110, "y": 20, "tool": "pencil"}"#)
        device.startDrag(device.source(), from: window.surface, serial: tablet.pressSerial)
        try fixture.pump()
        #expect(tablet.take() == ["pen up", "pen out", "frame"] && fixture.server.isDragging)
        #expect(try draw(#"{"type": "touch", "phase": "moved", "x": 120, "y": 20}"#) == [])
        #expect(try draw(#"{"type": "touch", "phase": "ended"}"#) == [])
        #expect(!fixture.server.isDragging)
    }

    @Test("W5: a tool's cursor is a role; a surface with another one is an error; shapes are accepted")
    func cursors() throws {
        let shapes = try client.bind(WpCursorShapeManagerV1.self)
        let device = Proxy<WpCursorShapeDeviceV1>(client.connection, version: 1)
        shapes.send(.getTabletToolV2(cursorShapeDevice: device.id, tabletTool: tablet.tools[0].id))
        device.send(.setShape(serial: 0, shape: .crosshair))
        let cursor = client.surface()
        for _ in 0..<2 { tablet.tools[0].send(.setCursor(serial: 0, surface: cursor.id, hotspotX: 1, hotspotY: 1)) }
        tablet.tools[1].send(.setCursor(serial: 0, surface: nil, hotspotX: 0, hotspotY: 0))
        try fixture.pump()
        #expect(client.isOpen)
        tablet.tools[0].send(.setCursor(serial: 0, surface: surface, hotspotX: 0, hotspotY: 0))
        try fixture.pump()
        #expect(client.protocolError?.code == ZwpTabletToolV2.Error.role.rawValue)
    }

    @Test("over a restart the pencil goes, and the objects go on")
    func handOver() throws {
        try draw(#"{"type": "hover", "tool": "pencil", "x": 150, "y": 50}"#)
        let count = tablet.description.count
        try fixture.handOver()
        try fixture.pump()
        #expect(tablet.take() == ["pen out", "frame"] && tablet.description.count == count && client.isOpen)
        let place = InputEvent.Place(point: Point(x: 150, y: 50))
        _ = try fixture.server.injector.inject([.pencil(id: 0, phase: nil, place, TouchMeasures(tool: .eraser))])
        try fixture.pump()
        #expect(tablet.take().first == "eraser in \(surface)")
        window.window.send(.destroy)
        tablet.seat.send(.destroy)
        for tool in tablet.tools { tool.send(.destroy) }
        try fixture.pump()
        #expect(client.isOpen && fixture.model.checkInvariants() == [])
    }

    @Test("E5: what a pencil above the screen cannot have is refused, with what to use")
    func refusals() throws {
        for (event, reason) in [
            (#"{"type": "hover", "x": 1, "y": 1, "distance": 1}"#, "pointer has no distance"),
            (#"{"type": "hover", "x": 1, "y": 1, "tool": "finger"}"#, "finger cannot hover"),
            (#"{"type": "hover", "x": 1, "y": 1, "tool": "brush"}"#, "finger, pencil or eraser"),
            (#"{"type": "hover", "x": 1, "y": 1, "tool": "pencil", "dx": 1}"#, "no relative motion"),
            (#"{"type": "hover", "tool": "pencil"}"#, "needs x and y"),
            (#"{"type": "hover", "tool": "pencil", "phase": "ended"}"#, "does not hover"),
            (#"{"type": "hover", "tool": "pencil", "x": 1, "y": 1, "force": 1}"#, "unknown key"),
            (
                #"{"type": "tap", "x": 1, "y": 1, "tool": "pencil", "buttons": ["left"]}"#,
                "primary, secondary, tertiary"
            ),
            (#"{"type": "tap", "x": 1, "y": 1, "tool": "pencil", "distance": 1}"#, "unknown key"),
            (#"{"type": "tap", "x": 1, "y": 1, "tool": "finger", "roll": 1}"#, "use pencil or eraser"),
        ] {
            let answer = try control.send("POST", "/v1/input", Array(event.utf8))
            #expect(answer.status >= 400 && answer.text.contains(reason), "\(event): \(answer.text)")
        }
    }

    @Test("E5: an application's hover events name the pencil, in version 2; before it they are left out")
    func windowEvents() throws {
        let events = TestEvents(client, window)
        try fixture.pump()
        try draw(#"{"type": "hover", "tool": "pencil", "id": 7, "x": 110, "y": 20, "distance": 1, "roll": 1}"#)
        try draw(#"{"type": "touch", "phase": "began", "id": 7, "tool": "eraser"}"#)
        let groups = events.takeItems()
        #expect(groups.map(\.count) == [2, 1, 3] || groups.map(\.count) == [2, 2, 3])
        #expect(groups.first?.last == "tip 7 0 \(Double.pi.halved) 0.0 1.0 4294967295")
        #expect(groups.last?.last == "eraser 7 0 \(Double.pi.halved) 0.0 1.0 0")
    }
}

extension Double {
    /// As it is on the wire.
    fileprivate var halved: Double { (self / 2 * 65_536).rounded() / 65_536 }
}
