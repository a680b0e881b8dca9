// What went wrong in a run.

import Glibc
import JSON5

/// Something that went wrong.
struct Finding {
    enum Kind: String {
        case timeout, server, silence, status, crash, protocolError, leak, refusal, missedInput
        /// An expectation of a command that was not met: a wait, or a comparison.
        case expectation
    }

    var kind: Kind
    /// A sentence without a full stop.
    var text: String
    /// Seconds since the beginning; nil for the end.
    var time: Double?
    /// Of a client.
    var application: JSON = .null
    /// The process of an X11 program.
    var process: JSON = .null
    /// The place among the notes.
    var note: Int?

    /// Whether it makes a strict run fail. A server that does not answer reports no crash.
    var isStrict: Bool { [.silence, .crash, .protocolError, .leak].contains(kind) }

    var json: JSON {
        var json = JSON.object(["kind": .string(kind.rawValue), "text": .string(text)])
        if let time { json = json.with("at", .seconds(time)) }
        if let note { json = json.with("note", .number(Double(note))) }
        for (name, value) in [("application", application), ("pid", process)] where value != .null {
            json = json.with(name, value)
        }
        return json
    }

    // MARK: Clients

    /// Signals that programs receive for their own mistakes; others are sent to end them.
    private static let crashes = [SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS]

    /// - Parameters:
    ///   - client: as from `GET /v1/clients`, with `ended` in seconds since the beginning; or an X11 program, which
    ///     has no application.
    ///   - end: of the command; programs that run then are ended.
    static func of(_ client: JSON, before end: Double?) -> [Finding] {
        let who = "\(client["name"].text) (pid \(client["pid"].text))"
        var found: [Finding] = []
        func add(_ kind: Kind, _ text: String) {
            let application = client["application"]
            found.append(
                Finding(
                    kind: kind, text: text, time: client["ended"].number, application: application,
                    process: application == .null ? client["pid"] : .null))
        }
        if ["protocolError", "limit"].contains(client["cause"].text) {
            let reason = client["reason"].text
            add(.protocolError, "\(who) broke the protocol" + (reason.isEmpty ? "" : ": \(reason)"))
        }
        if let signal = client["signal"].number.flatMap({ Int32(exactly: $0) }), crashes.contains(signal) {
            add(.crash, "\(who) crashed: \(name(ofSignal: signal))")
        }
        if found.isEmpty, let status = client["status"].number, status > 0,
            let time = client["ended"].number, time < end ?? .infinity
        {
            add(.status, "\(who) ended with exit status \(JSON.text(status))")
        }
        return found
    }

    // MARK: Events

    /// What requests and injected input have failed, from the events of a trace.
    /// - Parameter noted: the processes that have noted why.
    static func of(_ events: [JSON], without noted: [Double]) -> [Finding] {
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
                return Finding(
                    kind: .refusal, text: text + unplugged(text, before: event["at"].number ?? 0, events),
                    time: event["at"].number)
            case "injected":
                let missed = event["missed"].elements.map(\.text)
                guard !missed.isEmpty else { return nil }
                return Finding(kind: .missedInput, text: missed.joined(separator: "; "), time: event["at"].number)
            default: return nil
            }
        }
    }

    // MARK: Notes

    /// - Parameters:
    ///   - notes: with `at` in seconds since the beginning.
    ///   - events: of a trace.
    ///   - end: of the command.
    static func of(notes: [JSON], _ events: [JSON], end: Double) -> [Finding] {
        let found = notes.enumerated().map { index, note in
            let (text, time) = (note["text"].text, note["at"].number ?? 0)
            let words = note["command"].elements.map(\.text).joined(separator: " ")
            return Finding(
                kind: .expectation, text: text + unplugged("\(text) \(words)", before: time, events), time: time,
                note: index)
        }
        // The command usually ends with what it did not expect; it may have handled the others.
        let last = found.filter { ($0.time ?? 0) > end - 1 }
        return last + found.filter { ($0.time ?? 0) <= end - 1 }
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
    static func ofCommand(_ status: Int32) -> Finding? {
        guard status != 0 else { return nil }
        if status > 128, status < 128 + 65 {
            return Finding(kind: .status, text: "the command was ended by \(name(ofSignal: status - 128))")
        }
        return Finding(kind: .status, text: "the command ended with exit status \(status)")
    }

    static func name(ofSignal number: Int32) -> String {
        let names: [Int32: String] = [
            SIGHUP: "SIGHUP", SIGINT: "SIGINT", SIGQUIT: "SIGQUIT", SIGILL: "SIGILL (an illegal instruction)",
            SIGTRAP: "SIGTRAP (a trap)", SIGABRT: "SIGABRT (it aborted)", SIGBUS: "SIGBUS (a bus error)",
            SIGFPE: "SIGFPE (an arithmetic error)", SIGKILL: "SIGKILL", SIGSEGV: "SIGSEGV (a segmentation fault)",
            SIGPIPE: "SIGPIPE", SIGTERM: "SIGTERM", SIGALRM: "SIGALRM", SIGUSR1: "SIGUSR1", SIGUSR2: "SIGUSR2",
            SIGXCPU: "SIGXCPU (too much CPU time)", SIGXFSZ: "SIGXFSZ (a file grew too large)",
            SIGSYS: "SIGSYS (a forbidden system call)",
        ]
        return names[number] ?? "signal \(number)"
    }
}
