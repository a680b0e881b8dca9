// The service manager's descriptor store, which outlives a server.

import CSystemd
import Glibc
import MullionSystem

extension ServiceManager {
    /// The names of descriptors in the store.
    enum Stored: String, CaseIterable {
        /// Clients' sockets and memory.
        case descriptors = "hand-over"
        /// The state of a server when it ended.
        case state = "hand-over-state"
        /// The screens of a running server.
        case screens
        /// The command line and configuration that the server was started with.
        case start
    }

    /// The most descriptors in one message.
    private static let maximumCount = 253
    /// The longest time for the service manager to read a message, in microseconds.
    private static let patience: UInt64 = 5_000_000

    /// Whether there may be a store; newer service managers say when there is none. Older ones then close the
    /// descriptors, which has the same effect on clients as no hand-over.
    var mayHaveStore: Bool {
        guard isPresent else { return false }
        guard let room = unsafe getenv("FDSTORE") else { return true }
        return unsafe String(cString: room) != "0"
    }

    /// Stores descriptors until they are taken out or the service is stopped. That includes pipes without a reader,
    /// which may still have to be sent to a client.
    func store(_ descriptors: [Int32], as name: Stored) {
        guard isPresent else { return }
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

    /// Removes everything of that name from the store.
    func forget(_ name: Stored) { notify("FDSTOREREMOVE=1\nFDNAME=\(name.rawValue)") }

    /// Waits until the service manager has read all messages.
    func waitUntilRead() {
        if isPresent { _ = systemd_notify_barrier(Self.patience) }
    }
}
