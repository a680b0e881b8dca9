// Makes SIGINT and SIGTERM pollable.

import Glibc
import MullionControl
import MullionSystem

/// Watches for SIGINT and SIGTERM. Only one instance at a time: signals belong to the process.
final class Interruption {
    /// The pipe the handler writes to; global, because a signal handler has no context.
    nonisolated(unsafe) private static var writeEnd: Int32 = -1
    private let readEnd: Int32

    init() throws(CommandError) {
        let ends = try Pipe()
        readEnd = ends.readEnd
        unsafe Self.writeEnd = ends.writeEnd
        for number in [SIGINT, SIGTERM, SIGHUP] {
            signal(number) { _ in
                let saved = errno
                var byte: UInt8 = 0
                _ = unsafe write(Interruption.writeEnd, &byte, 1)
                errno = saved
            }
        }
    }

    /// Waits until `descriptor` is readable (true) or a signal arrives (false). Ends the program if nobody reads standard
    /// output any more.
    func wait(or descriptor: Int32) -> Bool {
        var waiting = [
            pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0),
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: 1, events: 0, revents: 0),
        ]
        _ = retryingWhenInterrupted { unsafe poll(&waiting, 3, -1) }
        Terminal.checkReader()
        return waiting[0].revents == 0
    }
}
