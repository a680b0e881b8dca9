// wp_cursor_shape_v1: cursors that the server draws.

import Compositor
import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct CursorShapeTests {
    private let fixture: ServerFixture
    private let client: TestClient
    private let pointer: TestPointer
    private let manager: Proxy<WpCursorShapeManagerV1>
    private let device: Proxy<WpCursorShapeDeviceV1>
    private let window: TestWindow

    init() throws {
        fixture = try ServerFixture.handingOver(screens: ["80x60"])
        client = try fixture.connect()
        pointer = try TestPointer(client)
        manager = try client.bind(WpCursorShapeManagerV1.self)
        device = Proxy(client.connection, version: 1)
        manager.send(.getPointer(cursorShapeDevice: device.id, pointer: pointer.pointer.id))
        window = client.window("w").color(0xff00_8000).frame(0, 0, 80, 60)
        window.show()
        try fixture.pump()
        try hover(40, 30)
    }

    private func hover(_ x: Double, _ y: Double) throws {
        _ = try fixture.model.pointerMoved(
            to: Point(x: x, y: y), on: fixture.mainScreen, time: fixture.server.clock.now)
        try fixture.pump()
    }

    private func picture() throws -> Bitmap {
        try fixture.pump()
        var result: Bitmap?
        fixture.server.capture([fixture.mainScreen], cursor: true) { result = $0.first?.1 }
        try fixture.wait(for: "a picture") { result != nil }
        return try #require(result)
    }

    private func set(_ shape: WpCursorShapeDeviceV1.Shape, serial: UInt32? = nil) {
        device.send(.setShape(serial: serial ?? pointer.enterSerial, shape: shape))
    }

    @Test("every shape has a picture around the pointer, black with a white edge; the default is the arrow")
    func shapes() throws {
        let arrow = try picture()
        var pictures: [[UInt32]] = []
        for value: UInt32 in 1...34 {
            set(.init(rawValue: value))
            let seen = try picture()
            let colors = Set(seen.pixels)
            #expect(colors.isSuperset(of: [0xff00_0000, 0xffff_ffff]) && colors.count == 3, "\(value)")
            // Black where it points, but for the arrow, whose tip is white.
            #expect(seen == arrow || seen[40, 30] == 0xff00_0000, "\(value)")
            if !pictures.contains(seen.pixels) { pictures.append(seen.pixels) }
        }
        #expect(pictures.count == CursorShape.allCases.count)
        set(.default)
        #expect(try picture() == arrow)
        #expect(CursorShape.allCases.allSatisfy { shape in Set(shape.rows.map(\.count)).count <= 1 })
    }

    @Test(
        "a shape replaces a surface and a surface a shape; only the client under the pointer, with its serial, sets it")
    func choice() throws {
        let arrow = try picture()
        set(.text, serial: pointer.enterSerial &+ 1)
        #expect(try picture() == arrow)
        set(.text)
        let text = try picture()
        #expect(text != arrow)
        pointer.pointer.send(
            .setCursor(serial: pointer.enterSerial, surface: nil, hotspotX: 0, hotspotY: 0))
        #expect(try picture()[40, 30] == 0xff00_8000)
        set(.text)
        #expect(try picture() == text)
        _ = try pointer.setCursor(0xffff_0000, width: 4, height: 4)
        #expect(try Set(picture().pixels) == [0xff00_8000, 0xffff_0000])
        set(.text)
        #expect(try picture() == text)
        let other = try fixture.connect("other")
        other.window("o").color(0xff00_8000).frame(0, 0, 80, 60).level(1).show()
        try fixture.pump()
        try hover(40, 30)
        #expect(try picture() == arrow, "another client's surface")
        set(.wait)
        #expect(try picture() == arrow)
    }

    @Test(
        "a value that is no shape, an object that is no pointer and a tablet's tool are errors; a released pointer is not"
    )
    func errors() throws {
        device.send(.setShape(serial: 0, shape: .init(rawValue: 35)))
        try fixture.pump()
        #expect(client.protocolError?.code == WpCursorShapeDeviceV1.Error.invalidShape.rawValue)
        #expect(client.protocolError?.message.contains("1 to 34") == true)
        let second = try CursorShapeTests()
        second.device.send(.setShape(serial: 0, shape: .init(rawValue: 0)))
        try second.fixture.pump()
        #expect(second.client.protocolError?.code == WpCursorShapeDeviceV1.Error.invalidShape.rawValue)
        for isTool in [false, true] {
            let third = try CursorShapeTests()
            third.pointer.pointer.send(.release)
            third.set(.text)
            try third.fixture.pump()
            #expect(third.client.isOpen)
            let object = Proxy<WpCursorShapeDeviceV1>(third.client.connection, version: 1)
            third.manager.send(
                isTool
                    ? .getTabletToolV2(cursorShapeDevice: object.id, tabletTool: third.manager.id)
                    : .getPointer(cursorShapeDevice: object.id, pointer: third.manager.id))
            try third.fixture.pump()
            #expect(third.client.protocolError?.code == WlDisplay.Error.invalidObject.rawValue)
        }
    }

    @Test("over a restart the shape stays, and the device goes on")
    func handOver() throws {
        set(.notAllowed)
        let before = try picture()
        try fixture.handOver()
        #expect(try picture() == before)
        set(.move)
        #expect(try picture() != before)
        device.send(.destroy)
        manager.send(.destroy)
        try fixture.pump()
        #expect(client.isOpen)
    }
}
