// completion

import MullionControl

extension Command {
    static var completionCommand: Command {
        Command(
            name: "completion", arguments: "bash|zsh|fish", summary: "print a script that completes words in a shell",
            details: """
                Packages install the scripts. Without one, add a line to the shell's start file:

                  bash  ~/.bashrc                   source <(mullionctl completion bash)
                  zsh   ~/.zshrc, after compinit    source <(mullionctl completion zsh)
                  fish  ~/.config/fish/config.fish  mullionctl completion fish | source

                The scripts complete commands, options, keys and files, and ask the server for
                the names of screens ("completion screens") and models ("completion models").
                """,
            run: { (call) throws(CommandError) in
                let word = try call.word("bash, zsh or fish")
                try call.end()
                switch word {
                case "screens": list(try call.client.send(.getScreens()).screens.map(\.name))
                case "models": list(try call.client.send(.getDisplays()).displays.map(\.name))
                default:
                    guard let script = CompletionScript(rawValue: word) else {
                        let known = CompletionScript.allCases.map(\.rawValue).joined(separator: ", ")
                        throw .usage("\"\(word)\" is not a shell; use one of \(known)")
                    }
                    Terminal.out(script.text)
                }
            })
    }

    /// Prints names, one a line.
    private static func list(_ names: [String]) {
        Terminal.out(names.filter { !$0.contains(where: \.isNewline) }.map { $0 + "\n" }.joined())
    }
}
