// wait

import ControlProtocol
import JSON5
import MullionControl
import MullionSystem

extension Command {
    static var waitCommand: Command {
        Command(
            name: "wait", arguments: "CONDITION… [timeout=DURATION]",
            summary: "wait until conditions hold",
            details: """
                A CONDITION is one of these, with its words in any order; several have to hold
                at the same moment:
                  window [title=TITLE] [application=NAME] [screen=SCREEN] [visible[=false]]
                         [key[=false]] [count=N]   such a window exists, or exactly N do
                  gone   the same words, without count: no such window exists
                  application NAME                  it is connected
                  client [pid=PID]                  a program is connected
                  screen SCREEN [connected=false] [main[=false]]
                  idle                              a program is connected, and all clients
                                                    have settled (see settle)
                  still [SCREEN] [for=DURATION]     its pixels have not changed (for 100ms)
                  pixel [SCREEN] x,y=#RRGGBB [tolerance=N]   in native pixels
                  widget role=ROLE name=NAME … [gone]   not combined with others; keys as for
                                                    "find", but nth=N counts those of any state
                                                    and text; must be visible unless state= is
                                                    given
                  text TEXT                         not combined with others; a widget in view
                                                    shows it

                TITLE and NAME are exact, or a pattern between slashes: /Save.*/, or /save/i
                to ignore case. NAME is also compared with application ids, and with the 15
                bytes that the kernel keeps of a program's name.

                Prints what fulfilled the conditions. When the time is up (default: 5s, at most
                10 minutes, 0s to check once), prints what there is instead on standard error,
                nearest first, and exits with 124.
                """,
            run: { (call) throws(CommandError) in
                let words = call.words()
                try call.end()
                if let wait = try WidgetWait(words) {
                    let widgets = try wait.run(wait.search(call.client))
                    return Terminal.out(
                        call.json ? WidgetCommand.json(widgets) : widgets.map { $0.text + "\n" }.joined())
                }
                let query = try WaitQuery(words)
                let request = ControlRequest.getWait(query: query.items)
                let answer = try call.client.answer(to: request, accepting: [400, 408])
                let problem = answer.problem
                // Everything in the query is from the command line.
                if answer.status == 400 { throw .usage(problem?.detail.printable()) }
                if call.json { Terminal.out(answer.text) }
                guard let problem else {
                    RunNote.removeEarlier()
                    if !call.json { Terminal.out(fulfilled(try request.value(of: answer))) }
                    return
                }
                let silent = silentPrograms(problem, call.client)
                note(problem, silent, call.client)
                guard !call.json else { throw .status(124) }
                throw .timedOut(([unfulfilled(problem)] + silent).joined(separator: "\n"))
            })
    }

    /// A line for each object.
    private static func fulfilled(_ answer: API.Waited) -> String {
        var lines = (answer.windows ?? []).map { window in
            "window \(window.id) \"\(window.title.printable())\" of \(window.applicationName.printable())"
        }
        lines += (answer.applications ?? []).map { "application \($0.id) \($0.name.printable()) (pid \($0.pid))" }
        if let screen = answer.screen {
            lines.append("screen \(screen.id.map { "\($0)" } ?? "") \(screen.name.printable())")
        }
        if let pixel = answer.pixel { lines.append("pixel \(pixel.x),\(pixel.y) \(pixel.color)") }
        return lines.map { $0 + "\n" }.joined()
    }

    /// The programs that do not react, which may be the reason. After a short wait, they may only be busy.
    private static func silentPrograms(_ problem: API.Problem, _ client: ControlClient) -> [String] {
        guard problem.waited ?? 0 >= 1000, let unfinished = try? client.unfinished(within: 0.5) else { return [] }
        return unfinished.filter { [.notReading, .notAnswering].contains($0.kind) }.map { $0.detail.printable() }
    }

    /// Notes an unfulfilled wait for the report of the run.
    private static func note(_ problem: API.Problem, _ silent: [String], _ client: ControlClient) {
        guard RunNote.isWanted else { return }
        let waited = JSON.text(((problem.waited ?? 0) / 100).rounded() / 10)
        let reasons = (problem.unmet ?? []).map { unmet in
            let instead = unmet.instead.prefix(2).map { $0.text.printable() }.joined(separator: "; ")
            let there = instead.isEmpty || unmet.kind == API.ConditionKind.pixel.rawValue ? "" : "; there is \(instead)"
            return "\(unmet.condition.printable()), but \(unmet.reason.printable())\(there)"
        }
        let all = ["waited \(waited) s for \(reasons.joined(separator: ", and for "))"] + silent
        var note = RunNote(all.joined(separator: "; "))
        if let pixel = problem.unmet?.first(where: { $0.pixel != nil }), let place = pixel.pixel {
            note.mark(API.Rect(x: place.x, y: place.y, width: 1, height: 1), on: pixel.instead.first?.screenName)
        }
        note.addWidgets(client)
        note.save()
    }

    private static func unfulfilled(_ problem: API.Problem) -> String {
        var lines = ["not fulfilled within \(JSON.text(((problem.waited ?? 0) / 100).rounded() / 10)) s"]
        for unmet in problem.unmet ?? [] {
            lines.append("\(unmet.condition): \(unmet.reason)".printable())
            lines += unmet.instead.map { "  \($0.text.printable())" }
        }
        return lines.joined(separator: "\n")
    }
}

/// The query of `GET /v1/wait`, from the words of the command line.
struct WaitQuery {
    private(set) var items: [(name: String, value: String)] = []
    private var condition: Condition?
    private var timeout: String?

    /// A condition, and what can follow its name.
    private struct Condition {
        let name: String
        /// The item that may be given as the next word, without its name.
        var main: String?
        var isMainRequired = false
        var flags: [String] = []
        var keys: [String] = []

        static let windowKeys = ["title", "application", "screen"]
        static let all = [
            Condition(name: "window", flags: ["visible", "key"], keys: windowKeys + ["count"]),
            Condition(name: "gone", flags: ["visible", "key"], keys: windowKeys),
            Condition(name: "application", main: "application", isMainRequired: true),
            Condition(name: "client", keys: ["pid"]),
            Condition(name: "screen", main: "screen", isMainRequired: true, flags: ["connected", "main"]),
            Condition(name: "idle"),
            Condition(name: "still", main: "screen", keys: ["for"]),
            Condition(name: "pixel", main: "screen", keys: ["tolerance"]),
        ]

        var words: [String] { flags + keys + (main.map { [$0] } ?? []) }
    }

    /// All words, for completion.
    static var allWords: [String] {
        let flags = Set(Condition.all.flatMap(\.flags))
        let keys = Set(Condition.all.flatMap { $0.keys + ($0.main.map { [$0] } ?? []) } + WidgetQuery.keys)
        return Condition.all.map(\.name) + WidgetWait.names + flags.sorted() + keys.sorted().map { $0 + "=" }
    }

    init(_ words: [String]) throws(CommandError) {
        var left = words[...]
        while let word = left.popFirst() {
            let (key, value) = Values.pair(word)
            guard let value else {
                if let condition, condition.flags.contains(key) { add(key, "true") } else { try begin(key, &left) }
                continue
            }
            try read(key, value)
        }
        guard condition != nil else { throw .usage("CONDITION is missing") }
        if let timeout { add("timeout", timeout) }
    }

    private mutating func begin(_ name: String, _ left: inout ArraySlice<String>) throws(CommandError) {
        guard let next = Condition.all.first(where: { $0.name == name }) else {
            if WidgetWait.names.contains(name) { throw .usage("\(name) is not combined with other conditions") }
            let names = Condition.all.map(\.name) + WidgetWait.names + (condition?.words ?? [])
            let near = Suggestion.nearest(to: name, among: names).map { "; did you mean \($0)?" } ?? ""
            throw .usage("\"\(name)\" is not a condition\(near) (use one of \(names.joined(separator: ", ")))")
        }
        condition = next
        add("for", name)
        guard let main = next.main else { return }
        let isGiven = left.first.map { word in
            !word.contains("=") && (next.isMainRequired || !Condition.all.contains { $0.name == word })
        }
        if isGiven == true, let value = left.popFirst() { return add(main, value) }
        if next.isMainRequired, left.first?.hasPrefix("\(main)=") != true {
            throw .usage("\(name) needs \(main == "screen" ? "SCREEN" : "NAME")")
        }
    }

    private mutating func read(_ key: String, _ value: String) throws(CommandError) {
        if key == "timeout" {
            guard timeout == nil else { throw .usage("timeout is given twice") }
            timeout = try Self.milliseconds(value, key)
            return
        }
        guard let condition else { throw .usage("CONDITION is missing before \(key)=") }
        switch key {
        case "for" where condition.name == "still": add("duration", try Self.milliseconds(value, key))
        case _ where condition.name == "pixel" && key.contains(","):
            let point = try Values.point(key)
            add("x", JSON.exactText(point.x))
            add("y", JSON.exactText(point.y))
            add("color", value)
        case _ where condition.words.contains(key): add(key, value)
        default: throw Values.unknown(key, condition.words + ["timeout"])
        }
    }

    private mutating func add(_ name: String, _ value: String) {
        items.append((name, value))
    }

    private static func milliseconds(_ text: String, _ key: String) throws(CommandError) -> String {
        JSON.exactText(try Values.patience(text, key) * 1000)
    }
}
