// Words that are numbers, on every command line and in every query.

import FoundationEssentials
import TestSupport
import Testing

@Suite struct NumberWordTests {
    /// What Swift or C take for numbers, but people do not mean; `DecimalTextTests` has the other forms.
    private static let wrong = ["0x10", "inf"]

    @Test(
        "every number of mullionctl is decimal: a typing error is named, and changes nothing",
        arguments: [
            "wait idle timeout=N", "wait idle timeout=Nms", "wait still for=N", "wait window count=N",
            "wait client pid=N",
            "wait pixel N,1=#000000", "wait pixel 1,1=#000000 tolerance=N", "wait text a timeout=N",
            "wait widget name=a timeout=N", "settle timeout=N", "click A N,5", "click A 5,5 duration=N",
            "click A 5,5 button=N", "click name=a timeout=N", "type into=a text timeout=N", "find name=a timeout=N",
            "widgets timeout=N", "scroll A 5,5 N,0", "drag A 5,5 N,0 steps=2", "drag A 5,5 6,6 steps=N",
            "pinch A 5,5 scale=N", "pinch A 5,5 rotation=Ndeg", "touch A 5,5 force=N", "swipe A N,5 6,6",
            "rotate A portrait duration=N", "scale A N", "brightness A N", "position A N,0", "plug 64x48 scale=N",
            "plug 64x48 position=N,0", "plug 64x48 brightness=N", "plug Nx48", "plug 64x48@N", "plug 64x48~N:1",
            "clock step N", "clock until idle limit=N", "run --timeout N -- true", "run --screen 64x48,scale=N -- true",
            "record -o x.webm --duration N", "record -o x.webm --fps-limit N", "scenario x.json5 --jobs N",
            "compare x.png A --tolerance N", "compare x.png A --max-differing N", "compare x.png A --max-differing N%",
            "compare x.png A --mask N,0,5,5", "screenshot A -o x.png --crop N,0,5,5", "screenshot A -o x.png --scale N",
            "screenshot -o x.png --max-edge N", "replay x.jsonl --speed N",
            "convert N,1 from=layout to=layout", "keyboard rate=N", "keyboard delay=N", "claim alpha=N",
            "claim frame=N,0,5,5", "claim level=N", "claim color=#N", "window 1 alpha=N", "window 1 frame=N,0,5,5",
        ])
    func commands(command: String) throws {
        let fixture = try ServerFixture(screens: ["64x48,name=A"])
        let control = try ControlSession(fixture)
        let before = try control.send("GET", "/v1/tree").text
        for number in Self.wrong {
            let words = command.split(separator: " ").map { String($0.replacing("N", with: number)) }
            let result = try control.mullionctl(words)
            // 125: the server of a run does not start.
            #expect([1, 2, 125].contains(result.status), "\(words): \(result)")
            #expect(result.output.contains(number), "\(words): \(result)")
        }
        #expect(try control.send("GET", "/v1/tree").text == before)
    }

    @Test(
        "every number of a query is decimal",
        arguments: [
            "wait?for=idle&timeout=N", "wait?for=still&duration=N", "wait?for=window&count=N",
            "wait?for=pixel&x=N&y=1&color=%23000000", "capture?after=N", "capture?window=N",
            "screenshot.png?crop=N,0,5,5", "screenshot.png?scale=N", "screenshot.png?maxEdge=N",
            "windows/N", "screens/N",
        ])
    func queries(query: String) throws {
        let control = try ControlSession(try ServerFixture(screens: ["64x48,name=A"]))
        for number in Self.wrong {
            let answer = try control.send("GET", "/v1/" + query.replacing("N", with: number))
            #expect(
                [400, 404].contains(answer.status), "\(query) \(number): \(answer.status) \(answer.text.prefix(200))")
        }
    }

    @Test(
        "every number of mulliond and mullion-x11 is decimal",
        arguments: [
            "mulliond --check --screen 64x48,scale=N", "mulliond --check --screen 64x48,brightness=N",
            "mulliond --check --screen 64x48,position=N+0", "mulliond --check --screen 64x48@N",
            "mulliond --check --screen Nx48", "mulliond --ready-fd N --version", "mulliond --http 127.0.0.1:N --check",
            "mullion-x11 --display N --version", "mullion-x11 --ready-fd N --version",
        ])
    func servers(command: String) throws {
        for number in Self.wrong {
            var words = command.split(separator: " ").map { String($0.replacing("N", with: number)) }
            let program = try Program("\(Programs.built)/\(words.removeFirst())", words)
            let output = program.outputAtEnd()
            #expect([1, 2].contains(program.exitStatus) && output.contains(number), "\(words): \(output)")
        }
    }
}
