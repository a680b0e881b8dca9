// What can follow each command, for the completion of shells.

import Accessibility
import MullionControl
import MullionSystem
import Requirements

/// The words that can follow a command, from its usage.
struct Completion {
    /// What a placeholder stands for, where a shell can know it.
    enum Place: Hashable {
        case screen, model, file, program
    }

    /// Words and options, `key=` and `key=value`.
    private(set) var words: [String] = []
    /// What words can be besides.
    private(set) var places: [Place] = []
    /// The options with a value, and what that is; nil: unknown.
    private(set) var values: [(option: String, place: Place?, words: [String])] = []

    /// The values of role=.
    static let roles = AccessibleRole.allNames.sorted().map { "role=\($0)" }
    var hasRoles: Bool { words.contains("role=") }

    /// Options of all commands.
    static let common = ["--server", "--control", "--json", "--help"]

    init(_ command: Command) {
        var tokens = command.arguments.split { " []()…".contains($0) }.map(String.init)[...]
        while let token = tokens.popFirst() {
            if token == "--" {
                places.append(.program)
                return
            } else if token == "-" {
                continue
            } else if token.hasPrefix("-") {
                add([token])
                if let next = tokens.first, next.first?.isUppercase == true {
                    tokens.removeFirst()
                    values.append((token, Self.place(next), Self.words(next, of: command.name)))
                }
            } else {
                add(token, of: command.name)
            }
        }
        if command.arguments.has(text: "KEY=VALUE") {
            for word in command.details.split(whereSeparator: \.isWhitespace) {
                let token = String(word.reversed().drop { ",.;".contains($0) }.reversed())
                if Values.pair(token).value != nil { add(token, of: command.name) }
            }
        }
        if Self.inputCommands.contains(command.name) { add(["--wait", "--allow-miss"]) }
    }

    /// The commands that inject an event.
    private static let inputCommands = Set(Command.inputCommands.map(\.name)).subtracting(["keyboard"])

    private mutating func add(_ new: [String]) { words += new.filter { !words.contains($0) } }

    /// Adds a token of the usage: SCREEN, `key=one|two`, `one|two`.
    private mutating func add(_ token: String, of command: String) {
        let pair = Values.pair(token)
        guard let value = pair.value else {
            for part in token.split(separator: "|").map(String.init) {
                if part.first?.isLowercase == true, part.allSatisfy(\.isLetter), part != "x" {
                    add([part])
                } else {
                    if let place = Self.place(part), !places.contains(place) { places.append(place) }
                    add(Self.words(part, of: command))
                }
            }
            return
        }
        guard pair.key.first?.isLowercase == true, pair.key.allSatisfy(\.isLetter) else { return }
        let known = value.split(separator: "|").filter { $0.first?.isLowercase == true && $0.allSatisfy(\.isLetter) }
        add(known.isEmpty ? [pair.key + "="] : known.map { "\(pair.key)=\($0)" })
    }

    private static func place(_ placeholder: String) -> Place? {
        switch placeholder {
        case "SCREEN", "SOURCE": .screen
        case "MODEL": .model
        case "DIR": .file
        default: placeholder.hasPrefix("FILE") || placeholder.hasPrefix("GOLDEN") ? .file : nil
        }
    }

    /// The words for a placeholder.
    private static func words(_ placeholder: String, of command: String) -> [String] {
        switch placeholder {
        case "COMMAND" where command == "help": Command.all.map(\.name)
        case "MODE" where command == "run": ["manual", "real"]
        case "PROFILE": ["tests", "none"]
        case "CONDITION": WaitQuery.allWords
        case "ORIENTATION": ["portrait", "portraitUpsideDown", "landscapeLeft", "landscapeRight"]
        case "AREA|WIDGETS": WidgetQuery.keys.map { $0 + "=" }
        case "RULE": Rule.allCases.map(\.rawValue)
        case "FEATURE": Feature.all.map(\.name)
        default: []
        }
    }
}
