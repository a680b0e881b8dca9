// One run of random input over sockets, step by step.

import MullionGeometry
import MullionWayland
import TestSupport
import WindowModel

@testable import DisplayServer

/// Fingers, keys, buttons, scrolling and gestures, while windows, pop-ups, clients and screens come, go and change.
final class RandomInputRun {
    static let steps = 14

    var random: SeededRandom
    let setup: RandomInputFixture
    /// The steps so far; empty unless they are kept.
    private(set) var log: [String] = []
    private let keepsLog: Bool
    /// The keys that are physically down, delivered or not, by seat.
    private(set) var held: [[UInt32]]
    /// The seat of the next step.
    private var seat = 0
    /// Whether the server restarts now and then.
    var restarts = false

    init(seed: UInt64, on setup: RandomInputFixture, keepsLog: Bool = false) {
        random = SeededRandom(seed: seed)
        self.setup = setup
        self.keepsLog = keepsLog
        held = setup.references.map { _ in [] }
    }

    private var reference: RandomInputReference { setup.references[seat] }
    /// The screens of the current seat.
    private var screens: [Screen.ID] { model.screens.filter { model.seat(of: $0) == reference.seat } }
    var server: DisplayServer { setup.fixture.server }
    var model: WindowModel { setup.fixture.model }

    func say(_ text: @autoclosure () -> String) {
        if keepsLog { log.append(text()) }
    }

    func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
    func chance(_ percent: Int) -> Bool { below(100) < percent }
    func pick<T>(_ list: [T]) -> T? { list.isEmpty ? nil : list[below(list.count)] }

    func point(on screen: Screen.ID) -> Point {
        let size = model.screen(screen)?.bounds.size ?? .zero
        return Point(x: Double(below(max(1, Int(size.width)))), y: Double(below(max(1, Int(size.height)))))
    }

    /// Performs all steps, releases everything and resets the fixture.
    func run() throws {
        try windows(count: 2 + below(3))
        try setup.compare()
        for _ in 0..<Self.steps {
            try step()
            if restarts, chance(25) { try restart() }
            // Several events may come in one turn of the loop.
            if chance(50) { try setup.compare() }
        }
        try setup.compare()
        for index in held.indices {
            seat = index
            for code in held[index] { try key(code, isDown: false) }
        }
        try setup.clear()
    }

    private func step() throws {
        seat = below(setup.references.count)
        switch below(100) {
        case 0..<30: try touch()
        case 30..<42: try hover()
        case 42..<53: try button()
        case 53..<62: try press()
        case 62..<68: try scroll()
        case 68..<73: try gesture()
        default: try change()
        }
    }

    // MARK: Input

    private func touch() throws {
        if let finger = pick(reference.fingers), chance(60) {
            let phase: Event.Phase = pick([.moved, .moved, .ended, .ended, .cancelled]) ?? .ended
            return try touch(finger.id, phase, finger.screen)
        }
        let free = (0..<4).first { id in !reference.fingers.contains { $0.id == id } }
        guard let id = free, let screen = pick(screens) else { return }
        try touch(Int32(id), .began, screen)
    }

    private func touch(_ id: Int32, _ phase: Event.Phase, _ screen: Screen.ID) throws {
        let point = point(on: screen)
        say("touch \(id) \(phase) \(point) on \(screen)")
        try setup.touch(id, phase, point, screen, by: seat)
    }

    private func hover() throws {
        guard let screen = pick(screens) else { return }
        let point = point(on: screen)
        say("hover \(point) on \(screen)")
        try setup.hover(point, on: screen)
    }

    private func button() throws {
        let code = UInt32(0x110 + below(2))
        let isDown = !reference.buttons.contains(code)
        say("seat \(seat): button \(code) \(isDown)")
        try setup.button(code, isDown: isDown, by: seat)
    }

    private func press() throws {
        // Letters, and Shift.
        let code: UInt32 = pick([30, 31, 42]) ?? 30
        try key(code, isDown: !held[seat].contains(code))
    }

    private func key(_ code: UInt32, isDown: Bool) throws {
        say("seat \(seat): key \(code) \(isDown)")
        if isDown { held[seat].append(code) } else { held[seat].removeAll { $0 == code } }
        try setup.inject(.key(code, pressed: isDown), by: seat) { $0.press(code, isDown: isDown) }
    }

    private func scroll() throws {
        let phase: Event.Phase? = chance(30) ? nil : phase(isRunning: reference.scroll != nil)
        let delta = phase == .ended || phase == .cancelled ? 0 : Double(1 + below(9))
        say("seat \(seat): scroll \(delta) \(String(describing: phase))")
        try setup.scroll(delta, phase, by: seat)
    }

    private func gesture() throws {
        let phase = phase(isRunning: reference.gesture != nil)
        let delta = Double(1 + below(9))
        say("seat \(seat): swipe \(delta) \(phase)")
        try setup.gesture(delta, phase, by: seat)
    }

    private func phase(isRunning: Bool) -> Event.Phase {
        isRunning ? pick([.moved, .moved, .ended, .cancelled]) ?? .ended : .began
    }
}
