// The report of a run that timed out.

/// Asks the server what it shows and what it waits for, while the run goes on.
final class TimeoutReport {
    private struct State {
        var tree = ""
        var awaited = ""
    }

    private let start: String
    private let inquiries: ServerInquiries
    private let inquiry: Inquiry<State>?
    /// When to stop waiting for the server.
    let deadline = ContinuousClock.now + .milliseconds(ServerInquiries.patience)

    /// - Parameters:
    ///   - seconds: the time that is up.
    ///   - hasServer: whether the server still runs.
    init(_ seconds: Double, running tree: ProcessTree, _ inquiries: ServerInquiries, hasServer: Bool) {
        start =
            "mullionctl: the command did not end within \(JSON.text(seconds)) s\nrunning: "
            + tree.processes.map { "\($0.name) (\($0.id))" }.joined(separator: ", ") + "\n"
        self.inquiries = inquiries
        guard hasServer else {
            inquiry = nil
            return
        }
        inquiry = inquiries.begin { client in
            var state = State()
            do throws(CommandError) {
                state.tree = try client.send("GET", "/tree", accept: "text/plain").text
                _ = try client.send("POST", "/settle?timeout=0.1")
            } catch {
                let reason = "not settled in time: "
                let message = error.message ?? ""
                state.awaited = message.hasPrefix(reason) ? String(message.dropFirst(reason.count)) : message
            }
            return state
        }
    }

    /// Whether nothing more is to be expected.
    var isComplete: Bool { inquiry == nil || inquiry?.answer != nil || ContinuousClock.now >= deadline }

    /// The text for people, and what the server waits for.
    func end() -> (text: String, awaited: String) {
        guard let inquiry else { return (start, "") }
        guard let state = inquiry.answer else {
            guard ContinuousClock.now >= deadline else { return (start, "") }
            inquiries.giveUp()
            return (start + ServerInquiries.silence, "")
        }
        return (start + state.tree + state.awaited, state.awaited)
    }
}
