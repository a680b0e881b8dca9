// Compiling a layout, or saying what is wrong with its names.

import CXKBCommon
import Glibc
import System

/// What is wrong with a layout's names, and what is allowed.
package struct KeyboardLayoutError: Error, CustomStringConvertible {
    package let description: String
}

extension KeyboardLayout {
    /// - Throws: what XKB does not know, by its name.
    package func keymap() throws(KeyboardLayoutError) -> Keymap {
        for (key, value) in names where !value.utf8.allSatisfy({ (33...126).contains($0) }) {
            throw refusal("\(key) \"\(value)\" has characters that no name in XKB has")
        }
        for (key, value) in names where value.contains("..") {
            throw refusal("\(key) \"\(value)\" leaves XKB's folders")
        }
        guard Self.parts(variant).count <= max(Self.parts(layout).count, 1) else {
            throw refusal("variant \"\(variant)\" has more parts than layout \"\(layout)\"; each layout has one")
        }
        guard let keymap = Keymap(self) else { throw explain() }
        // Models and options that the rules do not have are ignored by XKB.
        try checkModel(keymap)
        try checkOptions(keymap)
        return keymap
    }

    private var names: [(key: String, value: String)] {
        [("rules", rules), ("model", model), ("layout", layout), ("variant", variant), ("options", options)]
    }

    private var rulesName: String { rules.isEmpty ? "evdev" : rules }

    /// Finds the name that is wrong, by trying each one without the names that depend on it.
    private func explain() -> KeyboardLayoutError {
        var plain = KeyboardLayout()
        plain.rules = rules
        guard Keymap(plain) != nil else { return refusal("there are no rules \"\(rules)\"; XKB's own are \"evdev\"") }
        let layouts = Self.parts(layout)
        let variants = Self.parts(variant)
        for (index, name) in layouts.enumerated() {
            plain.layout = name
            plain.variant = ""
            guard Keymap(plain) != nil else { return refusal("there is no layout \"\(name)\"\(listed("layout"))") }
            guard index < variants.count, !variants[index].isEmpty else { continue }
            plain.variant = variants[index]
            if Keymap(plain) == nil {
                let known = rulesList("variant").filter { $0.rest.hasPrefix("\(name):") }.map(\.name)
                let hint = known.isEmpty ? "it has none" : "it has \(known.joined(separator: ", "))"
                return refusal("layout \"\(name)\" has no variant \"\(variants[index])\"; \(hint)")
            }
        }
        return refusal("XKB cannot make a keymap of layout \"\(layout)\" with options \"\(options)\"")
    }

    private func checkModel(_ keymap: Keymap) throws(KeyboardLayoutError) {
        guard !model.isEmpty, !rulesList("model").contains(where: { $0.name == model }) else { return }
        var other = self
        other.model = ""
        guard Keymap(other).map({ $0.text.isEqual(keymap.text) }) == true else { return }
        throw refusal("there is no model \"\(model)\"\(listed("model"))")
    }

    private func checkOptions(_ keymap: Keymap) throws(KeyboardLayoutError) {
        let all = Self.parts(options)
        let known = Set(rulesList("option").map(\.name))
        for option in all where !option.isEmpty && !known.contains(option) {
            // Rules of one's own are in no list: what has an effect is known.
            var other = self
            other.options = all.filter { $0 != option }.joined(separator: ",")
            guard Keymap(other).map({ $0.text.isEqual(keymap.text) }) == true else { continue }
            let group = option.prefix { $0 != ":" } + ":"
            let near = known.filter { $0.hasPrefix(group) }.sorted().joined(separator: ", ")
            let hint = near.isEmpty ? listed("option") : "; of \(group) there are \(near)"
            throw refusal("there is no option \"\(option)\"\(hint)")
        }
    }

    private static func parts(_ text: String) -> [String] {
        text.isEmpty ? [] : text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }

    /// The lines of a section of the list that comes with the rules; none when there is no such list.
    private func rulesList(_ section: String) -> [(name: String, rest: String)] {
        guard let text = listPath.flatMap({ try? DescriptorIO.contents(ofFile: $0) }) else { return [] }
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
        return lines.drop { $0 != "! \(section)" }.dropFirst().prefix { !$0.hasPrefix("!") }.compactMap { line in
            let words = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
            return words.first.map { (String($0), words.count > 1 ? String(words[1].drop { $0 == " " }) : "") }
        }
    }

    /// Where the list lies that comes with the rules.
    private var listPath: String? {
        guard let context = unsafe xkb_context_new(XKB_CONTEXT_NO_FLAGS) else { return nil }
        defer { unsafe xkb_context_unref(context) }
        return unsafe (0..<xkb_context_num_include_paths(context)).lazy
            .compactMap { unsafe xkb_context_include_path_get(context, $0) }
            .map { "\(unsafe String(cString: $0))/rules/\(rulesName).lst" }
            .first { unsafe access($0, R_OK) == 0 }
    }

    /// Where to look for what there is.
    private func listed(_ section: String) -> String {
        listPath.map { "; \($0) lists each \(section)" } ?? ""
    }

    private func refusal(_ message: String) -> KeyboardLayoutError {
        KeyboardLayoutError(description: message)
    }
}
