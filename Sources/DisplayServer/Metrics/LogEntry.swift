// Log entries.

import EventLoop
import WindowModel

/// The subject of a log line, for searching.
public struct LogSubject: Hashable, Sendable {
    /// The client's name: its program's, or one it has set itself.
    public var client: String?
    public var pid: Int32?
    public var uid: UInt32?
    public var rule: Rule?
    /// The kind of refusal, if it is one.
    public var refusal: RefusalKind?
    /// Whether a peer without credentials has caused it, for example one over TCP.
    public var isUnidentified = false

    public init(
        client: String? = nil, pid: Int32? = nil, uid: UInt32? = nil, rule: Rule? = nil, refusal: RefusalKind? = nil
    ) {
        (self.client, self.pid, self.uid, self.rule, self.refusal) = (client, pid, uid, rule, refusal)
    }

    /// The rule with which a message begins, as "W5 (one role per surface): the surface is a toplevel".
    static func rule(in message: String) -> Rule? { Rule.allCases.first { message.hasPrefix("\($0): ") } }
}

/// Kinds of refusal, as named in metrics and the journal.
public enum RefusalKind: String, Sendable, CaseIterable {
    /// A client may not connect, or the limit of clients is reached.
    case connection
    /// The policy allows no more windows, pixels or screens, or no higher level.
    case policy
    /// A general limit was reached.
    case limit
    /// The control API refused a request: no token, no right, another origin.
    case control
}

/// A log line for people, and its subject. Never contains typed or copied text, or secrets.
public struct LogEntry: Sendable {
    public let level: DisplayServer.LogLevel
    public let message: String
    public let subject: LogSubject
}

extension DisplayServer {
    public enum LogLevel: Int, Sendable, CaseIterable { case debug, info, warning, error }

    public func log(_ level: LogLevel, _ message: @autoclosure () -> String, about subject: LogSubject = LogSubject()) {
        guard level.rawValue >= lowestLogLevel.rawValue else { return }
        guard level == .debug || isWithinBudget(nil, .other, level, subject) else { return }
        write(level, message(), about: subject)
    }

    /// Logs what the machine lacks, when that is noticed for the first time.
    package func logOnce(_ level: LogLevel, _ message: String) {
        if logBudget.saidOnce.insert(message).inserted { log(level, message) }
    }

    /// Logs why a client is disconnected. Such a line is always written for a client that was connected for longer than
    /// the budget's window; of shorter ones there can be more than are worth reading.
    func logEnd(of client: Client, _ level: LogLevel, _ message: String, because reason: String, rule: Rule? = nil) {
        guard level.rawValue >= lowestLogLevel.rawValue else { return }
        let subject = client.subject(rule: rule)
        let isOld = loop.now >= client.connectedAt + logBudget.window
        guard isWithinBudget(reason, .end, level, subject) || isOld else { return }
        write(level, message, about: subject)
    }

    private func write(_ level: LogLevel, _ message: String, about subject: LogSubject) {
        onLog(level, message)
        onLogEntry(LogEntry(level: level, message: message, subject: subject))
    }

    /// Keeps clients from flooding the log. Lines without a subject have a budget too, since a client may have caused
    /// them. The number of suppressed lines is logged when the window ends; a timer runs only if there are any.
    private func isWithinBudget(
        _ reason: String?, _ kind: LogBudget.Kind, _ level: LogLevel, _ subject: LogSubject
    ) -> Bool {
        let now = loop.now
        if now >= logBudget.end { writeExcess() }
        let source: LogBudget.Source =
            subject.uid.map { .user($0) } ?? (subject.isUnidentified ? .unidentified : .server)
        guard !logBudget.admits(reason, kind, level, from: source, at: now) else { return true }
        if logTimer == nil { logTimer = Timer(loop) { [unowned self] _, _ in writeExcess() } }
        if let logTimer, !logTimer.isArmed { logTimer.arm(at: logBudget.end) }
        return false
    }

    private func writeExcess() {
        logTimer?.cancel()
        let seconds = logBudget.window / 1_000_000
        for excess in logBudget.takeExcess() where excess.level.rawValue >= lowestLogLevel.rawValue {
            var subject = LogSubject()
            if case .user(let id) = excess.source { subject.uid = id }
            let what = excess.reason.map { "more like it within \(seconds) s: \($0)" }
            write(
                excess.level,
                "\(excess.source): \(excess.lines) \(what ?? "other lines within \(seconds) s suppressed")",
                about: subject)
        }
    }

    /// Counts and logs a refusal.
    package func logRefusal(
        _ refusal: RefusalKind, _ who: String, _ reason: String, about subject: LogSubject = LogSubject()
    ) {
        counters.refused(refusal)
        var subject = subject
        subject.refusal = refusal
        // Equal reasons are equal refusals, whatever process or request they are about.
        guard LogLevel.warning.rawValue >= lowestLogLevel.rawValue, isWithinBudget(reason, .other, .warning, subject)
        else {
            return
        }
        write(.warning, "refused: \(who): \(reason)", about: subject)
    }
}

extension String {
    /// For messages: client-supplied text cut to a reasonable length.
    package var shortened: String {
        utf8.count <= 200 ? self : String(decoding: utf8.prefix(200), as: UTF8.self) + "…"
    }
}

extension Credentials {
    /// The subject of a log line about this peer.
    package var subject: LogSubject {
        var subject = isKnown ? LogSubject(pid: pid, uid: uid) : LogSubject()
        subject.isUnidentified = !isKnown
        return subject
    }
}

extension Client {
    /// The subject of a log line about this client, and the rule it broke.
    func subject(rule: Rule? = nil) -> LogSubject {
        var subject = credentials.subject
        subject.client = server.model.application(application)?.name
        subject.rule = rule
        return subject
    }
}
