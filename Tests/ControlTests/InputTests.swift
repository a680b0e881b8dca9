// Injected input: atomic, and every event is explained.

import EventLoop
import MullionGeometry
import Testing
import WindowModel

@testable import DisplayServer
@testable import Displays

/// A server with one screen of 800 × 600 points and one visible window on it.
private struct Fixture {
    let server: DisplayServer
    let window: Window.ID
    let screen: Screen.ID
    var model: WindowModel { server.model }

    init(frame: Rect = Rect(x: 100, y: 100, width: 200, height: 100)) throws {
        server = DisplayServer(loop: try EventLoop())
        screen = try server.plug(ScreenSpecification(model: "800x600"))
        let application = server.model.addApplication(name: "test")
        window = try server.model.createWindow(
            application: application, options: Window.Options(frame: frame, title: "w"))
        try server.model.makeKeyAndVisible(window)
        server.deliverAndFlush()
    }

    func inject(_ events: InputEvent...) throws -> [InputInjector.Report] { try server.injector.inject(events) }

    func place(_ x: Double, _ y: Double) -> InputEvent.Place { InputEvent.Place(screen: nil, point: Point(x: x, y: y)) }

    func touch(_ phase: Event.Phase, id: Int32 = 0, _ x: Double = 150, _ y: Double = 150) -> InputEvent {
        .touch(id: id, phase: phase, place(x, y))
    }
}

@Suite struct InputTests {
    @Test("H3: who received an event, or why each candidate did not")
    func explains() throws {
        let setup = try Fixture()
        let reports = try setup.inject(.tap(id: 0, setup.place(150, 120)), .tap(id: 0, setup.place(10, 10)))
        #expect(reports[0].routing?.hit?.window == setup.window)
        #expect(reports[0].routing?.hit?.location == Point(x: 50, y: 20))
        #expect(reports[0].steps == 2 && reports[0].delivered == 2)
        #expect(reports[1].routing?.reason == .noWindow && reports[1].delivered == 0)
        let candidate = try #require(reports[1].routing?.candidates.first)
        #expect(candidate.window == setup.window && candidate.reason == .outsideFrame)
    }

    @Test("E1: a list in which one event is impossible changes nothing, and the error gives its index")
    func wholeOrNothing() throws {
        let setup = try Fixture()
        let refusal = #expect(throws: InputInjector.ListError.self) {
            try setup.inject(setup.touch(.began), setup.touch(.began, id: 1), setup.touch(.began))
        }
        #expect(refusal?.index == 2 && refusal?.reason.rule == .e1)
        #expect(setup.model.touchCount == 0)
        #expect(try setup.inject(setup.touch(.began)).count == 1)
        #expect(setup.model.touchCount == 1)
    }

    @Test("E1: a step of a touch that is not down says so, with and without a point")
    func notDown() throws {
        let setup = try Fixture()
        let nowhere = InputEvent.Place(screen: nil, point: nil)
        for phase in [Event.Phase.moved, .stationary, .ended, .cancelled] {
            let finger = InputEvent.Finger(id: 7, phase: phase)
            for event in [
                InputEvent.touch(id: 7, phase: phase, nowhere),
                .touch(id: 7, phase: phase, setup.place(150, 150)), .touches([finger], screen: nil),
            ] {
                let refusal = #expect(throws: InputInjector.ListError.self) { try setup.inject(event) }
                #expect(refusal?.reason == .touchIsNotDown(7), "\(phase)")
            }
        }
        #expect(ModelError.touchIsNotDown(7).message == "touch 7 is not down; begin it first")
    }

    @Test("E5: presses and releases of a button alternate, even across calls")
    func buttons() throws {
        let setup = try Fixture()
        _ = try setup.inject(.hover(setup.place(150, 150)), .button(0x110, pressed: true))
        #expect(throws: InputInjector.ListError.self) { try setup.inject(.button(0x110, pressed: true)) }
        let click = InputEvent.click(button: 0x110, setup.place(150, 150))
        #expect(throws: InputInjector.ListError.self) { try setup.inject(click) }
        #expect(try setup.inject(.button(0x110, pressed: false), click).map(\.delivered) == [1, 3])
    }

    @Test("E2: a touch can end although its screen is gone, without a receiver")
    func unplugged() throws {
        let setup = try Fixture()
        _ = try setup.inject(setup.touch(.began))
        try setup.server.disconnect(setup.screen)
        let ended = InputEvent.touch(id: 0, phase: .ended, InputEvent.Place(screen: nil, point: nil))
        #expect(try setup.inject(ended)[0].routing?.reason == .cancelled)
        #expect(setup.model.touchCount == 0)
    }

    @Test("S2: without a screen there is nowhere to inject")
    func noScreen() throws {
        let server = DisplayServer(loop: try EventLoop())
        let tap = InputEvent.tap(id: 0, InputEvent.Place(screen: nil, point: .zero))
        let refusal = #expect(throws: InputInjector.ListError.self) { try server.injector.inject([tap]) }
        #expect(refusal?.reason.rule == .s2)
    }

    @Test("E3: keys with their modifiers, in the order in which a person presses them")
    func chords() throws {
        let setup = try Fixture()
        var received: [String] = []
        setup.server.onEffect = { effect in
            if case .deliver(let event) = effect, case .key(let code) = event.detail {
                received.append("\(code) \(event.phase)")
            }
        }
        let report = try setup.inject(.key("ctrl+A", .tap))[0]
        setup.server.deliverAndFlush()
        #expect(
            received == ["29 began", "42 began", "30 began", "30 ended", "42 ended", "29 ended"])
        #expect(report.routing?.hit?.window == setup.window && report.delivered == 6)
        #expect(setup.model.pressedKeys.isEmpty)
    }

    @Test("E3: a held modifier stays held, and is not pressed twice")
    func heldModifier() throws {
        let setup = try Fixture()
        _ = try setup.inject(.key("shift", .down), .text("Ab"))
        #expect(setup.model.pressedKeys == [42])
        _ = try setup.inject(.key("shift", .up))
        #expect(setup.model.pressedKeys.isEmpty)
    }

    @Test("E3: without a key window keys are dropped, and the report says so")
    func noKeyWindow() throws {
        let setup = try Fixture()
        try setup.model.setHidden(true, of: setup.window)
        let report = try setup.inject(.text("hi"))[0]
        #expect(report.routing?.reason == .noKeyWindow && report.steps == 4 && report.delivered == 0)
    }

    @Test("a text with a character that no key produces types nothing", arguments: ["a\u{7}…", "\u{fffe}x"])
    func untypable(text: String) throws {
        let setup = try Fixture()
        #expect(throws: InputInjector.ListError.self) { try setup.inject(.text("ok"), .text(text)) }
        #expect(setup.model.pressedKeys.isEmpty)
    }

    @Test("names of keys", arguments: ["a", "+", "ctrl++", "Return", "enter", "ESC", "F1", "super+Left", "shift"])
    func names(name: String) throws {
        #expect(try Fixture().inject(.key(name, .tap))[0].delivered >= 2)
    }

    @Test("E9: the size of a request is limited")
    func bounded() throws {
        let setup = try Fixture()
        let drag = InputEvent.drag(
            InputEvent.Drag(
                means: .touch, id: 0, button: 0x110, screen: nil, from: .zero, to: Point(x: 9, y: 9), steps: 9_000))
        #expect(try setup.inject(drag)[0].steps == 9_002)
        #expect(throws: InputInjector.ListError.self) { try setup.inject(drag, drag) }
    }
}
