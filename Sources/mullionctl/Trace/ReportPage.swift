// The report of a run as one page.

import JSON5

/// A page that contains everything it shows: it loads nothing.
enum ReportPage {
    /// Saves the page, and the trace beside it.
    static func save(_ report: JSON, _ command: [String], in folder: String) throws(CommandError) {
        let trace = report.encoded
        try Picture.save(Array((trace + "\n").utf8), as: folder + "/trace.json")
        let page = text(trace, title: report["title"].string ?? command.joined(separator: " "))
        try Picture.save(Array(page.utf8), as: folder + "/report.html")
    }

    /// - Parameters:
    ///   - trace: as in trace.json.
    ///   - title: any text.
    static func text(_ trace: String, title: String) -> String {
        // The end of the element must not occur in it, nor what begins a comment.
        let data = trace.split(separator: "<", omittingEmptySubsequences: false).joined(separator: "\\u003c")
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta http-equiv="Content-Security-Policy"
              content="default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
            <title>\(Markup.escape(title)) – Mullion</title>
            <style>
            \(style)
            </style>
            </head>
            <body>
            \(body)
            <script type="application/json" id="trace">\(data)</script>
            <script>
            \(script)
            </script>
            </body>
            </html>

            """
    }

    private static let body = """
        <header>
          <div class="title"><span id="verdict" class="verdict"></span><h1 id="command"></h1></div>
          <p id="headline" class="headline"></p>
          <p id="facts" class="facts"></p>
        </header>
        <main>
          <section id="why" class="why" aria-labelledby="why-title">
            <h2 id="why-title">What went wrong</h2>
            <ol id="findings"></ol>
          </section>
          <section aria-label="Time line">
            <div id="line" class="line" role="slider" tabindex="0" aria-label="Time"></div>
            <div id="film" class="film" role="listbox" aria-label="Pictures" tabindex="-1"></div>
            <p class="hint">Arrow keys step through the pictures, Home and End go to the first and the last;
              with Shift, to what went wrong.</p>
          </section>
          <div class="columns">
            <section class="stage" aria-labelledby="moment">
              <h2 id="moment"></h2>
              <div id="screens" class="screens"></div>
            </section>
            <section class="side">
              <div role="tablist" aria-label="Details" id="tabs" class="tabs"></div>
              <div id="panel" class="panel" role="tabpanel" tabindex="0"></div>
            </section>
          </div>
        </main>
        <noscript><p>This page needs JavaScript; trace.json beside it contains the same.</p></noscript>
        """
}
