// Reads conditions from words: query items, or the fields of a scenario's step.

import ControlProtocol
import DisplayServer
import MullionSystem
import TextPatterns

extension Condition {
    /// A word and its value.
    typealias Word = (name: String, value: String)

    /// The longest time that can be waited, and that pixels can be waited for to stand still, in microseconds.
    static let longest = UInt64(API.Limits.longestWait) * 1000
    /// The most windows that can be waited for.
    static let mostWindows = API.Limits.mostWindows
    /// The most conditions of a wait.
    static let most = 8
    static let defaultPatience: UInt64 = 5_000_000

    /// - Throws: 400 for an unknown, missing, repeated or wrong word.
    init(_ kind: Kind, _ words: [Word]) throws(Problem) {
        let reader = try ConditionWords(kind, words)
        switch kind {
        case .window:
            self = .window(try reader.window, count: try reader.wholeNumber("count", in: 0...Self.mostWindows))
        case .gone: self = .gone(try reader.window)
        case .application: self = .application(try ConditionWords.pattern(try reader.required("application")))
        case .client: self = .client(pid: try reader.wholeNumber("pid", in: 1...Int(Int32.max)).map { Int32($0) })
        case .screen:
            let isConnected = try reader.flag("connected")
            let isMain = try reader.flag("main")
            guard isConnected != false || isMain == nil else {
                throw Problem(.invalidParameter, "main cannot be combined with connected=false")
            }
            self = .screen(
                ScreenReference(try reader.required("screen")), isConnected: isConnected ?? true, isMain: isMain)
        case .idle: self = .idle
        case .still: self = .still(reader.screen, try reader.duration("duration") ?? 100_000)
        case .pixel: self = .pixel(try reader.pixel)
        }
    }

    /// Reads a query: `for` names a condition, and the items that follow describe it. With a single condition, the order
    /// is of no importance.
    /// - Returns: the conditions, and how long to wait for them, in microseconds.
    static func read(_ items: [Word]) throws(Problem) -> (conditions: [Condition], patience: UInt64) {
        var patience: UInt64?
        var read: [(kind: Kind, words: [Word])] = []
        var before: [Word] = []
        for item in items {
            switch item.name {
            case "timeout":
                patience = try ConditionWords.duration(item)
            case "for": read.append((try Self.kind(item.value), []))
            case _ where read.isEmpty: before.append(item)
            default: read[read.count - 1].words.append(item)
            }
        }
        guard !read.isEmpty else {
            throw Problem(
                .missingParameter, "\"for\" is missing; use \(Kind.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        if let item = before.first {
            guard read.count == 1 else {
                throw Problem(
                    .invalidParameter, "\(item.name) comes before every \"for\"; put it after that of its condition")
            }
            read[0].words += before
        }
        try checkCount(read.count)
        var conditions: [Condition] = []
        for (kind, words) in read { conditions.append(try Condition(kind, words)) }
        return (conditions, patience ?? defaultPatience)
    }

    static func checkCount(_ count: Int) throws(Problem) {
        guard count > most else { return }
        throw Problem(.invalidParameter, "\(count) conditions are too many; a wait has at most \(most)")
    }

    private static func kind(_ name: String) throws(Problem) -> Kind {
        guard let kind = Kind(rawValue: name) else {
            let names = Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem(.invalidParameter, "\"\(name.shortened)\" is not a condition; use \(names)")
        }
        return kind
    }
}

/// The words of one condition, each known and given once.
struct ConditionWords {
    private let kind: Condition.Kind
    private let values: [String: String]

    init(_ kind: Condition.Kind, _ words: [Condition.Word]) throws(Problem) {
        var values: [String: String] = [:]
        for (name, value) in words {
            guard kind.words.contains(name) else {
                let known = kind.words.isEmpty ? "it has none" : "use \(kind.words.joined(separator: ", "))"
                throw Problem(
                    .unknownParameter, "\"\(name.shortened)\" is not a word of the condition \(kind.rawValue); \(known)"
                )
            }
            guard values.updateValue(value, forKey: name) == nil else {
                throw Problem(.repeatedParameter, "\(kind.rawValue): \(name) is given twice")
            }
        }
        (self.kind, self.values) = (kind, values)
    }

    func required(_ name: String) throws(Problem) -> String {
        guard let value = values[name], !value.isEmpty else {
            throw Problem(.missingParameter, "the condition \(kind.rawValue) needs \(name)")
        }
        return value
    }

    var screen: ScreenReference? { values["screen"].map { ScreenReference($0) } }

    var window: WindowPattern {
        get throws(Problem) {
            WindowPattern(
                title: try pattern("title"), application: try pattern("application"), screen: screen,
                isVisible: try flag("visible"), isKey: try flag("key"))
        }
    }

    var pixel: Expectation.Pixel {
        get throws(Problem) {
            let range = 0...Int(Int32.max)
            guard let x = try wholeNumber("x", in: range), let y = try wholeNumber("y", in: range) else {
                throw Problem(.missingParameter, "the condition pixel needs x and y, in pixels of the screen")
            }
            let text = try required("color")
            let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
            guard digits.utf8.count == 6, let color = DecimalText.hexadecimal(digits) else {
                throw Problem(.invalidParameter, "color=\(text.shortened) is not a colour; use #RRGGBB")
            }
            return Expectation.Pixel(
                screen: screen, x: x, y: y, color: color,
                tolerance: UInt8(try wholeNumber("tolerance", in: 0...255) ?? 0))
        }
    }

    private func pattern(_ name: String) throws(Problem) -> TextPattern? {
        guard let text = values[name] else { return nil }
        return try Self.pattern(text)
    }

    /// - Throws: 400 for a regular expression that is not valid, or too large.
    static func pattern(_ text: String) throws(Problem) -> TextPattern {
        do {
            return try TextPattern(text)
        } catch {
            throw Problem(.invalidParameter, "\"\(text.shortened)\" is not a pattern: \(error.reason)")
        }
    }

    /// Nil when it is absent; without a value it is true.
    func flag(_ name: String) throws(Problem) -> Bool? {
        guard let value = values[name] else { return nil }
        return try WordReader.flag(name, value)
    }

    func wholeNumber(_ name: String, in range: ClosedRange<Int>) throws(Problem) -> Int? {
        guard let value = values[name] else { return nil }
        return try WordReader.wholeNumber(name, value, in: range)
    }

    func duration(_ name: String) throws(Problem) -> UInt64? {
        guard let text = values[name] else { return nil }
        return try Self.duration((name, text))
    }

    /// Milliseconds, or a number with a unit; in microseconds.
    static func duration(_ word: Condition.Word) throws(Problem) -> UInt64 {
        let time = DecimalText.microseconds(word.value, bare: 1000)
        guard let time, time <= Double(Condition.longest) else {
            let what = time == nil ? "not a duration" : "too long"
            throw Problem(
                .invalidParameter,
                "\(word.name)=\(word.value.shortened) is \(what); use milliseconds, or 500us, 16ms or 1.5s, "
                    + "at most 10 minutes")
        }
        return UInt64(time)
    }
}
