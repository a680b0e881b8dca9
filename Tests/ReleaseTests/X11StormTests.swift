// X11 programs that take all that they can get.

import TestSupport
import Testing

/// Not with a sanitizer: libwayland before 1.23 ends an X server whose requests are read too slowly.
@Suite(.enabled(if: ["Xwayland", "xterm"].allSatisfy(Program.isInstalled) && Programs.isServerShipped))
struct X11StormTests {
    @Test(
        "an X11 program that takes all that an X server may have is ended; the X server and other X11 programs go on",
        arguments: ["windows", "unmanaged", "pixmaps", "large"])
    func storm(kind: String) throws {
        let display = try X11ReleaseDisplay()
        let first = try display.terminal("first")
        let storm = try display.spawn("/usr/bin/python3", [TraceTests.program("x11_storm.py"), kind])
        // The window of another program comes in the middle of it.
        let other = try display.terminal("other")
        try display.server.fixture.wait(for: "the storm's end; \(display.manager.readOutput())") {
            storm.readOutput().contains("ended\n")
        }
        #expect(display.manager.readOutput().contains("python3 (pid \(storm.pid)) is ended: it has "))
        #expect(first.isRunning)
        let next = try display.terminal("next")
        #expect(first.isRunning && other.isRunning && next.isRunning && display.manager.isRunning)
        #expect(!display.manager.readOutput().contains("the X server has ended"), "\(display.manager.readOutput())")
    }
}
