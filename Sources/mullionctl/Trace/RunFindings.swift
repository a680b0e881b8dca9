// What went wrong in a run.

import ControlProtocol
import Glibc
import JSON5
import MullionControl

extension API.Finding {
    /// Whether it makes a strict run fail. A server that does not answer reports no crash.
    var isStrict: Bool { [.silence, .crash, .protocolError, .leak].contains(kind) }

    // MARK: Clients

    /// Signals that programs receive for their own mistakes; others are sent to end them.
    private static let crashes = [SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS]

    /// - Parameter end: of the command; programs that run then are ended.
    static func of(_ client: API.TraceClient, before end: Double?) -> [API.Finding] {
        let who = "\(client.name.printable()) (pid \(client.pid))"
        var found: [API.Finding] = []
        func add(_ kind: API.FindingKind, _ text: String) {
            found.append(
                API.Finding(
                    kind: kind, text: text, at: client.ended, application: client.application,
                    pid: client.application == nil ? client.pid : nil))
        }
        if client.cause == .protocolError || client.cause == .limit {
            add(.protocolError, "\(who) broke the protocol" + (client.reason.map { ": \($0.printable())" } ?? ""))
        }
        if let signal = client.signal.flatMap({ Int32(exactly: $0) }), crashes.contains(signal) {
            add(.crash, "\(who) crashed: \(SignalName.text(signal))")
        }
        if found.isEmpty, let status = client.status, status > 0, let time = client.ended, time < end ?? .infinity {
            add(.status, "\(who) ended with exit status \(status)")
        }
        return found
    }

    // MARK: Events

    /// What requests and injected input have failed, from the events of a trace.
    /// - Parameter noted: the processes that have noted why.
    static func of(_ events: [JSON], without noted: [Double]) -> [API.Finding] {
        events.compactMap { event in
            switch event["event"].text {
            case "request":
                if let pid = event["pid"].number, noted.contains(pid) { return nil }
                guard let status = event["status"].number, status >= 400 else { return nil }
                // The event injected says the same.
                guard event["code"].text != "noReceiver" else { return nil }
                let detail = event["detail"].text
                let why = detail.isEmpty ? "answered \(event["status"].text)" : detail
                let text = "\(event["method"].text) \(event["path"].text): \(why)"
                return API.Finding(
                    kind: .refusal, text: text + unplugged(text, before: event["at"].number ?? 0, events),
                    at: event["at"].number)
            case "injected":
                let missed = event["missed"].elements.map(\.text)
                guard !missed.isEmpty else { return nil }
                return API.Finding(
                    kind: .missedInput, text: missed.joined(separator: "; "), at: event["at"].number)
            default: return nil
            }
        }
    }

    // MARK: Notes

    /// - Parameters:
    ///   - events: of a trace.
    ///   - end: of the command.
    static func of(notes: [API.TraceNote], _ events: [JSON], end: Double) -> [API.Finding] {
        let found = notes.enumerated().map { index, note in
            let words = note.command.joined(separator: " ")
            return API.Finding(
                kind: .expectation, text: note.text + unplugged("\(note.text) \(words)", before: note.at, events),
                at: note.at, note: index)
        }
        // The command usually ends with what it did not expect; it may have handled the others.
        let last = found.filter { ($0.at ?? 0) > end - 1 }
        return last + found.filter { ($0.at ?? 0) <= end - 1 }
    }

    /// Which of the screens in a text was unplugged before.
    private static func unplugged(_ text: String, before time: Double, _ events: [JSON]) -> String {
        let words = text.split { !$0.isLetter && !$0.isNumber && $0 != "-" && $0 != "_" }.map(String.init)
        let last = events.last { event in
            ["screenDidConnect", "screenDidDisconnect"].contains(event["event"].text)
                && (event["at"].number ?? 0) <= time && words.contains(event["screenName"].text)
        }
        guard let last, last["event"].text == "screenDidDisconnect" else { return "" }
        let seconds = JSON.text(((last["at"].number ?? 0) * 100).rounded() / 100)
        return "; the screen \(last["screenName"].text) was unplugged at \(seconds) s"
    }

    // MARK: The command

    /// - Parameter status: 128 + the number of a signal, or an exit status.
    static func ofCommand(_ status: Int32) -> API.Finding? {
        guard status != 0 else { return nil }
        if status > 128, status < 128 + 65 {
            return API.Finding(kind: .status, text: "the command was ended by \(SignalName.text(status - 128))")
        }
        return API.Finding(kind: .status, text: "the command ended with exit status \(status)")
    }
}
