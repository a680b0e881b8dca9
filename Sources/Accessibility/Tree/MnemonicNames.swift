// Names of widgets as users see them.

extension AccessibleApplication {
    /// Replaces names in which GTK 4.8 has the text twice, or the text with which a mnemonic was marked.
    ///
    /// It names a button with the text `_Save` "_Save Save", one with the text `4` "4 4", and a check box "_Save", while the
    /// label in it has the name that is shown: "Save".
    func simplifyNames() {
        // Other toolkits, including GTK 3, report only the visible text.
        guard toolkit == "GTK" else { return }
        for object in root.all where object.role.hasLabel && !object.name.isEmpty {
            // Its label, or one in a box. Not all that is below: buttons can be nested.
            let near = [object.children, object.children.flatMap(\.children)].lazy.joined()
            let label = near.first {
                $0.role == .label
                    && (Self.isMarked($0.name, in: object.name) || Self.isDoubled($0.name, in: object.name))
            }
            if let label { object.name = label.name }
        }
    }

    /// Whether a name is a text twice.
    static func isDoubled(_ shown: String, in name: String) -> Bool { !shown.isEmpty && name == "\(shown) \(shown)" }

    /// Whether a name is a text with marks, alone or followed by what is shown.
    static func isMarked(_ shown: String, in name: String) -> Bool {
        guard !shown.isEmpty, name != shown else { return false }
        var marked = name[...]
        if name.hasSuffix(shown) {
            let rest = name.dropLast(shown.count)
            if rest.last == " " { marked = rest.dropLast() }
        }
        return marked.contains("_") && withoutMarks(marked) == shown
    }

    /// A single low line marks the character after it; two of them are one.
    private static func withoutMarks(_ text: Substring) -> String {
        var isMark = false
        return String(
            text.filter { character in
                isMark = character == "_" && !isMark
                return !isMark
            })
    }
}
