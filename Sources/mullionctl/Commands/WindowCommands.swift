// windows, window, tree, claim

import JSON5

extension Command {
    static var windowCommands: [Command] {
        [
            Command(
                name: "windows", arguments: "", summary: "list all windows",
                run: { (call) throws(CommandError) in
                    try call.end()
                    try call.show("GET", "/windows") { answer in
                        var table = Table("ID", "APPLICATION", "TITLE", "SCREEN", "LEVEL", "FRAME", "")
                        for window in answer["windows"].elements {
                            table.add(
                                window["id"].text, owner(window), window["title"].text, place(window),
                                window["level"].text, window["frame"].rectText, state(window))
                        }
                        return table.text(orWhenEmpty: "no windows")
                    }
                }),
            Command(
                name: "window", arguments: "ID [KEY=VALUE]… [key] [front] [close|destroy]",
                summary: "show or change a window",
                details: """
                    ID may also be a title, if only one window has it.

                    Keys:
                      level=N|normal|statusBar|alert, hidden=true|false, frame=x,y,width,height,
                      alpha=0…1, screen=SCREEN, title=TEXT, interaction=true|false,
                      autoresizing=PART,… of leftMargin, width, rightMargin, topMargin, height
                        and bottomMargin: what changes with the screen's bounds

                      key      make it the key window
                      front    bring it to the front of its level
                      close    ask its program to close it
                      destroy  destroy it without asking
                    """,
                run: { (call) throws(CommandError) in try window(call) }),
            Command(
                name: "tree", arguments: "", summary: "show screens, windows by level, and surfaces, front to back",
                run: { (call) throws(CommandError) in
                    try call.end()
                    let accept = call.json ? "application/json" : "text/plain"
                    Terminal.out(try call.client.send("GET", "/tree", accept: accept).text)
                }),
            Command(
                name: "claim", arguments: "[KEY=VALUE]… [key]", summary: "create a window and print its events",
                details: """
                    Connects as a client to the server given by --server or WAYLAND_DISPLAY, not to
                    that of --control. Ends when interrupted, or when the window is closed. Keys:
                      screen=NAME, level=N|normal|statusBar|alert, frame=x,y,width,height,
                      color=#[AA]RRGGBB, alpha=0…1, title=TEXT

                      key  make it the key window
                    """,
                run: { (call) throws(CommandError) in try Claim(call).run() }),
        ]
    }

    private static func window(_ call: Invocation) throws(CommandError) {
        let id = try call.word("ID")
        var changes: [String: JSON] = [:]
        var ending: String?
        for word in call.words() {
            let (key, value) = Values.pair(word)
            switch (key, value) {
            case ("key", nil), ("front", nil): changes[key] = .bool(true)
            case ("close", nil): ending = ""
            case ("destroy", nil): ending = "?force=true"
            case ("key", let value?): changes[key] = .bool(try Values.flag(value, key))
            case ("level", let value?): changes[key] = Values.level(value)
            case ("hidden", let value?): changes[key] = .bool(try Values.flag(value, key))
            case ("interaction", let value?): changes["userInteractionEnabled"] = .bool(try Values.flag(value, key))
            case ("autoresizing", let value?):
                changes[key] = .array(value.split(separator: ",").map { .string(String($0)) })
            case ("alpha", let value?): changes[key] = .number(try Values.number(value, key))
            case ("screen", let value?), ("title", let value?): changes[key] = .string(value)
            case ("frame", let value?):
                changes[key] = .rect(try Values.rect(value))
            default:
                throw Values.unknown(
                    key,
                    [
                        "level", "hidden", "frame", "alpha", "screen", "title", "interaction", "autoresizing", "key",
                        "front", "close", "destroy",
                    ])
            }
        }
        try call.end()
        let path = "/windows/\(ControlClient.escape(try call.client.windowID(id)))"
        if !changes.isEmpty || ending == nil {
            try call.show(changes.isEmpty ? "GET" : "PATCH", path, changes.isEmpty ? nil : .object(changes)) { window in
                // Without the right to view, nothing is answered.
                window == .null ? "" : describe(window)
            }
        }
        if let ending { try call.show("DELETE", path + ending) { _ in "" } }
    }

    private static func describe(_ window: JSON) -> String {
        let lines = [
            ("window", window["id"].text), ("application", owner(window)), ("title", window["title"].text),
            ("screen", place(window)), ("level", window["level"].text), ("frame", window["frame"].rectText),
            ("alpha", window["alpha"].text), ("color", window["backgroundColor"].text), ("state", state(window)),
        ]
        return lines.filter { !$0.1.isEmpty }.map { name, value in
            name + String(repeating: " ", count: 13 - name.count) + value + "\n"
        }.joined()
    }

    private static func owner(_ window: JSON) -> String {
        let name = window["applicationName"].text
        return name.isEmpty ? window["application"].text : name
    }

    private static func place(_ window: JSON) -> String {
        if window["screenName"] != .null { return window["screenName"].text }
        return window["awaitedScreen"] == .null ? "none" : "awaits \(window["awaitedScreen"].text)"
    }

    private static func state(_ window: JSON) -> String {
        let alpha = window["alpha"].number ?? 1
        let notes = [
            window["visible"].isTrue ? "" : window["hidden"].isTrue ? "hidden" : "not visible",
            window["key"].isTrue ? "key" : "", alpha < 1 ? "alpha \(JSON.text(alpha))" : "",
            window["userInteractionEnabled"].isTrue ? "" : "no interaction",
        ]
        return notes.filter { !$0.isEmpty }.joined(separator: ", ")
    }
}
