// Injects lists over time, and drags at a human pace: programs see a press before it moves, and answer before it ends.

import EventLoop
import WindowModel

/// The interval between two movements of a drag, in microseconds, like a device of 60 Hz.
private let pace: UInt64 = 16_000
/// The longest duration of all movements of a drag.
private let longest: UInt64 = 1_000_000
/// How long clients may take to answer before a drag ends.
private let patience: UInt64 = 250_000
/// How long programs may take to begin drag and drop, and targets to accept what is dragged.
private let dropPatience: UInt64 = 1_000_000

/// The queue of all lists of events: those of the control API, of scenarios and of replays. Lists are injected one
/// after the other.
///
/// An event with a time waits for it, on the server's clock. A key or a button that has a receiver stays down for a
/// moment. A drag with a receiver is spread over a moment of real time, because drag and drop is up to the clients: it
/// begins when one has seen the press and some movement, which it waits for on its way (`DropWait`), and the result of a
/// drop depends on the target's answers. Everything else happens immediately.
package final class InputQueue {
    package typealias Outcome = Result<[InputInjector.Report], InputInjector.ListError>

    /// A list to inject.
    package final class Job {
        let requests: [InputRequest]
        fileprivate let body: (Outcome) -> Void
        /// The input held down before it began; nil if it has not.
        fileprivate var heldBefore: InputState?
        /// The times of its events, in microseconds of the server's clock.
        fileprivate var times: [UInt64] = []
        fileprivate var plans: [InputPlanner.Plan] = []
        /// How long each event's keys and buttons stay down, in microseconds.
        fileprivate var holds: [UInt64] = []
        fileprivate var reports: [InputInjector.Report] = []
        /// The next plan and step.
        fileprivate var next = (plan: 0, step: 0)

        fileprivate init(_ requests: [InputRequest], _ body: @escaping (Outcome) -> Void) {
            self.requests = requests
            self.body = body
        }

        fileprivate func begin(
            _ injector: InputInjector, at now: UInt64, _ clock: ClockMode, longDropPatience: UInt64
        ) throws(InputInjector.ListError) {
            let times = try InputRequest.schedule(requests)
            plans = try injector.plan(requests)
            holds = requests.map { $0.hold(clock) }
            try checkEnd(times, longDropPatience)
            self.times = times.map { now + $0 }
            heldBefore = injector.held
        }

        /// Others wait for the end of the list, so its drags and keys are limited too.
        private func checkEnd(_ times: [UInt64], _ longDropPatience: UInt64) throws(InputInjector.ListError) {
            var end: UInt64 = 0
            for (index, plan) in plans.enumerated() {
                end = max(end, times[index])
                if let pause = plan.pause { end += pause * UInt64(plan.steps.count - 1) + patience }
                // For a program to begin drag and drop, and for the target to accept.
                if let drop = plan.drop { end += drop.patience(longDropPatience) + dropPatience }
                let presses = plan.steps.indices.count(where: plan.isHeld(after:))
                end += holds[index] * UInt64(presses)
                guard end <= InputRequest.longest else {
                    throw InputRequest.tooLong(
                        index,
                        "with its drags and keys the list takes \(InputRequest.milliseconds(end)) ms up to here")
                }
            }
        }
    }

    /// How long programs may take to begin drag and drop if a drag is nothing else, in microseconds.
    package var longDropPatience: UInt64 = 5_000_000
    /// Called with the reports of every list that was injected.
    package var onReports: (([InputInjector.Report]) -> Void)?

    private unowned let server: DisplayServer
    private unowned let injector: InputInjector
    /// The first one is in progress.
    private var jobs: [Job] = []
    private var nextStep: Timer?
    private var lastStep: Timer?
    private var nextEvent: ClockTimer?
    private var answers: Settler.Waiting?
    /// Armed while a drag waits for a program to begin drag and drop.
    private var dropEnd: Timer?
    /// Whether a drag waits for a program to begin drag and drop.
    package var isAwaitingDrag: Bool { dropEnd?.isArmed == true }
    /// The time until which a target may accept what is dragged; nil while no drag waits for it.
    private(set) var acceptanceEnd: UInt64?

    init(_ server: DisplayServer, _ injector: InputInjector) {
        self.server = server
        self.injector = injector
        nextStep = Timer(server.loop) { [unowned self] _, _ in proceed() }
        lastStep = Timer(server.loop) { [unowned self] _, _ in awaitAnswers() }
        nextEvent = ClockTimer(server.clock) { [unowned self] _, _ in proceed() }
        dropEnd = Timer(server.loop) { [unowned self] _, _ in noDragBegan() }
        // Stepped time waits for a drag: later events of its list have their own times.
        server.settler.conditions.append { [unowned self] in
            [nextStep, lastStep, dropEnd].contains { $0?.isArmed == true } ? ["input is being injected"] : []
        }
    }

    /// Injects events after all earlier ones, and reports the results: immediately if there is nothing to wait for.
    @discardableResult
    package func inject(_ requests: [InputRequest], then body: @escaping (Outcome) -> Void) -> Job {
        let job = Job(requests, body)
        jobs.append(job)
        if jobs.count == 1 { proceed() }
        return job
    }

    /// Cancels a list whose result is no longer wanted: drops the rest and releases what it holds down.
    package func cancel(_ job: Job) {
        guard let index = jobs.firstIndex(where: { $0 === job }) else { return }
        jobs.remove(at: index)
        guard index == 0 else { return }
        nextStep?.cancel()
        lastStep?.cancel()
        nextEvent?.cancel()
        dropEnd?.cancel()
        answers?.cancel()
        injector.endTyping()
        if let held = job.heldBefore { injector.release(except: held) }
        beginNext()
    }

    /// Injects what is due, until there is something to wait for.
    private func proceed() {
        guard let job = jobs.first else { return }
        do {
            if job.heldBefore == nil {
                try job.begin(
                    injector, at: server.clock.now, server.clock.mode, longDropPatience: longDropPatience)
            }
            while job.next.plan < job.plans.count {
                if isEarly(job) { return }
                if try perform(job) { return }
                job.next = (job.next.plan + 1, 0)
            }
            end(job, .success(job.reports))
        } catch {
            fail(job, error)
        }
    }

    private func fail(_ job: Job, _ error: InputInjector.ListError) {
        // E2: a list that fails must leave nothing pressed.
        if let held = job.heldBefore { injector.release(except: held) }
        end(job, .failure(error))
    }

    /// Whether the next event has to wait for its time.
    private func isEarly(_ job: Job) -> Bool {
        let time = job.times[job.next.plan]
        guard job.next.step == 0, time > server.clock.now else { return false }
        // The keymap of a typed character applies only to its keys.
        injector.endTyping()
        nextEvent?.arm(at: time)
        return true
    }

    /// - Returns: whether the next step has to wait; `proceed` is called when it can continue.
    private func perform(_ job: Job) throws(InputInjector.ListError) -> Bool {
        let index = job.next.plan
        do {
            if job.next.step == 0 {
                let isFirst = index == 0 && job.requests[0].time == nil
                try injector.refresh(&job.plans[index], of: job.requests[index], isFirst: isFirst)
                job.reports.append(InputInjector.Report(job.plans[index]))
            }
            let plan = job.plans[index]
            while job.next.step < plan.steps.count {
                let step = job.next.step
                let delivered = job.reports[index].delivered
                try injector.perform(step, of: plan, into: &job.reports[index])
                job.next.step += 1
                if job.holds[index] > 0, plan.isHeld(after: step), job.reports[index].delivered > delivered {
                    hold(for: job.holds[index])
                    return true
                }
                if let drop = plan.drop, drop.step == step, isAwaited(drop, job.reports[index]) {
                    dropEnd?.arm(at: server.loop.now + drop.patience(longDropPatience))
                    return true
                }
                if let pause = plan.pause, job.reports[index].routing?.hit != nil, job.next.step < plan.steps.count {
                    let isLast = job.next.step == plan.steps.count - 1
                    (isLast ? lastStep : nextStep)?.arm(at: server.loop.now + pause)
                    return true
                }
            }
        } catch {
            throw InputInjector.ListError(index: index, reason: error)
        }
        if job.requests[index].waits {
            job.reports[index].receipts = ReadReceipts(server, of: job.reports[index].receivers)
        }
        return false
    }

    /// Leaves a key or a button down. With real time others who wait for quiet wait for its release too.
    private func hold(for duration: UInt64) {
        switch server.clock.mode {
        case .real: nextStep?.arm(at: server.loop.now + duration)
        case .manual: nextEvent?.arm(at: server.clock.now + duration)
        }
    }

    // MARK: Drag and drop

    /// Whether a drag has to wait for a program to begin drag and drop.
    private func isAwaited(_ drop: DropWait, _ report: InputInjector.Report) -> Bool {
        let seat = injector.devices(of: drop.seat)
        // Without a receiver the drag fails as a miss.
        guard report.routing?.hit != nil, !seat.dragAndDrop.isActive else { return false }
        if drop.isRequired { return true }
        // The press may move or resize a window instead, or its client has no means to begin.
        return !seat.grabs.implicit.isPointerTaken
            && report.receivers.lazy.compactMap { self.server.client($0) }.contains {
                $0.isXServer || !$0.seat(seat).dataDevices.isEmpty
            }
    }

    /// Called when a program begins drag and drop on a seat.
    func dragDidBegin(on seat: Seat.ID) {
        guard dropEnd?.isArmed == true, let job = jobs.first, job.plans[job.next.plan].drop?.seat == seat else {
            return
        }
        dropEnd?.cancel()
        goOn(job)
    }

    /// Goes on with a drag that has waited on its way.
    private func goOn(_ job: Job) {
        let isLast = job.next.step == job.plans[job.next.plan].steps.count - 1
        (isLast ? lastStep : nextStep)?.arm(at: server.loop.now + pace)
    }

    private func noDragBegan() {
        guard let job = jobs.first else { return }
        let index = job.next.plan
        guard job.plans[index].drop?.isRequired == true else { return goOn(job) }
        let reason = ModelError(
            kind: .notAllowed, rule: .e9,
            message: "no program began drag and drop within \(longDropPatience / 1_000_000) s of the press and the "
                + "movement; leave drop out for a drag that is none")
        fail(job, InputInjector.ListError(index: index, reason: reason))
    }

    /// Lets the participants settle before the drag ends. If one of them has only now begun to drag, the target still
    /// has to be notified; and a target that is busy still has to accept.
    private func awaitAnswers() {
        let wasActive = server.isDragging
        let end = acceptanceEnd ?? server.loop.now + dropPatience
        acceptanceEnd = end
        answers = server.settler.settle(within: patience) { [weak self] _ in
            guard let self else { return }
            answers = nil
            let isNew = server.isDragging && !wasActive
            let isOpen = server.seats.contains { $0.dragAndDrop.isUnanswered } && server.loop.now < end
            guard isNew || isOpen else {
                acceptanceEnd = nil
                nextStep?.arm(at: server.loop.now)
                return
            }
            lastStep?.arm(at: server.loop.now + pace)
        }
    }

    private func end(_ job: Job, _ outcome: Outcome) {
        // The keymap of a typed character applies only to its keys.
        injector.endTyping()
        jobs.removeFirst()
        if let onReports, case .success(let reports) = outcome { onReports(reports) }
        // Before the body: it may inject another list, which would then begin immediately.
        beginNext()
        job.body(outcome)
    }

    private func beginNext() {
        acceptanceEnd = nil
        if !jobs.isEmpty { nextStep?.arm(at: server.loop.now) }
    }
}

extension InputPlanner.Plan {
    /// Whether a step presses a key or a button that the next one releases.
    fileprivate func isHeld(after step: Int) -> Bool {
        guard type != "drag", step + 1 < steps.count else { return false }
        switch (steps[step], steps[step + 1]) {
        case (.button(let code, true, _), .button(let next, false, _)): return code == next
        case (.key(let code, true, _, _), .key(let next, false, _, _)): return code == next
        default: return false
        }
    }

    /// The pause after each step but the last, if it has a receiver, in microseconds; nil for none.
    fileprivate var pause: UInt64? { type == "drag" ? min(pace, longest / UInt64(steps.count)) : nil }
}

extension DropWait {
    /// How long it lasts at most, in microseconds; `long` if the drag is nothing else.
    fileprivate func patience(_ long: UInt64) -> UInt64 { isRequired ? long : dropPatience }
}
