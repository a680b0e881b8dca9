// click, scroll and type on widgets instead of points.

import JSON5
import MullionClient
import MullionControl
import MullionSystem

/// An input command whose target is a widget.
struct WidgetInput {
    static let text = """
        With role=ROLE, name=NAME and other keys of mullionctl find instead of SCREEN
        and x,y: waits until exactly one such widget exists, is enabled and stands
        still, scrolls it into view, and checks that nothing covers it. If no such
        widget is ready after timeout=DURATION (default: 5s), the exit status is 124.
        """

    private let call: Invocation
    private var query = WidgetQuery()
    private var seconds = 5.0
    /// Words that select no widget, such as button=right.
    private var left: [String] = []

    /// Whether the command is about a widget.
    static func isMeant(_ call: Invocation) -> Bool { call.next.map(WidgetQuery.isPart) ?? false }

    /// The same for `type`, where any single word is a text.
    static func isMeantByType(_ call: Invocation) -> Bool {
        guard let first = call.next else { return false }
        return call.line.words.count > 1 && (WidgetQuery.isPart(first) || first.hasPrefix("into="))
    }

    private init(_ call: Invocation, into: Bool = false) throws(CommandError) {
        self.call = call
        for word in call.words() {
            let (key, value) = Values.pair(word)
            if let value, key == "timeout" {
                seconds = try Values.seconds(value)
                guard seconds <= 3600 else { throw .usage("timeout=\(value) is more than an hour") }
            } else if let value, into, left.isEmpty, key == "into" {
                // Labels have the names of what they label.
                query.isEditable = true
                try query.add("name", value)
            } else if let value, left.isEmpty || !into, WidgetQuery.keys.contains(key) {
                try query.add(key, value)
            } else {
                left.append(word)
            }
        }
    }

    /// `click role=… name=… [button=…] [count=…] [modifiers=…] [duration=…]`
    static func click(_ call: Invocation) throws(CommandError) {
        let input = try WidgetInput(call)
        let options = try input.options(Command.clickKeys)
        try input.inject("click", options)
    }

    /// `scroll role=… name=… dx,dy [source=…] [modifiers=…]`
    static func scroll(_ call: Invocation) throws(CommandError) {
        var input = try WidgetInput(call)
        guard let index = input.left.firstIndex(where: { Values.pair($0).value == nil }) else {
            throw .usage("dx,dy is missing")
        }
        let delta = try Values.point(input.left.remove(at: index))
        var options = try input.options(["source", "modifiers"])
        options["deltaX"] = .number(delta.x)
        options["deltaY"] = .number(delta.y)
        try input.inject("scroll", options)
    }

    /// `type into=NAME TEXT [seat=…]`
    static func type(_ call: Invocation) throws(CommandError) {
        var input = try WidgetInput(call, into: true)
        guard !input.left.isEmpty else { throw .usage("TEXT is missing") }
        let text = try Command.typed(input.left.removeFirst())
        let options = try input.options(["seat"])
        let injection = try Injection(call)
        let search = try WidgetSearch(call.client, input.query, seconds: input.seconds)
        let target = try WidgetTarget.find(search, call.client)
        try target.focus(search, seat: options["seat"], injection.send)
        var event: [String: JSON] = ["type": .string("type"), "text": .string(text)]
        event["seat"] = options["seat"]
        try injection.show(event)
    }

    private func options(_ known: [String]) throws(CommandError) -> [String: JSON] {
        var options: [String: JSON] = [:]
        for word in left {
            let (key, value) = Values.pair(word)
            guard let value, known.contains(key) else {
                throw Values.unknown(key, WidgetQuery.keys + ["timeout"] + known)
            }
            options[key] = try Command.value(value, of: key)
        }
        return options
    }

    /// Finds the widget and injects an event at its middle.
    private func inject(_ type: String, _ options: [String: JSON]) throws(CommandError) {
        let injection = try Injection(call)
        let search = try WidgetSearch(call.client, query, seconds: seconds)
        let target = try WidgetTarget.find(search, call.client)
        search.remark()
        let event = target.event(type).merging(options) { $1 }
        try injection.show(event, prefix: "\(target.widget.text): ", check: target.check)
    }
}
