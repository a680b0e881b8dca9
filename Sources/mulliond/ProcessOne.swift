// The duties of process 1, which the server is in a container that runs nothing else.

import EventLoop
import Glibc

/// Process 1 inherits every process whose parent has ended, and has to wait for each, or they stay as zombies for ever.
enum ProcessOne {
    static let isThis = getpid() == 1

    /// Waits for what has ended and what will.
    static func reap(on loop: EventLoop) throws(EventLoopError) -> Signal {
        let signal = try Signal(loop, SIGCHLD) { reapAll() }
        reapAll()
        return signal
    }

    private static func reapAll() {
        // The server's own processes are waited for where they are started: none of them is left here.
        while waitpid(-1, nil, WNOHANG) > 0 {}
    }
}
