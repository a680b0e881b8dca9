// The sessions of the fuzz corpus about pointers.

import MullionWayland

extension WireScripts {
    static func cursorShapes(_ client: TestClient, _ fixture: ServerFixture) throws {
        let pointer = try TestPointer(client)
        let manager = try client.bind(WpCursorShapeManagerV1.self)
        let device = Proxy<WpCursorShapeDeviceV1>(client.connection, version: 1)
        manager.send(.getPointer(cursorShapeDevice: device.id, pointer: pointer.pointer.id))
        client.window("w").color(0xffff_0000).frame(0, 0, 40, 40).show()
        try fixture.use(.move(x: 10, y: 10))
        for shape: WpCursorShapeDeviceV1.Shape in [.text, .nwseResize, .default] {
            device.send(.setShape(serial: pointer.enterSerial, shape: shape))
            try fixture.pump()
        }
        pointer.pointer.send(.release)
        device.send(.setShape(serial: 0, shape: .wait))
        device.send(.destroy)
        manager.send(.destroy)
        try fixture.pump()
    }

    /// Relative motion, gestures, constraints and cursors, with all kinds of regions and hints.
    static func pointers(_ client: TestClient, _ fixture: ServerFixture) throws {
        let mouse = try client.virtualPointer()
        let pointer = try TestPointer(client)
        let window = client.window("w").color(0xffff0000).frame(0, 0, 60, 60)
        window.show()
        mouse.send(.motionAbsolute(time: 0, x: 1, y: 1, xExtent: 16, yExtent: 16))
        try fixture.pump()
        let relative = try pointer.relative()
        let gestures = (try pointer.swipe(), try pointer.pinch(), try pointer.hold())
        let lock = try pointer.lock(window.surface, region: client.region([(0, 0, 40, 40)]))
        lock.send(.setCursorPositionHint(surfaceX: Fixed(rounding: 12), surfaceY: Fixed(rounding: 9)))
        lock.send(.setRegion(region: nil))
        window.commit()
        mouse.send(.motion(time: 1, dx: Fixed(rounding: 5), dy: Fixed(rounding: 5)))
        try fixture.pump()
        lock.send(.destroy)
        let confinement = try pointer.confine(
            window.surface, region: client.region([(4, 4, 8, 8), (20, 20, .max, .max)]), .oneshot)
        mouse.send(.motion(time: 1, dx: Fixed(rawValue: .max), dy: Fixed(rawValue: .min)))
        confinement.send(.setRegion(region: client.region([(0, 0, 2, 2)]).id))
        window.commit()
        try fixture.pump()
        let cursor = try pointer.setCursor(0xffffff00, width: 8, height: 8, hotspot: (.min, .max))
        let child = try TestSubsurface(client, of: cursor, argb: 0xff00ffff, x: 2, y: 2, width: 4, height: 4)
        cursor.send(.offset(x: .max, y: .min))
        cursor.send(.commit)
        try fixture.pump()
        window.hide()
        confinement.send(.destroy)
        try fixture.pump()
        child.surface.send(.destroy)
        cursor.send(.destroy)
        relative.send(.destroy)
        gestures.0.send(.destroy)
        gestures.1.send(.destroy)
        gestures.2.send(.destroy)
        pointer.pointer.send(.release)
        mouse.send(.destroy)
        try fixture.pump()
    }

    /// A virtual pointer on an output and on all, up to the limits of its numbers.
    static func virtualPointer(_ client: TestClient, _ fixture: ServerFixture) throws {
        let output = try client.bind(WlOutput.self)
        let window = client.window("w").color(0xffff0000).frame(0, 0, 60, 60)
        window.show()
        try fixture.pump()
        for mouse in [try client.virtualPointer(), try client.virtualPointer(on: output)] {
            mouse.send(.motionAbsolute(time: 0, x: 1, y: 1, xExtent: 4, yExtent: 4))
            mouse.send(.button(time: 1, button: 0x110, state: .pressed))
            mouse.send(.motion(time: 2, dx: Fixed(rawValue: .min), dy: Fixed(rawValue: .max)))
            mouse.send(.axisSource(axisSource: .finger))
            mouse.send(.axis(time: 3, axis: .verticalScroll, value: Fixed(rawValue: .max)))
            mouse.send(.axisStop(time: 3, axis: .verticalScroll))
            mouse.send(.frame)
            for clicks in [Int32.max, .min] {
                mouse.send(
                    .axisDiscrete(time: 4, axis: .horizontalScroll, value: Fixed(rawValue: .min), discrete: clicks))
            }
            mouse.send(.frame)
            mouse.send(.button(time: 5, button: 0x110, state: .released))
            mouse.send(.motionAbsolute(time: 0, x: .max, y: .max, xExtent: 1, yExtent: .max))
            mouse.send(.button(time: 6, button: .max, state: .pressed))
            mouse.send(.destroy)
            try fixture.pump()
        }
        output.send(.release)
    }
}
