// The variables of scenarios: "${name}".

import JSON5
import MullionControl
import MullionSystem

/// The values of variables where a step is.
struct ScenarioVariables {
    private static let form = "use letters, digits, - and _, and begin with a letter or _"

    private(set) var values: [String: JSON] = [:]

    subscript(name: String) -> JSON? {
        get { values[name] }
        set { values[name] = newValue }
    }

    /// Why a name is not one for a variable; nil: it is.
    static func mistake(inName name: String) -> String? {
        isName(name) ? nil : "\"\(name)\" is not a name for a variable; \(form)"
    }

    private static func isName(_ name: String) -> Bool {
        guard let first = name.utf8.first, isLetter(first) else { return false }
        return name.utf8.allSatisfy { isLetter($0) || (48...57).contains($0) || $0 == UInt8(ascii: "-") }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (65...90).contains(byte) || (97...122).contains(byte) || byte == UInt8(ascii: "_")
    }

    /// Whether a file declares a variable or uses one of this name.
    static func has(_ name: String, in contents: JSON) -> Bool {
        if case .object(let declared) = contents["variables"], declared[name] != nil { return true }
        return uses("${\(name)}", in: contents)
    }

    /// Whether a text occurs in the strings of a value.
    static func uses(_ text: String, in value: JSON) -> Bool {
        switch value {
        case .null, .bool, .number: false
        case .string(let string): string.has(text: text)
        case .array(let elements): elements.contains { uses(text, in: $0) }
        case .object(let members): members.values.contains { uses(text, in: $0) }
        }
    }

    /// Checks the names of variables on the command line.
    /// - Parameters:
    ///   - settings: NAME=VALUE.
    ///   - contents: those of all scenarios. Any of them may have the variable.
    ///   - files: for the message.
    static func check(_ settings: [String], _ contents: [JSON], of files: String) throws(CommandError) {
        for word in settings {
            let name = Values.pair(word).key
            if let message = mistake(inName: name) { throw .usage("--set: \(message)") }
            guard !contents.contains(where: { has(name, in: $0) }) else { continue }
            let known = contents.flatMap { contents -> [String] in
                if case .object(let declared) = contents["variables"] { Array(declared.keys) } else { [] }
            }
            let names = Set(known).sorted()
            let hint =
                near(name, names).map { "did you mean \($0)?" }
                ?? (names.isEmpty ? "declare it in \"variables\"" : "use one of \(names.joined(separator: ", "))")
            throw .usage("--set: \"\(name)\" is not a variable of \(files); \(hint)")
        }
    }

    /// Sets a variable from the command line. It stays text if its value in the file is a text, otherwise it is parsed as
    /// JSON if valid.
    mutating func set(_ name: String, to text: String) {
        if case .string? = values[name] {
            values[name] = .string(text)
            return
        }
        var numbers: [JSON5Mistake] = []
        let value = try? JSON5Document(Array(text.utf8)).replacingUnusableNumbers(&numbers).decode(JSON.self)
        values[name] = value.flatMap { numbers.isEmpty ? $0 : nil } ?? .string(text)
    }

    /// The known name that a mistyped one may stand for.
    static func near(_ name: String, _ known: [String]) -> String? {
        // Any short name is near any other.
        name.count > 2 ? Suggestion.nearest(to: name, among: known) : nil
    }

    // MARK: Replacing

    /// What a value becomes: "${name}" in its strings is replaced, and a string that is nothing else becomes the
    /// variable's value.
    /// - Parameters:
    ///   - room: what is left for results; nothing more is replaced when there is none.
    ///   - note: called with the way to each mistake.
    func replaced(
        in value: JSON, at keys: [JSON5Mistake.Key] = [], room: inout ScenarioRoom,
        note: ([JSON5Mistake.Key], String) -> Void
    ) -> JSON {
        do throws(Mistake) {
            switch value {
            case .string(let text) where text.utf8.contains(UInt8(ascii: "$")): return try replaced(in: text, &room)
            case .array(var elements):
                for index in elements.indices where !room.isExceeded {
                    elements[index] = replaced(
                        in: elements[index], at: keys + [.element(index)], room: &room, note: note)
                }
                return .array(elements)
            case .object(var members):
                for (name, member) in members where !room.isExceeded {
                    try room.take(.string(name))
                    members[name] = replaced(in: member, at: keys + [.member(name)], room: &room, note: note)
                }
                return .object(members)
            default:
                try room.take(value)
                return value
            }
        } catch {
            note(keys, error.text)
            return value
        }
    }

    struct Mistake: Error { var text: String }

    private func replaced(in text: String, _ room: inout ScenarioRoom) throws(Mistake) -> JSON {
        var result = ""
        var rest = Substring(text)
        while let start = rest.firstIndex(of: "$") {
            result += rest[..<start]
            rest = rest[start...]
            if rest.hasPrefix("$${") {
                result += "${"
                rest = rest.dropFirst(3)
            } else if rest.hasPrefix("${") {
                guard let end = rest.firstIndex(of: "}") else {
                    throw Mistake(text: "\"${\" without \"}\"; use ${NAME}, or $${ for the characters")
                }
                let value = try value(String(rest[rest.index(start, offsetBy: 2)..<end]))
                rest = rest[rest.index(after: end)...]
                if result.isEmpty, rest.isEmpty, text.hasPrefix("${") {
                    try room.take(value.json)
                    return value.json
                }
                let inserted = try value.text()
                try room.take(.string(inserted))
                result += inserted
            } else {
                result += "$"
                rest = rest.dropFirst()
            }
        }
        try room.take(.string(text))
        return .string(result + rest)
    }

    private func value(_ name: String) throws(Mistake) -> (json: JSON, text: () throws(Mistake) -> String) {
        guard let value = values[name] else {
            guard Self.isName(name) else {
                throw Mistake(text: "\"\(name)\" is not a name of a variable; use ${NAME}, or $${ for the characters")
            }
            let known = values.keys.sorted()
            let near = Self.near(name, known)
            let hint =
                near.map { "did you mean \($0)?" }
                ?? (known.isEmpty ? "declare it in \"variables\"" : "use one of \(known.joined(separator: ", "))")
            throw Mistake(text: "\"\(name)\" is not a variable; \(hint)")
        }
        return (
            value,
            { () throws(Mistake) in
                switch value {
                case .string(let text): return text
                case .number(let number): return JSON.exactText(number)
                case .bool(let flag): return flag ? "true" : "false"
                case .null, .array, .object:
                    throw Mistake(
                        text: "\"\(name)\" is \(value.encoded.prefix(40)), which cannot be inserted into a string; "
                            + "use \"${\(name)}\" by itself")
                }
            }
        )
    }
}
