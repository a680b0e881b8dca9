// Carrying out a scenario.

import Compositor
import EventLoop
import WindowModel

/// Does the steps of one scenario, one after the other. With the manual clock each step is let settle before the next,
/// so that two runs give the same pictures; in real time a step follows the one before at once, and an expectation gets
/// time to come true.
final class ScenarioRunner {
    /// What is told while it runs.
    enum Report {
        case didStep(Int, String)
        case picture(String, [UInt8])
        case didFail(Int, String, Mismatch)
        case didEnd
    }

    /// How long clients may take to settle, and an expectation to come true, in microseconds of real time.
    static let patience: UInt64 = 5_000_000
    /// How long until an expectation that is not met yet is looked at again.
    private static let pause: UInt64 = 10_000

    let server: DisplayServer
    let worker: Worker
    private let steps: [Scenario.Step]
    private let report: (Report) -> Void
    private var index = 0
    private var isEnded = false
    private var timer: Timer?
    private var clockTimer: ClockTimer?
    private var settling: Settler.Waiting?
    /// The owner of the windows that the scenario claims.
    private(set) var application: Application.ID?

    init(_ scenario: Scenario, on server: DisplayServer, worker: Worker, report: @escaping (Report) -> Void) {
        self.server = server
        self.worker = worker
        self.report = report
        steps = scenario.steps
    }

    /// Begins; `report` is called from then on.
    func start() { next() }

    /// Ends it where it is; its windows go. Nothing is reported any more.
    func cancel() {
        guard !isEnded else { return }
        isEnded = true
        timer = nil
        clockTimer = nil
        settling?.cancel()
        server.stepper.cancel()
        guard let application else { return }
        server.ignore { () throws(ModelError) in try server.model.removeApplication(application) }
        server.settle()
    }

    // MARK: Going on

    private func next() {
        guard !isEnded else { return }
        guard index < steps.count else {
            cancel()
            return report(.didEnd)
        }
        do {
            try perform(steps[index])
        } catch let mismatch as Mismatch {
            fail(mismatch)
        } catch {
            fail(Mismatch(place: steps[index].title, expected: "to be possible", seen: "\(error)"))
        }
    }

    /// The step is done.
    func stepDidEnd() {
        guard !isEnded else { return }
        server.settle()
        guard server.clock.mode == .manual else { return advance() }
        settle { [unowned self] in advance() }
    }

    private func advance() {
        let title = steps[index].title
        index += 1
        report(.didStep(index - 1, title))
        // On a fresh stack: thousands of steps may follow each other.
        after(0) { [unowned self] in next() }
    }

    func fail(_ mismatch: Mismatch) {
        guard !isEnded else { return }
        let title = index < steps.count ? steps[index].title : ""
        cancel()
        report(.didFail(index, title, mismatch))
    }

    func show(_ name: String, _ png: [UInt8]) { report(.picture(name, png)) }

    // MARK: Waiting

    /// Runs `body` after so many microseconds of real time.
    func after(_ microseconds: UInt64, _ body: @escaping () -> Void) {
        let timer = Timer(server.loop) { _, _ in body() }
        timer.arm(at: server.loop.now + microseconds)
        self.timer = timer
    }

    /// Runs `body` once every client has done what follows from what it was told.
    func settle(_ body: @escaping () -> Void) {
        settling = server.settler.settle(within: Self.patience) { [unowned self] outcome in
            switch outcome {
            case .settled: body()
            case .unsettled(let reasons):
                fail(Mismatch(place: "clients", expected: "to settle", seen: reasons.joined(separator: "; ")))
            }
        }
        server.settle()
    }

    /// Lets so much of the server's time pass.
    func pass(_ microseconds: UInt64, _ body: @escaping () -> Void) throws {
        guard server.clock.mode == .manual else {
            let timer = ClockTimer(server.clock) { _, _ in body() }
            timer.arm(at: server.clock.now + microseconds)
            clockTimer = timer
            return
        }
        try step(.step(microseconds), body)
    }

    func step(_ goal: ClockStepper.Goal, _ body: @escaping () -> Void) throws {
        do {
            try server.stepper.begin(goal) { [unowned self] outcome, _ in
                switch outcome {
                case .done: body()
                case .busy(let who):
                    fail(Mismatch(place: "time", expected: "nothing left to do", seen: who.joined(separator: "; ")))
                case .unsettled(let reasons):
                    fail(Mismatch(place: "clients", expected: "to settle", seen: reasons.joined(separator: "; ")))
                }
            }
        } catch {
            switch error {
            case .real: throw Mismatch(place: "time", expected: "the manual clock", seen: "real time")
            case .underway: throw Mismatch(place: "time", expected: "to be still", seen: "another step is under way")
            }
        }
        server.settle()
    }

    /// Looks at what is expected until it is true, or patience is over.
    func wait(for expectation: Expectation, since start: UInt64) {
        expectation.check(on: server) { [weak self] mismatch in
            guard let self, !isEnded else { return }
            guard let mismatch else { return stepDidEnd() }
            // With the clock standing still and all settled, nothing more would happen.
            let patience = expectation.patience ?? (server.clock.mode == .manual ? 0 : Self.patience)
            guard server.loop.now - start < patience else { return fail(mismatch) }
            after(Self.pause) { [unowned self] in wait(for: expectation, since: start) }
        }
    }

    /// The scenario's own application, made when it is first needed.
    func ownApplication() -> Application.ID {
        if let application { return application }
        let new = server.model.addApplication(name: "scenario")
        application = new
        return new
    }
}

/// What was not as expected.
struct Mismatch: Error, Equatable {
    /// Where: "screen TV mode", "pixel 3,4 of TV".
    var place: String
    var expected: String
    var seen: String
}
