// The command lines of processes, for people.

import Glibc
import MullionSystem

/// A command line on one line.
enum CommandLineText {
    /// The most characters that are shown.
    private static let longest = 120

    /// What a process was started with; nil when it has no arguments, or has ended.
    static func of(_ id: pid_t) -> String? {
        guard let data = try? DescriptorIO.contents(ofFile: "/proc/\(id)/cmdline"), !data.isEmpty else { return nil }
        // Each argument ends with a NUL.
        let words = data.prefix(4096).split(separator: 0, omittingEmptySubsequences: false)
        let isWhole = data.count <= 4096 && data.last == 0
        return text((isWhole ? words.dropLast() : words[...]).map { String(decoding: $0, as: UTF8.self) })
    }

    /// The words as a shell would read them, and the program without its folder.
    static func text(_ words: [String]) -> String {
        guard let first = words.first else { return "" }
        let program = first.split(separator: "/").last.map(String.init) ?? first
        let text = ([program] + words.dropFirst()).map(quoted).joined(separator: " ")
        return text.count > longest ? text.prefix(longest - 1) + "…" : text
    }

    private static func quoted(_ word: String) -> String {
        let printable = String(
            String.UnicodeScalarView(word.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
        let isPlain = !word.isEmpty && !printable.contains { " \"'\\$`*?&|;<>()".contains($0) }
        return isPlain ? printable : "'\(printable.replacingAll("'", with: "'\\''"))'"
    }
}
