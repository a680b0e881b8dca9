// clock

import ControlProtocol
import JSON5
import MullionControl

extension Command {
    static var clockCommand: Command {
        Command(
            name: "clock", arguments: "[step DURATION | until idle [limit=DURATION]]",
            summary: "show or step the server's clock",
            details: """
                The clock can be stepped if the server runs with --clock manual. Time advances
                from frame to frame, and clients settle before each. A DURATION is a number
                with a unit, 16ms, 2.5s or 500us, or without one of seconds.

                  step DURATION   advance by DURATION
                  until idle      advance until no frame is requested and no key repeats; fails
                                  with the reason when the limit is reached (default: 10s)
                """,
            run: { (call) throws(CommandError) in
                let request = try request(call)
                try call.end()
                try call.show(request.map { .patchClock($0) } ?? .getClock()) { text($0) }
            })
    }

    /// The body of the request; nil to only show the clock.
    private static func request(_ call: Invocation) throws(CommandError) -> JSON? {
        guard var word = call.word() else { return nil }
        if word == "step" {
            word = try call.word("DURATION")
            guard word == "until" else { return .object(["step": .number(try Values.duration(word))]) }
        }
        guard word == "until" else { throw Values.unknown(word, ["step", "until"]) }
        let goal = try call.word("idle")
        guard goal == "idle" else { throw Values.unknown(goal, ["idle"]) }
        var body: [String: JSON] = ["until": .string(goal)]
        if let word = call.word() {
            let (key, value) = Values.pair(word)
            guard key == "limit", let value else { throw Values.unknown(key, ["limit"]) }
            body["limit"] = .number(try Values.duration(value))
        }
        return .object(body)
    }

    private static func text(_ clock: API.Clock) -> String {
        let ticks = clock.ticks.map { ", \($0) \($0 == 1 ? "tick" : "ticks")" } ?? ""
        return "\(clock.mode.rawValue), \(Double(clock.now) / 1_000_000) s\(ticks)\n"
    }
}
