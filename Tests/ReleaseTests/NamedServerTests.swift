// Several named servers at once.

import FoundationEssentials
import Glibc
import TestSupport
import Testing

@Suite struct NamedServerTests {
    /// mullionctl is shipped with the server; a server with a sanitizer is built alone.
    private static let mullionctl = Programs.shipped + "/mullionctl"

    private func run(_ fixture: ServerFixture, _ folder: String, _ words: [String]) throws -> (Int32, String) {
        let program = try Program(Self.mullionctl, words, environment: ["XDG_RUNTIME_DIR": folder])
        try fixture.wait(for: "mullionctl \(words)") { !program.isRunning }
        return (program.exitStatus ?? -1, program.outputAtEnd())
    }

    @Test("--name gives each server its own sockets and stored screens, and mullionctl --server finds each")
    func two() throws {
        let fixture = try ServerFixture(screens: [])
        let folder = try fixture.runtimeDirectory() + "/named"
        mkdir(folder, 0o700)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let names = ["left", "right.2"]
        let servers = try names.map { name in
            let server = try Program(
                Programs.server, ["--name", name, "--screen", "640x480,name=\(name)", "--ready-fd", "1"],
                environment: ["XDG_RUNTIME_DIR": folder, "XDG_STATE_HOME": folder + "/state"])
            // One line gives its address.
            let words =
                "serving clients on \(folder)/mullion@\(name)/wayland-0, the control API on \(folder)/mullion@\(name)/control.sock\n"
            try fixture.wait(for: "the server; it said: \(server.readOutput())") {
                server.readOutput().contains(words) && server.readOutput().contains("\nmullion@\(name)/wayland-0\n")
                    || !server.isRunning
            }
            try #require(server.isRunning, "\(server.readOutput())")
            return server
        }
        for name in names {
            let client = try WireClient(path: "\(folder)/mullion@\(name)/wayland-0")
            try client.roundTrip()
            let screens = try run(fixture, folder, ["--server", name, "screens"])
            let other = names.first { $0 != name } ?? ""
            #expect(screens.0 == 0 && screens.1.contains(name) && !screens.1.contains(other), "\(screens)")
            #expect(try run(fixture, folder, ["--server", name, "plug", "320x200", "name=extra"]).0 == 0)
        }
        let second = try Program(Programs.server, ["--name", "left"], environment: ["XDG_RUNTIME_DIR": folder])
        try fixture.wait(for: "its end") { !second.isRunning }
        #expect(second.exitStatus == 1 && second.readOutput().contains("another server holds"))
        for (server, name) in zip(servers, names) {
            server.kill(SIGTERM)
            try fixture.wait(for: "its end") { !server.isRunning }
            #expect(server.exitStatus == 0)
            #expect(access("\(folder)/state/mullion@\(name)/screens.json", F_OK) == 0)
            #expect(access("\(folder)/mullion@\(name)/wayland-0", F_OK) != 0)
        }
    }

    @Test(
        "names that cannot be part of a path or of a unit's name are refused",
        arguments: ["", "a/b", "..", "-x", "a b", "ä"])
    func names(name: String) throws {
        let fixture = try ServerFixture(screens: [])
        let server = try fixture.spawn(Programs.server, ["--name", name])
        try fixture.wait(for: "its end") { !server.isRunning }
        #expect(
            server.exitStatus == 2 && server.readOutput().contains("is not a server name; use 1 to 64"),
            "\(server.readOutput())")
        let control = try run(fixture, fixture.runtimeDirectory(), ["--server=\(name)", "status"])
        #expect(control.0 == 2 && control.1.contains("is not a server name; use 1 to 64"), "\(control)")
    }
}
