// Runs a scenario.

import Compositor
import DisplayServer
import EventLoop
import MullionSystem
import WindowModel

/// Performs the steps of one scenario in order. With the manual clock, clients settle after each step, so that two runs
/// give the same pictures. In real time, each step follows immediately, and an expectation gets time to be met.
final class ScenarioRunner {
    /// Reports while it runs.
    enum Report {
        case didStep(Int, String)
        /// The step with this index and name waits for `resume`.
        case didPause(Int, String)
        case picture(String, [UInt8])
        case didFail(Int, String, Mismatch)
        case didEnd
    }

    let server: DisplayServer
    let worker: Worker
    /// The server's waits for conditions.
    let waits: ConditionWaits
    /// Whose scenario it is; nil for a holder of the token.
    var user: UInt32?
    /// How long clients may take to settle, and an expectation to be met, in microseconds of real time.
    let patience: UInt64
    /// Whether the reader of the reports is so far behind that the next step has to wait for `readerDidCatchUp`.
    var isReaderBehind: () -> Bool = { false }
    private let steps: [Scenario.Step]
    private let report: (Report) -> Void
    private var index = 0
    private(set) var isEnded = false
    private var timer: Timer?
    private var clockTimer: ClockTimer?
    private var settling: Settler.Waiting?
    /// The list being injected.
    var injection: InputQueue.Job?
    /// Whether this scenario is stepping the time.
    private var isStepping = false
    private var isWaitingForReader = false
    /// Whether the current step waits for `resume`; no timer runs meanwhile.
    private(set) var isPaused = false
    private var watch: ExpectationWatch?
    /// The wait of the current step.
    var conditionWait: ConditionWait?
    /// The input held down by others at the beginning.
    private let heldBefore: InputState
    /// The owner of the windows that the scenario claims.
    private(set) var application: Application.ID?

    init(
        _ scenario: Scenario, on server: DisplayServer, worker: Worker, waits: ConditionWaits,
        patience: UInt64, report: @escaping (Report) -> Void
    ) {
        self.server = server
        self.worker = worker
        self.waits = waits
        self.patience = patience
        self.report = report
        steps = scenario.steps
        heldBefore = server.injector.held
    }

    /// Begins; `report` is called from then on.
    func start() { next() }

    /// Cancels the scenario: closes its windows and releases its input. Nothing more is reported.
    func cancel() {
        guard !isEnded else { return }
        isEnded = true
        isPaused = false
        timer = nil
        clockTimer = nil
        watch = nil
        conditionWait?.cancel()
        settling?.cancel()
        if let injection { server.injector.queue.cancel(injection) }
        if isStepping { server.stepper.cancel() }
        server.injector.release(except: heldBefore)
        if let application {
            server.logErrors { () throws(ModelError) in try server.model.removeApplication(application) }
        }
        server.deliverAndFlush()
    }

    /// Continues, if it waited for the reader.
    func readerDidCatchUp() {
        guard isWaitingForReader else { return }
        isWaitingForReader = false
        after(0) { [unowned self] in next() }
    }

    // MARK: Progress

    private func next() {
        guard !isEnded else { return }
        guard index < steps.count else {
            cancel()
            return report(.didEnd)
        }
        guard !isReaderBehind() else {
            isWaitingForReader = true
            return
        }
        attempt { try perform(steps[index]) }
    }

    /// Runs a part of a step; an error ends the scenario.
    func attempt(_ body: () throws -> Void) {
        do {
            try body()
        } catch let mismatch as Mismatch {
            fail(mismatch)
        } catch {
            let reason = (error as? Problem)?.cited ?? "\(error)"
            fail(Mismatch(place: "the step", expected: "to be possible", seen: reason))
        }
    }

    /// Called when the step is done.
    func stepDidEnd() {
        guard !isEnded else { return }
        server.deliverAndFlush()
        guard server.clock.mode == .manual else { return advance() }
        settle { [unowned self] in advance() }
    }

    private func advance() {
        let title = steps[index].title
        index += 1
        report(.didStep(index - 1, title))
        // On a fresh stack, because thousands of steps may follow each other.
        after(0) { [unowned self] in next() }
    }

    func fail(_ mismatch: Mismatch) {
        guard !isEnded else { return }
        let title = index < steps.count ? steps[index].title : ""
        cancel()
        report(.didFail(index, title, mismatch))
    }

    func show(_ name: String, _ png: [UInt8]) { report(.picture(name, png)) }

    // MARK: Pausing

    func pause(_ name: String) {
        isPaused = true
        report(.didPause(index, name))
    }

    /// Continues a scenario that pauses, or fails its step.
    func resume(_ mismatch: Mismatch?) {
        guard isPaused else { return }
        isPaused = false
        if let mismatch { fail(mismatch) } else { stepDidEnd() }
    }

    // MARK: Waiting

    /// Runs `body` after this many microseconds of real time.
    func after(_ microseconds: UInt64, _ body: @escaping () -> Void) {
        let timer = Timer(server.loop) { _, _ in body() }
        timer.arm(at: server.loop.now + microseconds)
        self.timer = timer
    }

    /// Runs `body` once every client has handled its events.
    func settle(_ body: @escaping () -> Void) {
        settling = server.settler.settle(within: patience) { [unowned self] outcome in
            switch outcome {
            case .settled: body()
            case .unsettled(let unfinished): fail(Mismatch(unsettled: unfinished))
            }
        }
        server.deliverAndFlush()
    }

    /// Lets this much of the server's time pass.
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
            try server.stepper.begin(goal, patience: patience) { [unowned self] outcome, _ in
                isStepping = false
                switch outcome {
                // On a fresh stack: without clients to wait for, a step ends before `begin` returns.
                case .done: after(0, body)
                case .busy(let deadlines):
                    let seen = Disclosure.all.sentence(about: deadlines)
                    fail(Mismatch(place: "time", expected: "nothing to be due", seen: seen))
                case .unsettled(let unfinished): fail(Mismatch(unsettled: unfinished))
                }
            }
            isStepping = true
        } catch {
            switch error {
            case .real: throw Mismatch(place: "time", expected: "the manual clock", seen: "real time")
            case .underway: throw Mismatch(place: "time", expected: "to be still", seen: "another step is in progress")
            }
        }
        server.deliverAndFlush()
    }

    /// Waits until the expectation is met or the time is up.
    func wait(for expectation: Expectation) {
        // While the clock stands still and all clients are settled, nothing more can happen.
        let time = expectation.patience ?? (server.clock.mode == .manual ? 0 : patience)
        let watch = ExpectationWatch(expectation, on: server, patience: time) { [unowned self] mismatch in
            self.watch = nil
            if let mismatch { fail(mismatch) } else { stepDidEnd() }
        }
        self.watch = watch
        watch.look()
    }

    /// Called when the server has flushed its clients.
    func serverDidFlush() { watch?.look() }

    /// The scenario's own application, created when first needed.
    func ownApplication() -> Application.ID {
        if let application { return application }
        let new = server.model.addApplication(name: "scenario")
        application = new
        return new
    }
}

/// An expectation that was not met.
struct Mismatch: Error, Equatable {
    /// Its subject: "screen TV mode", "pixel 3,4 of TV".
    var place: String
    var expected: String
    var seen: String
}

extension Mismatch {
    init(unsettled unfinished: [Unfinished]) {
        self.init(place: "clients", expected: "to settle", seen: Disclosure.all.sentence(about: unfinished))
    }
}
