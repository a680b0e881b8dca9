// Parses points, rectangles, levels, colours, files and KEY=VALUE.

import ControlProtocol
import JSON5
import MullionControl
import MullionSystem

/// Parses values from arguments.
enum Values {
    /// "x,y".
    static func point(_ text: String) throws(CommandError) -> (x: Double, y: Double) {
        let numbers = try numbers(text, count: 2, "a point; use x,y")
        return (numbers[0], numbers[1])
    }

    /// "16ms", "1s", "500us", or a number of seconds: microseconds.
    static func duration(_ text: String) throws(CommandError) -> Double {
        guard let microseconds = DecimalText.microseconds(text, bare: 1_000_000) else {
            throw .usage("\"\(text)\" is not a duration; use 16ms, 500us, or 2.5s or 2.5")
        }
        guard microseconds <= 86_400_000_000 else { throw .usage("\"\(text)\" is more than a day") }
        return microseconds
    }

    /// The same in seconds.
    static func seconds(_ text: String) throws(CommandError) -> Double { try duration(text) / 1_000_000 }

    /// How long to wait, in seconds: at most 10 minutes, as on the server.
    /// - Parameter key: named in the error.
    static func patience(_ text: String, _ key: String) throws(CommandError) -> Double {
        let seconds = try seconds(text)
        guard seconds <= 600 else { throw .usage("\(key)=\(text) is too long; use 0s to 600s (10 minutes)") }
        return seconds
    }

    /// "x,y,width,height".
    static func rect(_ text: String) throws(CommandError) -> [Double] {
        try numbers(text, count: 4, "a frame; use x,y,width,height")
    }

    /// - Parameter key: named in the error, where the command has several.
    static func number(_ text: String, _ key: String? = nil) throws(CommandError) -> Double {
        guard let value = DecimalText.number(text, isSigned: true) else {
            throw .usage("\(key.map { "\($0): " } ?? "")\"\(text)\" is not a number")
        }
        return value
    }

    static func flag(_ text: String, _ name: String) throws(CommandError) -> Bool {
        switch text {
        case "true", "yes", "on", "1": return true
        case "false", "no", "off", "0": return false
        default: throw .usage("\(name): \"\(text)\" is not a boolean; use true or false")
        }
    }

    /// A number, or a level's name, which the server resolves. JSON has no infinity: the server refuses it as a name.
    static func level(_ text: String) -> JSON {
        DecimalText.number(text, isSigned: true).map { .number($0) } ?? .string(text)
    }

    /// "#RRGGBB" or "#AARRGGBB", the # is optional; or 0xAARRGGBB.
    static func color(_ text: String) throws(CommandError) -> UInt32 {
        let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
        guard digits.count == 6 || digits.count == 8, let value = DecimalText.hexadecimal(digits) else {
            throw .usage("\"\(text)\" is not a colour; use #RRGGBB or #AARRGGBB")
        }
        return digits.count == 6 ? value | 0xff00_0000 : value
    }

    /// A file's bytes in base64.
    static func base64(ofFile path: String) throws(CommandError) -> String {
        do throws(NamedFileError) {
            return Base64(try NamedFile.contents(of: path, atMost: 1 << 20, acceptsPipes: true)).text
        } catch {
            throw .refused("\(path) cannot be read: \(error)")
        }
    }

    /// Splits KEY=VALUE; the value is nil without =.
    static func pair(_ word: String) -> (key: String, value: String?) {
        guard let equals = word.firstIndex(of: "=") else { return (word, nil) }
        return (String(word[..<equals]), String(word[word.index(after: equals)...]))
    }

    /// What is wrong with a word that is none of the known keys with its value.
    static func unknown(_ key: String, _ known: [String]) -> CommandError {
        guard !known.contains(key) else { return .usage("\"\(key)\" needs a value: \(key)=…") }
        let near = Suggestion.nearest(to: key, among: known).map { "; did you mean \($0)?" } ?? ""
        return .usage("unknown key \"\(key)\"\(near) (use one of \(known.joined(separator: ", ")))")
    }

    /// As many numbers, separated by commas; `hint` says what they should be.
    static func numbers(_ text: String, count: Int, _ hint: String) throws(CommandError) -> [Double] {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { DecimalText.number($0, isSigned: true) }
        guard parts.count == count, numbers.count == count else { throw .usage("\"\(text)\" is not \(hint)") }
        return numbers
    }
}

extension JSON {
    static func point(_ point: (x: Double, y: Double)) -> JSON {
        .object(["x": .number(point.x), "y": .number(point.y)])
    }

    /// A point from its two numbers.
    static func point(_ numbers: [Double]) -> JSON { point((numbers[0], numbers[1])) }

    /// A rectangle from its four numbers.
    static func rect(_ numbers: [Double]) -> JSON {
        .object([
            "x": .number(numbers[0]), "y": .number(numbers[1]), "width": .number(numbers[2]),
            "height": .number(numbers[3]),
        ])
    }

    /// A rectangle as "x,y width×height", for people.
    var rectText: String {
        "\(self["x"].text),\(self["y"].text) \(self["width"].text)×\(self["height"].text)"
    }
}

extension API.Rect {
    /// "x,y width×height", for people.
    var text: String { "\(JSON.text(x)),\(JSON.text(y)) \(size)" }

    /// "width×height".
    var size: String { "\(JSON.text(width))×\(JSON.text(height))" }
}

extension API.Point {
    /// "x,y", for people.
    var text: String { "\(JSON.text(x)),\(JSON.text(y))" }
}
