// Waits for the conditions of a step.

import ControlProtocol
import DisplayServer

extension ScenarioRunner {
    /// Waits in real time. Manual time is stepped, once all other conditions hold, until pixels have stood still.
    func wait(for step: WaitStep) {
        let still = step.conditions.compactMap { condition -> UInt64? in
            if case .still(_, let time) = condition { time } else { nil }
        }.max()
        guard server.clock.mode == .manual, let still else {
            return wait(for: step.conditions, within: step.patience) { [unowned self] unmet in
                if let unmet { fail(step, unmet) } else { stepDidEnd() }
            }
        }
        let others = step.conditions.filter { $0.kind != .still }
        let deadline = server.clock.now + step.patience
        guard !others.isEmpty else { return stepTime(until: step, still: max(1000, still), deadline: deadline) }
        wait(for: others, within: step.patience) { [unowned self] unmet in
            if let unmet { return fail(step, unmet) }
            stepTime(until: step, still: max(1000, still), deadline: deadline)
        }
    }

    /// - Parameters:
    ///   - still: how far time is stepped at once, in microseconds.
    ///   - deadline: in microseconds of the server's clock.
    private func stepTime(until step: WaitStep, still: UInt64, deadline: UInt64) {
        wait(for: step.conditions, within: 0) { [unowned self] unmet in
            guard let unmet else { return stepDidEnd() }
            guard server.clock.now < deadline else { return fail(step, unmet) }
            // On a fresh stack.
            after(0) { [unowned self] in
                attempt {
                    try pass(still) { [unowned self] in stepTime(until: step, still: still, deadline: deadline) }
                }
            }
        }
    }

    /// - Parameter body: called with what does not hold; nil when everything does.
    private func wait(for conditions: [Condition], within patience: UInt64, _ body: @escaping ([API.Unmet]?) -> Void) {
        conditionWait = ConditionWait(conditions, in: waits, patience: patience, user: nil) { [unowned self] outcome in
            conditionWait = nil
            switch outcome {
            case .fulfilled: body(nil)
            case .unfulfilled(let unmet): body(unmet)
            case .exiting: break
            }
        }
    }

    private func fail(_ step: WaitStep, _ unmet: [API.Unmet]) {
        guard let first = unmet.first else { return }
        let instead = first.instead.isEmpty ? "" : ": " + first.instead.map(\.text).joined(separator: "; ")
        fail(
            Mismatch(
                place: first.condition, expected: "to hold within \(DurationText.text(step.patience))",
                seen: first.reason + instead))
    }
}
