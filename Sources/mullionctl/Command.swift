// All commands, by name.

/// A command: how it is called, what it does, and the doing.
struct Command {
    let name: String
    /// What follows the name.
    let arguments: String
    /// In a few words, for the overview.
    let summary: String
    /// The rest, for `help COMMAND`.
    var details = ""
    let run: (Invocation) throws(Failure) -> Void

    var usage: String { arguments.isEmpty ? name : "\(name) \(arguments)" }

    /// In the order of the overview.
    static var all: [Command] {
        serverCommands + screenCommands + windowCommands + inputCommands + pictureCommands + scenarioCommands + [
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
        ]
    }
}

/// What `--help` prints.
enum Help {
    static var overview: String {
        let width = Command.all.map(\.usage.count).filter { $0 <= 34 }.max() ?? 0
        let lines = Command.all.map { command in
            let space = width - command.usage.count
            // What is too long has its summary on the next line.
            let gap = String(repeating: " ", count: space >= 0 ? space + 2 : width + 2)
            return "  \(command.usage)" + (space >= 0 ? "" : "\n  ") + gap + command.summary
        }
        return """
            usage: mullionctl [--server NAME | --control PATH] [--json] COMMAND …

            Sees and changes a running Mullion server. SCREEN is an id or a name; x,y are points of it.

            \(lines.joined(separator: "\n"))

              --server NAME   one of several servers, as mulliond --name has it
              --control PATH  the control socket (default: $XDG_RUNTIME_DIR/mullion/control.sock,
                              else /run/mullion/control.sock)
              --json          print the server's JSON

            Exit status: 0 done, 1 refused or no server (the reason is on standard error), 2 wrong command line.

            """
    }

    static func text(_ command: Command) -> String {
        let sentence = command.summary.prefix(1).uppercased() + command.summary.dropFirst()
        return "usage: mullionctl \(command.usage)\n\n\(sentence).\n"
            + (command.details.isEmpty ? "" : "\n\(command.details)\n")
    }
}
