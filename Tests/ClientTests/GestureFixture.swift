// What the tests of gestures share.

import MullionClient
import TestSupport

/// A window with a view, and fingers; time is manual and passes only with `step`.
@MainActor final class GestureFixture {
    let client: ClientFixture
    let window: Window
    /// At (100, 100), 400 × 300 points.
    let view = TouchLog(frame: Rect(x: 100, y: 100, width: 400, height: 300))
    /// What recognisers and views said, in order.
    private(set) var log: [String] = []

    init() throws {
        client = try ClientFixture(options: ["--clock", "manual"])
        window = Window(client.application)
        window.addSubview(view)
        window.makeKeyAndVisible()
        try client.application.roundTrip()
    }

    func note(_ line: String) { log.append(line) }

    /// What was noted since the last call.
    func take() -> [String] {
        defer { log = [] }
        return log
    }

    /// Attaches a recogniser that notes its name and state.
    @discardableResult
    func add<Recognizer: GestureRecognizer>(
        _ recognizer: Recognizer, _ name: String, to view: View? = nil
    ) -> Recognizer {
        recognizer.onChange { [unowned self] in note("\(name) \($0.state)") }
        (view ?? self.view).addGestureRecognizer(recognizer)
        return recognizer
    }

    /// Changes fingers at one moment.
    func touch(_ phase: String, _ fingers: [Int: (Double, Double)]) throws {
        let touches = fingers.sorted { $0.key < $1.key }.map {
            #"{"id":\#($0.key),"phase":"\#(phase)","x":\#($0.value.0),"y":\#($0.value.1)}"#
        }
        try client.inject(#"{"type":"touches","touches":[\#(touches.joined(separator: ","))]}"#)
    }

    func down(_ x: Double, _ y: Double, id: Int = 0) throws { try touch("began", [id: (x, y)]) }
    func move(_ x: Double, _ y: Double, id: Int = 0) throws { try touch("moved", [id: (x, y)]) }
    func up(_ x: Double, _ y: Double, id: Int = 0) throws { try touch("ended", [id: (x, y)]) }

    func tap(_ x: Double = 200, _ y: Double = 200, id: Int = 0) throws {
        try down(x, y, id: id)
        try up(x, y, id: id)
    }

    /// Lets time pass, in milliseconds.
    func step(_ milliseconds: Int) throws { try clock("step", "\(milliseconds)ms") }

    /// Steps the clock; the application runs meanwhile.
    func clock(_ words: String...) throws {
        let control = try client.server.fixture.spawn(
            Programs.built + "/mullionctl", ["clock"] + words + ["--control", client.server.folder + "/control"])
        try client.wait(for: "the step of the clock") { !control.isRunning }
        guard control.exitStatus == 0 else { throw FixtureError("clock \(words): \(control.readOutput())") }
        try client.application.roundTrip()
    }
}

/// A view that records its touches.
final class TouchLog: View {
    var calls: [String] = []
    /// Called with each of them.
    var onCall: ((String) -> Void)?

    private func record(_ name: String, _ touches: [Touch]) {
        calls.append(touches.count == 1 ? name : "\(name) \(touches.count)")
        onCall?(name)
    }

    override func touchesBegan(_ touches: [Touch], with event: Event) { record("began", touches) }
    override func touchesMoved(_ touches: [Touch], with event: Event) { record("moved", touches) }
    override func touchesEnded(_ touches: [Touch], with event: Event) { record("ended", touches) }
    override func touchesCancelled(_ touches: [Touch], with event: Event) { record("cancelled", touches) }

    /// What was recorded since the last call.
    func take() -> [String] {
        defer { calls = [] }
        return calls
    }
}
