// Writes the server's log.

import CSystemd
import DisplayServer
import Glibc
import MullionWayland

/// Writes lines to standard error, or to the journal with fields, so that they can be searched by client or by rule.
enum Log {
    /// Whether standard error goes to the journal. The variable alone is not enough: programs started by a service
    /// inherit it wherever they write to.
    static let isForJournal: Bool = {
        guard let journal = unsafe getenv("JOURNAL_STREAM") else { return false }
        var file = stat()
        return unsafe fstat(2, &file) == 0 && String(cString: journal) == "\(file.st_dev):\(file.st_ino)"
    }()

    /// Whether the journal accepts fields. In a service with a restricted file system its socket can be missing
    /// although standard error works, and libsystemd does not report that.
    private static let takesFields: Bool = {
        var file = stat()
        return unsafe isForJournal && fstat(2, &file) == 0 && file.st_mode & S_IFMT == S_IFSOCK
            && access("/run/systemd/journal/socket", W_OK) == 0
    }()

    static func write(_ level: DisplayServer.LogLevel, _ line: String) {
        write(level, line, about: LogSubject())
    }

    /// Logs why the program ends; on a terminal without the level.
    static func fail(_ message: String) {
        let text = Array((isForJournal ? "<3>\(message.printable())\n" : "mulliond: \(message.printable())\n").utf8)
        _ = unsafe Glibc.write(2, text, text.count)
    }

    static func write(_ entry: LogEntry) { write(entry.level, entry.message, about: entry.subject) }

    private static func write(_ level: DisplayServer.LogLevel, _ message: String, about subject: LogSubject) {
        // Client-chosen names must not start a new line.
        let message = message.printable()
        if takesFields, send(level, message, subject) { return }
        let prefix: String
        switch level {
        case .debug: prefix = isForJournal ? "<7>" : "debug: "
        case .info: prefix = isForJournal ? "<6>" : ""
        case .warning: prefix = isForJournal ? "<4>" : "warning: "
        case .error: prefix = isForJournal ? "<3>" : "error: "
        }
        let text = Array((isForJournal ? "\(prefix)\(message)\n" : "mulliond: \(prefix)\(message)\n").utf8)
        _ = unsafe Glibc.write(2, text, text.count)
    }

    /// sd_journal_sendv(3)
    private static func send(_ level: DisplayServer.LogLevel, _ message: String, _ subject: LogSubject) -> Bool {
        var fields = ["MESSAGE=\(message)", "PRIORITY=\(priority(level))", "SYSLOG_IDENTIFIER=mulliond"]
        func add(_ name: String, _ value: String?) {
            if let value { fields.append("\(name)=\(value.printable())") }
        }
        add("MULLION_CLIENT", subject.client)
        add("MULLION_CLIENT_PID", subject.pid.map { "\($0)" })
        add("MULLION_CLIENT_UID", subject.uid.map { "\($0)" })
        add("MULLION_RULE", subject.rule?.rawValue)
        add("MULLION_REFUSAL", subject.refusal?.rawValue)
        let bytes = Array(fields.joined().utf8)
        return unsafe bytes.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return false }
            var start = 0
            let pieces = unsafe fields.map { field in
                defer { start += field.utf8.count }
                return unsafe iovec(
                    iov_base: UnsafeMutableRawPointer(mutating: base + start), iov_len: field.utf8.count)
            }
            return unsafe systemd_journal_sendv(pieces, Int32(pieces.count)) == 0
        }
    }

    private static func priority(_ level: DisplayServer.LogLevel) -> Int {
        switch level {
        case .debug: 7
        case .info: 6
        case .warning: 4
        case .error: 3
        }
    }
}
