// mullionctl scenario: files, private servers, pictures on disk, and unmodified programs.

import Compositor
import DisplayServer
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@Suite struct ScenarioProgramTests {
    private static let root = String(#filePath.dropLast("Tests/ScenarioTests/ScenarioProgramTests.swift".count))
    private static let shipped =
        ((try? FileManager.default.contentsOfDirectory(atPath: root + "Config/scenarios")) ?? [])
        .filter { $0.hasSuffix(".json5") }.sorted()

    @Test("scenarios are shipped, and their golden pictures are small")
    func goldens() throws {
        #expect(Self.shipped.count >= 8)
        let folder = Self.root + "Config/scenarios/goldens/"
        let files = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(files.count >= 3)
        for file in files {
            let size = try #require(FileManager.default.contents(atPath: folder + file)).count
            #expect(size > 0 && size < 20_000, "\(file)")
        }
    }

    @Test(
        "every shipped scenario is as expected, and two runs give the same pictures, byte for byte", arguments: shipped)
    func passes(file: String) throws {
        let workshop = try Workshop()
        let path = Self.root + "Config/scenarios/" + file
        let one = try workshop.mullionctl("scenario", path, "--json", "--output", workshop.folder + "/one")
        let two = try workshop.mullionctl("scenario", path, "--json", "--output", workshop.folder + "/two")
        #expect(one.status == 0 && one.output.contains("\"frame\""), "\(one.output)")
        // The reports are equal too, including the number of frames, unless programs draw some in real time.
        #expect(Self.reports(one.output) == Self.reports(two.output))
        let pictures = workshop.files("one")
        #expect(!pictures.isEmpty && pictures == workshop.files("two"))
        for picture in pictures {
            #expect(workshop.bytes("one/" + picture) == workshop.bytes("two/" + picture), "\(picture)")
        }
        #expect(workshop.files("tmp").isEmpty)
    }

    /// The lines of a run without those of programs, and without the number of frames if programs were started.
    private static func reports(_ output: String) -> [Substring] {
        let lines = output.split(separator: "\n").filter { $0.hasPrefix("{") }
        let isReal = lines.contains { $0.contains("\"title\":\"start ") }
        return lines.filter { !(isReal && $0.contains("\"frame\"")) }
    }

    @Test("unmodified programs in manual time: two runs give the same pictures, byte for byte")
    func programs() throws {
        let workshop = try Workshop()
        let file = try workshop.write(
            """
            // Terminals draw when they receive a size, and when it changes.
            {
                name: "foot",
                steps: [
                    { expect: { window: { title: "term", visible: true, key: true }, within: "20s" } },
                    { wait: "settled" }, { wait: "200ms" },
                    { screenshot: "start" },
                    { plug: "640x480,name=B,mirroring=off" }, { wait: "50ms" },
                    { scale: { screen: "A", to: 2 } }, { wait: "1s" },
                    { screenshot: { name: "scaled", screen: "A" } },
                    { claim: { title: "cover", level: "alert", alpha: 0.5, color: "#0000ff", frame: { x: 20, y: 20, width: 90, height: 90 } } },
                    { unplug: "B" }, { wait: "settled" },
                    { screenshot: "covered" },
                ],
            }
            """, to: "foot.json5")
        let script = """
            foot --config=/dev/null --title=term --override=cursor.blink=no --override=locked-title=yes sleep 1000 \
            >/dev/null 2>&1 & foot=$!
            "$1" scenario "$2" --here --output "$3"; status=$?; kill $foot; exit $status
            """
        for output in ["one", "two"] {
            let result = try workshop.mullionctl(
                "run", "--clock", "manual", "--screen", "400x300,name=A", "--", "sh", "-c", script, "sh",
                Workshop.programs + "/mullionctl", file, workshop.folder + "/" + output)
            #expect(result.status == 0 && result.output.contains("foot: as expected; saved "), "\(result.output)")
        }
        #expect(workshop.files("one") == ["covered.png", "scaled.png", "start.png"])
        for picture in workshop.files("one") {
            #expect(workshop.bytes("one/" + picture) == workshop.bytes("two/" + picture), "\(picture)")
        }
        #expect(workshop.bytes("one/start.png") != workshop.bytes("one/scaled.png"))
    }

    @Test("progress, the first mismatch and exit statuses 0, 1 and 2")
    func statuses() throws {
        let workshop = try Workshop()
        let good = try workshop.write(
            "{ name: 'g', server: { screens: ['64x48,name=A'] }, /* real time */ steps: [{ claim: { title: 'a' } }, { wait: '1ms' }] }",
            to: "good.json5")
        #expect(try workshop.mullionctl("scenario", good) == (0, "1/2 claim a\n2/2 wait 1ms\ngood: as expected\n"))
        let bad = try workshop.write(
            "{ name: 'b', server: { screens: ['64x48,name=A'], clock: 'manual' }, steps: [{ wait: '1ms' }, { expect: { key: 'a' } }, { wait: '1ms' }] }",
            to: "bad.json5")
        let reason = "mullionctl: \(bad): step 2 of 3 (expect): key window: expected a, seen none\n"
        #expect(try workshop.mullionctl("scenario", bad) == (1, "1/3 wait 1ms\n" + reason))
        for wrong in [[], [good, "--output"], [good, "-o", "a", "-o", "b"], [good, "--upright"]] {
            let program = try workshop.start(["scenario"] + wrong)
            let output = program.outputAtEnd()
            #expect(program.exitStatus == 2 && !output.contains("as expected"), "\(wrong): \(output)")
        }
        #expect(workshop.files("tmp").isEmpty)
    }

    @Test("a file that is not a scenario is refused with name, line and column")
    func mistakes() throws {
        let workshop = try Workshop()
        let cases = [
            (
                "{ name: 'a',\n steps: [ { wait: '1ms' } { wait: '1ms' } ] }",
                ":2:27: expected a comma or ]"
            ),
            ("[]", ":1:1: a scenario must be an object: { name: …, steps: […] }"),
            ("{ steps: [{ claim: { level: NaN } }] }", ":1:22: steps[0].claim.level: NaN and Infinity are not allowed"),
            ("{ server: [], steps: [] }", ":1:3: server: expected an object, such as { screens"),
            (
                "{ server: { screen: [] }, steps: [] }",
                ":1:13: server: unknown key \"screen\"; use one of accessibility, clock"
            ),
            ("{ server: { screens: 'A' }, steps: [] }", ":1:13: server.screens: expected a list of display models"),
            ("{ server: { screens: [] }, steps: [] }", ":1:13: server.screens: expected a list of display models"),
            (
                "{ server: { screens: ['9x9', 5] }, steps: [] }",
                ":1:13: server.screens: expected a list of display models"
            ),
            (
                "{ server: { clock: 'slow' }, steps: [] }",
                ":1:13: server.clock: \"slow\" is not a clock; use \"real\" or \"manual\""
            ),
            (
                "{ steps: [{ wait: '1s' }, { compare: {} }] }",
                ":1:29: step 2: compare: \"golden\", the name of a PNG file, is missing"
            ),
            ("{ steps: [{ wait: '1s' }, { compare: 'a.png' }] }", "/a.png does not exist; --update writes it"),
            (
                "{ steps: [{ compare: { golden: 'a.png', name: 'a' } }] }",
                ":1:13: step 1: compare: it has no \"name\"; it takes golden, screen, window, crop, masks"
            ),
            ("{ steps: [{ compare: { golden: 'a.png' } }] }", "/a.png does not exist; --update writes it"),
        ]
        for (text, reason) in cases {
            let file = try workshop.write(text, to: "x.json5")
            let result = try workshop.mullionctl("scenario", file)
            #expect(result.status == 3 && result.output.hasPrefix("mullionctl: \(file)"), "\(result.output)")
            #expect(result.output.contains(reason), "\(text): \(result.output)")
        }
        let none = workshop.folder + "/none.json5"
        #expect(try workshop.mullionctl("scenario", none) == (1, "mullionctl: \(none): the file does not exist\n"))
        let model = try workshop.write("{ name: 'a', server: { screens: ['huge'] }, steps: [] }", to: "x.json5")
        let result = try workshop.mullionctl("scenario", model)
        #expect(result.status == 3 && result.output.contains("\"huge\" is not a display model"), "\(result.output)")
        #expect(workshop.files("tmp").isEmpty)
    }

    @Test(
        "pictures stay in their folder, whatever their names", arguments: ["../x", "a/b", "", ".x", "..", "/tmp/x"])
    func names(name: String) throws {
        let workshop = try Workshop()
        for step in ["{ screenshot: '\(name)' }", "{ screenshot: { name: '\(name)' } }"] {
            let file = try workshop.write(
                "{ name: 'a', server: { screens: ['9x9'] }, steps: [{ wait: '1ms' }, \(step)] }", to: "x.json5")
            let result = try workshop.mullionctl("scenario", file, "--output", workshop.folder + "/out")
            #expect(result.status == 3, "\(result.output)")
            #expect(result.output.contains(": \"\(name)\" is not a name for a picture"), "\(result.output)")
        }
        #expect(workshop.files("") == ["tmp", "x.json5"])
    }

    @Test("--control uses a running server; --update writes goldens; a difference leaves pictures of it")
    func golden() throws {
        let fixture = try ServerFixture(screens: ["50x40,name=A", "30x20,name=B"], clock: .manual)
        let control = try ControlSession(fixture)
        let file = control.folder + "/x.json5"
        func run(_ color: String, _ screen: String = "A", _ more: String..., tolerance: Int = 0) throws -> (
            status: Int32, output: String
        ) {
            let text = """
                { name: 'x', server: { screens: ['9x9'], clock: 'real' }, steps: [
                    { claim: { title: 'w', color: '\(color)', frame: { x: 1, y: 2, width: 3, height: 4 } } },
                    { compare: { golden: 'deep/g.png', screen: '\(screen)', tolerance: \(tolerance) } }] }
                """
            _ = FileManager.default.createFile(atPath: file, contents: Data(text.utf8))
            return try control.mullionctl(["scenario", file, "--output", control.folder + "/out"] + more)
        }
        let path = control.folder + "/deep/g.png"
        let missing = try run("#102030")
        #expect(
            missing.status == 3
                && missing.output.contains("step 2: compare: \(path) does not exist; --update writes it"))
        let update = try run("#102030", "A", "--update")
        #expect(
            update.status == 0
                && update.output == "1/2 claim w\n2/2 screenshot deep/g.png\nx: as expected; saved \(path)\n")
        #expect(try PNG.decode(control.read("deep/g.png"))[1, 2] == 0xff10_2030)
        #expect(try run("#102030").output == "1/2 claim w\n2/2 compare deep/g.png\nx: as expected\n")
        #expect(try run("#132030", tolerance: 3).status == 0)
        #expect(!FileManager.default.fileExists(atPath: control.folder + "/out"))
        let different = try run("#132030")
        let place = "picture deep/g.png: pixel 1,2: expected #102030, seen #132030; 12 pixels differ, by 3 at most"
        #expect(different.status == 1 && different.output.contains("step 2 of 2 (compare deep/g.png): \(place)"))
        let pictures = ["seen", "diff", "side-by-side"].map { "\(control.folder)/out/g.\($0).png" }
        #expect(different.output.hasSuffix("; see \(pictures.joined(separator: ", "))\n"), "\(different)")
        #expect(try PNG.decode(control.read("out/g.side-by-side.png")).width == 3 * 50 + 2 * 8)
        #expect(try PNG.decode(control.read("out/g.seen.png"))[1, 2] == 0xff13_2030)
        #expect(try PNG.decode(control.read("out/g.diff.png"))[1, 2] == 0xffff_0000)
        let size = try run("#102030", "B")
        #expect(size.status == 1 && size.output.contains("expected 50x40 pixels, seen 30x20"), "\(size)")
        #expect(fixture.model.windows.isEmpty && fixture.model.screens.count == 2)

        // Another toolkit draws another picture.
        let variant = try run("#605040", "A", "--update", "--variant", "gtk-4.8")
        #expect(variant.status == 0 && variant.output.hasSuffix("saved \(control.folder)/deep/g.gtk-4.8.png\n"))
        #expect(try run("#605040", "A", "--variant", "gtk-4.8").status == 0)
        #expect(try run("#605040", "A", "--variant", "gtk-5", "--variant", "gtk-4.8").status == 0)
        #expect(try run("#102030", "A", "--variant", "gtk-5").status == 0)
        #expect(try run("#102030", "A", "--variant", "gtk-4.8").status == 1)
    }

    @Test("--update writes no file twice, whatever its names")
    func updatesOnce() throws {
        let workshop = try Workshop()
        for other in ["a.png", "./a.png", "b/../a.png"] {
            let text = """
                { name: 'x', server: { screens: ['9x9'] }, steps: [{ compare: 'a.png' }, { compare: '\(other)' }] }
                """
            let file = try workshop.write(text, to: "x.json5")
            let result = try workshop.mullionctl("scenario", file, "--update")
            #expect(
                result.status == 3 && result.output.contains(": step 2: compare: --update would write "),
                "\(result.output)")
            #expect(result.output.contains("twice, also for \"a.png\" before"), "\(result.output)")
        }
        #expect(workshop.files("") == ["tmp", "x.json5"])
    }

    @Test("what the server refuses is reported with the file's name")
    func refusals() throws {
        let fixture = try ServerFixture(screens: ["50x40,name=A"])
        let control = try ControlSession(fixture)
        let file = control.folder + "/x.json5"
        func run(_ steps: String) throws -> (status: Int32, output: String) {
            _ = FileManager.default.createFile(atPath: file, contents: Data("{ name: 'x', steps: [\(steps)] }".utf8))
            return try control.mullionctl("scenario", file, "--here")
        }
        let idle = try run("{ plug: '9x9' }, { wait: 'idle' }")
        let reason = "the real clock is never idle; use the manual clock, or wait for a time or \"settled\""
        #expect(idle == (3, "mullionctl: \(file):1:39: step 2 (wait until idle): \(reason)\n"))
        #expect(
            try run("{ plug: 'nix' }").output.hasPrefix(
                "mullionctl: \(file):1:22: step 1 (plug nix): S1 (screen properties): \"nix\" is not a display model"))
        #expect(fixture.model.screens.count == 1)
    }

    /// Three mistakes for the server, four for mullionctl, and steps without any.
    private static let mistaken = """
        {
            name: "x",
            // A comment moves the lines.
            server: { clock: "slow", screens: ["64x48"] },
            stepz: [],
            steps: [
                { claim: { title: "w", color: "red", alpha: "half" } },
                { wait: "1ms" },
                { input: [{ type: "tap", x: 1, y: 1 }, { type: "tap", x: true, y: 2, z: 3 }] },
                { screenshot: "a/b" },
                { compare: { golden: "none.png", tolerance: -1 } },
                { release: "w" },
                { plug: "nix" },
            ],
        }
        """

    @Test("all mistakes of a file are reported at once, those of the server too, each with line and column")
    func together() throws {
        let workshop = try Workshop()
        let file = try workshop.write(Self.mistaken, to: "x.json5")
        let result = try workshop.mullionctl("scenario", file)
        let lines = result.output.split(separator: "\n").map(String.init)
        let expected = [
            "4:15: server.clock: \"slow\" is not a clock; use \"real\" or \"manual\"",
            "5:5: unknown key \"stepz\"; use one of $schema, name, server, steps, summary, variables",
            "7:32: step 1: claim.color: \"red\" is not a colour; use #RRGGBB or #AARRGGBB",
            "7:46: step 1: claim.alpha: expected a number, found \"half\"",
            "9:63: step 3: input[1].x: expected a number, found true",
            "9:78: step 3: input[1]: unknown key \"z\"; tap takes",
            "10:11: step 4: screenshot: \"a/b\" is not a name for a picture",
            "11:11: step 5: compare: \(workshop.folder)/none.png does not exist; --update writes it",
            "11:42: step 5: compare.tolerance: a tolerance is a whole number from 0 to 255",
            "13:9: step 7 (plug nix): S1 (screen properties): \"nix\" is not a display model",
        ]
        #expect(result.status == 3 && lines.count == expected.count, "\(result.output)")
        for (line, start) in zip(lines, expected) {
            #expect(line.hasPrefix("mullionctl: \(file):\(start)"), "\(line)")
        }
        #expect(workshop.files("tmp").isEmpty)
    }

    @Test("Ctrl-C ends the scenario and its server, and leaves no temporary folder", arguments: [SIGINT, SIGTERM])
    func interrupted(signal: Int32) throws {
        let workshop = try Workshop()
        let file = try workshop.write(
            "{ name: 'a', server: { screens: ['64x48'] }, steps: [{ claim: { title: 'a' } }, { wait: '3600s' }] }",
            to: "long.json5")
        let program = try workshop.start(["scenario", file])
        let loop = try ServerFixture(screens: [])
        try loop.wait(for: "its first step") { program.readOutput().contains("1/2 claim a") }
        #expect(workshop.files("tmp").count == 1)
        program.kill(signal)
        try loop.wait(for: "its end") { !program.isRunning }
        #expect(program.exitStatus == 128 + signal, "\(program.readOutput())")
        // The server ends before its folder is removed.
        #expect(workshop.files("tmp").isEmpty)
    }
}
