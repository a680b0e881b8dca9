// A file that steps come from, and the places of its values.

import JSON5
import MullionControl

/// A scenario, or a file that one includes.
final class ScenarioSource {
    /// Standard input as a file: what it includes is relative to the working directory.
    private static let standardInput = "/dev/stdin"

    let path: String
    let contents: [String: JSON]
    private let document: JSON5Document
    /// Of numbers that are too large, or infinite; the contents have 0 in their place.
    let numberMistakes: [ScenarioMistake]

    /// A file's bytes; nil when it does not exist.
    /// - Parameter isIncluded: whether another file names it, rather than the command line, which may name a pipe.
    static func load(_ path: String, isIncluded: Bool) throws(CommandError) -> [UInt8]? {
        try Picture.load(path, atMost: ScenarioRoom.maximum, isRegular: isIncluded)
    }

    /// - Parameter required: an example of a whole file, for messages.
    /// - Throws: the file's first mistake of syntax or shape.
    init(_ path: String, _ bytes: [UInt8], required: String) throws(ScenarioMistake) {
        self.path = path
        let value: JSON
        var numbers: [JSON5Mistake] = []
        do throws(JSON5Mistake) {
            document = try JSON5Document(bytes).replacingUnusableNumbers(&numbers)
            value = try document.decode(JSON.self)
        } catch {
            throw ScenarioMistake(path: path, place: error)
        }
        guard case .object(let contents) = value else {
            throw ScenarioMistake(
                path: path, place: document.mistake(at: [], "a scenario must be an object: \(required)"))
        }
        numberMistakes = numbers.map { ScenarioMistake(path: path, place: $0) }
        self.contents = contents
    }

    /// The folder that other files are relative to: empty, or with a slash at its end.
    var folder: String {
        guard path != Self.standardInput else { return "" }
        return path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    }

    /// The path of a file that is named in this one.
    func file(_ name: String) -> String { name.hasPrefix("/") ? name : folder + name }

    /// A mistake at a value, or at the last one that exists on the way there.
    func mistake(_ keys: [JSON5Mistake.Key], _ message: String, isAboutKey: Bool = false) -> ScenarioMistake {
        var place = document.mistake(at: keys, message)
        if isAboutKey { place.kind = .unknownKey }
        return ScenarioMistake(path: path, place: place)
    }

    /// The same at the value of a JSON pointer; the message is complete.
    func mistake(atPointer pointer: String, _ message: String) -> ScenarioMistake {
        let place = document.mistake(atPointer: pointer)
        return ScenarioMistake(
            path: path, place: JSON5Mistake(line: place.line, column: place.column, message: message))
    }

    /// Reports the members of the file that it does not take.
    func unknownKeys(_ known: [String]) -> [ScenarioMistake] {
        contents.keys.sorted().filter { !known.contains($0) }.map { key in
            mistake([.member(key)], Self.unknownKey(key, known), isAboutKey: true)
        }
    }

    static func unknownKey(_ key: String, _ known: [String]) -> String {
        "unknown key \"\(key)\"; use one of \(known.sorted().joined(separator: ", "))"
    }
}

/// A mistake in one of a scenario's files.
struct ScenarioMistake: Error {
    var path: String
    var place: JSON5Mistake

    /// "FILE:LINE:COLUMN: what is wrong".
    var text: String { "\(position): \(place.text)" }

    /// "FILE:LINE:COLUMN".
    var position: String { "\(path):\(place.line):\(place.column)" }
}

/// A place in a scenario's files.
struct ScenarioPlace {
    let source: ScenarioSource
    private(set) var keys: [JSON5Mistake.Key]

    /// Different for each step of each file.
    var id: String { "\(source.path):\(JSON5Mistake(line: 0, column: 0, keys: keys, message: "").pointer)" }

    func adding(_ keys: JSON5Mistake.Key...) -> ScenarioPlace { ScenarioPlace(source: source, keys: self.keys + keys) }

    /// A mistake of a step, which is numbered from 0.
    /// - Parameter way: from the step to the mistaken value.
    func mistake(
        step: Int, _ way: [JSON5Mistake.Key], _ message: String, isAboutKey: Bool = false
    ) -> ScenarioMistake {
        let place = source.mistake(keys + way, "").place
        let shown = isAboutKey ? Array(way.dropLast()) : way
        return ScenarioMistake(
            path: source.path,
            place: JSON5Mistake(
                line: place.line, column: place.column,
                message: "step \(step + 1): " + JSON5Mistake.text(shown, message)))
    }

    /// A mistake at the end of a JSON pointer that begins here; the message is complete.
    func mistake(atPointer pointer: String, _ message: String) -> ScenarioMistake {
        let own = JSON5Mistake(line: 0, column: 0, keys: keys, message: "").pointer
        return source.mistake(atPointer: own + pointer, message)
    }
}

/// The mistakes of a scenario's files, each once, although a repeated step has it each time.
struct ScenarioMistakes {
    /// No more are kept.
    static let maximum = 100

    private(set) var all: [ScenarioMistake] = []
    private var known: Set<String> = []
    /// Of numbers that were replaced: what is said about the replacement is no mistake.
    private var replaced: Set<String> = []
    /// The files in the order in which they were first mentioned.
    private var files: [String] = []

    var isEmpty: Bool { all.isEmpty }
    var isFull: Bool { all.count >= Self.maximum }

    mutating func add(_ mistake: ScenarioMistake) {
        guard !isFull, known.insert(Self.withoutSteps(mistake.text)).inserted,
            mistake.place.isAboutKey || !replaced.contains(mistake.position)
        else { return }
        all.append(mistake)
        if !files.contains(mistake.path) { files.append(mistake.path) }
    }

    /// The text without the numbers of steps, which differ from one time to the next.
    private static func withoutSteps(_ text: String) -> String {
        guard let place = text.firstPlace(of: ": step ") else { return text }
        let rest = text[place.upperBound...].drop { $0.isASCII && $0.isNumber }
        return text[..<place.lowerBound] + withoutSteps(String(rest))
    }

    /// The mistakes of a file as a whole.
    /// - Parameter known: the keys that it may have.
    mutating func add(of source: ScenarioSource, knownKeys known: [String]) {
        add(source.numberMistakes)
        replaced.formUnion(source.numberMistakes.map(\.position))
        add(source.unknownKeys(known))
    }

    mutating func add(_ mistakes: some Sequence<ScenarioMistake>) { for mistake in mistakes { add(mistake) } }

    /// All mistakes, in the order of the files' texts.
    var refusal: CommandError {
        func rank(_ mistake: ScenarioMistake) -> (Int, Int, Int) {
            (files.firstIndex(of: mistake.path) ?? 0, mistake.place.line, mistake.place.column)
        }
        return .invalidFile(all.sorted { rank($0) < rank($1) }.map(\.text).joined(separator: "\nmullionctl: "))
    }
}
