// Writes the window model's rules as Swift: `RuleScanner names|texts CATALOG OUTPUT`.
//
// CATALOG is the folder WindowModel.docc. OUTPUT gets an enumeration of the rules with their names, or an extension of it
// with their texts, for the program that prints them.

import Foundation
import RuleCatalog

@main
struct RuleScanner {
    static func main() {
        do {
            try run(Array(CommandLine.arguments.dropFirst()))
        } catch {
            FileHandle.standardError.write(Data("RuleScanner: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func run(_ arguments: [String]) throws {
        guard arguments.count == 3 else { throw ScannerError("usage: RuleScanner names|texts CATALOG OUTPUT") }
        let rules = try CatalogParser.parse(arguments[1])
        let text = arguments[0] == "texts" ? SwiftWriter.texts(rules) : SwiftWriter.names(rules)
        try write(text, to: arguments[2])
    }

    /// An unchanged file is not written, so that targets that only cite rules are not recompiled for every change of a
    /// page.
    private static func write(_ text: String, to path: String) throws {
        let data = Data(text.utf8)
        guard FileManager.default.contents(atPath: path) != data else { return }
        try data.write(to: URL(fileURLWithPath: path))
    }
}
