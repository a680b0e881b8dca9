// Attributes of touches, and simultaneous touches (E1, E2).

import MullionGeometry
import Testing
import WindowModel

@Suite struct TouchRuleTests {
    private static let pencil = Event.TouchAttributes(
        force: 0.5, majorRadius: 8, minorRadius: 6, orientation: 1, tool: .pencil(altitude: 1.2, azimuth: -3))

    @Test("E1: events carry a touch's attributes, a cancellation the last ones")
    func attributes() throws {
        let fixture = try ModelFixture()
        let window = try fixture.shown()
        func step(_ phase: Event.Phase, _ attributes: Event.TouchAttributes) throws {
            try fixture.model.touch(
                id: 1, phase: phase, at: Point(x: 5, y: 5), on: fixture.screen, attributes: attributes, time: 1)
        }
        try step(.began, .finger)
        try step(.moved, Self.pencil)
        try fixture.model.setHidden(true, of: window)
        let events = fixture.events()
        #expect(events.map(\.touchAttributes) == [.finger, Self.pencil, Self.pencil])
        #expect(events.last?.phase == .cancelled)
        try fixture.model.setHidden(false, of: window)
        try fixture.model.pointerMoved(to: Point(x: 5, y: 5), on: fixture.screen, time: 2)
        try fixture.model.pointerButton(code: 272, pressed: true, time: 2)
        #expect(fixture.events().allSatisfy { $0.touchAttributes == nil })
    }

    @Test(
        "E1: invalid attributes are refused and change nothing",
        arguments: [
            Event.TouchAttributes(force: 1.1), Event.TouchAttributes(force: -0.1), Event.TouchAttributes(force: .nan),
            Event.TouchAttributes(majorRadius: .infinity), Event.TouchAttributes(majorRadius: 9e6),
            Event.TouchAttributes(majorRadius: 1, minorRadius: 2), Event.TouchAttributes(minorRadius: -1),
            Event.TouchAttributes(orientation: 7), Event.TouchAttributes(orientation: .nan),
            Event.TouchAttributes(tool: .pencil(altitude: -0.1, azimuth: 0)),
            Event.TouchAttributes(tool: .pencil(altitude: 1.6, azimuth: 0)),
            Event.TouchAttributes(tool: .pencil(altitude: 1, azimuth: .infinity)),
        ])
    func refused(attributes: Event.TouchAttributes) throws {
        let fixture = try ModelFixture()
        _ = try fixture.shown()
        let error = refusal {
            try fixture.model.touch(
                id: 1, phase: .began, at: Point(x: 5, y: 5), on: fixture.screen, attributes: attributes, time: 1)
        }
        #expect(error?.rule == .e1 && error?.kind == .invalidValue)
        #expect(fixture.model.touchCount == 0 && fixture.events().isEmpty)
    }

    @Test("H1: a hit test from before a touch begins is used for it, unless windows have changed since")
    func foundBefore() throws {
        let fixture = try ModelFixture()
        let (point, window) = (Point(x: 5, y: 5), try fixture.shown())
        func begin(_ id: Int32, _ found: HitTest, explain: Bool = false) throws -> Routing {
            try fixture.model.touch(
                TouchUpdate(id: id, phase: .began, point: point), on: fixture.screen, found: found, time: 1,
                explain: explain)
        }
        let found = fixture.model.hitTest(point, on: fixture.screen, explain: false)
        #expect(found.hit?.window == window && found.candidates.isEmpty)
        #expect(try begin(1, found).hit?.window == window)
        let front = try fixture.shown()
        #expect(try begin(2, found).hit?.window == front)
        try fixture.model.setUserInteractionEnabled(false, of: front)
        let routing = try begin(3, fixture.model.hitTest(point, on: fixture.screen, explain: false), explain: true)
        #expect(routing.hit?.window == window && routing.candidates.map(\.reason) == [.interactionDisabled])
    }

    @Test("E1: the number of touches is limited, and touches of one moment count together")
    func maximum() throws {
        let fixture = try ModelFixture()
        fixture.model.setMaximumTouches(2)
        let point = Point(x: 5, y: 5)
        let began = (0..<3).map { TouchUpdate(id: $0, phase: .began, point: point) }
        #expect(refusal { try fixture.model.touches(began, on: fixture.screen, time: 1) }?.rule == .e1)
        #expect(fixture.model.touchCount == 0)
        try fixture.model.touches(Array(began.prefix(2)), on: fixture.screen, time: 1)
        #expect(refusal { try fixture.model.touch(began[2], on: fixture.screen, time: 1) }?.rule == .e1)
        #expect(fixture.model.touchCount == 2)
        // A touch that ends makes room for those after it.
        let ended = TouchUpdate(id: 0, phase: .ended, point: point)
        #expect(refusal { try fixture.model.touches([began[2], ended], on: fixture.screen, time: 2) }?.rule == .e1)
        try fixture.model.touches([ended, began[2]], on: fixture.screen, time: 2)
        #expect(fixture.model.touchCount == 2)
    }

    @Test("E1: touches of one moment are one group; a window's other touches are sent as stationary")
    func groups() throws {
        let fixture = try ModelFixture()
        let (a, b) = (try fixture.shown(), try fixture.shown(x: 200))
        let places = [Point(x: 5, y: 5), Point(x: 50, y: 50), Point(x: 205, y: 5)]
        let began = places.enumerated().map { TouchUpdate(id: Int32($0), phase: .began, point: $1) }
        #expect(try fixture.model.touches(began, on: fixture.screen, time: 1).map { $0.hit?.window } == [a, a, b])
        var events = fixture.events()
        #expect(events.map(\.group) == [1, 1, 1] && events.map(\.serial) == [1, 2, 3])
        let step = TouchUpdate(id: 1, phase: .moved, point: Point(x: 60, y: 50), attributes: Self.pencil)
        try fixture.model.touches([step], on: fixture.screen, time: 2)
        events = fixture.events()
        #expect(events.map(\.phase) == [.moved, .stationary])
        #expect(events.map(\.detail) == [.touch(1), .touch(0)] && events.map(\.window) == [a, a])
        #expect(events.last?.screenLocation == places[0])
        #expect(Set(events.map(\.group)) == [4])
        try fixture.touch(0, .ended, 5, 5)
        try fixture.touch(1, .stationary, 300, 300)
        events = fixture.events()
        #expect(events.map(\.group) == events.map(\.serial), "single touches are a group each")
        #expect(events.last?.screenLocation == Point(x: 60, y: 50), "a stationary touch has not moved")
        #expect(events.last?.touchAttributes == .finger)
    }

    @Test("E1: several touches: all or nothing")
    func allOrNothing() throws {
        let fixture = try ModelFixture()
        _ = try fixture.shown()
        let good = TouchUpdate(id: 1, phase: .began, point: .zero)
        let refused = [
            [good, TouchUpdate(id: 2, phase: .moved, point: .zero)],
            [good, TouchUpdate(id: 1, phase: .moved, point: .zero)],
            [good, TouchUpdate(id: 2, phase: .began, point: Point(x: .nan, y: 0))],
            [good, TouchUpdate(id: 2, phase: .began, point: .zero, attributes: Event.TouchAttributes(force: 2))],
        ]
        for updates in refused {
            #expect(refusal { try fixture.model.touches(updates, on: fixture.screen, time: 1) } != nil)
        }
        #expect(fixture.model.touchCount == 0 && fixture.events().isEmpty && fixture.model.checkInvariants() == [])
        #expect(
            refusal { try fixture.model.touches([good], on: Screen.ID(rawValue: 9), time: 1) }?.kind == .unknownScreen)
    }

    @Test("E2: a touch survives level changes, and is cancelled once when its window changes screen or is destroyed")
    func dying() throws {
        let fixture = try ModelFixture()
        let wall = try fixture.model.connect(ModelFixture.wall)
        let (stays, goes) = (try fixture.shown(), try fixture.shown(x: 200))
        try fixture.touch(1, .began, 50, 50)
        try fixture.touch(2, .began, 250, 50)
        _ = fixture.events()
        _ = try fixture.shown(level: 3000)
        try fixture.model.setLevel(-5, of: stays)
        #expect(try fixture.touch(1, .moved, 51, 50).hit?.window == stays)
        try fixture.model.move(goes, to: wall)
        try fixture.model.removeApplication(fixture.app)
        let events = fixture.events()
        #expect(events.map(\.phase) == [.moved, .cancelled, .cancelled])
        #expect(events.map(\.window) == [stays, goes, stays])
        #expect(try fixture.touch(2, .ended, 0, 0).reason == .cancelled)
        #expect(try fixture.touch(1, .ended, 0, 0).reason == .cancelled)
        #expect(fixture.events().isEmpty)
    }
}
