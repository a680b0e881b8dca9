// Command lines of the examples: long options with a value each, and --help.

import Glibc
import MullionSystem

/// The options of one program.
public struct Options {
    /// One option.
    public struct Option {
        let name: String
        let value: String
        let help: String
        let standard: String

        /// `--name VALUE`, with its help and its default.
        public init(_ name: String, _ value: String, _ help: String, default standard: String = "") {
            self.name = name
            self.value = value
            self.help = help
            self.standard = standard
        }
    }

    /// The program's name.
    public let program: String
    private let summary: String
    private let options: [Option]
    private var values: [String: String] = [:]

    /// Reads the command line. `--help` prints the help and exits 0; unknown options exit 2.
    public init(_ program: String, _ summary: String, _ own: [Option] = []) {
        self.program = program
        self.summary = summary
        options =
            own + [
                Option("screen", "NAME", "the screen's name (default: the main screen)"),
                Option("display", "NAME|PATH", "the server's socket (default: WAYLAND_DISPLAY)"),
            ]
        var arguments = CommandLine.arguments.dropFirst()
        while let argument = arguments.popFirst() {
            if argument == "--help" {
                say(help)
                exit(0)
            }
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard argument.hasPrefix("--"), let name = parts.first?.dropFirst(2),
                options.contains(where: { $0.name == name })
            else {
                let known = options.map { "--\($0.name)" }.joined(separator: ", ")
                refuse("\"\(argument)\" is not an option; use one of \(known)")
            }
            guard let value = parts.count == 2 ? parts[1] : arguments.popFirst() else {
                refuse("--\(name) needs a value")
            }
            values[String(name)] = value
        }
    }

    /// The given value or the default; empty without either.
    public subscript(_ name: String) -> String {
        values[name] ?? options.first { $0.name == name }?.standard ?? ""
    }

    /// A number in that range, which has whole bounds; anything else exits 2.
    public func number(_ name: String, _ range: ClosedRange<Double>) -> Double {
        guard let value = Double(self[name]), range.contains(value) else {
            let (least, most) = (Int(range.lowerBound), Int(range.upperBound))
            refuse("--\(name): \"\(self[name])\" is not a number from \(least) to \(most)")
        }
        return value
    }

    /// Writes the reason to standard error and exits 2.
    public func refuse(_ reason: String) -> Never {
        complain("\(program): \(reason)\nTry \(program) --help")
        exit(2)
    }

    private var help: String {
        let lines = options.map { option in
            let left = "  --\(option.name) \(option.value)"
            let gap = String(repeating: " ", count: max(2, 24 - left.count))
            return left + gap + option.help + (option.standard.isEmpty ? "" : " (default: \(option.standard))")
        }
        return "usage: \(program) [OPTION VALUE]…\n\(summary)\n\n" + lines.joined(separator: "\n")
    }
}

/// Writes a line to standard output, unbuffered, so that a script can follow.
public func say(_ line: String) { put(line, to: STDOUT_FILENO) }

/// Writes a line to standard error.
public func complain(_ line: String) { put(line, to: STDERR_FILENO) }

private func put(_ line: String, to descriptor: Int32) {
    try? DescriptorIO.write((line + "\n").utf8, to: descriptor)
}
