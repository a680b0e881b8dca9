// What modules declare as public, read from their sources.

import FoundationEssentials
import TestSupport

/// Names such as `Window`, `Window.makeKey` and, for functions with their labels, `Window.makeKey()`.
struct PublicDeclarations {
    private(set) var names: Set<String> = []
    /// The names of types, without those of nested ones.
    private(set) var types: Set<String> = []

    /// Reads every source file in these folders.
    init(folders: [String]) throws {
        for folder in folders {
            for file in try FileManager.default.subpathsOfDirectory(atPath: folder) where file.hasSuffix(".swift") {
                read(try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8))
            }
        }
    }

    private struct Container {
        var indentation: Int
        var name: String
        /// Whether its members need no modifier to be public.
        var isOpen: Bool
    }

    private mutating func read(_ source: String) {
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
        var containers: [Container] = []
        for (index, line) in lines.enumerated() {
            let text = line.drop { $0 == " " }
            guard !text.isEmpty, !text.hasPrefix("//") else { continue }
            let indentation = line.count - text.count
            while let last = containers.last, indentation <= last.indentation { containers.removeLast() }
            if let type = text.firstMatch(of: typePattern) {
                let name = ((containers.last.map { [$0.name] } ?? []) + [String(type.3)]).joined(separator: ".")
                let isPublic = type.1.contains("public") || type.1.contains("open")
                if isPublic { names.insert(name) }
                if isPublic, containers.isEmpty { types.insert(name) }
                containers.append(
                    Container(
                        indentation: indentation, name: name,
                        isOpen: isPublic && (type.2 == "enum" || type.2 == "protocol")))
            } else if let member = text.firstMatch(of: memberPattern), let container = containers.last {
                let isPublic = member.1.contains("public") || member.1.contains("open")
                guard isPublic || container.isOpen && (member.2 == "case") == !member.1.contains("func") else {
                    continue
                }
                let name = container.name + "." + (member.3.isEmpty ? member.2 : member.3)
                names.insert(name)
                let rest = String(text[member.range.upperBound...]) + lines[(index + 1)...].prefix(12).joined()
                if member.2 == "func" || member.2 == "init" { names.insert(name + labels(rest)) }
            }
        }
    }

    private let typePattern =
        /^((?:@\w+ |public |open |package |internal |private |fileprivate |final )*)(class|struct|enum|protocol|extension) ([A-Z][\w.]*)/
    private let memberPattern =
        /^((?:@\w+(?:\([^)]*\))? |(?:public|open|override|static|final|class|mutating|nonmutating|nonisolated|weak|lazy|required|convenience|unowned) |\w+\(set\) )*)(func|var|let|case|init|subscript)\b[ ?]*(\w*)/

    /// `(_:with:)` from the text that follows a function's name.
    private func labels(_ text: String) -> String {
        var (depth, parameters) = (0, [""])
        // An arrow closes nothing.
        for character in text.drop(while: { $0 != "(" }).replacing("->", with: "") {
            if "([{<".contains(character) { depth += 1 }
            if ")]}>".contains(character) { depth -= 1 }
            if depth == 0 { break }
            if depth == 1, character == "," {
                parameters.append("")
            } else if depth > 1 || character != "(" {
                parameters[parameters.count - 1].append(character)
            }
        }
        // The first word of a parameter is its label.
        let words = parameters.compactMap { $0.split { $0 == " " || $0 == ":" }.first }
        return "(" + words.map { $0 + ":" }.joined() + ")"
    }
}
