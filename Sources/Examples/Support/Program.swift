// The main function of every example: connects, sets up, runs, and exits with the right status.

import Glibc
import MullionClient

/// Runs an example. Exits 0 when it finishes or on SIGTERM or SIGINT, 1 when the connection ends.
@MainActor public func runProgram(_ options: Options, _ setUp: @MainActor (Stage) throws -> Void) -> Never {
    // The server destroys our windows when the connection ends (W7), so exiting immediately is clean.
    for number in [SIGTERM, SIGINT] { signal(number) { _ in _exit(0) } }
    do {
        let display = options["display"]
        let application = try Application(name: options.program, display: display.isEmpty ? nil : display)
        let stage = Stage(application, screenName: options["screen"])
        if stage.screen == nil, !options["screen"].isEmpty {
            let known = application.screens.map(\.name).joined(separator: ", ")
            let hint = known.isEmpty ? "none is connected" : "use one of \(known)"
            complain("\(options.program): \(options["screen"]) is not a connected screen; \(hint)")
            exit(1)
        }
        try setUp(stage)
        try application.run()
        application.disconnect()
        exit(0)
    } catch {
        complain("\(options.program): \(error)")
        exit(1)
    }
}
