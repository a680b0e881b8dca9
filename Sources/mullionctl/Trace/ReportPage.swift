// The report of a run as one page.

import ControlProtocol
import JSON5
import MullionControl

/// A page that contains everything it shows: it loads nothing.
enum ReportPage {
    /// Saves the page, and the trace beside it.
    static func save(_ report: API.Trace, _ command: [String], in folder: String) throws(CommandError) {
        let trace = String(decoding: (try? JSONWriter.encode(report)) ?? [], as: UTF8.self)
        try Picture.save(Array((trace + "\n").utf8), as: folder + "/trace.json")
        let page = text(trace, title: report.title ?? command.joined(separator: " "))
        try Picture.save(Array(page.utf8), as: folder + "/report.html")
    }

    /// - Parameters:
    ///   - trace: as in trace.json.
    ///   - title: any text.
    static func text(_ trace: String, title: String) -> String {
        // The end of the element must not occur in it, nor what begins a comment.
        let data = trace.split(separator: "<", omittingEmptySubsequences: false).joined(separator: "\\u003c")
        let parts = [
            "title": Markup.escape(title), "trace": data, "style": file(PackageResources.report_css),
            "script": file(PackageResources.report_js),
        ]
        var page = ""
        // {{title}} stands for the title.
        for piece in file(PackageResources.report_html).parts(separatedBy: "{{") {
            let halves = piece.parts(separatedBy: "}}")
            page += (halves.count > 1 ? parts[halves[0]] ?? "" : "") + (halves.last ?? "")
        }
        return page
    }

    private static func file(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
