// The pointer events that a client receives are well-formed, whatever happens.

import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct PointerRandomTests {
    /// Follows the events of one client, and returns what is wrong with them.
    private struct Grammar {
        var surface: String?
        var buttons: Set<String> = []
        var isInGroup = false
        var gesture: String?
        var held = ""

        mutating func follow(_ line: String) -> String? {
            let words = line.split(separator: " ").map(String.init)
            switch words[0] {
            case "frame":
                defer { isInGroup = false }
                return isInGroup ? nil : "an empty group"
            case "enter":
                defer { surface = words[1] }
                guard surface == nil else { return "enter without leave" }
            case "leave":
                defer { surface = nil }
                guard surface == words[1] else { return "leave of a surface that was not entered" }
                guard buttons.isEmpty else { return "leave with buttons down" }
            case "button":
                let isDown = words[2] == "1"
                guard isDown != buttons.contains(words[1]) else { return "a button pressed or released twice" }
                if isDown { buttons.insert(words[1]) } else { buttons.remove(words[1]) }
                guard surface != nil else { return "a button without enter" }
            case "locked", "confined":
                defer { held = words[0] }
                let isFree = held.isEmpty || held == "locked?"
                return isFree && surface != nil ? nil : "constrained twice, or without enter"
            case "unlocked", "unconfined":
                defer { held = "" }
                return held.hasPrefix(words[0].dropFirst(2)) ? nil : "a constraint ends that was not active"
            case "swipe", "pinch":
                let wasRunning = gesture != nil
                if words[1] == "begin" { gesture = words[0] }
                if words[1] == "end" { gesture = nil }
                return wasRunning == (words[1] != "begin") ? nil : "a gesture out of order"
            case "motion":
                guard surface != nil, held != "locked" else { return "motion without enter, or while locked" }
            default:
                guard surface != nil else { return "\(words[0]) without enter" }
            }
            isInGroup = true
            return nil
        }
    }

    @Test("E5: over random sequences no event without an enter, no button twice, every group ended")
    func wellFormed() throws {
        var random = SeededRandom()
        for _ in 0..<12 {
            let setup = try PointerFixture(screens: ["200x200,name=A", "100x100,external,name=B,mirroring=off"])
            try setup.pointer.relative()
            let gestures = (try setup.pointer.swipe(), try setup.pointer.pinch())
            let mouse = try setup.fixture.connect("program").virtualPointer()
            var windows: [TestWindow] = []
            var locks: [Proxy<ZwpLockedPointerV1>] = []
            var constrained: Set<ObjectID> = []
            var grammar = Grammar()
            var history: [String] = []
            for _ in 0..<150 {
                let step = Int.random(in: 0..<14, using: &random)
                func number(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &random) }
                switch step {
                case 0 where windows.count < 5:
                    let window = try setup.window(
                        number(0...150), number(0...150), number(10...120), number(10...120),
                        level: number(-1...1).rounded())
                    windows.append(window)
                case 1:
                    guard let window = windows.randomElement(using: &random) else { break }
                    if Bool.random(using: &random) { window.hide() } else { window.show() }
                case 2:
                    windows.randomElement(using: &random)?.frame(number(0...100), number(0...100), 90, 90).commit()
                case 3 where Int.random(in: 0..<4, using: &random) == 0:
                    guard let index = windows.indices.randomElement(using: &random) else { break }
                    let window = windows.remove(at: index)
                    constrained.remove(window.surface.id)
                    window.destroy()
                case 4:
                    guard let window = windows.randomElement(using: &random) else { break }
                    guard constrained.insert(window.surface.id).inserted else { break }
                    let region = setup.client.region([(0, 0, 30, 30), (40, 0, 30, 200)])
                    if Bool.random(using: &random) {
                        locks.append(try setup.pointer.lock(window.surface, region: region))
                    } else {
                        _ = try setup.pointer.confine(window.surface, region: region)
                    }
                case 5:
                    // A lock that its client destroys receives no unlocked, if it was the active one.
                    locks.popLast()?.send(.destroy)
                    if grammar.held == "locked" { grammar.held = "locked?" }
                case 6, 7: _ = try? setup.hover(number(-10...210), number(-10...210), on: "A")
                case 8: try setup.hover(by: number(-50...50), number(-50...50))
                case 9:
                    mouse.send(
                        .button(time: 0, button: .random(in: 0x110...0x112, using: &random), state: .random(&random)))
                case 10:
                    mouse.send(.axisSource(axisSource: Bool.random(using: &random) ? .finger : .wheel))
                    mouse.send(.axis(time: 0, axis: .verticalScroll, value: Fixed(rounding: number(-9...9))))
                    mouse.send(.axisStop(time: 0, axis: .verticalScroll))
                    mouse.send(.frame)
                case 11:
                    let phase: Event.Phase = [.began, .moved, .ended].randomElement(using: &random) ?? .began
                    let kind = Event.TransformGesture.Kind.allCases.randomElement(using: &random) ?? .pinch
                    let gesture = Event.TransformGesture(kind: kind)
                    _ = try? setup.fixture.model.transformGesture(gesture, phase: phase, time: setup.fixture.loop.now)
                case 12:
                    let all: [Screen.Orientation] = [.portrait, .landscapeLeft, .portraitUpsideDown, .landscapeRight]
                    let turn = all.randomElement(using: &random) ?? .portrait
                    try setup.fixture.server.rotate(setup.fixture.mainScreen, to: turn)
                default:
                    let scale = Bool.random(using: &random) ? 1.0 : 2
                    try setup.fixture.model.setScale(scale, of: setup.fixture.mainScreen)
                }
                try setup.fixture.pump()
                #expect(setup.client.isOpen, "\(String(describing: setup.client.error))")
                history.append("-- \(step)")
                for line in setup.pointer.take() {
                    history.append(line)
                    if let fault = grammar.follow(line) {
                        Issue.record("seed \(random.seed): \(fault): \(history.suffix(20))")
                        return
                    }
                }
                #expect(!grammar.isInGroup, "seed \(random.seed): a group is not ended: \(history.suffix(20))")
            }
            #expect(setup.fixture.model.checkInvariants() == [] && gestures.0.isAlive && gestures.1.isAlive)
        }
    }
}

extension WlPointer.ButtonState {
    fileprivate static func random(_ generator: inout some RandomNumberGenerator) -> WlPointer.ButtonState {
        Bool.random(using: &generator) ? .pressed : .released
    }
}
