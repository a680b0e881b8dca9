// Injects events: all commands do it here.

import JSON5

/// The injection of a command, with the options that all of them have: `--wait` and `--allow-miss`.
struct Injection {
    private let call: Invocation
    /// Whether to wait until the receivers have read the event.
    private let waits: Bool
    /// Whether it is a failure if no client receives it.
    private let mustHit: Bool

    /// Reads the options. No arguments may remain.
    init(_ call: Invocation) throws(CommandError) {
        self.call = call
        waits = call.flag("--wait")
        mustHit = !call.flag("--allow-miss")
        try call.end()
    }

    /// Injects an event and prints who received it.
    /// - Parameters:
    ///   - prefix: what the text for people begins with.
    ///   - check: looks at the explanation (H3) that was printed.
    func show(
        _ event: [String: JSON], prefix: String = "", check: (JSON) throws(CommandError) -> Void = { _ in }
    ) throws(CommandError) {
        var event = event
        if waits { event["wait"] = .bool(true) }
        let answer = try Self.exchange(event, mustHit: mustHit, call.client)
        if call.json, answer.status == 409, case .object = (try JSON(parsing: answer.text))["input"] {
            // The report of a miss is as useful to a program as any other.
            Terminal.out(try JSON(parsing: answer.text)["input"].encoded + "\n")
        }
        try call.client.check(answer)
        let explanation = try JSON(parsing: answer.text)
        Terminal.out(call.json ? answer.text : prefix + InputAnswer.text(explanation))
        try check(explanation)
    }

    /// Injects an event that others follow.
    /// - Returns: the explanation (H3).
    func send(_ event: [String: JSON]) throws(CommandError) -> JSON {
        try Self.inject(event, mustHit: mustHit, call.client)
    }

    /// Injects an event of a scenario.
    /// - Returns: the explanation (H3).
    /// - Throws: `refused` when no client receives it.
    static func send(_ event: [String: JSON], _ client: ControlClient) throws(CommandError) -> JSON {
        try inject(event, mustHit: true, client)
    }

    /// Injects an event that may miss.
    static func sendAnywhere(_ event: [String: JSON], _ client: ControlClient) throws(CommandError) {
        _ = try inject(event, mustHit: false, client)
    }

    private static func inject(
        _ event: [String: JSON], mustHit: Bool, _ client: ControlClient
    ) throws(CommandError) -> JSON {
        let answer = try exchange(event, mustHit: mustHit, client)
        try client.check(answer)
        return try JSON(parsing: answer.text)
    }

    private static func exchange(
        _ event: [String: JSON], mustHit: Bool, _ client: ControlClient
    ) throws(CommandError) -> ControlClient.Answer {
        try client.exchange("POST", "/input", .object(event.merging(["mustHit": .bool(mustHit)]) { $1 }))
    }
}
