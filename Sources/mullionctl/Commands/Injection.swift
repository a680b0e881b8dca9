// Injects events: all commands do it here.

import ControlProtocol
import JSON5
import MullionControl

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
        _ event: [String: JSON], prefix: String = "",
        check: (API.InputReport) throws(CommandError) -> Void = { _ in }
    ) throws(CommandError) {
        var event = event
        if waits { event["wait"] = .bool(true) }
        let request = Self.request(event, mustHit: mustHit)
        let answer = try call.client.answer(to: request, accepting: [409])
        if call.json, let report = answer.problem?.input {
            // The report of a miss is as useful to a program as any other.
            Terminal.out(JSON(encoding: report).encoded + "\n")
        }
        try call.client.check(answer)
        let explanation = try request.value(of: answer)
        Terminal.out(call.json ? answer.text : prefix + InputAnswer.text(explanation))
        try check(explanation)
    }

    /// Injects an event that others follow.
    /// - Returns: the explanation (H3).
    func send(_ event: [String: JSON]) throws(CommandError) -> API.InputReport {
        try call.client.send(Self.request(event, mustHit: mustHit))
    }

    /// Injects an event of a scenario.
    /// - Returns: the explanation (H3).
    /// - Throws: `refused` when no client receives it.
    static func send(_ event: [String: JSON], _ client: ControlClient) throws(CommandError) -> API.InputReport {
        try client.send(request(event, mustHit: true))
    }

    /// Injects an event that may miss.
    static func sendAnywhere(_ event: [String: JSON], _ client: ControlClient) throws(CommandError) {
        _ = try client.send(request(event, mustHit: false))
    }

    private static func request(_ event: [String: JSON], mustHit: Bool) -> ControlRequest<API.InputReport> {
        ControlRequest.postInput(event.merging(["mustHit": .bool(mustHit)]) { $1 }).reading(API.InputReport.self)
    }
}
