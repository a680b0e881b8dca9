// The page of a report, in a browser.

import FoundationEssentials
import TestSupport
import Testing

@Suite(.enabled(if: Program.isInstalled("chromium"), "chromium is installed"))
struct ReportPageTests {
    /// Shows a trace on the page of a report, and runs a script there.
    /// - Parameter script: fills the list `found` with texts.
    private func found(_ trace: String, _ script: String) throws -> [String] {
        let folder = try TemporaryFolder()
        let run = try Program(
            Programs.built + "/mullionctl", ["run", "--artifacts", folder.path + "/trace", "--", "true"],
            environment: ["TMPDIR": folder.path])
        let output = run.outputAtEnd()
        let page = folder.path + "/trace/report.html"
        let data = try #require(FileManager.default.contents(atPath: page), "\(output)")
        var text = String(decoding: data, as: UTF8.self)
        let start = try #require(text.firstRange(of: "id=\"trace\">")?.upperBound)
        let end = try #require(text[start...].firstRange(of: "</script>")?.lowerBound)
        text.replaceSubrange(start..<end, with: trace)
        let tail = "<script>const found = [];\n\(script)\ndocument.title = found.join('|');</script></body>"
        text = text.replacing("</body>", with: tail)
        try text.write(toFile: page, atomically: true, encoding: .utf8)
        let browser = try Program(
            "chromium",
            [
                "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir=\(folder.path)/chromium", "--dump-dom",
                "file://\(page)",
            ], environment: ["HOME": folder.path, "DISPLAY": "", "WAYLAND_DISPLAY": ""])
        let shown = browser.outputAtEnd()
        let title = try #require(shown.firstMatch(of: /<title>([^<]*)<\/title>/), "\(shown.suffix(2000))").output.1
        return title.replacing("&gt;", with: ">").split(separator: "|", omittingEmptySubsequences: false).map(
            String.init)
    }

    private func trace(_ more: String = "", moments: Int = 0) -> String {
        let window =
            #"{"id":1,"title":"a","applicationName":"p","frame":{"x":0,"y":0,"width":9,"height":9},"visible":true}"#
        let all = (0..<moments).map { #"{"at":\#($0),"screens":[],"windows":[\#(window)]}"# }.joined(separator: ",")
        return #"{"command":["sh","-c","echo 'a b' >c"],"status":1,"duration":30,"headline":"","strict":false,"#
            + #""findings":[],"notes":[],"omittedEvents":0,"moments":[\#(all)],"pictures":[],"thinned":false"#
            + #","events":[{"at":1,"event":"applicationIDDidChange"}]\#(more)}"#
    }

    @Test("the keyboard focus stays on a tab and in the panel; the slider takes the keys of sliders")
    func keyboard() throws {
        let script = """
            const press = key => document.activeElement.dispatchEvent(
              new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
            for (const id of ["events", "windows"]) {
              $("tab-" + id).focus();
              $("tab-" + id).click();
              found.push(document.activeElement.id + " " + document.activeElement.getAttribute("aria-selected"));
            }
            found.push(document.querySelectorAll("[role=tab][aria-selected=true]").length);
            document.querySelector("#panel button").focus();
            press("ArrowLeft");
            found.push(document.activeElement.closest("#panel") ? "in the panel" : "lost");
            $("line").focus();
            for (const key of ["Home", "ArrowUp", "PageUp", "ArrowDown", "PageDown", "End", "ArrowLeft"]) {
              press(key);
              found.push($("line").getAttribute("aria-valuenow"));
            }
            """
        let found = try found(trace(#","clients":[],"logs":[]"#, moments: 25), script)
        #expect(
            found == [
                "tab-events true", "tab-windows true", "1", "in the panel", "0", "1", "11", "10", "0", "24", "23",
            ])
    }

    @Test("commands can be pasted; the end of the output is open when no program was connected, or one ended badly")
    func texts() throws {
        let script = """
            found.push($("command").textContent, document.querySelector("#why details").open, words("applicationIDDidChange"));
            choose("logs");
            found.push(...[...document.querySelectorAll("#panel pre")].map(element => element.textContent));
            """
        let logs =
            #","logs":[{"name":"output","text":"oh\n"},{"name":"output","text":"","terminal":true},{"name":"x","text":""}]"#
        func open(_ clients: String, kind: String) throws -> [String] {
            let finding = #""findings":[{"kind":"\#(kind)","text":"t"}]"#
            return try found(
                trace(#","clients":[\#(clients)]"# + logs).replacing(#""findings":[]"#, with: finding), script)
        }
        let start = #"sh -c 'echo '\''a b'\'' >c'"#
        let end = ["application id did change", "oh", "(it went to the terminal)", "(empty)"]
        #expect(try open("", kind: "refusal") == [start, "true"] + end)
        let client = #"{"application":1,"name":"p","pid":2,"connected":false,"status":7,"journal":[]}"#
        #expect(try open(client, kind: "refusal") == [start, "true"] + end)
        #expect(try open(client.replacing("7", with: "0"), kind: "refusal") == [start, "false"] + end)
    }
}
