// A mistake in a text: where it is, and what is allowed instead.

import MullionSystem

/// A mistake in a JSON or JSON5 text.
package struct JSON5Mistake: Error, CustomStringConvertible {
    /// A step on the path from the whole document to a value.
    package enum Key: Equatable, Sendable {
        case member(String)
        /// Counted from 0.
        case element(Int)
    }

    /// What is wrong, for programs.
    package enum Kind: Sendable {
        /// It is no text of this format.
        case syntax
        /// The last key of the path is one that its object does not have.
        case unknownKey
        case missingKey
        /// The value is of another type.
        case wrongType
        case other
    }

    /// Counted from 1; columns are counted in bytes.
    package let line: Int
    package let column: Int
    /// The path to the value; empty for the whole document and for mistakes of syntax.
    package let keys: [Key]
    package let message: String
    package var kind: Kind
    /// The keys that there are, for an unknown one.
    package var allowed: [String]?
    /// Whether the last key should not be there.
    package var isAboutKey: Bool { kind == .unknownKey }
    /// The error of the value's type, if it is no `DecodingError`.
    package let cause: (any Error)?

    package init(
        _ kind: Kind = .other, line: Int, column: Int, keys: [Key] = [], message: String, cause: (any Error)? = nil
    ) {
        self.kind = kind
        self.line = line
        self.column = column
        self.keys = keys
        self.message = message
        self.cause = cause
    }

    package var description: String { "line \(line), column \(column): \(text)" }

    /// The message after the path to the value: "screens[2].scale: expected a number, found true".
    package var text: String { Self.text(isAboutKey ? keys.dropLast() : keys[...], message) }

    package static func text(_ keys: some Sequence<Key>, _ message: String) -> String {
        var path = ""
        for key in keys {
            switch key {
            case .member(let name): path += path.isEmpty ? name : ".\(name)"
            case .element(let index): path += "[\(index)]"
            }
        }
        return path.isEmpty ? message : "\(path): \(message)"
    }

    /// The path to the value as a JSON pointer (RFC 6901).
    package var pointer: String {
        keys.map { key in
            switch key {
            case .member(let name): "/" + name.replacingAll("~", with: "~0").replacingAll("/", with: "~1")
            case .element(let index): "/\(index)"
            }
        }.joined()
    }
}

extension JSON5Mistake: Equatable {
    package static func == (a: Self, b: Self) -> Bool {
        (a.line, a.column, a.message) == (b.line, b.column, b.message) && a.keys == b.keys
    }
}
