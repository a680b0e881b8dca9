// mullionctl wait, with the tests' own clients and with programs.

import Glibc
import MullionWayland
import TestSupport
import Testing

@Suite struct WaitCommandTests {
    @Test("mullionctl wait prints what fulfilled the conditions; 124 and what there is instead when the time is up")
    func command() throws {
        let fixture = try ServerFixture(screens: ["200x100,name=A"])
        let control = try ControlSession(fixture)
        let client = try fixture.connect("app")
        client.application.send(.setName(name: "editor"))
        let window = client.window("Save as").color(0xffff_0000)
        window.show()
        window.makeKey()
        client.window("hidden").commit()
        try fixture.pump()
        var result = try control.mullionctl("wait", "window", "title=Save as", "visible", "key", "screen=A")
        #expect(result.output == "window 1 \"Save as\" of editor\n")
        result = try control.mullionctl("wait", "window", "title=/^save/i", "gone", "title=x", "application", "editor")
        #expect(result.output == "window 1 \"Save as\" of editor\napplication 1 editor (pid \(getpid()))\n")
        #expect(try control.mullionctl("wait", "idle", "client", "timeout=20s").status == 0)
        #expect(try control.mullionctl("wait", "screen", "A", "connected").output == "screen 1 A\n")
        #expect(try control.mullionctl("wait", "still", "A", "for=20ms").output == "screen 1 A\n")
        #expect(try control.mullionctl("wait", "still").status == 0)
        result = try control.mullionctl("wait", "pixel", "A", "5,6=#ff0000", "tolerance=1")
        #expect(result == (0, "screen 1 A\npixel 5,6 #ff0000\n"))

        result = try control.mullionctl("wait", "window", "title=Save", "visible", "count=1", "timeout=20ms")
        #expect(result.status == 124, "\(result)")
        let lines = result.output.split(separator: "\n")
        #expect(lines.first?.hasPrefix("mullionctl: not fulfilled within 0") == true)
        #expect(lines.dropFirst().first == "window title=Save visible count=1: no window has this title")
        #expect(lines.dropFirst(2).first == "  window 1 \"Save as\" of editor")
        #expect(lines.last == "  window 2 \"hidden\" of editor, hidden")
        result = try control.mullionctl("--json", "wait", "pixel", "5,6=#00ff00", "timeout=0s")
        #expect(result.status == 124 && result.output.contains("\"reason\":\"the pixel is #ff0000\""), "\(result)")
        result = try control.mullionctl("--json", "wait", "window", "title=hidden")
        #expect(result.status == 0 && result.output.contains("\"elapsed\":"), "\(result)")
    }

    @Test(
        "a wrong command line is refused with exit status 2",
        arguments: [
            ([], "CONDITION is missing"), (["windw"], "did you mean window?"),
            (["title=x"], "CONDITION is missing before"),
            (["window", "tilte=x"], "did you mean title?"), (["application"], "application needs NAME"),
            (["screen"], "screen needs SCREEN"), (["idle", "timeout=5m"], "is not a duration"),
            (["idle", "timeout=1s", "timeout=2s"], "given twice"), (["pixel", "A", "x,y=#fff"], "use x,y"),
            (["window", "visble"], "did you mean visible?"), (["gone", "count=1"], "unknown key"),
            (["pixl"], "did you mean pixel? (use one of"), (["pixl"], "pixel, widget, text)"),
            (["widget", "role=button", "window", "title=x"], "\"window\" needs a value: window=…"),
            (["window", "title=x", "widget", "role=button"], "widget is not combined with other conditions"),
        ] as [([String], String)])
    func mistakes(words: [String], message: String) throws {
        let control = try ControlSession(try ServerFixture(screens: []))
        let result = try control.mullionctl(["wait"] + words)
        #expect(result.status == 2 && result.output.contains(message), "\(result)")
    }

    @Test("durations have a unit, or are seconds, in every command")
    func durations() throws {
        let control = try ControlSession(try ServerFixture(screens: ["200x100,name=A"]))
        let (short, long) = (["20ms", "2e4us", "0.02s", "0.02"], ["20000ms", "2e7us", "20s", "20"])
        for (words, times) in [
            (["wait", "still", "for=TIME"], short), (["rotate", "A", "portrait", "duration=TIME"], short),
            (["wait", "still", "timeout=TIME"], long), (["settle", "timeout=TIME"], long),
        ] {
            for time in times {
                let result = try control.mullionctl(words.map { $0.replacing("TIME", with: time) })
                #expect(result.status == 0, "\(words) \(time): \(result)")
            }
            for time in ["5m", "-1", "s"] {
                let result = try control.mullionctl(words.map { $0.replacing("TIME", with: time) })
                #expect(result.status == 2 && result.output.contains("\"\(time)\" is not a duration"), "\(result)")
            }
        }
        for time in ["5m", "-1s", "soon"] {
            let result = try control.mullionctl("run", "--timeout", time, "--", "true")
            #expect(result.status == 2 && result.output.contains("\"\(time)\" is not a duration"), "\(result)")
        }
        #expect(try control.mullionctl("click", "A", "9,9", "duration=1ms", "--allow-miss").status == 0)
        #expect(try control.mullionctl("click", "A", "9,9", "duration=1m", "--allow-miss").status == 2)
    }

    @Test(
        "a mistake that only the server knows has exit status 2 too, and is named as it was typed",
        arguments: [
            (["window", "title=/(/"], "\"/(/\" is not a pattern: a ( has no )"),
            (["window", "visible=maybe"], "visible=maybe"), (["window", "count=x"], "count=x"),
            (["pixel", "1,2=red"], "color=red is not a colour; use #RRGGBB"), (["pixel", "5.5,2=#ff0000"], "x=5.5"),
            (["idle", "timeout=601s"], "timeout=601s is too long; use 0s to 600s (10 minutes)"),
            (["still", "for=11000s"], "for=11000s is too long; use 0s to 600s (10 minutes)"),
            (["text", "a", "timeout=601s"], "timeout=601s is too long; use 0s to 600s (10 minutes)"),
            (["widget", "name=/(/"], "\"/(/\" is not a pattern"),
        ] as [([String], String)])
    func refused(words: [String], message: String) throws {
        let control = try ControlSession(try ServerFixture(screens: []))
        let result = try control.mullionctl(["wait"] + words)
        #expect(result.status == 2 && result.output.hasPrefix("mullionctl: wait: "), "\(result)")
        #expect(result.output.contains(message), "\(result)")
    }

    @Test("settle names a timeout that is too long as it was typed")
    func longSettle() throws {
        let control = try ControlSession(try ServerFixture(screens: []))
        let result = try control.mullionctl("settle", "timeout=601s")
        #expect(result.status == 2 && result.output.contains("timeout=601s is too long; use 0s to 600s"), "\(result)")
    }

    @Test("a test without a poll: foot starts, takes a text when it is ready, and ends")
    func programs() throws {
        let fixture = try ServerFixture(screens: [])
        let script = """
            set -e
            ctl=\(Programs.built)/mullionctl
            ! $ctl wait idle timeout=0s 2>err && grep -q 'no program is connected' err
            foot --config=/dev/null -T shell sh -c 'read x' & foot=$!
            $ctl wait window title=shell application=foot visible key idle still timeout=60s
            $ctl type 'a' && $ctl wait still && $ctl key Return
            $ctl wait gone application=foot timeout=60s
            wait $foot
            """
        let folder = try fixture.runtimeDirectory()
        let program = try fixture.spawn(
            "\(Programs.built)/mullionctl",
            ["run", "--screen", "640x480,name=A", "--", "sh", "-c", "cd \(folder)\n" + script])
        try fixture.wait(for: "its end", seconds: 120) { !program.isRunning }
        let said = program.readOutput()
        #expect(program.exitStatus == 0, "\(said)")
        #expect(said.contains("window 1 \"shell\" of foot"), "\(said)")
    }
}
