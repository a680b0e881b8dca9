// widgets, find

import JSON5
import MullionClient
import MullionControl
import MullionSystem

extension Command {
    static var widgetCommands: [Command] {
        [
            Command(
                name: "widgets", arguments: "[WINDOW] [KEY=VALUE]… [timeout=DURATION]",
                summary: "show the widgets of all windows, or of one",
                details: """
                    The widgets are those of the accessibility bus (AT-SPI 2) of this session, which
                    programs describe themselves. Prints for each its role, name, frame in the
                    window's points, and state. Qt, Chromium and Firefox have to be asked to do so:
                    see WIDGETS in mullionctl(1).

                    With KEY=VALUE, as for find, prints the matching widgets, if any, instead of the
                    trees; window=TITLE selects trees.

                    \(WidgetCommand.waitText)
                    To describe everything, they have 30s, or the timeout if there is one.
                    """,
                run: { (call) throws(CommandError) in try WidgetCommand.list(call) }),
            Command(
                name: "find", arguments: "[role=ROLE] [name=NAME] [KEY=VALUE]… [timeout=DURATION]",
                summary: "find widgets by role and name",
                details: """
                    \(WidgetCommand.queryText)

                    \(WidgetCommand.waitText)
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
    /// How long programs may take to be on the bus once they have started, in seconds.
    private static let startPatience = 5.0

    fileprivate static let waitText = """
        Waits for programs that have just shown a window and do not describe it yet,
        until they have been running for timeout=DURATION (default: 5s; 0s: not at all).
        """

    static let queryText = """
        Keys: role=ROLE, as in ARIA (button, textbox, checkbox, menuitem, tab, …);
        name=NAME, text=TEXT, description=TEXT (a tooltip, for instance),
        application=NAME, window=ID or its title: each the exact text, or a regular
        expression as /EXPRESSION/ (ignoring case: /EXPRESSION/i); state=STATE,… of
        enabled, visible, showing, focused, checked, selected, … (!STATE: the widget
        must not have it); id=ID, as printed by widgets --json; and nth=N, the place
        among those that match, from 0, or from -1 for the last one.
        """

    static func list(_ call: Invocation) throws(CommandError) {
        var window: Int?
        if let word = call.next, Values.pair(word).value == nil {
            window = Int(try call.client.windowID(word))
            _ = call.word()
        }
        let (query, seconds) = try query(call)
        try call.end()
        if let window { _ = try call.client.send(.getWindowsId("\(window)")) }
        let deadline = MonotonicClock.seconds + (seconds.map { max($0, WidgetSearch.leastPatience) } ?? patience)
        let widgets = try Widgets(call.client, until: deadline)
        let isTree = query.isOnlyWindow
        func look() throws(CommandError) -> [Widget] {
            try widgets.roots(
                window: window, until: deadline, concerns: query.concerns,
                isWanted: isTree ? nil : { query.mayMatch($0) })
        }
        var roots = try look()
        while MonotonicClock.seconds < deadline,
            widgets.isStarting(query, within: seconds ?? startPatience)
        {
            WidgetSearch.pause()
            roots = try look()
        }
        let found = query.matches(among: isTree ? roots : roots.flatMap(\.all))
        if call.json {
            let isComplete = !widgets.mayLack(query)
            Terminal.out(json(found, withChildren: isTree, remarks: widgets.remarks, isComplete: isComplete))
        } else {
            Terminal.out(isTree ? found.map(text).joined() : lines(found))
        }
        for remark in widgets.remarks { Terminal.error("mullionctl: \(remark)") }
    }

    private static func lines(_ widgets: [Widget]) -> String {
        widgets.map { "\($0.line)\($0.window.map { "  in \($0.text)" } ?? "")\n" }.joined()
    }

    /// What is looked for, and for how long if that is given.
    private static func query(_ call: Invocation) throws(CommandError) -> (WidgetQuery, seconds: Double?) {
        var query = WidgetQuery()
        var seconds: Double?
        for word in call.words() {
            let (key, value) = Values.pair(word)
            guard let value else { throw Values.unknown(key, WidgetQuery.keys + ["timeout"]) }
            if key == "timeout" {
                guard seconds == nil else { throw .usage("timeout is given twice") }
                seconds = try Values.patience(value, key)
            } else {
                try query.add(key, value)
            }
        }
        return (query, seconds)
    }

    static func find(_ call: Invocation) throws(CommandError) {
        let (query, seconds) = try query(call)
        guard !query.text.isEmpty else { throw .usage("role=ROLE or name=NAME is missing") }
        try call.end()
        let patience = seconds ?? startPatience
        let search = try WidgetSearch(call.client, query, seconds: patience)
        var matches = try search.matches()
        while matches.isEmpty, MonotonicClock.seconds < search.deadline,
            search.widgets.isStarting(query, within: patience)
        {
            WidgetSearch.pause()
            matches = try search.matches()
        }
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
    ///   - isComplete: whether every program was described in time.
    static func json(
        _ widgets: [Widget], withChildren: Bool = false, remarks: [String]? = nil, isComplete: Bool = true
    ) -> String {
        var members: [String: JSON] = ["widgets": .array(widgets.map { $0.json(withChildren: withChildren) })]
        members["remarks"] = remarks.map { .array($0.map { .string($0) }) }
        if !isComplete { members["complete"] = .bool(false) }
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
