// widgets, find

import CLinux
import Glibc
import MullionClient
import System

extension Command {
    static var widgetCommands: [Command] {
        [
            Command(
                name: "widgets", arguments: "[WINDOW] [KEY=VALUE]…",
                summary: "show the widgets of all windows, or of one",
                details: """
                    The widgets are those of the accessibility bus (AT-SPI 2) of this session, which
                    programs describe themselves. Prints for each its role, name, frame in the
                    window's points, and state. Qt, Chromium and Firefox have to be asked to do so:
                    see WIDGETS in mullionctl(1).

                    With KEY=VALUE, as for find, prints the matching widgets, if any, instead of the
                    trees; window=TITLE selects trees.
                    """,
                run: { (call) throws(CommandError) in try WidgetCommand.list(call) }),
            Command(
                name: "find", arguments: "[role=ROLE] [name=NAME] [KEY=VALUE]…",
                summary: "find widgets by role and name",
                details: """
                    \(WidgetCommand.queryText)

                    Fails if there is none, and then names the nearest ones.

                    Example: mullionctl find role=button name=Save
                    """,
                run: { (call) throws(CommandError) in try WidgetCommand.find(call) }),
        ]
    }
}

/// The commands that print widgets.
enum WidgetCommand {
    /// How long reading may take, in seconds.
    private static let patience = 30.0

    static let queryText = """
        Keys: role=ROLE, as in ARIA (button, textbox, checkbox, menuitem, tab, …);
        name=NAME, text=TEXT, application=NAME, window=ID or its title: each the exact
        text, or a regular expression as /EXPRESSION/ (ignoring case: /EXPRESSION/i);
        state=STATE,… of enabled, visible, showing, focused, checked, selected, …
        (!STATE: the widget must not have it); and id=ID, as printed by widgets --json.
        """

    static func list(_ call: Invocation) throws(CommandError) {
        endWithParent()
        var window: Int?
        if let word = call.next, Values.pair(word).value == nil {
            window = Int(try call.client.windowID(word))
            _ = call.word()
        }
        var query = WidgetQuery()
        for word in call.words() {
            let (key, value) = Values.pair(word)
            guard let value else { throw Values.unknown(key, WidgetQuery.keys) }
            try query.add(key, value)
        }
        try call.end()
        if let window { _ = try call.client.send("GET", "/windows/\(window)") }
        let widgets = try Widgets(call.client)
        let deadline = MonotonicClock.seconds + patience
        let isTree = query.isOnlyWindow
        let roots = try widgets.roots(
            window: window, until: deadline, isWanted: isTree ? nil : { query.mayMatch($0) })
        let found = isTree ? roots.filter { query.matches($0) } : query.matches(among: roots.flatMap(\.all))
        if call.json {
            Terminal.out(json(found, withChildren: isTree, remarks: widgets.remarks))
        } else {
            Terminal.out(isTree ? found.map(text).joined() : lines(found))
        }
        for remark in widgets.remarks { Terminal.error("mullionctl: \(remark)") }
    }

    /// As a helper of the server, ends when it does.
    private static func endWithParent() {
        guard let parent = Terminal.variable("MULLION_PARENT") else { return }
        _ = linux_signal_when_parent_ends(SIGKILL)
        // It may have ended before.
        if String(getppid()) != parent { exit(1) }
    }

    private static func lines(_ widgets: [Widget]) -> String {
        widgets.map { "\($0.line)\($0.window.map { "  in \($0.text)" } ?? "")\n" }.joined()
    }

    static func find(_ call: Invocation) throws(CommandError) {
        var query = WidgetQuery()
        for word in call.words() {
            let (key, value) = Values.pair(word)
            guard let value else { throw Values.unknown(key, WidgetQuery.keys) }
            try query.add(key, value)
        }
        guard !query.text.isEmpty else { throw .usage("role=ROLE or name=NAME is missing") }
        try call.end()
        let search = WidgetSearch(try Widgets(call.client), query, seconds: 0)
        let matches = try search.matches()
        search.remark()
        guard !matches.isEmpty else {
            search.note(search.missing)
            throw .refused(search.missing)
        }
        if call.json {
            Terminal.out(json(matches))
        } else {
            Terminal.out(lines(matches))
        }
    }

    /// Widgets in JSON.
    /// - Parameters:
    ///   - withChildren: with the trees below them.
    ///   - remarks: what is missing.
    static func json(_ widgets: [Widget], withChildren: Bool = false, remarks: [String]? = nil) -> String {
        var members: [String: JSON] = ["widgets": .array(widgets.map { $0.json(withChildren: withChildren) })]
        members["remarks"] = remarks.map { .array($0.map { .string($0) }) }
        return JSON.object(members).encoded + "\n"
    }

    /// The tree, with a line for the window.
    private static func text(_ root: Widget) -> String {
        let title = root.window?.text ?? "no window of the server"
        var text = "\(title), \(root.applicationName.printable())"
        if let toolkit = toolkit(root) { text += " (\(toolkit))" }
        text += "\n"
        var rest = [(widget: root, depth: 1)]
        while let (widget, depth) = rest.popLast() {
            text += String(repeating: "  ", count: depth) + widget.line + "\n"
            rest += widget.children.reversed().map { ($0, depth + 1) }
        }
        return text
    }

    /// Distinguishes what only differs in case.
    private static func toolkit(_ root: Widget) -> String? {
        switch root.application.toolkit {
        case "": nil
        case "GTK": "GTK 4"
        case "gtk": "GTK 3"
        case let name: name.printable()
        }
    }
}
