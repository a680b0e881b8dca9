// Compiles layouts, and explains invalid names.

import CMullionXKBCommon
import Glibc
import MullionSystem

/// An invalid name in a layout, with the valid ones.
package struct KeyboardLayoutError: Error, CustomStringConvertible {
    package let description: String
}

extension KeyboardLayout {
    /// Compiles the layout.
    /// - Throws: an error that identifies the name unknown to XKB.
    package func keymap() throws(KeyboardLayoutError) -> Keymap {
        for (key, value) in names where !value.utf8.allSatisfy({ (33...126).contains($0) }) {
            throw refusal("\(key) \"\(value)\" has characters that are not allowed in XKB's names")
        }
        for (key, value) in names where value.firstPlace(of: "..") != nil {
            throw refusal("\(key) \"\(value)\" must not contain \"..\"")
        }
        guard Self.parts(variant).count <= max(Self.parts(layout).count, 1) else {
            throw refusal("variant \"\(variant)\" has more parts than layout \"\(layout)\"; use one per layout")
        }
        guard let keymap = Keymap(self) else { throw explain() }
        // XKB ignores unknown models and options.
        try checkModel(keymap)
        try checkOptions(keymap)
        return keymap
    }

    private var names: [(key: String, value: String)] {
        [("rules", rules), ("model", model), ("layout", layout), ("variant", variant), ("options", options)]
    }

    private var rulesName: String { rules.isEmpty ? "evdev" : rules }

    /// Finds the invalid name by compiling each one without the names that depend on it.
    private func explain() -> KeyboardLayoutError {
        var plain = KeyboardLayout()
        plain.rules = rules
        guard Keymap(plain) != nil else {
            return refusal(
                rulesName == KeyboardLayout().rulesName
                    ? "XKB's data is not installed; mullionctl doctor server names its package"
                    : "\"\(rules)\" is not a set of rules; use evdev")
        }
        let layouts = Self.parts(layout)
        let variants = Self.parts(variant)
        for (index, name) in layouts.enumerated() {
            plain.layout = name
            plain.variant = ""
            guard Keymap(plain) != nil else { return refusal("\"\(name)\" is not a layout\(listed("layouts"))") }
            guard index < variants.count, !variants[index].isEmpty else { continue }
            plain.variant = variants[index]
            if Keymap(plain) == nil {
                let known = rulesList("variant").filter { $0.rest.hasPrefix("\(name):") }.map(\.name)
                let hint = known.isEmpty ? "it has none" : "use one of \(known.joined(separator: ", "))"
                return refusal("\"\(variants[index])\" is not a variant of layout \"\(name)\"; \(hint)")
            }
        }
        return refusal("XKB cannot compile layout \"\(layout)\" with options \"\(options)\"")
    }

    private func checkModel(_ keymap: Keymap) throws(KeyboardLayoutError) {
        guard !model.isEmpty, !rulesList("model").contains(where: { $0.name == model }) else { return }
        var other = self
        other.model = ""
        guard Keymap(other).map({ $0.text.isEqual(keymap.text) }) == true else { return }
        throw refusal("\"\(model)\" is not a keyboard model\(listed("models"))")
    }

    private func checkOptions(_ keymap: Keymap) throws(KeyboardLayoutError) {
        let all = Self.parts(options)
        let known = Set(rulesList("option").map(\.name))
        for option in all where !option.isEmpty && !known.contains(option) {
            // Custom rules have no list; an option that changes the keymap is valid.
            var other = self
            other.options = all.filter { $0 != option }.joined(separator: ",")
            guard Keymap(other).map({ $0.text.isEqual(keymap.text) }) == true else { continue }
            let group = option.prefix { $0 != ":" } + ":"
            let near = known.filter { $0.hasPrefix(group) }.sorted().joined(separator: ", ")
            let hint = near.isEmpty ? listed("options") : "; use one of \(near)"
            throw refusal("\"\(option)\" is not an option\(hint)")
        }
    }

    private static func parts(_ text: String) -> [String] {
        text.isEmpty ? [] : text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }

    /// The lines of a section of the list that describes the rules; empty if there is no list.
    private func rulesList(_ section: String) -> [(name: String, rest: String)] {
        guard let text = listPath.flatMap({ try? NamedFile.contents(of: $0, atMost: 16 << 20) }) else { return [] }
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
        return lines.drop { $0 != "! \(section)" }.dropFirst().prefix { !$0.hasPrefix("!") }.compactMap { line in
            let words = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
            return words.first.map { (String($0), words.count > 1 ? String(words[1].drop { $0 == " " }) : "") }
        }
    }

    /// The path of the list that describes the rules.
    private var listPath: String? {
        guard let context = unsafe xkb_context_with_data(XKBData.folder) else { return nil }
        defer { unsafe xkb_context_unref(context) }
        return unsafe (0..<xkb_context_num_include_paths(context)).lazy
            .compactMap { unsafe xkb_context_include_path_get(context, $0) }
            .map { "\(unsafe String(cString: $0))/rules/\(rulesName).lst" }
            .first { unsafe access($0, R_OK) == 0 }
    }

    /// A hint where valid names are listed.
    private func listed(_ section: String) -> String {
        listPath.map { "; see the \(section) in \($0)" } ?? ""
    }

    private func refusal(_ message: String) -> KeyboardLayoutError {
        KeyboardLayoutError(description: message)
    }
}
