// An X display of the programs that are shipped.

import TestSupport

/// A server, and mullion-x11 beside it.
final class X11ReleaseDisplay {
    let server: ServerProcess
    let manager: Program
    private let environment: [String: String]

    init() throws {
        let server = try ServerProcess(options: ["--screen", "800x600"])
        let manager = try server.fixture.spawn(
            Programs.shipped + "/mullion-x11", ["--ready-fd", "1"],
            environment: ["WAYLAND_DISPLAY": server.folder + "/socket"])
        (self.server, self.manager) = (server, manager)
        var name = ""
        try server.fixture.wait(for: "a display; it said: \(manager.readOutput())") {
            name = manager.readOutput().split(separator: "\n").first.map(String.init) ?? ""
            return name.hasPrefix(":")
        }
        environment = ["DISPLAY": name, "WAYLAND_DISPLAY": "nowhere", "LC_ALL": "C.UTF-8"]
    }

    func spawn(_ program: String, _ arguments: [String]) throws -> Program {
        try server.fixture.spawn(program, arguments, environment: environment)
    }

    /// An X11 program whose window is key.
    func terminal(_ title: String) throws -> Program {
        let program = try spawn("xterm", ["-fn", "fixed", "-T", title, "-e", "sleep", "1000"])
        // Lists of all windows are long during a storm.
        let answer = try server.request("GET", "/v1/wait?for=window&title=\(title)&key=true&timeout=59000")
        guard answer.status == 200 else {
            throw FixtureError("\(title): \(answer.body); mullion-x11: \(manager.readOutput())")
        }
        return program
    }
}
