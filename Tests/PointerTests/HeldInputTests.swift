// Input to pop-ups of input methods, gestures during drags, virtual pointers, and clients that do not read.

import Glibc
import MullionGeometry
import MullionSystem
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct HeldInputTests {
    private func pinch(
        _ fixture: ServerFixture, _ phase: Event.Phase, scale: Double = 1
    ) throws {
        let gesture = Event.TransformGesture(kind: .pinch, scale: scale, rotation: 0, fingers: 2)
        try fixture.model.transformGesture(gesture, phase: phase, time: fixture.server.clock.now)
        try fixture.pump()
    }

    @Test("E5: an input method receives gestures and presses on its pop-up, up to their end, and may start a drag")
    func inputPopup() throws {
        let setup = try TextFixture()
        let popup = try setup.method.popup(0xff00_00ff, width: 40, height: 30)
        try setup.enable(.setCursorRectangle(x: 10, y: 20, width: 2, height: 16))
        let pointer = try TestPointer(setup.typist)
        _ = try pointer.pinch()
        let data = try TestDataDevice(setup.typist)
        let server = setup.fixture.server
        try setup.fixture.pump()
        try setup.fixture.model.pointerMoved(
            to: Point(x: 115, y: 140), on: setup.fixture.mainScreen, time: server.clock.now)
        try setup.fixture.pump()
        _ = pointer.take()
        try pinch(setup.fixture, .began)
        try pinch(setup.fixture, .moved, scale: 2)
        try pinch(setup.fixture, .ended)
        #expect(
            pointer.take() == ["pinch begin \(popup.surface.id) 2", "pinch 0.0,0.0 2.0 0.0", "pinch end 0"])
        try setup.fixture.model.pointerButton(code: 272, pressed: true, time: server.clock.now)
        try setup.fixture.pump()
        data.startDrag(data.source(), from: popup.surface)
        try setup.fixture.pump()
        #expect(server.seat.dragAndDrop.isActive)
    }

    @Test("a gesture that began before a drag receives its end")
    func gestureBesideDrag() throws {
        let setup = try PointerFixture()
        let window = try setup.window(0, 0, 400, 300)
        _ = try setup.pointer.pinch()
        let data = try TestDataDevice(setup.client)
        try setup.hover(10, 10)
        _ = setup.pointer.take()
        try pinch(setup.fixture, .began)
        try setup.button(true)
        data.startDrag(data.source(), from: window.surface)
        try setup.fixture.pump()
        #expect(setup.fixture.server.seat.dragAndDrop.isActive)
        try pinch(setup.fixture, .moved, scale: 3)
        try pinch(setup.fixture, .ended)
        let received = setup.pointer.take().filter { $0.hasPrefix("pinch") }
        #expect(received == ["pinch begin \(window.surface.id) 2", "pinch 0.0,0.0 3.0 0.0", "pinch end 0"])
    }

    @Test("a virtual pointer has evdev's buttons only; axis_stop ends a scroll even if the axis moved by zero")
    func virtualPointer() throws {
        let setup = try PointerFixture()
        _ = try setup.window(0, 0, 400, 300)
        try setup.hover(10, 10)
        let program = try setup.fixture.connect("program")
        let mouse = try program.virtualPointer()
        _ = setup.pointer.take()
        for code in [0x300, 70_000, UInt32.max] { mouse.send(.button(time: 0, button: code, state: .pressed)) }
        mouse.send(.frame)
        try setup.fixture.pump()
        #expect(setup.pointer.take() == [] && program.isOpen)
        let zero = Fixed(rounding: 0)
        mouse.send(.axisSource(axisSource: .finger))
        mouse.send(.axis(time: 0, axis: .horizontalScroll, value: zero))
        mouse.send(.frame)
        mouse.send(.axisStop(time: 0, axis: .horizontalScroll))
        mouse.send(.frame)
        try setup.fixture.pump()
        let scroll = Event.Scroll(deltaX: 0, deltaY: 1, source: .finger)
        try setup.scroll(scroll, .began)
        try setup.scroll(scroll, .ended)
        #expect(setup.pointer.take().contains("axis 0 1.0"), "no earlier scroll is running")
    }

    @Test(
        "requests for data from a client that does not read are bounded: further readers receive an empty pipe"
    )
    func stoppedSource() throws {
        let setup = try PointerFixture()
        let window = try setup.window(0, 0, 400, 300)
        let source = try TestDataDevice(setup.client)
        window.makeKey()
        try setup.fixture.pump()
        source.device.send(.setSelection(source: source.source(["text/plain"], actions: nil).id, serial: 0))
        try setup.fixture.pump()
        let reader = try setup.fixture.connect("reader")
        let data = try TestDataDevice(reader)
        let other = reader.window("r").color(0xff00_ff00)
        other.makeKeyAndVisible()
        try setup.fixture.pump()
        setup.fixture.detach(setup.client)
        var ends: [OwnedDescriptor] = []
        for _ in 0..<1000 {
            ends.append(try data.receive("text/plain", from: data.selection))
            try setup.fixture.pump()
        }
        try setup.fixture.wait(for: "an empty pipe") { ends.contains { TestPipe.read($0) == "" } }
        #expect(ends.prefix(256).allSatisfy { TestPipe.read($0) == nil }, "as many as the limit allows are pending")
        #expect(reader.isOpen && setup.fixture.server.clientCount == 2)
    }

    @Test("a cursor's size need not be a whole number of points, in either direction")
    func oddCursor() throws {
        let setup = try PointerFixture()
        _ = try setup.window(0, 0, 400, 300)
        try setup.hover(10, 10)
        let image = setup.client.surface()
        setup.pointer.pointer.send(
            .setCursor(serial: setup.pointer.enterSerial, surface: image.id, hotspotX: 0, hotspotY: 0))
        image.send(.setBufferScale(scale: 2))
        try setup.client.attach(0xff00_00ff, width: 25, height: 25, to: image)
        image.send(.commit)
        try setup.fixture.pump()
        #expect(setup.client.isOpen, "\(String(describing: setup.client.error))")
    }
}
