// Reads the steps that mullionctl performs itself.

import JSON5

/// Reads such steps in their order, and finds their mistakes.
struct ScenarioActionReader {
    typealias Way = [JSON5Mistake.Key]

    /// The steps, and the members of the server's steps, that only mullionctl knows.
    static let keys = ["": verbs, "wait": conditions, "expect": expectations]
    private static let verbs = ["include", "repeat", "start", "stop", "widget"]
    static let conditions = ["text", "widget"]
    static let expectations = ["widget"]
    private static let longest = 600.0

    /// The programs that run at this step.
    private var programs: Set<String> = []
    /// Whether all steps before could be read.
    private var isComplete = true
    /// Those of the last step: the way from the step to the value.
    private(set) var mistakes: [(way: Way, message: String, isAboutKey: Bool)] = []

    /// - Parameter isComplete: whether the reader reads all steps.
    init(isComplete: Bool = true) { self.isComplete = isComplete }

    var hasMistake: Bool { !mistakes.isEmpty }

    /// Whether mullionctl performs a step.
    static func isOwn(_ step: JSON) -> Bool {
        ["start", "stop", "widget"].contains { has($0, step) } || conditions.contains { has($0, step["wait"]) }
            || expectations.contains { has($0, step["expect"]) }
    }

    private static func has(_ key: String, _ value: JSON) -> Bool {
        if case .object(let members) = value { members[key] != nil } else { false }
    }

    /// - Parameter source: what files are relative to.
    /// - Returns: nil when there are mistakes.
    mutating func action(_ step: JSON, in source: ScenarioSource) -> ScenarioAction? {
        mistakes = []
        let action = read(step, in: source)
        if hasMistake { isComplete = false }
        return hasMistake ? nil : action
    }

    mutating func refuse(_ way: Way, _ message: String, isAboutKey: Bool = false) {
        mistakes.append((way, message, isAboutKey))
    }

    private mutating func read(_ step: JSON, in source: ScenarioSource) -> ScenarioAction? {
        guard case .object(let members) = step, members.count == 1, let (verb, value) = members.first else {
            refuse([], "a step has exactly one key")
            return nil
        }
        let way: Way = [.member(verb)]
        switch verb {
        case "start": return start(value, way, source).map { .start($0) }
        case "stop": return stop(value, way).map { .stop($0) }
        case "widget": return input(value, way).map { .input($0) }
        case "wait": return wait(value, way).map { .wait($0) }
        default: return expect(value, way)
        }
    }

    // MARK: Members

    mutating func members(_ value: JSON, _ way: Way, _ known: [String], _ example: String) -> [String: JSON] {
        guard case .object(let members) = value else {
            refuse(way, "expected an object, such as \(example)")
            return [:]
        }
        for key in members.keys.sorted() where !known.contains(key) {
            refuse(way + [.member(key)], ScenarioSource.unknownKey(key, known), isAboutKey: true)
        }
        return members
    }

    private mutating func text(_ value: JSON?, _ way: Way, _ meaning: String) -> String? {
        guard let value else { return nil }
        if case .string(let text) = value, !text.isEmpty, !text.utf8.contains(0) { return text }
        refuse(way, "\(value.encoded.prefix(40)) is not \(meaning)")
        return nil
    }

    /// In seconds.
    mutating func duration(_ value: JSON?, _ way: Way, default fallback: Double) -> Double {
        guard let value else { return fallback }
        // With a unit, as the server requires.
        if let text = value.string, text.hasSuffix("s"), let seconds = try? Values.seconds(text),
            seconds <= Self.longest
        {
            return seconds
        }
        refuse(way, "\(value.encoded.prefix(40)) is not a duration; use 500ms or 1.5s, at most 600s")
        return fallback
    }

    // MARK: Programs

    private mutating func start(_ value: JSON, _ way: Way, _ source: ScenarioSource) -> ScenarioStart? {
        let example = "{ command: [\"foot\"], name: \"terminal\" }"
        var command = value
        var way = way
        var members: [String: JSON] = [:]
        if case .object = value {
            members = self.members(value, way, ["command", "directory", "environment", "name"], example)
            guard let inner = members["command"] else {
                refuse(way, "\"command\", the program and its arguments, is missing")
                return nil
            }
            command = inner
            way.append(.member("command"))
        }
        let outer: Way = [.member("start")]
        if case .string = command { command = .array([command]) }
        let words = command.elements.map { $0.string ?? $0.number.map(JSON.exactText) }
        guard case .array = command, let program = words.first ?? nil, !program.isEmpty, !words.contains(nil),
            !words.contains(where: { $0?.utf8.contains(0) == true })
        else {
            refuse(
                way,
                "\(command.encoded.prefix(40)) is not a command; use \"foot\", [\"foot\", \"--title=x\"] or \(example)")
            return nil
        }
        let file = program.split(separator: "/").last.map(String.init) ?? program
        let name = text(members["name"], outer + [.member("name")], "a name") ?? file
        var start = ScenarioStart(name: name, command: words.compactMap { $0 })
        if program.contains("/") { start.command[0] = source.file(program) }
        start.directory = text(members["directory"], outer + [.member("directory")], "a directory").map(source.file)
        start.environment = environment(members["environment"], outer + [.member("environment")])
        guard programs.insert(name).inserted else {
            refuse(outer, "\"\(name)\" runs already; use another \"name\", or stop it before")
            return nil
        }
        return start
    }

    private mutating func environment(_ value: JSON?, _ way: Way) -> [String: String?] {
        guard let value else { return [:] }
        guard case .object(let members) = value else {
            refuse(way, "expected an object, such as { LANG: \"de_DE.UTF-8\", DISPLAY: null }")
            return [:]
        }
        var environment: [String: String?] = [:]
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            if name.isEmpty || name.utf8.contains(0) || name.contains("=") {
                refuse(way + [.member(name)], "\"\(name)\" is not a name of a variable", isAboutKey: true)
                continue
            }
            switch value {
            case .null: environment[name] = .some(nil)
            case .string(let text) where !text.utf8.contains(0): environment[name] = text
            case .number(let number): environment[name] = JSON.exactText(number)
            default:
                refuse(
                    way + [.member(name)],
                    "\(value.encoded.prefix(40)) is not a text; use null to remove the variable")
            }
        }
        return environment
    }

    private mutating func stop(_ value: JSON, _ way: Way) -> ScenarioStop? {
        var name = value
        var nameWay = way
        var stop = ScenarioStop(name: "")
        if case .object = value {
            let members = members(value, way, ["name", "status", "timeout"], "{ name: \"foot\", status: 0 }")
            name = members["name"] ?? .null
            if members["name"] != nil { nameWay.append(.member("name")) }
            if let status = members["status"] {
                guard let number = status.number.flatMap({ Int32(exactly: $0) }), (0...255).contains(number) else {
                    refuse(
                        way + [.member("status")], "\(status.encoded.prefix(40)) is not an exit status; use 0 to 255")
                    return nil
                }
                stop.status = number
            }
            stop.seconds = duration(members["timeout"], way + [.member("timeout")], default: stop.seconds)
        }
        guard let text = text(name, nameWay, "the name of a program") else { return nil }
        guard programs.remove(text) != nil || !isComplete else {
            let known = programs.sorted().joined(separator: ", ")
            refuse(
                nameWay,
                "\"\(text)\" is not a program that runs at this step; "
                    + (known.isEmpty ? "start it first" : "use \(known)"))
            return nil
        }
        stop.name = text
        return stop
    }
}
