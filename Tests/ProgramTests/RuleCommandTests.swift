// mullionctl rule, which needs no server.

import FoundationEssentials
import TestSupport
import Testing
import WindowModel

@Suite struct RuleCommandTests {
    private static let catalog =
        String(#filePath.dropLast("Tests/ProgramTests/RuleCommandTests.swift".count))
        + "Sources/WindowModel/WindowModel.docc"

    private func mullionctl(_ words: [String], columns: Int? = nil) throws -> (output: String, status: Int32?) {
        let environment = columns.map { ["COLUMNS": "\($0)"] } ?? [:]
        let program = try Program("\(Programs.built)/mullionctl", words, environment: environment)
        return (program.outputAtEnd(), program.exitStatus)
    }

    /// The words of each rule on its page, without markup.
    private func pages() throws -> [String: [Substring]] {
        var rules: [String: [Substring]] = [:]
        for file in try FileManager.default.contentsOfDirectory(atPath: Self.catalog) where file.hasSuffix(".md") {
            var number: String?
            let text = try String(contentsOfFile: "\(Self.catalog)/\(file)", encoding: .utf8)
            for line in text.split(separator: "\n") {
                if line.hasPrefix("#") { number = nil }
                if line.hasPrefix("### "), line.contains(" – ") {
                    number = String(line.dropFirst(4).prefix { $0 != " " })
                }
                guard let number, !line.hasPrefix("#") else { continue }
                let plain = line.replacing("**", with: "").replacing("`", with: "").replacing("> Note: ", with: "")
                rules[number, default: []] += plain.split(separator: " ").filter { $0 != ">" }
            }
        }
        return rules
    }

    @Test("mullionctl rule prints each rule as its page states it", arguments: [40, 80, 200])
    func rules(columns: Int) throws {
        let pages = try pages()
        #expect(Set(pages.keys) == Set(Rule.allCases.map(\.rawValue)))
        for rule in Rule.allCases {
            let (output, status) = try mullionctl(["rule", rule.rawValue.lowercased()], columns: columns)
            let lines = output.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(status == 0 && lines.first.map(String.init) == "\(rule)", "\(output)")
            #expect(lines.allSatisfy { $0.count <= columns }, "\(output)")
            #expect(lines.dropFirst().flatMap { $0.split(separator: " ") } == pages[rule.rawValue], "\(output)")
            #expect(output.contains("\n\nWhy: ") && output.contains("\n\nExample: "), "\(output)")
        }
    }

    @Test("mullionctl rule lists all rules in order, with --json too")
    func list() throws {
        let lines = try mullionctl(["rule"]).output.split(separator: "\n").filter { $0.hasPrefix("  ") }
        #expect(
            lines.map { $0.split(separator: " ").joined(separator: " ") }
                == Rule.allCases.map { "\($0.rawValue) \($0.name)" })
        struct List: Decodable {
            struct Item: Decodable { var rule: String, name: String }
            var rules: [Item]
        }
        let list = try JSONDecoder().decode(List.self, from: Data(try mullionctl(["rule", "--json"]).output.utf8))
        #expect(list.rules.map { "\($0.rule) (\($0.name))" } == Rule.allCases.map(\.description))
        struct Details: Decodable { var rule: String, name: String, page: String, text: String }
        let rule = try JSONDecoder().decode(
            Details.self, from: Data(try mullionctl(["--json", "rule", "K5"]).output.utf8))
        #expect((rule.rule, rule.name, rule.page) == ("K5", "key passes on", "The key window"))
        #expect(try rule.text.split { $0 == " " || $0 == "\n" } == pages()["K5"])
    }

    @Test(
        "an unknown rule is refused with the list of existing ones, the nearest first",
        arguments: [
            ("K9", "use one of K8, K7, K6, K5, K4, K3, K2, K1, S1"), ("s11", "use one of S10, S9,"),
            ("S0", "use one of S1, S2,"),
            ("X1", "use one of S1, S2,"), ("K-9223372036854775808", "use one of K1"), ("", "use one of S1, S2,"),
        ])
    func unknown(word: String, words: String) throws {
        let (output, status) = try mullionctl(["rule", word])
        #expect(status == 1 && output.hasPrefix("mullionctl: \"\(word)\" is not a rule; "), "\(output)")
        #expect(output.contains(words), "\(output)")
        for rule in Rule.allCases { #expect(output.contains(rule.rawValue)) }
    }
}
