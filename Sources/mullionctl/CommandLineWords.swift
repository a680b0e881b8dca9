// Splits the command line into options, words and the arguments after "--".

import MullionControl

/// The common options, the command's name, and its arguments.
struct CommandLineWords {
    var control: String?
    var server: String?
    var json = false
    var wantsHelp = false
    var wantsVersion = false
    var command: String?
    /// In order.
    var words: [String] = []
    /// `-o FILE`, `--screen MODEL` …: options specific to commands, by name, in order.
    var options: [(name: String, value: String)] = []
    /// `--upright` …: options without a value, specific to commands.
    var flags: [String] = []
    /// The arguments after `--`.
    var rest: [String]?

    /// Command options with a value.
    private static let known = [
        "-o", "--output", "--screen", "--artifacts", "--config", "--state", "--tolerance", "--diff", "--clock",
        "--speed", "--window", "--env", "--timeout", "--profile", "--crop", "--mask", "--max-differing",
        "--side-by-side", "--scale", "--max-edge", "--variant", "--junit", "--jobs", "--set", "--duration",
        "--fps-limit",
    ]
    /// Command options without a value.
    private static let knownFlags = [
        "--upright", "--update", "--here", "--cursor", "--wait", "--input", "--manual", "--popups", "--x11",
        "--allow-miss", "--accessibility", "--on-failure", "--strict", "--check", "--tap", "--schema",
    ]

    init(_ arguments: [String]) throws(CommandError) {
        var left = arguments[...]
        while let word = left.popFirst() {
            if word == "--" {
                rest = Array(left)
                return
            }
            guard Self.isOption(word) else {
                if command == nil { command = word } else { words.append(word) }
                continue
            }
            try parse(word, &left)
        }
    }

    private mutating func parse(_ word: String, _ left: inout ArraySlice<String>) throws(CommandError) {
        var name = word
        var inline: String?
        if word.hasPrefix("--"), let equals = word.firstIndex(of: "=") {
            name = String(word[..<equals])
            inline = String(word[word.index(after: equals)...])
        }
        switch name {
        case "--json": json = true
        case "--help", "-h": wantsHelp = true
        case "--version": wantsVersion = true
        case _ where ["--control", "--server"].contains(name) || Self.known.contains(name):
            guard let value = inline ?? left.popFirst() else { throw .usage("\(name) needs a value") }
            inline = nil
            switch name {
            case "--control": control = value
            case "--server": server = value
            default: options.append((name, value))
            }
            guard control == nil || server == nil else {
                throw .usage("use --control or --server, not both")
            }
        case _ where Self.knownFlags.contains(name): flags.append(name)
        default:
            if command == "run", let program = words.first {
                throw .usage(
                    "run: \(name) is not an option of run; COMMAND with its arguments follows --: "
                        + "mullionctl run -- \(program) \(word)")
            }
            let all = Self.known + Self.knownFlags
            let near = Suggestion.nearest(
                to: name, among: all + ["--json", "--help", "--version", "--control", "--server"])
            throw .usage("unknown option \(name)" + (near.map { "; did you mean \($0)?" } ?? ""))
        }
        guard inline == nil else { throw .usage("\(name) takes no value") }
    }

    /// "-" is a file and "-5,10" is a point.
    private static func isOption(_ word: String) -> Bool {
        guard word.hasPrefix("-"), let second = word.dropFirst().first else { return false }
        return !(second.isNumber || second == ".")
    }
}
