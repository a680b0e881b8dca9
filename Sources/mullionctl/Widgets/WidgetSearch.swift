// Finds widgets, once or until one is ready.

import Accessibility
import ControlProtocol
import JSON5
import MullionClient
import MullionControl
import MullionSystem

/// Looks for the widgets of a query.
final class WidgetSearch {
    /// The time between two looks.
    private static let interval = 0.05
    /// How long the first look may take at least, in seconds: reading takes its time, even when there is none to wait.
    static let leastPatience = 3.0
    /// How many of the nearest widgets are mentioned.
    private static let nearMaximum = 5

    let widgets: Widgets
    let query: WidgetQuery
    /// A time of `MonotonicClock.seconds`.
    let deadline: Double
    /// When programs must have answered: the deadline, or a little later when there is no time to wait.
    let limit: Double
    private let seconds: Double
    /// Called between two looks; it throws what makes waiting pointless.
    var check: () throws(CommandError) -> Void = {}
    /// Why the last attempt failed.
    private(set) var reason = ""
    /// All widgets of the last look.
    private var seen: [Widget] = []
    /// Other searches that look when this one does, at the same widgets.
    var companions: [WidgetSearch] = []
    /// Where input would have gone, in points of the screen.
    var place: (screen: String, point: Point)?

    /// - Parameter seconds: how long to wait at most.
    init(_ client: ControlClient, _ query: WidgetQuery, seconds: Double) throws(CommandError) {
        (self.query, self.seconds) = (query, seconds)
        let now = MonotonicClock.seconds
        deadline = now + seconds
        limit = max(deadline, now + Self.leastPatience)
        widgets = try Widgets(client, until: limit)
    }

    /// Another search among the same widgets, at the same time.
    init(_ query: WidgetQuery, with other: WidgetSearch) {
        (self.query, seconds, deadline, limit) = (query, other.seconds, other.deadline, other.limit)
        widgets = other.widgets
    }

    /// The matching widgets now.
    func matches() throws(CommandError) -> [Widget] {
        let queries = [query] + companions.map(\.query)
        seen = try widgets.roots(
            until: limit, concerns: { place in queries.contains { $0.concerns(place) } },
            isWanted: { widget in queries.contains { $0.mayMatch(widget) } }
        ).flatMap(\.all)
        for companion in companions { companion.seen = seen }
        return lastMatches
    }

    /// Those of the last look.
    var lastMatches: [Widget] { query.matches(among: seen) }

    /// Whether the last look may have left out some of the matching widgets.
    var mayLackSome: Bool { widgets.mayLack(query) }
    /// Why a look that may lack some proves nothing.
    static let lack = "not everything was described in time"

    /// Waits until `body` returns a value instead of the reason why it does not.
    /// - Parameter leastLooks: how many looks `body` needs for its verdict. They may pass `deadline`, but not `limit`.
    /// - Throws: `timedOut` with the last reason.
    func wait<Value>(
        leastLooks: Int = 1, _ body: ([Widget]) throws(CommandError) -> Attempt<Value>
    ) throws(CommandError) -> Value {
        var looks = 0
        while true {
            try check()
            looks += 1
            let found = try matches()
            // What was cut says less than the look before.
            let isLess = widgets.isCut && ([self] + companions).contains(where: \.mayLackSome)
            if !isLess || reason.isEmpty {
                switch try body(found) {
                // Judged too late: programs' answers, such as what covers a widget, may be missing.
                case .success where !reason.isEmpty && MonotonicClock.seconds >= limit: break
                case .success(let value):
                    RunNote.removeEarlier()
                    return value
                case .failure(let why): reason = why
                }
            }
            guard MonotonicClock.seconds < (looks < leastLooks ? limit : deadline) else {
                note("waited \(JSON.text(seconds)) s, but \(reason)")
                let lines = ["not fulfilled within \(JSON.text(seconds)) s: \(reason)"] + widgets.remarks
                throw .timedOut(lines.joined(separator: "\nmullionctl: "))
            }
            Self.pause()
        }
    }

    /// Notes for the report of the run what was not found, with all widgets.
    func note(_ text: String) {
        guard RunNote.isWanted else { return }
        var note = RunNote(text)
        if let place { note.mark(API.Point(x: place.point.x, y: place.point.y), on: place.screen) }
        note.addWidgets(widgets)
        note.save()
    }

    /// What a try led to.
    enum Attempt<Value> {
        case success(Value)
        /// Why not, for people.
        case failure(String)
    }

    static func pause() {
        MonotonicClock.sleep(untilNanoseconds: MonotonicClock.nanoseconds &+ UInt64(interval * 1_000_000_000))
    }

    /// Prints what was incomplete.
    func remark() {
        for remark in widgets.remarks { Terminal.error("mullionctl: \(remark)") }
    }

    /// The only widget that is meant: the only one that shows, if some do.
    static func single(_ matches: [Widget], _ search: WidgetSearch) -> Attempt<Widget> {
        guard !matches.isEmpty else { return .failure(search.missing) }
        let showing = matches.filter(\.isShowing)
        let visible = matches.filter(\.isVisible)
        let worth = [showing, visible, matches].first { !$0.isEmpty } ?? []
        guard worth.count == 1, let widget = worth.first else {
            return .failure(
                "\(worth.count) widgets have \(search.query.text): \(list(worth)); use another key as well, or nth=0 for the "
                    + "first of all")
        }
        return .success(widget)
    }

    /// That there is no such widget, and the nearest ones.
    var missing: String {
        // A label in the list stands for what it labels.
        let seen = seen.filter { widget in
            widget.role != "label" || !widget.ancestors.contains { $0.parent != nil && $0.name == widget.name }
        }
        let ranked = seen.enumerated().compactMap { index, widget in
            query.distance(widget).map { (widget: widget, distance: $0, index: index) }
        }
        var near = ranked.sorted { ($0.distance, $0.index) < ($1.distance, $1.index) }.map(\.widget)
        // A button that is called otherwise is better than none.
        if near.isEmpty, query.hasKind {
            let others = seen.filter { query.isOfKind($0) && !$0.name.isEmpty }
            near = others.filter(\.isVisible) + others.filter { !$0.isVisible }
        }
        let hint = near.isEmpty ? "" : "; the nearest: \(Self.list(near))"
        return "no \(query.kind) has \(query.text)\(hint)"
    }

    private static func list(_ widgets: [Widget]) -> String {
        let texts = widgets.prefix(nearMaximum).map(\.text)
        let some = widgets.prefix(nearMaximum).map { widget in
            // Places are read only of what may match.
            let isOut = !widget.isShowing && widget.accessible.details != nil
            let state =
                !widget.isVisible
                ? " (hidden)" : isOut ? " (out of view)" : !widget.isEnabled ? " (disabled)" : ""
            // Places tell those apart that have the same name.
            let isAlone = texts.count { $0 == widget.text } == 1
            let place = isAlone ? nil : widget.frame.map { " at \(JSON.rect($0).rectText)" }
            return widget.text + (place ?? "") + (widget.window.map { " in window \($0.id)" } ?? "") + state
        }
        return some.joined(separator: ", ") + (widgets.count > nearMaximum ? " …" : "")
    }
}
