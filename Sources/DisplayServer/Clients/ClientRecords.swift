// Clients' messages, and how their connections ended.

import Glibc
import MullionSystem
import MullionWayland
import WindowModel

/// A client's latest messages.
package typealias ClientJournal = MessageJournal

/// Records of connected clients and of those that ended, for debugging.
package final class ClientRecords {
    /// The most clients that have ended.
    package static let capacity = 100

    /// One client.
    package struct Record {
        package let application: Application.ID
        /// Its name at the end, or now.
        package var name: String
        package let pid: Int32
        package let uid: UInt32
        /// Microseconds of the monotonic clock, whatever clock the clients have.
        package let connected: UInt64
        package var ended: UInt64?
        package var ending: ClientEnding?
        /// Of the process; nil while it runs, and if its parent has already reaped it and the kernel keeps no record.
        package var exit: ProcessExit?
        /// Until its exit is known, or it is known that the kernel does not keep it.
        var process: OwnedDescriptor?
        /// Its messages.
        package let journal: MessageJournal
    }

    private var open: [Application.ID: Record] = [:]
    private var closed: [Record] = []

    package init() {}

    /// In order of connection.
    package var all: [Record] {
        for index in closed.indices where closed[index].exit == nil { closed[index].findExit() }
        return (closed + open.values).sorted { $0.application < $1.application }
    }

    /// Called for a new client, before it sends anything.
    func didConnect(_ client: Client) {
        let journal = MessageJournal()
        client.journal = journal
        open[client.application] = Record(
            application: client.application, name: client.processName, pid: client.credentials.pid,
            uid: client.credentials.uid, connected: MonotonicClock.nanoseconds / 1000,
            process: UnixSocket.peerProcess(of: client.transport.socket.rawValue), journal: journal)
    }

    /// Called when its connection ends. The kernel closes a process's files before it notifies the parent, so its exit
    /// status can still be read now. On Linux 6.15 and later, its descriptor has it at any time.
    func didClose(_ client: Client) {
        guard var record = open.removeValue(forKey: client.application) else { return }
        record.ended = MonotonicClock.nanoseconds / 1000
        record.ending = client.ending
        record.name = client.ending?.name ?? record.name
        record.exit = client.ending?.exit ?? ProcessExit(ofEnding: client.credentials)
        record.findExit()
        if closed.count == Self.capacity { closed.removeFirst() }
        closed.append(record)
    }
}

extension ClientRecords.Record {
    /// Asks the kernel.
    mutating func findExit() {
        guard exit == nil, let process else {
            process = nil
            return
        }
        do {
            guard let code = try UnixSocket.exitCode(of: process) else { return }
            exit = ProcessExit(code: code)
        } catch {}
        self.process = nil
    }
}

extension ProcessExit {
    /// Call it before the connection is closed: the kernel closes a process's files while it ends.
    init?(ofEnding client: Client) {
        if let exit = ProcessExit(ofEnding: client.credentials) {
            self = exit
            return
        }
        // Its parent may have reaped it.
        guard let process = UnixSocket.peerProcess(of: client.transport.socket.rawValue),
            let code = (try? UnixSocket.exitCode(of: process)) ?? nil
        else { return nil }
        self.init(code: code)
    }

    /// - Returns: nil for a process that runs, is gone, or is another user's: the kernel shows that as status 0.
    init?(ofEnding client: Credentials) {
        guard geteuid() == 0 || geteuid() == client.uid else { return nil }
        self.init(ofEnding: client.pid)
    }
}
