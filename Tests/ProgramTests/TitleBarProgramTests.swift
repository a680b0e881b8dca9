// Title bars of unmodified programs, as the configuration says.

import FoundationEssentials
import Glibc
import TestSupport
import Testing

@Suite struct TitleBarProgramTests {
    @Test("SIGHUP shows and removes foot's title bar; a value that does not exist is refused, here and by --check")
    func reload() throws {
        let fixture = try ServerFixture()
        let control = try ControlSession(fixture)
        let mulliond = Programs.built + "/mulliond"
        let (config, other) = (control.folder + "/mullion.json5", control.folder + "/other")
        func write(_ value: String) throws {
            try Data("{ policy: { decorations: \(value) } }".utf8).write(to: URL(filePath: config))
        }
        func hasBar() throws -> Bool? {
            let tree = try control.mullionctl("--control", other, "tree").output
            return tree.contains("foot") ? tree.contains("0,-28 ") : nil
        }
        try write("\"none\"")
        let server = try fixture.spawn(
            mulliond,
            [
                "--config", config, "--socket", control.folder + "/client", "--control", other, "--state", "none",
                "--ready-fd", "1",
            ])
        try fixture.wait(for: "the server") { server.readOutput().contains("client") }
        let foot = try fixture.spawn(
            "foot", ["--config=/dev/null", "--title=a title", "sleep", "1000"],
            environment: ["WAYLAND_DISPLAY": control.folder + "/client"])
        defer { foot.kill(SIGKILL) }
        try fixture.wait(for: "foot without a bar") { try hasBar() == false }
        try write("\"bar\"")
        server.kill(SIGHUP)
        try fixture.wait(for: "the bar") { try hasBar() == true }
        // The server does not link libcairo, and loads it only to draw a title.
        func hasCairo() throws -> Bool {
            let search = try fixture.spawn("grep", ["-q", "libcairo", "/proc/\(server.pid)/maps"])
            try fixture.wait(for: "grep") { !search.isRunning }
            return search.exitStatus == 0
        }
        #expect(try !hasCairo())
        let picture = control.folder + "/picture.png"
        #expect(try control.mullionctl("--control", other, "screenshot", "-o", picture).status == 0)
        #expect(try hasCairo())
        try write("\"frame\"")
        let refusal = "\"frame\" is not a kind of decorations; use \"none\" or \"bar\""
        server.kill(SIGHUP)
        try fixture.wait(for: "the refusal") { server.readOutput().contains(refusal) }
        #expect(try hasBar() == true)
        let checking = try fixture.spawn(mulliond, ["--config", config, "--check"])
        try fixture.wait(for: "its end") { !checking.isRunning }
        #expect(checking.exitStatus == 1 && checking.readOutput().contains(refusal))
        try write("\"none\"")
        server.kill(SIGHUP)
        try fixture.wait(for: "no bar") { try hasBar() == false }
        server.kill(SIGTERM)
        try fixture.wait(for: "its end") { !server.isRunning }
    }
}
