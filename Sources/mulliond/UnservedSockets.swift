// Inherited sockets of a server that fails to start.

import ControlAPI
import DisplayServer
import Glibc
import MullionSystem

/// The inherited listening sockets, until it is known whether they will be served.
///
/// Refuses the peers waiting in the sockets of a server that cannot start. Otherwise the service manager would restart
/// it immediately for the same peers, again and again, until it gives up on the sockets.
final class UnservedSockets {
    private var sockets: [(name: String, descriptor: Int32)]
    /// How long peers are refused before exiting, in milliseconds, so that peers that keep retrying cause few starts.
    private static let time = 250

    init(_ inherited: [String: Int32]) {
        // Duplicates: a failing start closes the originals.
        sockets = inherited.map { ($0.key, fcntl($0.value, F_DUPFD_CLOEXEC, 3)) }.filter { $0.1 >= 0 }
    }

    /// Called when the sockets are served: does nothing but close the duplicates.
    func close() {
        for socket in sockets { Glibc.close(socket.descriptor) }
        sockets = []
    }

    /// Refuses all waiting peers, and those that connect within a moment.
    func refuse() {
        guard !sockets.isEmpty else { return }
        signal(SIGPIPE, SIG_IGN)
        for socket in sockets { _ = fcntl(socket.descriptor, F_SETFL, O_NONBLOCK) }
        let end = MonotonicClock.seconds + Double(Self.time) / 1000
        var waiting = sockets.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
        while true {
            let left = end - MonotonicClock.seconds
            guard left > 0, unsafe poll(&waiting, nfds_t(waiting.count), Int32(left * 1000) + 1) > 0 else { return }
            for (index, socket) in sockets.enumerated() where waiting[index].revents != 0 {
                refuseOne(socket.name, accept(socket.descriptor, nil, nil))
            }
        }
    }

    private func refuseOne(_ name: String, _ peer: Int32) {
        guard peer >= 0 else { return }
        _ = fcntl(peer, F_SETFL, O_NONBLOCK)
        if name == "control" { StartRefusal.refuse(control: peer) } else { StartRefusal.refuse(client: peer) }
    }
}
