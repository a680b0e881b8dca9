// Shared by the pointer tests.

import Compositor
import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

/// A server with a client and its pointer.
struct PointerFixture {
    let fixture: ServerFixture
    let client: TestClient
    let pointer: TestPointer

    init(screens: [String] = ["800x600,name=A"], version: UInt32 = 8) throws {
        fixture = try ServerFixture(screens: screens)
        client = try fixture.connect()
        pointer = try TestPointer(client, version: version)
        try fixture.pump()
    }

    /// A visible window of one colour.
    func window(
        _ x: Double, _ y: Double, _ width: Double, _ height: Double, level: Double = 0, argb: UInt32 = 0xffff_0000
    ) throws -> TestWindow {
        let window = client.window("w").color(argb).frame(x, y, width, height).level(level)
        window.show()
        try fixture.pump()
        return window
    }

    @discardableResult
    func inject(_ events: InputEvent...) throws -> [InputInjector.Report] {
        let reports = try fixture.server.injector.inject(events)
        try fixture.pump()
        return reports
    }

    @discardableResult
    func hover(_ x: Double, _ y: Double, on screen: String? = nil) throws -> Routing? {
        let place = InputEvent.Place(screen: screen.map { ScreenReference($0) }, point: Point(x: x, y: y))
        return try inject(.hover(place))[0].routing
    }

    func hover(by x: Double, _ y: Double) throws {
        try inject(.hover(InputEvent.Place(screen: nil, point: nil), delta: Point(x: x, y: y)))
    }

    func button(_ pressed: Bool) throws { try button(0x110, pressed) }
    func button(_ code: UInt32, _ pressed: Bool) throws { try inject(.button(code, pressed: pressed)) }

    func scroll(_ scroll: Event.Scroll, _ phase: Event.Phase? = nil) throws {
        try inject(.scroll(scroll, phase, InputEvent.Place(screen: nil, point: nil)))
    }

    var location: Point? { fixture.model.pointerLocation?.point }
}
