// Tests that fail, and what the reader of their report sees.

import Glibc
import TestSupport
import Testing

@Suite(.startsShippedServer, .enabled(if: Program.isInstalled("chromium"), "chromium is installed"))
struct PlantedFailureTests {
    /// A test that must fail.
    struct Failure: CustomTestStringConvertible {
        /// The script's, in Programs/Failures.
        var name: String
        var options: [String] = []
        var status: Int32 = 124
        var kind = "expectation"
        /// The sentence at the top of the page, with `*` for what differs between runs.
        var headline: String
        /// What the page shows in Chromium, besides.
        var evidence: [String]

        var testDescription: String { name }
    }

    private static let inRed = "in red: the failure"
    private static let failures = [
        Failure(
            name: "crash", kind: "crash", headline: "python3 (pid *) crashed: SIGSEGV (a segmentation fault)",
            evidence: [
                #"aria-selected="true" aria-controls="panel" tabindex="0">Programs (1)"#,
                #"<span class="tag bad">Crash</span>"#, "killed by signal 11, with 1 open window", "wl_pointer#",
            ]),
        Failure(
            name: "protocol", kind: "protocolError",
            headline:
                "python3 (pid *) broke the protocol: object 1, code 0: request 3 on object 77, which does not exist",
            evidence: [#"<span class="tag bad">Protocol error</span>"#, #"<tr class="error">"#]),
        Failure(
            name: "pixel", status: 1,
            headline: "the picture of all screens differs from */order.png: * of 144000 pixels, by up to * of 255, *",
            evidence: [
                inRed, ##"<rect fill="none" stroke="#e0002b""##, "Expected, seen, and the differences: mullionctl",
            ]),
        Failure(
            name: "covered",
            headline: #"waited 2 s, but button "Save" is covered at * of BUILTIN-1 by window 2 "Reminder""#,
            evidence: [
                inRed, ##"<path fill="none" stroke="#e0002b""##, "name=Save timeout=2s</code>", "button </span><b>Save",
            ]),
        Failure(
            name: "window",
            headline: #"waited 3 s for window title="Order saved" visible, but no window has this title; "#
                + #"there is window 2 "Order not saved" of python3; window 1 "Order" of python3"#,
            evidence: [#"<b>Order not saved</b><span class="tag key">key</span>"#]),
        Failure(
            name: "text",
            headline: "waited 3 s, but no widget has role=label name=Total: 12 €; "
                + #"the nearest: label "Total: 0 €" in window 1"#,
            evidence: ["label </span><b>Total: 0 €</b>", "All widgets when this failed"]),
        Failure(
            name: "hang", options: ["--timeout", "20"], kind: "timeout",
            headline: "the command did not end within 20 s; python3 (pid *) does not read its events",
            evidence: ["saving the order", "<b>Order</b>"]),
        Failure(
            name: "leak", options: ["--strict"], status: 1, kind: "leak",
            headline: "process * (sleep) was left behind by the command", evidence: ["Left behind", "saved"]),
        Failure(
            name: "screen", status: 1, kind: "refusal",
            headline:
                #"POST /v1/input: there is no screen "TV"; connected: BUILTIN-1; the screen TV was unplugged at * s"#,
            evidence: ["<b>screen did disconnect</b> screen TV", #"<li class="request bad"#]),
        Failure(
            name: "key",
            headline: #"waited 2 s for window title="Order saved" key, but no window matches; "#
                + #"there is window 2 "Order saved" of python3, not key: window 3 "Chat" is; *"#,
            evidence: [#"<b>Chat</b><span class="tag key">key</span>"#]),
    ]

    @Test("a failure is recognised from the report alone", arguments: failures)
    func recognised(failure: Failure) throws {
        let folder = TraceTests.program("Failures")
        let run = try TraceTests.Run(
            ["--accessibility", "--screen", "480x300"] + failure.options,
            "FORM='/usr/bin/python3 \(folder)/order_form.py' DIR=$TMPDIR exec sh \(folder)/\(failure.name).sh")
        #expect(run.status == failure.status, "\(run.output)")
        let report = try run.report
        #expect(fnmatch(failure.headline.pattern, report.headline, 0) == 0, "\(report.headline)")
        #expect(report.findings.first?.kind == failure.kind && report.findings.first?.text == report.headline)
        if failure.name == "covered" {
            let note = try #require(report.notes.first)
            #expect(note.command.starts(with: ["mullionctl", "click"]) && note.screen == "BUILTIN-1")
            // Within the window of the button and within the one that covers it.
            let point = try #require(note.point)
            #expect((60..<352).contains(point.x) && (140..<230).contains(point.y))
        }
        let page = try Self.shown("\(run.folder)/trace/report.html", home: run.folder)
        #expect(page.contains(">Failed</span>") && page.contains(#"class="headline">"#))
        for text in failure.evidence {
            #expect(page.contains(text), "\(text) is not in \(page)")
        }
    }

    /// What Chromium has made of a page, without its scripts.
    private static func shown(_ page: String, home: String) throws -> String {
        let browser = try Program(
            "chromium",
            [
                "--headless", "--no-sandbox", "--disable-gpu", "--window-size=1280,900",
                "--user-data-dir=\(home)/chromium", "--dump-dom", "file://\(page)",
            ], environment: ["HOME": home, "DISPLAY": "", "WAYLAND_DISPLAY": ""])
        let output = browser.outputAtEnd()
        #expect(browser.exitStatus == 0, "\(output.suffix(2000))")
        let parts = output.split(separator: "<script").enumerated().map { index, part in
            index == 0 ? part : part.split(separator: "</script>", maxSplits: 1).dropFirst().first ?? ""
        }
        return parts.joined()
    }
}

extension String {
    /// For fnmatch(3), with only `*` as a wildcard.
    fileprivate var pattern: String { replacing("[", with: #"\["#) }
}
