// All commands, by name.

/// A command: its usage, help and implementation.
struct Command {
    let name: String
    /// The arguments after the name.
    let arguments: String
    /// A few words for the overview.
    let summary: String
    /// Details for `help COMMAND`.
    var details = ""
    let run: (Invocation) throws(Failure) -> Void

    var usage: String { arguments.isEmpty ? name : "\(name) \(arguments)" }

    /// In the order of the overview.
    static var all: [Command] { groups.flatMap(\.commands) }

    /// What belongs together, with a title for the overview.
    static var groups: [(title: String, commands: [Command])] {
        [
            ("Screens", screenCommands),
            ("Windows", windowCommands),
            ("Input", inputCommands + [seatCommand]),
            ("Seeing", pictureCommands + [watchCommand]),
            ("Waiting and time", [settleCommand, clockCommand]),
            ("Scenarios and recordings", scenarioCommands + [replayCommand]),
            ("Server", serverCommands + [helpCommand]),
        ]
    }

    private static var helpCommand: Command {
        Command(
            name: "help", arguments: "[COMMAND]", summary: "explain a command",
            run: { (call) throws(Failure) in
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

            Sees and changes a running Mullion server. SCREEN is an id or a name; x,y are
            points of it.

            \(groups.joined(separator: "\n\n"))

            Options:
              --server NAME   one of several servers, as mulliond --name has it
              --control PATH  the control socket (default:
                              $XDG_RUNTIME_DIR/mullion/control.sock,
                              else /run/mullion/control.sock)
              --json          print the server's JSON

            Examples:
              $ mullionctl run --screen tv-1080p -- ./my-test   # in a server of its own
              $ mullionctl touch TV 100,200                     # names the receiver
              $ mullionctl screenshot TV -o tv.png              # saves what TV shows

            Exit status: 0 done, 1 refused or no server (the reason is on standard error),
            2 wrong command line.

            """
    }

    static func text(_ command: Command) -> String {
        let sentence = command.summary.prefix(1).uppercased() + command.summary.dropFirst()
        return "usage: mullionctl \(command.usage)\n\n\(sentence).\n"
            + (command.details.isEmpty ? "" : "\n\(command.details)\n")
    }
}
