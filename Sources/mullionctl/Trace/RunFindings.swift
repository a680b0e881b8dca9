// What went wrong in a run.

import Glibc

/// Something that went wrong.
struct Finding {
    enum Kind: String {
        case timeout, server, status, crash, protocolError, leak, refusal, missedInput
    }

    var kind: Kind
    /// A sentence without a full stop.
    var text: String
    /// Seconds since the beginning; nil for the end.
    var time: Double?
    /// Of a client.
    var application: JSON = .null

    /// Whether it makes a strict run fail.
    var isStrict: Bool { [.crash, .protocolError, .leak].contains(kind) }

    var json: JSON {
        var json = JSON.object(["kind": .string(kind.rawValue), "text": .string(text)])
        if let time { json = json.with("at", .seconds(time)) }
        return application == .null ? json : json.with("application", application)
    }

    // MARK: Clients

    /// Signals that programs receive for their own mistakes; others are sent to end them.
    private static let crashes = [SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS]

    /// - Parameter client: as from `GET /v1/clients`, with `ended` in seconds since the beginning.
    static func of(_ client: JSON) -> [Finding] {
        let who = "\(client["name"].text) (pid \(client["pid"].text))"
        var found: [Finding] = []
        func add(_ kind: Kind, _ text: String) {
            found.append(
                Finding(kind: kind, text: text, time: client["ended"].number, application: client["application"]))
        }
        if ["protocolError", "limit"].contains(client["cause"].text) {
            let reason = client["reason"].text
            add(.protocolError, "\(who) broke the protocol" + (reason.isEmpty ? "" : ": \(reason)"))
        }
        if let signal = client["signal"].number.map({ Int32($0) }), crashes.contains(signal) {
            add(.crash, "\(who) crashed: \(name(ofSignal: signal))")
        }
        return found
    }

    // MARK: Events

    /// What requests and injected input have failed, from the events of a trace.
    static func of(_ events: [JSON]) -> [Finding] {
        events.compactMap { event in
            switch event["event"].text {
            case "request":
                guard let status = event["status"].number, status >= 400 else { return nil }
                // The event injected says the same.
                guard !event["detail"].text.hasPrefix("no client received") else { return nil }
                let detail = event["detail"].text
                let why = detail.isEmpty ? "answered \(event["status"].text)" : detail
                return Finding(
                    kind: .refusal, text: "\(event["method"].text) \(event["path"].text): \(why)",
                    time: event["at"].number)
            case "injected":
                let missed = event["missed"].elements.map(\.text)
                guard !missed.isEmpty else { return nil }
                return Finding(kind: .missedInput, text: missed.joined(separator: "; "), time: event["at"].number)
            default: return nil
            }
        }
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
            SIGPIPE: "SIGPIPE", SIGTERM: "SIGTERM", SIGSYS: "SIGSYS (a forbidden system call)",
        ]
        return names[number] ?? "signal \(number)"
    }
}
