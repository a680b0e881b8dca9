// Steps are refused in advance exactly when the model would refuse them.

import EventLoop
import MullionGeometry
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer
@testable import Displays

@Suite struct InputStateTests {
    private let server: DisplayServer
    private let seats: [Seat.ID]
    private let screens: [Screen.ID]

    init() throws {
        let server = DisplayServer(loop: try EventLoop())
        self.server = server
        screens = try ["A", "B"].map { try server.plug(ScreenSpecification(parsing: "400x300,name=\($0)")) }
        try server.model.addSeat(name: "seat1", screens: ["B"])
        seats = server.model.seats
        let application = server.model.addApplication(name: "test")
        for screen in screens {
            let window = try server.model.createWindow(
                application: application, screen: screen,
                options: Window.Options(frame: Rect(x: 0, y: 0, width: 200, height: 300)))
            try server.model.makeKeyAndVisible(window)
        }
        server.deliverAndFlush()
    }

    @Test("E1, E3, E5, E9: a step is refused in advance if and only if the model refuses it")
    func agreement() throws {
        var random = SeededRandom()
        var state = server.model.input
        var refusals: [Rule: Int] = [:]
        for count in 0..<20_000 {
            let step = randomStep(&random)
            let before = state
            let foreseen = Self.refusal { () throws(ModelError) in try state.follow(step, in: server.model) }
            #expect(foreseen == nil || state == before)
            let real = Self.refusal { () throws(ModelError) in try perform(step, time: UInt64(count)) }
            #expect(
                foreseen?.rule == real?.rule && foreseen?.kind == real?.kind, "seed \(random.seed): \(count) \(step)")
            #expect(state == server.model.input, "seed \(random.seed): \(count) \(step)")
            guard foreseen?.rule == real?.rule, state == server.model.input else { return }
            if let real { refusals[real.rule, default: 0] += 1 }
            server.deliverEffects()
        }
        // Each rule was broken, and each kind of step also succeeded.
        #expect(Set(refusals.keys) == [.e1, .e3, .e5, .e9] && server.model.checkInvariants() == [])
    }

    private static func refusal(_ body: () throws(ModelError) -> Void) -> ModelError? {
        do {
            try body()
            return nil
        } catch {
            return error
        }
    }

    private func perform(_ step: InputStep, time: UInt64) throws(ModelError) {
        let model = server.model
        switch step {
        case .touch(let update, let screen):
            try model.touch(
                id: update.id, phase: update.phase, at: update.point, on: screen, attributes: update.attributes,
                time: time)
        case .touches(let updates, let screen): try model.touches(updates, on: screen, time: time)
        case .pencil(let update, let screen): try model.pencil(update, on: screen, time: time)
        case .move(let point, let screen, _): try model.pointerMoved(to: point, on: screen, time: time)
        case .moveBy: break
        case .button(let code, let isDown, let seat):
            try model.pointerButton(code: code, pressed: isDown, seat: seat, time: time)
        case .scroll(let scroll, let phase, let seat): try model.scroll(scroll, phase: phase, seat: seat, time: time)
        case .gesture(let gesture, let phase, let seat):
            try model.transformGesture(gesture, phase: phase, seat: seat, time: time)
        case .shake(let phase, let seat): try model.shake(phase, seat: seat, time: time)
        case .remote(let command, let seat): try model.remoteControl(command, seat: seat, time: time)
        case .key(let code, let isDown, _, let seat):
            try model.press(key: code, pressed: isDown, seat: seat, time: time)
        }
    }

    // MARK: Random steps

    private func randomStep(_ random: inout SeededRandom) -> InputStep {
        let seat = pick(seats, &random)
        let screen = pick(screens, &random)
        let phase = pick([Event.Phase.began, .began, .moved, .stationary, .ended, .ended, .cancelled], &random)
        let code = UInt32.random(in: 1...3, using: &random)
        switch Int.random(in: 0..<10, using: &random) {
        case 9:
            var update = update(phase, &random)
            if update.attributes == .finger { update.attributes.tool = .pencil(altitude: 1, azimuth: 0) }
            return .pencil(update, screen)
        case 0, 1: return .touch(update(phase, &random), screen)
        case 2:
            let count = Int.random(in: 1...3, using: &random)
            return .touches((0..<count).map { _ in update(phase, &random) }, screen)
        case 3: return .move(point(&random), screen)
        case 4: return .button(code, pressed: Bool.random(using: &random), seat: seat)
        case 5:
            let scroll = Event.Scroll(deltaX: pick([1, 1, 1, .nan], &random), deltaY: 2)
            return .scroll(scroll, pick([nil, phase], &random), seat: seat)
        case 6:
            let gesture = Event.TransformGesture(
                kind: pick([.pinch, .pinch, .rotate, .swipe], &random), scale: pick([1, 1, 2, 0], &random),
                fingers: pick([2, 2, 3, 0], &random))
            return .gesture(gesture, phase, seat: seat)
        case 7: return .shake(phase, seat: seat)
        default: return .key(code, pressed: Bool.random(using: &random), seat: seat)
        }
    }

    private func update(_ phase: Event.Phase, _ random: inout SeededRandom) -> TouchUpdate {
        let attributes = Event.TouchAttributes(
            force: pick([0, 0, 0.5, 1.5], &random), majorRadius: pick([0, 5, 5, -1], &random),
            minorRadius: pick([0, 0, 5], &random), orientation: pick([0, 1, 7], &random),
            tool: pick([.direct, .direct, .pencil(altitude: 1, azimuth: 1), .pencil(altitude: 2, azimuth: 0)], &random))
        let id = Int32.random(in: 0...4, using: &random)
        // Mostly without measurements, so that invalid ones do not hide steps out of order.
        let isPlain = Int.random(in: 0..<4, using: &random) > 0
        return TouchUpdate(id: id, phase: phase, point: point(&random), attributes: isPlain ? .finger : attributes)
    }

    private func point(_ random: inout SeededRandom) -> Point {
        Point(x: pick([10, 390, 10, .infinity], &random), y: Double.random(in: 0..<300, using: &random))
    }

    private func pick<T>(_ values: [T], _ random: inout SeededRandom) -> T {
        values[Int.random(in: 0..<values.count, using: &random)]
    }
}
