// Parses the rules from the pages of the catalog.

import Foundation

/// A rule, as stated on its page.
package struct Rule {
    /// A letter and a number, as in "K5".
    package var number: String
    /// The heading without the number, as in "Key passes on".
    package var title: String
    /// The title of its page.
    package var page: String
    /// Markdown, without the heading.
    package var text = ""

    /// For use within a sentence.
    package var name: String { title.prefix(1).lowercased() + title.dropFirst() }
}

package enum CatalogParser {
    /// The rules in the order of the pages on the catalog's first page.
    ///
    /// A rule begins with a heading such as `### K5 – Key passes on` and ends at the next heading. Throws when a page is not
    /// on the first one, when the numbers of a letter do not count up on one page, or when two rules have the same name.
    package static func parse(_ catalog: String) throws -> [Rule] {
        let pages = try lines(of: "\(catalog)/WindowModel.md").compactMap { line in
            line.hasPrefix("- <doc:") ? String(line.dropFirst("- <doc:".count).prefix { $0 != ">" }) : nil
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: catalog).filter { $0.hasSuffix(".md") }
        for file in files.sorted() where !(["WindowModel"] + pages).contains(String(file.dropLast(3))) {
            throw ScannerError("\(catalog)/\(file): WindowModel.md does not list this page")
        }
        let rules = try pages.flatMap { try parse(page: "\(catalog)/\($0).md") }
        guard !rules.isEmpty else { throw ScannerError("\(catalog): no page has a rule") }
        for rule in rules where rules.count(where: { $0.name == rule.name }) > 1 {
            throw ScannerError("\(catalog): more than one rule is called \"\(rule.title)\"")
        }
        let letters = rules.map { $0.number.prefix(1) }
        for (letter, group) in Dictionary(grouping: rules, by: { $0.number.prefix(1) }) {
            guard group.map(\.number) == group.indices.map({ "\(letter)\($0 + 1)" }),
                letters.firstIndex(of: letter).map({ $0 + group.count - 1 }) == letters.lastIndex(of: letter)
            else {
                throw ScannerError("\(catalog): \(group.map(\.number)) do not count up from \(letter)1 on one page")
            }
        }
        return rules
    }

    private static func parse(page path: String) throws -> [Rule] {
        var rules: [Rule] = []
        var title: String?
        var isInRule = false
        for (index, line) in try lines(of: path).enumerated() {
            if title == nil, line.hasPrefix("# ") { title = String(line.dropFirst(2)) }
            if line.hasPrefix("### ") {
                let parts = line.dropFirst(4).components(separatedBy: " – ")
                guard let title, parts.count == 2, !parts[1].isEmpty,
                    parts[0].first?.isUppercase == true, Int(parts[0].dropFirst()) != nil
                else { throw ScannerError("\(path):\(index + 1): expected a heading such as ### K5 – Key passes on") }
                rules.append(Rule(number: parts[0], title: parts[1], page: title))
                isInRule = true
            } else if line.hasPrefix("#") {
                isInRule = false
            } else if isInRule {
                rules[rules.count - 1].text += line + "\n"
            }
        }
        for index in rules.indices {
            rules[index].text = rules[index].text.trimmingCharacters(in: .newlines)
            guard !rules[index].text.isEmpty else { throw ScannerError("\(path): \(rules[index].number) has no text") }
        }
        return rules
    }

    private static func lines(of path: String) throws -> [String] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ScannerError("\(path): cannot be read")
        }
        return String(decoding: data, as: UTF8.self).components(separatedBy: "\n")
    }
}

/// Why a page or a file is not well-formed, and where.
package struct ScannerError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
