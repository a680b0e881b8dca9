// Sockets of a service manager whose server cannot start.

import ControlAPI
import DisplayServer
import Glibc

/// The listening sockets that were handed over, for as long as it is not known whether they will be served.
///
/// Whoever waits in the sockets of a server that cannot start is told so and let go. Else the service manager would start
/// it again at once for the same peer, and again, until it gives up on the sockets themselves.
final class UnservedSockets {
    private var sockets: [(name: String, descriptor: Int32)]
    /// How long peers are refused before the end, in milliseconds: those who try again and again cost few starts.
    private static let time = 250

    init(_ inherited: [String: Int32]) {
        // Descriptors of its own: a start that fails closes the others.
        sockets = inherited.map { ($0.key, fcntl($0.value, F_DUPFD_CLOEXEC, 3)) }.filter { $0.1 >= 0 }
    }

    /// They are served: nothing is to be done.
    func close() {
        for socket in sockets { Glibc.close(socket.descriptor) }
        sockets = []
    }

    /// Refuses everybody who waits or comes within a moment.
    func refuse() {
        guard !sockets.isEmpty else { return }
        signal(SIGPIPE, SIG_IGN)
        for socket in sockets { _ = fcntl(socket.descriptor, F_SETFL, O_NONBLOCK) }
        let clock = ContinuousClock()
        let end = clock.now + .milliseconds(Self.time)
        var waiting = sockets.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
        while true {
            let left = clock.now.duration(to: end)
            guard left > .zero, unsafe poll(&waiting, nfds_t(waiting.count), Int32(left / .milliseconds(1)) + 1) > 0
            else {
                return
            }
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
