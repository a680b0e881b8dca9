// X11 programs on the programs that are shipped.

import FoundationEssentials
import Glibc
import TestSupport
import Testing

@Suite(.startsShippedServer) struct X11ReleaseTests {
    @Test(
        "mullionctl run --x11 starts an X server for its command, and leaves no display",
        .enabled(if: Program.isInstalled("Xwayland") && Program.isInstalled("xdpyinfo")))
    func display() throws {
        let fixture = try ServerFixture()
        let command = "echo \"$DISPLAY\"; xdpyinfo | grep 'name of display'; cat /tmp/.X${DISPLAY#:}-lock"
        let program = try Program(
            Programs.shipped + "/mullionctl", ["run", "--x11", "--", "sh", "-ec", command],
            environment: ["XDG_RUNTIME_DIR": try fixture.runtimeDirectory()])
        try fixture.wait(for: "its end") { !program.isRunning }
        let output = program.readOutput()
        let lines = output.split(separator: "\n")
        try #require(program.exitStatus == 0 && lines.count == 3, "\(output)")
        #expect(lines[0].hasPrefix(":") && lines[1].hasSuffix(" \(lines[0])"))
        let lock = DisplayLock(lines[0].dropFirst(), owner: Data((lines[2] + "\n").utf8))
        try fixture.wait(for: "the display to be released") { lock.isReleased }
    }

    @Test(
        "other users cannot take up the X server's places: they can connect to no socket of the display",
        .enabled(if: Program.isInstalled("Xwayland") && Program.isInstalled("xdpyinfo")))
    func places() throws {
        let fixture = try ServerFixture()
        let script = """
            from os import environ, stat
            from socket import AF_UNIX, socket
            path = "/tmp/.X11-unix/X" + environ["DISPLAY"][1:]
            print("%o" % (stat(path).st_mode & 0o777))
            try: socket(AF_UNIX).connect("\\0" + path); print("connected")
            except ConnectionRefusedError: print("refused")
            # Held, so that no other program can take the name.
            try: socket(AF_UNIX).bind("\\0" + path); print("bound")
            except OSError: print("held")
            """
        let file = try fixture.runtimeDirectory() + "/places.py"
        try script.write(toFile: file, atomically: false, encoding: .utf8)
        let command = "python3 \(file) && xdpyinfo >/dev/null && echo served"
        let program = try Program(
            Programs.shipped + "/mullionctl", ["run", "--x11", "--", "sh", "-ec", command],
            environment: ["XDG_RUNTIME_DIR": try fixture.runtimeDirectory()])
        let output = program.outputAtEnd()
        #expect(output == "700\nrefused\nheld\nserved\n", "\(output)")
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

    /// How an X11 program ends, and what a run makes of it.
    struct End: CustomTestStringConvertible {
        /// The argument of x11_program.py.
        var mode: String
        /// What is noticed; nil: nothing.
        var kind: String?
        var text = ""
        /// Of a strict run.
        var status: Int32 = 0

        var testDescription: String { mode }
    }

    private static let ends = [
        End(mode: "crash", kind: "crash", text: "crashed: SIGSEGV (a segmentation fault)", status: 1),
        End(mode: "abort", kind: "crash", text: "crashed: SIGABRT (it aborted)", status: 1),
        End(mode: "exit", kind: "status", text: "ended with exit status 7"),
        End(mode: "end"),
    ]
    private static let program = "python3 \(TraceTests.program("x11_program.py"))"

    @Test(
        "the crash of an X11 program makes a strict run fail, and is its headline; other ends do not",
        .enabled(if: Program.isInstalled("Xwayland")), arguments: ends)
    func noticed(end: End) throws {
        let run = try TraceTests.Run(
            ["--x11", "--strict", "--junit", "DIR/run.xml"], "\(Self.program) \(end.mode)")
        #expect(run.status == end.status, "\(run.output)")
        let report = try run.report
        #expect(report.findings.map(\.kind) == [end.kind].compactMap(\.self), "\(report.findings)")
        let program = try #require(report.clients.first { $0.x11 == true })
        #expect(report.clients.count { $0.x11 == true } == 1 && program.name == "python3" && program.application == nil)
        let (begin, last) = try (#require(program.began), #require(program.ended))
        #expect(begin > 0 && begin <= last && last <= report.duration)
        if let kind = end.kind {
            let finding = try #require(report.findings.first)
            #expect(finding.text == "python3 (pid \(program.pid)) \(end.text)")
            #expect(finding.pid == program.pid && finding.at == last)
            #expect(report.headline == (kind == "crash" ? finding.text : ""))
            #expect(try run.text("run.xml").contains("type=\"crash\"") == (kind == "crash"))
        }
    }

    @Test(
        "without files, a strict run fails because of an X11 program, too, and one that is not strict does not",
        .enabled(if: Program.isInstalled("Xwayland")))
    func crash() throws {
        for (options, status) in [(["--strict"], 1), ([], 0)] as [([String], Int32)] {
            let run = try TraceTests.Run(["--x11"] + options, "\(Self.program) crash", records: false)
            #expect(run.status == status, "\(run.output)")
            #expect(run.output.contains(" crashed: SIGSEGV") == (status == 1), "\(run.output)")
        }
    }

    @Test(
        "an X11 program that is the command itself, and those that are ended with it",
        .enabled(if: Program.isInstalled("Xwayland")))
    func command() throws {
        let crash = try TraceTests.Run(["--x11", "--strict"], "unset CTL; exec \(Self.program) crash")
        #expect(crash.status == 128 + SIGSEGV, "\(crash.output)")
        #expect(try crash.report.findings.map(\.kind) == ["crash", "status"])
        let left = try TraceTests.Run(
            ["--x11"], "ctl=$CTL; unset CTL; \(Self.program) stay & $ctl wait window visible timeout=60s")
        #expect(left.status == 0, "\(left.output)")
        #expect(try left.report.findings.map(\.kind) == ["leak"])
        #expect(try left.report.clients.first { $0.x11 == true }?.signal == Int(SIGTERM))
    }
}
