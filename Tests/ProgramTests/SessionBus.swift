// A session bus for programs that do not run without one.

import TestSupport

/// A bus for the programs of a fixture. The accessibility bus starts when it is asked for, and ends with this one.
final class SessionBus {
    let address: String
    private let program: Program

    /// - Parameter home: where activated services keep their files.
    init(_ fixture: ServerFixture, home: String) throws {
        let program = try fixture.spawn(
            "dbus-daemon", ["--session", "--nofork", "--print-address=1"],
            environment: ["HOME": home, "XDG_CONFIG_HOME": home, "GSETTINGS_BACKEND": "memory"])
        var address: Substring? { program.completeLines.first { $0.hasPrefix("unix:") } }
        try fixture.wait(for: "a session bus") { address != nil }
        self.program = program
        self.address = String(address ?? "")
    }
}
