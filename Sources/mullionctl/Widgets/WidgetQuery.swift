// Which widgets a command means: role=button name=Save.

import Accessibility
import MullionControl
import MullionSystem
import TextPatterns

/// Conditions that a widget has to meet, all of them.
struct WidgetQuery {
    /// The keys of a query.
    static let keys = ["role", "name", "text", "description", "window", "application", "state", "id", "nth"]
    /// The numbers that `nth` can have.
    private static let numbers = -10_000...10_000

    private(set) var role: String?
    private(set) var name: TextPattern?
    private var content: TextPattern?
    private var description: TextPattern?
    private var window: TextPattern?
    private var application: TextPattern?
    /// Names of states; false: it must not have it.
    private var states: [(name: String, isSet: Bool)] = []
    private var id: String?
    /// The place among those that match, from 0, or from -1 for the last one; nil: all of them.
    private var index: Int?
    private var mustBeInView = false
    /// Whether only what users can edit matches.
    var isEditable = false
    /// Whether `state` and `text` are awaited of the widget of the number, and do not say which ones are numbered.
    var numbersAnyState = false
    /// As it was given.
    private(set) var text = ""
    /// Whether nothing but the window matters.
    var isOnlyWindow: Bool {
        role == nil && name == nil && content == nil && description == nil && application == nil && states.isEmpty
            && id == nil && index == nil
    }
    var hasState: Bool { !states.isEmpty }
    var hasWindow: Bool { window != nil }

    init() {}

    /// Whether a word such as "role=button" is part of a query.
    static func isPart(_ word: String) -> Bool {
        let (key, value) = Values.pair(word)
        return value != nil && keys.contains(key)
    }

    /// Adds a condition.
    mutating func add(_ key: String, _ value: String) throws(CommandError) {
        text += (text.isEmpty ? "" : " ") + "\(key)=\(value)"
        switch key {
        case "role":
            let known = AccessibleRole.allNames
            guard known.contains(value) else {
                let near = Suggestion.nearest(to: value, among: known.sorted()).map { "; use \($0)" } ?? ""
                throw .usage("\"\(value)\" is not a role\(near)")
            }
            role = value
        case "name": name = try Self.pattern(value)
        case "text": content = try Self.pattern(value)
        case "description": description = try Self.pattern(value)
        case "nth":
            guard let number = DecimalText.whole(value, isSigned: true), Self.numbers.contains(number) else {
                throw .usage("nth=\(value) is not a number; use 0 for the first, 1 for the second, -1 for the last")
            }
            index = number
        case "window": window = try Self.pattern(value)
        case "application": application = try Self.pattern(value)
        case "id": id = value
        case "state":
            for word in value.split(separator: ",") {
                let name = String(word.hasPrefix("!") ? word.dropFirst() : word)
                let known = AccessibleStates.allNames
                guard known.contains(name) else {
                    let near = Suggestion.nearest(to: name, among: known).map { "; use \($0)" } ?? ""
                    throw .usage("\"\(name)\" is not a state\(near)")
                }
                states.append((name, !word.hasPrefix("!")))
            }
        default: throw Values.unknown(key, Self.keys)
        }
    }

    /// Requires a part of it in view, which is not part of what was given.
    mutating func mustShow() {
        mustBeInView = true
        states.append(("showing", true))
    }

    private static func pattern(_ text: String) throws(CommandError) -> TextPattern {
        do {
            return try TextPattern(text)
        } catch {
            throw .usage("\"\(text)\" is not a pattern: \(error.reason)")
        }
    }

    /// Whether an object may match, judged before its place is known.
    func mayMatch(_ object: Accessible) -> Bool {
        matchesRole(object) && name?.matches(object.name) != false
            && (!isEditable || object.states.contains(.editable)) && (id == nil || id == object.id.bus + object.id.path)
    }

    /// Whether widgets in a window may match.
    func concerns(_ place: WindowPlace) -> Bool {
        window.map { matches($0, place) } != false && isOf(place.applicationName)
    }

    private func matches(_ widget: Widget) -> Bool { matchesItself(widget) && matchesState(widget) }

    /// The matching ones, or the one of the number that is meant.
    func matches(among widgets: [Widget]) -> [Widget] {
        guard let index else { return all(among: widgets) }
        var numbered = self
        if numbersAnyState { (numbered.states, numbered.content) = ([], nil) }
        let found = numbered.all(among: widgets)
        let place = index < 0 ? found.count + index : index
        return found.indices.contains(place) && matches(found[place]) ? [found[place]] : []
    }

    /// The matching ones. The label in a button, which GTK 4 describes by itself, is not another widget: it does not count
    /// where the button would, but for its state. Neither is the button that fills a button with a menu.
    private func all(among widgets: [Widget]) -> [Widget] {
        widgets.filter { widget in
            guard matches(widget) else { return false }
            return !widget.ancestors.contains { ancestor in
                guard ancestor.parent != nil, ancestor.name == widget.name else { return false }
                return widget.role == "label"
                    ? matchesItself(ancestor) && isInPlace(ancestor)
                    : ancestor.role == widget.role && ancestor.frame == widget.frame && matches(ancestor)
            }
        }
    }

    /// Whether a widget is visible or showing, if it has to be. A label can be where its button has no place.
    private func isInPlace(_ widget: Widget) -> Bool {
        let names = states.filter(\.isSet).map(\.name)
        return (widget.isVisible || !names.contains("visible")) && (widget.isShowing || !names.contains("showing"))
    }

    private func matchesState(_ widget: Widget) -> Bool {
        let set = Set(widget.states)
        return states.allSatisfy { set.contains($0.name) == $0.isSet }
    }

    /// Whether it is what the query means, whatever its state.
    private func matchesItself(_ widget: Widget) -> Bool {
        guard mayMatch(widget.accessible) else { return false }
        if let window, !matches(window, widget.window) { return false }
        guard [widget.applicationName, widget.application.name].contains(where: isOf) else { return false }
        guard description?.matches(widget.accessible.details?.description ?? "") != false else { return false }
        return content?.matches(widget.accessible.details?.text ?? widget.name) != false
    }

    /// How little a widget differs: 0 is a match; nil when it is not worth mentioning.
    func distance(_ widget: Widget) -> Int? {
        let distances = [
            name.map { Self.distance($0, widget.name) },
            content.map { Self.distance($0, widget.accessible.details?.text ?? widget.name) },
            description.map { Self.distance($0, widget.accessible.details?.description ?? "") },
        ].compactMap(\.self)
        guard !distances.isEmpty else { return isOfKind(widget) ? 0 : nil }
        guard let distance = distances.compactMap(\.self).max(), !distances.contains(nil) else { return nil }
        return distance + (isOfKind(widget) ? 0 : 3)
    }

    /// Nil when the text is another one.
    private static func distance(_ pattern: TextPattern, _ text: String) -> Int? {
        guard !text.isEmpty, text.count <= 200 else { return nil }
        let (wanted, seen) = (pattern.text.lowercased(), text.lowercased())
        let isPart = seen.has(text: wanted)
        // Programs may have thousands of long names.
        guard isPart || abs(wanted.count - seen.count) <= max(2, wanted.count / 2) else { return nil }
        let difference = pattern.matches(text) ? 0 : EditDistance.count(Array(wanted.prefix(200)), Array(seen))
        guard isPart || difference <= max(2, wanted.count / 2) else { return nil }
        return isPart ? min(difference, 2) : difference
    }

    /// Whether it has the role, and can be edited if it has to be.
    func isOfKind(_ widget: Widget) -> Bool {
        matchesRole(widget.accessible) && (!isEditable || widget.accessible.states.contains(.editable))
    }

    /// What is looked for, for people.
    var kind: String { isEditable ? "text field" : mustBeInView ? "widget in view" : "widget" }
    /// Whether the kind by itself says what else could have been meant.
    var hasKind: Bool { role != nil || isEditable }

    private func matchesRole(_ object: Accessible) -> Bool {
        role == nil || role == object.role.name || role == object.role.nativeName
    }

    /// Whether a program's name is the wanted one.
    private func isOf(_ name: String) -> Bool {
        application.map { ProcessName.isMeant(name, by: $0.text, $0.matches) } ?? true
    }

    /// A window's id, or its title.
    private func matches(_ pattern: TextPattern, _ window: WindowPlace?) -> Bool {
        guard let window else { return false }
        return pattern.text == String(window.id) || pattern.matches(window.title)
    }
}
