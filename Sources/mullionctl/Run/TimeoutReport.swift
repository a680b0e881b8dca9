// The report of a run that timed out.

import ControlProtocol
import JSON5
import MullionControl

/// Asks the server what it shows and what it waits for, while the run goes on.
final class TimeoutReport {
    private struct State {
        var tree = ""
        /// The open waits, with what there is instead.
        var waits = ""
        /// What is waited for, without that.
        var awaited: [String] = []
    }

    private let start: String
    private let inquiries: ServerInquiries
    private let inquiry: Inquiry<State>?
    /// When to stop waiting for the server.
    let deadline = ContinuousClock.now + .seconds(ServerInquiries.patience)

    /// - Parameters:
    ///   - seconds: the time that is up.
    ///   - hasServer: whether the server still runs.
    init(_ seconds: Double, running tree: ProcessTree, _ inquiries: ServerInquiries, hasServer: Bool) {
        start =
            "mullionctl: the command did not end within \(JSON.text(seconds)) s\nrunning:\n" + tree.text
        self.inquiries = inquiries
        guard hasServer else {
            inquiry = nil
            return
        }
        inquiry = inquiries.begin { client in
            var state = State()
            do throws(CommandError) {
                state.tree = try client.answer(to: .getTree(), accept: "text/plain").text
                let waits = try client.send(.getWaits()).waits
                state.waits = waits.map(Self.text).joined()
                state.awaited = waits.map { wait in
                    let reasons = (wait.unmet ?? []).map { "\($0.condition): \($0.reason)".printable() }
                    return reasons.isEmpty ? wait.condition.printable() : reasons.joined(separator: "; ")
                }
                let unfinished = try client.unfinished(within: 0.1).map { $0.detail.printable() }
                state.awaited += unfinished
                state.waits += unfinished.joined(separator: "; ")
            } catch {
                state.awaited.append(error.message ?? "")
                state.waits += error.message ?? ""
            }
            return state
        }
    }

    /// An open wait, and why it goes on.
    private static func text(_ wait: API.OpenWait) -> String {
        let unmet = wait.unmet ?? []
        var lines = ["waiting for \(JSON.text((wait.waited / 100).rounded() / 10)) s: \(wait.condition.printable())"]
        for reason in unmet {
            // A single condition has been named.
            let isNamed = unmet.count == 1 && reason.condition == wait.condition
            lines.append("  " + ((isNamed ? "" : "\(reason.condition): ") + reason.reason).printable())
            lines += reason.instead.map { "    \($0.text.printable())" }
        }
        return lines.map { $0 + "\n" }.joined()
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
        return (start + state.tree + state.waits, state.awaited.joined(separator: "; "))
    }
}
