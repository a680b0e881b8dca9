// The trace of mullionctl run shows what went wrong.

import FoundationEssentials
import Glibc
import TestSupport
import Testing

@Suite(.startsShippedServer) struct TraceTests {
    /// A run with artifacts.
    struct Run {
        let fixture: ServerFixture
        let folder: String
        let program: Program
        let output: String

        /// - Parameters:
        ///   - options: of run; DIR is the folder.
        ///   - command: for sh; `PLANT` is the program that fails, `CTL` mullionctl.
        init(_ options: [String] = [], _ command: String, records: Bool = true) throws {
            fixture = try ServerFixture(screens: [])
            folder = try fixture.runtimeDirectory()
            let options = options.map { [folder] in $0.replacing("DIR", with: folder) }
            let recording = records ? ["--artifacts", folder + "/trace"] : []
            program = try Program(
                Programs.shipped + "/mullionctl", ["run"] + recording + options + ["--", "sh", "-c", command],
                environment: [
                    "TMPDIR": folder, "PLANT": "python3 \(TraceTests.program("planted_failure.py"))",
                    "CTL": Programs.shipped + "/mullionctl",
                ])
            output = program.outputAtEnd()
        }

        var status: Int32? { program.exitStatus }

        func text(_ name: String) throws -> String {
            let data = try #require(FileManager.default.contents(atPath: "\(folder)/\(name)"), "no \(name): \(output)")
            return String(decoding: data, as: UTF8.self)
        }

        func exists(_ name: String) -> Bool { access("\(folder)/\(name)", F_OK) == 0 }

        var report: Report {
            get throws { try JSONDecoder().decode(Report.self, from: Data(try text("trace/trace.json").utf8)) }
        }
    }

    /// For sh: waits until a window is shown.
    private static let awaitWindow = "$CTL wait window visible timeout=60s >/dev/null || exit 99"

    /// The path of a script.
    static func program(_ name: String) -> String {
        "\(#filePath.dropLast("ReleaseTests/TraceTests.swift".count))Programs/\(name)"
    }

    /// trace.json, as far as tests look at it.
    struct Report: Decodable {
        struct Finding: Decodable {
            var kind: String
            var text: String
            var at: Double?
            var application: Int?
            var pid: Int?
        }
        struct Message: Decodable {
            var at: Double
            var sender: String
            var interface: String
            var message: String
            var arguments: String
        }
        struct Client: Decodable {
            var application: Int?
            var name: String
            var pid: Int
            var connected: Bool?
            var x11: Bool?
            var began: Double?
            var ended: Double?
            var cause: String?
            var signal: Int?
            var status: Int?
            var journal: [Message]?
        }
        struct Event: Decodable {
            var at: Double
            var event: String
            var path: String?
            var status: Int?
            var detail: String?
            var missed: [String]?
        }
        struct Window: Decodable {
            var title: String
            var visible: Bool
        }
        struct Screen: Decodable {
            var name: String
            var picture: Int
        }
        struct Moment: Decodable {
            var at: Double
            var screens: [Screen]
            var windows: [Window]
        }
        struct Log: Decodable {
            var name: String
            var text: String
        }
        struct Note: Decodable {
            struct Point: Decodable {
                var x: Double
                var y: Double
            }
            var command: [String]
            var screen: String?
            var point: Point?
        }
        var command: [String]
        var status: Int
        var duration: Double
        var headline: String
        var notes: [Note]
        var findings: [Finding]
        var clients: [Client]
        var events: [Event]
        var moments: [Moment]
        var pictures: [String]
        var logs: [Log]
    }

    @Test("a client's crash: the signal, and the last messages; a failure only with --strict")
    func crash() throws {
        for (options, status) in [([], 0), (["--strict"], 1)] as [([String], Int32)] {
            let run = try Run(options, "$PLANT crash")
            #expect(run.status == status, "\(run.output)")
            let report = try run.report
            let finding = try #require(report.findings.first)
            #expect(finding.kind == "crash" && finding.text.contains("SIGSEGV"), "\(finding)")
            let client = try #require(report.clients.first { $0.application == finding.application })
            #expect(client.signal == Int(SIGSEGV) && client.cause == "closed" && client.connected == false)
            let journal = try #require(client.journal)
            #expect(journal.contains { $0.interface == "wl_display" && $0.message == "get_registry" })
            #expect(
                journal.contains { $0.sender == "server" && $0.arguments.contains("interface: \"wl_compositor\"") })
            #expect(run.output.contains("crashed: SIGSEGV") == (status == 1))
        }
    }

    @Test("a protocol error: what was wrong, in the findings and in the journal")
    func protocolError() throws {
        let run = try Run(["--strict"], "$PLANT protocol")
        #expect(run.status == 1, "\(run.output)")
        let report = try run.report
        let finding = try #require(report.findings.first)
        #expect(finding.kind == "protocolError" && finding.text.contains("object 77, which does not exist"))
        let client = try #require(report.clients.first { $0.application == finding.application })
        #expect(client.cause == "protocolError")
        let error = try #require(client.journal?.last { $0.interface == "wl_display" && $0.message == "error" })
        #expect(error.arguments.contains("object 77") && error.at <= report.duration)
    }

    @Test("a process left behind: its name; a program that ends a moment later is none")
    func leak() throws {
        let run = try Run(["--strict"], "$PLANT leak")
        #expect(run.status == 1 && run.output.contains("(sleep) was left behind"), "\(run.output)")
        #expect(try run.report.findings.map(\.kind) == ["leak"])
        // It ends when the command has: that closes its input.
        let later = "mkfifo $TMPDIR/input; cat $TMPDIR/input >/dev/null & exec 9>$TMPDIR/input"
        let other = try Run(["--strict"], later)
        #expect(other.status == 0, "\(other.output)")
        #expect(try other.report.findings.isEmpty)
    }

    @Test(
        "the accessibility bus, which programs have started, is nothing left behind",
        .enabled(if: Program.isInstalled("gtk4-demo"), "gtk4-demo is installed"))
    func services() throws {
        let run = try Run(
            ["--strict", "--accessibility"],
            """
            gtk4-demo --run=dialog 2>/dev/null &
            $CTL wait widget role=button name=/Interactive/ timeout=30s && kill $! && wait; exit 0
            """)
        #expect(run.status == 0 && run.output.contains("Interactive Dialog"), "\(run.output)")
        #expect(try run.report.findings.isEmpty)
    }

    @Test("a timeout: what was awaited, the output so far, and the exit status 124")
    func hang() throws {
        // Long enough for Python to start.
        let run = try Run(["--timeout", "5s"], "exec $PLANT hang")
        #expect(run.status == 124, "\(run.output)")
        let report = try run.report
        #expect(report.status == 124 && report.findings.first?.kind == "timeout")
        #expect(report.findings.first?.text.hasPrefix("the command did not end within 5 s") == true)
        let log = try #require(report.logs.first { $0.name == "output" })
        #expect(log.text == "waiting for what never comes\n")
        #expect(try run.text("trace/output.log") == log.text && run.output.contains(log.text))
    }

    @Test("a wrong title and an unplugged screen are seen in the windows and screens of each picture")
    func pictures() throws {
        let script = """
            $CTL plug 640x480 name=TV >&2; $CTL claim 'title=Wrong </script> title' frame=0,0,50,50 &
            \(Self.awaitWindow)
            $CTL click BUILTIN-1 900,900; $CTL unplug TV; exit 3
            """
        let run = try Run(["--timeout", "60"], script)
        #expect(run.status == 3, "\(run.output)")
        let report = try run.report
        let shown = try #require(report.moments.last { $0.windows.contains(where: \.visible) })
        #expect(shown.windows.map(\.title) == ["Wrong </script> title"])
        #expect(shown.screens.map(\.name) == ["BUILTIN-1"])
        #expect(Set(report.moments.flatMap(\.screens).map(\.picture)) == Set(report.pictures.indices))
        #expect(report.pictures.allSatisfy { $0.hasPrefix("iVBOR") } && Set(report.pictures).count > 1)
        #expect(report.moments.map(\.at) == report.moments.map(\.at).sorted())
        // H3: why nobody was hit.
        let missed = try #require(report.events.first { $0.event == "injected" }?.missed?.first)
        #expect(missed.contains("no window takes input at this point"))
        #expect(report.events.contains { $0.event == "request" && $0.path == "/v1/input" && $0.status == 409 })
        for name in ["screenDidConnect", "screenDidDisconnect"] {
            #expect(report.events.contains { $0.event == name }, "\(name)")
        }
        #expect(!report.events.contains { $0.path?.contains("/v1/capture") == true })
        #expect(report.findings.map(\.kind) == ["missedInput", "status"])
    }

    @Test("the page is well-formed, loads nothing, and contains what was recorded, whatever titles contain")
    func page() throws {
        let script = "$CTL claim 'title=<!--</script><img src=x>' & \(Self.awaitWindow)"
        let run = try Run(["--timeout", "60"], script)
        let page = try run.text("trace/report.html")
        let check = try Program(
            "python3",
            [Self.program("check_report.py"), run.folder + "/trace/report.html", run.folder + "/trace/trace.json"])
        let output = check.outputAtEnd()
        #expect(check.exitStatus == 0, "\(output)")
        #expect(try run.text("trace/trace.json").contains("<!--</script><img src=x>"))
        let addresses = page.split(separator: "http:").dropFirst().map { $0.prefix(18) }
        #expect(addresses == ["//www.w3.org/2000/"] && !page.contains("https:"), "only the name of SVG's elements")
        #expect(!page.contains("<img") && page.utf8.count < 24 << 20)
    }

    @Test("the report says how the command ended, or why it could not be started")
    func command() throws {
        let fixture = try ServerFixture(screens: [])
        let folder = try fixture.runtimeDirectory()
        let program = try Program(
            Programs.shipped + "/mullionctl", ["run", "--artifacts", folder + "/trace", "--", "no-such-program"],
            environment: ["TMPDIR": folder])
        let output = program.outputAtEnd()
        #expect(program.exitStatus == 127, "\(output)")
        let data = try #require(FileManager.default.contents(atPath: folder + "/trace/trace.json"))
        let report = try JSONDecoder().decode(Report.self, from: data)
        #expect(report.findings.map(\.text) == ["the command could not be started: No such file or directory"])
        #expect(report.status == 127)
        let crash = """
            for child in $(cat /proc/$PPID/task/$PPID/children); do
                if [ "$(cat /proc/$child/comm)" = mulliond ]; then kill -KILL $child; fi
            done
            exec sleep 1000
            """
        let run = try Run([], crash)
        #expect(run.status == 125, "\(run.output)")
        #expect(try run.report.findings.map(\.text) == ["the server ended before the command, by SIGKILL"])
        let ended = try Run([], "kill -HUP $$")
        #expect(try ended.report.findings.map(\.text) == ["the command was ended by SIGHUP"])
    }

    @Test("of several tries of a command the last failure is a finding, and none once it has succeeded")
    func tries() throws {
        let tries = """
            for i in 1 2 3; do $CTL wait window title=A timeout=0s; done
            $CTL wait window title=B timeout=0s
            $CTL claim title=B >/dev/null & \(Self.awaitWindow)
            $CTL wait window title=B timeout=0s && kill $! && exit 7
            """
        let run = try Run([], tries)
        #expect(run.status == 7, "\(run.output)")
        let report = try run.report
        #expect(report.notes.map(\.command) == [["mullionctl", "wait", "window", "title=A", "timeout=0s"]])
        #expect(report.findings.map(\.kind) == ["expectation", "status"])
    }

    @Test("what is not a note does not hold up the report")
    func strangeNotes() throws {
        let strange = """
            cd $MULLION_NOTES
            mkfifo note-1.json; ln -s /dev/zero note-2.json; mkdir note-3.json; echo '{}' >note-4.json; echo '[' >note-5.json
            truncate -s 1T note-6.json; $CTL wait window timeout=0s; exit 7
            """
        let run = try Run([], strange)
        #expect(run.status == 7, "\(run.output)")
        #expect(try run.report.notes.map(\.command) == [["mullionctl", "wait", "window", "timeout=0s"]])
    }

    @Test("--on-failure writes nothing when the command succeeds")
    func onFailure() throws {
        let passed = try Run(["--on-failure"], "true")
        #expect(passed.status == 0 && !passed.exists("trace"), "\(passed.output)")
        let failed = try Run(["--on-failure"], "exit 5")
        #expect(failed.status == 5, "\(failed.output)")
        for name in ["report.html", "trace.json", "tree.txt", "screenshot.png", "mulliond.log", "output.log"] {
            #expect(failed.exists("trace/\(name)"), "\(name)")
        }
        for (command, isKept) in [("true", false), ("exit 5", true)] {
            let deep = try Run(["--on-failure", "--artifacts", "DIR/some/where/trace/"], command, records: false)
            #expect(deep.exists("some/where/trace/report.html") == isKept, "\(deep.output)")
            #expect(deep.exists("some") == isKept)
        }
        let wrong = try Run(["--on-failure"], "true", records: false)
        #expect(wrong.status == 2 && wrong.output.contains("--on-failure needs --artifacts DIR"))
    }

    @Test(
        "a path that cannot be written is refused before the command starts; exit status 125",
        arguments: [
            ["--junit", "DIR/none/run.xml"], ["--junit", "DIR"], ["--artifacts", "/dev/null/trace"],
            ["--on-failure", "--artifacts", "/dev/null/none/trace/"], ["--on-failure", "--artifacts", "/dev/null"],
        ])
    func unwritable(options: [String]) throws {
        let run = try Run(options, "echo started", records: false)
        #expect(run.status == 125 && !run.output.contains("started"), "\(run.output)")
        let reasons = ["No such file or directory", "Is a directory", "Not a directory"]
        #expect(reasons.contains { run.output.hasSuffix("\($0)\n") }, "\(run.output)")
        #expect(!run.exists("none"))
    }

    @Test("a file of results that cannot be written costs a failure, but no artifacts")
    func lostResult() throws {
        let run = try Run(["--junit", "DIR/run.xml"], "rm $TMPDIR/run.xml; mkdir $TMPDIR/run.xml")
        #expect(run.status == 1 && run.output.contains("run.xml: Is a directory"), "\(run.output)")
        #expect(try run.report.status == 0 && run.exists("trace/report.html"))
    }

    @Test("--junit: one test case with its time, why it failed, and the output, as XML")
    func junit() throws {
        let run = try Run(["--junit", "DIR/run.xml"], "printf 'a<&\\033]]>b\\n'; exit 4", records: false)
        #expect(run.status == 4, "\(run.output)")
        let check = try Program("python3", [Self.program("check_report.py"), "--junit", run.folder + "/run.xml"])
        let lines = check.outputAtEnd().split(separator: "\n").map(String.init)
        #expect(check.exitStatus == 0 && lines.count == 4, "\(lines)")
        #expect(lines.first == "1" && lines[1].hasPrefix("sh -c printf"))
        #expect(lines.dropFirst(2) == ["the command ended with exit status 4", "'a<&\\ufffd]]>b\\n'"])
    }
}
