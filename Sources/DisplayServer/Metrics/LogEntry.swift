// What the server says of itself.

import EventLoop
import WindowModel

/// What a line of the log is about, for those who search it.
public struct LogSubject: Hashable, Sendable {
    /// The client's name: its program's, or what it says of itself.
    public var client: String?
    public var pid: Int32?
    public var uid: UInt32?
    public var rule: Rule?
    /// What was refused, where something was.
    public var refusal: Refusal?

    public init(
        client: String? = nil, pid: Int32? = nil, uid: UInt32? = nil, rule: Rule? = nil, refusal: Refusal? = nil
    ) {
        (self.client, self.pid, self.uid, self.rule, self.refusal) = (client, pid, uid, rule, refusal)
    }

    /// The rule with which a message begins, as "W5 (one role per surface): the surface is a toplevel".
    static func rule(in message: String) -> Rule? { Rule.allCases.first { message.hasPrefix("\($0): ") } }
}

/// What is refused, as metrics and the journal call it.
public enum Refusal: String, Sendable, CaseIterable {
    /// A client may not connect, or there are as many as may be.
    case connection
    /// The policy gives the client no more of it: windows, pixels, levels, screens.
    case policy
    /// A bound of every client was reached.
    case limit
    /// The control API: no token, no right, another origin.
    case control
}

/// One notable event: a line for people, and what it is about. It has no text that was typed, copied or is a secret.
public struct LogEntry: Sendable {
    public let level: DisplayServer.LogLevel
    public let message: String
    public let subject: LogSubject
}

extension DisplayServer {
    public enum LogLevel: Int, Sendable, CaseIterable { case debug, info, warning, error }

    public func log(_ level: LogLevel, _ message: @autoclosure () -> String, about subject: LogSubject = LogSubject()) {
        guard level == .debug || isWithinBudget(subject) else { return }
        write(level, message(), about: subject)
    }

    private func write(_ level: LogLevel, _ message: String, about subject: LogSubject) {
        onLog(level, message)
        onLogEntry(LogEntry(level: level, message: message, subject: subject))
    }

    /// What others do cannot fill the log: what is about nobody has a budget too, since it may have been somebody. What is
    /// left out is said when the window ends: a timer runs only then.
    private func isWithinBudget(_ subject: LogSubject) -> Bool {
        let now = loop.now
        if now >= logBudget.end { writeExcess() }
        guard !logBudget.admits(subject.uid, at: now) else { return true }
        if logTimer == nil { logTimer = Timer(loop) { [unowned self] _, _ in writeExcess() } }
        if let logTimer, !logTimer.isArmed { logTimer.arm(at: logBudget.end) }
        return false
    }

    private func writeExcess() {
        logTimer?.cancel()
        for (user, lines) in logBudget.takeExcess() {
            let who = user.map { "user \($0)" } ?? "peers that the kernel does not name, and the server itself"
            write(
                .warning, "\(who): \(lines) more lines within \(logBudget.window / 1_000_000) s are left out",
                about: LogSubject(uid: user))
        }
    }

    /// Counts what was refused, and says it in one line.
    package func logRefusal(
        _ refusal: Refusal, _ who: String, _ reason: String, about subject: LogSubject = LogSubject()
    ) {
        counters.refused(refusal)
        var subject = subject
        subject.refusal = refusal
        log(.warning, "refused: \(who): \(reason)", about: subject)
    }
}

extension String {
    /// For messages: what others sent, no longer than a line should be.
    package var shortened: String {
        utf8.count <= 200 ? self : String(decoding: utf8.prefix(200), as: UTF8.self) + "…"
    }
}

extension Credentials {
    /// Who a line of the log is about.
    package var subject: LogSubject { isKnown ? LogSubject(pid: pid, uid: uid) : LogSubject() }
}

extension Client {
    /// Who a line of the log is about, and which rule they broke.
    func subject(rule: Rule? = nil) -> LogSubject {
        var subject = credentials.subject
        subject.client = server.model.application(application)?.name
        subject.rule = rule
        return subject
    }
}
