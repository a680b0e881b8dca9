// The frame of every example: connect, set up, run, and end with the right status.

import Glibc
import MullionClient

/// Runs an example: exit status 0 when it ends by itself or by SIGTERM or SIGINT, 1 when the server goes away.
public func runProgram(_ options: Options, _ setUp: (Stage) throws -> Void) -> Never {
    // The server hides and destroys our windows however we end (W7), so ending at once is clean.
    for number in [SIGTERM, SIGINT] { signal(number) { _ in _exit(0) } }
    do {
        let display = options["display"]
        let application = try Application(name: options.program, display: display.isEmpty ? nil : display)
        try setUp(Stage(application, screenName: options["screen"]))
        try application.run()
        application.disconnect()
        exit(0)
    } catch {
        complain("\(options.program): \(error)")
        exit(1)
    }
}

extension Application {
    /// Sends what was asked for so far and makes `run()` return.
    public func finish() {
        // A server that is gone is told by `run()`.
        try? flush()
        stop()
    }
}
