// Compares the model with the slow reference: order, visibility, key, notifications and hits must agree after each
// operation.

import Testing
import WindowModel

#if canImport(Glibc)
    import Glibc
#endif

struct Mismatch: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

extension RandomRun {
    /// Throws the first difference between the two models.
    func compare() throws {
        let broken = model.checkInvariants()
        if !broken.isEmpty { throw Mismatch("broken: \(broken)") }
        model.drainEffects(into: &drained)
        for seat in reference.seats {
            reference.follow(seat)
            reference.followPencils(seat)
        }
        var notes: [Note] = []
        var hasOrderChanged = false
        for effect in drained {
            switch effect {
            case .needsDisplay(let screen): dirty.insert(screen)
            case .pointerFocus: break
            case .cameToFront(let id, _): raised.append(id)
            case .orderDidChange: hasOrderChanged = true
            case .applicationDidConnect(let id): present.applications.insert(id)
            case .applicationDidDisconnect(let id): present.applications.remove(id)
            case .windowDidOpen(let id, _): present.windows.insert(id)
            case .windowDidClose(let id, _): present.windows.remove(id)
            case .windowDidChange(let id, _, let property): told[id, default: Told()].learn(property, model.window(id))
            case .deliver(let event):
                try ledger.follow(event)
                notes.append(.event(ReceivedEvent(event)))
            default: notes.append(.notification(effect))
            }
        }
        // The order is read when it has changed otherwise than by coming to the front.
        if hasOrderChanged { raised = reference.backToFront.map(\.id) }
        if notes != reference.notes { throw Mismatch("received \(notes)\nexpected \(reference.notes)") }
        reference.notes.removeAll(keepingCapacity: true)
        if present.windows.sorted() != model.windows || present.applications.sorted() != model.applications {
            throw Mismatch("W7: by the effects, there are \(present)")
        }
        try compareSeats()
        if model.screens != reference.screenList { throw Mismatch("screens are \(model.screens)") }
        for w in reference.windows where model.isVisible(w.id) != w.visible {
            throw Mismatch("window \(w.id) is visible: \(!w.visible)")
        }
        for screen in reference.screens {
            let order = model.windows(on: screen.id)
            if order != reference.order(screen.id) {
                throw Mismatch("order is \(order), not \(reference.order(screen.id))")
            }
            let point = self.point(on: screen.id, &probes)
            let hit = model.hitTest(point, on: screen.id)
            let expected = reference.hit(point, screen.id)
            if hit?.window != expected?.0.id || hit?.surface != expected?.1?.id {
                throw Mismatch("\(point) hits \(String(describing: hit)), not \(String(describing: expected?.0.id))")
            }
        }
        try compareScreens()
        try compareLocks()
        try compareTold()
        for application in applications where model.windows(of: application) != reference.windows(of: application) {
            throw Mismatch("windows of \(application) are \(model.windows(of: application))")
        }
    }
}

extension RandomRun {
    /// What applications know of a window from effects alone.
    struct Told: Equatable {
        var level = 0.0
        var isHidden = true
        var alpha = 1.0
        var takesInteraction = true
        var autoresizing: Window.Autoresizing = []

        mutating func learn(_ property: Window.Property, _ window: Window?) {
            guard let window else { return }
            switch property {
            case .level: level = window.level
            case .hidden: isHidden = window.isHidden
            case .alpha: alpha = window.alpha
            case .userInteractionEnabled: takesInteraction = window.takesInteraction
            case .autoresizing: autoresizing = window.autoresizing
            case .title, .applicationID: break
            }
        }
    }

    /// W3, W4: from the effects, every application knows its windows' properties and order.
    private func compareTold() throws {
        let latest = Dictionary(raised.enumerated().map { ($1, $0) }, uniquingKeysWith: { $1 })
        for application in applications {
            let order = reference.windows.filter { $0.application == application }.sorted { a, b in
                (reference.level(a), latest[a.id] ?? -1) < (reference.level(b), latest[b.id] ?? -1)
            }
            guard order.map(\.id) == model.windows(of: application) else {
                throw Mismatch("W3: by the effects, windows of \(application) are \(order.map(\.id))")
            }
        }
        for w in reference.windows {
            let (expected, known) = (model.window(w.id), told[w.id, default: Told()])
            var told = Told()
            for property in Window.Property.allCases { told.learn(property, expected) }
            guard told == known else { throw Mismatch("W1: of window \(w.id), effects told \(known), not \(told)") }
        }
    }
}

@Suite struct RandomOperationsTests {
    static func number(_ name: String) -> UInt64? {
        getenv(name).flatMap { UInt64(String(cString: $0)) }
    }

    /// MULLION_SEQUENCES sequences (10,000) from MULLION_SEED on (1): sequence n has seed + n. One in 24 compares after
    /// each operation, the others after 15, which costs a fifth; a difference is then located step by step.
    @Test("Model: random operations agree with the reference", arguments: 0..<4)
    func randomOperations(part: UInt64) throws {
        let seed = Self.number("MULLION_SEED") ?? 1
        let sequences = Self.number("MULLION_SEQUENCES") ?? 10_000
        for n in stride(from: part, to: sequences, by: 4) {
            let seed = seed &+ n
            guard let difference = difference(seed: seed, stride: seed % 24 == 0 ? 1 : 15) else { continue }
            let first = self.difference(seed: seed, stride: 1, keepsLog: true)
            Issue.record("MULLION_SEED=\(seed) MULLION_SEQUENCES=1: \(first ?? difference)")
            return
        }
    }

    /// Runs a sequence and reports where the models first differ.
    private func difference(seed: UInt64, stride: Int, keepsLog: Bool = false) -> String? {
        let run = RandomRun(seed: seed, keepsLog: keepsLog)
        do {
            try run.begin()
            for step in 1...Self.length {
                try run.step()
                if step % stride == 0 { try run.compare() }
            }
            try run.letGo()
            return nil
        } catch {
            return "\(error)\n\(run.log)"
        }
    }

    static let length = 60
}

extension RandomRun {
    /// Most runs begin with a screen and an application.
    func begin() throws {
        addApplication()
        while random.chance(45), model.seats.count < 3 { try addSeat() }
        guard random.chance(80) else { return }
        let description = self.description(0)
        reference.connect(ReferenceModel.Scr(try model.connect(description), description))
    }
}
