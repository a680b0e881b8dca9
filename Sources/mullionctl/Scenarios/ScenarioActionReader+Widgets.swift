// Reads the steps about widgets.

import Accessibility
import JSON5
import MullionControl
import TextPatterns

extension ScenarioActionReader {
    private static let inputs: [String: [String]] = [
        "click": ["button", "count", "duration", "modifiers"], "type": ["into", "seat", "text"],
        "scroll": ["dx", "dy", "modifiers", "source"],
    ]

    static let buttons = ["left", "right", "middle", "side", "extra"]
    static let mostClicks = 3
    static let modifiers = ["ctrl", "shift", "alt", "super", "altgr"]
    static let sources = ["wheel", "finger", "continuous"]
    /// In milliseconds.
    static let longestClick = 600_000.0

    mutating func input(_ value: JSON, _ way: Way) -> ScenarioWidgetInput? {
        let example = "{ click: { role: \"button\", name: \"Save\" } }"
        let verbs = members(value, way, Self.inputs.keys.sorted(), example)
        guard verbs.count == 1, let (verb, fields) = verbs.first, let own = Self.inputs[verb] else {
            if !hasMistake { refuse(way, "use exactly one of click, scroll and type, as in \(example)") }
            return nil
        }
        let way = way + [.member(verb)]
        guard case .object(var members) = fields else {
            refuse(way, "expected an object, such as { role: \"button\", name: \"Save\" }")
            return nil
        }
        let seconds = duration(members.removeValue(forKey: "timeout"), way + [.member("timeout")], default: 5)
        var options: [String: JSON] = [:]
        for key in own { options[key] = members.removeValue(forKey: key) }
        var query = WidgetQuery()
        if verb == "type", let into = options.removeValue(forKey: "into") {
            // Labels have the names of what they label.
            query.isEditable = true
            add("name", into, to: &query, way + [.member("into")])
        }
        read(members, into: &query, way, besides: own + ["timeout"])
        for key in own { check(options[key], key, way + [.member(key)]) }
        var event: [String: JSON] = [:]
        switch verb {
        case "type":
            guard case .string? = options["text"] else {
                refuse(way, "\"text\", what is typed, is missing")
                return nil
            }
            event = options
        case "scroll":
            for (key, field) in [("dx", "deltaX"), ("dy", "deltaY")] {
                event[field] = options[key]
            }
            if event.isEmpty { refuse(way, "\"dx\" or \"dy\", the distance in points, is missing") }
            event["source"] = options["source"]
        default: event = options
        }
        if query.text.isEmpty, !hasMistake { refuse(way, "\"role\" or \"name\" of the widget is missing") }
        return ScenarioWidgetInput(verb: verb, query: query, seconds: seconds, event: event)
    }

    /// Looks for mistakes in an option, as the server does when the event comes.
    private mutating func check(_ value: JSON?, _ key: String, _ way: Way) {
        guard let value else { return }
        let shown = value.encoded.prefix(40)
        switch key {
        case "button":
            let isCode = value.number.flatMap { UInt32(exactly: $0) } != nil
            guard !isCode, !Self.buttons.contains(value.string ?? "") else { return }
            refuse(way, "\(shown) is not a button; use an evdev code or one of \(Self.buttons.joined(separator: ", "))")
        case "duration":
            guard let number = value.number, (0...Self.longestClick).contains(number) else {
                return refuse(way, "\(shown) is not a number of milliseconds; use 0 to \(JSON.text(Self.longestClick))")
            }
        case "count":
            guard value.number.flatMap({ Int(exactly: $0) }).map((1...Self.mostClicks).contains) != true else { return }
            refuse(way, "\(shown) is not a number of clicks; use 1 to \(Self.mostClicks)")
        case "modifiers":
            let names = value.elements.compactMap(\.string)
            guard case .array(let all) = value, names.count == all.count, names.allSatisfy(Self.modifiers.contains)
            else {
                let known = Self.modifiers.joined(separator: ", ")
                return refuse(way, "\(shown) is not a list of modifiers; use some of \(known)")
            }
        case "source":
            guard !Self.sources.contains(value.string ?? "") else { return }
            refuse(way, "\(shown) is not a source; use one of \(Self.sources.joined(separator: ", "))")
        case "seat": if value.string == nil { refuse(way, "\(shown) is not the name of a seat; use a string") }
        case "dx", "dy": if value.number == nil { refuse(way, "\(shown) is not a number") }
        default: break
        }
    }

    /// Adds conditions: the keys of `mullionctl find`, and states that are true or false.
    private mutating func read(
        _ members: [String: JSON], into query: inout WidgetQuery, _ way: Way, besides others: [String] = []
    ) {
        // As people write them: a role and its name first.
        func rank(_ key: String) -> (Int, String) { (WidgetQuery.keys.firstIndex(of: key) ?? .max, key) }
        for (key, value) in members.sorted(by: { rank($0.key) < rank($1.key) }) {
            let way = way + [.member(key)]
            if AccessibleStates.allNames.contains(key) {
                guard case .bool(let flag) = value else {
                    refuse(way, "\(value.encoded.prefix(40)) is not a boolean; use true or false")
                    continue
                }
                add("state", .string(flag ? key : "!\(key)"), to: &query, way)
            } else if WidgetQuery.keys.contains(key) {
                add(key, value, to: &query, way)
            } else {
                let known = WidgetQuery.keys + others
                refuse(way, ScenarioSource.unknownKey(key, known) + ", or a state such as enabled", isAboutKey: true)
            }
        }
    }

    private mutating func add(_ key: String, _ value: JSON, to query: inout WidgetQuery, _ way: Way) {
        guard let text = value.string ?? value.number.map(JSON.exactText) else {
            return refuse(way, "\(value.encoded.prefix(40)) is not a text")
        }
        do throws(CommandError) {
            try query.add(key, text)
        } catch {
            refuse(way, error.message ?? "it cannot be used")
        }
    }

    mutating func wait(_ value: JSON, _ way: Way) -> WidgetWait? {
        let example = "{ widget: { role: \"button\" }, timeout: \"5s\" }"
        let members = members(value, way, Self.conditions + ["timeout"], example)
        if members["widget"] != nil, members["text"] != nil {
            refuse(way, "use \"widget\" or \"text\", each in a step of its own")
        }
        if hasMistake {
            return nil
        }
        let seconds = duration(members["timeout"], way + [.member("timeout")], default: 5)
        if let text = members["text"] {
            var query = WidgetQuery()
            add("text", text, to: &query, way + [.member("text")])
            return WidgetWait(textOf: query, seconds: seconds)
        }
        let way = way + [.member("widget")]
        guard case .object(var fields)? = members["widget"] else {
            refuse(way, "expected an object, such as { role: \"button\", name: \"Save\" }")
            return nil
        }
        var isGone = false
        if let gone = fields.removeValue(forKey: "gone") {
            guard case .bool(let flag) = gone else {
                refuse(way + [.member("gone")], "\(gone.encoded.prefix(40)) is not a boolean; use true or false")
                return nil
            }
            isGone = flag
        }
        var query = WidgetQuery()
        read(fields, into: &query, way, besides: ["gone"])
        if query.text.isEmpty, !hasMistake { refuse(way, "\"role\" or \"name\" of the widget is missing") }
        return WidgetWait(query, isGone: isGone, seconds: seconds)
    }

    mutating func expect(_ value: JSON, _ way: Way) -> ScenarioAction? {
        let example = "{ widget: { name: \"Save\", enabled: true }, within: \"2s\" }"
        guard case .object(let members) = value else { return nil }
        for key in members.keys.sorted() where !(Self.expectations + ["within"]).contains(key) {
            refuse(
                way + [.member(key)],
                "\"widget\" is expected by itself, as in \(example); move \"\(key)\" to another step",
                isAboutKey: true)
        }
        let seconds = duration(members["within"], way + [.member("within")], default: 5)
        let way = way + [.member("widget")]
        guard case .array(let list)? = members["widget"] else {
            guard let one = expectation(members["widget"] ?? .null, way) else { return nil }
            return .expect([one], seconds: seconds)
        }
        if list.isEmpty { refuse(way, "no widget is expected; use \(example)") }
        var all: [ScenarioWidgetExpectation] = []
        for (index, value) in list.enumerated() {
            if let one = expectation(value, way + [.element(index)]) { all.append(one) }
        }
        return .expect(all, seconds: seconds)
    }

    private mutating func expectation(_ value: JSON, _ way: Way) -> ScenarioWidgetExpectation? {
        guard case .object(var fields) = value else {
            refuse(way, "expected an object, such as { role: \"button\", name: \"Save\" }")
            return nil
        }
        var expectation = ScenarioWidgetExpectation()
        if let exists = fields.removeValue(forKey: "exists") {
            guard case .bool(let flag) = exists else {
                refuse(way + [.member("exists")], "\(exists.encoded.prefix(40)) is not a boolean; use true or false")
                return nil
            }
            expectation.exists = flag
        }
        let states = AccessibleStates.allNames
        // What is expected of the widget, rather than which one is meant.
        if expectation.exists {
            if let text = fields.removeValue(forKey: "text") {
                do {
                    expectation.text = try (text.string ?? text.number.map(JSON.exactText)).map { try TextPattern($0) }
                    if expectation.text == nil {
                        refuse(way + [.member("text")], "\(text.encoded.prefix(40)) is not a text")
                    }
                } catch {
                    refuse(way + [.member("text")], "\(text.encoded.prefix(40)) is not a pattern: \(error)")
                }
            }
            for name in states {
                guard let value = fields.removeValue(forKey: name) else { continue }
                guard case .bool(let flag) = value else {
                    refuse(way + [.member(name)], "\(value.encoded.prefix(40)) is not a boolean; use true or false")
                    continue
                }
                expectation.states.append((name, flag))
            }
        }
        read(fields, into: &expectation.query, way, besides: ["exists"])
        if expectation.query.text.isEmpty, !hasMistake {
            refuse(way, "\"role\" or \"name\" of the widget is missing")
        }
        return expectation
    }
}
