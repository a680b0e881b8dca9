// X11 programs that take all that they can get.

import TestSupport
import Testing

/// Not with a sanitizer: libwayland before 1.23 ends an X server whose requests are read too slowly.
@Suite(.enabled(if: ["Xwayland", "xterm"].allSatisfy(Program.isInstalled) && Programs.isServerShipped))
struct X11StormTests {
    /// Whether the X server shares all pixmaps with the server; since version 24, only those that a window shows.
    private static let sharesPixmaps: Bool = {
        let output = (try? Program("Xwayland", ["-version"]))?.outputAtEnd() ?? ""
        let version = output.split(separator: "Version ").dropFirst().first
        return (version?.prefix { $0.isNumber }).flatMap { Int($0) }.map { $0 < 24 } ?? true
    }()

    @Test(
        "an X11 program that takes all that an X server may have is ended; the X server and other X11 programs go on",
        arguments: ["windows", "unmanaged", "pixmaps", "large"])
    func storm(kind: String) throws {
        let display = try X11ReleaseDisplay()
        let first = try display.terminal("first")
        let storm = try display.spawn("/usr/bin/python3", [TraceTests.program("x11_storm.py"), kind])
        // The window of another program comes in the middle of it.
        let other = try display.terminal("other")
        let isHarmless = ["pixmaps", "large"].contains(kind) && !Self.sharesPixmaps
        try display.server.fixture.wait(for: "the storm's end; \(display.manager.readOutput())") {
            storm.readOutput().contains(isHarmless ? "done\n" : "ended\n")
        }
        #expect(isHarmless || display.manager.readOutput().contains("python3 (pid \(storm.pid)) is ended: it has "))
        #expect(first.isRunning)
        let next = try display.terminal("next")
        #expect(first.isRunning && other.isRunning && next.isRunning && display.manager.isRunning)
        #expect(!display.manager.readOutput().contains("the X server has ended"), "\(display.manager.readOutput())")
    }
}
