// Two windows of one client side by side, and input for them.

import MullionGeometry
import MullionWayland
import TestSupport
import WindowModel

/// "a" at 0,0 and "b" at 100,0, each 100 × 100, both visible on screen A.
struct EventFixture {
    let fixture: ServerFixture
    let client: TestClient
    let a: TestWindow
    let b: TestWindow

    init(screens: [String] = ["400x300,name=A"]) throws {
        fixture = try ServerFixture(screens: screens)
        client = try fixture.connect("desk")
        a = client.window("a").color(0xffff_0000).frame(0, 0, 100, 100)
        b = client.window("b").color(0xff00_ff00).frame(100, 0, 100, 100)
        a.show()
        b.show()
        try fixture.pump()
    }

    var model: WindowModel { fixture.model }
    private var now: UInt64 { fixture.server.clock.now }

    /// Updates several touches at once.
    func touch(_ updates: (id: Int32, phase: Event.Phase, x: Double, y: Double)...) throws {
        try model.touches(
            updates.map { TouchUpdate(id: $0.id, phase: $0.phase, point: Point(x: $0.x, y: $0.y)) },
            on: fixture.mainScreen, time: now)
        try fixture.pump()
    }

    func move(_ x: Double, _ y: Double) throws {
        try model.pointerMoved(to: Point(x: x, y: y), on: fixture.mainScreen, time: now)
        try fixture.pump()
    }

    func button(_ code: UInt32 = 0x110, _ pressed: Bool) throws {
        try model.pointerButton(code: code, pressed: pressed, time: now)
        try fixture.pump()
    }

    func key(_ code: UInt32, _ pressed: Bool) throws {
        try model.press(key: code, pressed: pressed, time: now)
        try fixture.pump()
    }

    func shake(_ phase: Event.Phase) throws {
        try model.shake(phase, time: now)
        try fixture.pump()
    }

    func scroll(_ x: Double, _ y: Double, _ phase: Event.Phase?) throws {
        try model.scroll(Event.Scroll(deltaX: x, deltaY: y, source: .finger), phase: phase, time: now)
        try fixture.pump()
    }

    func transform(_ gesture: Event.TransformGesture, _ phase: Event.Phase) throws {
        try model.transformGesture(gesture, phase: phase, time: now)
        try fixture.pump()
    }
}
