// Measures hit-testing and level changes among many windows, in this process.

import MullionGeometry
import WindowModel

enum Windows {
    private static let counts = [10, 100, 1000, 10_000]

    static func measure() throws -> [Row] {
        var rows: [Row] = []
        rows += try series("hit-test anywhere") { crowd in { try crowd.hitAnywhere() } }
        rows += try series("hit-test that only the rearmost window takes") { crowd in { try crowd.hitRearmost() } }
        rows += try series("level change") { crowd in { try crowd.changeLevel() } }
        return rows
    }

    /// Runs the same step among each number of windows, in turn.
    private static func series(_ what: String, _ step: (Crowd) -> (() throws -> Void)) throws -> [Row] {
        let bodies = try counts.map { count in
            let body = step(try Crowd(count))
            return { try timed(200, body) }
        }
        let samples = try interleaved(50, bodies)
        return zip(counts, samples).map { count, series in
            let what = "\(what), \(Report.text(Double(count))) windows"
            guard count > counts[0] else { return Row(what, Statistics.median(series) * 1e6, "µs") }
            return Row(what, series, "µs", scale: 1e6, per: "\(counts[0]) windows", samples[0])
        }
    }
}

/// A screen with visible windows: one that fills it behind all others, the others of 100×100 points in its left half,
/// on seven levels.
final class Crowd {
    private let model = WindowModel()
    private let screen: Screen.ID
    private let rearmost: Window.ID
    private var others: [Window.ID] = []
    private var effects: [Effect] = []
    private var random = SeededRandom()
    private var time: UInt64 = 0

    init(_ count: Int) throws {
        let (width, height) = BenchClient.screen
        screen = try model.connect(
            ScreenDescription(name: "bench", kind: .builtIn, modes: [Screen.Mode(width: width, height: height)]))
        let application = model.addApplication(name: "bench")
        rearmost = try model.createWindow(application: application, options: Window.Options(level: -1))
        try model.setHidden(false, of: rearmost)
        for _ in 1..<count {
            let frame = Rect(
                x: Double.random(in: 0...860, using: &random), y: Double.random(in: 0...980, using: &random),
                width: 100, height: 100)
            let level = Double(Int.random(in: 0..<7, using: &random))
            let window = try model.createWindow(
                application: application, options: Window.Options(frame: frame, level: level))
            try model.setHidden(false, of: window)
            others.append(window)
        }
        model.drainEffects(into: &effects)
    }

    func hitAnywhere() throws { _ = try hit(x: 0..<1920) }

    /// A point right of all other windows: each of them must be ruled out.
    func hitRearmost() throws {
        guard try hit(x: 960..<1920) == rearmost else { throw MeasurementError("the wrong window was hit") }
    }

    /// Changes the level of one of the others, and drains the effects as a server does once per turn.
    func changeLevel() throws {
        guard let window = others.randomElement(using: &random), let level = model.window(window)?.level else { return }
        try model.setLevel(Double((Int(level) + Int.random(in: 1..<7, using: &random)) % 7), of: window)
        model.drainEffects(into: &effects)
    }

    /// A touch anywhere, draining the effects after each of its steps.
    func touch(explain: Bool) throws {
        time += 1
        let point = Point(
            x: Double.random(in: 0..<1920, using: &random), y: Double.random(in: 0..<1080, using: &random))
        for phase in [Event.Phase.began, .moved, .ended] {
            try model.touch(id: 0, phase: phase, at: point, on: screen, time: time, explain: explain)
            model.drainEffects(into: &effects)
        }
    }

    private func hit(x: Range<Double>) throws -> Window.ID {
        let point = Point(x: Double.random(in: x, using: &random), y: Double.random(in: 0..<1080, using: &random))
        guard let hit = model.hitTest(point, on: screen) else { throw MeasurementError("no window was hit") }
        return hit.window
    }
}
