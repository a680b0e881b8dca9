// mullionctl completion: real shells complete with its scripts.

import FoundationEssentials
import TestSupport
import Testing

@Suite struct CompletionTests {
    /// A server with two screens, and a folder with mullionctl's name for it.
    private final class Desk {
        let fixture: ServerFixture
        let session: ControlSession

        init() throws {
            fixture = try ServerFixture(screens: ["64x48,name=MAIN", "64x48,name=Living room"])
            session = try ControlSession(fixture)
            let folder = session.folder + "/bin"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(
                atPath: folder + "/mullionctl", withDestinationPath: Programs.built + "/mullionctl")
            for name in ["first.png", "second file.png"] {
                _ = FileManager.default.createFile(atPath: "\(session.folder)/\(name)", contents: Data())
            }
        }

        /// The lines that a shell prints, in the folder with the two pictures.
        func lines(_ shell: String, _ script: String) throws -> [String] {
            let program = try fixture.spawn(
                shell, ["-c", "cd '\(session.folder)'; \(script)"],
                environment: ["PATH": "\(session.folder)/bin:/usr/bin:/bin", "HOME": session.folder])
            try fixture.wait(for: script) {
                _ = program.readOutput()
                return !program.isRunning
            }
            return program.readOutput().split(separator: "\n").map(String.init)
        }

        /// The candidates of a shell for the last word.
        func complete(_ line: String, in shell: String) throws -> [String] {
            let socket = "--control \(session.folder)/socket"
            let line = "mullionctl \(socket) \(line)"
            switch shell {
            case "bash":
                return try lines(
                    "/bin/bash",
                    "source <(mullionctl completion bash); COMP_LINE='\(line)'; COMP_POINT=${#COMP_LINE}; "
                        + "_mullionctl; printf '%s\\n' \"${COMPREPLY[@]}\""
                )
            case "zsh":
                // Without a terminal there is no completion system: these stand in for it.
                return try lines(
                    "/usr/bin/zsh",
                    "compdef() { }; compadd() { while [[ $1 != -- ]]; do shift; done; shift; list+=(\"$@\"); }; "
                        + "_files() { list+=(*.png); }; _normal() { print -r -- \"normal ${words[*]}\"; }; "
                        + "source <(mullionctl completion zsh); list=(); line='\(line)'; words=(\"${(@Q)${(z)line}}\"); "
                        + "[[ $line != *' ' ]] || words+=(''); CURRENT=$#words; _mullionctl; "
                        + "for c in $list; do [[ $c != ${words[CURRENT]}* ]] || print -r -- $c; done")
            default:
                // Version 4 adds those with the word in their middle.
                let word = line.split(separator: " ", omittingEmptySubsequences: false).last ?? ""
                return try lines(
                    "/usr/bin/fish",
                    "mullionctl completion fish | source; complete -C '\(line)'"
                ).map { String($0.split(separator: "\t")[0]) }.filter { $0.hasPrefix(word) }
            }
        }
    }

    private static let shells = ["bash", "zsh", "fish"]

    @Test("the shells accept their scripts", arguments: shells)
    func syntax(shell: String) throws {
        let desk = try Desk()
        #expect(
            try desk.lines("/bin/sh", "mullionctl completion \(shell) > script; \(shell) -n script; echo $?") == ["0"])
    }

    @Test("commands, options, keys and their values are completed", arguments: shells)
    func words(shell: String) throws {
        let desk = try Desk()
        func complete(_ line: String) throws -> Set<String> { Set(try desk.complete(line, in: shell)) }
        #expect(try complete("scre") == ["screens", "screenshot"])
        #expect(try complete("").isSuperset(of: ["plug", "run", "completion", "help"]))
        #expect(try complete("touch MAIN 5,5 be") == ["began"])
        #expect(try complete("clock ").isSuperset(of: ["step", "until"]))
        #expect(try complete("overscan MAIN in") == ["insetBounds"])
        #expect(try complete("compare a.png --d") == ["--diff"])
        #expect(try complete("compare a.png --up") == ["--upright", "--update"])
        #expect(try complete("compare a.png --mask r") == ["role="])
        #expect(try complete("click MAIN 5,5 --al") == ["--allow-miss"])
        let prefix = shell == "bash" ? "" : "interaction="
        #expect(try complete("window 1 interaction=") == [prefix + "true", prefix + "false"])
        #expect(try complete("plug 9x9 brig") == ["brightness="])
        #expect(try complete("help ki").isEmpty)
        #expect(try complete("help sce") == ["scenario"])
        #expect(try complete("rule K").isSuperset(of: ["K1", "K5"]))
        #expect(try complete("doctor vi") == ["video"])
        #expect(try complete("rotate MAIN portraitU") == ["portraitUpsideDown"])
        #expect(try complete("completion z") == ["zsh"])
        #expect(try complete("scenario --j") == ["--jobs", "--junit", "--json"])
        #expect(try complete("scenario --sc") == ["--schema"])
        #expect(try complete("run --clock ").isSuperset(of: ["manual", "real"]))
        #expect(try complete("run --profile ").isSuperset(of: ["tests", "none"]))
        #expect(
            try complete("wait ").isSuperset(of: ["window", "idle", "widget", "text", "visible", "title=", "timeout="]))
        let roles = try complete("click role=but")
        #expect(roles.contains(shell == "bash" ? "button" : "role=button"), "\(roles)")
    }

    @Test("keys that need a value end with =; bash replaces only what follows it")
    func values() throws {
        let desk = try Desk()
        #expect(try desk.complete("scroll MAIN 1,1 1,1 sour", in: "bash").count == 3)
        #expect(try desk.complete("scroll MAIN 1,1 1,1 source=wh", in: "bash") == ["wheel"])
        #expect(try desk.complete("drag MAIN 1,1 2,2 ste", in: "bash") == ["steps="])
        #expect(try desk.complete("scroll MAIN 1,1 1,1 source=wh", in: "zsh") == ["source=wheel"])
        #expect(try desk.complete("drag MAIN 1,1 2,2 ste", in: "zsh") == ["steps="])
    }

    @Test("names of screens and models come from the server, files from the folder", arguments: shells)
    func places(shell: String) throws {
        let desk = try Desk()
        func complete(_ line: String) throws -> Set<String> { Set(try desk.complete(line, in: shell)) }
        #expect(try complete("touch M") == ["MAIN"])
        // The others quote it themselves.
        #expect(try complete("unplug Liv") == [shell == "bash" ? "Living\\ room" : "Living room"])
        #expect(try complete("plug tv-1") == ["tv-1080p"])
        #expect(try complete("compare fi") == ["first.png"])
        #expect(try complete("screenshot -o fi").isSuperset(of: ["first.png"]))
    }

    @Test("without a server, everything else is completed; after --, programs are")
    func alone() throws {
        let desk = try Desk()
        let script =
            "source <(mullionctl completion bash); COMP_LINE='mullionctl --control none touch '; "
            + "COMP_POINT=${#COMP_LINE}; _mullionctl; printf '%s\\n' \"${COMPREPLY[@]}\""
        #expect(try desk.lines("/bin/bash", script).contains("began"))
        #expect(try desk.complete("run --screen 9x9 -- mullionc", in: "bash") == ["mullionctl"])
        #expect(try desk.complete("run -- ls first", in: "bash") == ["first.png"])
        let folder = String(desk.session.folder.dropLast())
        #expect(try desk.complete("run -- ls \(folder)", in: "bash") == [desk.session.folder])
        #expect(try desk.complete("run --screen 9x9 -- mullionc", in: "fish") == ["mullionctl"])
        #expect(try desk.complete("click name=", in: "bash") == [])
        #expect(try desk.complete("run -- ls fi", in: "zsh") == ["normal ls fi"])
        let wrong = try desk.session.mullionctl("completion", "tcsh")
        #expect(wrong.status == 2 && wrong.output.contains("\"tcsh\" is not a shell; use one of bash, zsh, fish"))
        #expect(try desk.session.mullionctl("completion", "screens").output == "MAIN\nLiving room\n")
    }
}
