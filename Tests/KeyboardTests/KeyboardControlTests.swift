// The keyboard over HTTP, in mullionctl and in unmodified programs.

import FoundationEssentials
import Glibc
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct KeyboardControlTests {
    private let fixture: ServerFixture
    private let control: ControlSession

    init() throws {
        fixture = try ServerFixture()
        control = try ControlSession(fixture)
    }

    private func patch(_ body: String) throws -> ControlSession.Answer {
        try control.send("PATCH", "/v1/keyboard", Array(body.utf8))
    }

    @Test("PATCH changes only the properties it names; a new layout drops the variant of the old one")
    func patching() throws {
        #expect(try patch(#"{"layout": "us", "variant": "intl", "options": "compose:ralt"}"#).status == 200)
        #expect(try patch(#"{"repeat": {"rate": 0}}"#).status == 200)
        #expect(try patch(#"{"application": "game", "layout": "de"}"#).status == 200)
        #expect(try patch(#"{"application": "game", "model": "pc104"}"#).status == 200)
        let answer = try control.send("GET", "/v1/keyboard").text
        #expect(
            answer == """
                {"applications":{"game":{"layout":"de","model":"pc104","options":"compose:ralt","rules":"","variant":""}},\
                "layout":"us","model":"","options":"compose:ralt","repeat":{"delay":600,"rate":0},"rules":"",\
                "variant":"intl"}

                """)
    }

    @Test(
        "an invalid layout is refused with the reason and the alternatives, and changes nothing",
        arguments: [
            (#"{"layout": "zz"}"#, #"\"zz\" is not a layout"#),
            (#"{"layout": "us,zz"}"#, #"\"zz\" is not a layout"#),
            (#"{"layout": "de", "variant": "foo"}"#, #"\"foo\" is not a variant of layout \"de\"; use one of"#),
            (#"{"variant": "intl,,"}"#, "more parts than layout"),
            (#"{"options": "caps:foo"}"#, "is not an option; use one of caps:backspace"),
            (#"{"options": "foo"}"#, #"\"foo\" is not an option"#),
            (#"{"model": "foo"}"#, #"\"foo\" is not a keyboard model"#),
            (#"{"rules": "foo"}"#, #"\"foo\" is not a set of rules"#),
            (#"{"layout": "d\u0000e"}"#, "characters that are not allowed in XKB's names"),
            (#"{"layout": "../../../../../../etc/passwd"}"#, #"must not contain \"..\""#),
            (#"{"repeat": {"rate": -1}}"#, "-1 is not a repeat.rate; use 0…1000"),
            (#"{"repeat": {"speed": 1}}"#, #"unknown key \"speed\""#),
            (#"{"layuot": "de"}"#, #"unknown key \"layuot\""#),
            (#"{"application": "a"}"#, "needs a name"),
            (#"{"application": "a", "layout": "us", "repeat": {}}"#, "the same for all applications"),
        ])
    func refused(body: String, words: String) throws {
        let before = fixture.server.keyboard
        let answer = try patch(body)
        #expect((400..<500).contains(answer.status) && answer.text.contains(words), "\(answer.text)")
        #expect(fixture.server.keyboard == before)
    }

    @Test("mullionctl keyboard shows and changes the keyboard")
    func command() throws {
        #expect(try control.mullionctl("keyboard").output == "layout=us rate=25 delay=600\n")
        let changed = try control.mullionctl("keyboard", "layout=us", "variant=intl", "rate=30")
        #expect(changed.output == "layout=us variant=intl rate=30 delay=600\n")
        let own = try control.mullionctl("keyboard", "application=game", "layout=de,fr")
        #expect(own.output == "layout=us variant=intl rate=30 delay=600\napplication=game layout=de,fr\n")
        let refused = try control.mullionctl("keyboard", "layout=zz")
        #expect(refused.status == 1 && refused.output.contains("\"zz\" is not a layout"))
        #expect(try control.mullionctl("keyboard", "layuot=de").output.contains("did you mean layout?"))
    }

    @Test(
        "SIGHUP changes the keyboard of a running server; an invalid layout is refused then, at start and by --check"
    )
    func reload() throws {
        let mulliond = Programs.built + "/mulliond"
        let (config, other) = (control.folder + "/mullion.json5", control.folder + "/other")
        func write(_ keyboard: String) throws {
            try Data("{ keyboard: \(keyboard) }".utf8).write(to: URL(filePath: config))
        }
        func keyboard() throws -> String { try control.mullionctl("--control", other, "keyboard").output }
        try write("{ layout: 'de', variant: 'neo', repeat: { rate: 0 }, applications: { a: { layout: 'fr' } } }")
        let server = try fixture.spawn(
            mulliond,
            [
                "--config", config, "--socket", control.folder + "/client", "--control", other, "--state", "none",
                "--ready-fd", "1",
            ])
        try fixture.wait(for: "the server") { server.readOutput().contains("client") }
        #expect(try keyboard() == "layout=de variant=neo rate=0 delay=600\napplication=a layout=fr\n")
        try write("{ layout: 'us', repeat: { delay: 300 } }")
        server.kill(SIGHUP)
        try fixture.wait(for: "the new layout") { try keyboard() == "layout=us rate=25 delay=300\n" }
        try write("{ layout: 'zz' }")
        server.kill(SIGHUP)
        try fixture.wait(for: "the refusal") { server.readOutput().contains("\"zz\" is not a layout") }
        #expect(try keyboard() == "layout=us rate=25 delay=300\n")
        for arguments in [["--config", config], ["--config", config, "--check"]] {
            let failing = try fixture.spawn(mulliond, arguments)
            try fixture.wait(for: "its end") { !failing.isRunning }
            #expect(failing.exitStatus == 1 && failing.readOutput().contains("\"zz\" is not a layout"))
        }
    }

    @Test("of two reloads in a row the second one counts, even if the first one has more to compile")
    func reloads() throws {
        let (config, other) = (control.folder + "/mullion.json5", control.folder + "/other")
        func write(_ keyboard: String) throws {
            try Data("{ keyboard: { \(keyboard) } }".utf8).write(to: URL(filePath: config))
        }
        func keyboard(_ words: String...) throws -> String {
            try control.mullionctl(["--control", other, "keyboard"] + words).output
        }
        try write("layout: 'de'")
        let server = try fixture.spawn(
            Programs.built + "/mulliond",
            [
                "--config", config, "--socket", control.folder + "/client", "--control", other, "--state", "none",
                "--ready-fd", "1",
            ])
        try fixture.wait(for: "the server") { server.readOutput().contains("client") }
        let layouts = ["us", "fr", "es", "it", "se", "no", "dk", "pl", "cz"]
        let pairs = layouts.flatMap { first in layouts.map { "\(first),\($0)" } }
        try write(
            "layout: 'gb', applications: { \(pairs.map { "'\($0)': { layout: '\($0)' }" }.joined(separator: ", ")) }")
        server.kill(SIGHUP)
        // It has read the file when it answers.
        _ = try keyboard()
        try write("layout: 'de', repeat: { delay: 300 }")
        server.kill(SIGHUP)
        try fixture.wait(for: "the second") { try keyboard() == "layout=de rate=25 delay=300\n" }
        // Compiled after those of the first one.
        let last = try keyboard("application=x", "layout=fi")
        #expect(last == "layout=de rate=25 delay=300\napplication=x layout=fi\n")
    }

    private func succeed(_ words: String...) throws {
        let (status, output) = try control.mullionctl(words)
        #expect(status == 0, "\(words): \(output)")
    }

    /// Runs foot with a shell that reads a line, and returns what it read.
    private func line(_ type: () throws -> Void) throws -> String {
        let file = control.folder + "/line"
        let foot = try fixture.spawn(
            "foot",
            [
                "--config=/dev/null", "sh", "-c",
                "read -r x; printf %s \"$x\" > '\(file).new'; mv '\(file).new' '\(file)'",
            ],
            environment: ["LC_ALL": "C.UTF-8"])
        try fixture.wait(for: "foot to have the keyboard") {
            let seat = fixture.server.seat
            return seat.keyboardSurface?.client.seat(seat).keyboards.isEmpty == false
        }
        try type()
        try fixture.wait(for: "a line; foot printed: \(foot.readOutput())") {
            FileManager.default.fileExists(atPath: file)
        }
        return String(decoding: try control.read("line"), as: UTF8.self)
    }

    @Test("E3: mullionctl types any text into foot", arguments: ["us", "de"])
    func footTyping(layout: String) throws {
        #expect(try control.mullionctl("keyboard", "layout=\(layout)").status == 0)
        let text = "Grüße, señor: é ñ € 漢 😀 ~[]{}|\\ and \"plain\" again"
        let read = try line { try succeed("type", text + "\n") }
        #expect(read == text)
    }

    @Test(
        "dead keys and compose sequences work in foot",
        arguments: [
            ("us", "intl", "", ["dead_acute", "e"], "é"),
            ("de", "", "", ["dead_acute", "e", "dead_circumflex", "O"], "éÔ"),
            ("us", "", "compose:ralt", ["Multi_key", "quotedbl", "o"], "ö"),
        ])
    func compose(layout: String, variant: String, options: String, keys: [String], result: String) throws {
        let answer = try control.mullionctl("keyboard", "layout=\(layout)", "variant=\(variant)", "options=\(options)")
        #expect(answer.status == 0, "\(answer.output)")
        let read = try line {
            for key in keys + ["Return"] { try succeed("key", key) }
        }
        #expect(read == result)
    }

    @Test("zwp_virtual_keyboard_v1: wtype types any text into foot, and the seat's keyboard continues to work")
    func wtype() throws {
        let read = try line {
            let wtype = try fixture.spawn("wtype", ["été 漢 😀, "], environment: ["LC_ALL": "C.UTF-8"])
            try fixture.wait(for: "wtype") { !wtype.isRunning }
            #expect(wtype.exitStatus == 0, "\(wtype.readOutput())")
            try succeed("type", "ok é\n")
        }
        #expect(read == "été 漢 😀, ok é")
    }
}
