// What a scenario expects of a widget.

import MullionControl
import TextPatterns

/// A widget that has to be there, or not, and how it has to be.
struct ScenarioWidgetExpectation {
    var query = WidgetQuery()
    var exists = true
    /// What it shows.
    var text: TextPattern?
    /// The names of states, and whether it has to have them.
    var states: [(name: String, isSet: Bool)] = []

    /// Waits until all expectations hold at once.
    /// - Parameter searches: one for each; the first one's deadline applies.
    /// - Returns: the first mismatch at the deadline, or nil.
    static func failure(
        of expectations: [ScenarioWidgetExpectation], _ searches: [WidgetSearch]
    ) throws(CommandError) -> ScenarioFailure? {
        guard let first = searches.first else { return nil }
        first.companions = Array(searches.dropFirst())
        var last: ScenarioFailure?
        do throws(CommandError) {
            try first.wait { (_) throws(CommandError) -> WidgetSearch.Attempt<Void> in
                last =
                    zip(expectations, searches).lazy
                    .compactMap { expectation, search in expectation.mismatch(search.lastMatches, search) }.first
                return last.map { .failure($0.seen) } ?? .success(())
            }
            return nil
        } catch {
            guard case .timedOut = error, let last else { throw error }
            return last
        }
    }

    private func mismatch(_ matches: [Widget], _ search: WidgetSearch) -> ScenarioFailure? {
        let place = "widget \(query.text)"
        guard exists else {
            guard let seen = matches.first?.text ?? (search.mayLackSome ? WidgetSearch.lack : nil) else { return nil }
            return ScenarioFailure(place: place, expected: "not to exist", seen: seen)
        }
        let widget: Widget
        switch WidgetSearch.single(matches, search) {
        case .success(let found): widget = found
        case .failure(let why): return ScenarioFailure(place: place, expected: "to exist, once", seen: why)
        }
        if let text {
            let seen = widget.accessible.details?.text ?? widget.name
            if !text.matches(seen) {
                return ScenarioFailure(place: "\(place): text", expected: text.text, seen: seen.printable())
            }
        }
        let set = widget.states
        for (name, isSet) in states where set.contains(name) != isSet {
            return ScenarioFailure(place: "\(place): \(name)", expected: "\(isSet)", seen: "\(!isSet)")
        }
        return nil
    }
}
