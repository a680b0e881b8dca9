// Conditions of mullionctl wait about widgets and texts.

import MullionClient
import MullionControl

/// Waits for widgets: `wait widget role=… name=… [state=…] [gone]`, and `wait text TEXT`.
struct WidgetWait {
    /// Of the conditions.
    static let names = ["widget", "text"]

    private(set) var query: WidgetQuery
    /// Until there is none.
    let isGone: Bool
    let seconds: Double

    /// Nil when the first condition is another one.
    init?(_ words: [String]) throws(CommandError) {
        guard let name = words.first(where: { !$0.hasPrefix("timeout=") }), Self.names.contains(name) else {
            return nil
        }
        var (seconds, rest) = (5.0, words)
        if let place = rest.firstIndex(of: name) { rest.remove(at: place) }
        if let index = rest.firstIndex(where: { $0.hasPrefix("timeout=") }) {
            seconds = try Values.patience(String(rest.remove(at: index).dropFirst("timeout=".count)), "timeout")
        }
        if name == "widget" {
            try self.init(widget: rest, seconds: seconds)
        } else {
            guard rest.count == 1 else { throw .usage("text needs TEXT, by itself") }
            try self.init(text: rest[0], seconds: seconds)
        }
    }

    /// - Parameter words: role=… name=… state=… and the like, and `gone`.
    init(widget words: [String], seconds: Double) throws(CommandError) {
        var query = WidgetQuery()
        var isGone = false
        for word in words {
            let (key, value) = Values.pair(word)
            if let value {
                try query.add(key, value)
            } else if key == "gone" {
                isGone = true
            } else {
                throw Values.unknown(key, WidgetQuery.keys + ["gone"])
            }
        }
        guard !query.text.isEmpty else { throw .usage("role=ROLE or name=NAME is missing") }
        self.init(query, isGone: isGone, seconds: seconds)
    }

    init(_ query: WidgetQuery, isGone: Bool, seconds: Double) {
        (self.query, self.isGone, self.seconds) = (query, isGone, seconds)
        self.query.numbersAnyState = true
    }

    /// - Parameter text: what a widget that is in view has to show: the exact text, or /EXPRESSION/.
    init(text: String, seconds: Double) throws(CommandError) {
        var query = WidgetQuery()
        try query.add("text", text)
        self.init(textOf: query, seconds: seconds)
    }

    /// - Parameter query: what a widget that is in view has to be.
    init(textOf query: WidgetQuery, seconds: Double) {
        var query = query
        query.mustShow()
        self.init(query, isGone: false, seconds: seconds)
    }

    /// For people.
    var text: String { "widget \(query.text)" + (isGone ? " gone" : "") }

    func search(_ client: ControlClient) throws(CommandError) -> WidgetSearch {
        try WidgetSearch(client, query, seconds: seconds)
    }

    /// Waits, and returns the widgets; none when they are gone.
    /// - Throws: `timedOut` with what there was instead.
    func run(_ search: WidgetSearch) throws(CommandError) -> [Widget] {
        try search.wait { (matches) throws(CommandError) -> WidgetSearch.Attempt<[Widget]> in
            if isGone {
                if let first = matches.first { return .failure("\(first.text) has \(query.text)") }
                return search.mayLackSome ? .failure(WidgetSearch.lack) : .success([])
            }
            // Without a state, it has to be there for the user.
            let found = query.hasState ? matches : matches.filter(\.isVisible)
            if !found.isEmpty { return .success(found) }
            return .failure(matches.first.map { "\($0.text) is hidden" } ?? search.missing)
        }
    }
}
