// mullionctl scenario: programs that it starts, and their end.

import FoundationEssentials
import Glibc
import TestSupport
import Testing

@Suite struct ScenarioStartTests {
    private let workshop: Workshop
    private let loop: ServerFixture

    init() throws {
        workshop = try Workshop()
        loop = try ServerFixture(screens: [])
        for gate in ["trap1", "trap2", "trap3", "never", "crash"] { try workshop.makeGate(gate) }
    }

    private static let server = "server: { screens: ['64x48,name=A'] }, "

    private func file(_ steps: String, server: String = server, name: String = "x.json5") throws -> String {
        try workshop.write("{ name: 'x', \(server)steps: [\(steps)] }", to: name)
    }

    private func run(_ steps: String, _ words: String..., server: String = server) throws -> (
        status: Int32, output: String
    ) {
        let program = try workshop.start(["scenario", try file(steps, server: server)] + words)
        let output = program.outputAtEnd()
        return (program.exitStatus ?? -1, output)
    }

    /// Steps that wait until a program writes to a FIFO.
    private static func waiting(for gate: String) -> String {
        "{ start: { name: 'waiting', command: ['sh', '-c', 'read x <\(gate)'], directory: '.' } }, "
            + "{ stop: { name: 'waiting', status: 0, timeout: '60s' } }"
    }

    private func sh(_ script: String, _ more: String = "") -> String {
        "{ start: { name: 'p', command: ['sh', '-c', \"\(script)\"]\(more) } }"
    }

    // MARK: The server

    @Test("screens that do not exist are mistakes of the file, reported with the others at their places")
    func mistakenScreens() throws {
        let server = "server: { screens: ['9x9,name=A', 'nosuch', '9x9,name=A', '8x8,y=2'], clock: 'manual' },\n"
        for words in [[], ["--check"]] {
            let program = try workshop.start(
                ["scenario", try file("{ clam: 1 }, { wait: '10' }", server: server)] + words)
            let output = program.outputAtEnd()
            let lines = output.split(separator: "\n").map {
                $0.dropFirst("mullionctl: \(workshop.folder)/x.json5:".count)
            }
            #expect(program.exitStatus == 3 && lines.count == 5, "\(output)")
            let beginnings = [
                "1:48: server.screens[1]: S1 (screen properties): \"nosuch\" is not a display model; use ",
                "1:58: server.screens[2]: S1 (screen properties): a screen named A is already plugged in; use another",
                "1:72: server.screens[3]: S1 (screen properties): there is no key y; keys are ",
                "2:11: step 1: unknown key \"clam\"",
                "2:24: step 2: wait: \"10\" is not a condition to wait for",
            ]
            #expect(zip(lines, beginnings).allSatisfy { $0.hasPrefix($1) }, "\(output)")
        }
        #expect(workshop.files("tmp").isEmpty)
    }

    // MARK: Running

    @Test("programs get the server's environment, variables and a directory; their output is shown with their names")
    func environment() throws {
        _ = try workshop.write("here", to: "sub/note")
        let script =
            "echo $WAYLAND_DISPLAY; echo $A-$B; cat note; echo; test -S $XDG_RUNTIME_DIR/$WAYLAND_DISPLAY && echo socket >&2"
        let result = try run(
            "\(sh(script, ", directory: 'sub', environment: { A: 'a', B: 2, TMPDIR: null }")), { stop: { name: 'p', status: 0 } }"
        )
        #expect(result.status == 0, "\(result.output)")
        for line in ["p: wayland-0", "p: a-2", "p: here", "p: socket", "1/2 start p", "2/2 stop p", "x: as expected"] {
            #expect(result.output.split(separator: "\n").contains { $0 == line }, "\(line): \(result.output)")
        }
        #expect(workshop.processes.isEmpty && workshop.files("tmp").isEmpty)
    }

    @Test("a real program shows a window, which is gone when it is stopped, and a second one ends with the scenario")
    func window() throws {
        let result = try run(
            """
            { start: ["foot", "--config=/dev/null", "--log-level=none", "--title=one", "sleep", "1000"] },
            { wait: { window: { title: "one", visible: true }, timeout: "20s" } },
            { expect: { hits: { x: 5, y: 5, window: "one" } } },
            { stop: "foot" },
            { wait: { gone: { title: "one" } } },
            { start: { command: ["foot", "--config=/dev/null", "--log-level=none", "--title=two", "sleep", "1000"], name: "b" } },
            { wait: { window: { title: "two", visible: true }, timeout: "20s" } }
            """, server: "server: { screens: ['320x200'], profile: 'none' }, ")
        #expect(
            result.status == 0 && result.output.hasSuffix("7/7 wait for window title=two visible\nx: as expected\n"))
        #expect(workshop.processes.isEmpty)
    }

    @Test("a program on a running server gets that server's display, whatever the caller's is")
    func runningServer() throws {
        let path = try file(
            sh("echo $WAYLAND_DISPLAY $GDK_BACKEND; test -S $WAYLAND_DISPLAY && echo socket")
                + ", { stop: { name: 'p', status: 0 } }", server: "")
        let script = """
            ctl run --screen 64x48 -- sh -c 'echo $XDG_RUNTIME_DIR >folder; \
            unset XDG_RUNTIME_DIR; export WAYLAND_DISPLAY=wayland-9 GDK_BACKEND=x11; \
            "$0" --control $(cat folder)/mullion/control.sock scenario "$1"' '\(Workshop.programs)/mullionctl' '\(path)'
            """
        let result = try workshop.shell(script)
        let folder = workshop.bytes("folder").map { String(decoding: $0.dropLast(), as: UTF8.self) } ?? ""
        #expect(result.status == 0 && !folder.isEmpty, "\(result)")
        let lines = result.output.split(separator: "\n")
        #expect(lines.contains("p: \(folder)/wayland-0") && lines.contains("p: socket"), "\(result)")
        #expect(workshop.processes.isEmpty && workshop.files("tmp").isEmpty)
    }

    @Test("the keys of \"server\": a profile, X11 and accessibility")
    func server() throws {
        let step = sh("echo $GSETTINGS_BACKEND-$DISPLAY-$QT_ACCESSIBILITY-") + ", { stop: { name: 'p', status: 0 } }"
        for (server, expected) in [
            ("profile: 'none'", "p: ---\n"), ("profile: 'tests', x11: false", "p: keyfile---\n"),
            ("profile: 'none', accessibility: true", "p: --1-\n"),
        ] {
            let result = try run(step, server: "server: { screens: ['64x48'], \(server) }, ")
            #expect(result.status == 0 && result.output.contains(expected), "\(server): \(result)")
        }
        let x11 = try run(step, server: "server: { screens: ['64x48'], profile: 'none', x11: true }, ")
        #expect(x11.status == 0 && x11.output.contains("p: -:"), "\(x11)")
        let wrong = try run("", server: "server: { profile: 'test', x11: 1, accessibility: 'yes', mode: 1 }, ")
        for mistake in [
            ":1:24: server.profile: \"test\" is not a profile; use \"tests\" or \"none\"",
            ":1:41: server.x11: 1 is not a boolean; use true or false",
            ":1:49: server.accessibility: \"yes\" is not a boolean; use true or false",
            ":1:71: server: unknown key \"mode\"; use one of accessibility, clock, profile, screens, x11",
        ] {
            #expect(wrong.status == 3 && wrong.output.contains(mistake), "\(wrong)")
        }
    }

    // MARK: Failures

    @Test("a program that cannot be started, or ends otherwise than expected, fails its step")
    func failures() throws {
        for (steps, reason) in [
            (
                "{ start: 'no-such-program' }",
                "step 1 of 1 (start no-such-program): program no-such-program: expected to start, seen no-such-program: "
                    + "No such file or directory"
            ),
            (
                "{ start: './none' }",
                "program none: expected to start, seen \(workshop.folder)/./none: No such file or directory"
            ),
            (
                "{ start: { command: 'sh', directory: 'none' } }",
                "seen sh: its directory \(workshop.folder)/none cannot be entered"
            ),
            (
                "\(sh("echo one; echo two; exit 3")), { stop: { name: 'p', status: 0 } }",
                "step 2 of 2 (stop p): program p: expected to end with exit status 0, seen ended with exit status 3; its last "
                    + "messages: one | two"
            ),
            (
                "\(sh("exec sleep 1000")), { stop: { name: 'p', status: 0, timeout: '100ms' } }",
                "program p: expected to end by itself within 0.1 s, seen it runs"
            ),
            (
                "\(sh("trap '' TERM; echo ready; echo >trap1; exec sleep 1000", ", directory: '.'")), "
                    + "\(Self.waiting(for: "trap1")), { stop: { name: 'p', timeout: '200ms' } }",
                "program p: expected to end within 0.2 s after SIGTERM, seen it runs; its last messages: ready"
            ),
            (
                "\(sh("trap 'echo ending; kill -SEGV $$' TERM; exec 9<>never; echo >trap2; read x <&9", ", directory: '.'")), "
                    + "\(Self.waiting(for: "trap2")), { stop: 'p' }",
                "step 4 of 4 (stop p): program p: expected to run, seen ended by SIGSEGV (a segmentation fault); its last "
                    + "messages: ending"
            ),
            // What explains a failure of another step.
            (
                "\(sh("echo cannot open display >&2; exit 1")), { expect: { window: { title: 'w' }, within: '1s' } }",
                "window w: expected to exist, seen it does not; program p has ended with exit status 1; its last messages: "
                    + "cannot open display"
            ),
        ] {
            let result = try run(steps)
            #expect(result.status == 1 && result.output.contains(reason + "\n"), "\(steps): \(result.output)")
            #expect(workshop.processes.isEmpty && workshop.files("tmp").isEmpty, "\(steps)")
        }
        let stopped = try run("\(sh("exec sleep 1000")), { stop: 'p' }, \(sh("exit 0")), { stop: 'p' }")
        #expect(stopped.status == 0, "\(stopped)")
    }

    @Test(
        "a program that crashes fails the scenario at once, with its name, signal and last messages",
        arguments: [
            "{ wait: '3600s' }", "{ wait: { widget: { role: 'button' }, timeout: '600s' } }", "{ pause: 'long' }",
            "{ start: { command: ['sleep', '1000'], name: 'q' } }, { stop: { name: 'q', status: 0, timeout: '600s' } }",
        ])
    func crash(step: String) throws {
        let crashing = sh(
            "echo before; read x <crash; echo the end >&2; kill -SEGV $$", ", directory: '.'"
        )
        let needsBus = step.contains("widget")
        let path = try file(
            "\(crashing), \(step)",
            server: needsBus ? "server: { screens: ['64x48'], accessibility: true }, " : Self.server)
        /// Runs the scenario, and has the program crash when all steps before the last one are done.
        func run(_ words: String...) throws -> (status: Int32?, output: String) {
            let program = try workshop.start(["scenario", path] + words)
            try loop.wait(for: "the last step: \(program.readOutput())", seconds: 60) {
                program.readOutput().contains(step.contains("start:") ? "start q" : "start p") || !program.isRunning
            }
            try workshop.release("crash", loop)
            let output = program.outputAtEnd()
            return (program.exitStatus, output)
        }
        let result = try run()
        let reason =
            "program p: expected to run, seen ended by SIGSEGV (a segmentation fault); its last messages: before | the end\n"
        #expect(result.status == 1 && result.output.hasSuffix(reason), "\(result.output)")
        #expect(result.output.contains("p: before\n") && result.output.contains("x.json5: step "), "\(result.output)")
        #expect(workshop.processes.isEmpty && workshop.files("tmp").isEmpty)
        guard step.contains("3600") else { return }
        let json = try run("--json").output.split(separator: "\n").first {
            $0.contains("place")
        }
        #expect(json?.contains("\"index\":1,\"place\":\"program p\"") == true, "\(json ?? "")")
    }

    // MARK: The end

    /// The server that mullionctl uses by default.
    private func startServer() throws -> Program {
        let configuration = try workshop.write("{}", to: "mullion.json5")
        let server = try Program(
            "\(Workshop.programs)/mulliond",
            ["--config", configuration, "--screen", "64x48", "--state", "none"],
            environment: ["XDG_RUNTIME_DIR": workshop.folder])
        try loop.wait(for: "the server") { workshop.files("mullion").contains("control.sock") }
        return server
    }

    /// A program that ignores SIGTERM, and one that it has started in a session of its own.
    private static let stubborn =
        "{ start: { name: 'p', directory: '.', command: ['sh', '-c', "
        + "\"trap '' TERM; setsid sleep 1000 & echo ready; echo >trap3; exec sleep 1000\"] } }"

    @Test("what ignores SIGTERM is killed after the patience, and what it has started too")
    func stubborn() throws {
        let result = try run("\(Self.stubborn), \(Self.waiting(for: "trap3"))")
        #expect(result.status == 0, "\(result.output)")
        #expect(workshop.processes.isEmpty && workshop.files("tmp").isEmpty)
    }

    @Test(
        "a signal in the middle ends mullionctl and everything it started, on a private and on a running server",
        arguments: [SIGTERM, SIGINT, SIGHUP, SIGKILL], [true, false])
    func signals(signal: Int32, isPrivate: Bool) throws {
        let server = try startServer()
        let path = try file(Self.stubborn + ", { wait: '3600s' }", server: isPrivate ? Self.server : "")
        let program = try workshop.start(["scenario", path])
        try loop.wait(for: "its program") { program.readOutput().contains("p: ready") }
        #expect(workshop.processes.count >= 4)
        program.kill(signal)
        try loop.wait(for: "its end", seconds: 60) { !program.isRunning }
        let expected = signal == SIGKILL ? -1 : 128 + signal
        #expect(program.exitStatus == expected, "\(program.readOutput())")
        // What SIGKILL leaves ends a little later.
        #expect(signal == SIGKILL || workshop.processes.isEmpty)
        try loop.wait(for: "the end of its programs") { workshop.processes.isEmpty }
        try loop.wait(for: "the end of its folders") { workshop.files("tmp").isEmpty }
        server.kill(SIGTERM)
        try loop.wait(for: "the server's end") { !server.isRunning }
    }

    @Test("the server's end ends the scenario and its programs")
    func serverEnds() throws {
        let server = try startServer()
        let program = try workshop.start([
            "scenario", try file(sh("echo ready; exec sleep 1000") + ", { wait: '3600s' }", server: ""),
        ])
        try loop.wait(for: "its program") { program.readOutput().contains("p: ready") }
        server.kill(SIGKILL)
        try loop.wait(for: "its end", seconds: 30) { !program.isRunning }
        #expect(program.exitStatus == 1 && program.readOutput().contains("x.json5: "), "\(program.readOutput())")
        #expect(workshop.processes.isEmpty && workshop.files("tmp").isEmpty)
    }

    // MARK: Mistakes

    private static let mistaken: [(steps: String, mistakes: [String])] = [
        (
            "{ start: [] }, { start: [''] }, { start: 5 }, { start: { name: 'a' } },\n"
                + "{ start: { command: 'a', enviroment: {} } }, { start: { command: 'b', name: '', environment: { 'A=': 1, B: [] } } }",
            [
                "1:63: step 1: start: [] is not a command; use \"foot\", [\"foot\", \"--title=x\"] or { command: [\"foot\"], "
                    + "name: \"terminal\" }",
                "1:78: step 2: start: [\"\"] is not a command", "1:95: step 3: start: 5 is not a command",
                "1:109: step 4: start: \"command\", the program and its arguments, is missing",
                "2:26: step 5: start: unknown key \"enviroment\"; use one of command, directory, environment, name",
                "2:71: step 6: start.name: \"\" is not a name", "2:96: step 6: start.environment: \"A=\" is not a name",
                "2:105: step 6: start.environment.B: [] is not a text; use null to remove the variable",
            ]
        ),
        (
            "{ start: 'a' }, { start: 'a' }, { stop: 'a' }",
            ["1:79: step 2: start: \"a\" runs already; use another \"name\", or stop it before"]
        ),
        (
            "{ start: 'a' }, { stop: 'b' }",
            ["1:79: step 2: stop: \"b\" is not a program that runs at this step; use a"]
        ),
        (
            "{ start: 'a' }, { stop: 'a' }, { stop: 'a' }",
            ["1:94: step 3: stop: \"a\" is not a program that runs at this step; start it first"]
        ),
        (
            "{ start: 'a' }, { stop: { name: 'a', status: 256 } }, { stop: { name: 5, timeout: '11m' } }",
            [
                "1:98: step 2: stop.status: 256 is not an exit status; use 0 to 255",
                "1:125: step 3: stop.name: 5 is not the name of a program",
                "1:134: step 3: stop.timeout: \"11m\" is not a duration; use 500ms or 1.5s, at most 600s",
            ]
        ),
        (
            "{ widget: { click: { role: 'buton' }, type: {} } }, { widget: { poke: {} } }, { widget: { type: { name: 'a' } } },\n"
                + "{ widget: { scroll: { role: 'list' } } }, { widget: { click: {} } }, { widget: { click: { rol: 1, enabled: 1 } } }",
            [
                "1:63: step 1: widget: use exactly one of click, scroll and type, as in { click: { role: \"button\", name: "
                    + "\"Save\" } }",
                "1:125: step 2: widget: unknown key \"poke\"; use one of click, scroll, type",
                "1:151: step 3: widget.type: \"text\", what is typed, is missing",
                "2:13: step 4: widget.scroll: \"dx\" or \"dy\", the distance in points, is missing",
                "2:55: step 5: widget.click: \"role\" or \"name\" of the widget is missing",
                "2:91: step 6: widget.click: unknown key \"rol\"; use one of ",
                "2:99: step 6: widget.click.enabled: 1 is not a boolean; use true or false",
            ]
        ),
        (
            "{ widget: { click: { name: 'a', button: 'bogus', duration: 'x' } } }, { widget: { click: { name: 'a', button: -1, duration: -1 } } },\n"
                + "{ widget: { scroll: { name: 'a', dx: 'x', dy: 1, source: 'hand' } } }, { widget: { type: { name: 'a', text: 'x', seat: 5 } } },\n"
                + "{ widget: { click: { name: 'a', button: 272, duration: 600000 } } }, { widget: { click: { name: 'a', button: 'right', duration: 600001 } } }",
            [
                "1:93: step 1: widget.click.button: \"bogus\" is not a button; use an evdev code or one of left, right, "
                    + "middle, side, extra",
                "1:110: step 1: widget.click.duration: \"x\" is not a number of milliseconds; use 0 to 600000",
                "1:163: step 2: widget.click.button: -1 is not a button",
                "1:175: step 2: widget.click.duration: -1 is not",
                "2:34: step 3: widget.scroll.dx: \"x\" is not a number",
                "2:50: step 3: widget.scroll.source: \"hand\" is not a source; use one of wheel, finger, continuous",
                "2:114: step 4: widget.type.seat: 5 is not the name of a seat; use a string",
                "3:119: step 6: widget.click.duration: 600001 is not a number of milliseconds",
            ]
        ),
        (
            "{ wait: { widget: { role: 'buton' }, timeout: '1h' } }, { wait: { widget: {}, text: 'a' } }, { wait: { widget: {}, idle: true } },\n"
                + "{ expect: { widget: { name: 'a', text: '/(/' } } }, { expect: { widget: [], key: 'a' } }, { wait: { text: '/(/' } }",
            [
                "1:81: step 1: wait.widget.role: \"buton\" is not a role; use button",
                "1:98: step 1: wait.timeout: \"1h\" is not a duration",
                "1:119: step 2: wait: use \"widget\" or \"text\", each in a step of its own",
                "1:176: step 3: wait: unknown key \"idle\"; use one of text, timeout, widget",
                "2:34: step 4: expect.widget.text: \"/(/\" is not a pattern",
                "2:65: step 5: expect.widget: no widget is expected",
                "2:77: step 5: expect: \"widget\" is expected by itself",
                "2:101: step 6: wait.text: \"/(/\" is not a pattern",
            ]
        ),
    ]

    @Test("each mistake of a step that mullionctl performs has its exact place", arguments: mistaken.indices)
    func mistakes(index: Int) throws {
        let (steps, expected) = Self.mistaken[index]
        let result = try run(steps)
        let lines = result.output.split(separator: "\n").map(String.init)
        #expect(result.status == 3 && lines.count == expected.count, "\(result.output)")
        for (line, start) in zip(lines, expected) {
            #expect(line.hasPrefix("mullionctl: \(workshop.folder)/x.json5:\(start)"), "\(line)\n\(start)")
        }
    }
}
