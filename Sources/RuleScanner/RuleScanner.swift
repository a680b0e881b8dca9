// Writes the window model's rules as Swift: `RuleScanner CATALOG RULES [TEXTS]`.
//
// CATALOG is the folder WindowModel.docc. RULES gets an enumeration of the rules with their names; TEXTS an extension with
// their texts, for programs that print them.

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
        guard (2...3).contains(arguments.count) else { throw ScannerError("usage: RuleScanner CATALOG RULES [TEXTS]") }
        let rules = try CatalogParser.parse(arguments[0])
        try write(SwiftWriter.rules(rules), to: arguments[1])
        if arguments.count == 3 { try write(SwiftWriter.texts(rules), to: arguments[2]) }
    }

    /// An unchanged file is not written, so that targets that only cite rules are not recompiled for every change of a
    /// page.
    private static func write(_ text: String, to path: String) throws {
        let data = Data(text.utf8)
        guard FileManager.default.contents(atPath: path) != data else { return }
        try data.write(to: URL(fileURLWithPath: path))
    }
}
