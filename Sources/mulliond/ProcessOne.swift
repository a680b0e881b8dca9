// The duties of process 1, when the server runs alone in a container.

import EventLoop
import Glibc

/// Process 1 inherits every orphan and must reap it, or it remains a zombie.
enum ProcessOne {
    static let isThis = getpid() == 1

    /// Reaps processes that have ended and those that will.
    static func reap(on loop: EventLoop) throws(EventLoopError) -> Signal {
        let signal = try Signal(loop, SIGCHLD) { reapAll() }
        reapAll()
        return signal
    }

    private static func reapAll() {
        // The server waits for its own children where it starts them, so only orphans remain.
        while waitpid(-1, nil, WNOHANG) > 0 {}
    }
}
