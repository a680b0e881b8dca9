// Writes what the description of the control API says: `ContractScanner types|client|document CATALOG OUTPUT FILE…`.
//
// CATALOG is the folder WindowModel.docc, whose rules descriptions cite; the FILEs describe the API. OUTPUT is a file of
// Swift that gets the types, what clients need besides, or the OpenAPI document.

import Foundation
import RuleCatalog

@main
struct ContractScanner {
    static func main() {
        do {
            try run(Array(CommandLine.arguments.dropFirst()))
        } catch {
            FileHandle.standardError.write(Data("ContractScanner: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func run(_ arguments: [String]) throws {
        guard arguments.count > 3 else {
            throw ScannerError("usage: ContractScanner types|client|document CATALOG OUTPUT FILE…")
        }
        let rules = try CatalogParser.parse(arguments[1])
        let contract = try ContractParser.parse(Array(arguments[3...]), rules: rules)
        let text =
            switch arguments[0] {
            case "types": TypesWriter(contract: contract).swift
            case "client": ClientWriter(contract: contract).swift
            case "document": OpenAPIWriter(contract: contract).swift
            default: throw ScannerError("\(arguments[0]) is not an output; use types, client or document")
            }
        let data = Data(text.utf8)
        // An unchanged file is not written, so that what depends on it is not recompiled.
        guard FileManager.default.contents(atPath: arguments[2]) != data else { return }
        try data.write(to: URL(fileURLWithPath: arguments[2]))
    }
}
