// mullionctl scenario: variables, repeat and include, and the places of mistakes in several files.

import FoundationEssentials
import Glibc
import TestSupport
import Testing

@Suite struct ScenarioLanguageTests {
    let fixture: ServerFixture
    let control: ControlSession

    init() throws {
        fixture = try ServerFixture(screens: ["100x80,name=MAIN"], clock: .manual)
        control = try ControlSession(fixture)
    }

    func write(_ text: String, to name: String = "x.json5") throws {
        let path = "\(control.folder)/\(name)"
        try FileManager.default.createDirectory(
            atPath: String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]), withIntermediateDirectories: true)
        guard FileManager.default.createFile(atPath: path, contents: Data(text.utf8)) else {
            throw FixtureError("\(path) cannot be written")
        }
    }

    func run(_ text: String, _ words: String...) throws -> (status: Int32, lines: [String]) {
        try write(text)
        let result = try control.mullionctl(
            ["scenario", control.folder + "/x.json5", "--here", "--output", control.folder + "/out"] + words)
        return (result.status, result.output.split(separator: "\n").map(String.init))
    }

    /// The mistakes of a file, without "mullionctl: " and its folder.
    func mistakes(_ text: String, _ words: String...) throws -> [String] {
        try write(text)
        let result = try control.mullionctl(["scenario", control.folder + "/x.json5", "--here"] + words)
        #expect(result.status == 3, "\(result.output)")
        return result.output.replacing(control.folder + "/", with: "").split(separator: "\n").map { line in
            line.hasPrefix("mullionctl: ") ? String(line.dropFirst("mullionctl: ".count)) : "?? \(line)"
        }
    }

    /// The names of the screens that were plugged in, and their scales.
    private func screens() -> [String] {
        fixture.model.screens.compactMap { fixture.model.screen($0) }.filter { $0.name != "MAIN" }
            .map { "\($0.name)×\($0.scale)" }
    }

    // MARK: Variables

    @Test("variables keep their type where they are a whole string, and are text inside of one")
    func variables() throws {
        let result = try run(
            """
            { name: "x", variables: { name: "TV", scale: 2, plug: { model: "64x48", name: "B", scale: 0.5 }, on: true,
                list: ["MAIN", "TV 2 true ${name} $", "B"] },
              steps: [
                { plug: { model: "64x48", name: "${name} ${scale} ${on} $${name} $", scale: "${scale}" } },
                { plug: "${plug}" },
                { expect: { screens: "${list}", screen: { name: "B", main: false } } },
              ] }
            """)
        #expect(result.status == 0, "\(result)")
        #expect(screens() == ["TV 2 true ${name} $×2.0", "B×0.5"])
    }

    @Test("--set gives a variable another value: text for text, otherwise JSON if it is valid")
    func settings() throws {
        let file = """
            { name: "x", variables: { name: "A", scale: 1 },
              steps: [{ plug: { model: "64x48", name: "${name}", scale: "${scale}" } }] }
            """
        #expect(try run(file, "--set", "name=[2]", "--set", "scale=3").status == 0)
        #expect(try run(file, "--set", "name=a=b").status == 0)
        #expect(screens() == ["[2]×3.0", "a=b×1.0"])
        #expect(try mistakes(file, "--set", "scale=big").first?.contains(":2:54: step 1: plug.scale: \"big\"") == true)
        // A variable without a value in the file.
        #expect(try mistakes("{ name: 'x', steps: [{ wait: '${time}' }] }").first?.contains("declare it in") == true)
        #expect(try run("{ name: 'x', steps: [{ wait: '${time}' }] }", "--set", "time=1ms").status == 0)
        for (setting, reason) in [
            ("nam=B", "--set: \"nam\" is not a variable of \(control.folder)/x.json5; did you mean name?"),
            ("1=B", "--set: \"1\" is not a name for a variable; use letters, digits, - and _"),
        ] {
            let result = try run(file, "--set", setting)
            #expect(result.status == 2 && result.lines.first?.contains(reason) == true, "\(result)")
        }
        #expect(screens().count == 2)
    }

    // MARK: Repeat and include

    @Test("repeated steps know their number or their value; inner names hide outer ones")
    func repeats() throws {
        let result = try run(
            """
            { name: "x", variables: { model: "64x48", times: 2, i: "outside" }, steps: [
                { repeat: { times: "${times}", as: "i", steps: [
                    { repeat: { over: [{ n: "a" }, "b", 3], as: "value", steps: [
                        { claim: { title: "w${i}" } }, { release: "w${i}" } ] } },
                    { plug: { model: "${model}", name: "S${i}" } },
                ] } },
                { repeat: { times: 0, steps: [{ unplug: "S0" }] } },
                { repeat: { over: ["S0", "S1"], as: "i", steps: [{ expect: { screen: { name: "${i}" } } }] } },
                { claim: { title: "${i}" } },
            ] }
            """)
        #expect(result.status == 0, "\(result)")
        let inner = { (i: Int) in
            Array(repeating: ["claim w\(i)", "release w\(i)"], count: 3).joined() + ["plug S\(i)"]
        }
        let titles = inner(0) + inner(1) + ["expect", "expect", "claim outside"]
        #expect(result.lines.dropLast() == titles.enumerated().map { "\($0.offset + 1)/17 \($0.element)" }[...])
        #expect(screens() == ["S0×1.0", "S1×1.0"])
    }

    @Test("a step, a repetition and its steps may be variables; variables in them are those of the place")
    func variableSteps() throws {
        try write("{ variables: { n: 1 }, steps: [{ claim: { title: 'part ${n}' } }] }", to: "part.json5")
        let result = try run(
            """
            { name: "x", variables: {
                step: { wait: "${time}" }, time: "1ms", part: { include: { file: "part.json5", variables: { n: "${i}" } } },
                list: [{ claim: { title: "w${i}" } }, "${part}"], times: { times: 2, as: "i", steps: "${list}" },
                all: { repeat: { over: ["a"], as: "i", steps: "${list}" } }, i: "-",
              },
              steps: ["${step}", { repeat: "${times}" }, "${all}", { repeat: { times: 1, steps: "${list}" } }] }
            """)
        let titles =
            ["wait 1ms"] + ["0", "1", "a", "-"].flatMap { ["claim w\($0)", "claim part \($0)"] }
        #expect(result.status == 0, "\(result)")
        #expect(result.lines.dropLast() == titles.enumerated().map { "\($0.offset + 1)/9 \($0.element)" }[...])
        // Variables that bring themselves.
        let variables = "{ name: 'x', variables: { l: [{ repeat: { times: 1, steps: '${l}' } }], s: '${s}' },\n"
        let selves = try mistakes(
            variables + "steps: ['${s}', '${none}', { repeat: '${s}' }, { repeat: { times: 1, steps: '${s}' } }] }")
        let starts = [
            "2:9: step 1: expected an object, found \"${s}\"",
            "2:17: step 2: \"none\" is not a variable; use one of l, s",
            "2:30: step 3: repeat: expected an object",
            "2:70: step 4: repeat.steps: expected a list of steps",
        ]
        #expect(selves.count == starts.count, "\(selves.joined(separator: "\n"))")
        for (mistake, start) in zip(selves, starts) {
            #expect(mistake.hasPrefix("x.json5:\(start)"), "\(mistake)")
        }
        // What is too deep ends the check at once.
        let deep = try mistakes(variables + "steps: [{ repeat: { times: 1, steps: '${l}' } }, '${none}'] }")
        #expect(deep == ["x.json5:2:31: step 1: repeat and include are nested more than 16 deep"])
    }

    @Test("included files have variables of their own, and files relative to themselves")
    func includes() throws {
        try write(
            "{ $schema: 's', name: 'inner', summary: 's', server: { clock: 'real' }, variables: { name: 'D', scale: 1 }, "
                + "steps: [{ plug: { model: '64x48', name: '${name}', scale: '${scale}' } }, { include: 'deep/c.json5' }] }",
            to: "parts/b.json5")
        try write(
            "{ steps: [{ wait: '1ms' }, { compare: { golden: 'black.png', screen: 'MAIN' } }] }",
            to: "parts/deep/c.json5")
        try FileManager.default.createSymbolicLink(
            atPath: control.folder + "/link.json5", withDestinationPath: "parts/deep/c.json5")
        let text = """
            { name: "x", variables: { name: "outer", file: "parts/b.json5" }, steps: [
                { include: "${file}" },
                { include: { file: "parts/b.json5", variables: { name: "in ${name}", scale: 2 } } },
            ] }
            """
        // Goldens of included files are written beside them, but only once.
        #expect(
            try mistakes(text, "--update").first?.hasPrefix("parts/deep/c.json5:1:30: step 6: compare: --update")
                == true)
        let once = "{ name: 'x', steps: [{ include: 'parts/deep/c.json5' }] }"
        #expect(try run(once, "--update").lines.last?.hasSuffix("saved \(control.folder)/parts/deep/black.png") == true)
        let result = try run(text)
        #expect(result.status == 0, "\(result)")
        #expect(screens() == ["D×1.0", "in outer×2.0"])
        #expect(result.lines.count == 7 && result.lines[5] == "6/6 compare black.png")
    }

    @Test("a scenario on standard input includes files of the working directory")
    func standardInput() throws {
        let workshop = try Workshop()
        _ = try workshop.write("{ steps: [{ claim: { title: 'included' } }] }", to: "part.json5")
        let text = "{ name: \"x\", server: { screens: [\"64x48\"] }, steps: [{ include: \"part.json5\" }] }"
        let result = try workshop.shell("echo '\(text)' | ctl scenario -")
        #expect(result.status == 0 && result.output.hasPrefix("1/1 claim included\n"), "\(result)")
    }

    // MARK: Mistakes

    private static let mistaken: [(text: String, mistakes: [String])] = [
        (
            "{ name: 'x', variables: { 'a b': 1, ok: 2 },\n steps: [{ wait: '${oks}' }, { wait: '${' }, { wait: '${a b}' }] }",
            [
                "1:27: variables: \"a b\" is not a name for a variable; use letters, digits, - and _, and begin with a "
                    + "letter or _",
                "2:12: step 1: wait: \"oks\" is not a variable; did you mean ok?",
                "2:32: step 2: wait: \"${\" without \"}\"; use ${NAME}, or $${ for the characters",
                "2:48: step 3: wait: \"a b\" is not a name of a variable; use ${NAME}, or $${ for the characters",
            ]
        ),
        (
            "{ name: 'x', variables: { l: [1], n: null }, steps: [{ claim: { title: 'a ${l}', color: '${n}b' } },\n"
                + "{ repeat: { over: [1], as: 'l', steps: [{ claim: { title: 't', frame: ['${z}'] } }] } }] }",
            [
                "1:65: step 1: claim.title: \"l\" is [1], which cannot be inserted into a string; use \"${l}\" by itself",
                "1:82: step 1: claim.color: \"n\" is null, which cannot be inserted into a string; use \"${n}\" by itself",
                "2:72: step 2: claim.frame[0]: \"z\" is not a variable; use one of l, n",
            ]
        ),
        (
            "{ name: 'x', variables: [], steps: [] }",
            ["1:14: variables: expected an object, such as { title: \"Save\" }"]
        ),
        (
            "{ name: 'x', steps: [{ repeat: 3 }, { repeat: { times: 2, over: [], steps: [] } },\n"
                + "{ repeat: { times: 2.5, steps: [] } }, { repeat: { times: 10001, steps: [] } }, { repeat: { over: 3, steps: [] } },\n"
                + "{ repeat: { times: 1, setps: [] } }, { repeat: { times: 1, steps: 1 } }, { repeat: { times: 1, as: 'a b', steps: [] } },\n"
                + "{ repeat: { times: 1, steps: [] }, wait: '1s' }, { repeat: { times: '${x}', steps: [] } }] }",
            [
                "1:24: step 1: repeat: expected an object, such as { times: 3, steps: [] }",
                "1:39: step 2: repeat: use \"times\", a number, or \"over\", a list of values",
                "2:13: step 3: repeat.times: 2.5 is not a number of times; use 0 to 10000",
                "2:52: step 4: repeat.times: 10001 is not a number of times; use 0 to 10000",
                "2:93: step 5: repeat.over: 3 is not a list of values",
                "3:3: step 6: repeat: \"steps\", a list of steps, is missing",
                "3:23: step 6: repeat: unknown key \"setps\"; use one of as, over, steps, times",
                "3:60: step 7: repeat.steps: expected a list of steps",
                "3:96: step 8: repeat.as: \"a b\" is not a name for a variable; use letters, digits, - and _, and begin "
                    + "with a letter or _",
                "4:1: step 9: a step has exactly one key; move repeat to a step of its own",
                "4:62: step 10: repeat.times: \"x\" is not a variable; declare it in \"variables\"",
            ]
        ),
        (
            "{ name: 'x', steps: [{ include: 'none.json5' }, { include: 5 }, { include: { file: '' } },\n"
                + "{ include: { file: 'part.json5', variables: { nam: 1, more: 2 }, vars: 1 } }, { include: 'x.json5' }] }",
            [
                "1:24: step 1: include: none.json5 does not exist",
                "1:51: step 2: include: expected the name of a file, or { file: NAME, variables: {} }",
                "1:78: step 3: include.file: expected the name of a file, or { file: NAME, variables: {} }",
                "2:47: step 4: include.variables: \"nam\" is not a variable of part.json5; use one of name",
                "2:55: step 4: include.variables: \"more\" is not a variable of part.json5; use one of name",
                "2:66: step 4: include: unknown key \"vars\"; use one of file, variables",
                "2:81: step 5: include: x.json5 includes itself; use repeat for steps that come again",
            ]
        ),
        (
            "{ name: 'x', steps: [{ input: { type: 'tap', x: 1e999, y: 2 } }] }",
            ["1:46: steps[0].input.x: the number 1e999 is too large"]
        ),
        (
            "{ name: 'x', steps: [{ strt: 'foot' }, { wait: { widgets: {} } }, { expect: { widgets: {} } }, { expect: {} }] }",
            [
                "1:24: step 1: unknown key \"strt\"; use one of brightness, claim, compare, expect, flap, include, "
                    + "input, mirror, mode, overscan, pause, plug, position, release, repeat, rotate, scale, "
                    + "screenshot, start, stop, unplug, wait, widget, window",
                "1:50: step 2: wait: unknown key \"widgets\"; use one of application, client, gone, idle, pixel, screen, "
                    + "still, text, timeout, widget, window",
                "1:79: step 3: expect: unknown key \"widgets\"; use one of hits, key, pixel, screen, screens, widget, "
                    + "window, within",
                "1:98: step 4: expect: the expectation is empty; use screens, screen, window, key, pixel, hits, widget",
            ]
        ),
        (
            "{ name: 'x', variables: { none: [] }, steps: [{ repeat: { times: 0, as: 'i', steps: [{ plugg: 1 }, { wait: '${i}s' }] } },\n"
                + "{ repeat: { times: -1, steps: [{ wait: '1' }] } }, { repeat: { over: '${none}', as: 'v', steps: [{ wait: '${v}' },\n"
                + "{ stop: 5 }, { compare: { golden: 'none.png' } }, { wait: '${w}' }, { screenshot: 'a' }] } },\n"
                + "{ repeat: { times: 0, steps: [{ claim: { title: 'a' } }, { stop: 'p' }, { screenshot: 'a' }] } },\n"
                + "{ claim: { title: 'a' } }, { screenshot: 'a' }, { wait: '2' }] }",
            [
                "1:88: step 1: unknown key \"plugg\"; use one of brightness, claim, compare, expect, flap, include, "
                    + "input, mirror, mode, overscan, pause, plug, position, release, repeat, rotate, scale, "
                    + "screenshot, start, stop, unplug, wait, widget, window",
                "2:13: step 1: repeat.times: -1 is not a number of times; use 0 to 10000",
                "2:34: step 1: wait: \"1\" is not a condition to wait for; use settled, idle, 500us, 16ms or 1.5s, at most "
                    + "a day, or an object such as { window: { title: \"Menu\" } }",
                "3:3: step 3: stop: 5 is not the name of a program",
                "3:53: step 5: wait: \"w\" is not a variable; use one of none",
                "5:51: step 4: wait: \"2\" is not a condition to wait for; use settled, idle, 500us, 16ms or 1.5s, at most "
                    + "a day, or an object such as { window: { title: \"Menu\" } }",
            ]
        ),
    ]

    @Test("each mistake has its exact place, and says what is allowed", arguments: mistaken.indices)
    func mistakes(index: Int) throws {
        try write("{ variables: { name: 'a' }, steps: [{ wait: '1ms' }] }", to: "part.json5")
        let (text, expected) = Self.mistaken[index]
        let found = try mistakes(text)
        #expect(found == expected.map { "x.json5:\($0)" }, "\(found.joined(separator: "\n"))")
    }

    @Test("pictures have different names, also in repeated steps")
    func pictures() throws {
        let repeated = "{ repeat: { times: 3, as: 'i', steps: [{ screenshot: 's' }] } }"
        let found = try mistakes(
            "{ name: 'x', steps: [\(repeated),\n{ screenshot: { name: 's.png', screen: 'MAIN' } }] }")
        #expect(
            found == [
                "x.json5:1:63: step 2: screenshot: \"s\" is the name of a picture before, which would be lost; use another "
                    + "one, in repeated steps with a variable such as ${i}",
                "x.json5:2:17: step 4: screenshot.name: \"s.png\" is the name of a picture before, which would be lost; use "
                    + "another one, in repeated steps with a variable such as ${i}",
            ], "\(found.joined(separator: "\n"))")
        let result = try run("{ name: 'x', steps: [\(repeated.replacing("'s'", with: "'s${i}'"))] }")
        let files = (0..<3).map { "\(control.folder)/out/s\($0).png" }
        #expect(result.lines.last == "x: as expected; saved \(files.joined(separator: ", "))", "\(result)")
    }

    @Test("the mistakes of all files are reported together, the server's too, each once however often it is repeated")
    func severalFiles() throws {
        try write(
            """
            {
                steps: [
                    { claim: { title: "a", color: "red" } },
                    { repeat: { times: 3, steps: [{ level: 1 }] } },
                    { claim: { title: "${nope}" } },
                    { include: "syntax.json5" },
                ],
                bogus: 1,
            }
            """, to: "parts/b.json5")
        try write("{ steps: [\n  { wait: '1s' } { }\n] }", to: "parts/syntax.json5")
        try write("{ steps: 5 }", to: "parts/shape.json5")
        let found = try mistakes(
            """
            { name: "x", steps: [
                { repeat: { times: 200, steps: [{ include: "parts/b.json5" }] } },
                { include: "parts/syntax.json5" }, { include: "parts/shape.json5" },
                { scale: { screen: "MAIN", to: 65 } },
            ] }
            """)
        #expect(
            found.sorted()
                == [
                    "parts/b.json5:3:32: step 1: claim.color: \"red\" is not a colour; use #RRGGBB or #AARRGGBB",
                    "parts/b.json5:4:41: step 2: unknown key \"level\"; use one of brightness, claim, compare, expect, flap, "
                        + "include, input, mirror, mode, overscan, pause, plug, position, release, repeat, rotate, "
                        + "scale, screenshot, start, stop, unplug, wait, widget, window",
                    "parts/b.json5:5:20: step 5: claim.title: \"nope\" is not a variable; declare it in \"variables\"",
                    "parts/b.json5:8:5: unknown key \"bogus\"; use one of $schema, name, server, steps, summary, variables",
                    "parts/shape.json5:1:3: steps: expected a list of steps",
                    "parts/syntax.json5:2:18: expected a comma or ]",
                    "x.json5:4:32: step 1203: scale.to: S1 (screen properties): 65 is not a scale; use a number from 1/64 to 64",
                ].sorted(), "\(found.joined(separator: "\n"))")
        #expect(screens().isEmpty && fixture.model.windows.isEmpty)
    }
}
