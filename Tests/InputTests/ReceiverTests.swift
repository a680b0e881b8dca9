// H3: who receives an event, by what the program has asked for.

import FoundationEssentials
import MullionWayland
import TestSupport
import Testing

@testable import ControlAPI

@Suite struct ReceiverTests {
    enum Kind: String, CaseIterable {
        case tap, fingers, pencil, pencilAbove, hover, click, scroll, pinch, swipe, hold, key, text, shake

        /// The event, in the window of the fixture.
        var event: String {
            switch self {
            case .tap: #"{"type": "tap", "x": 150, "y": 120}"#
            case .fingers: #"{"type": "pinch", "by": "touch", "x": 200, "y": 200, "scale": 0.5, "radius": 40}"#
            case .pencil: #"{"type": "tap", "x": 150, "y": 120, "tool": "pencil"}"#
            case .pencilAbove: #"{"type": "hover", "tool": "pencil", "x": 150, "y": 120}"#
            case .hover: #"{"type": "hover", "x": 150, "y": 120}"#
            case .click: #"{"type": "click", "x": 150, "y": 120}"#
            case .scroll: #"{"type": "scroll", "x": 150, "y": 120, "deltaY": 5}"#
            case .pinch: #"{"type": "pinch", "x": 150, "y": 120, "scale": 2}"#
            case .swipe: #"{"type": "swipe", "from": {"x": 150, "y": 120}, "to": {"x": 160, "y": 120}}"#
            case .hold: #"{"type": "hold", "x": 150, "y": 120}"#
            case .key: #"{"type": "key", "key": "a"}"#
            case .text: #"{"type": "type", "text": "aé"}"#
            case .shake: #"{"type": "shake"}"#
            }
        }

        /// Whether objects that another kind needs receive it, too.
        func isReceived(like other: Kind) -> Bool {
            switch self {
            case .tap, .fingers: other == .tap || other == .fingers
            // Without a tablet a pencil is a touch.
            case .pencil: [.tap, .fingers, .pencil, .pencilAbove].contains(other)
            case .pencilAbove: other == .pencil || other == .pencilAbove
            case .hover, .click, .scroll: [.hover, .click, .scroll, .pinch, .swipe, .hold].contains(other)
            case .key, .text: other == .key || other == .text
            case .pinch, .swipe, .hold, .shake: other == self
            }
        }

        /// What mullion_events_v1 is asked for.
        var types: MullionEventsV1.EventTypes {
            switch self {
            case .tap, .fingers, .pencil, .click: .touches
            case .pencilAbove, .hover: .hover
            case .scroll: .scroll
            case .pinch, .swipe, .hold: .transform
            case .key, .text: .presses
            case .shake: .motion
            }
        }

        /// Whether an event without a receiver counts as a miss: the pointer moves anyway.
        var isMiss: Bool { self != .hover && self != .pencilAbove }

        /// Makes the objects of Wayland that receive it; without them a client receives nothing.
        func bind(_ client: TestClient) throws -> Any? {
            switch self {
            case .tap, .fingers: return try TouchReader(client)
            case .pencil, .pencilAbove: return try TestTablet(client)
            case .hover, .click, .scroll: return try TestPointer(client)
            case .pinch:
                let pointer = try TestPointer(client)
                return (pointer, try pointer.pinch())
            case .swipe:
                let pointer = try TestPointer(client)
                return (pointer, try pointer.swipe())
            case .hold:
                let pointer = try TestPointer(client)
                return (pointer, try pointer.hold())
            case .key, .text: return try KeyboardReader(client)
            case .shake: return nil
            }
        }
    }

    private let setup: InjectionFixture

    init() throws { setup = try InjectionFixture(receives: []) }

    private func expectMiss(_ kind: Kind, _ what: String) throws {
        let answer = try setup.answer(kind.event)
        // Of several fingers each has its own.
        let (hit, reason) = (answer.touches?.first?.hit ?? answer.hit, answer.touches?.first?.reason ?? answer.reason)
        #expect(hit == nil && reason == "notReceiving", "\(what): \(answer)")
        if answer.touches == nil {
            #expect(answer.candidates.last?.title == "w" && answer.candidates.last?.reason == "notReceiving", "\(what)")
        }
    }

    @Test(
        "H3: an event that nothing is sent of has no receiver, and the answer names the window",
        arguments: Kind.allCases)
    func nothing(kind: Kind) throws {
        try expectMiss(kind, "no objects")
        #expect(try setup.answer(kind.event).delivered == 0)
        let refused = try setup.post(kind.event, query: "?mustHit=true")
        #expect(refused.status == (kind.isMiss ? 409 : 200), "\(refused)")
        #expect(!kind.isMiss || refused.body.contains("does not receive such events"), "\(refused)")
        // An object of the library that has asked for nothing, and one that has asked for everything else.
        let events = TestEvents(setup.client)
        try setup.fixture.pump()
        try expectMiss(kind, "an object")
        events.ask(setup.window, TestEvents.all.subtracting(kind.types))
        try setup.fixture.pump()
        try expectMiss(kind, "other types")
        // The other devices of a seat.
        let others = try Kind.allCases.filter { !kind.isReceived(like: $0) }.map { try $0.bind(setup.client) }
        try setup.fixture.pump()
        try expectMiss(kind, "other devices")
        withExtendedLifetime((events, others)) {}
    }

    @Test("H3: a program receives what it has asked for, in either protocol", arguments: Kind.allCases)
    func received(kind: Kind) throws {
        func expectHit(_ what: String) throws {
            let answer = try setup.answer(kind.event)
            let hit = answer.touches?.first?.hit ?? answer.hit
            #expect(hit?.title == "w" && answer.reason == nil && answer.delivered > 0, "\(what): \(answer)")
        }
        let events = TestEvents(setup.client, setup.window, types: kind.types)
        try setup.fixture.pump()
        try expectHit("the library's")
        events.ask(setup.window, [])
        try setup.fixture.pump()
        try expectMiss(kind, "not any more")
        let objects = try kind.bind(setup.client)
        try setup.fixture.pump()
        if objects != nil { try expectHit("Wayland's") }
        withExtendedLifetime((events, objects)) {}
    }

    @Test("H3, E1: a touch that had begun before the program asked has no receiver until its end")
    func late() throws {
        func step(_ phase: String) throws -> InjectionFixture.Answer {
            try setup.answer(#"{"type": "touch", "phase": "\#(phase)", "x": 150, "y": 120}"#)
        }
        #expect(try step("began").reason == "notReceiving")
        let reader = try TouchReader(setup.client)
        try setup.fixture.pump()
        #expect(try step("moved").reason == "notReceiving")
        #expect(try step("ended").reason == "notReceiving")
        for phase in ["began", "moved", "ended"] { #expect(try step(phase).hit?.title == "w", "\(phase)") }
        #expect(reader.take().count == 6)
    }

    @Test("H3: receipts and metrics are those of programs that have received something")
    func counted() throws {
        let metric = "mullion_events_total{type=\"touches\"}"
        func total() throws -> Substring? {
            try setup.control.send("GET", "/v1/metrics").body.split(separator: "\n").first { $0.hasPrefix(metric) }
        }
        let before = try total()
        let missed = try setup.answer(Kind.tap.event, query: "?wait=true")
        #expect(missed.receipts?.isEmpty ?? true, "\(missed)")
        #expect(try total() == before)
        let reader = try TouchReader(setup.client)
        try setup.fixture.pump()
        #expect(try setup.answer(Kind.tap.event).delivered == 2)
        #expect(try total() != before)
        withExtendedLifetime(reader) {}
    }
}
