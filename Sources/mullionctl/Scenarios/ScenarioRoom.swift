// How large a scenario may become.

import JSON5

/// What is left for the values of a scenario when its variables are replaced: a few characters in a file can stand for any
/// amount of text.
struct ScenarioRoom {
    /// In bytes; also of a file.
    static let maximum = 16 << 20
    /// What a value costs besides its text.
    private static let overhead = 8

    private var left = maximum
    var isExceeded: Bool { left < 0 }

    /// Takes room for a value and all that it consists of.
    mutating func take(_ value: JSON) throws(ScenarioVariables.Mistake) {
        try take(Self.overhead)
        switch value {
        case .null, .bool, .number: break
        case .string(let text): try take(text.utf8.count)
        case .array(let elements): for element in elements { try take(element) }
        case .object(let members):
            for (name, member) in members {
                try take(.string(name))
                try take(member)
            }
        }
    }

    private mutating func take(_ bytes: Int) throws(ScenarioVariables.Mistake) {
        left -= bytes
        guard isExceeded else { return }
        throw ScenarioVariables.Mistake(
            text:
                "with its variables replaced, the scenario has more than \(Self.maximum >> 20) MiB; use shorter values")
    }
}
