// wlr-virtual-pointer: what it does, and who may use it.

import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct VirtualPointerTests {
    @Test("E9: a virtual pointer drives the seat's pointer: motion, buttons and scrolling, in order")
    func acts() throws {
        let setup = try PointerFixture()
        let window = try setup.window(0, 0, 400, 300)
        try setup.pointer.relative()
        let program = try setup.fixture.connect("program")
        let mouse = try program.virtualPointer()
        func received(_ requests: ZwlrVirtualPointerV1.Request...) throws -> [String] {
            for request in requests { mouse.send(request) }
            try setup.fixture.pump()
            return setup.pointer.take()
        }
        #expect(
            try received(.motionAbsolute(time: 9, x: 1, y: 1, xExtent: 4, yExtent: 3), .frame) == [
                "enter \(window.surface.id) 200.0,200.0", "frame",
            ])
        #expect(
            try received(.motion(time: 1, dx: Fixed(rounding: 10.5), dy: Fixed(rounding: -20)), .frame)
                == ["relative 10.5,-20.0", "motion 210.5,180.0", "frame"])
        #expect(try received(.motionAbsolute(time: 0, x: 5, y: 5, xExtent: 0, yExtent: 9), .frame) == [])
        #expect(
            try received(
                .button(time: 0, button: 0x110, state: .pressed), .button(time: 0, button: 0x110, state: .pressed),
                .button(time: 0, button: 0x110, state: .released), .button(time: 0, button: 0x110, state: .released),
                .frame) == ["button 272 1", "frame", "button 272 0", "frame"])
        let (two, three) = (Fixed(rounding: 2), Fixed(rounding: 3))
        #expect(
            try received(
                .axisSource(axisSource: .wheelTilt),
                .axisDiscrete(time: 0, axis: .horizontalScroll, value: three, discrete: -2), .frame)
                == ["source 0", "value120 1 -240", "axis 1 3.0", "frame"])
        let (down, right) = (WlPointer.Axis.verticalScroll, WlPointer.Axis.horizontalScroll)
        #expect(
            try received(
                .axisSource(axisSource: .finger), .axis(time: 0, axis: down, value: two),
                .axis(time: 0, axis: right, value: three), .axis(time: 0, axis: down, value: two), .frame)
                == ["source 1", "axis 0 4.0", "axis 1 3.0", "frame"])
        #expect(try received(.axisStop(time: 0, axis: .verticalScroll), .frame) == [])
        #expect(
            try received(.axisStop(time: 0, axis: .horizontalScroll), .frame) == [
                "source 1", "stop 0", "stop 1", "frame",
            ])
        #expect(
            try received(
                .axis(time: 0, axis: .verticalScroll, value: two), .button(time: 0, button: 1, state: .pressed))
                == ["source 2", "axis 0 2.0", "frame", "button 1 1", "frame"], "a button does not overtake scrolling")
    }

    @Test("E2: what a virtual pointer holds down is released when it ends, for whatever reason")
    func released() throws {
        for ends in 0..<3 {
            let setup = try PointerFixture()
            _ = try setup.window(0, 0, 400, 300)
            let program = try setup.fixture.connect("program")
            let mouse = try program.virtualPointer()
            mouse.send(.motionAbsolute(time: 0, x: 1, y: 1, xExtent: 8, yExtent: 8))
            mouse.send(.button(time: 0, button: 0x110, state: .pressed))
            mouse.send(.button(time: 0, button: 0x111, state: .pressed))
            mouse.send(.axisSource(axisSource: .finger))
            mouse.send(.axis(time: 0, axis: .verticalScroll, value: Fixed(rounding: 1)))
            mouse.send(.frame)
            try setup.fixture.pump()
            _ = setup.pointer.take()
            switch ends {
            case 0: mouse.send(.destroy)
            case 1: try program.kill()
            default: mouse.send(.axisStop(time: 0, axis: .init(rawValue: 7)))
            }
            try setup.fixture.pump()
            #expect(
                setup.pointer.take() == [
                    "button 272 0", "frame", "button 273 0", "frame", "source 1", "stop 0", "frame",
                ])
            // Nothing is left that keeps others from pressing and scrolling.
            try setup.button(0x110, true)
            try setup.button(0x110, false)
            try setup.scroll(Event.Scroll(deltaX: 0, deltaY: 1), .began)
            #expect(setup.fixture.model.checkInvariants() == [])
        }
    }

    @Test("a virtual pointer stays on its output, or without one covers the layout; S9: if unplugged, it does nothing")
    func outputs() throws {
        let setup = try PointerFixture(screens: ["800x600,name=A", "640x480,external,name=B,mirroring=off"])
        let model = setup.fixture.model
        let (a, b) = (try #require(model.screen(named: "A")), try #require(model.screen(named: "B")))
        try model.setPosition(Point(x: 800, y: 0), of: b.id)
        let outputs = try setup.client.globals.filter { $0.interface == WlOutput.name }
            .map { try setup.client.bind(WlOutput.self, name: $0.name) }
        try setup.fixture.pump()
        let all = try setup.client.virtualPointer()
        let there = try setup.client.virtualPointer(on: outputs[1])
        func at(_ mouse: Proxy<ZwlrVirtualPointerV1>, _ request: ZwlrVirtualPointerV1.Request) throws -> [Double] {
            mouse.send(request)
            mouse.send(.frame)
            try setup.fixture.pump()
            let place = try #require(model.pointerLocation)
            return [place.screen == a.id ? 0 : 1, place.point.x, place.point.y]
        }
        let edge = 1.0 / 256
        func to(_ x: UInt32, _ y: UInt32) -> ZwlrVirtualPointerV1.Request {
            .motionAbsolute(time: 0, x: x, y: y, xExtent: 1440, yExtent: 600)
        }
        #expect(try at(all, to(100, 50)) == [0, 100, 50])
        #expect(try at(all, to(900, 50)) == [1, 100, 50])
        #expect(try at(all, to(1440, 600)) == [1, 640 - edge, 480 - edge])
        #expect(try at(there, to(0, 0)) == [1, 0, 0])
        #expect(try at(there, to(720, 5000)) == [1, 320, 480 - edge])
        func by(_ dx: Double, _ dy: Double) -> ZwlrVirtualPointerV1.Request {
            .motion(time: 0, dx: Fixed(rounding: dx), dy: Fixed(rounding: dy))
        }
        #expect(try at(there, by(-500, -1)) == [1, 0, 479 - edge])
        #expect(try at(all, by(-1, 0)) == [0, 799, 479 - edge])
        try setup.fixture.server.disconnect(b.id)
        #expect(try at(there, to(0, 0)) == [0, 799, 479 - edge])
        let late = try setup.client.virtualPointer(on: outputs[1])
        #expect(try at(late, to(0, 0)) == [0, 799, 479 - edge])
        #expect(setup.client.isOpen)
    }

    @Test("a virtual pointer respects locks, and buttons that others hold")
    func respects() throws {
        let setup = try PointerFixture()
        let window = try setup.window(0, 0, 100, 100)
        try setup.pointer.relative()
        try setup.hover(50, 50)
        let lock = try setup.pointer.lock(window.surface)
        let mouse = try setup.fixture.connect("program").virtualPointer()
        try setup.fixture.pump()
        _ = setup.pointer.take()
        mouse.send(.motionAbsolute(time: 0, x: 7, y: 7, xExtent: 8, yExtent: 8))
        try setup.fixture.pump()
        #expect(setup.location == Point(x: 50, y: 50) && setup.pointer.take() == ["relative 650.0,475.0", "frame"])
        lock.send(.destroy)
        try setup.button(true)
        mouse.send(.button(time: 0, button: 0x110, state: .pressed))
        mouse.send(.destroy)
        try setup.fixture.pump()
        #expect(setup.pointer.take() == ["button 272 1", "frame"], "it released nothing that it did not hold")
        try setup.button(false)
    }

    @Test("virtual pointers need the right to inject; unknown axes and sources are errors")
    func rights() throws {
        let fixture = try ServerFixture()
        fixture.server.peerPolicy = PeerPolicy(rules: [PeerRule(rights: [.view, .capture, .administer])])
        let client = try fixture.connect()
        #expect(!client.globals.contains { $0.interface == ZwlrVirtualPointerManagerV1.name })
        fixture.server.peerPolicy = PeerPolicy(rules: [PeerRule(rights: .inject)])
        let wrong: [(ZwlrVirtualPointerV1.Request, ZwlrVirtualPointerV1.Error)] = [
            (.axis(time: 0, axis: .init(rawValue: 2), value: Fixed(rounding: 1)), .invalidAxis),
            (.axisSource(axisSource: .init(rawValue: 4)), .invalidAxisSource),
        ]
        for (request, error) in wrong {
            let program = try fixture.connect()
            try program.virtualPointer().send(request)
            try fixture.pump()
            #expect(program.protocolError?.code == error.rawValue)
        }
    }
}
