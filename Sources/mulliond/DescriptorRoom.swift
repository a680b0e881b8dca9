// Whether the process may open enough files to serve clients.

import DisplayServer
import Glibc
import MullionSystem

/// How many clients' descriptors there is room for.
struct DescriptorRoom {
    /// Fewer are hardly useful: a client has a connection, keymaps in transit and, for a hand-over, its memory.
    private static let fewest = 64

    /// The most files that the process may open.
    private let limit: Int
    /// Those that the server needs for itself.
    private let own: Int
    /// Those left for clients.
    private let left: Int

    /// Call it when everything is open that the server needs itself.
    init() {
        limit = sysconf(Int32(_SC_OPEN_MAX))
        // The kernel assigns the lowest free number.
        let next = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0)
        if next >= 0 { close(next) }
        own = next >= 0 ? Int(next) : limit
        left = max(0, DisplayServer.mostClientDescriptors(of: limit) - own)
    }

    /// - Throws: when no client could connect.
    func check() throws(DaemonError) {
        guard left < Self.fewest else { return }
        let advice = "use ulimit -n 1024, or LimitNOFILE=1024 in the service's unit"
        let text = "the process may have \(limit) files open (RLIMIT_NOFILE)"
        guard left > 0 else {
            // The server keeps half of a low limit for itself.
            let needed = 2 * own + 2
            throw DaemonError(
                description: "\(text), too few to serve a client, for which \(needed) are needed; \(advice)")
        }
        Log.write(.warning, "\(text), which leaves \(left) for all clients; \(advice)")
    }
}
