// Whose X server a program is sent to.

import FoundationEssentials
import Glibc
import MullionWayland
import TestSupport
import Testing

@Suite(.enabled(if: geteuid() == 0)) struct X11DisplayTests {
    private let server: ServerProcess

    init() throws {
        server = try Strangers.server("peers: [{ user: \(Strangers.user), rights: [\"view\"] }]")
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
        let stranger = try manager(":77", as: Strangers.user)
        let foreign = Status.Display(display: ":77", uid: Strangers.user)
        #expect(try displays() == [])
        #expect(try displays(as: Strangers.user) == [foreign])
        #expect(try display() == "<>\n")
        let own = try manager(":5")
        let ours = Status.Display(display: ":5", uid: geteuid())
        #expect(try displays() == [ours])
        #expect(try displays(as: Strangers.user) == [foreign, ours])
        #expect(try display() == "<:5>\n")
        #expect(try run(["status"]).contains(":5 of uid \(geteuid())\n"))
        withExtendedLifetime((stranger, own)) {}
    }
}
