// Clients and their messages, in JSON.

import DisplayServer
import MullionSystem

/// A connected client or, with `--journal`, one that has ended.
struct ClientPayload: Encodable {
    /// Its application, whose id is never reused.
    var application: UInt32
    var name: String
    var pid: Int32
    var uid: UInt32
    var connected: Bool
    /// Microseconds of the monotonic clock, with `--journal`.
    var since: UInt64?
    var until: UInt64?
    /// How its connection ended, and what was wrong.
    var cause: String?
    var reason: String?
    /// How many windows it still had.
    var windows: Int?
    /// How its process ended, if that is known.
    var signal: Int32?
    var status: Int32?
    /// How many messages its journal has noted.
    var messages: Int?

    init(_ client: Client, name: String) {
        application = client.application.rawValue
        self.name = name
        (pid, uid, connected) = (client.credentials.pid, client.credentials.uid, true)
    }

    init(_ record: ClientRecords.Record, name: String?) {
        application = record.application.rawValue
        self.name = name ?? record.name
        (pid, uid, connected) = (record.pid, record.uid, record.ended == nil)
        (since, until) = (record.connected, record.ended)
        (cause, reason) = (record.ending?.cause.rawValue, record.ending?.reason)
        windows = record.ending?.windows
        messages = record.journal.count
        guard let exit = record.exit else { return }
        if exit.signal != 0 { signal = exit.signal } else { status = exit.status }
    }
}

struct ClientList: Encodable {
    /// The present time, in microseconds of the monotonic clock.
    var now: UInt64
    var clients: [ClientPayload]
}

/// The latest messages of a client.
struct JournalPayload: Encodable {
    /// How many earlier ones are no longer kept.
    var omitted: Int
    var messages: [Message]

    struct Message: Encodable {
        /// Microseconds of the monotonic clock.
        var time: UInt64
        var sender: String
        var interface: String
        var object: UInt32
        var message: String
        var arguments: String
    }

    init(_ journal: ClientJournal) {
        let lines = journal.lines
        omitted = journal.count - lines.count
        messages = lines.map { line in
            Message(
                time: line.time, sender: line.isEvent ? "server" : "client", interface: line.interface,
                object: line.object, message: line.message, arguments: line.arguments)
        }
    }
}
