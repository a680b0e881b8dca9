// mullionctl fails when its output is lost: on a full disk, or because nobody reads it.

import FoundationEssentials
import Glibc
import TestSupport
import Testing

@Suite struct LostOutputTests {
    /// A server, and a shell that runs `ctl`, which is mullionctl with its socket.
    private final class Shell {
        let fixture: ServerFixture
        let session: ControlSession
        var folder: String { session.folder }

        init() throws {
            fixture = try ServerFixture(screens: ["64x48,name=MAIN"])
            session = try ControlSession(fixture)
        }

        func run(_ script: String) throws -> (status: Int32?, output: String) {
            let tool = "ctl() { '\(Programs.built)/mullionctl' --control '\(folder)/socket' \"$@\"; }"
            // Writing to file descriptor 3 fails: its reader has ended.
            let broken = "exec 3> >(true); wait $!"
            let program = try fixture.spawn(
                "/bin/bash", ["-c", "cd '\(folder)'; \(tool); \(broken); \(script)"],
                environment: ["PATH": "/usr/bin:/bin"])
            try fixture.wait(for: script) {
                _ = program.readOutput()
                return !program.isRunning
            }
            return (program.exitStatus, program.readOutput())
        }

        func files() -> [String] {
            ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { !$0.hasPrefix("socket") }
                .sorted()
        }
    }

    private static let full = "mullionctl: cannot write to standard output: No space left on device\n"
    private static let unread = "mullionctl: cannot write to standard output: its reader has closed it\n"

    @Test(
        "every command that prints fails on a full disk and without a reader, with the reason",
        arguments: [
            "tree", "--json tree", "status", "screens", "windows", "displays", "--json screens", "clock", "rule",
            "rule K5", "help", "help run", "--version", "--help", "plug --help", "version", "screenshot -o -",
            "touch MAIN 5,5 --allow-miss", "--json touch MAIN 5,5", "convert 1,1 from=screen:MAIN to=layout",
            "keyboard",
            "compare new.png MAIN --update", "scenario steps.json5 --here", "--json scenario steps.json5 --here",
            "watch", "watch --input", "claim",
        ])
    func commands(command: String) throws {
        let shell = try Shell()
        let steps = "{ name: 'x', steps: [{ wait: '0s' }] }"
        _ = FileManager.default.createFile(atPath: shell.folder + "/steps.json5", contents: Data(steps.utf8))
        let unread = try shell.run("ctl \(command) >&3")
        #expect(unread.status == 1 && unread.output == Self.unread, "\(unread)")
        // A stream without events writes nothing.
        guard !command.hasPrefix("watch") else { return }
        let full = try shell.run("ctl \(command) > /dev/full")
        #expect(full.status == 1 && full.output == Self.full, "\(full)")
        let closed = try shell.run("ctl \(command) >&-")
        let reason = "mullionctl: cannot write to standard output: Bad file descriptor\n"
        #expect(closed.status == 1 && closed.output == reason, "\(closed)")
        #expect(shell.fixture.model.windows.isEmpty)
    }

    @Test("lost errors do not change the exit status; standard input may be closed")
    func others() throws {
        let shell = try Shell()
        #expect(try shell.run("ctl unplug NONE 2> /dev/full").status == 1)
        #expect(try shell.run("ctl unplug NONE 2>&3").status == 1)
        #expect(try shell.run("ctl unplug NONE 2>&-").status == 1)
        #expect(try shell.run("ctl nothing 2>&-").status == 2)
        #expect(try shell.run("ctl screens <&- > /dev/null") == (0, ""))
        let replay = try shell.run("ctl replay - <&-")
        #expect(
            replay.status == 1 && replay.output == "mullionctl: standard input cannot be read: Bad file descriptor\n",
            "\(replay)")
    }

    @Test("a picture that cannot be written completely leaves the old one, or none")
    func pictures() throws {
        let shell = try Shell()
        #expect(try shell.run("ctl screenshot -o old.png; cp old.png copy.png").status == 0)
        for command in [
            "screenshot -o old.png", "compare old.png --update", "screenshot -o new.png",
            "screenshot MAIN -o new.png --state new.json",
        ] {
            let result = try shell.run("ulimit -f 0; ctl \(command)")
            #expect(result.status == 1 && result.output.hasSuffix(".png: File too large\n"), "\(command): \(result)")
        }
        #expect(shell.files() == ["copy.png", "old.png"])
        #expect(try shell.session.read("old.png") == shell.session.read("copy.png"))
    }

    /// Whether a file system can be mounted.
    private static let canMount: Bool = {
        guard let program = try? Program("unshare", ["-m", "mount", "-t", "tmpfs", "none", "/mnt"]) else {
            return false
        }
        _ = program.outputAtEnd()
        return program.exitStatus == 0
    }()

    @Test(
        "every file that a command writes is whole or as it was before, on a disk that becomes full",
        .enabled(if: canMount),
        arguments: [
            "ctl screenshot MAIN -o old.png", "ctl screenshot MAIN -o new.png", "ctl compare old.png MAIN --update",
            "ctl screenshot MAIN -o $above/new.png --state state.json",
            "ctl compare $above/red.png MAIN --diff diff.png",
            "ctl compare $above/red.png MAIN --side-by-side side.png",
            "ctl scenario $above/steps.json5 --here --output .",
            "ctl scenario $above/steps.json5 --here --output $above --junit old.xml",
            "ctl scenario $above/steps.json5 --here --output $above --tap > new.tap",
            "ctl run --screen 64x48 --junit old.xml -- true", "ctl run --screen 64x48 --junit new.xml -- seq 1 50000",
            "ctl run --screen 64x48 --artifacts report -- true",
            "ctl run --screen 64x48 --artifacts report --on-failure -- false", "ctl run -- ctl screenshot -o new.png",
        ])
    func fullDisk(command: String) throws {
        let shell = try Shell()
        let steps = "{ name: 'x', steps: [{ screenshot: 'picture' }] }"
        _ = FileManager.default.createFile(atPath: shell.folder + "/steps.json5", contents: Data(steps.utf8))
        let command = command.replacing("-- ctl", with: "-- '\(Programs.built)/mullionctl'")
        let result = try shell.run(
            """
            above=$PWD; mkdir disk; export TMPDIR=$above above
            '\(Programs.built)/mullionctl' claim color=#ffff0000 > claimed &
            ctl wait window visible > waited; ctl screenshot -o red.png
            kill $!; ctl wait gone; ctl screenshot -o black.png
            export -f ctl; unshare -m bash -c '
                mount -t tmpfs -o size=64k none disk; cd disk; cp ../black.png old.png; echo old | tee old.xml > old.tap
                dd if=/dev/zero of=filler bs=1024 2>/dev/null; dd if=/dev/zero bs=1 count=4096 2>/dev/null >> filler
                (\(command.replacing("'", with: "'\\''"))) > ../output 2> ../error; echo "status $?"
                rm -f filler; cmp old.png ../black.png; cat old.xml; find . -type f ! -name "*.log" -size +0 | sort'
            cat error
            """)
        let lines = result.output.split(separator: "\n").map(String.init)
        let status = lines.first { $0.hasPrefix("status ") }
        #expect(status != nil && status != "status 0", "\(result)")
        #expect(lines.contains { $0.contains("No space left on device") }, "\(result)")
        let left = lines.filter { $0.hasPrefix("./") }
        #expect(left == ["./old.png", "./old.tap", "./old.xml"] && lines.contains("old"), "\(result)")
        #expect(!lines.contains { $0.contains("differ") }, "\(result)")
    }

    @Test("pictures go through links, and into devices and pipes, which stay")
    func places() throws {
        let shell = try Shell()
        let full = try shell.run("ln -s /dev/full link.png; ctl screenshot -o link.png; echo $?; ls -l link.png")
        #expect(full.output.contains("mullionctl: link.png: No space left on device\n1\n"), "\(full)")
        #expect(full.output.hasSuffix("link.png -> /dev/full\n"), "\(full)")
        let pipe = try shell.run("mkfifo pipe; cat pipe > got.png & ctl screenshot -o pipe && wait $! && test -p pipe")
        #expect(pipe.status == 0, "\(pipe)")
        let target = try shell.run("echo > real.png; ln -s real.png to.png; ctl screenshot -o to.png; test -L to.png")
        #expect(target.status == 0, "\(target)")
        #expect(try shell.session.read("real.png") == shell.session.read("got.png"))
        let folder = try shell.run("ctl screenshot -o .")
        #expect(folder.status == 1 && folder.output == "mullionctl: .: Is a directory\n", "\(folder)")
    }

    @Test("programs that mullionctl starts end like any other when their output is not read")
    func children() throws {
        let shell = try Shell()
        let result = try shell.run(
            "ctl run --screen 9x9 -- bash -c 'set -o pipefail; yes | head -n 1 > /dev/null; echo $?'")
        #expect(result.output.hasSuffix("141\n") && result.status == 0, "\(result)")
    }
}
