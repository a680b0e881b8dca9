// rule

import JSON5
import MullionControl
import MullionSystem

extension Command {
    static var ruleCommand: Command {
        Command(
            name: "rule", arguments: "[RULE]", summary: "print a rule of the window model, or list all rules",
            details: """
                RULE is the number that error messages cite, as in "K5 (key passes on)".
                Needs no server.
                """,
            run: { (call) throws(CommandError) in
                let word = call.word()
                try call.end()
                guard let word else {
                    return Terminal.out(call.json ? json(Rule.allCases.map(\.summary)) : list)
                }
                guard let rule = Rule(rawValue: word.uppercased()) else {
                    let known = Rule.allCases(nearestTo: word).map(\.rawValue).joined(separator: ", ")
                    throw .refused("\"\(word)\" is not a rule; use one of \(known)")
                }
                Terminal.out(call.json ? json(rule.details) : rule.page(width: Terminal.width))
            })
    }

    private static func json(_ value: JSON) -> String { value.encoded + "\n" }

    private static func json(_ rules: [JSON]) -> String { json(.object(["rules": .array(rules)])) }

    /// All rules, by page.
    private static var list: String {
        var text = ""
        var page = ""
        for rule in Rule.allCases {
            if rule.page != page { text += (text.isEmpty ? "" : "\n") + "\(rule.page)\n" }
            page = rule.page
            text += "  \(rule.rawValue)\(String(repeating: " ", count: 5 - rule.rawValue.count))\(rule.name)\n"
        }
        return text
    }
}

extension Rule {
    /// All rules: those with the same letter first, by the distance of their numbers.
    fileprivate static func allCases(nearestTo word: String) -> [Rule] {
        let letter = word.uppercased().first
        let wanted = DecimalText.whole(word.dropFirst()) ?? 0
        func distance(_ rule: Rule) -> UInt {
            guard rule.rawValue.first == letter, let number = Int(rule.rawValue.dropFirst()) else { return .max }
            return number.subtractingReportingOverflow(wanted).partialValue.magnitude
        }
        // Sorting is stable.
        return allCases.sorted { distance($0) < distance($1) }
    }

    fileprivate var summary: JSON { .object(["rule": .string(rawValue), "name": .string(name)]) }

    fileprivate var details: JSON {
        summary.with("page", .string(page)).with("text", .string(PlainText(markdown: text).text(width: .max)))
    }

    fileprivate func page(width: Int) -> String {
        "\(self)\n\n\(PlainText(markdown: text).text(width: width))\n"
    }
}
