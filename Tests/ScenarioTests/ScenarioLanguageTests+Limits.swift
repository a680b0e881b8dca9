// mullionctl scenario: how much variables, repeat and include may lead to.

import FoundationEssentials
import Glibc
import TestSupport
import Testing

extension ScenarioLanguageTests {
    @Test("10,000 steps after all repetitions, and not one more; repeating nothing ends as well")
    func steps() throws {
        let steps = "{ repeat: { times: 100, steps: [{ repeat: { times: 100, steps: [{ wait: '0s' }] } }] } }"
        #expect(try run("{ name: 'x', steps: [\(steps)] }").lines.last == "x: as expected")
        let more = try mistakes("{ name: 'x', steps: [\(steps), { wait: '1s' }] }")
        #expect(more == ["x.json5:1:112: step 10001: a scenario has at most 10000 steps, repeated ones included"])
        // Each round counts, and a repetition without any.
        let rounds = "{ repeat: { times: 10000, steps: [] } }, { repeat: { times: 10000, steps: [] } }"
        #expect(try run("{ name: 'x', steps: [\(rounds)] }").status == 0)
        let often = try mistakes("{ name: 'x', steps: [\(rounds), { repeat: { times: 0, steps: [] } }] }")
        #expect(often.count == 1 && often[0].contains("repeats and includes too often"), "\(often)")
        let nothing = "{ repeat: { times: 10000, steps: [{ repeat: { times: 10000, steps: [] } }] } }"
        let result = try mistakes("{ name: 'x', steps: [\(nothing)] }")
        #expect(result.count == 1 && result[0].contains("repeats and includes too often"), "\(result)")
    }

    @Test("a small file cannot become a large scenario, nor name something without an end")
    func room() throws {
        let twice = "{ repeat: { as: 'a', over: ['\(String(repeating: "${a}", count: 50))'], steps: ["
        let thrice = "{ repeat: { as: 'a', over: [[\(String(repeating: "'${a}',", count: 50))]], steps: ["
        for start in [twice, thrice] {
            let (starts, ends) = (String(repeating: start, count: 12), String(repeating: "] } }", count: 12))
            let found = try mistakes(
                "{ name: 'x', variables: { a: '0123456789' }, steps: [\(starts){ wait: '0s' }\(ends)] }", "--check")
            #expect(found.count == 1 && found[0].contains("the scenario has more than 16 MiB"), "\(found)")
        }
        let text = String(repeating: "x", count: 2000)
        let steps = "{ repeat: { times: 10000, steps: [{ pause: '\(text)' }] } }"
        let server = "server: { screens: ['\(String(repeating: "${t}", count: 10_000))'] }"
        for contents in ["steps: [\(steps)]", "variables: { t: '\(text)' }, \(server), steps: []"] {
            let found = try mistakes("{ name: 'x', \(contents) }")
            #expect(found.count == 1 && found[0].contains("the scenario has more than 16 MiB"), "\(found)")
        }
        let pipe = control.folder + "/pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        for (file, kind) in [("/dev/zero", "a device"), (pipe, "a FIFO"), (control.folder, "a directory")] {
            let found = try mistakes("{ name: 'x', steps: [{ include: '\(file)' }] }")
            let name = file.replacing(control.folder + "/", with: "")
            #expect(found == ["x.json5:1:24: step 1: include: \(name): it is \(kind); use a regular file"], "\(found)")
        }
        let golden = try mistakes("{ name: 'x', steps: [{ compare: 'pipe' }] }")
        #expect(golden.contains("x.json5:1:24: step 1: compare: pipe: it is a FIFO; use a regular file"), "\(golden)")
        try write(text, to: "big.png")
        #expect(truncate(control.folder + "/big.png", 20 << 20) == 0)
        let goldens = try mistakes(
            "{ name: 'x', steps: [{ repeat: { times: 10000, steps: [{ compare: 'big.png' }] } }] }")
        #expect(goldens.contains { $0.contains("step 2: compare: the golden pictures have more than 32 MiB") })
        let endless = try control.mullionctl(["scenario", "/dev/zero", "--here"])
        #expect(endless == (1, "mullionctl: /dev/zero: it is a device; use a regular file or a pipe\n"))
    }

    @Test("16 levels of repeat and include; a file does not include itself, not even by another name")
    func levels() throws {
        func nested(_ levels: Int) -> String {
            let start = String(repeating: "{ repeat: { times: 1, steps: [", count: levels)
            return "{ name: 'x', steps: [\(start){ wait: '0s' }\(String(repeating: "] } }", count: levels))] }"
        }
        #expect(try run(nested(16)).status == 0)
        let deep = try mistakes(nested(17))
        #expect(deep.count == 1 && deep[0].contains("nested more than 16 deep"), "\(deep)")
        try FileManager.default.createSymbolicLink(
            atPath: control.folder + "/same.json5", withDestinationPath: "x.json5")
        try write("{ steps: [{ include: 'x.json5' }] }", to: "b.json5")
        for file in ["x.json5", "./x.json5", "same.json5", "b.json5"] {
            let found = try mistakes("{ name: 'x', steps: [{ include: '\(file)' }] }")
            #expect(found.count == 1 && found[0].contains("includes itself"), "\(found)")
        }
        // Each of these includes the next one twice.
        for number in 0..<20 {
            let next = number == 19 ? "{ wait: '0s' }" : "{ include: 'n\(number + 1).json5' }"
            try write("{ name: 'x', steps: [\(next), \(next)] }", to: "n\(number).json5")
        }
        let many = try mistakes("{ name: 'x', steps: [{ include: 'n0.json5' }] }")
        #expect(many.count == 1 && many[0].contains("nested more than 16 deep"), "\(many)")
    }

    /// What would take for ever to expand, each with what is wrong.
    private static let endless: [(steps: String, message: String)] = [
        ("{ include: 'n0.json5' }", "nested more than 16 deep"),
        (nested(60, "times: 2", "{ wait: '0s' }"), "nested more than 16 deep"),
        (nested(60, "times: 10000", ""), "nested more than 16 deep"),
        (nested(60, "times: 0", ""), "nested more than 16 deep"),
        (nested(16, "times: 10000", ""), "repeats and includes too often"),
        (nested(15, "over: [1, 2, 3, 4, 5, 6, 7, 8, 9]", "{ repeat: { times: 0, steps: [] } }"), "too often"),
        (nested(4, "times: 100", "{ include: 'empty.json5' }"), "too often"),
        (nested(4, "times: 100", "{ include: 'none.json5' }"), "none.json5 does not exist"),
        (nested(4, "times: 100", "{ bogus: '${none}' }"), "\"none\" is not a variable"),
        (nested(4, "times: 100", "{ wait: 'for ever' }"), "a scenario has at most 10000 steps"),
        (nested(2, "times: 100", "{ wait: 'for ever' }"), "\"for ever\" is not"),
        (nested(2, "times: 100", "{ widget: { bogus: 1 } }"), "bogus"),
        (nested(4, "times: 100", "{ repeat: 1 }"), "expected an object"),
    ]

    private static func nested(_ levels: Int, _ head: String, _ steps: String) -> String {
        let start = String(repeating: "{ repeat: { \(head), steps: [", count: levels)
        return start + steps + String(repeating: "] } }", count: levels)
    }

    @Test("what repeats or includes without an end is an error at once", arguments: endless.indices)
    func endless(index: Int) throws {
        let (steps, message) = Self.endless[index]
        for number in 0..<30 {
            let includes = (0..<10).map { _ in "{ include: 'n\(number + 1).json5' }" }.joined(separator: ", ")
            try write("{ steps: [\(includes)] }", to: "n\(number).json5")
        }
        try write("{ steps: [] }", to: "n30.json5")
        try write("{ steps: [] }", to: "empty.json5")
        try write("{ name: 'x', steps: [\(steps)] }")
        // Processor time, which does not depend on what else runs.
        let limit = "ulimit -t 20; exec \"$0\" --control \"$1/socket\" scenario \"$1/x.json5\" --here --check"
        let program = try fixture.spawn(
            "/bin/sh", ["-c", limit, "\(Programs.built)/mullionctl", control.folder], environment: [:])
        try fixture.wait(for: "mullionctl") {
            _ = program.readOutput()
            return !program.isRunning
        }
        let output = program.readOutput()
        #expect(program.exitStatus == 3 && output.contains(message), "\(steps.prefix(80)): \(output.prefix(600))")
    }

    @Test("a file has at most 1,000 variables, and the included ones at most 16 MiB")
    func sizes() throws {
        let variables = (0...1000).map { "v\($0): 1" }.joined(separator: ", ")
        let many = try mistakes("{ name: 'x', variables: { \(variables) }, steps: [] }")
        #expect(
            many.count == 1 && many[0].contains("a file has at most 1000 variables, not 1001"), "\(many)")
        let text = String(repeating: "x", count: 6 << 20)
        for number in 0..<3 { try write("{ summary: '\(text)', steps: [] }", to: "large\(number).json5") }
        let includes = (0..<3).map { "{ include: 'large\($0).json5' }" }.joined(separator: ", ")
        let large = try mistakes("{ name: 'x', steps: [\(includes)] }")
        #expect(large.count == 1 && large[0].contains("the included files have more than 16 MiB"), "\(large)")
    }

    @Test("a file can be broken in any byte")
    func cut() throws {
        try write(
            "{ variables: { v: 'a' }, steps: [{ claim: { title: '${v}' } }, { release: 'a' }] }", to: "part.json5")
        let text = """
            { name: 'x', variables: { t: 2 }, steps: [{ repeat: { times: '${t}', as: 'i', steps: [
            { include: { file: 'part.json5', variables: { v: '${i}' } } }] } }, { start: ['a'] }, { widget: { click: {} } }] }
            """
        for count in 0..<text.utf8.count {
            let result = try run(String(text.prefix(count)))
            #expect(result.status == 3, "\(count): \(result)")
        }
    }

    @Test("numbers that JSON cannot express are mistakes among the others, each once")
    func numbers() throws {
        let found = try mistakes(
            """
            { name: "x", server: { screens: ["64x48"], clock: 1e400 },
              steps: [
                { wait: 1e999 },
                { claim: { title: "A", level: NaN } },
                { repeat: { times: -Infinity, steps: [{ bogus: 1 }] } },
                {  wait: 1e999 },
            ] }
            """)
        let all = [
            "x.json5:1:44: server.clock: the number 1e400 is too large",
            "x.json5:3:7: steps[0].wait: the number 1e999 is too large",
            "x.json5:4:28: steps[1].claim.level: NaN and Infinity are not allowed",
            "x.json5:5:17: steps[2].repeat.times: NaN and Infinity are not allowed",
            "x.json5:5:45: step 3: unknown key \"bogus\"", "x.json5:6:8: steps[3].wait: the number 1e999 is too large",
        ]
        #expect(found.count == all.count && zip(found, all).allSatisfy { $0.hasPrefix($1) }, "\(found)")
    }
}
