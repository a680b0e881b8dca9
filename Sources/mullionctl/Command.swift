// All commands, by name.

import JSON5
import MullionControl

/// A command: its usage, help and implementation.
struct Command {
    let name: String
    /// The arguments after the name.
    let arguments: String
    /// A few words for the overview.
    let summary: String
    /// Details for `help COMMAND`.
    var details = ""
    let run: @MainActor (Invocation) throws(CommandError) -> Void

    /// The usage, wrapped between arguments at 80 columns.
    var usage: String {
        let start = "usage: mullionctl \(name)"
        var lines = [start]
        for argument in Self.split(arguments) {
            if lines[lines.count - 1].count + 1 + argument.count > 80 {
                lines.append(String(repeating: " ", count: start.count))
            }
            lines[lines.count - 1] += " \(argument)"
        }
        return lines.joined(separator: "\n")
    }

    /// Splits arguments at spaces outside of brackets.
    private static func split(_ arguments: String) -> [String] {
        var words: [String] = []
        var depth = 0
        for part in arguments.split(separator: " ") {
            if depth > 0 { words[words.count - 1] += " \(part)" } else { words.append(String(part)) }
            for character in part { depth += "[(".contains(character) ? 1 : "])".contains(character) ? -1 : 0 }
        }
        return words
    }

    /// In the order of the overview.
    static var all: [Command] { groups.flatMap(\.commands) }

    /// The commands by subject, with a title for the overview.
    static var groups: [(title: String, commands: [Command])] {
        [
            ("Screens", screenCommands),
            ("Windows", windowCommands + [convertCommand]),
            ("Widgets", widgetCommands),
            ("Input", inputCommands + [seatCommand]),
            ("Pictures and events", pictureCommands + [recordCommand, watchCommand]),
            ("Waiting and time", [waitCommand, settleCommand, clockCommand]),
            ("Scenarios and recordings", scenarioCommands + [replayCommand]),
            ("Server", serverCommands + [doctorCommand, helpCommand, completionCommand]),
        ]
    }

    private static var helpCommand: Command {
        Command(
            name: "help", arguments: "[COMMAND]", summary: "explain a command",
            run: { (call) throws(CommandError) in
                guard let name = call.word() else { return Terminal.out(Help.overview) }
                try call.end()
                guard let command = Command.all.first(where: { $0.name == name }) else {
                    throw Values.unknown(name, Command.all.map(\.name))
                }
                Terminal.out(Help.text(command))
            })
    }
}

/// The text of `--help`.
enum Help {
    static var overview: String {
        let width = Command.all.map(\.name.count).max() ?? 0
        let groups = Command.groups.map { group in
            let lines = group.commands.map { command in
                let gap = String(repeating: " ", count: width - command.name.count + 2)
                return "  \(command.name)\(gap)\(command.summary)"
            }
            return "\(group.title):\n\(lines.joined(separator: "\n"))"
        }
        return """
            usage: mullionctl [--server NAME | --control PATH] [--json] COMMAND …
                   mullionctl COMMAND --help

            Inspects and controls a running Mullion server. SCREEN is the id or the name of
            a screen, and x,y a position in its points.

            \(groups.joined(separator: "\n\n"))

            Options:
              --server NAME   the server that was started with mulliond --name NAME
              --control PATH  the control socket (default:
                              $XDG_RUNTIME_DIR/mullion/control.sock,
                              else /run/mullion/control.sock)
              --json          print the server's answer as JSON

            Examples:
              $ mullionctl run --screen tv-1080p -- ./my-test   # with a private server
              $ mullionctl touch TV 100,200                     # prints the receiver
              $ mullionctl screenshot TV -o tv.png              # saves TV's picture

            Exit status: 0 on success, 1 if the server refuses the request or cannot be
            reached (the reason is on standard error), 2 for an invalid command line, 124
            if the time to wait is up.

            """
    }

    static func text(_ command: Command) -> String {
        let sentence = command.summary.prefix(1).uppercased() + command.summary.dropFirst()
        return "\(command.usage)\n\n\(sentence).\n"
            + (command.details.isEmpty ? "" : "\n\(command.details)\n")
    }
}
