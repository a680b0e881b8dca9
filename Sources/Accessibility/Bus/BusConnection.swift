// A connection to a bus: many calls at once, each with its answer.

import Glibc
import System

/// A client of a D-Bus server. A program that does not answer costs its patience once; afterwards its calls fail at once,
/// until it answers again.
package final class BusConnection {
    /// How long a program may leave all its calls unanswered, in seconds.
    package static let patience = 2.0
    /// How many calls may wait for their answer: a bus limits them.
    private static let window = 512
    /// How many steps are made before the time is looked at.
    private static let stepMaximum = 64

    private let bus: SystemdBus
    /// The destinations that do not answer.
    package private(set) var silent: Set<String> = []

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
    package init(_ address: BusAddress) throws(BusError) {
        bus = try SystemdBus(address)
        let deadline = MonotonicClock.seconds + 10
        while try !bus.isReady() {
            while case .done = try bus.step() {}
            let left = deadline - MonotonicClock.seconds
            guard left > 0 else { throw .timeout }
            if try !bus.isReady() { try bus.wait(seconds: left) }
        }
    }

    /// Makes one call.
    package func call(_ call: BusCall, until deadline: Double) throws(BusError) -> BusReply {
        try calls([call], until: deadline).first ?? .silence
    }

    /// Makes one call to a program that may have to start first.
    func call(_ call: BusCall, patience: Double) throws(BusError) -> BusReply {
        try calls([call], patience: patience, until: MonotonicClock.seconds + patience).first ?? .silence
    }

    /// Makes calls, many at once, and waits for their answers.
    /// - Parameter deadline: a time of `MonotonicClock.seconds`.
    /// - Returns: a reply for each call.
    package func calls(
        _ calls: [BusCall], patience: Double = patience, until deadline: Double
    ) throws(BusError) -> [BusReply] {
        var round = Round(calls)
        while !round.isDone {
            try send(&round)
            let now = MonotonicClock.seconds
            let isIdle = try !receive(&round)
            guard now < deadline else { break }
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
    private func receive(_ round: inout Round) throws(BusError) -> Bool {
        // Not until nothing is left: a program that never stops sending must not delay the others' deadlines.
        for _ in 0..<Self.stepMaximum {
            switch try bus.step() {
            case .nothing: return false
            case .done: break
            case .reply(let reply, let serial, let sender):
                silent.remove(sender)
                guard let index = round.waiting[serial], round.calls[index].canBeAnswered(by: sender) else { break }
                round.waiting[serial] = nil
                round.replies[index] = reply
                let name = round.calls[index].destination
                round.destinations[name]?.open -= 1
                round.destinations[name]?.heard = MonotonicClock.seconds
                if round.isDone { return true }
            }
        }
        return true
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
