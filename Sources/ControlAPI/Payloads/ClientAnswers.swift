// Clients and their messages, in JSON.

import ControlProtocol
import DisplayServer
import MullionSystem

extension API.Client {
    /// A connected client.
    init(_ client: Client, name: String) {
        self.init(
            application: client.application.rawValue, name: name, pid: client.credentials.pid,
            uid: client.credentials.uid, connected: true)
    }

    /// A client whose messages are kept, connected or not.
    init(_ record: ClientRecords.Record, name: String?) {
        let exit = record.exit
        self.init(
            application: record.application.rawValue, name: name ?? record.name, pid: record.pid, uid: record.uid,
            connected: record.ended == nil, since: record.connected, until: record.ended,
            cause: record.ending.map { API.EndingCause(rawValue: $0.cause.rawValue) }, reason: record.ending?.reason,
            windows: record.ending?.windows, signal: exit.flatMap { $0.signal != 0 ? Int($0.signal) : nil },
            status: exit.flatMap { $0.signal == 0 ? Int($0.status) : nil }, messages: record.journal.count)
    }
}

extension API.Journal {
    init(_ journal: ClientJournal) {
        let lines = journal.lines
        self.init(
            omitted: journal.count - lines.count,
            messages: lines.map { line in
                API.JournalMessage(
                    time: line.time, sender: line.isEvent ? "server" : "client", interface: line.interface,
                    object: line.object, message: line.message, arguments: line.arguments)
            })
    }
}
