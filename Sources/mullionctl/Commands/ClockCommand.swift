// clock

extension Command {
    static var clockCommand: Command {
        Command(
            name: "clock", arguments: "[step DURATION | until idle [limit=DURATION]]",
            summary: "show the server's time, or step it",
            details: """
                Time is stepped when the server runs with --clock manual. A DURATION is written 16ms, 2.5s or 500us.
                Time goes from frame to frame, and at each all clients first do what they were told.

                  step DURATION   so far
                  until idle      until no frame is asked for any more and no key repeats; fails, with time at the
                                  limit (10 s), when somebody goes on asking, and says who
                """,
            run: { (call) throws(Failure) in
                let request = try request(call)
                try call.end()
                try call.show(request == nil ? "GET" : "PATCH", "/clock", request) { clock in text(clock) }
            })
    }

    /// The body of the request; nil to only show the clock.
    private static func request(_ call: Invocation) throws(Failure) -> JSON? {
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

    private static func text(_ clock: JSON) -> String {
        let seconds = (clock["now"].number ?? 0) / 1_000_000
        let ticks = clock["ticks"].number.map { ", \(Int($0)) \($0 == 1 ? "tick" : "ticks")" } ?? ""
        return "\(clock["mode"].text), \(seconds) s\(ticks)\n"
    }
}
