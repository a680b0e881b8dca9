// Decides which gestures are recognised.

/// Changes the states of an application's recognisers, and calls what follows from that in order.
///
/// Recognisers change state immediately; calls of actions and views are queued, because they may do anything, such as
/// dispatch: then the next event comes after what is left of this one (E9).
@MainActor final class GestureArbiter {
    /// The recognisers with an attempt in progress, in the order in which it began.
    private var competing: [GestureRecognizer] = []
    private var queue: [() -> Void] = []
    private var queueHead = 0
    /// Contacts whose views wait for recognisers to fail.
    private(set) var holding: [Contact] = []
    /// How many calls of `drain` or `collect` are running.
    private var depth = 0

    // MARK: Transitions

    /// Changes the state of a recogniser as far as that is possible.
    func transition(_ recognizer: GestureRecognizer, to state: GestureRecognizer.State) {
        guard recognizer.isCompeting else { return }
        switch (recognizer.current, state) {
        case (.possible, .failed), (.possible, .cancelled): fail(recognizer)
        case (.possible, .began), (.possible, .changed): tryToRecognize(recognizer, .began)
        case (.possible, .ended): tryToRecognize(recognizer, .ended)
        case (.began, .changed), (.changed, .changed):
            recognizer.current = .changed
            if !recognizer.willReportChange { report(recognizer) }
        case (.began, .ended), (.changed, .ended): finish(recognizer, .ended)
        case (.began, .cancelled), (.changed, .cancelled), (.began, .failed), (.changed, .failed):
            finish(recognizer, .cancelled)
        default: break
        }
        if depth == 0 { drain() }
    }

    private func tryToRecognize(_ recognizer: GestureRecognizer, _ state: GestureRecognizer.State) {
        if recognizer.pending == nil, !recognizer.shouldBegin() { return fail(recognizer) }
        guard recognizer.isCompeting, recognizer.current == .possible else { return }
        let rivals = competing.filter { $0 !== recognizer && $0.sharesContact(with: recognizer) }
        let isPrevented = rivals.contains { rival in
            rival.isRecognized && (rival.prevents(recognizer) || recognizer.requires(rival))
        }
        if isPrevented { return fail(recognizer) }
        if rivals.contains(where: { recognizer.waits(for: $0) }) {
            recognizer.pending = state
            return
        }
        recognizer.pending = nil
        recognizer.current = state
        if state == .ended { recognizer.setDeadline(nil) }
        report(recognizer)
        if recognizer.cancelsTouchesInView { take(recognizer.contacts) }
        for rival in rivals where rival.isCompeting && rival.current == .possible {
            if recognizer.prevents(rival) || rival.requires(recognizer) { fail(rival) }
        }
        if state == .ended { resetLater(recognizer) }
    }

    private func fail(_ recognizer: GestureRecognizer) {
        guard recognizer.isCompeting, recognizer.current == .possible else { return }
        recognizer.current = .failed
        recognizer.pending = nil
        recognizer.setDeadline(nil)
        resetLater(recognizer)
        retry()
    }

    private func finish(_ recognizer: GestureRecognizer, _ state: GestureRecognizer.State) {
        recognizer.current = state
        recognizer.setDeadline(nil)
        report(recognizer)
        resetLater(recognizer)
    }

    /// Lets recognisers go on that waited for others to fail.
    private func retry() {
        for recognizer in competing {
            guard recognizer.isCompeting, let state = recognizer.pending else { continue }
            tryToRecognize(recognizer, state)
        }
    }

    private func report(_ recognizer: GestureRecognizer) {
        let (state, attempt) = (recognizer.current, recognizer.attempt)
        recognizer.willReportChange = state == .changed
        enqueue {
            guard recognizer.attempt == attempt else { return }
            if state == .changed { recognizer.willReportChange = false }
            recognizer.announce(state)
        }
    }

    // MARK: Attempts

    /// Lets a recogniser see a contact that begins.
    private func offer(_ contact: Contact, to recognizer: GestureRecognizer) {
        guard recognizer.isEnabled, recognizer.view?.window === contact.place.window, recognizer.pending != .ended
        else { return }
        guard recognizer.current == .possible || recognizer.isRunning else { return }
        guard recognizer.accepts(contact) else { return }
        recognizer.contacts.append(contact)
        guard !recognizer.isCompeting else { return }
        recognizer.isCompeting = true
        competing.append(recognizer)
    }

    private func resetLater(_ recognizer: GestureRecognizer) {
        let attempt = recognizer.attempt
        enqueue { [unowned self] in
            if recognizer.attempt == attempt { reset([recognizer]) }
        }
    }

    /// Ends attempts without calling actions.
    func reset(_ recognizers: [GestureRecognizer]) {
        let ended = recognizers.filter(\.isCompeting)
        guard !ended.isEmpty else { return }
        for recognizer in ended {
            recognizer.isCompeting = false
            recognizer.attempt += 1
            recognizer.current = .possible
            recognizer.pending = nil
            recognizer.willReportChange = false
            recognizer.contacts = []
            recognizer.finishedTouches = nil
            recognizer.setDeadline(nil)
        }
        competing.removeAll { !$0.isCompeting }
        for recognizer in ended { recognizer.reset() }
        retry()
        if depth == 0 { drain() }
    }

    /// Resets all recognisers of views that left the window or were hidden.
    func reset(where isGone: (View) -> Bool) {
        reset(competing.filter { $0.view.map(isGone) ?? true })
    }

    // MARK: Times

    /// Calls deadlines that have passed at a time in seconds of the server's clock; the earliest first.
    func expire(at time: Double) {
        // Microseconds, as seconds, have rounding errors.
        let time = time + 5e-7
        func next() -> GestureRecognizer? {
            competing.filter { $0.deadline.map { $0 <= time } ?? false }
                .min { ($0.deadline ?? 0) < ($1.deadline ?? 0) }
        }
        while let recognizer = next() {
            recognizer.setDeadline(nil)
            depth += 1
            recognizer.deadlineDidPass()
            depth -= 1
            // A first tap is recognised before the next touch begins.
            drain()
        }
    }

    /// The same, called by the alarm of a recogniser.
    func expire(at time: Double, _ recognizer: GestureRecognizer) {
        if recognizer.isCompeting { expire(at: time) }
    }

    // MARK: Events

    /// Lets recognisers see what happened to contacts at one moment, all of which have their new values.
    func collect(_ contacts: [Contact], _ event: Event) {
        depth += 1
        defer { depth -= 1 }
        var recognizers: [GestureRecognizer] = []
        for contact in contacts {
            for recognizer in contact.recognizers where !recognizers.contains(where: { $0 === recognizer }) {
                recognizers.append(recognizer)
            }
        }
        for recognizer in recognizers {
            for contact in contacts where contact.begins && contact.recognizers.contains(recognizer) {
                offer(contact, to: recognizer)
            }
            for phase in [Event.Phase.began, .moved, .ended, .cancelled] {
                let seen = contacts.filter { $0.phase == phase && recognizer.sees($0) }
                guard !seen.isEmpty, recognizer.current == .possible || recognizer.isRunning else { continue }
                let touches = seen.compactMap(\.touch)
                switch phase {
                case _ where touches.isEmpty:
                    for contact in seen { recognizer.sequenceChanged(contact, with: event) }
                case .began: recognizer.touchesBegan(touches, with: event)
                case .moved: recognizer.touchesMoved(touches, with: event)
                case .ended: recognizer.touchesEnded(touches, with: event)
                default: recognizer.touchesCancelled(touches, with: event)
                }
            }
        }
        // A touch that joins a running gesture belongs to it.
        for recognizer in recognizers where recognizer.isRunning && recognizer.cancelsTouchesInView {
            take(contacts.filter { $0.begins && recognizer.sees($0) })
        }
    }

    /// Marks contacts as over, once everything before has happened.
    func close(_ contacts: [Contact]) {
        guard !contacts.isEmpty else { return }
        enqueue { [unowned self] in
            for contact in contacts { contact.isOver = true }
            for recognizer in competing where recognizer.isRunning { recognizer.contacts.removeAll(where: \.isOver) }
        }
    }

    // MARK: Views

    /// Takes contacts away from the views, which receive a cancellation.
    private func take(_ contacts: [Contact]) {
        let taken = contacts.filter { !$0.isTaken }
        for contact in taken { contact.take() }
        if !taken.isEmpty { enqueue { Contact.cancelInViews(taken) } }
    }

    func hold(_ contact: Contact, _ touch: Touch, _ event: Event) {
        contact.held.append((touch, event))
        if !holding.contains(where: { $0 === contact }) { holding.append(contact) }
    }

    /// Queues what no recogniser delays any more.
    private func releaseHeld() {
        for contact in holding {
            while let next = contact.held.first, !contact.isDelayed(next.touch.phase) {
                contact.held.removeFirst()
                enqueue { EventDelivery.tell(contact, next.touch, next.event) }
            }
        }
        holding.removeAll(where: \.held.isEmpty)
    }

    // MARK: The queue

    func enqueue(_ body: @escaping () -> Void) { queue.append(body) }

    /// Calls what is queued. Called again by one of the calls, it continues with the rest.
    func drain() {
        depth += 1
        defer { depth -= 1 }
        repeat {
            while queueHead < queue.count {
                let body = queue[queueHead]
                queueHead += 1
                body()
            }
            queue = []
            queueHead = 0
            releaseHeld()
        } while !queue.isEmpty
    }
}

extension [GestureRecognizer] {
    fileprivate func contains(_ recognizer: GestureRecognizer) -> Bool { contains { $0 === recognizer } }
}

extension GestureRecognizer {
    /// Whether a continuous gesture is in progress.
    var isRunning: Bool { current == .began || current == .changed }
    /// Whether the gesture was recognised in this attempt.
    fileprivate var isRecognized: Bool { isRunning || current == .ended || current == .cancelled }

    fileprivate func requires(_ other: GestureRecognizer) -> Bool { requirements.contains { $0.recognizer === other } }

    /// Whether the other one has to fail first. Two that wait for each other would wait for ever.
    fileprivate func waits(for other: GestureRecognizer) -> Bool {
        requires(other) && other.current == .possible && (other.pending == nil || !other.requires(self))
    }

    /// Whether its recognition makes the other one fail.
    fileprivate func prevents(_ other: GestureRecognizer) -> Bool {
        canPrevent(other) && other.canBePrevented(by: self) && !shouldRecognizeSimultaneously(with: other)
            && !other.shouldRecognizeSimultaneously(with: self)
    }
}
