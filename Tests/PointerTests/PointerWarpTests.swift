// wp_pointer_warp_v1: programs that move the pointer within their windows.

import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct PointerWarpTests {
    private let setup: PointerFixture
    private let manager: Proxy<WpPointerWarpV1>
    private let window: TestWindow
    private var pointer: TestPointer { setup.pointer }

    init() throws {
        setup = try PointerFixture()
        manager = try setup.client.bind(WpPointerWarpV1.self)
        window = try setup.window(100, 50, 200, 100)
    }

    private func warp(
        _ x: Double, _ y: Double, _ surface: Proxy<WlSurface>? = nil, serial: UInt32? = nil
    ) throws {
        manager.send(
            .warpPointer(
                surface: (surface ?? window.surface).id, pointer: pointer.pointer.id, x: Fixed(rounding: x),
                y: Fixed(rounding: y), serial: serial ?? pointer.enterSerial))
        try setup.fixture.pump()
    }

    @Test("the pointer moves to a point of the surface under it, without relative motion")
    func moves() throws {
        try pointer.relative()
        try setup.hover(110, 60)
        _ = pointer.take()
        try warp(50.5, 20)
        #expect(setup.location == Point(x: 150.5, y: 70) && pointer.take() == ["motion 50.5,20.0", "frame"])
        // The far corner is the last point that is on the surface.
        try warp(200, 100)
        #expect(setup.location == Point(x: 300 - 1.0 / 256, y: 150 - 1.0 / 256))
        #expect(pointer.take().count == 2)
        // While a button is held, too.
        try setup.button(true)
        try warp(0, 0)
        #expect(setup.location == Point(x: 100, y: 50))
        #expect(pointer.take() == ["button 272 1", "frame", "motion 0.0,0.0", "frame"])
        manager.send(.destroy)
        try setup.fixture.pump()
        #expect(setup.client.isOpen)
    }

    @Test("nothing happens with another serial, for another surface, or without the pointer")
    func ignored() throws {
        let other = try setup.window(400, 50, 100, 100)
        try warp(10, 10, serial: 0)
        #expect(setup.location == nil)
        try setup.hover(110, 60)
        let old = pointer.enterSerial
        try warp(20, 20, serial: old &+ 1)
        try warp(20, 20, other.surface)
        #expect(setup.location == Point(x: 110, y: 60))
        try setup.hover(410, 60)
        try warp(20, 20, serial: old)
        try warp(20, 20, other.surface, serial: old)
        #expect(setup.location == Point(x: 410, y: 60))
        try setup.hover(700, 500)
        try warp(20, 20, other.surface)
        #expect(setup.location == Point(x: 700, y: 500))
    }

    @Test("a point beyond the screen is not reached; a lock and a confinement hold")
    func held() throws {
        window.frame(700, 50, 200, 100).commit()
        try setup.fixture.pump()
        try setup.hover(710, 60)
        try warp(150, 20)
        #expect(setup.location == Point(x: 710, y: 60))
        let lock = try pointer.lock(window.surface)
        try setup.fixture.pump()
        try warp(20, 20)
        #expect(setup.location == Point(x: 710, y: 60))
        lock.send(.destroy)
        let region = setup.client.region([(0, 0, 50, 50)])
        _ = try pointer.confine(window.surface, region: region)
        try setup.fixture.pump()
        try warp(60, 20)
        #expect(setup.location == Point(x: 710, y: 60))
        try warp(40, 20)
        #expect(setup.location == Point(x: 740, y: 70))
    }

    @Test(
        "a point outside of the surface is ignored",
        arguments: [(-1, 0), (0, 100.5), (201, 5)])
    func outside(x: Double, y: Double) throws {
        let before = setup.location
        try warp(x, y)
        #expect(setup.location == before && setup.client.protocolError == nil)
    }
}
