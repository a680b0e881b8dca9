// What drags of windows take: the exception of E2.

import MullionGeometry
import Testing
import WindowModel

@Suite struct CarriedRuleTests {
    /// The pointer's press, or a touch, at 10, 10 in a window.
    private struct Held {
        let fixture: ModelFixture
        let window: Window.ID
        let isTouch: Bool
        var model: WindowModel { fixture.model }

        init(isTouch: Bool, policy: Policy = Policy()) throws {
            fixture = try ModelFixture(policy: policy)
            self.isTouch = isTouch
            window = try fixture.shown()
            if isTouch {
                try fixture.touch(1, .began, 10, 10)
            } else {
                try fixture.model.pointerMoved(to: Point(x: 10, y: 10), on: fixture.screen, time: 1)
                try fixture.model.pointerButton(code: 272, pressed: true, time: 1)
            }
            fixture.model.carry(touch: isTouch ? 1 : nil, of: .first)
            _ = fixture.events()
        }

        func move(_ x: Double) throws {
            if isTouch {
                try fixture.touch(1, .moved, x, 10)
            } else {
                try model.pointerMoved(to: Point(x: x, y: 10), on: fixture.screen, time: 1)
            }
        }

        func end() throws {
            if isTouch {
                try fixture.touch(1, .ended, 10, 10)
            } else {
                try model.pointerButton(code: 272, pressed: false, time: 1)
            }
        }

        /// The phases of the press that were delivered since the last call.
        func phases() -> [Event.Phase] { fixture.events().filter { $0.kind == .touches }.map(\.phase) }
    }

    @Test(
        "E2: what a drag of a window has taken goes on when the window moves, hides or ends, and ends once",
        arguments: [true, false], ["moved", "hidden", "destroyed"])
    func goesOn(isTouch: Bool, change: String) throws {
        let held = try Held(isTouch: isTouch)
        let wall = try held.model.connect(ModelFixture.wall)
        switch change {
        case "moved": try held.model.move(held.window, to: wall)
        case "hidden": try held.model.setHidden(true, of: held.window)
        default: try held.model.destroyWindow(held.window)
        }
        #expect(held.phases() == [] && held.model.checkInvariants() == [])
        // A window that comes meanwhile receives nothing of it.
        let new = try held.fixture.shown()
        try held.move(20)
        #expect(held.phases() == [.moved])
        try held.end()
        #expect(held.phases() == [.ended] && held.model.checkInvariants() == [])
        try held.fixture.touch(1, .began, 5, 5)
        #expect(held.fixture.events().contains { $0.phase == .began && $0.window == new })
        #expect(held.model.checkInvariants() == [])
    }

    @Test(
        "E2, L2, L4: it is cancelled once with its screen, its application, all input, and when that is for others",
        arguments: [true, false], ["screen", "application", "input", "lock", "owner"])
    func cancelled(isTouch: Bool, change: String) throws {
        let held = try Held(isTouch: isTouch)
        let (model, fixture) = (held.model, held.fixture)
        _ = try model.connect(ModelFixture.wall)
        switch change {
        case "screen": try model.disconnect(fixture.screen)
        case "application": try model.removeApplication(fixture.app)
        case "input": model.cancelInput(time: 2)
        case "lock": try model.lock(by: fixture.other)
        default: try model.reserveInput(for: fixture.other)
        }
        #expect(held.phases() == [.cancelled] && model.checkInvariants() == [])
        if change != "screen", change != "input" {
            try held.move(20)
            try held.end()
            #expect(held.phases() == [] && model.checkInvariants() == [])
        }
    }

    @Test("E2: a touch is cancelled when its screen is turned, the pointer is not", arguments: [true, false])
    func turned(isTouch: Bool) throws {
        let held = try Held(isTouch: isTouch)
        try held.model.rotate(held.fixture.screen, to: .landscapeLeft, time: 2)
        #expect(held.phases() == (isTouch ? [.cancelled] : []) && held.model.checkInvariants() == [])
    }

    @Test("E2: what a drag has taken is cancelled when another one takes something", arguments: [true, false])
    func replaced(isTouch: Bool) throws {
        let held = try Held(isTouch: isTouch)
        let (model, fixture) = (held.model, held.fixture)
        if isTouch {
            try model.pointerMoved(to: Point(x: 10, y: 10), on: fixture.screen, time: 1)
            try model.pointerButton(code: 272, pressed: true, time: 1)
        } else {
            try fixture.touch(2, .began, 10, 10)
        }
        #expect(held.phases() == [.began])
        // Nothing is taken, and nothing cancelled.
        model.carry(touch: 9, of: .first)
        #expect(held.phases() == [])
        model.carry(touch: isTouch ? nil : 2, of: .first)
        let cancelled = fixture.events().filter { $0.kind == .touches }
        #expect(cancelled.map(\.phase) == [.cancelled])
        #expect(cancelled.map(\.detail) == [isTouch ? .touch(1) : .button(272)])
        #expect(model.checkInvariants() == [])
        // The press that was cancelled goes nowhere, the other one goes on.
        try held.end()
        #expect(held.phases() == [])
        if isTouch {
            try model.pointerButton(code: 272, pressed: false, time: 1)
        } else {
            try fixture.touch(2, .ended, 10, 10)
        }
        #expect(held.phases() == [.ended] && model.checkInvariants() == [])
    }

    @Test("what has been cancelled already, or has never been, is not taken")
    func late() throws {
        let held = try Held(isTouch: false)
        try held.end()
        _ = held.phases()
        for touch in [nil, 1, 9] as [Int32?] { held.model.carry(touch: touch, of: .first) }
        try held.move(30)
        #expect(held.phases() == [] && held.model.checkInvariants() == [])
        held.model.carry(touch: nil, of: Seat.ID(rawValue: 77))
    }
}
