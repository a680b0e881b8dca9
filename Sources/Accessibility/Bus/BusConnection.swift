// A connection to a bus: many calls at once, each with its answer.

import Glibc
import MullionSystem

/// A client of a D-Bus server. A program that does not answer costs its patience once; afterwards its calls fail at once,
/// until it answers again.
package final class BusConnection {
    /// How long a program may leave all its calls unanswered, in seconds.
    package static let patience = 2.0
    /// How many calls may wait for their answer: a bus limits them.
    private static let window = 512
    /// How many steps are made before calls are sent.
    private static let stepMaximum = 64

    private let bus: SystemdBus
    /// The destinations that do not answer.
    package private(set) var silent: Set<String> = []
    /// The payers of calls that had no answer when the time for all calls was up.
    package private(set) var late: Set<String> = []
    /// The bytes that may still be kept of answers, by the program that pays for them; no entry: any number.
    private var budgets: [String: Int] = [:]

    /// A program that has been called.
    private struct Destination {
        /// The calls that wait for their answer.
        var open = 0
        /// When it answered last, or was first called.
        var heard: Double
    }

    /// Calls that are being made, with the replies that have arrived.
    private struct Round {
        let calls: [BusCall]
        var replies: [BusReply]
        var waiting: [UInt64: Int] = [:]
        var destinations: [String: Destination] = [:]
        var next = 0

        init(_ calls: [BusCall]) {
            self.calls = calls
            replies = Array(repeating: .silence, count: calls.count)
        }

        var isDone: Bool { next == calls.count && waiting.isEmpty }
    }

    /// Connects and says hello. The user is authenticated by the socket.
    /// - Parameter deadline: a time of `MonotonicClock.seconds`.
    /// - Throws: when there is no bus, it refuses this user, or does not answer in time, at most 10 seconds.
    package init(_ address: BusAddress, until deadline: Double = .infinity) throws(BusError) {
        bus = try SystemdBus(address)
        let deadline = min(deadline, MonotonicClock.seconds + 10)
        while try !bus.isReady() {
            let step = try bus.step { _, _ in nil }
            let left = deadline - MonotonicClock.seconds
            // Others may send without end.
            guard left > 0 else { throw .timeout }
            if case .nothing = step, try !bus.isReady() { try bus.wait(seconds: left) }
        }
    }

    /// Call it before a reading of which `late` is to be known.
    func beginReading() { late = [] }

    /// Makes one call.
    /// - Parameter deadline: a time of `MonotonicClock.seconds`.
    /// - Returns: its reply; `silence` when there is none in time.
    /// - Throws: when the bus cannot be used any more.
    package func call(_ call: BusCall, until deadline: Double) throws(BusError) -> BusReply {
        try calls([call], until: deadline).first ?? .silence
    }

    /// Makes one call to a program that may have to start first.
    func call(_ call: BusCall, patience: Double, until deadline: Double) throws(BusError) -> BusReply {
        try calls([call], patience: patience, until: min(deadline, MonotonicClock.seconds + patience)).first ?? .silence
    }

    /// Bounds what is kept of the answers to the following calls for which a program pays. Its calls fail once its answers
    /// are larger.
    func allow(_ bytes: Int, for payer: String) { budgets[payer] = bytes }

    /// Whether the answers for which a program pays were larger than allowed.
    func isExhausted(_ payer: String) -> Bool { budgets[payer].map { $0 < 0 } ?? false }

    /// Makes calls, many at once, and waits for their answers.
    /// - Parameters:
    ///   - patience: how long a program may leave all its calls unanswered, in seconds.
    ///   - deadline: a time of `MonotonicClock.seconds`.
    /// - Returns: a reply for each call.
    /// - Throws: when the bus cannot be used any more.
    package func calls(
        _ calls: [BusCall], patience: Double = patience, until deadline: Double
    ) throws(BusError) -> [BusReply] {
        var round = Round(calls)
        while !round.isDone {
            try send(&round)
            let now = MonotonicClock.seconds
            let isIdle = try !receive(&round, until: deadline)
            guard now < deadline else {
                note(late: round)
                break
            }
            let limits = round.destinations.values.filter { $0.open > 0 }.map { $0.heard + patience }
            guard let limit = limits.min() else { continue }
            // What arrived while this process could not run is in time.
            if now >= limit, isIdle || now >= limit + patience {
                giveUp(&round, patience: patience, now)
            } else if isIdle {
                try bus.wait(seconds: min(deadline, limit) - now)
            }
        }
        return round.replies
    }

    /// Sends as many calls as may wait.
    private func send(_ round: inout Round) throws(BusError) {
        while round.next < round.calls.count, round.waiting.count < Self.window {
            let call = round.calls[round.next]
            defer { round.next += 1 }
            guard !silent.contains(call.destination) else { continue }
            guard !isExhausted(call.payer) else {
                round.replies[round.next] = .excess
                continue
            }
            guard let serial = try bus.send(call) else {
                round.replies[round.next] = .error("org.freedesktop.DBus.Error.InvalidArgs")
                continue
            }
            round.waiting[serial] = round.next
            var destination = round.destinations[call.destination] ?? Destination(heard: 0)
            if destination.open == 0 { destination.heard = MonotonicClock.seconds }
            destination.open += 1
            round.destinations[call.destination] = destination
        }
    }

    /// Takes what has arrived.
    /// - Returns: whether there may be more.
    private func receive(_ round: inout Round, until deadline: Double) throws(BusError) -> Bool {
        // Not until nothing is left: a program that never stops sending must not delay the others' deadlines. Each message
        // may be very long.
        for count in 0..<Self.stepMaximum where count == 0 || MonotonicClock.seconds < deadline {
            let step = try bus.step { serial, sender in
                guard let index = round.waiting[serial], round.calls[index].canBeAnswered(by: sender) else {
                    return nil
                }
                return round.calls[index].extract
            }
            switch step {
            case .nothing: return false
            case .done: break
            case .stray(let sender): silent.remove(sender)
            case .reply(let reply, let serial, let sender):
                silent.remove(sender)
                guard let index = round.waiting.removeValue(forKey: serial) else { break }
                let call = round.calls[index]
                round.replies[index] = pay(for: reply, call.payer)
                let name = call.destination
                round.destinations[name]?.open -= 1
                round.destinations[name]?.heard = MonotonicClock.seconds
                if round.isDone { return true }
            }
        }
        return true
    }

    /// - Returns: the reply, unless the budget is used up.
    private func pay(for reply: BusReply, _ payer: String) -> BusReply {
        guard let left = budgets[payer], case .answer(let value) = reply else { return reply }
        budgets[payer] = max(-1, left - value.size)
        return isExhausted(payer) ? .excess : reply
    }

    /// Notes whose calls had no answer when the time was up.
    private func note(late round: Round) {
        late.formUnion(round.waiting.values.map { round.calls[$0].payer })
        late.formUnion(round.calls[round.next...].filter { !silent.contains($0.destination) }.map(\.payer))
    }

    /// Gives up on programs that have not answered within their patience.
    private func giveUp(_ round: inout Round, patience: Double, _ now: Double) {
        let lost = Set(
            round.destinations.filter { $0.value.open > 0 && now >= $0.value.heard + patience }.map(\.key))
        silent.formUnion(lost)
        for (serial, index) in round.waiting where lost.contains(round.calls[index].destination) {
            round.waiting[serial] = nil
        }
        for name in lost { round.destinations[name]?.open = 0 }
    }
}
