// X11 programs on the programs that are shipped.

import FoundationEssentials
import TestSupport
import Testing

@Suite struct X11ReleaseTests {
    @Test(
        "mullionctl run --x11 starts an X server for its command, and leaves no display",
        .enabled(if: Program.isInstalled("Xwayland") && Program.isInstalled("xdpyinfo")))
    func display() throws {
        let fixture = try ServerFixture()
        let command = "echo \"$DISPLAY\"; xdpyinfo | grep 'name of display'"
        let program = try Program(
            Programs.shipped + "/mullionctl", ["run", "--x11", "--", "sh", "-ec", command],
            environment: ["XDG_RUNTIME_DIR": try fixture.runtimeDirectory()])
        try fixture.wait(for: "its end") { !program.isRunning }
        let output = program.readOutput()
        let lines = output.split(separator: "\n")
        try #require(program.exitStatus == 0 && lines.count == 2, "\(output)")
        #expect(lines[0].hasPrefix(":") && lines[1].hasSuffix(" \(lines[0])"))
        let number = lines[0].dropFirst()
        let left = ["/tmp/.X\(number)-lock", "/tmp/.X11-unix/X\(number)"].filter(FileManager.default.fileExists)
        #expect(left == [])
    }

    @Test(
        "a server that is killed is reported before what ends with it, with its signal",
        .enabled(if: Program.isInstalled("Xwayland")))
    func serverKilled() throws {
        let command = """
            for child in $(cat /proc/$PPID/task/$PPID/children); do
                if [ "$(cat /proc/$child/comm)" = mulliond ]; then kill -KILL $child; fi
            done
            exec sleep 1000
            """
        let program = try Program(Programs.shipped + "/mullionctl", ["run", "--x11", "--", "sh", "-c", command])
        let output = program.outputAtEnd()
        #expect(program.exitStatus == 125, "\(output)")
        #expect(output.hasPrefix("mullionctl: the server ended before the command, by SIGKILL\n"), "\(output)")
    }
}
