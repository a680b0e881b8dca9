// mullionctl scenario with several files and folders.

import FoundationEssentials
import Glibc
import TestSupport
import Testing

@Suite struct ScenarioBatchTests {
    /// A scenario on a private server.
    static func scenario(_ steps: String, server: String = "server: { screens: ['64x48,name=A'] }, ") -> String {
        "{ name: 'test', \(server)steps: [\(steps)] }"
    }

    private static let passing = scenario("{ wait: '1ms' }, { screenshot: 'end' }")
    private static let failing = scenario("{ wait: '1ms' }, { expect: { key: 'a', within: '1ms' } }")
    private static let broken = scenario("{ wait: '1ms' }, { wait: 1 }, { waits: 1 }")

    @Test("twenty scenarios, four at a time: a line for each in order, a summary, and the pictures of each apart")
    func many() throws {
        let workshop = try Workshop()
        var expected: [String] = []
        var failed: [String] = []
        for number in 10..<30 {
            let path = try workshop.write(number % 5 == 0 ? Self.failing : Self.passing, to: "all/s\(number).json5")
            expected.append(
                number % 5 == 0
                    ? "\(path): step 2 of 2 (expect): key window: expected a, seen none" : "\(path): as expected")
            if number % 5 == 0 { failed.append(path) }
        }
        expected.append("20 scenarios, 16 as expected, 4 failed: \(failed.joined(separator: ", "))")
        let result = try workshop.mullionctl(
            "scenario", workshop.folder + "/all", "--jobs", "4", "--output", workshop.folder + "/pictures")
        #expect(result.status == 1)
        #expect(result.output.split(separator: "\n").map(String.init) == expected)
        #expect(workshop.files("pictures") == (10..<30).filter { $0 % 5 != 0 }.map { "s\($0)" })
        #expect(workshop.files("pictures/s11") == ["end.png"])
        #expect(workshop.files("tmp").isEmpty && workshop.processes.isEmpty)
    }

    @Test("files with mistakes: exit status 3, and all mistakes of all files")
    func mistakes() throws {
        let workshop = try Workshop()
        let (good, bad) = (
            try workshop.write(Self.passing, to: "a.json5"), try workshop.write(Self.failing, to: "b.json5")
        )
        let worse = try workshop.write(Self.broken, to: "c.json5")
        for options in [[], ["--jobs", "2"]] {
            let program = try workshop.start(
                ["scenario", worse, bad, good, "--output", workshop.folder + "/out"] + options)
            let output = program.outputAtEnd()
            let lines = output.split(separator: "\n").map(String.init)
            #expect(program.exitStatus == 3, "\(output)")
            #expect(lines.count { $0.hasPrefix("\(worse):1:") } == 2, "\(output)")
            #expect(lines.last == "3 scenarios, 1 as expected, 1 failed: \(bad), 1 broken: \(worse)")
        }
        // No server is needed to find them.
        let check = try workshop.mullionctl("scenario", worse, bad, good, "--check")
        #expect(check.status == 3 && check.output.contains("\(bad): no mistakes\n\(good): no mistakes\n"))
        #expect(check.output.hasSuffix("\n3 scenarios, 2 without mistakes, 1 broken: \(worse)\n"), "\(check)")
        #expect(try workshop.mullionctl("scenario", good, "--check") == (0, "\(good): no mistakes\n"))
        let single = try workshop.mullionctl("scenario", worse, "--check")
        #expect(single.status == 3 && single.output.split(separator: "\n").count == 2, "\(single)")
        #expect(try workshop.mullionctl("scenario", worse).status == 3)
        #expect(workshop.files("tmp").isEmpty)
    }

    @Test("a folder: its scenarios in order, without hidden ones and those that are only included")
    func folders() throws {
        let workshop = try Workshop()
        for name in ["b.json5", "a.json", "deep/c.json5", ".hidden.json5", ".hidden/d.json5", "e.txt"] {
            try workshop.write(Self.passing, to: "all/" + name)
        }
        try workshop.write("{ steps: [{ wait: '1ms' }] }", to: "all/parts/part.json5")
        try workshop.write(Self.scenario("{ include: 'parts/part.json5' }"), to: "all/z.json5")
        let result = try workshop.shell(
            "ln -s .. all/deep/loop; ctl scenario all --check; rm all/z.json5; ctl scenario all --check")
        let names = result.output.split(separator: "\n").compactMap { $0.split(separator: ":").first.map(String.init) }
        let scenarios = ["all/a.json", "all/b.json5", "all/deep/c.json5"]
        #expect(names.starts(with: scenarios + ["all/z.json5"]), "\(result)")
        // Without a name, and included by none, it is a mistake.
        #expect(result.status == 3 && names.suffix(5).starts(with: scenarios + ["all/parts/part.json5"]), "\(result)")
    }

    @Test("a file of a folder that cannot be found by its name is not left out in silence")
    func unusableNames() throws {
        let workshop = try Workshop()
        try workshop.write(Self.passing, to: "all/a.json5")
        let name = try workshop.shell("cp all/a.json5 all/$'b\\xff.json5'; ctl scenario all --check")
        #expect(
            name == (1, "mullionctl: all/b\u{fffd}.json5 cannot be opened: its name is not UTF-8; rename it\n"))
        let folder = try workshop.shell("rm all/b*; mkdir all/$'c\\xff'; ctl scenario all --check")
        #expect(folder.status == 1 && folder.output.contains("its name is not UTF-8"), "\(folder)")
        let link = try workshop.shell("rmdir all/c*; ln -s none all/d.json5; ctl scenario all --check")
        #expect(link == (1, "mullionctl: all/d.json5: No such file or directory\n"))
    }

    @Test("a folder without a scenario, and a missing file, end the command before anything runs")
    func nothing() throws {
        let workshop = try Workshop()
        try workshop.write(Self.passing, to: "a.json5")
        try workshop.write("", to: "empty/.hidden.json5")
        try workshop.write("", to: "empty/readme.txt")
        let empty = try workshop.shell("ctl scenario a.json5 empty")
        #expect(
            empty.status == 2 && empty.output.hasPrefix("mullionctl: scenario: empty contains no scenario; "),
            "\(empty)")
        let missing = try workshop.shell("ctl scenario a.json5 b.json5")
        #expect(missing == (1, "mullionctl: b.json5: the file does not exist\n"))
    }

    @Test("--set is for the scenarios that have the variable; a name that none has is refused before anything runs")
    func settings() throws {
        let workshop = try Workshop()
        let server = "server: { screens: ['64x48,name=A'] }, "
        let steps = "{ claim: { title: '${title}' } }, { release: 'x' }"
        try workshop.write(Self.scenario(steps, server: server + "variables: { title: 'a' }, "), to: "all/a.json5")
        try workshop.write(Self.scenario("", server: server + "variables: { titles: 'b' }, "), to: "all/b.json5")
        try workshop.write(Self.scenario(steps, server: server), to: "all/c.json5")
        let set = try workshop.shell("ctl scenario all --set title=x")
        #expect(
            set == (
                0, ["a", "b", "c"].map { "all/\($0).json5: as expected\n" }.joined() + "3 scenarios, 3 as expected\n"
            ))
        for (words, reason) in [
            ("all --set titel=x", "\"titel\" is not a variable of any of the scenarios; did you mean title?"),
            ("all --set bogus=x", "\"bogus\" is not a variable of any of the scenarios; use one of title, titles"),
            ("all/b.json5 --set bogus=x", "\"bogus\" is not a variable of all/b.json5; use one of titles"),
            ("all/b.json5 --tap --set bogus=x", "\"bogus\" is not a variable of all/b.json5; use one of titles"),
            ("all/c.json5 --set bogus=x", "\"bogus\" is not a variable of all/c.json5; declare it in \"variables\""),
        ] {
            let result = try workshop.shell("ctl scenario \(words)")
            #expect(
                result.status == 2 && result.output.hasPrefix("mullionctl: scenario: --set: \(reason)"), "\(result)")
        }
    }

    @Test("files of the same name do not write over each other's pictures, and none is run twice")
    func names() throws {
        let workshop = try Workshop()
        for name in ["one/login.json5", "two/login.json5", "two/menu.a.json5", "two/menu.b.json5"] {
            try workshop.write(Self.passing, to: name)
        }
        let result = try workshop.shell(
            "ctl scenario one two two/login.json5 ./one --output out && ctl scenario one two")
        #expect(result.status == 0, "\(result)")
        let folders = ["menu.a.json5", "menu.b.json5", "one-login", "two-login"]
        #expect(workshop.files("out") == folders)
        for folder in folders {
            #expect(workshop.files("out/\(folder)") == ["end.png"])
            #expect(workshop.files("\(folder)-pictures") == ["end.png"])
        }
        #expect(result.output.hasSuffix("4 scenarios, 4 as expected\n"))
    }

    @Test("standard input, alone and among files, with pictures that are relative to the working directory")
    func standardInput() throws {
        let workshop = try Workshop()
        let compare = Self.scenario("{ compare: 'goldens/a.png' }")
        let script = """
            echo "\(compare)" | ctl scenario - --update && echo "\(compare)" | ctl scenario - &&
            echo "\(compare)" >file.json5 && ctl scenario file.json5 - --jobs 2 <file.json5 && ctl scenario - <&-
            """
        let result = try workshop.shell(script)
        #expect(result.status == 1)
        let lines = result.output.split(separator: "\n").map(String.init)
        #expect(lines.prefix(2) == ["1/1 screenshot goldens/a.png", "stdin: as expected; saved goldens/a.png"])
        #expect(lines.dropFirst(2).prefix(2) == ["1/1 compare goldens/a.png", "stdin: as expected"])
        #expect(
            lines.dropFirst(4) == [
                "file.json5: as expected", "/dev/stdin: as expected", "2 scenarios, 2 as expected",
                "mullionctl: standard input: Bad file descriptor",
            ], "\(result)")
    }

    @Test("scenarios without a server run on the running one, one after another")
    func runningServer() throws {
        let fixture = try ServerFixture(screens: ["50x40,name=A"])
        let control = try ControlSession(fixture)
        for number in 1...6 {
            let text = Self.scenario(
                "{ claim: { title: 'w' } }, { wait: '10ms' }", server: number == 6 ? "server: {}, " : "")
            _ = FileManager.default.createFile(atPath: "\(control.folder)/s\(number).json5", contents: Data(text.utf8))
        }
        let files = (1...6).map { "\(control.folder)/s\($0).json5" }
        let result = try control.mullionctl(["scenario"] + files + ["--jobs", "4"])
        #expect(result.status == 0 && result.output.hasSuffix("6 scenarios, 6 as expected\n"), "\(result)")
    }

    @Test("programs on the running server have the same temporary folder as those of a single scenario")
    func temporaryFolder() throws {
        let workshop = try Workshop()
        let start =
            "{ start: { command: ['sh', '-c', 'echo $TMPDIR'], name: 'p' } }, { stop: { name: 'p', status: 0 } }"
        for name in ["a", "b"] { try workshop.write(Self.scenario(start, server: ""), to: "\(name).json5") }
        let result = try workshop.shell(
            "ctl() { '\(Workshop.programs)/mullionctl' \"$@\"; }; export -f ctl; "
                + "ctl run --screen 64x48 -- bash -c 'ctl scenario a.json5 b.json5 --json'")
        let lines = result.output.split(separator: "\n").filter { $0.contains("\"log\"") }
        #expect(result.status == 0 && lines.count == 2, "\(result)")
        #expect(lines.allSatisfy { $0.contains("\"log\":\"p: \(workshop.folder)/tmp\"") }, "\(result)")
    }

    @Test("a program's crash and its server's messages come with the result")
    func log() throws {
        let workshop = try Workshop()
        try workshop.write(Self.scenario("", server: "server: { screens: ['9x9'] }, "), to: "a.json5")
        // Too long for a socket.
        let folder = String(repeating: "long", count: 30)
        let result = try workshop.shell("mkdir \(folder); TMPDIR=$PWD/\(folder) ctl scenario a.json5 --tap")
        #expect(result.status == 1 && result.output.contains("not ok 1 - "), "\(result)")
        #expect(result.output.contains("message: \"a.json5: the server did not start\""), "\(result)")
        #expect(result.output.contains("log: \"") && result.output.contains("the limit for Unix sockets"), "\(result)")
    }

    @Test("a scenario with a server section runs on the server that --server or --control names")
    func namedServer() throws {
        let workshop = try Workshop()
        try workshop.write(Self.passing, to: "all/a.json5")
        for file in ["all/a.json5", "all", "all --check"] {
            for (option, place) in [("--server other", "mullion@other/control.sock"), ("--control none", " none")] {
                let result = try workshop.shell("ctl \(option) scenario \(file) --output out")
                #expect(result.status == 1 && result.output.contains("\(place); start mulliond"), "\(file): \(result)")
            }
        }
        #expect(try workshop.shell("ctl scenario all/a.json5 --output out").status == 0)
    }

    // MARK: Results for programs

    @Test("JUnit's XML and TAP 14 are what parsers expect, with the same results")
    func reports() throws {
        let workshop = try Workshop()
        try workshop.write(Self.passing, to: "a #1 \\<&.json5")
        try workshop.write(Self.failing, to: "b.json5")
        try workshop.write(Self.broken, to: "c.json5")
        let script =
            String(#filePath.dropLast("ScenarioTests/ScenarioBatchTests.swift".count)) + "Programs/check_results.py"
        let status = try workshop.shell("ctl scenario *.json5 --jobs 3 --tap --junit results.xml >results.tap")
        #expect(status == (3, ""))
        let name = "a #1 \\<&.json5"
        let why = "b.json5: step 2 of 2 (expect): key window: expected a, seen none"
        let junit = try workshop.shell("python3 '\(script)' --junit results.xml")
        let lines = junit.output.split(separator: "\n").map(String.init)
        #expect(junit.status == 0 && lines.count == 3, "\(junit)")
        #expect(lines.prefix(2) == ["passed|\(name)||", "failure|b.json5|\(why)|"])
        #expect(lines.last?.hasPrefix("error|c.json5|c.json5:1:") == true, "\(lines)")
        let tap = try workshop.shell("python3 '\(script)' --tap results.tap")
        let points = tap.output.split(separator: "\n").map(String.init)
        #expect(tap.status == 0 && points.count == 3, "\(tap)")
        #expect(points.prefix(2) == ["ok|\(name)||", "not ok|b.json5|\(why)|"])
        let text = try #require(workshop.bytes("results.tap")).split(separator: UInt8(ascii: "\n"))
        let block = text.map { String(decoding: $0, as: UTF8.self) }
        for line in ["  place: \"key window\"", "  expected: \"a\"", "  seen: \"none\"", "  severity: \"broken\""] {
            #expect(block.contains(line), "\(line)")
        }
    }

    @Test("a file's name cannot look like another result")
    func lineBreaks() throws {
        let workshop = try Workshop()
        try workshop.write(Self.passing, to: "a\nok 2 - fake.json5")
        let tap = try workshop.shell("ctl scenario *.json5 --tap")
        let points = tap.output.split(separator: "\n").filter { $0.hasPrefix("ok") || $0.hasPrefix("not ok") }
        #expect(tap.status == 0 && points == ["ok 1 - a\\u000aok 2 - fake.json5"], "\(tap)")
        let text = try workshop.shell("ctl scenario .")
        #expect(text == (0, "./a\\u000aok 2 - fake.json5: as expected\n1 scenario, 1 as expected\n"))
    }

    @Test("--json: each line is an object with its file; then the results, and their numbers")
    func json() throws {
        let workshop = try Workshop()
        let (good, bad) = (
            try workshop.write(Self.passing, to: "a.json5"), try workshop.write(Self.failing, to: "b.json5")
        )
        let result = try workshop.mullionctl(
            "--json", "scenario", good, bad, "--output", workshop.folder + "/out")
        #expect(result.status == 1)
        struct Line: Decodable {
            var file: String?
            var title: String?
            var place: String?
            var result: String?
            var reasons: [String]?
            var scenarios: Int?
            var failed: Int?
        }
        let lines = try result.output.split(separator: "\n").map {
            try JSONDecoder().decode(Line.self, from: Data($0.utf8))
        }
        #expect(lines.last?.scenarios == 2 && lines.last?.failed == 1)
        #expect(lines.dropLast().allSatisfy { $0.file == good || $0.file == bad }, "\(result.output)")
        #expect(lines.filter { $0.file == good }.compactMap(\.title) == ["wait 1ms", "screenshot end"])
        #expect(lines.filter { $0.file == bad }.compactMap(\.place) == ["key window"])
        #expect(lines.compactMap(\.result) == ["asExpected", "failed"])
    }

    @Test("on a terminal, a line that changes shows the progress; in a pipe there is none")
    func progress() throws {
        let workshop = try Workshop()
        for name in ["a", "b"] { try workshop.write(Self.passing, to: "\(name).json5") }
        let pipe = try workshop.shell("TERM=xterm ctl scenario a.json5 b.json5")
        #expect(pipe.output == "a.json5: as expected\nb.json5: as expected\n2 scenarios, 2 as expected\n")
        let spawn = "python3 -c 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)'"
        let terminal = try workshop.shell(
            "TERM=xterm \(spawn) '\(Workshop.programs)/mullionctl' scenario a.json5 b.json5")
        let updates = terminal.output.split(separator: "\r").map(String.init)
        #expect(updates.contains { $0.hasPrefix("\u{1b}[K0 of 2; a") } && updates.contains("\u{1b}[K1 of 2; b"))
        // The line is gone before a result is printed.
        #expect(updates.contains("\u{1b}[Ka.json5: as expected\r\n"), "\(updates)")
        #expect(updates.last == "\u{1b}[Kb.json5: as expected\r\n2 scenarios, 2 as expected\r\n", "\(updates)")
        let plain = try workshop.shell("TERM=dumb \(spawn) '\(Workshop.programs)/mullionctl' scenario a.json5 b.json5")
        #expect(!plain.output.contains("\u{1b}"), "\(plain)")
    }

    @Test(
        "lost output is an error, and leaves nothing",
        arguments: [
            (">/dev/full", "standard output: No space left on device"), (">&-", "standard output: Bad file descriptor"),
            ("--tap >/dev/full", "standard output: No space left on device"),
            ("--json >&-", "standard output: Bad file descriptor"),
        ])
    func lostOutput(options: String, reason: String) throws {
        let workshop = try Workshop()
        for name in ["a", "b"] { try workshop.write(Self.passing, to: "\(name).json5") }
        let result = try workshop.shell("ctl scenario a.json5 b.json5 --jobs 2 \(options)")
        #expect(result == (1, "mullionctl: cannot write to \(reason)\n"))
        #expect(workshop.files("tmp").isEmpty && workshop.processes.isEmpty)
    }

    @Test("results that cannot be saved are an error, although the scenarios are as expected")
    func lostReport() throws {
        let workshop = try Workshop()
        try workshop.write(Self.passing, to: "a.json5")
        let result = try workshop.shell("ctl scenario a.json5 --junit /dev/full")
        let summary = "a.json5: as expected\n1 scenario, 1 as expected\n"
        #expect(result == (1, summary + "mullionctl: /dev/full: No space left on device\n"))
        // A worse result stays.
        try workshop.write(Self.broken, to: "b.json5")
        let broken = try workshop.shell("ctl scenario b.json5 --junit /dev/full")
        #expect(broken.status == 3 && broken.output.hasSuffix("/dev/full: No space left on device\n"), "\(broken)")
        // What can be known before is an error before.
        let early = try workshop.shell("ctl scenario a.json5 --junit none/results.xml")
        #expect(early == (1, "mullionctl: none/results.xml: No such file or directory\n"))
    }

    @Test("scenarios that are killed leave results in which they were not run")
    func killed() throws {
        let workshop = try Workshop()
        let loop = try ServerFixture(screens: [])
        try workshop.write(Self.scenario("{ wait: '3600s' }"), to: "a.json5")
        let program = try Program(
            "sh",
            ["-c", "cd '\(workshop.folder)'; exec '\(Workshop.programs)/mullionctl' scenario a.json5 --junit r.xml"],
            environment: workshop.environment)
        try loop.wait(for: "the results") { workshop.files("").contains("r.xml") || !program.isRunning }
        program.kill(SIGKILL)
        try loop.wait(for: "its end") { !program.isRunning && workshop.processes.isEmpty }
        let text = workshop.bytes("r.xml").map { String(decoding: $0, as: UTF8.self) } ?? ""
        #expect(text.contains("skipped=\"1\"") && text.contains("a.json5"), "\(text)")
    }

    // MARK: Mistakes of the command line

    @Test(
        "wrong arguments are refused with what is allowed",
        arguments: [
            ("", "FILE is missing; use a scenario, a folder of scenarios, or - for standard input"),
            ("a.json5 --jobs 0", "--jobs: \"0\" is not a number of scenarios; use 1 to 64"),
            ("a.json5 --jobs many", "--jobs: \"many\" is not a number of scenarios; use 1 to 64"),
            ("a.json5 --jobs 2 --jobs 3", "--jobs is given twice"), ("a.json5 --jobs", "--jobs needs a value"),
            ("a.json5 --tap=yes", "--tap takes no value"),
            ("a.json5 --taps", "unknown option --taps; did you mean --tap?"),
            ("a.json5 --tap --json", "--tap and --json are different outputs; use one of them"),
            ("a.json5 --check --update", "--check runs nothing; use it without --update"),
            ("a.json5 --set name", "--set: \"name\" is not a variable with its value; use NAME=VALUE"),
            ("--schema a.json5", "--schema is about all scenarios; use it without \"a.json5\""),
            ("- -", "standard input is given twice; use - once"),
            ("a.json5 --upright", "the option --upright is not allowed here"),
        ])
    func options(words: String, reason: String) throws {
        let workshop = try Workshop()
        try workshop.write(Self.passing, to: "a.json5")
        let result = try workshop.shell("ctl scenario \(words)")
        #expect(result.status == 2 && result.output.contains("mullionctl: "), "\(result)")
        #expect(result.output.contains(reason), "\(result)")
        #expect(workshop.files("") == ["a.json5", "tmp"])
    }
}
