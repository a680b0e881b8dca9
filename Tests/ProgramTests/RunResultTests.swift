// The results of mullionctl run are those of the latest run.

import FoundationEssentials
import TestSupport
import Testing

@Suite struct RunResultTests {
    /// A folder in which runs save their results.
    private final class Results {
        private let temporary: TemporaryFolder
        var folder: String { temporary.path }

        init() throws { temporary = try TemporaryFolder() }

        /// Runs a command in the folder.
        @discardableResult
        func run(_ options: [String], _ command: String) throws -> (status: Int32?, output: String) {
            let mullionctl = Programs.built + "/mullionctl"
            let program = try Program(
                "/bin/sh",
                ["-c", "cd \"$0\"; exec \"$@\"", folder, mullionctl, "run"] + options + ["--", "sh", "-c", command],
                environment: ["TMPDIR": folder, "MULLIONCTL": mullionctl])
            let output = program.outputAtEnd()
            return (program.exitStatus, output)
        }

        func text(_ name: String) -> String? {
            FileManager.default.contents(atPath: "\(folder)/\(name)").map { String(decoding: $0, as: UTF8.self) }
        }
    }

    @Test("a server that does not start: its message in the report and as an error, nothing of an earlier run")
    func unstarted() throws {
        let results = try Results()
        let options = ["--artifacts", "trace", "--junit", "run.xml"]
        #expect(try results.run(options, "true").status == 0)
        #expect(results.text("run.xml")?.contains("failures=\"0\" errors=\"0\" skipped=\"0\"") == true)
        let run = try results.run(options + ["--screen", "nosuch"], "true")
        #expect(run.status == 125, "\(run.output)")
        let message = "the server did not start: mulliond: S1 (screen properties): \"nosuch\" is not a display model"
        let junit = try #require(results.text("run.xml"))
        #expect(junit.contains("failures=\"0\" errors=\"1\" skipped=\"0\"") && junit.contains("<error type=\"server\""))
        #expect(junit.contains(message.replacing("\"", with: "&quot;")), "\(junit)")
        for name in ["trace/trace.json", "trace/report.html"] {
            let text = try #require(results.text(name))
            #expect(text.contains("\"status\":125") && text.contains(message.replacing("\"", with: "\\\"")), "\(text)")
        }
        #expect(results.text("trace/mulliond.log")?.contains("nosuch") == true)
        #expect(results.text("trace/screenshot.png") == nil && results.text("trace/tree.txt") == nil)
    }

    @Test("--on-failure: a success removes the report of the same command's failure before; all other files stay")
    func success() throws {
        let results = try Results()
        let options = ["--artifacts", "trace", "--on-failure"]
        let own = ["report.html", "screenshot.png", "widgets-1.txt"]
        try FileManager.default.createDirectory(
            atPath: results.folder + "/trace", withIntermediateDirectories: false)
        func create(_ names: [String]) {
            for name in names {
                #expect(FileManager.default.createFile(atPath: "\(results.folder)/trace/\(name)", contents: Data()))
            }
        }
        create(own)
        #expect(try results.run(options, "true").status == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: results.folder + "/trace").sorted() == own)
        #expect(try results.run(options, "test -e good").status == 1)
        #expect(try results.run(options, "true").status == 0)
        let saved = try FileManager.default.contentsOfDirectory(atPath: results.folder + "/trace")
        #expect(saved.contains("report.html") && saved.contains("mulliond.log"), "\(saved)")
        create(["other.txt", "widgets-a.txt", "../good"])
        #expect(try results.run(options, "test -e good").status == 0)
        let left = try FileManager.default.contentsOfDirectory(atPath: results.folder + "/trace").sorted()
        #expect(left == ["other.txt", "widgets-a.txt"])
        let unstarted = try results.run(options + ["--screen", "nosuch"], "true")
        #expect(unstarted.status == 125 && results.text("trace/report.html")?.contains("nosuch") == true)
    }

    @Test("a scenario that fails in a run is the report's headline, with its side-by-side picture")
    func scenario() throws {
        let results = try Results()
        let steps = "{ claim: { title: 'a', color: '#ff0000' } }, { compare: 'golden.png' }"
        let script = """
            "$MULLIONCTL" screenshot -o golden.png
            printf %s "{ name: 'x', steps: [\(steps)] }" >fail.json5
            "$MULLIONCTL" scenario fail.json5 --here --output pictures
            """
        let run = try results.run(["--artifacts", "trace", "--clock", "manual", "--screen", "16x12"], script)
        #expect(run.status == 1, "\(run.output)")
        let trace = try JSONDecoder().decode(
            Trace.self, from: Data(try #require(results.text("trace/trace.json")).utf8))
        let text = "fail.json5: step 2 of 2 (compare golden.png): picture golden.png: pixel 0,0: expected #"
        #expect(trace.headline.hasPrefix(text) && trace.headline.contains("seen #ff0000"), "\(trace.headline)")
        #expect(trace.notes.count == 1 && trace.notes.first?.text == trace.headline)
        #expect(trace.notes.first?.picture?.hasPrefix("iVBORw0KGgo") == true)
    }

    private struct Trace: Decodable {
        struct Note: Decodable {
            var text: String
            var picture: String?
        }
        struct Finding: Decodable {
            var kind: String
            var text: String
        }
        struct Log: Decodable {
            var text: String
            var terminal: Bool?
        }
        struct Moment: Decodable { var at: Double }
        var headline: String
        var moments: [Moment]
        var notes: [Note]
        var findings: [Finding]
        var logs: [Log]
    }

    @Test("a wait in vain names the program that does not read its events")
    func hang() throws {
        let results = try Results()
        let script = """
            \(Self.plant) hang & "$MULLIONCTL" wait client timeout=60s >/dev/null || exit 99
            "$MULLIONCTL" plug 9x9 >/dev/null || exit 98
            "$MULLIONCTL" wait window title=Nope timeout=3s
            """
        let run = try results.run(["--artifacts", "trace"], script)
        #expect(run.status == 124, "\(run.output)")
        #expect(
            run.output.contains(
                /\nwindow title=Nope: [^\n]+\n(  [^\n]+\n)*python3 \(pid [0-9]+\) does not read its events\n/),
            "\(run.output)")
        let trace = try JSONDecoder().decode(
            Trace.self, from: Data(try #require(results.text("trace/trace.json")).utf8))
        #expect(trace.headline.contains(/; python3 \(pid [0-9]+\) does not read its events$/), "\(trace.headline)")
    }

    @Test("a program that ended with a status other than 0 is among the findings")
    func status() throws {
        let results = try Results()
        let script = """
            \(Self.plant) exit
            "$MULLIONCTL" wait window title=Nope timeout=0s
            """
        try results.run(["--artifacts", "trace"], script)
        let trace = try JSONDecoder().decode(
            Trace.self, from: Data(try #require(results.text("trace/trace.json")).utf8))
        #expect(
            trace.findings.contains {
                $0.kind == "status" && $0.text.contains(/python3 \(pid [0-9]+\) ended with exit status 7/)
            }, "\(trace.findings)")
        #expect(trace.logs.first?.terminal == nil)
    }

    /// A program that fails in the way of its argument.
    private static let plant =
        "python3 '\(#filePath.dropLast("ProgramTests/RunResultTests.swift".count))Programs/planted_failure.py'"

    @Test("output that goes to a terminal is not kept, and the report says so")
    func terminal() throws {
        let results = try Results()
        let words = [
            Programs.built + "/mullionctl", "run", "--artifacts", results.folder + "/trace", "--", "echo", "hello",
        ]
        let program = try Program(
            "python3", ["-c", "import pty, sys; pty.spawn(sys.argv[1:])"] + words,
            environment: ["TMPDIR": results.folder])
        #expect(program.outputAtEnd().contains("hello"))
        let trace = try JSONDecoder().decode(
            Trace.self, from: Data(try #require(results.text("trace/trace.json")).utf8))
        #expect(trace.logs.first?.text == "" && trace.logs.first?.terminal == true)
    }

    @Test("pictures are at most ten a second, after a wait for a change too")
    func pace() throws {
        let results = try Results()
        // Longer than the time between two pictures.
        let script = """
            for x in 10 20 30; do
                "$MULLIONCTL" wait still for=250ms >/dev/null || exit 99
                for y in 10 20 30; do "$MULLIONCTL" hover A $x,$y >/dev/null; done
            done
            """
        let run = try results.run(["--artifacts", "trace", "--screen", "64x48,name=A"], script)
        #expect(run.status == 0, "\(run.output)")
        let trace = try JSONDecoder().decode(
            Trace.self, from: Data(try #require(results.text("trace/trace.json")).utf8))
        // The last ones are taken at the end.
        let times = trace.moments.map(\.at).dropLast(2)
        #expect(times.count >= 3 && zip(times, times.dropFirst()).allSatisfy { $1 - $0 > 0.099 }, "\(times)")
    }

    @Test("in one run, --update does not write different pictures to the same golden file")
    func goldens() throws {
        let results = try Results()
        let script = """
            "$MULLIONCTL" compare golden.png A --update && "$MULLIONCTL" compare ./golden.png A --update || exit 99
            "$MULLIONCTL" compare golden.png B --update
            """
        let screens = ["--screen", "16x12,name=A", "--screen", "20x12,name=B"]
        let run = try results.run(screens, script)
        #expect(run.status == 1, "\(run.output)")
        let advice = "which would be lost; use another name for one of them, or remove the file first\n"
        #expect(run.output.hasSuffix(advice), "\(run.output)")
        #expect(try results.run(screens, "\"$MULLIONCTL\" compare golden.png B --update").status == 0)
    }

    @Test("while the command runs, its test case says that it was not run to its end")
    func running() throws {
        let results = try Results()
        let run = try results.run(["--junit", "run.xml"], "cat run.xml")
        #expect(run.status == 0 && run.output.contains("message=\"not run to its end\""), "\(run.output)")
    }
}
