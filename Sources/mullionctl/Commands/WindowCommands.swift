// windows, window, tree, claim

import ControlProtocol
import JSON5
import MullionControl

extension Command {
    static var windowCommands: [Command] {
        [
            Command(
                name: "windows", arguments: "", summary: "list all windows",
                run: { (call) throws(CommandError) in
                    try call.end()
                    try call.show(.getWindows()) { answer in
                        var table = Table("ID", "APPLICATION", "TITLE", "SCREEN", "LEVEL", "FRAME", "")
                        for window in answer.windows {
                            table.add(
                                "\(window.id)", owner(window), window.title, place(window), JSON.text(window.level),
                                window.frame.text, state(window))
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
                    Terminal.out(try call.client.answer(to: .getTree(), accept: accept).text)
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
        var isDestroyed: Bool?
        for word in call.words() {
            let (key, value) = Values.pair(word)
            switch (key, value) {
            case ("key", nil), ("front", nil): changes[key] = .bool(true)
            case ("close", nil): isDestroyed = false
            case ("destroy", nil): isDestroyed = true
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
        let window = try call.client.windowID(id)
        if !changes.isEmpty {
            try call.show(ControlRequest.patchWindowsId(window, JSON.object(changes)).optional) { window in
                // Without the right to view, nothing is answered.
                window.map(describe) ?? ""
            }
        } else if isDestroyed == nil {
            try call.show(.getWindowsId(window), describe)
        }
        if let isDestroyed { try call.show(.deleteWindowsId(window, force: isDestroyed)) }
    }

    private static func describe(_ window: API.Window) -> String {
        let lines = [
            ("window", "\(window.id)"), ("application", owner(window)), ("title", window.title),
            ("screen", place(window)), ("level", JSON.text(window.level)), ("frame", window.frame.text),
            ("alpha", JSON.text(window.alpha)), ("color", window.backgroundColor ?? ""), ("state", state(window)),
        ]
        return lines.filter { !$0.1.isEmpty }.map { name, value in
            name + String(repeating: " ", count: 13 - name.count) + value.printable() + "\n"
        }.joined()
    }

    private static func owner(_ window: API.Window) -> String {
        window.applicationName.isEmpty ? "\(window.application)" : window.applicationName
    }

    private static func place(_ window: API.Window) -> String {
        window.screenName ?? window.awaitedScreen.map { "awaits \($0)" } ?? "none"
    }

    private static func state(_ window: API.Window) -> String {
        let notes = [
            window.visible ? "" : window.hidden ? "hidden" : "not visible", window.key ? "key" : "",
            window.alpha < 1 ? "alpha \(JSON.text(window.alpha))" : "",
            window.userInteractionEnabled ? "" : "no interaction",
        ]
        return notes.filter { !$0.isEmpty }.joined(separator: ", ")
    }
}
