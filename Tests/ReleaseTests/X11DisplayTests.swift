// Whose X server a program is sent to.

import FoundationEssentials
import Glibc
import MullionWayland
import TestSupport
import Testing

@Suite(.enabled(if: geteuid() == 0)) struct X11DisplayTests {
    private static let stranger: uid_t = 65534

    private let server: ServerProcess

    /// A server to which every user can connect.
    init() throws {
        let rule = "{ user: \(Self.stranger), rights: [\"view\"] }"
        server = try ServerProcess(
            "set -- \"$@\" --config \"$folder/mullion.json5\"",
            prepare: {
                try "{ policy: { peers: [\(rule)] } }".write(
                    toFile: $0 + "/mullion.json5", atomically: true, encoding: .utf8)
            }, options: ["--screen", "320x200"])
        let files: [(String, Int)] = [
            (try server.fixture.runtimeDirectory(), 0o711), (server.folder, 0o711), (server.folder + "/socket", 0o777),
            (server.folder + "/control", 0o777),
        ]
        for (path, mode) in files {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        }
    }

    /// A client that says where X11 programs can connect.
    private func manager(_ display: String, as user: uid_t? = nil) throws -> WireClient {
        let client = try WireClient(path: server.folder + "/socket", as: user)
        try client.bind(MullionX11ManagerV1.self).send(.setDisplay(name: display))
        try client.roundTrip()
        return client
    }

    private func run(_ words: [String], as user: uid_t? = nil) throws -> String {
        let control = ["\(Programs.shipped)/mullionctl", "--control", server.folder + "/control"] + words
        let change = user.map { ["setpriv", "--reuid", "\($0)", "--regid", "\($0)", "--clear-groups"] } ?? []
        let program = try server.fixture.spawn("/usr/bin/env", change + control)
        let output = program.outputAtEnd()
        try #require(program.exitStatus == 0, "\(words): \(output)")
        return output
    }

    private struct Status: Decodable {
        struct Display: Decodable, Equatable {
            var display: String
            var uid: uid_t
        }
        var x11: [Display]
    }

    private func displays(as user: uid_t? = nil) throws -> [Status.Display] {
        try JSONDecoder().decode(Status.self, from: Data(try run(["status", "--json"], as: user).utf8)).x11
    }

    /// What DISPLAY is for a program of a scenario.
    private func display() throws -> String {
        let (scenario, file) = (server.folder + "/scenario.json5", server.folder + "/display")
        let start = "start: { name: 'p', command: ['sh', '-c', 'echo \"<$DISPLAY>\" > \(file)'] }"
        try "{ name: 'n', steps: [{ \(start) }, { stop: { name: 'p', status: 0 } }] }".write(
            toFile: scenario, atomically: true, encoding: .utf8)
        _ = try run(["scenario", scenario])
        return try String(contentsOfFile: file, encoding: .utf8)
    }

    @Test("status lists the X displays of the user that asks, then those of the server's; a scenario takes no other")
    func displays() throws {
        let stranger = try manager(":77", as: Self.stranger)
        let foreign = Status.Display(display: ":77", uid: Self.stranger)
        #expect(try displays() == [])
        #expect(try displays(as: Self.stranger) == [foreign])
        #expect(try display() == "<>\n")
        let own = try manager(":5")
        let ours = Status.Display(display: ":5", uid: geteuid())
        #expect(try displays() == [ours])
        #expect(try displays(as: Self.stranger) == [foreign, ours])
        #expect(try display() == "<:5>\n")
        #expect(try run(["status"]).contains(":5 of uid \(geteuid())\n"))
        withExtendedLifetime((stranger, own)) {}
    }
}
