// Drags at the pace of a hand: programs see a press before it moves, and answer before it ends.

import EventLoop

/// Injects lists of events one after the other. A drag that somebody takes is spread over a moment of real time, since
/// drag and drop is the clients': it begins when one has seen the press and some movement, and what becomes of a drop
/// depends on what the target has said. All else happens at once.
final class PacedInjections {
    typealias Outcome = Result<[InputInjector.Report], InputInjector.Refusal>

    /// Between two movements, as of a device of 60 Hz, in microseconds.
    private static let pace: UInt64 = 16_000
    /// How long all movements of a drag take at most.
    private static let longest: UInt64 = 1_000_000
    /// How long clients may take to answer before a drag ends.
    private static let patience: UInt64 = 250_000

    private final class Job {
        let events: [InputEvent]
        let body: (Outcome) -> Void
        private(set) var isPlanned = false
        private(set) var plans: [InputPlanner.Plan] = []
        var reports: [InputInjector.Report] = []
        /// The plan and the step of it that come next.
        var next = (plan: 0, step: 0)
        /// What was down before it.
        private var heldBefore = InputState()

        init(_ events: [InputEvent], _ body: @escaping (Outcome) -> Void) {
            self.events = events
            self.body = body
        }

        func plan(_ injector: InputInjector) throws(InputInjector.Refusal) {
            plans = try injector.plan(events)
            heldBefore = injector.held
            isPlanned = true
        }

        /// E2: what became impossible halfway leaves nothing down that nobody would let go of.
        func letGo(_ injector: InputInjector) {
            if isPlanned { injector.letGo(except: heldBefore) }
        }
    }

    private unowned let server: DisplayServer
    private unowned let injector: InputInjector
    /// The first one is under way.
    private var jobs: [Job] = []
    private var nextStep: Timer?
    private var lastStep: Timer?

    init(_ server: DisplayServer, _ injector: InputInjector) {
        self.server = server
        self.injector = injector
        nextStep = Timer(server.loop) { [unowned self] _, _ in goOn() }
        lastStep = Timer(server.loop) { [unowned self] _, _ in awaitAnswers() }
    }

    /// Injects events after all those before them, and tells what became of them: at once where nothing is to be waited
    /// for.
    func inject(_ events: [InputEvent], then body: @escaping (Outcome) -> Void) {
        jobs.append(Job(events, body))
        if jobs.count == 1 { goOn() }
    }

    /// Goes on until something is to be waited for.
    private func goOn() {
        guard let job = jobs.first else { return }
        do {
            if !job.isPlanned { try job.plan(injector) }
            while job.next.plan < job.plans.count {
                if try carryOut(job.plans[job.next.plan], of: job) { return }
                job.next = (job.next.plan + 1, 0)
            }
            end(job, .success(job.reports))
        } catch {
            job.letGo(injector)
            end(job, .failure(error))
        }
    }

    /// - Returns: whether the next step has to wait; `goOn` is called when it may come.
    private func carryOut(_ plan: InputPlanner.Plan, of job: Job) throws(InputInjector.Refusal) -> Bool {
        let index = job.next.plan
        if job.next.step == 0 {
            job.reports.append(InputInjector.Report(type: plan.type, steps: plan.steps.count, delivered: 0))
        }
        while job.next.step < plan.steps.count {
            do {
                try injector.carryOut(job.next.step, of: plan, into: &job.reports[index])
            } catch {
                throw InputInjector.Refusal(index: index, reason: error)
            }
            job.next.step += 1
            if plan.type == "drag", job.reports[index].routing?.hit != nil, job.next.step < plan.steps.count {
                let isLast = job.next.step == plan.steps.count - 1
                let pause = min(Self.pace, Self.longest / UInt64(plan.steps.count))
                (isLast ? lastStep : nextStep)?.arm(at: server.loop.now + pause)
                return true
            }
        }
        return false
    }

    /// Before the drag ends those who take part are let settle. When one of them has begun to drag only now, who is
    /// below has yet to hear of it.
    private func awaitAnswers() {
        let wasActive = server.dragAndDrop.isActive
        server.settler.settle(within: Self.patience) { [weak self] _ in
            guard let self else { return }
            let isNew = server.dragAndDrop.isActive && !wasActive
            (isNew ? lastStep : nextStep)?.arm(at: server.loop.now + (isNew ? Self.pace : 0))
        }
    }

    private func end(_ job: Job, _ outcome: Outcome) {
        // A typed character's keymap is for its keys only.
        server.seat.keyboard.endTyping()
        jobs.removeFirst()
        // Before the body, which may inject anew: that begins by itself.
        if !jobs.isEmpty { nextStep?.arm(at: server.loop.now) }
        job.body(outcome)
    }
}
