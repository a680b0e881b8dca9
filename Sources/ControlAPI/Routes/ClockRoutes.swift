// GET and PATCH /v1/clock

import ControlProtocol
import DisplayServer
import EventLoop

extension ControlServer {
    var clockRoutes: [Route] {
        [
            Route(.getClock) { [unowned self] _ in .reply(.json(API.Clock(server.clock))) },
            Route(.patchClock) { [unowned self] request in
                try step(try request.body(ClockPatch.self).goal(), for: request)
                return .later
            },
        ]
    }

    private func step(_ goal: ClockStepper.Goal, for asked: ControlRequest) throws {
        let (request, disclosure) = (asked.http, asked.disclosure)
        do {
            try server.stepper.begin(goal) { [unowned self] outcome, ticks in
                request.onClose = nil
                request.reply(response(to: outcome, ticks: ticks, disclosure))
            }
        } catch {
            switch error {
            case .real:
                throw Problem(.realClock, "the clock is real and cannot be stepped; start mulliond with --clock manual")
            case .underway: throw Problem(.busy, "another step is in progress; wait for its answer")
            }
        }
        // When the client disconnects, time stops where it is.
        request.onClose = { [weak server] in server?.stepper.cancel() }
    }

    private func response(
        to outcome: ClockStepper.Outcome, ticks: Int, _ disclosure: Disclosure
    ) -> HTTPResponse {
        let clock = server.clock
        var problem: Problem
        switch outcome {
        case .done: return .json(API.Clock(clock, ticks: ticks))
        case .busy(let deadlines):
            problem = Problem(.notIdle, "time is at \(clock.now) µs, not idle within the limit", deadlines, disclosure)
        case .unsettled(let unfinished):
            problem = Problem(.unsettled, "time stopped at \(clock.now) µs, not settled", unfinished, disclosure)
        }
        problem.now = clock.now
        return problem.response
    }
}

extension API.Clock {
    init(_ clock: ServerClock, ticks: Int? = nil) {
        self.init(mode: API.ClockMode(rawValue: clock.mode.rawValue), now: clock.now, ticks: ticks)
    }
}

/// The body of `PATCH /v1/clock`: how far to advance.
struct ClockPatch: Decodable, StrictlyDecodable {
    /// Microseconds.
    var step: UInt64?
    var until: String?
    /// In microseconds; 10 s by default.
    var limit: UInt64?

    typealias Keys = API.Keys.ClockPatch

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        step = try container.decodeIfPresent(UInt64.self, forKey: .step)
        until = try container.decodeIfPresent(String.self, forKey: .until)
        limit = try container.decodeIfPresent(UInt64.self, forKey: .limit)
    }

    func goal() throws(Problem) -> ClockStepper.Goal {
        switch (step, until) {
        case (let step?, nil):
            guard limit == nil else { throw Problem(.invalidField, "\"limit\" is only for \"until\"") }
            return .step(try Self.checked(step, "step"))
        case (nil, "idle"): return .idle(limit: try Self.checked(limit ?? 10_000_000, "limit"))
        case (nil, let until?): throw Problem(.invalidField, "until: \"\(until)\" is not a goal; use \"idle\"")
        default: throw Problem(.invalidField, "use {\"step\": MICROSECONDS} or {\"until\": \"idle\"}")
        }
    }

    private static func checked(_ length: UInt64, _ name: String) throws(Problem) -> UInt64 {
        guard length <= ClockStepper.longest else {
            throw Problem(.invalidField, "\(name): \(length) µs is more than a day, \(ClockStepper.longest) µs")
        }
        return length
    }
}
