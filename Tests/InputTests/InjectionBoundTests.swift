// The limits of injection, and the input that it holds down.

import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct InjectionBoundTests {
    private func drag(_ id: Int32, drop: Bool? = nil) -> InputRequest {
        InputRequest(
            .drag(
                InputEvent.Drag(
                    means: .touch, id: id, button: 0, screen: nil, from: Point(x: 1, y: 1), to: Point(x: 99, y: 99),
                    steps: 100, drop: drop)))
    }

    @Test("E9: a list whose drags would delay others by more than ten minutes is refused before it begins")
    func longList() throws {
        let fixture = try ServerFixture()
        let queue = fixture.server.injector.queue
        var outcome: InputQueue.Outcome?
        queue.inject((0..<90).map { _ in drag(1) } + [InputRequest(.shake(nil), time: .at(599_000_000)), drag(1)]) {
            outcome = $0
        }
        try fixture.pump()
        guard case .failure(let refusal) = outcome else { throw FixtureError("it was not refused: \(outcome as Any)") }
        #expect(refusal.index == 91 && refusal.reason.rule == .e9)
        #expect(refusal.reason.message.contains("with its drags"))
        #expect(refusal.reason.message.contains("lasts at most 600000.0 ms"))
        #expect(fixture.model.touchCount == 0 && fixture.server.injector.held.touchCount == 0)
        outcome = nil
        // These drags have no target, so they are not paced.
        queue.inject((0..<90).map { _ in drag(1) }) { outcome = $0 }
        try fixture.wait(for: "the outcome") { outcome != nil }
        #expect(throws: Never.self) { try outcome?.get() }
        // Those that a program makes a drop of may wait for it.
        queue.inject((0..<90).map { _ in drag(1, drop: true) }) { outcome = $0 }
        guard case .failure(let next) = outcome else { throw FixtureError("it was not refused: \(outcome as Any)") }
        #expect(next.index == 82 && next.reason.message.contains("with its drags"), "\(next)")
    }

    @Test("E1: the number of touches on all seats is limited; one that ends makes room")
    func touches() throws {
        var limits = Limits()
        limits.touches = 3
        let fixture = try ServerFixture(screens: ["800x600,name=A", "800x600,name=B"], limits: limits)
        try fixture.server.addSeat(name: "seat1", screens: ["B"])
        let injector = fixture.server.injector
        func touch(_ id: Int32, _ phase: Event.Phase, _ screen: String = "A") throws {
            let place = InputEvent.Place(screen: ScreenReference(screen), point: Point(x: 5, y: 5))
            _ = try injector.inject([.touch(id: id, phase: phase, place)])
        }
        for (id, screen) in [(1, "A"), (2, "A"), (1, "B")] as [(Int32, String)] { try touch(id, .began, screen) }
        for screen in ["A", "B"] {
            let refusal = #expect(throws: InputInjector.ListError.self) { try touch(9, .began, screen) }
            #expect(refusal?.reason.rule == .e1)
            #expect(refusal?.reason.message.contains("limit reached: 3 active touches") == true)
        }
        #expect(fixture.model.touchCount == 3 && injector.held.touchCount == 3)
        try touch(1, .moved, "B")
        try touch(1, .ended, "B")
        try touch(9, .began)
        #expect(fixture.model.touchCount == 3)
    }

    @Test("E3: a key held when key passed on is released with the others, and can be pressed again")
    func heldKey() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        for name in ["a", "b"] {
            client.window(name).color(0xffff_0000).makeKeyAndVisible()
            try fixture.pump()
        }
        let injector = fixture.server.injector
        let before = injector.held
        // One key of the layout, and one with a keymap of its own.
        _ = try injector.inject([.key("a", .down), .code(48, .down, keymap: [48: "eacute"])])
        try fixture.model.makeKey(try #require(fixture.model.windows.first))
        try fixture.pump()
        #expect(fixture.model.pressedKeys == [] && injector.held[.first].keys == [30, 48])
        injector.release(except: before)
        try fixture.pump()
        #expect(fixture.server.seat.keyboard.heldKeys == [] && injector.held == before)
        #expect(try injector.inject([.key("a", .tap)]).count == 1)
    }

    @Test("S1: a step that is refused because its screen was unplugged leaves no touch down")
    func refusedTouch() throws {
        let fixture = try ServerFixture(screens: ["800x600", "640x480,external"])
        let injector = fixture.server.injector
        let external = fixture.model.screens[1]
        let there = InputEvent.Place(screen: ScreenReference("\(external)"), point: Point(x: 5, y: 5))
        let plan = try injector.plan([InputRequest(.tap(id: 1, there))])
        try fixture.server.disconnect(external)
        var report = InputInjector.Report(plan[0])
        #expect(throws: ModelError.self) { try injector.perform(0, of: plan[0], into: &report) }
        #expect(injector.held.touchCount == 0 && fixture.model.touchCount == 0)
    }
}
