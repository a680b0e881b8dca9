// The service manager's store of descriptors: what outlives a server.

import CSystemd
import Glibc
import System

extension ServiceManager {
    /// What is in the store, by name.
    enum Stored: String, CaseIterable {
        /// Clients' sockets and memory.
        case descriptors = "hand-over"
        /// What a server was when it ended.
        case state = "hand-over-state"
        /// The screens of a server that runs.
        case screens
        /// What the server was started with.
        case start
    }

    /// So many descriptors travel in one message.
    private static let maximumCount = 253
    /// How long the service manager may take to read what it was sent, in microseconds.
    private static let patience: UInt64 = 5_000_000

    /// Whether there may be a store; newer service managers say when there is none. Older ones close what they are sent
    /// then, and clients see what they would have seen without it.
    var mayHaveStore: Bool {
        guard isThere else { return false }
        guard let room = unsafe getenv("FDSTORE") else { return true }
        return unsafe String(cString: room) != "0"
    }

    /// Puts descriptors into the store, where they stay until they are taken out or the service is stopped: also a pipe
    /// whose reader has gone, which a client that has done nothing wrong may be about to be sent.
    func store(_ descriptors: [Int32], as name: Stored) {
        guard isThere else { return }
        for start in stride(from: 0, to: descriptors.count, by: Self.maximumCount) {
            let part = Array(descriptors[start..<min(start + Self.maximumCount, descriptors.count)])
            let result = unsafe systemd_notify_with_fds(
                "FDSTORE=1\nFDNAME=\(name.rawValue)\nFDPOLL=0", part, UInt32(part.count))
            if result < 0 {
                let reason = SystemError(-result)
                Log.write(.warning, "the service manager did not take \(part.count) of \(name.rawValue): \(reason)")
            }
        }
    }

    /// Takes everything of that name out of the store.
    func forget(_ name: Stored) { notify("FDSTOREREMOVE=1\nFDNAME=\(name.rawValue)") }

    /// Waits until the service manager has read everything.
    func waitUntilRead() {
        if isThere { _ = systemd_notify_barrier(Self.patience) }
    }
}
