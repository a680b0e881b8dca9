// A parsed text: its values, and where each is.

import MullionSystem

/// The values of a JSON or JSON5 text in order. Strings and numbers stay in the text until they are asked for.
package final class JSON5Document: Sendable {
    /// The grammar.
    package enum Dialect: Sendable { case json, json5 }

    /// A value, or the key of a member; in an object, each key is followed by its value.
    struct Node {
        enum Kind: UInt8 {
            case null, no, yes, number, string, list, object
            /// A string or key with escape sequences.
            case escaped
        }

        var kind: Kind
        /// Where it begins, with its quotes.
        var place: UInt32
        /// The contents of a string, or the digits of a number.
        var start: UInt32
        var end: UInt32
        /// The number of members or elements.
        var count: UInt32 = 0
        /// The index of the node after it and its parts.
        var next: UInt32 = 0
        /// The node of the object or list that it is a part of; 0 for the whole document.
        var parent: UInt32 = 0
        /// The number of parts before it.
        var number: UInt32 = 0
    }

    let bytes: [UInt8]
    let nodes: [Node]

    /// - Throws: the first syntax error; a duplicate key in an object is one.
    package init(_ bytes: [UInt8], _ dialect: Dialect = .json5) throws(JSON5Mistake) {
        var parser = JSON5Parser(bytes, dialect)
        try parser.parse()
        self.bytes = bytes
        nodes = parser.nodes
    }

    private init(_ bytes: [UInt8], _ nodes: [Node]) { (self.bytes, self.nodes) = (bytes, nodes) }

    /// The same values with 0 in the place of each number that has no value in JSON.
    /// - Parameter mistakes: one for each of these numbers is added.
    package func replacingUnusableNumbers(_ mistakes: inout [JSON5Mistake]) -> JSON5Document {
        var (bytes, nodes) = (bytes, nodes)
        for index in nodes.indices where nodes[index].kind == .number {
            guard let message = misfit(index) ?? JSON5Text.infinity(text(index)) else { continue }
            mistakes.append(mistake(at: keys(to: index), message))
            let start = nodes[index].start
            bytes[Int(start)] = UInt8(ascii: "0")
            nodes[index].end = start + 1
        }
        return JSON5Document(bytes, nodes)
    }

    /// The nodes of an object's keys, or of a list's elements.
    func parts(of index: Int) -> [Int] {
        let isObject = nodes[index].kind == .object
        var parts: [Int] = []
        var part = index + 1
        while part < Int(nodes[index].next) {
            parts.append(part)
            part = Int(nodes[isObject ? part + 1 : part].next)
        }
        return parts
    }

    // MARK: Contents

    /// The text of a string, a key or a number.
    func text(_ index: Int) -> String {
        let node = nodes[index]
        let contents = bytes[Int(node.start)..<Int(node.end)]
        return node.kind == .escaped ? JSON5Text.unescaped(contents) : String(decoding: contents, as: UTF8.self)
    }

    /// A number of few digits without an exponent; nil for others.
    func plainNumber(_ index: Int) -> JSON5Text.PlainNumber? {
        JSON5Text.PlainNumber(bytes, Int(nodes[index].start)..<Int(nodes[index].end))
    }

    /// Why a number has a value in no type; nil for what has one.
    func misfit(_ index: Int) -> String? { nodes[index].kind == .number ? JSON5Text.misfit(text(index)) : nil }

    /// Whether a key is this one.
    func isKey(_ index: Int, _ name: String) -> Bool {
        let node = nodes[index]
        guard node.kind != .escaped else { return text(index) == name }
        let utf8 = name.utf8
        return Int(node.end - node.start) == utf8.count
            && bytes[Int(node.start)..<Int(node.end)].elementsEqual(utf8)
    }

    /// The node of a member's key; nil when the object does not have it.
    func key(_ name: String, in object: Int) -> Int? {
        var key = object + 1
        while key < Int(nodes[object].next) {
            if isKey(key, name) { return key }
            key = Int(nodes[key + 1].next)
        }
        return nil
    }

    // MARK: Places

    /// The path from the whole document to a value.
    func keys(to index: Int) -> [JSON5Mistake.Key] {
        var keys: [JSON5Mistake.Key] = []
        var value = index
        while value > 0 {
            let parent = Int(nodes[value].parent)
            // A member's key precedes its value.
            let isMember = nodes[parent].kind == .object
            keys.append(isMember ? .member(text(value - 1)) : .element(Int(nodes[value].number)))
            value = parent
        }
        return keys.reversed()
    }

    /// The value at the end of a path, or the last one that exists on it, and where that begins: at its key, if it is
    /// a member.
    func find(_ keys: some Sequence<JSON5Mistake.Key>) -> (value: Int, part: Int) {
        var (value, part) = (0, 0)
        for key in keys {
            switch (key, nodes[value].kind) {
            case (.member(let name), .object):
                guard let found = self.key(name, in: value) else { return (value, part) }
                (value, part) = (found + 1, found)
            case (.element(let index), .list):
                let parts = parts(of: value)
                guard parts.indices.contains(index) else { return (value, part) }
                (value, part) = (parts[index], parts[index])
            default: return (value, part)
            }
        }
        return (value, part)
    }

    /// A mistake without a message at the value of a JSON pointer (RFC 6901), or at the last one that exists on the path.
    package func mistake(atPointer pointer: String) -> JSON5Mistake {
        var keys: [JSON5Mistake.Key] = []
        for part in pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            let name = part.replacingAll("~1", with: "/").replacingAll("~0", with: "~")
            let index = nodes[find(keys).value].kind == .list ? Int(name) : nil
            keys.append(index.map(JSON5Mistake.Key.element) ?? .member(String(name)))
        }
        return mistake(at: keys, "")
    }

    /// A mistake at a value, or at the last one that exists on the path.
    package func mistake(
        at keys: [JSON5Mistake.Key], _ message: String, cause: (any Error)? = nil
    ) -> JSON5Mistake {
        let place = JSON5Text.place(Int(nodes[find(keys).part].place), in: bytes)
        return JSON5Mistake(line: place.line, column: place.column, keys: keys, message: message, cause: cause)
    }
}
