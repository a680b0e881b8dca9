// Paced injections: what they leave behind, and their pauses.

import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct PacedInjectionTests {
    @Test("E3: the layout's own keymap is restored after text from POST /v1/input and from scenarios")
    func typingEnds() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let reader = try KeyboardReader(client)
        client.window("w").color(0xffff0000).makeKeyAndVisible()
        try fixture.pump()
        let size = reader.keymapSize
        var outcome: InputQueue.Outcome?
        fixture.server.injector.queue.inject([InputRequest(.text("漢"))]) { outcome = $0 }
        try fixture.wait(for: "the text") { outcome != nil }
        #expect(reader.takeText() == "漢")
        #expect(reader.keymapSize == size && fixture.server.seat.keyboard.active == nil)
    }

    @Test("E2, S1: a drag whose screen is unplugged is refused, and nothing from its list stays down")
    func unpluggedDrag() throws {
        let fixture = try ServerFixture(screens: ["800x600", "640x480,external"])
        let injector = fixture.server.injector
        let external = fixture.model.screens[1]
        let client = try fixture.connect()
        let input = try TestInput(client)
        client.window("w", on: client.screens[1]).color(0xffff0000).frame(0, 0, 200, 200).show()
        try fixture.pump()
        let reference = ScreenReference("\(external)")
        let drag = InputEvent.Drag(
            means: .pointer, id: 0, button: 0x110, screen: reference, from: Point(x: 10, y: 10),
            to: Point(x: 90, y: 90), steps: 100)
        let there = InputEvent.Place(screen: reference, point: Point(x: 5, y: 5))
        var outcome: InputQueue.Outcome?
        injector.queue.inject([InputRequest(.touch(id: 3, phase: .began, there)), InputRequest(.drag(drag))]) {
            outcome = $0
        }
        try fixture.pump()
        #expect(outcome == nil && injector.held[.first].buttons == [0x110] && injector.held.touchCount == 1)
        try fixture.server.disconnect(external)
        try fixture.wait(for: "the refusal") { outcome != nil }
        guard case .failure(let refusal) = outcome else { throw FixtureError("the drag was performed") }
        #expect(refusal.index == 1 && refusal.reason.rule == .s1)
        #expect(injector.held[.first].buttons == [] && injector.held.touchCount == 0)
        #expect(fixture.model.touchCount == 0 && fixture.model.checkInvariants() == [])
        let here = InputEvent.Place(screen: nil, point: Point(x: 7, y: 7))
        #expect(try injector.inject([.click(button: 0x110, here), .tap(id: 3, here)]).count == 2)
        withExtendedLifetime(input) {}
    }

    @Test("a drag that is injected after the previous one has ended keeps its pauses")
    func pauses() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let input = try TestInput(client)
        client.window("w").color(0xffff0000).show()
        try fixture.pump()
        let queue = fixture.server.injector.queue
        func drag(_ id: Int32) -> InputRequest {
            InputRequest(
                .drag(
                    InputEvent.Drag(
                        means: .touch, id: id, button: 0, screen: nil, from: Point(x: 1, y: 1), to: Point(x: 9, y: 9),
                        steps: 1)))
        }
        var began: UInt64?
        queue.inject([drag(1)]) { _ in
            queue.inject([drag(2)]) { _ in }
            began = fixture.loop.now
        }
        var moved: UInt64?
        try fixture.wait(for: "the second drag") {
            if input.takeEvents().contains(where: { $0.hasPrefix("move 2") }) { moved = fixture.loop.now }
            return moved != nil
        }
        #expect(try #require(moved) - #require(began) >= 16_000)
    }
}
