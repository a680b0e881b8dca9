// However mullionctl run ends, nothing of it is left.

import FoundationEssentials
import Glibc
import TestSupport
import Testing

@Suite(.startsShippedServer) struct RunEndTests {
    /// What ends a run, and its exit status; -1 when a signal ended it.
    enum End: CaseIterable, CustomTestStringConvertible {
        case commandEnds, commandCrashes, timeout, serverCrashes
        case serverStopped, serverStoppedTerminated, serverStoppedKilled
        case terminated, interrupted, hungUp, quit, keyboard, groupHungUp, ignored
        case killed, killedIgnored, groupKilled, keeperKilled, keeperStopped
        case x11Ends, x11Killed, x11KeeperKilled

        var testDescription: String { "\(self)" }

        /// How the command behaves.
        var mode: String {
            switch self {
            case .commandEnds, .x11Ends: "end"
            case .commandCrashes: "crash"
            case .ignored, .killedIgnored: "ignore"
            case .serverStopped, .serverStoppedTerminated, .serverStoppedKilled: "stopServer"
            default: ""
            }
        }

        var status: Int32 {
            switch self {
            case .commandEnds, .x11Ends: 7
            case .commandCrashes: 128 + SIGSEGV
            case .timeout, .serverStopped: 124
            case .serverCrashes: 125
            case .terminated, .serverStoppedTerminated: 128 + SIGTERM
            case .interrupted, .keyboard: 128 + SIGINT
            case .hungUp, .groupHungUp: 128 + SIGHUP
            case .quit: 128 + SIGQUIT
            case .ignored, .keeperKilled, .x11KeeperKilled: 128 + SIGKILL
            case .killed, .killedIgnored, .groupKilled, .keeperStopped, .serverStoppedKilled, .x11Killed: -1
            }
        }

        /// Of run; DIR is a folder.
        var options: [String] {
            switch self {
            // Python must have started by then.
            case .timeout: ["--timeout", "10"]
            case .serverStopped: ["--timeout", "10", "--artifacts", "DIR"]
            case .serverStoppedTerminated, .serverStoppedKilled: ["--artifacts", "DIR"]
            case .x11Ends, .x11Killed, .x11KeeperKilled: ["--x11"]
            default: []
            }
        }

        var usesX11: Bool { options == ["--x11"] }

        /// The longest time to the end, in seconds.
        var patience: Double {
            // It gives programs half a second, instead of five.
            self == .serverStoppedKilled ? 4 : 60
        }
    }

    /// A run with marked processes, in a session of its own. The command uses the accessibility bus.
    private struct Run {
        static let hasServices =
            Program.isInstalled("dbus-daemon") && Program.isInstalled("dbus-send")
            && RunEnvironmentTests.hasAccessibility

        let fixture: ServerFixture
        let folder: String
        let program: Program
        let mark: String

        init(_ end: End) throws {
            fixture = try ServerFixture(screens: [])
            folder = try fixture.runtimeDirectory() + "/run"
            mkdir(folder, 0o700)
            mark = "MULLION_TEST_MARK=\(folder)"
            let name = folder + "-begun"
            let script = "\(#filePath.dropLast("ReleaseTests/RunEndTests.swift".count))Programs/process_tree.py"
            var options = end.options.map { [folder] in $0 == "DIR" ? folder + "-artifacts" : $0 }
            if Self.hasServices { options += ["--accessibility"] }
            program = try Program(
                "setsid",
                [Programs.shipped + "/mullionctl", "run"] + options + ["--", "python3", script, name, end.mode],
                environment: ["TMPDIR": folder, "MULLION_TEST_MARK": folder])
            try fixture.wait(for: "the command; run says: \(program.readOutput())") {
                access(name, F_OK) == 0 || !program.isRunning
            }
            unlink(name)
            guard Self.hasServices, end != .timeout, ["", "ignore"].contains(end.mode) else { return }
            let names = processes.compactMap { try? String(contentsOfFile: "/proc/\($0)/comm", encoding: .utf8) }
            #expect(names.contains("at-spi2-registr\n"), "\(names); \(program.readOutput())")
        }

        /// The processes that have inherited the mark and are not zombies.
        var processes: [pid_t] {
            let entries = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
            return entries.compactMap { pid_t($0) }.filter { id in
                guard let data = FileManager.default.contents(atPath: "/proc/\(id)/environ") else { return false }
                return data.split(separator: 0).contains { $0.elementsEqual(mark.utf8) }
            }
        }

        /// The number of the X11 display of the command; nil: it has none.
        var display: Substring? {
            for process in processes {
                let variables = FileManager.default.contents(atPath: "/proc/\(process)/environ") ?? Data()
                for variable in variables.split(separator: 0) where variable.starts(with: "DISPLAY=:".utf8) {
                    return String(decoding: variable, as: UTF8.self).dropFirst("DISPLAY=:".count)
                }
            }
            return nil
        }

        func child(of parent: pid_t, named name: String) throws -> pid_t {
            let text = try String(contentsOfFile: "/proc/\(parent)/task/\(parent)/children", encoding: .utf8)
            let found = text.split(separator: " ").compactMap { pid_t($0) }.first {
                (try? String(contentsOfFile: "/proc/\($0)/comm", encoding: .utf8)) == name + "\n"
            }
            return try #require(found, "\(name) is not a child of \(parent)")
        }

        var keeper: pid_t { get throws { try child(of: program.pid, named: "mullion-run") } }
    }

    @Test(
        "mullionctl run leaves no process and no file, and ends with the right status", arguments: End.allCases)
    func end(_ end: End) throws {
        guard !end.usesX11 || Program.isInstalled("Xwayland") else { return }
        let run = try Run(end)
        let pid = run.program.pid
        // Where the display is released is not in the folder.
        let display = end.usesX11 && end != .x11Ends ? run.display : nil
        #expect(display != nil || !end.usesX11 || end == .x11Ends)
        let lock = display.map { DisplayLock($0) }
        switch end {
        case .x11Ends, .commandEnds, .commandCrashes, .timeout, .serverStopped: break
        case .serverCrashes: kill(try run.child(of: try run.keeper, named: "mulliond"), SIGKILL)
        case .terminated, .ignored, .serverStoppedTerminated: kill(pid, SIGTERM)
        case .interrupted: kill(pid, SIGINT)
        case .hungUp: kill(pid, SIGHUP)
        case .quit: kill(pid, SIGQUIT)
        case .keyboard: kill(-pid, SIGINT)
        case .groupHungUp: kill(-pid, SIGHUP)
        case .killed, .killedIgnored, .serverStoppedKilled, .x11Killed: kill(pid, SIGKILL)
        case .groupKilled: kill(-pid, SIGKILL)
        case .keeperKilled, .x11KeeperKilled: kill(try run.keeper, SIGKILL)
        case .keeperStopped:
            let keeper = try run.keeper
            kill(keeper, SIGSTOP)
            kill(pid, SIGKILL)
            kill(keeper, SIGCONT)
        }
        try run.fixture.wait(for: "the end of run") { !run.program.isRunning }
        try run.fixture.wait(for: "its processes \(run.processes) to end", seconds: end.patience) {
            run.processes.isEmpty
        }
        try run.fixture.wait(for: "its files to be removed") {
            try FileManager.default.contentsOfDirectory(atPath: run.folder).isEmpty
        }
        if let lock { try run.fixture.wait(for: "its display to be released") { lock.isReleased } }
        #expect(run.program.exitStatus == end.status, "\(run.program.readOutput())")
        if end == .timeout {
            let output = run.program.readOutput()
            #expect(output.contains("mullionctl: the command did not end within 10 s\nrunning:\n  python3 "))
            #expect(output.contains("screen 1 BUILTIN-1"), "\(output)")
        }
        if end == .serverStopped {
            let output = run.program.readOutput()
            #expect(output.contains("the server did not answer within 15 seconds"), "\(output)")
            let report = try String(contentsOfFile: run.folder + "-artifacts/trace.json", encoding: .utf8)
            #expect(report.contains("the server did not answer within 15 seconds"))
        }
    }

    @Test("a run whose time is up says what was waited for, and why in vain")
    func openWait() throws {
        let folder = try TemporaryFolder()
        let command = """
            $CTL claim title=Hello & $CTL wait window title=Helo timeout=600s & sh -c 'sleep 1000; :' 'a b' & wait
            """
        let program = try Program(
            Programs.shipped + "/mullionctl",
            ["run", "--timeout", "2s", "--junit", folder.path + "/result.xml", "--", "sh", "-c", command],
            environment: ["CTL": Programs.shipped + "/mullionctl"])
        let output = program.outputAtEnd()
        #expect(program.exitStatus == 124, "\(output)")
        let reason = "s: window title=Helo\n  no window has this title\n    window 1 \"Hello\" of mullionctl"
        #expect(output.contains("\nwaiting for ") && output.contains(reason), "\(output)")
        #expect(output.contains("  mullionctl wait window title=Helo timeout=600s ("), "\(output)")
        #expect(output.contains("  sh -c 'sleep 1000; :' 'a b' ("), "\(output)")
        let result = try String(contentsOfFile: folder.path + "/result.xml", encoding: .utf8)
        #expect(result.contains("within 2 s; window title=Helo: no window has this title"), "\(result)")
    }

    @Test(
        "Ctrl-C ends a run that is starting, and reaches the command once, wherever it is",
        arguments: [("starting", "130\n"), ("left", "130\n"), ("foreground", "9\nINT\nTERM\n")])
    func terminal(mode: String, expected: String) throws {
        let folder = try TemporaryFolder()
        let script = "\(#filePath.dropLast("ReleaseTests/RunEndTests.swift".count))Programs/terminal_keys.py"
        let program = try Program("python3", [script, mode, Programs.shipped + "/mullionctl", folder.path])
        #expect(program.outputAtEnd() == expected)
    }

    @Test("a server that does not start: 125, with its message")
    func noServer() throws {
        let fixture = try ServerFixture(screens: [])
        let folder = try fixture.runtimeDirectory()
        for (words, message) in [
            (["--screen", "nonsense"], "the server did not start"),
            (["--config", folder + "/missing.json5"], "missing.json5"),
        ] {
            let program = try Program(
                Programs.shipped + "/mullionctl", ["run"] + words + ["--", "true"], environment: ["TMPDIR": folder])
            let output = program.outputAtEnd()
            #expect(program.exitStatus == 125 && output.contains(message), "\(output)")
        }
    }

    @Test(
        "no process can be started: 125, and no folder is left",
        .enabled(if: Program.isInstalled("prlimit") && Program.isInstalled("setpriv"), "util-linux is installed"))
    func noProcess() throws {
        let folder = try TemporaryFolder()
        // Root has no limit: a user without processes, who may use all files.
        let user = ["--reuid", "12345", "--clear-groups", "--inh-caps=+dac_override", "--ambient-caps=+dac_override"]
        let words = (geteuid() == 0 ? ["setpriv"] + user : []) + ["prlimit", "--nproc=0"]
        let program = try Program(
            words[0], words.dropFirst() + [Programs.shipped + "/mullionctl", "run", "--", "true"],
            environment: ["TMPDIR": folder.path])
        let output = program.outputAtEnd()
        #expect(program.exitStatus == 125 && output.contains("no process can be started: "), "\(output)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test(
        "mistakes in the options",
        arguments: [
            ["--timeout", "0", "--", "true"], ["--timeout", "soon", "--", "true"], ["--env", "=x", "--", "true"],
            ["--clock", "fast", "--", "true"], ["--profile", "ci", "--", "true"], ["--cursor", "--", "true"],
            ["word", "--", "true"], [],
        ])
    func mistakes(_ words: [String]) throws {
        let program = try Program(Programs.shipped + "/mullionctl", ["run"] + words)
        let output = program.outputAtEnd()
        #expect(program.exitStatus == 2 && output.contains("mullionctl: run: "), "\(output)")
    }

    @Test("options of a command without -- before it: the message names --")
    func missingSeparator() throws {
        let program = try Program(Programs.shipped + "/mullionctl", ["run", "--x11", "ls", "-l"])
        let output = program.outputAtEnd()
        #expect(program.exitStatus == 2 && output.contains("follows --: mullionctl run -- ls -l\n"), "\(output)")
    }
}
