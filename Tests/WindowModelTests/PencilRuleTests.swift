// Pencils above a screen: E5, with E1, E2 and E7.

import MullionGeometry
import Testing
import WindowModel

@Suite struct PencilRuleTests {
    private let fixture: ModelFixture
    private let left: Window.ID
    private let right: Window.ID

    init() throws {
        fixture = try ModelFixture()
        left = try fixture.shown()
        right = try fixture.shown(x: 100)
        _ = fixture.model.drainEffects()
    }

    @discardableResult
    private func hover(
        _ phase: Event.Phase, _ x: Double, _ pencil: Pencil = Pencil(distance: 0.5), id: Int32 = 1
    ) throws -> Routing {
        let attributes = Event.TouchAttributes(tool: .pencil(pencil))
        return try fixture.model.pencil(
            TouchUpdate(id: id, phase: phase, point: Point(x: x, y: 10), attributes: attributes), on: fixture.screen,
            time: 1, explain: true)
    }

    private func touch(_ phase: Event.Phase, _ x: Double, tool: Event.TouchAttributes.Tool = .pencil(Pencil())) throws {
        try fixture.model.touch(
            id: 1, phase: phase, at: Point(x: x, y: 10), on: fixture.screen,
            attributes: Event.TouchAttributes(force: 0.5, tool: tool), time: 1)
    }

    /// "hover began 10.0 in the left window".
    private func events() -> [String] {
        fixture.events().map { event in
            "\(event.kind) \(event.phase) \(event.screenLocation.x) \(event.window == left ? "left" : "right")"
        }
    }

    @Test("E5: a pencil enters and leaves the windows that it is over; its buttons and angles come with each event")
    func windows() throws {
        #expect(try hover(.began, 10).hit?.window == left)
        try hover(
            .moved, 20, Pencil(altitude: 1, azimuth: 2, roll: 3, distance: 1, end: .eraser, buttons: [.secondary]))
        let last = try #require(
            fixture.model.drainEffects().compactMap { effect in
                if case .deliver(let event) = effect, event.phase == .moved { event } else { nil }
            }.first)
        #expect(last.detail == .touch(1) && last.serial == last.group)
        let pencil = try #require(last.touchAttributes?.tool.pencil)
        #expect(pencil.end == .eraser && pencil.buttons == .secondary && pencil.roll == 3 && pencil.distance == 1)
        #expect(try hover(.moved, 110).hit?.window == right)
        #expect(try hover(.moved, 300).reason == .noWindow)
        #expect(try hover(.moved, 5000).reason == .outsideScreen)
        try hover(.moved, 10)
        #expect(try hover(.ended, 10).hit?.window == left)
        #expect(
            events() == [
                "hover ended 110.0 left", "hover began 110.0 right", "hover ended 300.0 right", "hover began 10.0 left",
                "hover ended 10.0 left",
            ])
        #expect(fixture.model.input.pencilCount == 0 && fixture.model.checkInvariants() == [])
    }

    @Test("E1, E5: a pencil that touches the screen hovers no longer; lifted, it hovers again, wherever that is")
    func landing() throws {
        try hover(.began, 10)
        try touch(.began, 12)
        try touch(.moved, 110)
        #expect(refusal { try hover(.moved, 10) }?.rule == .e5)
        try touch(.ended, 120)
        #expect(
            events() == [
                "hover began 10.0 left", "hover ended 10.0 left", "touches began 12.0 left", "touches moved 110.0 left",
                "touches ended 120.0 left", "hover began 120.0 right",
            ])
        let pencil = try #require(fixture.model.input[.first].pencils.first)
        #expect(pencil.point.x == 120 && pencil.attributes.force == 0)
        // On the screen there is no distance.
        try touch(.began, 20, tool: .pencil(Pencil(distance: 1)))
        #expect(fixture.model.input[.first].touches.first?.attributes.tool.pencil?.distance == 0)
        #expect(fixture.model.checkInvariants() == [])
    }

    @Test("E2: when its window is hidden the hovering is cancelled, and the pencil enters what is under it then")
    func cancelling() throws {
        let behind = try fixture.shown(level: -1)
        try hover(.began, 10)
        _ = fixture.events()
        try fixture.model.setHidden(true, of: left)
        let events = fixture.events()
        #expect(events.map(\.phase) == [.cancelled, .began] && events.map(\.window) == [left, behind])
        try fixture.model.disconnect(fixture.screen)
        #expect(fixture.events().map(\.phase) == [.cancelled] && fixture.model.input.pencilCount == 0)
        #expect(fixture.model.checkInvariants() == [])
    }

    @Test("E2: cancelling all input takes pencils away")
    func cancellingAll() throws {
        try hover(.began, 10)
        _ = fixture.events()
        fixture.model.cancelInput(time: 2)
        #expect(events() == ["hover cancelled 10.0 left"] && fixture.model.input.pencilCount == 0)
    }

    @Test("E7: a pencil stays in a window that ignores events, and enters none")
    func ignoring() throws {
        try hover(.began, 10)
        try fixture.model.beginIgnoringInteractionEvents(fixture.app)
        #expect(try hover(.moved, 20).hit?.window == left)
        #expect(try hover(.moved, 110).reason == .ignoring)
        #expect(events() == ["hover began 10.0 left", "hover moved 20.0 left", "hover ended 110.0 left"])
        try fixture.model.endIgnoringInteractionEvents(fixture.app)
        #expect(events() == ["hover began 110.0 right"])
    }

    @Test("E1, E5, E9: steps out of order, fingers, and numbers out of range are refused and change nothing")
    func refusals() throws {
        try hover(.began, 10)
        let before = fixture.model.input
        #expect(refusal { try hover(.began, 10) }?.message.contains("already hovers") == true)
        #expect(refusal { try hover(.moved, 10, id: 2) }?.message.contains("does not hover") == true)
        #expect(refusal { try touch(.began, 10, tool: .direct) }?.rule == .e1)
        #expect(refusal { try hover(.moved, .infinity) }?.rule == .e9)
        for wrong in [
            Pencil(roll: 7), Pencil(distance: 1.1), Pencil(distance: -0.1),
            Pencil(buttons: Pencil.Buttons(rawValue: 8)),
        ] {
            #expect(refusal { try hover(.moved, 10, wrong) }?.rule == .e1)
        }
        #expect(
            refusal {
                try fixture.model.pencil(
                    TouchUpdate(id: 3, phase: .began, point: .zero), on: fixture.screen, time: 1)
            }?.message.contains("finger cannot hover") == true)
        let wall = try fixture.model.connect(ModelFixture.wall)
        #expect(
            refusal {
                try fixture.model.pencil(
                    TouchUpdate(
                        id: 1, phase: .moved, point: .zero, attributes: Event.TouchAttributes(tool: .pencil(Pencil()))),
                    on: wall, time: 1)
            }?.message.contains("above screen") == true)
        #expect(fixture.model.input == before)
        fixture.model.setMaximumTouches(1)
        #expect(refusal { try hover(.began, 10, id: 2) }?.message.contains("limit reached") == true)
    }
}
