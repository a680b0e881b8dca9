// mullion-xvfb-run is used like xvfb-run, and ends like it.

import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// One test at a time, because the default display is the same for all.
@Suite(.serialized, .enabled(if: XvfbRun.isPossible, "needs Xwayland, xdpyinfo, xauth and the display :99"))
struct XvfbRunTests {
    private let run: XvfbRun

    init() throws { run = try XvfbRun() }

    // MARK: Beside xvfb-run

    /// Words after xvfb-run, with a server number that no other line has: the real one does not wait for its server's end.
    private static let lines = [
        "--no-such-option true", "", "''", "-n", "-h | head -n 1", "no-such-command", "/etc/passwd", "sh -c 'exit 7'",
        "sh -c 'kill -KILL $$'", "sh -c 'kill -TERM $$'", "-s '-screen 0 640x480' true", "-s -no-such-argument true",
        "-n letters true", "-e /no/such/folder true", "-f /no/such/folder true", "--auto -- false",
        "--server-n 120 cat <&-", "-n 121 cat <<<text", "-n 122 sh -c 'echo $DISPLAY; xauth list | cut -d \" \" -f 1'",
        "-n 123 -f own sh -c 'echo $XAUTHORITY; xauth list | wc -l'; xauth -f own list; ls own",
        "-n 124 -s '-screen 0 640x480x24 -ac' sh -c 'XAUTHORITY= xdpyinfo | grep dimensions | cut -d \" \" -f 7'",
        "-n 125 env | grep -v -e ^XAUTHORITY= -e ^_= | sort",
        "-n 126 -e log true; test -e log", "-n 129 sh -c 'echo words >&2; ls /proc/$$/fd' 2>errors; cat errors",
        "-n 130 sh -c 'echo words' >&-", "-w 3 --wait=4 -an 127 sh -c 'echo $DISPLAY'",
        "-n 128 sh -c \"$0 -n 128 true; echo \\$?; $0 -an 128 sh -c 'echo \\$DISPLAY'\"",
    ]

    @Test(
        "standard output and exit status are those of xvfb-run", .enabled(if: Program.isInstalled("xvfb-run")),
        arguments: lines)
    func besides(line: String) throws {
        let ours = try run.run("BASH_ARGV0=xvfb-run; { xvfb-run \(line); } 2>/dev/null", ["WAYLAND_DISPLAY": "other"])
        let other = try XvfbRun()
        let theirs = try other.run("set -- $(type -aP xvfb-run); BASH_ARGV0=$2; { $2 \(line); } 2>/dev/null")
        #expect(ours.output.replacing(run.folder, with: "") == theirs.output.replacing(other.folder, with: ""))
        #expect(ours.status == theirs.status)
    }

    // MARK: Refusals

    @Test(
        "a mistake has an error that names it",
        arguments: [
            ("-s '-screen 0 640x480' true", 1, "-screen 0 640x480: use -screen 0 WIDTHxHEIGHTxDEPTH"),
            ("-s '-fbdir .' true", 1, "-fbdir: Xwayland cannot do that"), ("-s -elephant true", 1, "-elephant"),
            ("-s '-screen 0 99999x9x24' true", 1, "99999x9"), ("-n letters true", 1, "letters is no server number"),
            ("-n 120 sh -c 'xvfb-run -n 120 true'", 1, "server number 120 is taken by process "),
            ("--wrong true", 1, "unrecognized option '--wrong'"), ("-a", 2, "need a command to run"),
        ] as [(String, Int32, String)])
    func mistakes(line: String, status: Int32, text: String) throws {
        let result = try run.run("xvfb-run \(line)")
        #expect(result.status == status && result.output.contains(text), "\(result)")
    }

    @Test(
        "when the X server cannot start, nothing is left",
        arguments: ["-f /no/such/folder/keys", "-a -n 0121 -f /no/such/folder/keys", "-s -elephant"])
    func unstarted(options: String) throws {
        let temporary = run.links + "/../temporary"
        try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: true)
        let result = try run.run("xvfb-run \(options) echo runs", ["TMPDIR": temporary])
        #expect(result.status == 1 && result.output.contains("the X server failed to start"), "\(result)")
        #expect(!result.output.contains("runs") && !result.output.contains("unbound"), "\(result)")
        #expect(try left() == "")
    }

    @Test("a number may begin with zeros")
    func zeros() throws {
        #expect(try run.run("xvfb-run -n 0128 sh -c 'xdpyinfo >/dev/null && echo $DISPLAY'").output == ":128\n")
    }

    @Test("what a screen cannot have is named, and the command runs")
    func notes() throws {
        let result = try run.run("xvfb-run -s '-screen 0 320x240x8 -screen 1 640x480x24 -reset' echo runs")
        #expect(result.status == 0 && result.output.hasSuffix("\nruns\n"), "\(result)")
        #expect(result.output.contains("-screen 0 320x240x8: the screen has a depth of 24"), "\(result)")
        #expect(result.output.contains("-screen 1 640x480x24: left out"), "\(result)")
        #expect(result.output.contains("-reset: left out"), "\(result)")
    }

    @Test("without Xwayland the error names the packages; a file with other keys needs xauth, an empty one does not")
    func missing() throws {
        for program in ["getopt", "readlink"] { try run.link("/usr/bin/" + program, as: "few/" + program) }
        let few = "PATH=\(run.folder)/few \(run.links)/xvfb-run"
        let none = try run.run("\(few) true")
        let packages = ["xwayland of Debian and Ubuntu", "xorg-x11-server-Xwayland of Fedora", "xorg-xwayland of Arch"]
        #expect(none.status == 1 && packages.allSatisfy(none.output.contains), "\(none)")
        let programs = [
            "Xwayland", "setsid", "mktemp", "od", "ln", "rm", "sed", "cat", "sh", "xkbcomp", "xdpyinfo", "grep", "stat",
        ]
        for program in programs { try run.link("/usr/bin/" + program, as: "few/" + program) }
        try run.link(Programs.shipped + "/mulliond", as: "few/mulliond")
        let other = try run.run("echo other >keys; \(few) -f keys true; status=$?; cat keys; exit $status")
        #expect(other.status == 3 && other.output.hasPrefix("xvfb-run: error: xauth command not found"), "\(other)")
        #expect(other.output.hasSuffix("\nother\n"))
        let empty = try run.run("\(few) -f new sh -c 'xdpyinfo | grep name; stat -c %a-%s new'; stat -c %s new")
        #expect(empty.output.hasPrefix("name of display:    :99\n600-"), "\(empty)")
        #expect(empty.output.hasSuffix("\n0\n"), "\(empty)")
    }

    // MARK: Ends

    /// What is left: processes, files and the display.
    private func left() throws -> String {
        try run.run(
            """
            ls -d /tmp/.X99-lock /tmp/.X11-unix/X99 "$TMPDIR"/* 2>/dev/null
            for process in /proc/[0-9]*; do tr '\\0' ' ' <$process/cmdline | grep "$TMPDIR/mullion-xvfb-run"; done 2>/dev/null
            """, ["TMPDIR": run.links + "/../temporary"]
        ).output
    }

    /// Starts a command with the temporary folder that `left` looks into, and waits until it has written a line.
    private func started(_ command: String, _ fixture: ServerFixture) throws -> Program {
        let temporary = run.links + "/../temporary"
        try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: true)
        let program = try run.start("exec xvfb-run sh -c '\(command)'", ["TMPDIR": temporary])
        try fixture.wait(for: "its start", seconds: 60) { program.readOutput().contains("\n") }
        return program
    }

    @Test("nothing is left when it has ended")
    func end() throws {
        let fixture = try ServerFixture()
        let program = try started("echo runs", fixture)
        try fixture.wait(for: "its end") { !program.isRunning }
        #expect(try left() == "")
    }

    @Test(
        "the command receives signals, and decides about the exit status",
        arguments: [SIGHUP, SIGINT, SIGTERM, SIGUSR1])
    func signals(signal: Int32) throws {
        let fixture = try ServerFixture()
        let program = try started("trap \"exit 5\" \(signal); echo runs; while :; do sleep 0.1; done", fixture)
        program.kill(signal)
        try fixture.wait(for: "its end") { !program.isRunning }
        #expect(program.exitStatus == 5, "\(program.readOutput())")
        #expect(try left() == "")
    }

    @Test("a command that a signal ends has the status of a shell", arguments: [SIGTERM, SIGQUIT])
    func signalled(signal: Int32) throws {
        let fixture = try ServerFixture()
        let program = try started("echo runs; exec sleep 1000", fixture)
        program.kill(signal)
        try fixture.wait(for: "its end") { !program.isRunning }
        #expect(program.exitStatus == 128 + signal, "\(program.readOutput())")
        #expect(try left() == "")
    }

    @Test("when it is killed, the command and the servers end, and nothing is left")
    func killed() throws {
        let fixture = try ServerFixture()
        let command = "trap \"echo ended >ended; exit\" TERM; echo runs; while :; do sleep 0.1; done"
        let program = try started(command, fixture)
        program.kill(SIGKILL)
        try fixture.wait(for: "the end of all") { try left() == "" }
        try fixture.wait(for: "the end of the command") { access(run.work + "/ended", F_OK) == 0 }
    }

    /// Files that appear while it starts, in this order; relative ones are in the folder of the servers.
    private static let signs = ["/", "", "mullion.json5", "wayland-0", "/tmp/.X99-lock", "/tmp/.X11-unix/X99"]

    @Test("when it is killed while it starts, nothing is left", arguments: signs)
    func killedEarly(sign: String) throws {
        let fixture = try ServerFixture()
        let temporary = run.links + "/../temporary"
        try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: true)
        let program = try run.start("exec xvfb-run sleep 1000", ["TMPDIR": temporary])
        try fixture.wait(for: sign, seconds: 60) {
            let folders = try FileManager.default.contentsOfDirectory(atPath: temporary).map { "\(temporary)/\($0)/" }
            return (sign.hasPrefix("/") ? [""] : folders).contains { access($0 + sign, F_OK) == 0 }
        }
        program.kill(SIGKILL)
        try fixture.wait(for: "the end of all", seconds: 60) { try left() == "" }
    }

    @Test("20 of them start at the same time, each with a display of its own")
    func many() throws {
        let command = "xvfb-run -a sh -c 'xdpyinfo >/dev/null && echo $DISPLAY'"
        let result = try run.run("for i in {1..20}; do \(command) & done; wait")
        let displays = result.output.split(separator: "\n")
        #expect(displays.count == 20 && Set(displays).count == 20, "\(result)")
        #expect(displays.allSatisfy { $0.hasPrefix(":") }, "\(result)")
    }

    // MARK: Programs

    @Test("the lock file of a server that was killed is in nobody's way")
    func staleLock() throws {
        let result = try run.run(
            """
            sh -c 'printf "%10d\\n" $$ >/tmp/.X99-lock'
            xvfb-run sh -c 'xdpyinfo | grep "name of"'; ls /tmp/.X99-lock
            """)
        #expect(result.output.hasPrefix("name of display:    :99\nls: "), "\(result)")
    }

    @Test(
        "--wayland lets the command use the private server and mullionctl, which sees the X screen",
        .enabled(if: Program.isInstalled("foot")))
    func wayland() throws {
        let result = try run.run(
            """
            xvfb-run --wayland -s '-screen 0 700x500x24' sh -c '
                foot --title=wayland sleep 1000 &
                mullionctl wait window title=wayland visible timeout=60s >/dev/null
                mullionctl windows'
            """)
        #expect(result.output.contains("0,0 700×500") && result.output.contains("foot"), "\(result)")
    }

    @Test(
        "xdotool moves the pointer, clicks and types, and xclip copies",
        .enabled(if: ["xdotool", "xclip", "xterm"].allSatisfy(Program.isInstalled)))
    func input() throws {
        // For a character that the layout does not have, xdotool changes it for a moment, which a busy program misses.
        let result = try run.run(
            """
            xvfb-run -a sh -c '
                setxkbmap de
                xterm -T typing -geometry 80x24+0+0 -e sh -c "read line; echo \\$line >typed" &
                xdotool search --sync --onlyvisible --name typing >/dev/null
                xdotool mousemove 100 100 click 1 type "hello, Wörld"
                xdotool key Return
                wait
                cat typed
                echo copied | xclip -selection clipboard
                xclip -selection clipboard -o
            '
            """, ["LANG": "C.UTF-8"])
        #expect(result.output.contains("hello, Wörld\ncopied\n"), "\(result)")
    }

    private static let tools = ["import", "scrot", "xwd", "xsetroot", "xlogo", "ffmpeg", "java", "ecj"]

    @Test(
        "import, xwd, scrot, ffmpeg, Java's Robot and mullionctl see the same screen, with what a program shows",
        .enabled(if: tools.allSatisfy(Program.isInstalled)))
    func pictures() throws {
        let compiler = ToolkitProgram.javaCompiler.joined(separator: " ")
        let compiled = try run.run("java \(compiler) -d . \(XvfbRun.programs)/RobotProgram.java")
        try #require(compiled.status == 0, "\(compiled)")
        let script = "\(XvfbRun.programs)/xvfb_pictures.sh \(run.work)"
        let result = try run.run(
            "xvfb-run --wayland -s '-screen 0 640x480x24' \(script) 2>errors; cat errors >&2")
        let pixels = ["10,10 20 30 40", "52,62 ff 80 00", "349,259 ff 80 00", "352,262 20 30 40"]
        let same = ["xwd", "scrot", "x11grab", "robot", "screen"].map { "\($0) same" }
        #expect(result.output.hasPrefix((pixels + same).joined(separator: "\n") + "\n"), "\(result)")
    }

    // MARK: Public projects

    @Test("a command line of a public project runs unchanged", arguments: try XvfbInvocation.all())
    func invocation(_ invocation: XvfbInvocation) throws {
        let record = run.folder + "/record"
        if let program = invocation.program {
            for folder in ["bin", "work"] {
                try run.link(XvfbRun.programs + "/xvfb_command.sh", as: "\(folder)/\(program)")
            }
        }
        try FileManager.default.createDirectory(atPath: run.work + "/testdir", withIntermediateDirectories: true)
        let result = try run.run(
            "\(invocation.line)\nstatus=$?; wait; exit $status",
            XvfbInvocation.environment.merging(["RECORD": record, "STAND_INS": run.links]) { $1 })
        let seen = try? String(contentsOfFile: record, encoding: .utf8)
        if let refused = invocation.refused {
            #expect(result.status == 1 && result.output.contains(" \(refused): ") && seen == nil, "\(result)")
        } else {
            #expect(result.status == 0 && invocation.matches(seen ?? ""), "\(seen ?? "") \(result)")
        }
    }
}
