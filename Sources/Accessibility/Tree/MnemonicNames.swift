// Names of widgets with mnemonics, as users see them.

extension AccessibleApplication {
    /// Replaces names that contain the text with which a mnemonic was marked.
    ///
    /// GTK 4.8 names a button with the text `_Save` "_Save Save", and a check box "_Save", while the label in it has the
    /// name that is shown: "Save".
    func removeMnemonics() {
        // Other toolkits, GTK 3 too, know only what is shown.
        guard toolkit == "GTK" else { return }
        for object in root.all where object.role.hasLabel && object.name.contains("_") {
            let label = object.all.dropFirst().first { Self.isMarked($0.name, in: object.name) && $0.role == .label }
            if let label { object.name = label.name }
        }
    }

    /// Whether a name is a text with marks, alone or followed by what is shown.
    static func isMarked(_ shown: String, in name: String) -> Bool {
        guard !shown.isEmpty, name != shown else { return false }
        let marked = name.hasSuffix(" " + shown) ? String(name.dropLast(shown.count + 1)) : name
        return marked.contains("_") && withoutMarks(marked) == shown
    }

    /// A single low line marks the character after it; two of them are one.
    private static func withoutMarks(_ text: String) -> String {
        var isMark = false
        return String(
            text.filter { character in
                isMark = character == "_" && !isMark
                return !isMark
            })
    }
}
