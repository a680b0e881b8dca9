// The real mulliond as a black box: clients that are killed, and its command line.

import DisplayServer
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import Displays

@Suite struct DaemonTests {
    /// The programs as users install them.
    private static let folder = Programs.shipped

    private func descriptors(of program: Program) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(program.pid)/fd").count
    }

    /// Anonymous memory in KiB.
    private func memory(of program: Program) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(program.pid)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") })
        return try #require(line.split(separator: " ").compactMap { Int($0) }.first)
    }

    @Test("clients killed with SIGKILL, again and again, leak neither descriptors nor memory in the server")
    func killed() throws {
        let fixture = try ServerFixture(screens: [])
        let folder = try fixture.runtimeDirectory() + "/daemon"
        mkdir(folder, 0o700)
        defer { rmdir(folder) }
        let server = try fixture.spawn(
            "\(Self.folder)/mulliond",
            ["--socket", "\(folder)/socket", "--control", "\(folder)/control", "--ready-fd", "1"])
        try fixture.wait(for: "the server, which printed: \(server.readOutput())") {
            server.readOutput().contains("socket")
        }
        func killSome(_ count: Int) throws {
            for round in 0..<count {
                let client = try fixture.spawn(
                    "weston-simple-shm", environment: ["WAYLAND_DISPLAY": "\(folder)/socket"])
                // Killed at various moments: before it connects, while it maps its window, while it animates.
                var looks = 0
                try fixture.wait(for: "a while") {
                    looks += 1
                    return looks > round % 9
                }
                client.kill(SIGKILL)
                try fixture.wait(for: "its end") { !client.isRunning }
            }
        }
        // The keymap, which the first keyboard needs, stays.
        let most = try descriptors(of: server) + 1
        try killSome(50)
        try fixture.wait(for: "the descriptors to go") { try descriptors(of: server) <= most }
        let (before, open) = (try memory(of: server), try descriptors(of: server))
        try killSome(150)
        try fixture.wait(for: "the descriptors to go") { try descriptors(of: server) <= open }
        let growth = try memory(of: server) - before
        #expect(growth < 256, "the server grew by \(growth) KiB over 150 clients")
        server.kill(SIGTERM)
        try fixture.wait(for: "the server's end") { !server.isRunning }
        #expect(server.exitStatus == 0)
    }

    @Test(
        "invalid command lines and configurations are refused with an explanation",
        arguments: [
            (["--bogus"], 2, "unknown option"), (["--screen"], 2, "needs a value"),
            (["--check=1"], 2, "takes no value"), (["--clock", "noon"], 2, "real or manual"),
            (["--screen", "1920x"], 1, "not a display model"), (["--screen", "800x600,scale=x"], 1, "scale=x"),
            (["--screen", "800x600,name=A", "--screen", "800x600,name=A"], 1, "already"),
            (["--screen", "none", "--screen", "800x600"], 1, "use it alone"),
            (["--config", "/nowhere/x.json5"], 1, "/nowhere/x.json5"), (["--ready-fd", "-1"], 2, "descriptor"),
            (["--socket", "/nowhere/socket"], 1, "/nowhere/socket"),
        ] as [([String], Int32, String)])
    func refusals(arguments: [String], status: Int32, words: String) throws {
        let fixture = try ServerFixture(screens: [])
        let program = try fixture.spawn("\(Self.folder)/mulliond", arguments)
        try fixture.wait(for: "its end") { !program.isRunning }
        #expect(program.exitStatus == status)
        #expect(program.readOutput().contains(words), "\(program.readOutput())")
    }

    @Test("--help names every key of a screen specification")
    func help() throws {
        let fixture = try ServerFixture(screens: [])
        let program = try fixture.spawn("\(Self.folder)/mulliond", ["--help"])
        try fixture.wait(for: "its end") { !program.isRunning }
        let words = Set(program.readOutput().split { !$0.isLetter }.map(String.init))
        let keys = ScreenSpecification.keys.split { !$0.isLetter }.map(String.init)
        #expect(Set(keys).subtracting(words) == [])
    }
}
