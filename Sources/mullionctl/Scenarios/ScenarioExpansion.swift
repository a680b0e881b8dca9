// Expands repeat and include, and replaces variables.

import JSON5
import MullionControl
import MullionSystem

/// A scenario's steps in the order in which they are performed.
struct ScenarioExpansion {
    static let maximumSteps = 10_000
    /// Levels of repeat and include in each other.
    private static let maximumDepth = 16
    /// How many rounds of repeat, and includes, are performed: those of nothing take time, too, and each can contain ten others.
    private static let maximumExpansions = 2 * maximumSteps
    /// How many mistakes are noted, although those of repeated steps are kept once: finding their places takes time.
    static let maximumNotes = 1000
    /// The variables of a file, each of which is copied for every round of a repetition.
    static let maximumVariables = 1000

    struct Step {
        var value: JSON
        let place: ScenarioPlace
    }

    /// A step that is never performed, only checked.
    struct Unused {
        var step: Step
        /// The place that it would have among the steps.
        let index: Int
    }

    private(set) var steps: [Step] = []
    /// The steps of repetitions of nothing, as if they were performed once.
    private(set) var unused: [Unused] = []
    private var unusedPlaces: Set<String> = []
    /// The number of steps before those in `steps`.
    private var base = 0
    private(set) var mistakes = ScenarioMistakes()
    private var notes = 0
    private var expansions = 0
    /// Of the included files.
    private var bytes = 0
    private var room = ScenarioRoom()
    private var isOver = false
    /// Files that were read, by their real path; nil: they have a mistake that makes them useless.
    private var sources: [String: ScenarioSource?] = [:]
    /// The variables that those declare.
    private var declarations: [String: ScenarioVariables] = [:]
    /// The real paths of names.
    private var realPaths: [String: String] = [:]
    /// The real paths of the files being expanded.
    private var open: [String] = []

    /// What a file of steps may have.
    private static let fileKeys = ["$schema", "name", "steps", "summary", "variables"]
    static let scenarioKeys = fileKeys + ["server"]

    init(_ source: ScenarioSource, _ variables: ScenarioVariables) {
        guard let steps = source.contents["steps"], case .array = steps else { return }
        open = [FilePath.real(source.path)]
        expand(steps, at: ScenarioPlace(source: source, keys: [.member("steps")]), variables, depth: 0)
    }

    /// The declared variables of a file.
    /// - Parameter mistakes: those of their names are added.
    static func declared(in source: ScenarioSource, _ mistakes: inout ScenarioMistakes) -> ScenarioVariables {
        var variables = ScenarioVariables()
        switch source.contents["variables"] {
        case nil: break
        case .object(let values)? where values.count > maximumVariables:
            mistakes.add(
                source.mistake(
                    [.member("variables")], "a file has at most \(maximumVariables) variables, not \(values.count)"))
        case .object(let values)?:
            for (name, value) in values.sorted(by: { $0.key < $1.key }) {
                if let message = ScenarioVariables.mistake(inName: name) {
                    mistakes.add(source.mistake([.member("variables"), .member(name)], message, isAboutKey: true))
                } else {
                    variables[name] = value
                }
            }
        case _?:
            mistakes.add(source.mistake([.member("variables")], "expected an object, such as { title: \"Save\" }"))
        }
        return variables
    }

    // MARK: Steps

    private mutating func note(
        _ place: ScenarioPlace, _ way: [JSON5Mistake.Key], _ message: String, isAboutKey: Bool = false
    ) {
        mistakes.add(place.mistake(step: base + steps.count, way, message, isAboutKey: isAboutKey))
        notes += 1
        if mistakes.isFull || notes >= Self.maximumNotes { isOver = true }
    }

    /// Notes why a step cannot be expanded; it counts as one.
    private mutating func refuse(_ place: ScenarioPlace, _ way: [JSON5Mistake.Key], _ message: String) {
        note(place, way, message)
        skip(place)
    }

    /// Something right in the place of a mistaken step, unless that is one step too many.
    private mutating func skip(_ place: ScenarioPlace) {
        if base + steps.count + 1 < Self.maximumSteps { steps.append(Step(value: Self.nothing, place: place)) }
    }

    private mutating func expand(
        _ list: JSON, at place: ScenarioPlace, _ variables: ScenarioVariables, depth: Int
    ) {
        for (index, step) in list.elements.enumerated() where !isOver {
            let place = place.adding(.element(index))
            guard hasRoom(at: place) else { return }
            guard let step = spelledOut(step, at: place, [], variables) else {
                skip(place)
                continue
            }
            guard case .object(let members) = step,
                let verb = ["repeat", "include"].first(where: { members[$0] != nil })
            else {
                let value = replaced(step, at: place, [], variables)
                steps.append(Step(value: value ?? Self.nothing, place: place))
                continue
            }
            if members.count > 1 {
                refuse(place, [], "a step has exactly one key; move \(verb) to a step of its own")
            } else if verb == "repeat" {
                expandRepeat(step[verb], at: place, variables, depth: depth)
            } else if canExpand(at: place, depth: depth) {
                expandInclude(step[verb], at: place, variables, depth: depth)
            }
        }
    }

    /// Whether another step is allowed.
    private mutating func hasRoom(at place: ScenarioPlace) -> Bool {
        guard steps.count >= Self.maximumSteps else { return true }
        end(place, "a scenario has at most \(Self.maximumSteps) steps, repeated ones included")
        return false
    }

    /// Whether a round of repeat, a repeat without any, or an include may be performed. What is too deep ends the
    /// expansion, because there may be any number of it: with ten in each other, ten to the power of the depth.
    private mutating func canExpand(at place: ScenarioPlace, depth: Int) -> Bool {
        expansions += 1
        if depth >= Self.maximumDepth {
            end(place, "repeat and include are nested more than \(Self.maximumDepth) deep")
        } else if expansions > Self.maximumExpansions {
            end(
                place,
                "the scenario repeats and includes too often; at most \(Self.maximumExpansions) times, even of nothing")
        }
        return !isOver
    }

    /// Notes why there are no more steps.
    private mutating func end(_ place: ScenarioPlace, _ message: String) {
        note(place, [], message)
        isOver = true
    }

    /// A step that is always right.
    static let nothing = JSON.object(["wait": .string("0s")])

    /// A value with its variables replaced; nil when there is a mistake.
    /// - Parameter keys: the way from the step to the value.
    private mutating func replaced(
        _ value: JSON, at place: ScenarioPlace, _ keys: [JSON5Mistake.Key], _ variables: ScenarioVariables
    ) -> JSON? {
        var (isRight, room) = (true, room)
        let result = variables.replaced(in: value, at: keys, room: &room) { way, message in
            isRight = false
            note(place, way, message)
        }
        self.room = room
        if room.isExceeded { isOver = true }
        return isRight ? result : nil
    }

    /// The value of a variable instead of the string that stands for it: steps are read as if they were written there.
    /// - Returns: nil when there is a mistake.
    private mutating func spelledOut(
        _ value: JSON, at place: ScenarioPlace, _ way: [JSON5Mistake.Key], _ variables: ScenarioVariables
    ) -> JSON? {
        guard case .string = value else { return value }
        return replaced(value, at: place, way, variables)
    }

    // MARK: Repeat

    /// `{ times | over, as, steps }`.
    private mutating func expandRepeat(
        _ fields: JSON, at place: ScenarioPlace, _ variables: ScenarioVariables, depth: Int
    ) {
        let way: [JSON5Mistake.Key] = [.member("repeat")]
        let known = ["as", "over", "steps", "times"]
        guard let fields = spelledOut(fields, at: place, way, variables) else { return skip(place) }
        guard case .object(var members) = fields else {
            return refuse(place, way, "expected an object, such as { times: 3, steps: [] }")
        }
        for key in members.keys.sorted() where !known.contains(key) {
            note(place, way + [.member(key)], ScenarioSource.unknownKey(key, known), isAboutKey: true)
        }
        guard (members["times"] == nil) != (members["over"] == nil) else {
            return refuse(place, way, "use \"times\", a number, or \"over\", a list of values")
        }
        guard let steps = members.removeValue(forKey: "steps") else {
            return refuse(place, way, "\"steps\", a list of steps, is missing")
        }
        guard let steps = spelledOut(steps, at: place, way + [.member("steps")], variables) else { return skip(place) }
        guard case .array = steps else {
            return refuse(place, way + [.member("steps")], "expected a list of steps")
        }
        // The steps have other variables.
        guard let head = replaced(.object(members), at: place, way, variables) else { return skip(place) }
        var name: String?
        if head["as"] != .null {
            let text = head["as"].string ?? head["as"].encoded
            if let message = ScenarioVariables.mistake(inName: text) {
                return refuse(place, way + [.member("as")], message)
            }
            name = text
        }
        let inside = place.adding(.member("repeat"), .member("steps"))
        var values: [JSON] = []
        let count = self.steps.count
        defer {
            if values.isEmpty, canExpand(at: place, depth: depth) {
                expandUnused(steps, name, head, at: inside, variables, after: count, depth: depth + 1)
            }
        }
        if members["over"] != nil {
            guard case .array(let list) = head["over"] else {
                return refuse(
                    place, way + [.member("over")], "\(head["over"].encoded.prefix(40)) is not a list of values")
            }
            values = list
        } else {
            guard let number = head["times"].number, let times = Int(exactly: number),
                (0...Self.maximumSteps).contains(times)
            else {
                return refuse(
                    place, way + [.member("times")],
                    "\(head["times"].encoded.prefix(40)) is not a number of times; use 0 to \(Self.maximumSteps)")
            }
            values = (0..<times).map { .number(Double($0)) }
        }
        for value in values where !isOver {
            guard canExpand(at: place, depth: depth) else { return }
            var variables = variables
            if let name { variables[name] = value }
            expand(steps, at: inside, variables, depth: depth + 1)
        }
    }

    /// Expands the steps of a repetition of nothing once, so that they are checked.
    /// - Parameters:
    ///   - name: of the variable.
    ///   - head: the other members.
    ///   - count: how many steps come before.
    private mutating func expandUnused(
        _ steps: JSON, _ name: String?, _ head: JSON, at inside: ScenarioPlace, _ variables: ScenarioVariables,
        after count: Int, depth: Int
    ) {
        guard !isOver, unusedPlaces.insert(inside.id).inserted else { return }
        var (variables, steps) = (variables, steps)
        if let name, head["times"] != .null {
            variables[name] = .number(0)
        } else if let name {
            // Nobody knows what its values would be.
            steps = .array(steps.elements.map { ScenarioVariables.uses("${\(name)}", in: $0) ? Self.nothing : $0 })
        }
        let outer = self.steps
        base += count
        self.steps = []
        expand(steps, at: inside, variables, depth: depth)
        unused += self.steps.enumerated().map { Unused(step: $0.element, index: base + $0.offset) }
        base -= count
        self.steps = outer
    }

    // MARK: Include

    /// A file, or `{ file, variables }`.
    private mutating func expandInclude(
        _ fields: JSON, at place: ScenarioPlace, _ variables: ScenarioVariables, depth: Int
    ) {
        var way: [JSON5Mistake.Key] = [.member("include")]
        guard let value = replaced(fields, at: place, way, variables) else { return skip(place) }
        let given = value["variables"]
        if case .object(let members) = value {
            let known = ["file", "variables"]
            for key in members.keys.sorted() where !known.contains(key) {
                note(place, way + [.member(key)], ScenarioSource.unknownKey(key, known), isAboutKey: true)
            }
            if members["file"] != nil { way.append(.member("file")) }
        }
        guard let name = (value["file"].or(value)).string, !name.isEmpty else {
            return refuse(place, way, "expected the name of a file, or { file: NAME, variables: {} }")
        }
        let path = place.source.file(name)
        let real = realPaths[path] ?? FilePath.real(path)
        realPaths[path] = real
        guard !open.contains(real) else {
            return refuse(place, way, "\(path) includes itself; use repeat for steps that come again")
        }
        guard let source = source(path, real, includedAt: place, way) else { return skip(place) }
        var inner = declarations[real] ?? Self.declared(in: source, &mistakes)
        declarations[real] = inner
        switch given {
        case .null: break
        case .object(let values):
            for (name, value) in values.sorted(by: { $0.key < $1.key }) {
                guard inner[name] != nil else {
                    let known = inner.values.keys.sorted().joined(separator: ", ")
                    note(
                        place, [.member("include"), .member("variables"), .member(name)],
                        "\"\(name)\" is not a variable of \(path); "
                            + (known.isEmpty ? "it declares none" : "use one of \(known)"), isAboutKey: true)
                    continue
                }
                inner[name] = value
            }
        default:
            note(place, [.member("include"), .member("variables")], "expected an object, such as { title: \"Save\" }")
        }
        open.append(real)
        defer { open.removeLast() }
        let inside = ScenarioPlace(source: source, keys: [.member("steps")])
        expand(source.contents["steps"] ?? .null, at: inside, inner, depth: depth + 1)
    }

    /// Reads a file, once; notes its mistakes, once.
    private mutating func source(
        _ path: String, _ real: String, includedAt place: ScenarioPlace, _ way: [JSON5Mistake.Key]
    ) -> ScenarioSource? {
        if let known = sources[real] { return known }
        var found: ScenarioSource?
        defer { sources[real] = .some(found) }
        do throws(CommandError) {
            guard let bytes = try ScenarioSource.load(path, isIncluded: true) else {
                note(place, way, "\(path) does not exist")
                return nil
            }
            self.bytes += bytes.count
            guard self.bytes <= ScenarioRoom.maximum else {
                end(place, "the included files have more than \(ScenarioRoom.maximum >> 20) MiB")
                return nil
            }
            do throws(ScenarioMistake) {
                let source = try ScenarioSource(path, bytes, required: "{ steps: […] }")
                mistakes.add(of: source, knownKeys: Self.scenarioKeys)
                guard case .array? = source.contents["steps"] else {
                    throw source.contents["steps"] == nil
                        ? source.mistake([], "\"steps\", a list of steps, is missing")
                        : source.mistake([.member("steps")], "expected a list of steps")
                }
                found = source
            } catch {
                mistakes.add(error)
            }
        } catch {
            note(place, way, error.message ?? "\(path) cannot be read")
        }
        return found
    }
}
